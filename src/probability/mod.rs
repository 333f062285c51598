//! Laws that the claims speak of, interval valued where they are computed and bit-deterministic where they are sampled.

mod binomial;
mod clopper_pearson;
mod collector_moments;
mod coupon_collector;
mod group_coverage;

pub use binomial::{Binomial, BinomialError, ln_factorial};
pub use clopper_pearson::{IntervalError, clopper_pearson, lower_bound, upper_bound};
pub use collector_moments::{collector_mean, collector_variance, harmonic};
pub use coupon_collector::{CollectorError, CoverageLaw};
pub use group_coverage::{coverage_probability, probabilities_of};
