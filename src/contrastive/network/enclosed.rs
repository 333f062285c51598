//! Small encoders in interval arithmetic: what a point does to one, and the exact gradient of the loss of two.

use super::{Encoder, NetworkError, TwoEncoders};
use crate::subset_loss;
use enclosures::interval::{Dual, Interval};

/// Derivatives that are carried along together.
const TOGETHER: usize = 8;

/// Enclosures of all that [`Encoder::activations`] computes for one point, layers counted in the same way.
#[derive(Debug, Clone, PartialEq)]
pub struct EnclosedActivations {
    matrices: Vec<Vec<Interval>>,
    below: Vec<Vec<Interval>>,
    pre_activations: Vec<Vec<Interval>>,
    output: Vec<Interval>,
}

impl EnclosedActivations {
    /// Sends `point` through `encoder`.
    ///
    /// # Errors
    /// [`NetworkError::WrongLength`] for a point of another dimension.
    pub fn of(encoder: &Encoder, point: &[f64]) -> Result<Self, NetworkError> {
        let (found, expected) = (point.len(), encoder.shape().input);
        if found != expected {
            let name = "point";
            return Err(NetworkError::WrongLength { name, found, expected });
        }
        let interval = |x: &f64| Interval::point(*x);
        let matrices: Vec<Vec<Interval>> =
            (encoder.weights().matrices()).map(|matrix| matrix.iter().map(interval).collect()).collect();
        let mut below = vec![point.iter().map(interval).collect::<Vec<_>>()];
        let mut pre_activations = Vec::new();
        let mut output = Vec::new();
        for (l, matrix) in matrices.iter().enumerate() {
            let values = times(matrix, &below[l]);
            if l + 1 < matrices.len() {
                below.push(values.iter().map(|x| x.max(Interval::ZERO)).collect());
                pre_activations.push(values);
            } else {
                output = values;
            }
        }
        Ok(EnclosedActivations { matrices, below, pre_activations, output })
    }

    /// Number `L` of hidden layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.pre_activations.len()
    }

    /// The vector that `W_l` acts on, `h_{l-1}` or the point itself, for `0 <= l <= L`.
    #[must_use]
    pub fn below(&self, l: usize) -> &[Interval] {
        &self.below[l]
    }

    /// `W_l h_{l-1}` for `0 <= l <= L - 1`.
    #[must_use]
    pub fn pre_activations(&self, l: usize) -> &[Interval] {
        &self.pre_activations[l]
    }

    /// The output `W_L h_{L-1}`.
    #[must_use]
    pub fn output(&self) -> &[Interval] {
        &self.output
    }

    /// `W_l v`.
    #[must_use]
    pub fn apply(&self, l: usize, v: &[Interval]) -> Vec<Interval> {
        times(&self.matrices[l], v)
    }

    /// The entries of the matrix `W_l`, row by row.
    #[must_use]
    pub fn matrix(&self, l: usize) -> &[Interval] {
        &self.matrices[l]
    }

    /// `D_l v` with `D_l = diag 1{W_l h_{l-1} >= 0}`; where the sign is not known, both values are enclosed.
    #[must_use]
    pub fn masked(&self, l: usize, v: &[Interval]) -> Vec<Interval> {
        let keep = |(x, pre): (&Interval, &Interval)| {
            if pre.lo() >= 0.0 {
                *x
            } else if pre.hi() < 0.0 {
                Interval::ZERO
            } else {
                x.hull(Interval::ZERO)
            }
        };
        v.iter().zip(&self.pre_activations[l]).map(keep).collect()
    }

    /// `Back_l^T u` with `Back_l = W_L D_{L-1} W_{L-1} ... D_l W_l`; `u` itself for `l = L + 1`.
    #[must_use]
    pub fn back(&self, l: usize, u: &[Interval]) -> Vec<Interval> {
        let last = self.layers();
        let mut current = u.to_vec();
        for layer in (l..=last).rev() {
            if layer < last {
                current = self.masked(layer, &current);
            }
            current = times_transposed(&self.matrices[layer], &current);
        }
        current
    }

    /// The distance of the closest pre-activation from the kink of the ReLU, from below.
    #[must_use]
    pub fn distance_from_kinks(&self) -> f64 {
        let all = self.pre_activations.iter().flatten();
        all.map(|x| x.mignitude()).fold(f64::INFINITY, f64::min)
    }
}

fn times(matrix: &[Interval], v: &[Interval]) -> Vec<Interval> {
    let row = |row: &[Interval]| row.iter().zip(v).map(|(&a, &x)| a * x).sum();
    matrix.chunks_exact(v.len().max(1)).map(row).collect()
}

fn times_transposed(matrix: &[Interval], u: &[Interval]) -> Vec<Interval> {
    let columns = matrix.len() / u.len().max(1);
    let entry = |c: usize| u.iter().enumerate().map(|(r, &x)| matrix[r * columns + c] * x).sum();
    (0..columns).map(entry).collect()
}

impl TwoEncoders {
    /// The derivatives of `L_S` with respect to W and theta, one list of matrices each, by forward differentiation of the whole map
    /// from the weights to the loss (a sum over all sets of `negatives` others, at most a few thousand). Away from kinks these are the
    /// derivatives to within rounding; at a kink they enclose the generalised gradient. The cost is that of one evaluation
    /// in intervals for every weight: for small networks.
    ///
    /// # Errors
    /// [`NetworkError::WrongLength`] for a point of another dimension.
    pub fn enclosed_gradient(
        &self,
        points: &[Vec<f64>],
        negatives: usize,
    ) -> Result<[Vec<Vec<Interval>>; 2], NetworkError> {
        let mut outputs: Vec<Vec<Vec<Dual<TOGETHER>>>> = Vec::new();
        for encoder in [&self.query, &self.key] {
            let one = |x: &Vec<f64>| {
                let found = EnclosedActivations::of(encoder, x)?.output;
                Ok(found.into_iter().map(Dual::constant).collect())
            };
            outputs.push(points.iter().map(one).collect::<Result<_, NetworkError>>()?);
        }
        let side = |which: usize, encoder: &Encoder| {
            let count: usize = encoder.weights().matrices().map(<[f64]>::len).sum();
            let mut slopes = Vec::with_capacity(count);
            for first in (0..count).step_by(TOGETHER) {
                let varied = varied_weights(encoder, first);
                let moved: Vec<Vec<Dual<TOGETHER>>> = points.iter().map(|x| send(&varied, x)).collect();
                let loss = if which == 0 {
                    subset_loss(&moved, &outputs[1], negatives)
                } else {
                    subset_loss(&outputs[0], &moved, negatives)
                };
                slopes.extend_from_slice(&loss.slopes[..TOGETHER.min(count - first)]);
            }
            let mut rest = slopes.as_slice();
            let matrix = |matrix: &[f64]| {
                let (head, tail) = rest.split_at(matrix.len());
                rest = tail;
                head.to_vec()
            };
            encoder.weights().matrices().map(matrix).collect()
        };
        Ok([side(0, &self.query), side(1, &self.key)])
    }
}

/// The matrices of an encoder, with weights `first .. first + TOGETHER` of the whole list as variables.
fn varied_weights(encoder: &Encoder, first: usize) -> Vec<Vec<Dual<TOGETHER>>> {
    let mut index = 0;
    let mut number = |&x: &f64| {
        let mut number = Dual::constant(x);
        if let Some(slope) = usize::checked_sub(index, first).and_then(|i| number.slopes.get_mut(i)) {
            *slope = Interval::ONE;
        }
        index += 1;
        number
    };
    let matrices = encoder.weights().matrices();
    matrices.map(|matrix| matrix.iter().map(&mut number).collect()).collect()
}

fn send(matrices: &[Vec<Dual<TOGETHER>>], point: &[f64]) -> Vec<Dual<TOGETHER>> {
    let mut current: Vec<Dual<TOGETHER>> = point.iter().map(|&x| Dual::constant(x)).collect();
    for (l, matrix) in matrices.iter().enumerate() {
        let row = |row: &[Dual<TOGETHER>]| row.iter().zip(&current).map(|(&a, &x)| a * x).sum();
        let values = matrix.chunks_exact(current.len().max(1)).map(row);
        current = if l + 1 < matrices.len() {
            values.map(|x: Dual<TOGETHER>| x.max(0.0)).collect()
        } else {
            values.collect()
        };
    }
    current
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    use super::*;
    use crate::network::EncoderShape;

    fn encoders(depth: usize) -> TwoEncoders {
        let shape = EncoderShape { input: 2, width: 4, depth, output: 2 };
        TwoEncoders::initialise(shape, &mut ChaCha20Rng::seed_from_u64(7 + depth as u64)).unwrap()
    }

    fn points() -> Vec<Vec<f64>> {
        vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![0.6, 0.8], vec![-0.6, 0.8]]
    }

    #[test]
    fn enclosures_contain_the_doubles() {
        let encoder = encoders(2).query;
        // Every number is a sum of products over paths, and its error at most (1 + u)^k - 1 of the sum of their moduli, which is
        // what the encoder with the moduli of the weights computes; k is less than the operations on a path, 2 (3 + 3 * width).
        let mut moduli = encoder.weights().clone();
        moduli.matrices_mut().flatten().for_each(|w| *w = w.abs());
        let moduli = Encoder::new(encoder.shape(), moduli).unwrap();
        let allowed = 2.0 * f64::EPSILON * (3 + 3 * encoder.shape().width) as f64;
        let modulus = |v: &[f64]| v.iter().map(|x| x.abs()).collect::<Vec<f64>>();
        for x in points() {
            let (seen, exact) = (encoder.activations(&x).unwrap(), EnclosedActivations::of(&encoder, &x).unwrap());
            let largest = moduli.activations(&modulus(&x)).unwrap();
            let near = |a: &[f64], b: &[Interval], scale: &[f64]| {
                assert_eq!((a.len(), a.len()), (b.len(), scale.len()));
                for ((&a, b), s) in a.iter().zip(b).zip(scale) {
                    // Enclosures are as wide as the doubles may be off, and twice that.
                    assert!((Interval::point(a) - *b).magnitude() <= 3.0 * allowed * s, "{a} {b:?} {s}");
                }
            };
            for l in 0..3 {
                near(seen.pre_activations(l).unwrap(), exact.pre_activations(l), largest.pre_activations(l).unwrap());
                near(seen.hidden(l).unwrap(), exact.below(l + 1), largest.hidden(l).unwrap());
            }
            let whole = largest.product(0, 3, &modulus(&x)).unwrap();
            near(&seen.product(0, 3, &x).unwrap(), exact.output(), &whole);
            for l in 0..=4 {
                let u = [Interval::ONE, Interval::point(-3.0)];
                let scale = largest.back(l, &[1.0, 3.0]).unwrap();
                near(&seen.back(l, &[1.0, -3.0]).unwrap(), &exact.back(l, &u), &scale);
            }
            assert!(exact.distance_from_kinks() > 0.0);
        }
    }

    #[test]
    fn the_exact_gradient_agrees_with_back_propagation() {
        for depth in 0..3 {
            for negatives in [1, 3] {
                let pair = encoders(depth);
                let fast = pair.gradient(&points().concat(), negatives).unwrap();
                let exact = pair.enclosed_gradient(&points(), negatives).unwrap();
                for (fast, exact) in [(&fast.query, &exact[0]), (&fast.key, &exact[1])] {
                    for (fast, exact) in fast.matrices().zip(exact) {
                        assert_eq!(fast.len(), exact.len());
                        // A few hundred operations on numbers of the size of the matrix's largest entry, at least one.
                        let size = fast.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                        for (&a, b) in fast.iter().zip(exact) {
                            let off = (Interval::point(a) - *b).magnitude();
                            assert!(off <= 512.0 * f64::EPSILON * size, "{a} {b:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn undecided_signs_are_enclosed_both_ways() {
        let pair = encoders(0);
        let mut exact = EnclosedActivations::of(&pair.query, &[1.0, 0.0]).unwrap();
        exact.pre_activations[0][1] = Interval::new(-1.0, 1.0);
        let kept = exact.masked(0, &[Interval::ONE; 4]);
        assert_eq!((kept[1].lo(), kept[1].hi()), (0.0, 1.0));
        assert_eq!(exact.distance_from_kinks(), 0.0);
        assert!(EnclosedActivations::of(&pair.query, &[1.0]).is_err());
    }
}
