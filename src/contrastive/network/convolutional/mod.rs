//! A small convolutional encoder, forwards and backwards.

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::dense::{apply, apply_transposed, outer_products};
use super::encoder::{mask, relu};
use super::error::{all_finite, whole_rows};
use super::trainable::{Trainable, Updatable};
use super::{Encoder, EncoderShape, NetworkError, Weights};
use windows::{Layout, Windows};

mod shape;
mod windows;

pub use shape::{ConvolutionalShape, ConvolutionalWeights};

/// Images that are encoded at a time where nothing of the layers is kept.
const TOGETHER: usize = 64;

/// Two convolutions with ReLU, the stride in place of pooling and no padding, and one dense layer:
/// h_1 = relu(first * x + bias), h_2 = relu(second * h_1 + bias), f(x) = dense h_2 + bias.
///
/// A point is a square image, one channel after the other, each row by row. All parameters are finite and have the sizes of
/// the shape. The serialised form is `{shape, weights}`, and reading it back runs the same checks as
/// [`ConvolutionalEncoder::new`].
///
/// ```
/// use contrapositive_contrastive::network::{ConvolutionalEncoder, ConvolutionalShape, ConvolutionalWeights};
/// let shape = ConvolutionalShape { side: 3, channels: 1, maps: [1, 1], kernel: 2, stride: 1, output: 1 };
/// let weights = ConvolutionalWeights {
///     first: vec![1.0; 4],
///     second: vec![1.0, 0.0, 0.0, -1.0],
///     dense: vec![2.0],
///     dense_bias: vec![0.5],
///     ..ConvolutionalWeights::zeros(shape)?
/// };
/// let encoder = ConvolutionalEncoder::new(shape, weights)?;
/// // Sums over the four windows: 12 16 / 24 28, all positive; their difference along the diagonal: -16, cut off.
/// let forward = encoder.forward(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])?;
/// assert_eq!(forward.outputs(), [0.5]);
/// # Ok::<(), contrapositive_contrastive::network::NetworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredConvolutional", into = "StoredConvolutional")]
pub struct ConvolutionalEncoder {
    shape: ConvolutionalShape,
    weights: ConvolutionalWeights,
    windows: [Windows; 2],
}

/// The serialised form, before it has been checked.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredConvolutional {
    shape: ConvolutionalShape,
    weights: ConvolutionalWeights,
}

impl TryFrom<StoredConvolutional> for ConvolutionalEncoder {
    type Error = NetworkError;

    fn try_from(stored: StoredConvolutional) -> Result<Self, NetworkError> {
        Self::new(stored.shape, stored.weights)
    }
}

impl From<ConvolutionalEncoder> for StoredConvolutional {
    fn from(encoder: ConvolutionalEncoder) -> Self {
        let ConvolutionalEncoder { shape, weights, .. } = encoder;
        StoredConvolutional { shape, weights }
    }
}

/// What the layers computed for a batch of n images; [`ConvolutionalEncoder::backward`] needs all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvolutionalForward {
    /// The windows of the images, one row each, and h_1 by image, row, column and map.
    first: Convolved,
    /// The windows of h_1, and h_2.
    second: Convolved,
    outputs: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
struct Convolved {
    rows: Vec<f64>,
    maps: Vec<f64>,
}

impl ConvolutionalForward {
    /// f(x_1), ..., f(x_n): n rows of d.
    pub fn outputs(&self) -> &[f64] {
        &self.outputs
    }
}

impl ConvolutionalEncoder {
    /// Takes weights that have the sizes of `shape`.
    ///
    /// # Errors
    /// As [`ConvolutionalWeights::validate`].
    pub fn new(shape: ConvolutionalShape, weights: ConvolutionalWeights) -> Result<Self, NetworkError> {
        weights.validate(shape)?;
        let of = |side, channels, layout| Windows::new(side, channels, layout, shape.kernel, shape.stride);
        let windows = [
            of(shape.side, shape.channels, Layout::ChannelsFirst),
            of(shape.between(), shape.maps[0], Layout::ChannelsLast),
        ];
        Ok(Self { shape, weights, windows })
    }

    /// Draws the weights as [`ConvolutionalWeights::initialise`] does.
    ///
    /// # Errors
    /// As [`ConvolutionalShape::validate`].
    pub fn initialise<R: Rng + ?Sized>(shape: ConvolutionalShape, rng: &mut R) -> Result<Self, NetworkError> {
        Self::new(shape, ConvolutionalWeights::initialise(shape, rng)?)
    }

    /// The sizes.
    pub fn shape(&self) -> ConvolutionalShape {
        self.shape
    }

    /// The parameters.
    pub fn weights(&self) -> &ConvolutionalWeights {
        &self.weights
    }

    /// Encodes a batch: `images` holds n >= 1 rows, an image each.
    ///
    /// # Errors
    /// [`NetworkError::Ragged`] if the last row is incomplete or there is none, [`NetworkError::NotFinite`] for a
    /// pixel, a pre-activation or an output that is NaN or infinite.
    pub fn forward(&self, images: &[f64]) -> Result<ConvolutionalForward, NetworkError> {
        whole_rows("images", images, self.point_dimension())?;
        all_finite("images", images)?;
        let [of_image, of_maps] = &self.windows;
        let ConvolutionalWeights { first, first_bias, second, second_bias, dense, dense_bias } = &self.weights;
        let convolved = |windows: &Windows, images: &[f64], matrix, bias| {
            let rows = windows.cut(images);
            // The ReLU would turn a NaN into an innocent zero.
            let maps = relu(layer("pre-activation", matrix, windows.entries(), bias, &rows)?);
            Ok::<_, NetworkError>(Convolved { rows, maps })
        };
        let first = convolved(of_image, images, first, first_bias)?;
        let second = convolved(of_maps, &first.maps, second, second_bias)?;
        let outputs = layer("output", dense, self.flat(), dense_bias, &second.maps)?;
        Ok(ConvolutionalForward { first, second, outputs })
    }

    /// Carries the gradient of a scalar back to the parameters. `forward` is what [`ConvolutionalEncoder::forward`] of this
    /// encoder returned for a batch of n images; `output_gradient` holds the derivatives of the scalar with respect to
    /// f(x_1), ..., f(x_n): n rows of d. The ReLU is given the derivative 0 at 0.
    ///
    /// # Errors
    /// [`NetworkError::WrongLength`] if the arguments do not belong together, [`NetworkError::NotFinite`] for a
    /// derivative, given or computed, that is NaN or infinite.
    pub fn backward(
        &self,
        forward: &ConvolutionalForward,
        output_gradient: &[f64],
    ) -> Result<ConvolutionalWeights, NetworkError> {
        let [of_image, of_maps] = &self.windows;
        let (maps, output) = (self.shape.maps, self.shape.output);
        let count = whole_rows("output gradient", output_gradient, output)?;
        for (name, found, each) in [
            ("windows of the images", forward.first.rows.len(), of_image.count() * of_image.entries()),
            ("first feature maps", forward.first.maps.len(), of_image.count() * maps[0]),
            ("windows of the feature maps", forward.second.rows.len(), of_maps.count() * of_maps.entries()),
            ("second feature maps", forward.second.maps.len(), self.flat()),
        ] {
            let expected = count * each;
            if found != expected {
                return Err(NetworkError::WrongLength { name, found, expected });
            }
        }
        all_finite("output gradient", output_gradient)?;

        let dense = outer_products(output_gradient, output, &forward.second.maps, self.flat())?;
        let mut upstream = apply_transposed(&self.weights.dense, self.flat(), output_gradient)?;
        mask(&mut upstream, &forward.second.maps);
        let second = outer_products(&upstream, maps[1], &forward.second.rows, of_maps.entries())?;
        let second_bias = sum_of_rows(&upstream, maps[1]);
        let mut upstream = of_maps.add_up(&apply_transposed(&self.weights.second, of_maps.entries(), &upstream)?);
        mask(&mut upstream, &forward.first.maps);
        let gradient = ConvolutionalWeights {
            first: outer_products(&upstream, maps[0], &forward.first.rows, of_image.entries())?,
            first_bias: sum_of_rows(&upstream, maps[0]),
            second,
            second_bias,
            dense,
            dense_bias: sum_of_rows(output_gradient, output),
        };
        gradient.lists().into_iter().try_for_each(|list| all_finite("gradient", list))?;
        Ok(gradient)
    }

    /// The same function as a dense encoder with two hidden layers, so that what is said of these can be tried on convolutions.
    ///
    /// Its points have one more coordinate, the last, which is to be 1: biases are weights of it. Its hidden layers have a unit for every
    /// window and map, whose weights repeat those of the map; one more unit carries the 1, and those that only the other layer
    /// needs have the pre-activation −1.
    ///
    /// ```
    /// use contrapositive_contrastive::network::{ConvolutionalEncoder, ConvolutionalShape, Trainable};
    /// # use contrapositive_contrastive::network::NetworkError;
    /// # use rand::SeedableRng;
    /// let shape = ConvolutionalShape { side: 3, channels: 1, maps: [2, 1], kernel: 2, stride: 1, output: 1 };
    /// let encoder = ConvolutionalEncoder::initialise(shape, &mut rand_chacha::ChaCha20Rng::seed_from_u64(1))?;
    /// let image = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    /// let dense = encoder.as_dense()?;
    /// assert_eq!(dense.shape().width, 9);
    /// let [output, same] = [encoder.embed(&image)?[0], dense.embed(&[&image[..], &[1.0]].concat())?[0]];
    /// assert!((output - same).abs() < 1e-12);
    /// # Ok::<(), NetworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`NetworkError::TooLarge`] if its matrices have more than 2^27 entries.
    pub fn as_dense(&self) -> Result<Encoder, NetworkError> {
        let [of_image, of_maps] = &self.windows;
        let units = (of_image.count() * self.shape.maps[0]).max(self.flat());
        let shape =
            EncoderShape { input: self.point_dimension() + 1, width: units + 1, depth: 1, output: self.shape.output };
        shape.validate()?;
        let weights = &self.weights;
        let mut b = vec![0.0; shape.output * shape.width];
        let rows = weights.dense.chunks_exact(self.flat()).zip(&weights.dense_bias);
        for (row, (dense, &bias)) in b.chunks_exact_mut(shape.width).zip(rows) {
            row[..dense.len()].copy_from_slice(dense);
            row[units] = bias;
        }
        let a = of_image.as_matrix(&weights.first, &weights.first_bias, shape.width, shape.input);
        let w = of_maps.as_matrix(&weights.second, &weights.second_bias, shape.width, shape.width);
        Encoder::new(shape, Weights { a, w: vec![w], b })
    }

    /// Numbers of the second feature maps of an image.
    fn flat(&self) -> usize {
        self.windows[1].count() * self.shape.maps[1]
    }
}

/// The rows of `batch` through a matrix with rows of length `columns`, the bias added.
fn layer(
    name: &'static str,
    matrix: &[f64],
    columns: usize,
    bias: &[f64],
    batch: &[f64],
) -> Result<Vec<f64>, NetworkError> {
    let mut values = apply(matrix, columns, batch)?;
    for row in values.chunks_exact_mut(bias.len()) {
        row.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
    }
    all_finite(name, &values)?;
    Ok(values)
}

fn sum_of_rows(rows: &[f64], columns: usize) -> Vec<f64> {
    let mut sum = vec![0.0; columns];
    for row in rows.chunks_exact(columns) {
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    sum
}

impl Trainable for ConvolutionalEncoder {
    fn point_dimension(&self) -> usize {
        self.shape.side * self.shape.side * self.shape.channels
    }

    fn embedding_dimension(&self) -> usize {
        self.shape.output
    }

    fn embed(&self, points: &[f64]) -> Result<Vec<f64>, NetworkError> {
        whole_rows("images", points, self.point_dimension())?;
        let mut outputs = Vec::new();
        for images in points.chunks(TOGETHER * self.point_dimension()) {
            outputs.extend(self.forward(images)?.outputs);
        }
        Ok(outputs)
    }
}

impl Updatable for ConvolutionalEncoder {
    type Parameters = ConvolutionalWeights;
    type Forward = ConvolutionalForward;

    fn numbers_per_point(&self) -> usize {
        self.shape.numbers_per_image().unwrap_or(usize::MAX)
    }

    fn parameters(&self) -> &ConvolutionalWeights {
        &self.weights
    }

    fn parameters_mut(&mut self) -> &mut ConvolutionalWeights {
        &mut self.weights
    }

    fn check_parameters(&self) -> Result<(), NetworkError> {
        self.weights.validate(self.shape)
    }

    fn forwards(&self, points: &[f64]) -> Result<ConvolutionalForward, NetworkError> {
        self.forward(points)
    }

    fn embedded(forward: &ConvolutionalForward) -> &[f64] {
        forward.outputs()
    }

    fn backwards(&self, forward: &ConvolutionalForward, slopes: &[f64]) -> Result<ConvolutionalWeights, NetworkError> {
        self.backward(forward, slopes)
    }
}

#[cfg(test)]
mod tests;
