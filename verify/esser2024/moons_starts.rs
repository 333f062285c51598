//! Special starts of Example 1 for C = diag(−2, −1), on eigenvectors and at M = 0.

use contrapositive::instance::Instance;
use serde::{Deserialize, Serialize};

use super::moons_descent::Weights;

/// The direction that the only unit reads along.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Along {
    pub first: f64,
    pub second: f64,
    /// Whether another unit feeds the output, so that M = 0.
    #[serde(default)]
    pub apart: bool,
}

impl Along {
    /// The scaled loss along the descent.
    pub fn descent(&self, steps: usize) -> Vec<f64> {
        let (c, direction) = ([-2.0, 0.0, -1.0], [self.first, self.second]);
        let start = if self.apart {
            Weights::apart(direction)
        } else {
            Weights::along(direction, 2)
        };
        let step = |w: &Weights| Some(w.descended(c, 0.01));
        std::iter::successors(Some(start), step)
            .take(steps + 1)
            .map(|w| w.scaled_loss(c))
            .collect()
    }
}

impl Instance for Along {
    fn describe(&self) -> String {
        let place = if self.apart { ", of another unit" } else { "" };
        format!(
            "w₁ = ({}, {}), w₂ = 1{place}, C = diag(−2, −1)",
            self.first, self.second
        )
    }

    fn validate(&self) -> Result<(), String> {
        if self.first == 0.0 && self.second == 0.0 || self.first.abs() > 100.0 || self.second.abs() > 100.0 {
            return Err("the direction is zero or beyond 100".into());
        }
        Ok(())
    }
}
