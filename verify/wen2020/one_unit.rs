//! Two encoders of one hidden unit, whose gradients can be written out.

use enclosures::enclosure::{Enclosure, exact};
use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

/// For every point: v_i, ṽ_i, and u^{(0)}, u, h^{(0)}, h of a network with one unit in the layer and one below it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OneUnit {
    pub points: Vec<[f64; 6]>,
}

impl Instance for OneUnit {
    fn describe(&self) -> String {
        format!(
            "n = {}, (v, ṽ, u⁽⁰⁾, u, h⁽⁰⁾, h) = {:?}",
            self.points.len(),
            self.points
        )
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.points.iter().flatten().all(|x| x.abs() <= 1e3);
        // Outputs of a ReLU are not negative.
        let hidden = self.points.iter().all(|p| p[4] >= 0.0 && p[5] >= 0.0);
        if self.points.len() >= 2 && sound && hidden {
            Ok(())
        } else {
            Err("at least two points, numbers up to 1000, hidden values not negative".into())
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut fewer = self.clone();
            fewer.points.remove(drop);
            fewer
        };
        if self.points.len() <= 2 {
            Vec::new()
        } else {
            (0..self.points.len()).map(without).collect()
        }
    }
}

impl OneUnit {
    pub fn mean(&self, of: impl Fn([Enclosure; 6]) -> Enclosure) -> Enclosure {
        let sum: Enclosure = self.points.iter().map(|p| of(p.map(exact))).sum();
        sum / self.points.len() as f64
    }

    /// ‖∇(W^{(0)}) − ∇(W)‖² with v_i fixed.
    pub fn left(&self) -> Enclosure {
        self.mean(|[v, _, u0, u, h0, h]| v * (u0 * (h0 - h) + (u0 - u) * h))
            .square()
    }

    pub fn right(&self) -> Enclosure {
        self.mean(|[v, _, u0, u, h0, h]| (v * u0 * (h0 - h)).square() + (v * (u0 - u) * h).square())
    }

    pub fn scale(&self) -> f64 {
        self.mean(|p| p.map(|x| 1.0 + x.abs()).into_iter().fold(Enclosure::ONE, |a, b| a * b))
            .hi()
    }
}
