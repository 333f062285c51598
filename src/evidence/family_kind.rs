//! Where an instance came from.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where an instance came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FamilyKind {
    /// Stored after an earlier refutation; always tried first.
    Witness,
    /// Picked by hand, with a name.
    Edge,
    /// Picked by hand to miss a hypothesis.
    Outside,
    /// Taken from a data set.
    Data,
    /// Drawn from a strategy.
    Random,
    /// Found by the adversarial search.
    Search,
    /// A point at which a proof by subdivision is refuted.
    Proof,
}

impl FamilyKind {
    /// Whether a family of the claim offered it, and neither an earlier run nor what this run does with the families' instances.
    #[must_use]
    pub fn is_of_a_family(self) -> bool {
        !matches!(self, FamilyKind::Witness | FamilyKind::Search | FamilyKind::Proof)
    }
}

impl fmt::Display for FamilyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FamilyKind::Witness => "witness",
            FamilyKind::Edge => "edge",
            FamilyKind::Outside => "outside",
            FamilyKind::Data => "data",
            FamilyKind::Random => "random",
            FamilyKind::Search => "search",
            FamilyKind::Proof => "proof",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_shown_as_it_is_stored() {
        use FamilyKind::{Data, Edge, Outside, Proof, Random, Search, Witness};
        for kind in [Witness, Edge, Outside, Data, Random, Search, Proof] {
            let stored = serde_json::to_value(kind).expect("a word");
            assert_eq!(stored, kind.to_string());
        }
    }
}
