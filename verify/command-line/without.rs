//! What stands for the commands that this program was built without: an answer that names the feature and the command that installs it.

use clap::Args;

use super::status::{Status, Trouble};

/// Whatever such a command is given: the answer is what it needs, and not what is wrong with its words.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct Unread {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _words: Vec<String>,
}

fn refused(command: &'static str, feature: &'static str) -> Result<Status, Trouble> {
    Err(cli::Trouble::without(command, feature).into())
}

/// The command `figures`.
#[cfg(not(feature = "figures"))]
pub mod figures {
    use super::{Status, Trouble, refused};

    pub use super::Unread as Figures;

    /// Names the missing feature.
    pub fn figures(_options: &Figures) -> Result<Status, Trouble> {
        refused("`figures`", "figures")
    }
}

/// The command `site`.
#[cfg(not(feature = "site"))]
pub mod site {
    use cli::Catalogue;

    use super::{Status, Trouble, refused};

    pub use super::Unread as Site;

    /// Names the missing feature.
    pub fn site(_catalogue: &Catalogue, _options: &Site) -> Result<Status, Trouble> {
        refused("`site`", "site")
    }
}
