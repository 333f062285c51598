//! What a check is besides its comparison: its part in the claim, how it counts, and all that it assumes.

use super::expectation::Expectation;
use super::reduction::ProofInfo;
use super::theorem::Cited;
use crate::role::Role;

/// How a check counts among the readings of its claim, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classification {
    /// The senses that a part belongs to; all of them if none is named.
    pub senses: Vec<&'static str>,
    /// The check that this one follows from, so that it does not weaken a sense.
    pub implied_by: Option<&'static str>,
    /// Why the check is no evidence: it restates a definition, a construction, or a proof of ours.
    pub not_evidence: Option<&'static str>,
    /// Why it is classified as it is, where that is a judgement call.
    pub because: Option<&'static str>,
    /// What of it is a choice of ours because the printed words leave it open: a constant, a level, what "mostly" means.
    pub our_constant: Option<&'static str>,
    /// What its left and its right side are, in the signs of the claim.
    pub sides: Option<[&'static str; 2]>,
    /// The control that is this check's false variant, for checks that compare no numbers.
    pub tested_by: Option<&'static str>,
}

/// All that a check assumes: who copies its line together with these holds a complete statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// What the type or the construction of the instances guarantees.
    pub givens: Vec<&'static str>,
    /// The hypotheses of its setting, then its own.
    pub hypotheses: Vec<&'static str>,
    /// Where it says nothing.
    pub exceptions: Vec<&'static str>,
    /// What the families restrict beyond the hypotheses, each with the family's name.
    pub restrictions: Vec<String>,
    /// Whether nothing is tried but what the restrictions name: every family has one, and no search goes beyond.
    pub restricted_throughout: bool,
}

/// What a reader can know of a check without running it.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// The id within the claim ("printed", "s1", "a").
    pub id: &'static str,
    /// Its part in the claim.
    pub role: Role,
    /// What it compares, in plain mathematics.
    pub statement: &'static str,
    /// What the catalogue expects.
    pub expectation: Expectation,
    /// Hypotheses of this check beyond those of the setting.
    pub when: Vec<&'static str>,
    /// All that it assumes.
    pub assumes: Assumptions,
    /// How it counts among the readings.
    pub classification: Classification,
    /// Its proofs by subdivision.
    pub proofs: Vec<ProofInfo>,
    /// The theorems that it cites.
    pub theorems: Vec<Cited>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_shown_as_it_is_stored_and_three_of_them_read_the_statement() {
        use Role::{Amendment, Control, Meant, Ours, Part, Sharpening, Step};
        let all = [Part, Meant, Ours, Step, Control, Amendment, Sharpening];
        for role in all {
            assert_eq!(serde_json::to_value(role).expect("a word"), role.to_string());
        }
        assert_eq!(all.map(Role::is_reading), [true, true, true, false, false, false, false]);
    }
}
