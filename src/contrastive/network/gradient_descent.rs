//! Gradient descent of an encoder on inputs that stay the same.

use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

use super::dense::add_multiple;
use super::{Encoder, Forward, NetworkError, Weights};

/// Which matrices a training moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
#[instance(stored)]
pub enum Trained {
    /// A, W_1, ..., W_L and B.
    All,
    /// W_1, ..., W_L only; A and B keep their values (Allen-Zhu et al. 2019).
    Hidden,
}

/// Full-batch gradient descent with a constant step: every update follows the gradient of one scalar function of the
/// outputs f(x_1), ..., f(x_n) on the same inputs. The scalar is the caller's: it hands in its derivatives.
///
/// ```
/// use contrapositive_contrastive::network::{Encoder, EncoderShape, GradientDescent, Trained, Weights};
/// let shape = EncoderShape { input: 1, width: 1, depth: 0, output: 1 };
/// let weights = Weights { a: vec![1.0], w: vec![], b: vec![1.0] };
/// // Half of the squared distance of f(2) = 2 to 3: its derivative is f - 3.
/// let mut run = GradientDescent::new(Encoder::new(shape, weights)?, vec![2.0], 0.1, Trained::All)?;
/// run.step(&[run.outputs()[0] - 3.0])?;
/// assert_eq!(run.encoder().weights().b, [1.2]);
/// assert!((run.outputs()[0] - 2.88).abs() < 1e-15);
/// # Ok::<(), contrapositive_contrastive::network::NetworkError>(())
/// ```
#[derive(Debug, Clone)]
pub struct GradientDescent {
    encoder: Encoder,
    points: Vec<f64>,
    rate: f64,
    trained: Trained,
    forward: Forward,
    steps: usize,
}

impl GradientDescent {
    /// Starts at `encoder`, with `points` as n >= 1 rows of d_x and the step size `rate`, positive.
    ///
    /// # Errors
    /// [`NetworkError::Setting`] for a rate that is not positive and finite, and what [`Encoder::forward`] refuses.
    pub fn new(encoder: Encoder, points: Vec<f64>, rate: f64, trained: Trained) -> Result<Self, NetworkError> {
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(NetworkError::Setting { name: "rate", value: rate.to_string(), limit: "positive and finite" });
        }
        let forward = encoder.forward(&points)?;
        Ok(Self { encoder, points, rate, trained, forward, steps: 0 })
    }

    /// The encoder as it is now.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// f(x_1), ..., f(x_n) as they are now: n rows of d.
    pub fn outputs(&self) -> &[f64] {
        self.forward.outputs()
    }

    /// Number of updates made.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The derivatives with respect to all matrices of the scalar whose derivatives with respect to the outputs are
    /// `output_gradient`, laid out like them.
    ///
    /// # Errors
    /// As [`Encoder::backward`].
    pub fn gradient(&self, output_gradient: &[f64]) -> Result<Weights, NetworkError> {
        self.encoder.backward(&self.forward, output_gradient)
    }

    /// Makes one update, and encodes the inputs anew.
    ///
    /// # Errors
    /// As [`Encoder::backward`]; [`NetworkError::Diverged`] if the weights or outputs leave the range of `f64`. The
    /// descent is then spent: its weights are those of the update that failed.
    pub fn step(&mut self, output_gradient: &[f64]) -> Result<(), NetworkError> {
        let gradient = self.gradient(output_gradient)?;
        let weights = self.encoder.weights_mut();
        for (matrix, slope) in weights.w.iter_mut().zip(&gradient.w) {
            add_multiple(matrix, -self.rate, slope);
        }
        if self.trained == Trained::All {
            add_multiple(&mut weights.a, -self.rate, &gradient.a);
            add_multiple(&mut weights.b, -self.rate, &gradient.b);
        }
        let diverged = |source| NetworkError::Diverged { step: self.steps, source: Box::new(source) };
        let shape = self.encoder.shape();
        self.encoder.weights().validate(shape).map_err(diverged)?;
        self.forward = self.encoder.forward(&self.points).map_err(diverged)?;
        self.steps += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    use super::*;
    use crate::network::{EncoderShape, contrastive_loss};

    const SHAPE: EncoderShape = EncoderShape { input: 3, width: 16, depth: 2, output: 2 };

    fn start(trained: Trained, rate: f64) -> GradientDescent {
        let encoder = Encoder::initialise(SHAPE, &mut ChaCha20Rng::seed_from_u64(5)).unwrap();
        let points = vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8];
        GradientDescent::new(encoder, points, rate, trained).unwrap()
    }

    #[test]
    fn one_update_loses_the_rate_times_the_squared_gradient() {
        let rate = 1e-6;
        let mut run = start(Trained::All, rate);
        let before = contrastive_loss(run.outputs(), 2, 1).unwrap();
        let gradient = run.gradient(&before.gradient).unwrap();
        let square: f64 = gradient.matrices().flatten().map(|g| g * g).sum();
        run.step(&before.gradient).unwrap();
        let after = contrastive_loss(run.outputs(), 2, 1).unwrap();
        let lost = before.value - after.value;
        assert!((lost / (rate * square) - 1.0).abs() < 1e-3, "{lost} {square}");
        assert_eq!(run.steps(), 1);
    }

    #[test]
    fn hidden_training_leaves_the_first_and_the_last_matrix_alone() {
        let (mut all, mut hidden) = (start(Trained::All, 0.1), start(Trained::Hidden, 0.1));
        let before = hidden.encoder().weights().clone();
        for run in [&mut all, &mut hidden] {
            let loss = contrastive_loss(run.outputs(), 2, 1).unwrap();
            run.step(&loss.gradient).unwrap();
        }
        let after = hidden.encoder().weights();
        assert!(after.a == before.a && after.b == before.b && after.w != before.w);
        assert_eq!(after.w, all.encoder().weights().w);
        assert!(all.encoder().weights().a != before.a && all.encoder().weights().b != before.b);
    }

    #[test]
    fn refusals() {
        let run = start(Trained::All, 0.1);
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let refused = GradientDescent::new(run.encoder.clone(), run.points.clone(), rate, Trained::All);
            assert!(matches!(refused, Err(NetworkError::Setting { name: "rate", .. })));
        }
        assert!(matches!(start(Trained::All, 0.1).step(&[1.0; 5]), Err(NetworkError::WrongLength { .. })));
        assert!(matches!(start(Trained::All, 1e300).step(&[1e10; 6]), Err(NetworkError::Diverged { step: 0, .. })));
    }
}
