//! Activations beside the identity: value and slope, and how far they are from `s`, enclosed without cancellation.

use std::fmt;

use serde::{Deserialize, Serialize};

use enclosures::interval::Interval;
use enclosures::kernels::correctly_rounded;
use evidence::instance::Instance;

/// Below this size the difference from the identity is taken from the first terms of its series.
const SERIES: f64 = 0.125;

/// An activation, applied to each coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(describe = Self::to_string, stored)]
pub enum Activation {
    /// `s`.
    Identity,
    /// `tanh s`.
    Tanh,
    /// `sin s`.
    Sine,
    /// `arctan s`.
    Arctangent,
    /// `s + c s^2 / 2` with the number `c`.
    Parabola(f64),
    /// `2 log((1 + e^s) / 2)`, the softplus function moved and scaled to fix the origin with slope one.
    CentredSoftplus,
    /// `s` for `s >= 0`, `e^s - 1` below.
    Elu,
    /// `max(s, 0)`, slope 0 at 0.
    Relu,
    /// `1 / (1 + e^-s)`.
    Sigmoid,
    /// `s + s^2 sin(1/s)`, 0 at 0: slope one there, but the slope is not continuous.
    Oscillating,
    /// `s + s^3`.
    Cubic,
    /// `e^s - 1`.
    ExponentialMinusOne,
    /// `sinh s`.
    HyperbolicSine,
    /// `2 s`.
    Doubled,
    /// `s + 1`.
    Shifted,
    /// `0`.
    Zero,
}

/// As a formula in `s` or by the usual name: `tanh`, `s + s²/2`, `2log((1 + eˢ)/2)`.
impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match *self {
            Activation::Identity => "id",
            Activation::Tanh => "tanh",
            Activation::Sine => "sin",
            Activation::Arctangent => "arctan",
            Activation::Parabola(c) => {
                let sign = if c < 0.0 { '−' } else { '+' };
                return match c.abs() {
                    1.0 => write!(f, "s {sign} s²/2"),
                    size => write!(f, "s {sign} {size}s²/2"),
                };
            }
            Activation::CentredSoftplus => "2log((1 + eˢ)/2)",
            Activation::Elu => "ELU",
            Activation::Relu => "ReLU",
            Activation::Sigmoid => "sigmoid",
            Activation::Oscillating => "s + s²sin(1/s)",
            Activation::Cubic => "s + s³",
            Activation::ExponentialMinusOne => "eˢ − 1",
            Activation::HyperbolicSine => "sinh",
            Activation::Doubled => "2s",
            Activation::Shifted => "s + 1",
            Activation::Zero => "0",
        };
        f.pad(words)
    }
}

/// `2 log((1 + e^s)/2)`, rounded.
fn centred_softplus(s: f64) -> f64 {
    2.0 * (s.max(0.0) + core_math::log1p(core_math::exp(-s.abs())) - core_math::log(2.0))
}

/// `s + s^2 sin(1/s)` and its slope, given the sine and the cosine of the reciprocal.
#[inline]
fn oscillating(s: f64, (sine, cosine): (f64, f64)) -> (f64, f64) {
    // The reciprocal of a smaller number overflows.
    if s.abs() < 1e-300 {
        return (s, 1.0);
    }
    (s + s * s * sine, 1.0 + 2.0 * s * sine - cosine)
}

impl Activation {
    /// Value and slope, rounded; the same bits on every machine.
    #[must_use]
    #[inline]
    pub fn at(self, s: f64) -> (f64, f64) {
        match self {
            Activation::Identity => (s, 1.0),
            Activation::Tanh => {
                let y = core_math::tanh(s);
                (y, 1.0 - y * y)
            }
            Activation::Sine => (core_math::sin(s), core_math::cos(s)),
            Activation::Arctangent => (core_math::atan(s), 1.0 / (1.0 + s * s)),
            Activation::Parabola(c) => (s + 0.5 * c * s * s, 1.0 + c * s),
            Activation::CentredSoftplus => (centred_softplus(s), 2.0 / (1.0 + core_math::exp(-s))),
            Activation::Elu if s >= 0.0 => (s, 1.0),
            Activation::Elu => (core_math::expm1(s), core_math::exp(s)),
            Activation::Relu => (s.max(0.0), if s > 0.0 { 1.0 } else { 0.0 }),
            Activation::Sigmoid => {
                let y = 1.0 / (1.0 + core_math::exp(-s));
                (y, y * (1.0 - y))
            }
            Activation::Oscillating => oscillating(s, (core_math::sin(1.0 / s), core_math::cos(1.0 / s))),
            Activation::Cubic => (s + s * s * s, 1.0 + 3.0 * s * s),
            Activation::ExponentialMinusOne => (core_math::expm1(s), core_math::exp(s)),
            Activation::HyperbolicSine => (core_math::sinh(s), core_math::cosh(s)),
            Activation::Doubled => (2.0 * s, 2.0),
            Activation::Shifted => (s + 1.0, 1.0),
            Activation::Zero => (0.0, 0.0),
        }
    }

    /// [`Activation::at`] of every number, to the bit.
    #[must_use]
    pub fn at_each(self, numbers: &[f64]) -> Vec<(f64, f64)> {
        match self {
            Activation::Identity => numbers.iter().map(|&s| (s, 1.0)).collect(),
            Activation::Tanh => {
                let values = correctly_rounded::tanh(numbers);
                values.into_iter().map(|y| (y, 1.0 - y * y)).collect()
            }
            Activation::Sine => correctly_rounded::sin_cos(numbers),
            Activation::ExponentialMinusOne => {
                let both = correctly_rounded::exp_and_exp_m1(numbers);
                both.into_iter().map(|(value, less)| (less, value)).collect()
            }
            Activation::Oscillating => {
                let reciprocals: Vec<f64> = numbers.iter().map(|s| 1.0 / s).collect();
                let both = correctly_rounded::sin_cos(&reciprocals);
                numbers.iter().zip(both).map(|(&s, b)| oscillating(s, b)).collect()
            }
            _ => numbers.iter().map(|&s| self.at(s)).collect(),
        }
    }

    /// `φ(s) - s`, rounded.
    #[must_use]
    pub fn excess(self, s: f64) -> f64 {
        match self {
            Activation::Parabola(c) => 0.5 * c * s * s,
            Activation::Cubic => s * s * s,
            Activation::Shifted => 1.0,
            _ => self.at(s).0 - s,
        }
    }

    /// Encloses `φ(s) - s`; near the origin with a small relative width where the difference is of second or third order.
    ///
    /// Series used for `|s| <= 1/8` (alternating with terms that decrease, or Lagrange's remainder):
    /// `tanh s - s = -s^3/3 + 2 s^5/15 - θ 17 s^7/315`, `sin s - s = -s^3/6 + s^5/120 - θ s^7/5040`,
    /// `arctan s - s = -s^3/3 + s^5/5 - θ s^7/7`, `2 log cosh(s/2) = s^2/4 - s^4/96 + θ s^6/1440`,
    /// `e^s - 1 - s = s^2/2 + s^3/6 + e^{θs} s^4/24`,
    /// `sinh s - s = s^3/6 + cosh(θs) s^5/120`, `0 <= θ <= 1`.
    #[must_use]
    pub fn excess_over(self, s: Interval) -> Interval {
        let near = s.magnitude() <= SERIES;
        let theta = Interval::new(0.0, 1.0);
        let exponential = |s: Interval| {
            if s.magnitude() <= SERIES {
                s.square() / 2.0 + s.powi(3) / 6.0 + s.powi(4) * (theta * s).exp() / 24.0
            } else {
                s.exp_m1() - s
            }
        };
        match self {
            Activation::Identity => Interval::ZERO,
            Activation::Tanh if near => -s.powi(3) / 3.0 + s.powi(5) * 2.0 / 15.0 - theta * s.powi(7) * 17.0 / 315.0,
            Activation::Tanh => s.tanh() - s,
            Activation::Sine if near => -s.powi(3) / 6.0 + s.powi(5) / 120.0 - theta * s.powi(7) / 5040.0,
            Activation::Sine => s.sin() - s,
            Activation::Arctangent if near => -s.powi(3) / 3.0 + s.powi(5) / 5.0 - theta * s.powi(7) / 7.0,
            Activation::Arctangent => {
                // Increasing and correctly rounded; one step outward.
                Interval::new(core_math::atan(s.lo()).next_down(), core_math::atan(s.hi()).next_up()) - s
            }
            Activation::Parabola(c) => s.square() * c / 2.0,
            Activation::CentredSoftplus if near => s.square() / 4.0 - s.powi(4) / 96.0 + theta * s.powi(6) / 1440.0,
            Activation::CentredSoftplus => s.abs() + ((-s.abs()).exp().ln_1p() - Interval::point(2.0).ln()) * 2.0,
            Activation::Elu => exponential(s.min(Interval::ZERO)).max(Interval::ZERO),
            Activation::Relu => (-s).max(Interval::ZERO),
            Activation::Sigmoid => s.sigmoid() - s,
            Activation::Oscillating if s == Interval::ZERO => Interval::ZERO,
            Activation::Oscillating if s.contains(0.0) => s.square() * Interval::new(-1.0, 1.0),
            Activation::Oscillating => s.square() * (Interval::ONE / s).sin(),
            Activation::Cubic => s.powi(3),
            Activation::ExponentialMinusOne => exponential(s),
            Activation::HyperbolicSine if near => {
                let t = theta * s;
                s.powi(3) / 6.0 + s.powi(5) * (t.exp() + (-t).exp()) / 240.0
            }
            Activation::HyperbolicSine => (s.exp() - (-s).exp()) / 2.0 - s,
            Activation::Doubled => s,
            Activation::Shifted => Interval::ONE,
            Activation::Zero => -s,
        }
    }

    /// Encloses `φ(s)`.
    #[must_use]
    pub fn over(self, s: Interval) -> Interval {
        match self {
            Activation::Sigmoid => s.sigmoid(),
            Activation::Relu => s.max(Interval::ZERO),
            Activation::Tanh => s.tanh(),
            Activation::Zero => Interval::ZERO,
            _ => s + self.excess_over(s),
        }
    }

    /// The smallest Lipschitz constant of `φ'` on the real line (the supremum of `|φ''|` where that exists everywhere); none if there is none.
    ///
    /// `tanh'' = -2 t (1 - t^2)` with `t = tanh s` is largest at `t^2 = 1/3`, `arctan'' = -2 s/(1 + s^2)^2` at `s^2 = 1/3`, and the
    /// second derivative of the sigmoid is that of `tanh(s/2)/2`.
    #[must_use]
    pub fn curvature(self) -> Option<Interval> {
        let root = Interval::point(3.0).sqrt();
        match self {
            Activation::Identity | Activation::Doubled | Activation::Shifted | Activation::Zero => Some(Interval::ZERO),
            Activation::Tanh => Some(Interval::point(4.0) / (root * 3.0)),
            Activation::Sine | Activation::Elu => Some(Interval::ONE),
            Activation::Arctangent => Some(root * 3.0 / 8.0),
            Activation::Parabola(c) => Some(Interval::point(c.abs())),
            Activation::CentredSoftplus => Some(Interval::point(0.5)),
            Activation::Sigmoid => Some(Interval::ONE / (root * 6.0)),
            Activation::Relu
            | Activation::Oscillating
            | Activation::Cubic
            | Activation::ExponentialMinusOne
            | Activation::HyperbolicSine => None,
        }
    }

    /// Whether `φ(0) = 0` and `φ'(0) = 1`.
    #[must_use]
    pub fn touches_identity(self) -> bool {
        !matches!(
            self,
            Activation::Relu | Activation::Sigmoid | Activation::Doubled | Activation::Shifted | Activation::Zero
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Activation; 16] = [
        Activation::Identity,
        Activation::Tanh,
        Activation::Sine,
        Activation::Arctangent,
        Activation::Parabola(-1.5),
        Activation::CentredSoftplus,
        Activation::Elu,
        Activation::Relu,
        Activation::Sigmoid,
        Activation::Oscillating,
        Activation::Cubic,
        Activation::ExponentialMinusOne,
        Activation::HyperbolicSine,
        Activation::Doubled,
        Activation::Shifted,
        Activation::Zero,
    ];

    #[test]
    fn enclosures_contain_the_rounded_values_and_are_narrow() {
        for activation in ALL {
            for s in [-20.0, -3.0, -0.5, -0.126, -0.124, -1e-3, 0.0, 1e-9, 0.1, 0.125, 0.2, 1.0, 7.5] {
                let (value, excess) = (activation.over(Interval::point(s)), activation.excess_over(Interval::point(s)));
                let found = activation.at(s).0;
                let room = 1e-14 * (1.0 + found.abs());
                assert!(value.widened_by(room).contains(found), "{activation:?} at {s}: {value:?} {found}");
                assert!(excess.widened_by(room).contains(activation.excess(s)), "{activation:?} at {s}: {excess:?}");
                assert!(value.width() < 1e-5 * (1.0 + found.abs()), "{activation:?} at {s}: {value:?}");
            }
        }
    }

    #[test]
    fn many_numbers_are_mapped_as_one() {
        let mut numbers: Vec<f64> = (-70..=70).map(|i| f64::from(i) * 0.31).collect();
        numbers.extend([1e-305, -1e-299, 1e-9, -3e-4, 0.0011]);
        for activation in ALL {
            let each: Vec<(f64, f64)> = numbers.iter().map(|&s| activation.at(s)).collect();
            assert_eq!(activation.at_each(&numbers), each, "{activation:?}");
        }
    }

    #[test]
    fn each_activation_has_words_of_its_own() {
        let words: std::collections::BTreeSet<String> = ALL.iter().map(Activation::to_string).collect();
        assert_eq!(words.len(), ALL.len());
        assert_eq!(Activation::Parabola(-1.5).to_string(), "s − 1.5s²/2");
        assert_eq!(Activation::Parabola(1.0).to_string(), "s + s²/2");
        assert_eq!(format!("{:>4}", Activation::Sine), " sin");
    }

    #[test]
    fn slopes_are_difference_quotients() {
        for activation in ALL {
            for s in [-2.0, -0.4, 0.3, 1.7] {
                let e = 1e-6;
                let quotient = (activation.at(s + e).0 - activation.at(s - e).0) / (2.0 * e);
                assert!((quotient - activation.at(s).1).abs() < 1e-7 * (1.0 + quotient.abs()), "{activation:?} at {s}");
            }
        }
    }

    #[test]
    fn curvatures_bound_the_slopes_and_are_attained() {
        for activation in ALL {
            let Some(c) = activation.curvature() else { continue };
            let (mut largest, step) = (0.0f64, 1e-3);
            for k in -8000..8000 {
                let s = f64::from(k) * step;
                largest = largest.max((activation.at(s + step).1 - activation.at(s).1).abs() / step);
            }
            assert!(largest <= c.hi() * (1.0 + 1e-9) && largest >= c.lo() * (1.0 - 1e-3), "{activation:?}: {largest}");
        }
    }
}
