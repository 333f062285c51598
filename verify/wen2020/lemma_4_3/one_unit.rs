//! Two encoders of one hidden unit, whose gradients can be written out.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// For every point: v_i, ṽ_i, and u^{(0)}, u, h^{(0)}, h of a network with one unit in the layer and one below it.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "n = {n}, (v, ṽ, u⁽⁰⁾, u, h⁽⁰⁾, h) = {points:?}",
    valid = Self::has_outputs_of_a_relu,
    simpler = Self::without_a_point, stored)]
pub struct OneUnit {
    #[instance(length = "n in 2..", range = "-1e3..=1e3")]
    pub points: Vec<[f64; 6]>,
}

impl OneUnit {
    fn has_outputs_of_a_relu(&self) -> Result<(), String> {
        if self.points.iter().all(|p| p[4] >= 0.0 && p[5] >= 0.0) {
            Ok(())
        } else {
            Err("a hidden value is negative".into())
        }
    }

    fn without_a_point(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut fewer = self.clone();
            fewer.points.remove(drop);
            fewer
        };
        if self.points.len() <= 2 { Vec::new() } else { (0..self.points.len()).map(without).collect() }
    }
}

impl OneUnit {
    pub fn mean(&self, of: impl Fn([Enclosure; 6]) -> Enclosure) -> Enclosure {
        let sum: Enclosure = self.points.iter().map(|p| of(p.map(exact))).sum();
        sum / self.points.len() as f64
    }

    /// ‖∇(W^{(0)}) − ∇(W)‖² with v_i fixed.
    pub fn left(&self) -> Enclosure {
        self.mean(|[v, _, u0, u, h0, h]| v * (u0 * (h0 - h) + (u0 - u) * h)).square()
    }

    pub fn right(&self) -> Enclosure {
        self.mean(|[v, _, u0, u, h0, h]| (v * u0 * (h0 - h)).square() + (v * (u0 - u) * h).square())
    }

    pub fn scale(&self) -> f64 {
        self.mean(|p| p.map(|x| 1.0 + x.abs()).into_iter().fold(Enclosure::ONE, |a, b| a * b)).hi()
    }
}
