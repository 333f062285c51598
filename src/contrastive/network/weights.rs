//! The matrices of an encoder, or of a gradient with respect to them.

use enclosures::probability::list_of_standard_normals;
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::NetworkError;
use super::error::all_finite;
use super::trainable::Parameters;

/// The largest number of parameters, one gigabyte of `f64`.
const MOST_PARAMETERS: usize = 1 << 27;

/// The sizes of an encoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncoderShape {
    /// Dimension d_x of a point, at least 1.
    pub input: usize,
    /// Number m of units of every hidden layer, at least 1.
    pub width: usize,
    /// Number L of square matrices W_l; zero leaves the single hidden layer h_0.
    pub depth: usize,
    /// Dimension d of an embedding, at least 1.
    pub output: usize,
}

impl EncoderShape {
    /// Refuses sizes that are zero (the depth may be) or that need more than 2^27 parameters.
    ///
    /// # Errors
    /// [`NetworkError::Setting`], [`NetworkError::TooLarge`].
    pub fn validate(&self) -> Result<(), NetworkError> {
        for (name, value) in [("input", self.input), ("width", self.width), ("output", self.output)] {
            if value == 0 {
                return Err(NetworkError::Setting { name, value: value.to_string(), limit: "at least 1" });
            }
        }
        match self.parameters() {
            Some(count) if count <= MOST_PARAMETERS => Ok(()),
            _ => Err(NetworkError::TooLarge { name: "the encoder", limit: MOST_PARAMETERS }),
        }
    }

    /// Number of weights, or `None` if it overflows: m d_x + L m^2 + d m.
    pub fn parameters(&self) -> Option<usize> {
        let ends = self.input.checked_add(self.output)?;
        self.depth.checked_mul(self.width)?.checked_add(ends)?.checked_mul(self.width)
    }
}

/// The matrices A, W_1, ..., W_L, B, each stored row by row; as a gradient, the derivatives in the same places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// A: m rows of d_x.
    pub a: Vec<f64>,
    /// W_1 to W_L: m rows of m each.
    pub w: Vec<Vec<f64>>,
    /// B: d rows of m.
    pub b: Vec<f64>,
}

impl Weights {
    /// Draws the entries of A and W_l from N(0, 2/m) and those of B from N(0, 1/d), independently and in the order A, W_1,
    /// ..., W_L, B: He initialisation as in the convergence theorem of Allen-Zhu et al. (2019), on which Merad et al.
    /// (2020, section 4) build.
    ///
    /// # Errors
    /// As [`EncoderShape::validate`].
    pub fn initialise<R: Rng + ?Sized>(shape: EncoderShape, rng: &mut R) -> Result<Self, NetworkError> {
        shape.validate()?;
        let mut normals = |count: usize, variance: f64| {
            let mut values = list_of_standard_normals(rng, count);
            let deviation = variance.sqrt();
            values.iter_mut().for_each(|value| *value *= deviation);
            values
        };
        let hidden = 2.0 / shape.width as f64;
        let a = normals(shape.width * shape.input, hidden);
        let w = (0..shape.depth).map(|_| normals(shape.width * shape.width, hidden)).collect();
        let b = normals(shape.output * shape.width, 1.0 / shape.output as f64);
        Ok(Self { a, w, b })
    }

    /// Refuses matrices that do not have the sizes of `shape` or hold a number that is NaN or infinite.
    ///
    /// # Errors
    /// As [`EncoderShape::validate`]; [`NetworkError::WrongLength`], [`NetworkError::NotFinite`].
    pub fn validate(&self, shape: EncoderShape) -> Result<(), NetworkError> {
        shape.validate()?;
        let check = |name, matrix: &[f64], expected| {
            if matrix.len() != expected {
                return Err(NetworkError::WrongLength { name, found: matrix.len(), expected });
            }
            all_finite(name, matrix)
        };
        check("matrix A", &self.a, shape.width * shape.input)?;
        if self.w.len() != shape.depth {
            let (found, expected) = (self.w.len(), shape.depth);
            return Err(NetworkError::WrongLength { name: "the list of matrices W", found, expected });
        }
        self.w.iter().try_for_each(|w| check("matrix W", w, shape.width * shape.width))?;
        check("matrix B", &self.b, shape.output * shape.width)
    }

    /// The matrices in the order A, W_1, ..., W_L, B.
    pub fn matrices(&self) -> impl Iterator<Item = &[f64]> {
        std::iter::once(&self.a).chain(&self.w).chain([&self.b]).map(Vec::as_slice)
    }

    /// The matrices in the order A, W_1, ..., W_L, B, to be changed.
    pub fn matrices_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        std::iter::once(&mut self.a).chain(&mut self.w).chain([&mut self.b]).map(Vec::as_mut_slice)
    }
}

impl Parameters for Weights {
    fn lists(&self) -> Vec<&[f64]> {
        self.matrices().collect()
    }

    fn lists_mut(&mut self) -> Vec<&mut [f64]> {
        self.matrices_mut().collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    use super::*;

    const SHAPE: EncoderShape = EncoderShape { input: 40, width: 60, depth: 2, output: 50 };

    #[test]
    fn initial_weights_have_the_variances_of_the_paper() {
        let weights = Weights::initialise(SHAPE, &mut ChaCha20Rng::seed_from_u64(3)).unwrap();
        weights.validate(SHAPE).unwrap();
        assert_eq!(weights.matrices().map(<[f64]>::len).sum::<usize>(), SHAPE.parameters().unwrap());
        for (matrix, variance) in weights.matrices().zip([2.0 / 60.0, 2.0 / 60.0, 2.0 / 60.0, 1.0 / 50.0]) {
            let found = matrix.iter().map(|x| x * x).sum::<f64>() / matrix.len() as f64;
            // The relative deviation of the estimate is sqrt(2 / 2400) = 0.029 for the smallest matrix.
            assert!((found / variance - 1.0).abs() < 0.12, "{found} {variance}");
        }
    }

    #[test]
    fn impossible_shapes_are_refused() {
        for shape in [
            EncoderShape { input: 0, ..SHAPE },
            EncoderShape { width: 0, ..SHAPE },
            EncoderShape { output: 0, ..SHAPE },
        ] {
            assert!(matches!(shape.validate(), Err(NetworkError::Setting { .. })));
        }
        for shape in [EncoderShape { width: usize::MAX, ..SHAPE }, EncoderShape { depth: 1 << 20, ..SHAPE }] {
            let mut rng = ChaCha20Rng::seed_from_u64(3);
            assert!(matches!(Weights::initialise(shape, &mut rng), Err(NetworkError::TooLarge { .. })));
        }
    }

    #[test]
    fn matrices_of_the_wrong_size_or_with_nan_are_refused() {
        let good = Weights::initialise(SHAPE, &mut ChaCha20Rng::seed_from_u64(3)).unwrap();
        let refused = |change: fn(&mut Weights)| {
            let mut bad = good.clone();
            change(&mut bad);
            bad.validate(SHAPE).unwrap_err()
        };
        let wrong = |error| matches!(error, NetworkError::WrongLength { .. });
        assert!(wrong(refused(|bad| bad.a.push(0.0))));
        assert!(wrong(refused(|bad| bad.w.truncate(1))));
        assert!(wrong(refused(|bad| bad.w[1].truncate(1))));
        assert!(wrong(refused(|bad| bad.b.clear())));
        let error = refused(|bad| bad.w[0][7] = f64::NAN);
        assert_eq!(error.to_string(), "matrix W at position 7 is NaN, only finite numbers are accepted");
    }
}
