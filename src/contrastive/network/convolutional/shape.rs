//! The sizes of a convolutional encoder, and the numbers that it learns.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::super::NetworkError;
use super::super::error::all_finite;
use super::super::trainable::Parameters;

/// The largest number of parameters, and of numbers computed for one image, one gigabyte of `f64`.
const MOST: usize = 1 << 27;

/// The sizes of a [`ConvolutionalEncoder`](super::ConvolutionalEncoder).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvolutionalShape {
    /// Height and width of an image in pixels.
    pub side: usize,
    /// Channels of an image: 1 for grey, 3 for colours.
    pub channels: usize,
    /// Feature maps of the first and of the second convolution.
    pub maps: [usize; 2],
    /// Height and width of the windows of both convolutions.
    pub kernel: usize,
    /// Pixels from one window to the next, in both convolutions.
    pub stride: usize,
    /// Dimension d of an embedding.
    pub output: usize,
}

impl ConvolutionalShape {
    /// Refuses sizes that are zero, images smaller than the windows on them, and what needs more than 2^27 numbers.
    ///
    /// # Errors
    /// [`NetworkError::Setting`], [`NetworkError::TooLarge`].
    pub fn validate(&self) -> Result<(), NetworkError> {
        let refuse = |name, value: usize, limit| Err(NetworkError::Setting { name, value: value.to_string(), limit });
        let [first, second] = self.maps;
        for (name, value) in [
            ("channels", self.channels),
            ("maps", first),
            ("maps", second),
            ("kernel", self.kernel),
            ("stride", self.stride),
            ("output", self.output),
        ] {
            if value == 0 {
                return refuse(name, value, "at least 1");
            }
        }
        if self.side < self.kernel {
            return refuse("side", self.side, "at least as large as the kernel");
        }
        if self.between() < self.kernel {
            return refuse("side", self.side, "large enough for the kernel to fit into the first feature maps");
        }
        match self.numbers_per_image().max(self.parameters()) {
            Some(count) if count <= MOST && self.parameters().is_some() => Ok(()),
            _ => Err(NetworkError::TooLarge { name: "the encoder", limit: MOST }),
        }
    }

    /// Numbers of an image, one channel after the other, each row by row; none if they overflow.
    pub fn input(&self) -> Option<usize> {
        self.side.checked_mul(self.side)?.checked_mul(self.channels)
    }

    /// Height and width of the first feature maps.
    pub(super) fn between(&self) -> usize {
        (self.side - self.kernel) / self.stride + 1
    }

    /// Height and width of the second feature maps.
    pub(super) fn last(&self) -> usize {
        (self.between() - self.kernel) / self.stride + 1
    }

    /// Lengths of the six lists of parameters, in their order.
    pub(super) fn lengths(&self) -> Option<[usize; 6]> {
        let [first, second] = self.maps;
        let window = self.kernel.checked_mul(self.kernel)?;
        let flat = self.last().checked_mul(self.last())?.checked_mul(second)?;
        Some([
            window.checked_mul(self.channels)?.checked_mul(first)?,
            first,
            window.checked_mul(first)?.checked_mul(second)?,
            second,
            flat.checked_mul(self.output)?,
            self.output,
        ])
    }

    /// Number of parameters, or `None` if it overflows.
    pub fn parameters(&self) -> Option<usize> {
        self.lengths()?.iter().try_fold(0usize, |sum, &length| sum.checked_add(length))
    }

    /// The most numbers that any layer holds for one image: the windows of a convolution, as a rule.
    pub(super) fn numbers_per_image(&self) -> Option<usize> {
        let windows = |side: usize, channels: usize| {
            let entries = self.kernel.checked_mul(self.kernel)?.checked_mul(channels)?;
            side.checked_mul(side)?.checked_mul(entries)
        };
        let maps = |side: usize, maps: usize| side.checked_mul(side)?.checked_mul(maps);
        let all = [
            self.input()?,
            windows(self.between(), self.channels)?,
            maps(self.between(), self.maps[0])?,
            windows(self.last(), self.maps[0])?,
            maps(self.last(), self.maps[1])?,
            self.output,
        ];
        all.into_iter().max()
    }
}

/// What a convolutional encoder learns, or the derivatives in the same places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvolutionalWeights {
    /// One row for each map of the first convolution, with the entries of a window by row, column and channel.
    pub first: Vec<f64>,
    /// One number for each map of the first convolution.
    pub first_bias: Vec<f64>,
    /// One row for each map of the second convolution.
    pub second: Vec<f64>,
    /// One number for each map of the second convolution.
    pub second_bias: Vec<f64>,
    /// d rows over the second feature maps, by row, column and map.
    pub dense: Vec<f64>,
    /// d numbers.
    pub dense_bias: Vec<f64>,
}

/// Names of the lists, in their order.
const NAMES: [&str; 6] = [
    "first convolution", "bias of the first convolution", "second convolution", "bias of the second convolution",
    "dense layer", "bias of the dense layer",
];

impl ConvolutionalWeights {
    /// Draws every number of a layer, biases included, uniformly from [-1/√k, 1/√k], k the numbers that one unit of it
    /// sees: what layers start from in PyTorch, with which the experiments of Merad et al. (2020) were made.
    ///
    /// # Errors
    /// As [`ConvolutionalShape::validate`].
    pub fn initialise<R: Rng + ?Sized>(shape: ConvolutionalShape, rng: &mut R) -> Result<Self, NetworkError> {
        let mut weights = Self::zeros(shape)?;
        let mut lists = weights.lists_mut().into_iter();
        while let (Some(matrix), Some(bias)) = (lists.next(), lists.next()) {
            let seen = matrix.len() / bias.len();
            let largest = 1.0 / (seen as f64).sqrt();
            for number in matrix.iter_mut().chain(bias) {
                *number = largest * (2.0 * rng.random::<f64>() - 1.0);
            }
        }
        Ok(weights)
    }

    /// All numbers zero.
    ///
    /// # Errors
    /// As [`ConvolutionalShape::validate`].
    pub fn zeros(shape: ConvolutionalShape) -> Result<Self, NetworkError> {
        shape.validate()?;
        let [first, first_bias, second, second_bias, dense, dense_bias] =
            shape.lengths().unwrap_or_default().map(|length| vec![0.0; length]);
        Ok(Self { first, first_bias, second, second_bias, dense, dense_bias })
    }

    /// Refuses lists that do not have the sizes of `shape` or hold a number that is NaN or infinite.
    ///
    /// # Errors
    /// As [`ConvolutionalShape::validate`]; [`NetworkError::WrongLength`], [`NetworkError::NotFinite`].
    pub fn validate(&self, shape: ConvolutionalShape) -> Result<(), NetworkError> {
        shape.validate()?;
        let expected = shape.lengths().unwrap_or_default();
        for ((list, name), expected) in self.lists().into_iter().zip(NAMES).zip(expected) {
            if list.len() != expected {
                let found = list.len();
                return Err(NetworkError::WrongLength { name, found, expected });
            }
            all_finite(name, list)?;
        }
        Ok(())
    }

    /// The lists in the order of the fields.
    pub fn lists(&self) -> [&[f64]; 6] {
        [&self.first, &self.first_bias, &self.second, &self.second_bias, &self.dense, &self.dense_bias]
    }
}

impl Parameters for ConvolutionalWeights {
    fn lists(&self) -> Vec<&[f64]> {
        ConvolutionalWeights::lists(self).to_vec()
    }

    fn lists_mut(&mut self) -> Vec<&mut [f64]> {
        vec![
            &mut self.first, &mut self.first_bias, &mut self.second, &mut self.second_bias, &mut self.dense,
            &mut self.dense_bias,
        ]
    }
}
