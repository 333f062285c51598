//! The result of a claim as bytes and back, without a loss: what a run keeps so that a later one can go on from it.
//!
//! What the claim itself declares (statements, roles, expectations) is not stored but taken from the claim again, so that a record
//! is only readable beside the claim that it came from. Numbers keep all their bits, infinities included.

use thiserror::Error;

use super::claim_result::ClaimResult;
use crate::claim::Claim;
use crate::run::conclusion::CheckResult;

/// A record could not be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The bytes are no record.
    #[error("not a record: {0}")]
    Format(#[from] postcard::Error),
    /// The record is one of another claim, or of an earlier form of this one.
    #[error("a record of {found}, not of {expected} as it is now")]
    OtherClaim {
        /// The claim that was recorded.
        found: String,
        /// The claim that was expected.
        expected: String,
    },
}

impl ClaimResult {
    /// The result as bytes: the ids of the claim and its checks, then what was found.
    ///
    /// # Errors
    /// A witness cannot be written as JSON.
    pub fn to_record(&self) -> Result<Vec<u8>, RecordError> {
        let checks: Vec<&str> = self.checks.iter().map(|c| c.id).collect();
        Ok(postcard::to_stdvec(&(self.id, checks, self))?)
    }

    /// The result of a claim from its bytes.
    ///
    /// # Errors
    /// The bytes are no record, or not one of this claim with these checks.
    pub fn from_record(claim: &Claim, bytes: &[u8]) -> Result<Self, RecordError> {
        let (id, ids, found): (String, Vec<String>, ClaimResult) = postcard::from_bytes(bytes)?;
        let declared = claim.checks();
        let same = id == claim.id && ids.iter().eq(declared.iter().map(|c| c.id)) && ids.len() == found.checks.len();
        let read: Option<Vec<CheckResult>> = if same {
            found.checks.into_iter().zip(declared).map(|(check, declared)| check.declared_by(declared)).collect()
        } else {
            None
        };
        let Some(checks) = read else {
            return Err(RecordError::OtherClaim { found: id, expected: claim.id.to_owned() });
        };
        Ok(ClaimResult {
            checks,
            unmissed: found.unmissed,
            reach: found.reach,
            dropped: found.dropped,
            ledgers: found.ledgers,
            series: found.series,
            ..ClaimResult::declared(claim)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use crate::budget::Budget;
    use crate::claim::{
        Claim, Fixtures, Hypothesis, Kind, Series, Setting, at_least, at_most, edge, fails, holds, random,
    };
    use crate::instance::Instance;
    use crate::run::{ClaimResult, Plan, Silent, WitnessStore, run_claim};
    use enclosures::enclosure::{Enclosure, exact};
    use proptest::prelude::Strategy;

    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Number {
        x: f64,
    }

    impl Instance for Number {
        fn describe(&self) -> String {
            format!("x = {}", self.x)
        }
    }

    /// A claim with something in every field that a record keeps but proofs.
    fn claim() -> Claim {
        Claim::new("staged.record", "everything at once", Kind::Inequality)
            .series("table", "numbers, counts and words", |_| {
                let mut table = Series::of([("a", "m"), ("b", ""), ("c", "")]).noting("a note");
                table.push([Enclosure::between(-0.0, f64::INFINITY).into(), 3u64.into(), "word".into()]);
                Ok(table)
            })
            .series("missing", "a table that cannot be had", |_| Err("no data".into()))
            .setting(
                Setting::measuring(|n: &Number, _| Ok(exact(n.x)))
                    .given("a double")
                    .assume(Hypothesis::new("x ≥ 0", |n| n.x >= 0.0))
                    .family(edge("named", || vec![("zero", Number { x: 0.0 }), ("two", Number { x: 2.0 })]))
                    .family(random("wide", || (-5.0..5.0f64).prop_map(|x| Number { x })))
                    .part("printed", "x ≤ 1", fails("two is more"), |_, &x| at_most(x, 1))
                    .part("other", "x ≥ 0", holds(), |_, &x| at_least(x, 0))
                    .control("a", "x ≤ -1", |_, &x| at_most(x, -1)),
            )
    }

    #[test]
    fn a_result_comes_back_from_its_record_as_it_was() {
        let claim = claim();
        let plan = Plan { seed: 3, budget: Budget::Quick };
        let result = run_claim(&claim, plan, &Fixtures::at("none"), &WitnessStore::default(), &Silent);
        assert!(result.checks[0].witness.is_some() && !result.dropped.is_empty() && result.series.len() == 2);
        let bytes = result.to_record().expect("it can be written");
        let again = ClaimResult::from_record(&claim, &bytes).expect("it can be read");
        assert_eq!(format!("{again:?}"), format!("{result:?}"));
        assert_eq!(again.to_record().expect("it can be written"), bytes);
    }

    #[test]
    fn a_damaged_record_is_an_error_and_never_a_panic() {
        let claim = claim();
        let plan = Plan { seed: 3, budget: Budget::Quick };
        let result = run_claim(&claim, plan, &Fixtures::at("none"), &WitnessStore::default(), &Silent);
        let bytes = result.to_record().expect("it can be written");
        for length in 0..bytes.len() {
            assert!(ClaimResult::from_record(&claim, &bytes[..length]).is_err());
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x80;
            // Many changes cannot be told from another result; a checksum is for whoever stores records.
            if let Ok(read) = ClaimResult::from_record(&claim, &changed) {
                assert_eq!(read.id, claim.id);
            }
        }
        let other = Claim::new("staged.other", "another", Kind::Inequality);
        assert!(ClaimResult::from_record(&other, &bytes).is_err());
    }
}
