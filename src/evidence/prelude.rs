//! What a file of claims needs: `use contrapositive::prelude::*;`.

pub use enclosures::enclosure::{Enclosure, Grade, exact, log_sum_exp};
pub use enclosures::interval::Interval;
pub use enclosures::probability::{clopper_pearson, standard_normal, uniform};
pub use enclosures::proof::Proof;

pub use crate::budget::Budget;
pub use crate::claim::{
    Claim, Comparison, Evaluation, Expectation, Family, Fixtures, Hypothesis, Kind, MeasureError, Setting, Symbol,
    Trial, all_of, ascending, at_least, at_most, consistent, data, described, edge, edge_over, equal, fails, for_each,
    for_each_at, for_each_index, for_each_numbered, for_each_of, for_each_pair, greater_than, holds, inconclusive,
    less_than, none_of, pairs, pairs_below, random, strictly_ascending, undecided, vacuous, vacuous_expected,
};
pub use crate::instance::{Instance, any};
pub use crate::run::{Plan, Run, Silent, WitnessStore, run};
pub use crate::sweep::Sweep;
pub use crate::trend::Trend;
pub use crate::verdict::Verdict;
pub use crate::{assert_claim, catalogue, catalogue_tests};
