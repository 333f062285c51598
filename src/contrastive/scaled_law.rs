//! The values `e^{logit}` of a finite law, split into mantissas and binary exponents so that no size overflows.

use super::WeightedLogit;
use enclosures::interval::Interval;

/// Below this binary exponent a value counts as zero; the error is at most `2^-980` however long the block.
const ASLEEP: i64 = -1000;

/// `x * 2^k`, zero below the smallest normal number and capped far above everything that matters.
pub(super) fn scaled(x: f64, k: i64) -> f64 {
    if k < ASLEEP {
        0.0
    } else if k > 1000 {
        1e300
    } else {
        x * f64::from_bits(((k + 1023) as u64) << 52)
    }
}

/// `floor(log2 x)` of a positive normal number; -1023 below those.
pub(super) fn binary_exponent(x: f64) -> i64 {
    (x.to_bits() >> 52) as i64 - 1023
}

/// One list of atoms: values `b = mantissa * 2^exponent`, relative to `e^{largest logit}`.
pub(super) struct ScaledLaw {
    /// Probabilities, rounded.
    pub(super) probability: Vec<f64>,
    /// Mantissas, between `e^-600` and about one.
    pub(super) mantissa: Vec<Interval>,
    /// Binary exponents.
    pub(super) exponent: Vec<i64>,
    /// Relative error of the probabilities.
    pub(super) blur: f64,
}

/// `x - n log 2`, far narrower than with the double next to `log 2`: the first part of it has 33 significant bits, so that its
/// product with `n` below `2^20` is exact, and the second is the rest of `log 2` to within `1.2e-26`.
fn reduced(x: Interval, n: i64) -> Interval {
    const HIGH: f64 = 0.693_147_180_369_123_8;
    const LOW: f64 = 1.908_214_929_270_587_7e-10;
    x - Interval::point(HIGH) * n as f64 - Interval::point(LOW).widened_by(2e-26) * n as f64
}

/// Half the relative width, an upper bound of the relative error of the midpoint.
fn relative_radius(x: Interval) -> f64 {
    1.001 * x.width() / x.lo()
}

impl ScaledLaw {
    /// The values `e^{logit - top}`.
    pub(super) fn new(list: &[WeightedLogit], top: f64) -> Self {
        let shifted = |w: &WeightedLogit| w.logit - top;
        let exponent: Vec<i64> = list
            .iter()
            .map(|w| {
                let d = shifted(w).midpoint();
                if d > -600.0 { 0 } else { (d / std::f64::consts::LN_2).round() as i64 }
            })
            .collect();
        ScaledLaw {
            probability: list.iter().map(|w| w.probability.midpoint()).collect(),
            mantissa: list.iter().zip(&exponent).map(|(w, &n)| reduced(shifted(w), n).exp()).collect(),
            exponent,
            blur: list.iter().map(|w| relative_radius(w.probability)).fold(0.0, f64::max),
        }
    }

    /// The mantissas times `2^{phase/3}`, and their relative error.
    pub(super) fn phase(&self, phase: u32) -> (Vec<f64>, f64) {
        let factor = (Interval::point(2.0).ln() * f64::from(phase) / 3.0).exp();
        let products: Vec<Interval> = self.mantissa.iter().map(|m| *m * factor).collect();
        let error = products.iter().map(|m| relative_radius(*m)).fold(0.0, f64::max);
        (products.iter().map(|m| m.midpoint()).collect(), error)
    }
}
