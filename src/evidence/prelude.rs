//! What a file of claims needs: `use contrapositive::prelude::*;`.

pub use enclosures::enclosure::{Enclosure, exact, log_sum_exp};
pub use enclosures::interval::Interval;
pub use enclosures::probability::uniform;
pub use enclosures::proof::Proof;

pub use crate::claim::{
    Claim, Evaluation, Family, Hypothesis, Kind, MeasureError, Setting, Trial, all_of, ascending, at_least, at_most,
    consistent, data, described, edge, equal, fails, for_each, for_each_index, greater_than, holds, less_than, outside,
    pairs, random, vacuous,
};
pub use crate::instance::{Instance, any};
pub use crate::trend::Trend;
pub use crate::verdict::Verdict;
pub use crate::{assert_claim, catalogue};
