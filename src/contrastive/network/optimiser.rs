//! First-order optimisers.

use serde::{Deserialize, Serialize};

use super::NetworkError;
use super::trainable::Parameters;

/// How a gradient becomes a change of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Optimiser {
    /// Adam (Kingma and Ba 2015, algorithm 1).
    Adam {
        /// Step size, positive. Default 0.003.
        rate: f64,
        /// Decay of the mean of the gradients, in [0, 1). Default 0.9.
        first_decay: f64,
        /// Decay of the mean of their squares, in [0, 1). Default 0.999.
        second_decay: f64,
        /// Added to the root of the second mean, positive. Default 1e-8.
        epsilon: f64,
    },
    /// Stochastic gradient descent: the velocity becomes `momentum` times itself plus the gradient, the weights lose `rate`
    /// times the velocity. Momentum 0 is plain gradient descent.
    Momentum {
        /// Step size, positive.
        rate: f64,
        /// Share of the velocity that is kept, in [0, 1).
        momentum: f64,
    },
}

impl Default for Optimiser {
    fn default() -> Self {
        Self::Adam { rate: 0.003, first_decay: 0.9, second_decay: 0.999, epsilon: 1e-8 }
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
        match *self {
            Self::Adam { rate, first_decay, second_decay, epsilon } => {
                positive("rate", rate)?;
                share("first_decay", first_decay)?;
                share("second_decay", second_decay)?;
                positive("epsilon", epsilon)
            }
            Self::Momentum { rate, momentum } => {
                positive("rate", rate)?;
                share("momentum", momentum)
            }
        }
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
        if let Optimiser::Adam { first_decay, second_decay, .. } = self.optimiser {
            self.first_power *= first_decay;
            self.second_power *= second_decay;
        }
        let memory = self.first.lists_mut().into_iter().zip(self.second.lists_mut());
        for ((weights, gradient), (first, second)) in weights.lists_mut().into_iter().zip(gradient.lists()).zip(memory)
        {
            let entries = weights.iter_mut().zip(gradient).zip(first.iter_mut().zip(second));
            match self.optimiser {
                Optimiser::Adam { rate, first_decay, second_decay, epsilon } => {
                    let (first_scale, second_scale) = (1.0 - self.first_power, 1.0 - self.second_power);
                    for ((weight, &g), (first, second)) in entries {
                        *first = first_decay * *first + (1.0 - first_decay) * g;
                        *second = second_decay * *second + (1.0 - second_decay) * (g * g);
                        *weight -= rate * (*first / first_scale) / ((*second / second_scale).sqrt() + epsilon);
                    }
                }
                Optimiser::Momentum { rate, momentum } => {
                    for ((weight, &g), (velocity, _)) in entries {
                        *velocity = momentum * *velocity + g;
                        *weight -= rate * *velocity;
                    }
                }
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
    fn momentum_accumulates_velocity() {
        let mut weights = scalar(1.0);
        let mut descent = Descent::new(Optimiser::Momentum { rate: 0.5, momentum: 0.5 }, &weights);
        descent.step(&mut weights, &scalar(1.0));
        assert_eq!(weights.a, [0.5]);
        descent.step(&mut weights, &scalar(1.0));
        assert_eq!(weights.a, [0.5 - 0.5 * 1.5]);
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
            Optimiser::Adam { rate, first_decay, second_decay, epsilon }.validate()
        };
        assert!(Optimiser::default().validate().is_ok());
        assert!(Optimiser::Momentum { rate: 0.1, momentum: 0.0 }.validate().is_ok());
        for refused in [
            adam(0.0, 0.9, 0.9, 1e-8),
            adam(f64::NAN, 0.9, 0.9, 1e-8),
            adam(1.0, 1.0, 0.9, 1e-8),
            adam(1.0, 0.9, -0.1, 1e-8),
            adam(1.0, 0.9, 0.9, 0.0),
            Optimiser::Momentum { rate: f64::INFINITY, momentum: 0.0 }.validate(),
            Optimiser::Momentum { rate: 0.1, momentum: f64::NAN }.validate(),
        ] {
            assert!(matches!(refused, Err(NetworkError::Setting { .. })));
        }
    }
}
