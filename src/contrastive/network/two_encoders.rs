//! A query encoder and a key encoder, trained end to end.

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::{Encoder, EncoderShape, NetworkError, Weights};
use crate::{SubsetContrast, subset_contrast};

/// The two encoders of Wen (2020, definition 3.1), of one shape: `q_i = f^q(x_i)` and `k_i = f^k(x_i)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwoEncoders {
    /// Parameters W.
    pub query: Encoder,
    /// Parameters theta.
    pub key: Encoder,
}

/// The loss of a data set, its loss vectors, and its gradient with respect to both parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct EndToEndGradient {
    /// `L_S` with its loss vectors.
    pub contrast: SubsetContrast,
    /// The derivatives of `L_S` with respect to W.
    pub query: Weights,
    /// The derivatives of `L_S` with respect to theta.
    pub key: Weights,
}

impl TwoEncoders {
    /// Draws W, then theta, as [`Weights::initialise`] does (definition 3.2).
    ///
    /// # Errors
    /// As [`EncoderShape::validate`].
    pub fn initialise<R: Rng + ?Sized>(shape: EncoderShape, rng: &mut R) -> Result<Self, NetworkError> {
        let query = Encoder::initialise(shape, rng)?;
        let key = Encoder::initialise(shape, rng)?;
        Ok(TwoEncoders { query, key })
    }

    /// `L_S` and its gradient, averaged over all sets of `negatives` other points; `points` holds n rows of d_x. A ReLU has the
    /// derivative 0 at 0.
    ///
    /// # Errors
    /// As [`Encoder::forward`] and [`Encoder::backward`]; [`NetworkError::Contrast`] for a wrong number of negatives, encoders of different
    /// output dimensions, or logits beyond 1e4.
    pub fn gradient(&self, points: &[f64], negatives: usize) -> Result<EndToEndGradient, NetworkError> {
        let (queries, keys) = (self.query.forward(points)?, self.key.forward(points)?);
        let dimension = self.query.shape().output;
        let contrast = subset_contrast(queries.outputs(), keys.outputs(), dimension, negatives)?;
        let share = dimension as f64 / queries.outputs().len() as f64;
        let slopes = |vectors: &[f64]| vectors.iter().map(|x| share * x).collect::<Vec<_>>();
        Ok(EndToEndGradient {
            query: self.query.backward(&queries, &slopes(&contrast.query_loss_vectors))?,
            key: self.key.backward(&keys, &slopes(&contrast.key_loss_vectors))?,
            contrast,
        })
    }

    /// One update of algorithm 1: both parameters move against the gradient at the same point, by `query_rate` and `key_rate`. Returns what
    /// was found at that point.
    ///
    /// # Errors
    /// As [`TwoEncoders::gradient`]; [`NetworkError::NotFinite`] if an updated weight is not finite.
    pub fn descend(
        &mut self,
        points: &[f64],
        negatives: usize,
        query_rate: f64,
        key_rate: f64,
    ) -> Result<EndToEndGradient, NetworkError> {
        let gradient = self.gradient(points, negatives)?;
        *self = TwoEncoders {
            query: self.query.displaced(&gradient.query, -query_rate)?,
            key: self.key.displaced(&gradient.key, -key_rate)?,
        };
        Ok(gradient)
    }
}

impl Encoder {
    /// The encoder with `factor` times `direction` added to its weights.
    ///
    /// # Errors
    /// As [`Weights::validate`], for the direction and for the sum.
    pub fn displaced(&self, direction: &Weights, factor: f64) -> Result<Self, NetworkError> {
        direction.validate(self.shape())?;
        let sum = |matrix: &[f64], change: &[f64]| matrix.iter().zip(change).map(|(x, y)| x + factor * y).collect();
        let from = self.weights();
        let weights = Weights {
            a: sum(&from.a, &direction.a),
            w: from.w.iter().zip(&direction.w).map(|(w, change)| sum(w, change)).collect(),
            b: sum(&from.b, &direction.b),
        };
        Encoder::new(self.shape(), weights)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    use super::*;

    const SHAPE: EncoderShape = EncoderShape { input: 2, width: 6, depth: 1, output: 3 };
    const POINTS: [f64; 8] = [1.0, 0.0, 0.0, 1.0, 0.6, 0.8, -0.8, 0.6];

    fn encoders(seed: u64) -> TwoEncoders {
        TwoEncoders::initialise(SHAPE, &mut ChaCha20Rng::seed_from_u64(seed)).unwrap()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let at = encoders(2);
        let gradient = at.gradient(&POINTS, 2).unwrap();
        let loss = |moved: TwoEncoders| moved.gradient(&POINTS, 2).unwrap().contrast.loss;
        for (index, step) in [(3, 1e-6), (14, 1e-6), (50, 1e-6)] {
            let mut unit = Weights { a: vec![0.0; 12], w: vec![vec![0.0; 36]], b: vec![0.0; 18] };
            *unit.matrices_mut().flatten().nth(index).unwrap() = 1.0;
            let entry = |weights: &Weights| *weights.matrices().flatten().nth(index).unwrap();
            let moved = |side: usize, by: f64| {
                let mut to = at.clone();
                let encoder = if side == 0 { &mut to.query } else { &mut to.key };
                *encoder = encoder.displaced(&unit, by).unwrap();
                loss(to)
            };
            for (side, expected) in [(0, entry(&gradient.query)), (1, entry(&gradient.key))] {
                let slope = (moved(side, step) - moved(side, -step)) / (2.0 * step);
                assert!((slope - expected).abs() < 1e-8, "side {side}, weight {index}: {slope} {expected}");
            }
        }
    }

    #[test]
    fn descent_moves_both_encoders_at_once() {
        let (before, mut after) = (encoders(3), encoders(3));
        let gradient = after.descend(&POINTS, 1, 0.5, 0.25).unwrap();
        assert_eq!(gradient, before.gradient(&POINTS, 1).unwrap());
        assert_eq!(after.query, before.query.displaced(&gradient.query, -0.5).unwrap());
        assert_eq!(after.key, before.key.displaced(&gradient.key, -0.25).unwrap());
        assert!(after.gradient(&POINTS, 1).unwrap().contrast.loss < gradient.contrast.loss);
    }

    #[test]
    fn impossible_requests_are_refused() {
        let mut pair = encoders(4);
        assert!(matches!(pair.gradient(&POINTS, 4), Err(NetworkError::Contrast(_))));
        assert!(matches!(pair.gradient(&POINTS[..3], 1), Err(NetworkError::Ragged { .. })));
        let narrow = EncoderShape { output: 2, ..SHAPE };
        pair.key = Encoder::initialise(narrow, &mut ChaCha20Rng::seed_from_u64(1)).unwrap();
        assert!(matches!(pair.gradient(&POINTS, 1), Err(NetworkError::Contrast(_))));
        let wrong = pair.query.displaced(pair.key.weights(), 1.0);
        assert!(matches!(wrong, Err(NetworkError::WrongLength { .. })));
    }
}
