//! What is estimated: either loss, or the chance that negatives show every class.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number that depends on a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Loss {
    /// `L_un^N`, the unsupervised loss with `N` negatives.
    Unsupervised(usize),
    /// `L_sup^mu` of the task of all classes.
    AllClasses,
    /// `L_sup,k^mu`, its average over tasks of `k + 1` classes.
    Tasks(usize),
    /// `p_cc(N)`, the chance that the classes of `N` negatives are all of them.
    Coverage(usize),
}

impl Loss {
    /// The number of negatives, where it is the unsupervised loss.
    #[must_use]
    pub fn negatives(self) -> Option<usize> {
        match self {
            Loss::Unsupervised(negatives) => Some(negatives),
            _ => None,
        }
    }

    /// A title: `N = 15` for the unsupervised loss, its sign for any other.
    #[must_use]
    pub fn title(self) -> String {
        match self {
            Loss::Unsupervised(negatives) => format!("N = {negatives}"),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Loss {
    /// The number of negatives for the unsupervised loss, a sign for any other.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Unsupervised(negatives) => write!(f, "{negatives}"),
            Loss::AllClasses => f.write_str("L_sup^μ"),
            Loss::Tasks(k) => write!(f, "L_sup,{k}^μ"),
            Loss::Coverage(negatives) => write!(f, "p_cc({negatives})"),
        }
    }
}
