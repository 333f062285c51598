//! Entry-wise activations: values and slopes, in dual numbers, in intervals and in doubles.

use contrapositive::interval::{Dual, Interval};
use serde::{Deserialize, Serialize};

/// An entry-wise activation φ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    Identity,
    Tanh,
    Sine,
    Arctan,
    /// s + s²/2.
    Parabola,
    /// 2 log((1 + e^s)/2).
    ShiftedSoftplus,
    /// s for s ≥ 0, e^s − 1 below.
    Elu,
    Relu,
    Sigmoid,
    /// 2s.
    Twice,
    /// s + 1.
    Shifted,
    /// 0.
    Zero,
    /// s + s² sin(1/s), and 0 at 0: differentiable, with a derivative that jumps about near 0.
    Oscillating,
}

/// All of them whose derivative is continuous but for jumps.
pub const ACTIVATIONS: [Activation; 12] = [
    Activation::Identity,
    Activation::Tanh,
    Activation::Sine,
    Activation::Arctan,
    Activation::Parabola,
    Activation::ShiftedSoftplus,
    Activation::Elu,
    Activation::Relu,
    Activation::Sigmoid,
    Activation::Twice,
    Activation::Shifted,
    Activation::Zero,
];

/// arctan s = asin(s/√(1 + s²)).
pub fn arctan(s: Interval) -> Interval {
    (s / (s.square() + 1.0).sqrt()).asin()
}

impl Activation {
    /// φ(s), with derivatives by the rules of the operations it is made of.
    pub fn of<const K: usize>(self, s: Dual<K>) -> Dual<K> {
        let (below, above) = (s.min(0.0), s.max(0.0));
        match self {
            Activation::Identity => s,
            Activation::Tanh => s.tanh(),
            Activation::Sine => s.sin(),
            Activation::Arctan => {
                let slope = Interval::ONE / (s.value.square() + 1.0);
                Dual {
                    value: arctan(s.value),
                    slopes: s.slopes.map(|t| slope * t),
                    defined: s.defined,
                }
            }
            Activation::Parabola => s + s.square() * 0.5,
            Activation::ShiftedSoftplus => (s.softplus() - Interval::point(2.0).ln()) * 2.0,
            // Its slope is continuous at 0, where a sum of two kinks would not know that.
            Activation::Elu if s.value.lo() >= 0.0 => s,
            Activation::Elu if s.value.hi() <= 0.0 => s.exp_m1(),
            Activation::Elu => above + below.exp_m1(),
            Activation::Relu => above,
            Activation::Sigmoid => s.sigmoid(),
            Activation::Twice => s * 2.0,
            Activation::Shifted => s + 1.0,
            Activation::Zero => s * 0.0,
            Activation::Oscillating if s.value == Interval::ZERO => s,
            Activation::Oscillating => s + s.square() * (1.0 / s).sin(),
        }
    }

    /// φ(s).
    pub fn value(self, s: Interval) -> Interval {
        self.of(Dual::<0>::constant(s)).value
    }

    /// φ′(s) from its formula.
    pub fn slope(self, s: Interval) -> Interval {
        match self {
            Activation::Identity | Activation::Shifted => Interval::ONE,
            Activation::Tanh => Interval::ONE - s.tanh().square(),
            Activation::Sine => s.cos(),
            Activation::Arctan => arctan(s).cos().square(),
            Activation::Parabola => s + 1.0,
            Activation::ShiftedSoftplus => s.sigmoid() * 2.0,
            Activation::Elu => s.min(Interval::ZERO).exp(),
            Activation::Relu if s.lo() > 0.0 => Interval::ONE,
            Activation::Relu if s.hi() < 0.0 => Interval::ZERO,
            Activation::Relu => Interval::new(0.0, 1.0),
            Activation::Sigmoid => s.sigmoid() * (-s).sigmoid(),
            Activation::Twice => Interval::point(2.0),
            Activation::Zero => Interval::ZERO,
            Activation::Oscillating if s == Interval::ZERO => Interval::ONE,
            Activation::Oscillating => {
                let inverse = Interval::ONE / s;
                s * inverse.sin() * 2.0 - inverse.cos() + 1.0
            }
        }
    }

    /// φ(s) and φ′(s) in doubles, for sums over many random units; φ′ = 0 at a kink.
    pub fn in_doubles(self, s: f64) -> (f64, f64) {
        match self {
            Activation::Identity => (s, 1.0),
            Activation::Tanh => {
                let y = core_math::tanh(s);
                (y, 1.0 - y * y)
            }
            Activation::Sine => (core_math::sin(s), core_math::cos(s)),
            Activation::Arctan => (core_math::atan(s), 1.0 / (1.0 + s * s)),
            Activation::Parabola => (s + 0.5 * s * s, 1.0 + s),
            Activation::ShiftedSoftplus => {
                let grown = core_math::exp(-s.abs());
                let value = s.max(0.0) + core_math::log1p(grown) - std::f64::consts::LN_2;
                (2.0 * value, 2.0 / (1.0 + core_math::exp(-s)))
            }
            Activation::Elu if s < 0.0 => (core_math::expm1(s), core_math::exp(s)),
            Activation::Elu => (s, 1.0),
            Activation::Relu => (s.max(0.0), if s > 0.0 { 1.0 } else { 0.0 }),
            Activation::Sigmoid => {
                let y = 1.0 / (1.0 + core_math::exp(-s));
                (y, y * (1.0 - y))
            }
            Activation::Twice => (2.0 * s, 2.0),
            Activation::Shifted => (s + 1.0, 1.0),
            Activation::Zero => (0.0, 0.0),
            Activation::Oscillating if s == 0.0 => (0.0, 1.0),
            Activation::Oscillating => {
                let (sine, cosine) = (core_math::sin(1.0 / s), core_math::cos(1.0 / s));
                (s + s * s * sine, 1.0 + 2.0 * s * sine - cosine)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_slopes_agree_however_they_are_computed() {
        for activation in ACTIVATIONS.into_iter().chain([Activation::Oscillating]) {
            for s in [-30.0, -1.5, -0.25, 0.125, 2.0, 30.0] {
                let dual = activation.of(Dual {
                    slopes: [Interval::ONE],
                    ..Dual::<1>::constant(s)
                });
                let (value, slope) = activation.in_doubles(s);
                let near = |x: Interval, y: f64| x.widened_by(1e-12 * (1.0 + y.abs())).contains(y);
                assert!(
                    near(dual.value, value) && near(dual.slopes[0], slope),
                    "{activation:?} at {s}"
                );
                assert!(
                    near(activation.slope(Interval::point(s)), slope),
                    "{activation:?} at {s}"
                );
            }
        }
    }
}
