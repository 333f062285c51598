//! What shells and readers of manuals ask of the program: completions and a page.

use std::io::Write;

pub use clap_complete::Shell;

use super::console;
use super::status::{Status, Trouble};

/// Prints what a shell needs to complete this program's words.
pub fn completions(shell: Shell, mut words: clap::Command, name: &str) -> Result<Status, Trouble> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut words, name, &mut script);
    console::print(&String::from_utf8_lossy(&script))?;
    Ok(Status::AsExpected)
}

/// Prints the manual in the language of `man`: one page, with a part for each command.
pub fn manual(mut words: clap::Command) -> Result<Status, Trouble> {
    words.build();
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(words.clone()).render(&mut page);
    written.map_err(Trouble::output)?;
    for command in words.get_subcommands().filter(|c| !c.is_hide_set()) {
        let man = clap_mangen::Man::new(command.clone());
        let written = writeln!(page, ".SH \"{}\"", command.get_name().to_uppercase())
            .and_then(|()| man.render_description_section(&mut page))
            .and_then(|()| man.render_options_section(&mut page));
        written.map_err(Trouble::output)?;
    }
    console::print(&String::from_utf8_lossy(&page))?;
    Ok(Status::AsExpected)
}
