//! Hidden vectors of several inputs through a random ReLU network, in law and without matrices.
//!
//! Given the Gram matrix `G` of the vectors of one layer, the rows of `W (h_1 .. h_n)` are independent `N(0, (2/m) G)`.
//! A layer therefore costs `m` draws of an `n`-vector: widths of 10^5 and depths of 10^3 are cheap.

use rand::Rng;

use super::standard_normal::standard_normal_pair;

/// What is wrong with a Gram matrix.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GramError {
    /// No inputs, or not as many entries as a square matrix has.
    #[error("a Gram matrix of {inputs} inputs cannot have {entries} entries")]
    Shape {
        /// Number of inputs.
        inputs: usize,
        /// Number of entries.
        entries: usize,
    },
    /// An entry that is not finite, a negative diagonal entry, or two mirrored entries that differ.
    #[error(
        "entry ({row}, {column}) of the Gram matrix is {value}, which is not finite, negative on the diagonal, or not \
         symmetric"
    )]
    Entry {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// An inner product larger than the norms allow.
    #[error("the inner product of inputs {row} and {column} is larger than the product of their norms")]
    Cauchy {
        /// First input.
        row: usize,
        /// Second input.
        column: usize,
    },
    /// A layer without neurons.
    #[error("a layer must have at least one neuron")]
    Width,
}

/// Relative size below which a pivot counts as zero: the vectors are linearly dependent up to rounding.
const PIVOT: f64 = 1e-15;

/// The Gram matrix of the hidden vectors of `n` inputs, which [`GramChain::step`] sends through one layer.
#[derive(Clone, Debug, PartialEq)]
pub struct GramChain {
    inputs: usize,
    gram: Vec<f64>,
}

impl GramChain {
    /// Starts from inner products, row by row.
    ///
    /// # Errors
    /// A matrix that is not square, finite, symmetric, or breaks the Cauchy-Schwarz inequality by more than rounding.
    pub fn new(inputs: usize, gram: Vec<f64>) -> Result<Self, GramError> {
        if inputs == 0 || inputs.checked_mul(inputs) != Some(gram.len()) {
            return Err(GramError::Shape { inputs, entries: gram.len() });
        }
        for row in 0..inputs {
            for column in 0..inputs {
                let value = gram[row * inputs + column];
                let mirrored = gram[column * inputs + row];
                if !value.is_finite() || value != mirrored || (row == column && value < 0.0) {
                    return Err(GramError::Entry { row, column, value });
                }
                let norms = gram[row * inputs + row].sqrt() * gram[column * inputs + column].sqrt();
                if value.abs() > norms * (1.0 + 1e-12) {
                    return Err(GramError::Cauchy { row, column });
                }
            }
        }
        Ok(GramChain { inputs, gram })
    }

    /// Two unit vectors at an angle in radians.
    ///
    /// # Errors
    /// An angle that is not finite.
    pub fn pair(angle: f64) -> Result<Self, GramError> {
        let cosine = core_math::cos(angle);
        Self::new(2, vec![1.0, cosine, cosine, 1.0])
    }

    /// Number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Inner product of two hidden vectors; none for an index out of range.
    #[must_use]
    pub fn inner(&self, i: usize, j: usize) -> Option<f64> {
        if i >= self.inputs || j >= self.inputs {
            return None;
        }
        self.gram.get(i * self.inputs + j).copied()
    }

    /// Norm of a hidden vector; none for an index out of range.
    #[must_use]
    pub fn norm(&self, i: usize) -> Option<f64> {
        Some(self.inner(i, i)?.sqrt())
    }

    /// Distance of two hidden vectors; none for an index out of range. Its square is accurate to about `1e-16` times the
    /// squared norms.
    #[must_use]
    pub fn distance(&self, i: usize, j: usize) -> Option<f64> {
        let squared = self.inner(i, i)? - 2.0 * self.inner(i, j)? + self.inner(j, j)?;
        Some(squared.max(0.0).sqrt())
    }

    /// Replaces the hidden vectors by those of the next layer, of `width` neurons.
    ///
    /// # Errors
    /// Width zero.
    pub fn step<R: Rng + ?Sized>(&mut self, width: u32, rng: &mut R) -> Result<(), GramError> {
        if width == 0 {
            return Err(GramError::Width);
        }
        let n = self.inputs;
        let (factor, rank) = self.factor();
        let scale = (2.0 / f64::from(width)).sqrt();
        let mut next = vec![0.0; n * n];
        let mut normals = vec![0.0; rank + 1];
        let mut hidden = vec![0.0; n];
        for _ in 0..width {
            for pair in normals.chunks_mut(2).take(rank.div_ceil(2)) {
                let (a, b) = standard_normal_pair(rng);
                pair[0] = a;
                if let Some(second) = pair.get_mut(1) {
                    *second = b;
                }
            }
            for (i, value) in hidden.iter_mut().enumerate() {
                let row = &factor[i * n..i * n + rank];
                let total: f64 = row.iter().zip(&normals).map(|(l, z)| l * z).sum();
                *value = (scale * total).max(0.0);
            }
            for i in 0..n {
                for j in 0..=i {
                    next[i * n + j] += hidden[i] * hidden[j];
                }
            }
        }
        for i in 0..n {
            for j in 0..i {
                next[j * n + i] = next[i * n + j];
            }
        }
        self.gram = next;
        Ok(())
    }

    /// `L` with `L L^T = G`, by Cholesky's method with the largest pivot first, and its rank: Gram matrices of deep layers
    /// are nearly singular.
    fn factor(&self) -> (Vec<f64>, usize) {
        let n = self.inputs;
        let mut rest: Vec<f64> = (0..n).map(|i| self.gram[i * n + i]).collect();
        let largest = rest.iter().copied().fold(0.0, f64::max);
        let mut used = vec![false; n];
        let mut factor = vec![0.0; n * n];
        for step in 0..n {
            let free = (0..n).filter(|&i| !used[i]);
            let Some(pivot) = free.reduce(|best, i| if rest[i] > rest[best] { i } else { best }) else {
                return (factor, step);
            };
            if rest[pivot] <= PIVOT * largest {
                return (factor, step);
            }
            used[pivot] = true;
            let root = rest[pivot].sqrt();
            factor[pivot * n + step] = root;
            for i in (0..n).filter(|&i| !used[i]) {
                let known: f64 = (0..step).map(|k| factor[i * n + k] * factor[pivot * n + k]).sum();
                let entry = (self.gram[i * n + pivot] - known) / root;
                factor[i * n + step] = entry;
                rest[i] -= entry * entry;
            }
        }
        (factor, n)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{angle_chain, chord_of_angle};
    use super::*;
    use crate::interval::Interval;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn factors_reproduce_the_matrix() {
        // Of rank two; and the inner products of (1,2,0,3), (2,0,1,1), (0,1,4,1), (3,1,1,0), whose pivots come as third, first, fourth, second.
        let matrices = [
            (2, vec![2.0, 1.0, 1.0, 1.0, 1.0, 0.5, 1.0, 0.5, 0.5]),
            (4, vec![14.0, 5.0, 5.0, 5.0, 5.0, 6.0, 5.0, 7.0, 5.0, 5.0, 18.0, 5.0, 5.0, 7.0, 5.0, 11.0]),
        ];
        for ((expected, gram), n) in matrices.into_iter().zip([3, 4]) {
            let chain = GramChain::new(n, gram.clone()).unwrap();
            assert_eq!(chain.inputs(), n);
            let (factor, rank) = chain.factor();
            assert_eq!(rank, expected);
            for i in 0..n {
                for j in 0..n {
                    let product: f64 = (0..rank).map(|k| factor[i * n + k] * factor[j * n + k]).sum();
                    assert!((product - gram[i * n + j]).abs() < 1e-14, "{i} {j}: {product}");
                }
            }
        }
    }

    #[test]
    fn wide_layers_follow_the_limit() {
        let mut rng = ChaCha8Rng::seed_from_u64(23);
        let angle = 2.0 * core_math::asin(0.5);
        let mut chain = GramChain::pair(angle).unwrap();
        for phi in angle_chain(Interval::point(angle)).take(3) {
            chain.step(40_000, &mut rng).unwrap();
            let limit = chord_of_angle(phi).midpoint();
            assert!((chain.distance(0, 1).unwrap() - limit).abs() < 0.03, "{limit}");
            assert!((chain.norm(0).unwrap() - 1.0).abs() < 0.04);
        }
    }

    #[test]
    fn inner_products_of_several_inputs_are_the_same_both_ways() {
        let gram = vec![1.0, 0.5, 0.25, 0.5, 1.0, 0.125, 0.25, 0.125, 1.0];
        let mut chain = GramChain::new(3, gram).unwrap();
        chain.step(60, &mut ChaCha8Rng::seed_from_u64(4)).unwrap();
        let inner = |i: usize, j: usize| chain.inner(i, j).unwrap();
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            assert_eq!(inner(i, j), inner(j, i));
            assert!(inner(i, j) > 0.0 && inner(i, j) * inner(i, j) <= inner(i, i) * inner(j, j), "{i} {j}");
        }
        assert!(inner(0, 1) != inner(0, 2) && inner(0, 1) != inner(1, 2));
    }

    #[test]
    fn equal_and_opposite_inputs() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut same = GramChain::pair(0.0).unwrap();
        same.step(50, &mut rng).unwrap();
        assert_eq!(same.distance(0, 1), Some(0.0));
        let mut opposite = GramChain::new(2, vec![1.0, -1.0, -1.0, 1.0]).unwrap();
        opposite.step(50, &mut rng).unwrap();
        assert_eq!(opposite.inner(0, 1), Some(0.0));
    }

    #[test]
    fn refusals() {
        assert!(matches!(GramChain::new(0, vec![]), Err(GramError::Shape { .. })));
        assert!(matches!(GramChain::new(2, vec![1.0; 3]), Err(GramError::Shape { .. })));
        assert!(matches!(GramChain::new(1, vec![f64::NAN]), Err(GramError::Entry { .. })));
        assert!(matches!(GramChain::new(2, vec![1.0, 0.1, 0.2, 1.0]), Err(GramError::Entry { .. })));
        assert!(matches!(GramChain::new(2, vec![1.0, 2.0, 2.0, 1.0]), Err(GramError::Cauchy { .. })));
        assert!(GramChain::pair(f64::INFINITY).is_err());
        let mut chain = GramChain::pair(1.0).unwrap();
        assert_eq!(chain.step(0, &mut ChaCha8Rng::seed_from_u64(0)), Err(GramError::Width));
        assert_eq!(chain.inner(2, 0), None);
    }
}
