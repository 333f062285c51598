//! A diagonal start with equal norms in both views, and a value of the clock θ, dθ = (2c_K/N²)dt, of the flow of positive pairs.

use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

use super::diagonal_points::DiagonalPoint;

/// A start and a time. Differences between the norms of the two views are ignored.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "θ = {theta} from {start}", simpler = Self::with_simpler_starts, stored)]
pub struct Course {
    pub start: DiagonalPoint,
    #[instance(range = "0..=1e6")]
    pub theta: f64,
}

impl Course {
    fn with_simpler_starts(&self) -> Vec<Self> {
        let of = |start: DiagonalPoint| Course {
            start,
            theta: self.theta,
        };
        self.start.simpler().into_iter().map(of).collect()
    }
}
