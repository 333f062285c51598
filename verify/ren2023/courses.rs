//! A diagonal start with equal norms in both views, and a value of the clock θ, dθ = (2c_K/N²)dt, of the flow of positive pairs.

use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

use super::diagonal_points::DiagonalPoint;

/// A start and a time. Differences between the norms of the two views are ignored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Course {
    pub(super) start: DiagonalPoint,
    pub(super) theta: f64,
}

impl Instance for Course {
    fn describe(&self) -> String {
        format!("θ = {} from {}", self.theta, self.start.describe())
    }

    fn validate(&self) -> Result<(), String> {
        self.start.validate()?;
        if (0.0..=1e6).contains(&self.theta) {
            Ok(())
        } else {
            Err(format!("θ = {} is not between 0 and 1e6", self.theta))
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let of = |start: DiagonalPoint| Course {
            start,
            theta: self.theta,
        };
        self.start.simpler().into_iter().map(of).collect()
    }
}
