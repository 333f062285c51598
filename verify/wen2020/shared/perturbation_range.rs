//! Radii ω at the upper end of a printed range, and many inputs on a circle.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// A range ω ≤ cL^{−9/2}(log m)^p and the constant C of a bound; widths are given by their logarithms.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct PerturbationRange {
    #[instance(symbol = "L", range = "1..=100")]
    pub layers: u32,
    #[instance(symbol = "log m", range = "0.1..=1e6")]
    pub log_width: f64,
    /// c.
    #[instance(symbol = "c", range = "1e-12..=1e12", scale = "logarithmic")]
    pub scale: f64,
    /// C.
    #[instance(symbol = "C", range = "1e-12..=1e12", scale = "logarithmic")]
    pub factor: f64,
}

impl PerturbationRange {
    pub fn of(layers: u32, log_width: f64, scale: f64, factor: f64) -> Self {
        PerturbationRange { layers, log_width, scale, factor }
    }

    pub fn l(&self) -> Enclosure {
        self.layers.into()
    }

    pub fn depth(&self) -> i64 {
        i64::from(self.layers)
    }

    /// The upper end, with the power of log m.
    pub fn radius(&self, power: f64) -> Enclosure {
        let logs = exact(self.log_width).ln() * power;
        self.scale * (logs - self.l().ln() * 4.5).exp()
    }

    /// L^{5/2}√log m.
    pub fn displacement(&self) -> Enclosure {
        self.l().square() * self.l().sqrt() * exact(self.log_width).sqrt()
    }
}

/// The constants of "at most Cmω^{2/3} flips with probability ≥ 1 − e^{−cmω^{2/3}}" at one layer, and a width.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct Circle {
    /// C.
    #[instance(symbol = "C", range = "1..=1e12", scale = "logarithmic")]
    pub constant: f64,
    /// c.
    #[instance(symbol = "c", range = "1e-12..=1e6", scale = "logarithmic")]
    pub rate: f64,
    #[instance(symbol = "m", range = "1..=10_000")]
    pub width: u32,
}

impl Circle {
    /// X = mω^{2/3} with CX = 1/2, so that the promise allows no flip at all.
    fn exponent(&self) -> Enclosure {
        0.5 / exact(self.constant)
    }

    /// An upper bound of P(no unit can be flipped for any input) for n = 100/ω equally spaced points: min_i |w·x_i| ≤
    /// ‖w‖π/n, and P(‖w_r‖ ≥ nω/π for all r) = e^{−m²(nω/π)²/4} with weights N(0, 2/m).
    pub fn success(&self) -> Enclosure {
        let reach = 100.0 / Enclosure::pi() * f64::from(self.width);
        (-(reach.square() / 4.0)).exp()
    }

    pub fn promise(&self) -> Enclosure {
        -(-(self.rate * self.exponent())).exp_m1()
    }
}

/// The constants of "at most Cmω^{2/3} flips with probability ≥ 1 − e^{−cmω^{2/3}}" at one layer, for ω ≤ κ/(n³(log
/// m)^{3/2}).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct ManyInputs {
    /// C.
    #[instance(symbol = "C", range = "1..=1e9", scale = "logarithmic")]
    pub constant: f64,
    /// c.
    #[instance(symbol = "c", range = "1e-9..=1e3", scale = "logarithmic")]
    pub rate: f64,
    /// κ.
    #[instance(symbol = "κ", range = "1e-9..=1", scale = "logarithmic")]
    pub scale: f64,
}

impl ManyInputs {
    /// For m = 2^k and ω = (2Cm)^{−3/2}, so that no flip is allowed, and n = ⌊(κ/(ω(log m)^{3/2}))^{1/3}⌋ orthonormal
    /// inputs: an upper bound of the probability that no pre-activation w_r·x_i, independent N(0, 2/m), is within ω of
    /// zero, (1 − π)^{mn} ≤ e^{−mnπ} with π = P(|N(0,1)| ≤ ω√(m/2)).
    pub fn success(&self, k: i64) -> Enclosure {
        let width = exact(2.0).powi(k);
        let log = Enclosure::ln_2() * (k as f64);
        let inverse = 2.0 * self.constant * width;
        // ω^{−1/3} = (2Cm)^{1/2}.
        let inputs = (exact(self.scale).ln() / 3.0).exp() * (inverse / log).sqrt() - 1.0;
        let bound = (width / 2.0).sqrt() / (inverse * inverse.sqrt());
        let least = bound * (2.0 / Enclosure::pi()).sqrt() * (-(bound.square() / 2.0)).exp();
        (-(inputs.max(Enclosure::ZERO) * width * least)).exp()
    }

    /// 1 − e^{−c/(2C)}.
    pub fn promise(&self) -> Enclosure {
        -(-(exact(self.rate) / (2.0 * self.constant))).exp_m1()
    }

    /// The first k at which the bound is below half of the promise.
    pub fn exponent_of_two(&self) -> i64 {
        let broken = |k: &i64| 2.0 * self.success(*k).hi() < self.promise().lo();
        (2..400).find(broken).unwrap_or(400)
    }
}

#[cfg(test)]
mod tests {
    use enclosures::probability::normal_two_sided_tail;

    use super::*;

    fn near(x: Enclosure, y: f64) -> bool {
        (x / y - 1.0).abs().hi() < 1e-13
    }

    /// 4^{−9/2} = 1/512, 9^{−3/2} = 1/27.
    #[test]
    fn powers_of_squares_are_worked_by_hand() {
        let range = PerturbationRange::of(4, 9.0, 2.0, 1.0);
        assert!(near(range.radius(-1.5), 2.0 / (512.0 * 27.0)));
        assert!(near(range.radius(0.5), 6.0 / 512.0));
        assert!(near(range.displacement(), 32.0 * 3.0));
    }

    #[test]
    fn the_promise_on_the_circle_is_beyond_what_one_unit_can_keep() {
        let circle = Circle { constant: 3.0, rate: 2.0, width: 1 };
        // X = 1/6, and the exponent (100/π)²/4 of one unit.
        assert!(near(circle.promise().ln(), core_math::log(-core_math::expm1(-1.0 / 3.0))));
        let reach = 50.0 / std::f64::consts::PI;
        assert!(near(circle.success().ln(), -reach * reach));
    }

    /// The probability itself for whole n, without the bounds of its logarithm and of the density: it is below the
    /// bound, which gives little away.
    #[test]
    fn many_inputs_have_no_more_than_their_bound() {
        for (constant, scale, k) in [(1.0, 1.0, 20), (3.0, 0.5, 24), (1.0, 1e-3, 30)] {
            let many = ManyInputs { constant, rate: 1.0, scale };
            let width = core_math::exp2(k as f64);
            let omega = core_math::pow(2.0 * constant * width, -1.5);
            let room = scale / (omega * core_math::pow(core_math::log(width), 1.5));
            let inputs = core_math::cbrt(room).floor();
            let within = 1.0 - normal_two_sided_tail((exact(omega) * (width / 2.0).sqrt()).interval());
            let log = width * inputs * core_math::log1p(-within.midpoint());
            let bound = many.success(k).ln();
            assert!(log <= bound.hi(), "k = {k}: {log}, {bound}");
            // At most one input less.
            assert!(bound.hi() < log * (1.0 - 1.0 / inputs) * 0.999, "k = {k}: {log}, {bound}");
        }
    }

    #[test]
    fn the_exponent_is_the_first_at_which_the_promise_is_broken() {
        for (constant, rate, scale) in [(1.0, 1.0, 1.0), (100.0, 0.01, 0.1), (1.0, 1e-9, 1e-3)] {
            let many = ManyInputs { constant, rate, scale };
            let first = many.exponent_of_two();
            // 1 − e^{−x} lies between x − x²/2 and x.
            let x = rate / (2.0 * constant);
            assert!(many.promise().lo() > x - 0.5 * x * x - 1e-16 && many.promise().hi() < x);
            assert!(many.success(first).hi() < 0.5 * many.promise().lo());
            assert!((2..first).all(|k| many.success(k).hi() >= 0.5 * many.promise().lo()));
        }
    }
}
