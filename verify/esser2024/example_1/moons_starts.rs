//! Special starts of Example 1 for C = diag(−2, −1), on eigenvectors and at M = 0.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::moons_descent::PlaneWeights;
use crate::shared::gradient_models::gradient;
use enclosures::interval::Dual;

/// The direction that the only unit reads along.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::has_a_direction, stored)]
pub struct Along {
    #[instance(range = "-100..=100")]
    pub first: f64,
    #[instance(range = "-100..=100")]
    pub second: f64,
    /// Whether another unit feeds the output, so that M = 0.
    #[serde(default)]
    pub apart: bool,
}

impl Along {
    /// The scaled loss L/(‖W₁‖₂²‖W₂‖₂²) and its gradient in all weights, for z = 1 and h = 2.
    pub fn slopes(&self) -> (Interval, Vec<Interval>) {
        let head = if self.apart { [0.0, 1.0] } else { [1.0, 0.0] };
        let weights = [self.first, self.second, 0.0, 0.0, head[0], head[1]];
        let scaled = |w: &[Dual<8>]| {
            let (one, two) = (w[0] * w[4] + w[2] * w[5], w[1] * w[4] + w[3] * w[5]);
            let loss = one.square() * -2.0 - two.square();
            let (a, b, c) = (w[0].square() + w[2].square(), w[0] * w[1] + w[2] * w[3], w[1].square() + w[3].square());
            let apart = (a - c) * 0.5;
            let top = (a + c) * 0.5 + (apart.square() + b.square()).sqrt();
            loss / (top * (w[4].square() + w[5].square()))
        };
        let value = scaled(&weights.map(Dual::from)).value;
        (value, gradient(&weights, scaled))
    }

    /// The scaled loss along the descent.
    pub fn descent(&self, steps: usize) -> Vec<f64> {
        let (c, direction) = ([-2.0, 0.0, -1.0], [self.first, self.second]);
        let start = if self.apart { PlaneWeights::apart(direction) } else { PlaneWeights::along(direction, 2) };
        let step = |w: &PlaneWeights| Some(w.descended(c, 0.01));
        std::iter::successors(Some(start), step).take(steps + 1).map(|w| w.scaled_loss(c)).collect()
    }
}

impl Along {
    fn in_words(&self) -> String {
        let place = if self.apart { ", of another unit" } else { "" };
        format!("w₁ = ({}, {}), w₂ = 1{place}, C = diag(−2, −1)", self.first, self.second)
    }

    fn has_a_direction(&self) -> Result<(), String> {
        if self.first != 0.0 || self.second != 0.0 { Ok(()) } else { Err("the direction is zero".into()) }
    }
}
