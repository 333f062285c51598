//! Norms of tuples of matrices, and widths or numbers of layers at which a printed bound fails with a given constant.

use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// Norms of a list of matrices or of vectors.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{n} norms {list:?}", simpler = Self::beginnings, stored)]
pub struct Norms {
    #[instance(length = "n in 0..", range = "0..=1e6")]
    pub list: Vec<f64>,
}

impl Norms {
    fn beginnings(&self) -> Vec<Self> {
        let shorter = |k: usize| Norms { list: self.list[..k].to_vec() };
        (1..self.list.len()).map(shorter).collect()
    }
}

impl Norms {
    pub fn sum(&self) -> Enclosure {
        self.list.iter().map(|&x| exact(x)).sum()
    }

    pub fn length(&self) -> Enclosure {
        self.list.iter().map(|&x| exact(x).square()).sum::<Enclosure>().sqrt()
    }
}

/// A constant C of a printed bound, and ω = `share` (log m)^{−3/2}.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "C = {constant}, ω = {share} (log m)^(−3/2)", stored)]
pub struct Growing {
    /// C; beyond 10⁷ C² + 1 and C² come too close for doubles to tell their roots apart.
    #[instance(range = "0.01..=1e7", scale = "logarithmic")]
    pub constant: f64,
    #[instance(range = "1e-9..=1", scale = "logarithmic")]
    pub share: f64,
}

/// Widths are 2^{10 k}, k = 1, …, so many.
const WIDTHS: u32 = 60;

fn log_width(k: u32) -> Enclosure {
    Enclosure::ln_2() * f64::from(10 * k)
}

impl Growing {
    fn radius(&self, k: u32) -> Enclosure {
        exact(self.share) * log_width(k).powi(-3).sqrt()
    }

    /// log d at m = 2^{10 k} for d = c²m/(log m)⁴, c the share: √(d/m) = c(log m)^{−2} stays below ω, as Lemma 4.4 asks.
    fn log_output(&self, k: u32) -> Enclosure {
        let log = log_width(k);
        log + 2.0 * exact(self.share).ln() - 4.0 * log.ln()
    }

    /// For m = 2^{10 k}, L = 1 and that d: ω²/(ω^{1/3} √(log m/d) √2 ω), the last two factors ‖W′‖_F; with m below the root
    /// in the denominator if it is restored.
    fn last_layer_at(&self, k: u32, with_root: bool) -> Enclosure {
        let (log, omega) = (log_width(k), self.radius(k));
        let missing = if with_root { Enclosure::ZERO } else { log };
        let share_of_width = self.log_output(k) - log + missing;
        let room = omega.ln() * 2.0 / 3.0 + (share_of_width - log.ln()) / 2.0;
        room.exp() / exact(2.0).sqrt()
    }

    /// For m = 2^{10 k}, L = d = 1, τ = `share` (log m)^{−3/2} and ω = m^{−1/2}: flips that reach τ^{1/3}√m ‖θ′‖_F/5
    /// against the bound ω^{1/3}√(m log m) ‖θ′‖_F, or with τ in place of ω.
    fn flips_at(&self, k: u32, with_tau: bool) -> Enclosure {
        let log = log_width(k);
        // (τ/ω)^{1/3} with ω = e^{−log m/2}.
        let lost = ((self.radius(k).ln() + log / 2.0) / 3.0).exp();
        let lost = if with_tau { Enclosure::ONE } else { lost };
        lost / (5.0 * log.sqrt())
    }

    /// The first admitted width at which a ratio exceeds C, as log₂ m, and the ratio there.
    fn beyond(&self, admitted: impl Fn(u32) -> bool, ratio: impl Fn(u32) -> Enclosure) -> (u32, Enclosure) {
        let k = (1..WIDTHS).find(|&k| admitted(k) && ratio(k).lo() > self.constant).unwrap_or(WIDTHS);
        (10 * k, ratio(k))
    }

    /// Where the printed bound of Q_2^L fails, among the widths with d ≥ (log m)².
    pub fn last_layer(&self) -> (u32, Enclosure) {
        let wide_enough = |k| (self.log_output(k) - 2.0 * log_width(k).ln()).lo() >= 0.0;
        self.beyond(wide_enough, |k| self.last_layer_at(k, false))
    }

    /// Where the printed bound of F_{2,1} fails.
    pub fn flips(&self) -> (u32, Enclosure) {
        self.beyond(|_| true, |k| self.flips_at(k, false))
    }

    /// The largest ratio of the repaired bound over all widths: the first.
    pub fn repaired(&self, last_layer: bool) -> Enclosure {
        let at = |k| {
            if last_layer { self.last_layer_at(k, true) } else { self.flips_at(k, true) }
        };
        (1..=WIDTHS).map(at).fold(Enclosure::ZERO, Enclosure::max)
    }

    /// Σ_l ‖W′_l‖_F/‖W′‖_F = √(L+1) for L + 1 = ⌈C²⌉ + 1 matrices of equal norms.
    pub fn layers(&self) -> Enclosure {
        exact(exact(self.constant).square().hi().ceil() + 1.0).sqrt()
    }
}

/// What doubles can tell apart, as every setting over [`growing`] states it.
pub const CONSTANTS: &str = "0.01 ≤ C ≤ 10⁷ and 10⁻⁹ ≤ c ≤ 1";

/// Constants C and shares of the radius that several claims try.
pub fn growing() -> Vec<Family<Growing>> {
    let named = || {
        let of = |constant, share| Growing { constant, share };
        vec![("C = c = 1", of(1.0, 1.0)), ("C = 1000, c = 0.1", of(1e3, 0.1)), ("C = 10⁶, c = 0.001", of(1e6, 1e-3))]
    };
    let drawn = || {
        (-2.0..15.0f64, -10.0..0.0f64)
            .prop_map(|(constant, share)| Growing { constant: core_math::exp(constant), share: core_math::exp(share) })
    };
    vec![edge("named", named), random("log-uniform", drawn)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_are_added_up_and_taken_together() {
        let norms = Norms { list: vec![3.0, 4.0] };
        assert!(norms.sum().lo() <= 7.0 && norms.sum().hi() >= 7.0 && norms.sum().hi() < 7.1);
        assert!(norms.length().lo() <= 5.0 && norms.length().hi() >= 5.0 && norms.length().hi() < 5.1);
        let none = Norms { list: Vec::new() };
        assert!(none.sum().hi() == 0.0 && none.length().hi() == 0.0);
    }

    fn near(x: Enclosure, y: f64) -> bool {
        (x / y - 1.0).abs().hi() < 1e-11
    }

    /// At m = 2¹⁰: every factor in plain arithmetic, none of them by its logarithm.
    #[test]
    fn ratios_are_those_of_plain_powers_at_the_first_width() {
        let growing = Growing { constant: 1.0, share: 0.5 };
        let (m, log) = (1024.0_f64, core_math::log(1024.0));
        let omega = 0.5 / (log * log.sqrt());
        assert!(near(growing.radius(1), omega));
        let d = 0.25 * m / (log * log * log * log);
        assert!(near(growing.log_output(1).exp(), d));
        // ω² over ω^{1/3}√(log m/d) and √2 ω, the root with m in it or not.
        let bound = |under: f64| core_math::cbrt(omega) * (under / d).sqrt() * 2.0_f64.sqrt() * omega;
        assert!(near(growing.last_layer_at(1, true), omega * omega / bound(m * log)));
        assert!(near(growing.last_layer_at(1, false), omega * omega / bound(log)));
        // τ^{1/3}√m/5 against ω^{1/3}√(m log m) with ω = m^{−1/2}.
        let flips = core_math::cbrt(omega) * m.sqrt() / 5.0;
        let printed = core_math::cbrt(1.0 / m.sqrt()) * (m * log).sqrt();
        assert!(near(growing.flips_at(1, false), flips / printed));
        assert!(near(growing.flips_at(1, true), 0.2 / log.sqrt()));
    }

    /// The first width is found by looking at all before it; a larger constant needs no smaller one.
    #[test]
    fn the_width_beyond_the_constant_is_the_first() {
        let mut last = 0;
        for constant in [0.1, 1.0, 100.0, 1e6] {
            let growing = Growing { constant, share: 0.1 };
            let (bits, ratio) = growing.flips();
            assert!(ratio.lo() > constant && bits >= last && bits % 10 == 0);
            assert!((1..bits / 10).all(|k| growing.flips_at(k, false).lo() <= constant));
            // √(⌈C²⌉ + 1) exceeds C, by less than 2/C for C ≥ 1.
            let layers = growing.layers();
            assert!(layers.lo() > constant && (constant < 1.0 || layers.hi() < constant + 2.0 / constant));
            last = bits;
        }
        let growing = Growing { constant: 10.0, share: 1.0 };
        let (bits, ratio) = growing.last_layer();
        // d = m/(log m)⁴ is at least (log m)².
        let log = f64::from(bits) * std::f64::consts::LN_2;
        assert!(log >= 6.0 * core_math::log(log) && ratio.lo() > 10.0);
        // The ratio exceeds 1/100 from the first width on, but only 2³⁰ has log m ≥ 6 log log m, 20.8 against 18.2.
        let small = Growing { constant: 0.01, share: 1.0 };
        assert!(small.last_layer_at(1, false).lo() > 0.01);
        assert_eq!(small.last_layer().0, 30);
    }
}
