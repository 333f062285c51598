//! What one input does to an encoder: pre-activations, hidden vectors, activation patterns, and products of the masked layers.
//!
//! Layers are counted as in Wen (2020): with `L = depth + 1` hidden layers, `W_0` takes the input, `W_1 .. W_{L-1}` are square, `W_L` gives
//! the output. Products are applied to vectors and never formed.

use super::dense::{apply, apply_transposed};
use super::error::all_finite;
use super::images::masked_image;
use super::{Encoder, NetworkError};

impl Encoder {
    /// Number `L` of hidden layers.
    #[must_use]
    pub fn hidden_layers(&self) -> usize {
        self.shape().depth + 1
    }

    /// The matrix `W_l` row by row and its number of columns, for `0 <= l <= L`.
    #[must_use]
    pub fn layer(&self, l: usize) -> Option<(&[f64], usize)> {
        let columns = if l == 0 { self.shape().input } else { self.shape().width };
        self.weights().matrices().nth(l).map(|matrix| (matrix, columns))
    }

    /// Sends one point through the encoder and keeps what every layer saw.
    ///
    /// # Errors
    /// [`NetworkError::WrongLength`] for a point of another dimension, [`NetworkError::NotFinite`] for a number that is not finite.
    pub fn activations(&self, point: &[f64]) -> Result<Activations<'_>, NetworkError> {
        let expected = self.shape().input;
        if point.len() != expected {
            let (name, found) = ("point", point.len());
            return Err(NetworkError::WrongLength { name, found, expected });
        }
        all_finite("point", point)?;
        let mut found =
            Activations { encoder: self, pre_activations: Vec::new(), hidden: Vec::new(), diagonals: Vec::new() };
        let mut current = point.to_vec();
        for l in 0..self.hidden_layers() {
            let (matrix, columns) = found.layer(l);
            let pre = apply(matrix, columns, &current)?;
            all_finite("pre-activation", &pre)?;
            current = pre.iter().map(|&x| if x > 0.0 { x } else { 0.0 }).collect();
            // The convention of the paper: a unit whose pre-activation is zero counts as active.
            found.diagonals.push(pre.iter().map(|&x| f64::from(u8::from(x >= 0.0))).collect());
            found.hidden.push(current.clone());
            found.pre_activations.push(pre);
        }
        Ok(found)
    }
}

/// The layers of an encoder as one input sees them, or with other diagonal matrices in place of its activation patterns.
///
/// ```
/// use contrapositive_contrastive::network::{Encoder, EncoderShape, Weights};
/// let shape = EncoderShape { input: 1, width: 2, depth: 0, output: 1 };
/// let weights = Weights { a: vec![2.0, -1.0], w: vec![], b: vec![3.0, 5.0] };
/// let encoder = Encoder::new(shape, weights)?;
/// let seen = encoder.activations(&[1.0])?;
/// assert_eq!(seen.hidden(0), Some(&[2.0, 0.0][..]));
/// // W_1 D_0 W_0 applied to a vector, and its transpose.
/// assert_eq!(seen.product(0, 1, &[1.0]), Some(vec![6.0]));
/// assert_eq!(seen.back(0, &[1.0]), Some(vec![6.0]));
/// # Ok::<(), contrapositive_contrastive::network::NetworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Activations<'a> {
    encoder: &'a Encoder,
    pre_activations: Vec<Vec<f64>>,
    hidden: Vec<Vec<f64>>,
    diagonals: Vec<Vec<f64>>,
}

impl<'a> Activations<'a> {
    /// A layer known to exist.
    fn layer(&self, l: usize) -> (&'a [f64], usize) {
        self.encoder.layer(l).unwrap_or((&[], 1))
    }

    /// `W_l h_{l-1}`, for `0 <= l <= L - 1`.
    #[must_use]
    pub fn pre_activations(&self, l: usize) -> Option<&[f64]> {
        self.pre_activations.get(l).map(Vec::as_slice)
    }

    /// `h_l`, for `0 <= l <= L - 1`.
    #[must_use]
    pub fn hidden(&self, l: usize) -> Option<&[f64]> {
        self.hidden.get(l).map(Vec::as_slice)
    }

    /// The diagonal of `D_l`, for `0 <= l <= L - 1`: one where the pre-activation is at least zero.
    #[must_use]
    pub fn diagonal(&self, l: usize) -> Option<&[f64]> {
        self.diagonals.get(l).map(Vec::as_slice)
    }

    /// The same layers with other diagonal matrices, `D_l + D''_l` say.
    ///
    /// # Errors
    /// [`NetworkError::WrongLength`] unless there are `L` diagonals of `m` entries, [`NetworkError::NotFinite`].
    pub fn with_diagonals(mut self, diagonals: Vec<Vec<f64>>) -> Result<Self, NetworkError> {
        let fits = |name, found, expected| match found == expected {
            true => Ok(()),
            false => Err(NetworkError::WrongLength { name, found, expected }),
        };
        fits("list of diagonals", diagonals.len(), self.diagonals.len())?;
        for diagonal in &diagonals {
            fits("diagonal", diagonal.len(), self.encoder.shape().width)?;
            all_finite("diagonal", diagonal)?;
        }
        self.diagonals = diagonals;
        Ok(self)
    }

    /// `W_c D_{c-1} W_{c-1} ... D_a W_a v` for `a <= c <= L`; the single matrix for `a = c`. None for other layers, or for a vector that
    /// does not have as many entries as `W_a` has columns.
    #[must_use]
    pub fn product(&self, a: usize, c: usize, v: &[f64]) -> Option<Vec<f64>> {
        if a > c || c > self.diagonals.len() || v.len() != self.layer(a).1 {
            return None;
        }
        let mut current = v.to_vec();
        for l in a..=c {
            let (matrix, columns) = self.layer(l);
            current = match self.diagonals.get(l) {
                Some(diagonal) if l < c => masked_image(matrix, &current, diagonal),
                _ => apply(matrix, columns, &current).ok()?,
            };
        }
        Some(current)
    }

    /// `(W_c D_{c-1} W_{c-1} ... D_a W_a)^T u`; none for other layers, or for a vector that does not have as many entries as `W_c` has rows.
    #[must_use]
    pub fn transposed_product(&self, a: usize, c: usize, u: &[f64]) -> Option<Vec<f64>> {
        if a > c || c > self.diagonals.len() {
            return None;
        }
        let (matrix, columns) = self.layer(c);
        if u.len() * columns != matrix.len() {
            return None;
        }
        let mut current = u.to_vec();
        for l in (a..=c).rev() {
            if l < c {
                mask(&mut current, &self.diagonals[l]);
            }
            let (matrix, columns) = self.layer(l);
            current = apply_transposed(matrix, columns, &current).ok()?;
        }
        Some(current)
    }

    /// `Back_l^T u` with `Back_l = W_L D_{L-1} W_{L-1} ... D_l W_l`, for `l <= L`; `u` has as many entries as the output. With
    /// `l = L + 1` it is `u` itself.
    #[must_use]
    pub fn back(&self, l: usize, u: &[f64]) -> Option<Vec<f64>> {
        let last = self.diagonals.len();
        if l == last + 1 {
            return (u.len() == self.encoder.shape().output).then(|| u.to_vec());
        }
        self.transposed_product(l, last, u)
    }
}

fn mask(vector: &mut [f64], diagonal: &[f64]) {
    for (x, &d) in vector.iter_mut().zip(diagonal) {
        *x *= d;
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    use super::*;
    use crate::network::EncoderShape;
    use crate::network::dense::{dot, outer_products};

    const SHAPE: EncoderShape = EncoderShape { input: 3, width: 7, depth: 2, output: 2 };

    fn encoder() -> Encoder {
        Encoder::initialise(SHAPE, &mut ChaCha20Rng::seed_from_u64(11)).unwrap()
    }

    const POINT: [f64; 3] = [0.6, -0.0, 0.8];

    #[test]
    fn the_whole_product_is_the_encoder_at_its_own_point() {
        let encoder = encoder();
        let (forward, seen) = (encoder.forward(&POINT).unwrap(), encoder.activations(&POINT).unwrap());
        for (l, hidden) in forward.hidden().iter().enumerate() {
            assert_eq!(seen.hidden(l).unwrap(), hidden);
        }
        assert_eq!(seen.product(0, 3, &POINT).unwrap(), forward.outputs());
        let middle = seen.product(2, 3, seen.hidden(1).unwrap()).unwrap();
        assert!(middle.iter().zip(forward.outputs()).all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn rows_that_a_diagonal_takes_out_count_as_zeros() {
        let encoder = encoder();
        let seen = encoder.activations(&POINT).unwrap();
        let diagonal = vec![1.0, 0.0, -0.5, 0.0, 2.0, 1.0, 0.0];
        let seen = seen.with_diagonals(vec![diagonal.clone(); 3]).unwrap();
        let mut expected = POINT.to_vec();
        for l in 0..=2 {
            let (matrix, columns) = encoder.layer(l).unwrap();
            expected = apply(matrix, columns, &expected).unwrap();
            if l < 2 {
                mask(&mut expected, &diagonal);
            }
        }
        assert_eq!(seen.product(0, 2, &POINT).unwrap(), expected);
    }

    #[test]
    fn transposed_products_are_adjoint() {
        let encoder = encoder();
        let seen = encoder.activations(&POINT).unwrap();
        let halved = seen.diagonals.iter().map(|d| d.iter().map(|x| 0.5 * x - 0.25).collect()).collect();
        for seen in [seen.clone(), seen.clone().with_diagonals(halved).unwrap()] {
            for (a, c) in [(0, 0), (0, 3), (1, 2), (2, 3), (3, 3)] {
                let (rows, columns) = (if c == 3 { 2 } else { 7 }, if a == 0 { 3 } else { 7 });
                let u: Vec<f64> = (0..rows).map(|i| 1.0 - 0.3 * i as f64).collect();
                let v: Vec<f64> = (0..columns).map(|i| 0.2 + 0.7 * i as f64).collect();
                let left = dot(&u, &seen.product(a, c, &v).unwrap());
                let right = dot(&seen.transposed_product(a, c, &u).unwrap(), &v);
                assert!((left - right).abs() <= 1e-13 * left.abs().max(1.0), "{a} {c}: {left} {right}");
            }
        }
    }

    #[test]
    fn back_propagation_gives_the_gradient() {
        let encoder = encoder();
        let (forward, seen) = (encoder.forward(&POINT).unwrap(), encoder.activations(&POINT).unwrap());
        let u = [1.0, -2.0];
        let gradient = encoder.backward(&forward, &u).unwrap();
        for (l, expected) in gradient.matrices().enumerate() {
            let mut left = seen.back(l + 1, &u).unwrap();
            if let Some(diagonal) = seen.diagonal(l) {
                mask(&mut left, diagonal);
            }
            let below = if l == 0 { &POINT[..] } else { seen.hidden(l - 1).unwrap() };
            let found = outer_products(&left, left.len(), below, below.len()).unwrap();
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-13), "layer {l}");
        }
    }

    #[test]
    fn a_unit_at_zero_counts_as_active() {
        let shape = EncoderShape { input: 1, width: 2, depth: 0, output: 1 };
        let weights = crate::network::Weights { a: vec![0.0, -1.0], w: vec![], b: vec![1.0, 1.0] };
        let encoder = Encoder::new(shape, weights).unwrap();
        assert_eq!(encoder.activations(&[1.0]).unwrap().diagonal(0), Some(&[1.0, 0.0][..]));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let encoder = encoder();
        assert!(matches!(encoder.activations(&[1.0]), Err(NetworkError::WrongLength { .. })));
        assert!(matches!(encoder.activations(&[f64::NAN; 3]), Err(NetworkError::NotFinite { .. })));
        let seen = encoder.activations(&POINT).unwrap();
        assert_eq!(seen.product(2, 1, &[0.0; 7]), None);
        assert_eq!(seen.product(0, 4, &POINT), None);
        assert_eq!(seen.product(0, 1, &[0.0; 2]), None);
        assert_eq!(seen.transposed_product(0, 3, &[0.0; 3]), None);
        assert_eq!((seen.back(4, &[1.0, 2.0]), seen.back(5, &[1.0])), (Some(vec![1.0, 2.0]), None));
        assert!(encoder.layer(4).is_none() && seen.hidden(3).is_none());
        assert!(seen.with_diagonals(vec![vec![1.0; 7]; 2]).is_err());
    }
}
