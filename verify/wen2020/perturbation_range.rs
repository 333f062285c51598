//! Radii ω at the upper end of a printed range, and many inputs on a circle.

use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use serde::{Deserialize, Serialize};

/// A range ω ≤ cL^{−9/2}(log m)^p and the constant C of a bound; widths are given by their logarithms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Range {
    pub layers: u32,
    pub log_width: f64,
    /// c.
    pub scale: f64,
    /// C.
    pub factor: f64,
}

impl Range {
    pub fn l(&self) -> Enclosure {
        self.layers.into()
    }

    pub fn depth(&self) -> i64 {
        i64::from(self.layers)
    }

    /// The upper end, with the power of log m.
    pub fn radius(&self, power: f64) -> Enclosure {
        let logs = Enclosure::from(self.log_width).ln() * power;
        self.scale * (logs - self.l().ln() * 4.5).exp()
    }

    /// L^{5/2}√log m.
    pub fn displacement(&self) -> Enclosure {
        self.l().square() * self.l().sqrt() * Enclosure::from(self.log_width).sqrt()
    }
}

impl Instance for Range {
    fn describe(&self) -> String {
        format!(
            "L = {}, log m = {}, c = {}, C = {}",
            self.layers, self.log_width, self.scale, self.factor
        )
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (1e-12..=1e12).contains(&self.scale) && (1e-12..=1e12).contains(&self.factor);
        if sound && (1..=100).contains(&self.layers) && (0.1..=1e6).contains(&self.log_width) {
            Ok(())
        } else {
            Err("a constant not in [1e-12, 1e12], L not in 1 to 100, or log m not in [0.1, 1e6]".into())
        }
    }
}

/// The constants of "at most Cmω^{2/3} flips with probability ≥ 1 − e^{−cmω^{2/3}}" at one layer, and a width.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Circle {
    /// C.
    pub constant: f64,
    /// c.
    pub rate: f64,
    pub width: u32,
}

impl Circle {
    /// X = mω^{2/3} with CX = 1/2, so that the promise allows no flip at all.
    fn exponent(&self) -> Enclosure {
        0.5 / Enclosure::from(self.constant)
    }

    /// An upper bound of P(no unit can be flipped for any input) for n = 100/ω equally spaced points: min_i |w·x_i| ≤ ‖w‖π/n, and
    /// P(‖w_r‖ ≥ nω/π for all r) = e^{−m²(nω/π)²/4} with weights N(0, 2/m).
    pub fn success(&self) -> Enclosure {
        let reach = 100.0 / Enclosure::pi() * f64::from(self.width);
        (-(reach.square() / 4.0)).exp()
    }

    pub fn promise(&self) -> Enclosure {
        -(-(self.rate * self.exponent())).exp_m1()
    }
}

impl Instance for Circle {
    fn describe(&self) -> String {
        format!("C = {}, c = {}, m = {}", self.constant, self.rate, self.width)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (1.0..=1e12).contains(&self.constant) && (1e-12..=1e6).contains(&self.rate);
        if sound && (1..=10_000).contains(&self.width) {
            Ok(())
        } else {
            Err("C not in [1, 1e12], c not in [1e-12, 1e6], or m not in 1 to 10000".into())
        }
    }
}
