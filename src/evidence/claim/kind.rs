//! The kinds of statement the catalogue holds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What kind of statement a claim makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two quantities are equal.
    Identity,
    /// One quantity is at most another.
    Inequality,
    /// An event has at least or at most a stated probability.
    ProbabilityBound,
    /// A statement with O, Omega, Theta or a limit in a size.
    Asymptotic,
    /// A trajectory tends to a stated set.
    Convergence,
    /// A trajectory obeys a stated equation or bound at every time.
    Dynamics,
    /// Two problems or formulations have the same solutions.
    Equivalence,
    /// A definition, with the consequences that can be checked.
    Definition,
    /// Something the paper saw in an experiment.
    Observation,
}

const NAMES: [(Kind, &str); 9] = [
    (Kind::Identity, "identity"),
    (Kind::Inequality, "inequality"),
    (Kind::ProbabilityBound, "probability-bound"),
    (Kind::Asymptotic, "asymptotic"),
    (Kind::Convergence, "convergence"),
    (Kind::Dynamics, "dynamics"),
    (Kind::Equivalence, "equivalence"),
    (Kind::Definition, "definition"),
    (Kind::Observation, "observation"),
];

impl Kind {
    /// Every kind.
    pub fn all() -> impl Iterator<Item = Kind> {
        NAMES.iter().map(|(kind, _)| *kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(kind, _)| kind == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for Kind {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        NAMES.iter().find(|(_, name)| *name == text).map(|(kind, _)| *kind).ok_or_else(|| {
            let known: Vec<&str> = NAMES.iter().map(|(_, name)| *name).collect();
            format!("unknown kind \"{text}\": use one of {}", known.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_refused() {
        assert_eq!(Kind::all().count(), NAMES.len());
        for kind in Kind::all() {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let refused = "guess".parse::<Kind>().expect_err("no kind");
        assert!(refused.contains("guess") && refused.contains("probability-bound"), "{refused}");
    }
}
