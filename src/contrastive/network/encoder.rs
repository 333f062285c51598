//! A deep ReLU encoder without biases, forwards and backwards.

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::dense::{apply, apply_transposed, outer_products};
use super::error::{all_finite, whole_rows};
use super::trainable::{Trainable, Updatable};
use super::{EncoderShape, NetworkError, Weights};

/// The encoder of Merad et al. (2020, section 4), after Allen-Zhu et al. (2019):
/// h_0 = relu(A x), h_l = relu(W_l h_{l-1}) for l = 1, ..., L, f(x) = B h_L.
///
/// The weights are finite and have the sizes of the shape. The serialised form is `{shape, weights}`, and reading it back
/// runs the same checks as [`Encoder::new`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredEncoder")]
pub struct Encoder {
    shape: EncoderShape,
    weights: Weights,
}

/// The serialised form, before it has been checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredEncoder {
    shape: EncoderShape,
    weights: Weights,
}

impl TryFrom<StoredEncoder> for Encoder {
    type Error = NetworkError;

    fn try_from(stored: StoredEncoder) -> Result<Self, NetworkError> {
        Self::new(stored.shape, stored.weights)
    }
}

/// What the layers computed for a batch of n points; [`Encoder::backward`] needs all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Forward {
    points: Vec<f64>,
    hidden: Vec<Vec<f64>>,
    outputs: Vec<f64>,
}

impl Forward {
    /// f(x_1), ..., f(x_n): n rows of d.
    pub fn outputs(&self) -> &[f64] {
        &self.outputs
    }

    /// h_0, ..., h_L after the ReLU: each n rows of m.
    pub fn hidden(&self) -> &[Vec<f64>] {
        &self.hidden
    }

    /// f(x_1), ..., f(x_n) without a copy.
    pub fn into_outputs(self) -> Vec<f64> {
        self.outputs
    }
}

impl Encoder {
    /// Takes weights that have the sizes of `shape`.
    ///
    /// # Errors
    /// As [`Weights::validate`].
    pub fn new(shape: EncoderShape, weights: Weights) -> Result<Self, NetworkError> {
        weights.validate(shape)?;
        Ok(Self { shape, weights })
    }

    /// Draws the weights as [`Weights::initialise`] does.
    ///
    /// # Errors
    /// As [`EncoderShape::validate`].
    pub fn initialise<R: Rng + ?Sized>(shape: EncoderShape, rng: &mut R) -> Result<Self, NetworkError> {
        Ok(Self { shape, weights: Weights::initialise(shape, rng)? })
    }

    /// The sizes.
    pub fn shape(&self) -> EncoderShape {
        self.shape
    }

    /// The matrices.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The matrices without a copy.
    pub fn into_weights(self) -> Weights {
        self.weights
    }

    /// The matrices, for updates within the crate that keep their sizes; [`Encoder::forward`] notices overflow.
    pub(super) fn weights_mut(&mut self) -> &mut Weights {
        &mut self.weights
    }

    /// Encodes a batch: `points` holds n >= 1 rows of d_x.
    ///
    /// # Errors
    /// [`NetworkError::Ragged`] if the last row is incomplete or there is none, [`NetworkError::NotFinite`] for a
    /// coordinate, a pre-activation or an output that is NaN or infinite.
    pub fn forward(&self, points: &[f64]) -> Result<Forward, NetworkError> {
        whole_rows("points", points, self.shape.input)?;
        all_finite("points", points)?;
        let layer = |name, matrix: &[f64], columns, inputs: &[f64]| {
            let values = apply(matrix, columns, inputs)?;
            // Before the ReLU, which would turn a NaN into an innocent zero.
            all_finite(name, &values)?;
            Ok::<_, NetworkError>(values)
        };
        let mut hidden = Vec::with_capacity(self.shape.depth + 1);
        let mut current = relu(layer("pre-activation", &self.weights.a, self.shape.input, points)?);
        for w in &self.weights.w {
            let next = relu(layer("pre-activation", w, self.shape.width, &current)?);
            hidden.push(std::mem::replace(&mut current, next));
        }
        let outputs = layer("output", &self.weights.b, self.shape.width, &current)?;
        hidden.push(current);
        Ok(Forward { points: points.to_vec(), hidden, outputs })
    }

    /// Carries the gradient of a scalar back to the weights. `forward` is what [`Encoder::forward`] of this encoder
    /// returned for a batch of n points; `output_gradient` holds the derivatives of the scalar with respect to f(x_1), ...,
    /// f(x_n): n rows of d. The ReLU is given the derivative 0 at 0.
    ///
    /// # Errors
    /// [`NetworkError::WrongLength`] if the arguments do not belong together, [`NetworkError::NotFinite`] for a
    /// derivative, given or computed, that is NaN or infinite.
    pub fn backward(&self, forward: &Forward, output_gradient: &[f64]) -> Result<Weights, NetworkError> {
        let EncoderShape { input, width, depth, output } = self.shape;
        let count = whole_rows("points of the forward pass", &forward.points, input)?;
        let fits = |name, found, expected| match found == expected {
            true => Ok(()),
            false => Err(NetworkError::WrongLength { name, found, expected }),
        };
        fits("list of hidden layers", forward.hidden.len(), depth + 1)?;
        forward.hidden.iter().try_for_each(|layer| fits("hidden layer", layer.len(), count * width))?;
        fits("output gradient", output_gradient.len(), count * output)?;
        all_finite("output gradient", output_gradient)?;

        let last = &forward.hidden[depth];
        let b = outer_products(output_gradient, output, last, width)?;
        let mut upstream = apply_transposed(&self.weights.b, width, output_gradient)?;
        mask(&mut upstream, last);
        let mut w = Vec::with_capacity(depth);
        for (matrix, below) in self.weights.w.iter().zip(&forward.hidden).rev() {
            w.push(outer_products(&upstream, width, below, width)?);
            upstream = apply_transposed(matrix, width, &upstream)?;
            mask(&mut upstream, below);
        }
        w.reverse();
        let gradient = Weights { a: outer_products(&upstream, width, &forward.points, input)?, w, b };
        gradient.matrices().try_for_each(|matrix| all_finite("gradient", matrix))?;
        Ok(gradient)
    }
}

impl Trainable for Encoder {
    fn point_dimension(&self) -> usize {
        self.shape.input
    }

    fn embedding_dimension(&self) -> usize {
        self.shape.output
    }

    fn embed(&self, points: &[f64]) -> Result<Vec<f64>, NetworkError> {
        Ok(self.forward(points)?.into_outputs())
    }
}

impl Updatable for Encoder {
    type Parameters = Weights;
    type Forward = Forward;

    fn numbers_per_point(&self) -> usize {
        self.shape.input.max(self.shape.width).max(self.shape.output)
    }

    fn parameters(&self) -> &Weights {
        &self.weights
    }

    fn parameters_mut(&mut self) -> &mut Weights {
        &mut self.weights
    }

    fn check_parameters(&self) -> Result<(), NetworkError> {
        self.weights.validate(self.shape)
    }

    fn forwards(&self, points: &[f64]) -> Result<Forward, NetworkError> {
        self.forward(points)
    }

    fn embedded(forward: &Forward) -> &[f64] {
        forward.outputs()
    }

    fn backwards(&self, forward: &Forward, slopes: &[f64]) -> Result<Weights, NetworkError> {
        self.backward(forward, slopes)
    }
}

pub(super) fn relu(mut values: Vec<f64>) -> Vec<f64> {
    for value in &mut values {
        // Written so that minus zero becomes zero.
        *value = if *value > 0.0 { *value } else { 0.0 };
    }
    values
}

/// Stops the gradient at the units that are inactive.
pub(super) fn mask(gradient: &mut [f64], activations: &[f64]) {
    for (gradient, &activation) in gradient.iter_mut().zip(activations) {
        *gradient = if activation > 0.0 { *gradient } else { 0.0 };
    }
}

#[cfg(test)]
mod tests;
