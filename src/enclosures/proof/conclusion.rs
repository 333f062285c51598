//! What came of a proof by subdivision.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::enclosure::plain;
use crate::interval::Interval;

/// How it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CoverResult {
    /// Every box is settled: the margin is non-negative (positive, if asked for) on the whole domain.
    Covered,
    /// At this point of the domain the margin is negative.
    Refuted {
        /// The parameters, which are exact.
        point: Vec<f64>,
        /// The enclosed margin there.
        margin: Interval,
    },
    /// Boxes are left over on which the sign is not settled, because the budget is spent or because they are as small as they
    /// may become; elsewhere the margin is settled.
    Residual {
        /// How many boxes.
        open: usize,
        /// For each parameter, the smallest range that holds all of them.
        hull: Vec<Interval>,
    },
}

/// How a proof ended, and how many boxes that took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    /// How it ended.
    pub outcome: CoverResult,
    /// Boxes whose margin was bounded.
    pub boxes: usize,
}

impl Conclusion {
    /// Whether the whole domain is settled.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.outcome == CoverResult::Covered
    }

    /// Whether a point with a negative margin was met.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self.outcome, CoverResult::Refuted { .. })
    }
}

impl fmt::Display for Conclusion {
    /// "covered by 12 boxes", "refuted at (0.5)", "2 of 40 boxes left over, within [0, 0.1]".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let boxes = |n: usize| {
            if n == 1 { "1 box".to_owned() } else { format!("{n} boxes") }
        };
        match &self.outcome {
            CoverResult::Covered => write!(f, "covered by {}", boxes(self.boxes)),
            CoverResult::Refuted { point, .. } => {
                let shown: Vec<String> = point.iter().map(|&x| plain(x, 4)).collect();
                write!(f, "refuted at ({})", shown.join(", "))
            }
            CoverResult::Residual { open, hull } => {
                let shown: Vec<String> = hull.iter().map(|&x| ends(x)).collect();
                write!(f, "{open} of {} left over, within {}", boxes(self.boxes), shown.join(" × "))
            }
        }
    }
}

fn ends(x: Interval) -> String {
    let end = |e: f64| match e {
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        e => plain(e, 4),
    };
    format!("[{}, {}]", end(x.lo()), end(x.hi()))
}
