//! Activations in dual numbers and in intervals: values with slopes by the rules of differentiation, and slopes by their formulas.

use contrastive::network::Activation;
use enclosures::interval::{Dual, Interval};

/// Activations whose derivative is continuous but for jumps.
pub const ACTIVATIONS: [Activation; 12] = [
    Activation::Identity,
    Activation::Tanh,
    Activation::Sine,
    Activation::Arctangent,
    Activation::Parabola(1.0),
    Activation::CentredSoftplus,
    Activation::Elu,
    Activation::Relu,
    Activation::Sigmoid,
    Activation::Doubled,
    Activation::Shifted,
    Activation::Zero,
];

/// arctan s = asin(s/√(1 + s²)).
pub fn arctan(s: Interval) -> Interval {
    (s / (s.square() + 1.0).sqrt()).asin()
}

/// An activation over dual numbers and intervals.
pub trait Differentiable {
    /// φ(s), with derivatives by the rules of the operations it is made of.
    fn of<const K: usize>(self, s: Dual<K>) -> Dual<K>;
    /// φ(s).
    fn value(self, s: Interval) -> Interval;
    /// φ′(s) from its formula.
    fn slope(self, s: Interval) -> Interval;
}

impl Differentiable for Activation {
    fn of<const K: usize>(self, s: Dual<K>) -> Dual<K> {
        let (below, above) = (s.min(0.0), s.max(0.0));
        match self {
            Activation::Identity => s,
            Activation::Tanh => s.tanh(),
            Activation::Sine => s.sin(),
            Activation::Arctangent => {
                let slope = Interval::ONE / (s.value.square() + 1.0);
                Dual { value: arctan(s.value), slopes: s.slopes.map(|t| slope * t), defined: s.defined }
            }
            Activation::Parabola(c) => s + s.square() * (0.5 * c),
            Activation::Cubic => s + s.square() * s,
            Activation::ExponentialMinusOne => s.exp_m1(),
            Activation::HyperbolicSine => (s.exp_m1() - (-s).exp_m1()) * 0.5,
            // Free of cancellation near 0, and free of overflow far above it.
            Activation::CentredSoftplus if s.value.hi() < 1.0 => (s.exp_m1() * 0.5).ln_1p() * 2.0,
            Activation::CentredSoftplus => (s.softplus() - Interval::point(2.0).ln()) * 2.0,
            // Its slope is continuous at 0, where a sum of two kinks would not know that.
            Activation::Elu if s.value.lo() >= 0.0 => s,
            Activation::Elu if s.value.hi() <= 0.0 => s.exp_m1(),
            Activation::Elu => {
                let slope = s.value.min(Interval::ZERO).exp();
                Dual { value: (above + below.exp_m1()).value, slopes: s.slopes.map(|t| slope * t), defined: s.defined }
            }
            Activation::Relu => above,
            Activation::Sigmoid => s.sigmoid(),
            Activation::Doubled => s * 2.0,
            Activation::Shifted => s + 1.0,
            Activation::Zero => s * 0.0,
            Activation::Oscillating if s.value == Interval::ZERO => s,
            Activation::Oscillating => s + s.square() * (1.0 / s).sin(),
        }
    }

    fn value(self, s: Interval) -> Interval {
        self.of(Dual::<0>::constant(s)).value
    }

    fn slope(self, s: Interval) -> Interval {
        match self {
            Activation::Identity | Activation::Shifted => Interval::ONE,
            // 1/cosh², which keeps its digits where 1 − tanh² has lost them.
            Activation::Tanh => (2.0 / (s.exp() + (-s).exp())).square(),
            Activation::Sine => s.cos(),
            Activation::Arctangent => arctan(s).cos().square(),
            Activation::Parabola(c) => s * c + 1.0,
            Activation::Cubic => s.square() * 3.0 + 1.0,
            Activation::ExponentialMinusOne => s.exp(),
            Activation::HyperbolicSine => (s.exp() + (-s).exp()) / 2.0,
            Activation::CentredSoftplus => s.sigmoid() * 2.0,
            Activation::Elu => s.min(Interval::ZERO).exp(),
            Activation::Relu if s.lo() > 0.0 => Interval::ONE,
            Activation::Relu if s.hi() < 0.0 => Interval::ZERO,
            Activation::Relu => Interval::new(0.0, 1.0),
            Activation::Sigmoid => s.sigmoid() * (-s).sigmoid(),
            Activation::Doubled => Interval::point(2.0),
            Activation::Zero => Interval::ZERO,
            Activation::Oscillating if s == Interval::ZERO => Interval::ONE,
            Activation::Oscillating => {
                let inverse = Interval::ONE / s;
                s * inverse.sin() * 2.0 - inverse.cos() + 1.0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_slopes_agree_however_they_are_computed() {
        let others = [
            Activation::Oscillating,
            Activation::Parabola(-0.75),
            Activation::Cubic,
            Activation::ExponentialMinusOne,
            Activation::HyperbolicSine,
        ];
        for activation in ACTIVATIONS.into_iter().chain(others) {
            for s in [-30.0, -1.5, -0.25, 0.125, 2.0, 30.0] {
                let dual = activation.of(Dual { slopes: [Interval::ONE], ..Dual::<1>::constant(s) });
                let (value, slope) = activation.at(s);
                let near = |x: Interval, y: f64| x.widened_by(1e-12 * (1.0 + y.abs())).contains(y);
                assert!(near(dual.value, value) && near(dual.slopes[0], slope), "{activation:?} at {s}");
                assert!(near(activation.slope(Interval::point(s)), slope), "{activation:?} at {s}");
            }
        }
    }
}
