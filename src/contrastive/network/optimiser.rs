//! First-order optimisers.

use serde::{Deserialize, Serialize};

use super::NetworkError;
use super::trainable::Parameters;

/// How a gradient becomes a change of the weights: Adam (Kingma and Ba 2015, algorithm 1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optimiser {
    /// Step size, positive. Default 0.003.
    pub rate: f64,
    /// Decay of the mean of the gradients, in [0, 1). Default 0.9.
    pub first_decay: f64,
    /// Decay of the mean of their squares, in [0, 1). Default 0.999.
    pub second_decay: f64,
    /// Added to the root of the second mean, positive. Default 1e-8.
    pub epsilon: f64,
}

impl Default for Optimiser {
    fn default() -> Self {
        Self { rate: 0.003, first_decay: 0.9, second_decay: 0.999, epsilon: 1e-8 }
    }
}

impl Optimiser {
    /// Refuses numbers outside their ranges.
    ///
    /// # Errors
    /// [`NetworkError::Setting`].
    pub fn validate(&self) -> Result<(), NetworkError> {
        let positive = |name, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(NetworkError::Setting { name, value: value.to_string(), limit: "positive and finite" }),
        };
        let share = |name, value: f64| match (0.0..1.0).contains(&value) {
            true => Ok(()),
            false => Err(NetworkError::Setting { name, value: value.to_string(), limit: "in [0, 1)" }),
        };
        positive("rate", self.rate)?;
        share("first_decay", self.first_decay)?;
        share("second_decay", self.second_decay)?;
        positive("epsilon", self.epsilon)
    }
}

/// An optimiser under way: its settings and its memory of past gradients.
pub(super) struct Descent<P> {
    optimiser: Optimiser,
    first: P,
    second: P,
    /// The powers of the decays, kept as running products: a power function need not be the same on every machine.
    first_power: f64,
    second_power: f64,
}

impl<P: Parameters> Descent<P> {
    /// Starts with no memory. `like` gives the sizes; the settings must have been validated.
    pub(super) fn new(optimiser: Optimiser, like: &P) -> Self {
        let mut zero = like.clone();
        zero.lists_mut().into_iter().for_each(|list| list.fill(0.0));
        Self { optimiser, first: zero.clone(), second: zero, first_power: 1.0, second_power: 1.0 }
    }

    /// Makes one update.
    pub(super) fn step(&mut self, weights: &mut P, gradient: &P) {
        let Optimiser { rate, first_decay, second_decay, epsilon } = self.optimiser;
        self.first_power *= first_decay;
        self.second_power *= second_decay;
        let (first_scale, second_scale) = (1.0 - self.first_power, 1.0 - self.second_power);
        let memory = self.first.lists_mut().into_iter().zip(self.second.lists_mut());
        for ((weights, gradient), (first, second)) in weights.lists_mut().into_iter().zip(gradient.lists()).zip(memory)
        {
            let entries = weights.iter_mut().zip(gradient).zip(first.iter_mut().zip(second));
            for ((weight, &g), (first, second)) in entries {
                *first = first_decay * *first + (1.0 - first_decay) * g;
                *second = second_decay * *second + (1.0 - second_decay) * (g * g);
                *weight -= rate * (*first / first_scale) / ((*second / second_scale).sqrt() + epsilon);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Weights;

    fn scalar(value: f64) -> Weights {
        Weights { a: vec![value], w: vec![], b: vec![] }
    }

    #[test]
    fn adam_starts_with_steps_of_its_rate() {
        for gradient in [1e-3, -1e3] {
            let mut weights = scalar(0.0);
            let mut descent = Descent::new(Optimiser::default(), &weights);
            for step in 1..=3 {
                descent.step(&mut weights, &scalar(gradient));
                let expected = -0.003 * f64::from(step) * gradient.signum();
                assert!((weights.a[0] - expected).abs() < 1e-6, "{} {expected}", weights.a[0]);
            }
        }
    }

    #[test]
    fn numbers_outside_their_ranges_are_refused() {
        let adam = |rate, first_decay, second_decay, epsilon| {
            Optimiser { rate, first_decay, second_decay, epsilon }.validate()
        };
        assert!(Optimiser::default().validate().is_ok());
        for refused in [
            adam(0.0, 0.9, 0.9, 1e-8),
            adam(f64::NAN, 0.9, 0.9, 1e-8),
            adam(1.0, 1.0, 0.9, 1e-8),
            adam(1.0, 0.9, -0.1, 1e-8),
            adam(1.0, 0.9, 0.9, 0.0),
            adam(f64::INFINITY, 0.9, 0.9, 1e-8),
            adam(1.0, f64::NAN, 0.9, 1e-8),
        ] {
            assert!(matches!(refused, Err(NetworkError::Setting { .. })));
        }
    }
}
