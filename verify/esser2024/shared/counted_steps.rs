//! The steps (11) and (12) on plain doubles, with every multiplication, addition, division and square root counted.

use enclosures::linear_algebra::Matrix;
use enclosures::vectors::sum_of_squares;

/// Newton-Schulz steps for the inverse square root of a Gram matrix near the identity: 0.44^(2^7) is far below one unit in the last place.
const ROUNDS: usize = 8;

/// A dense matrix, row by row.
#[derive(Clone)]
pub struct Dense {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl From<&Matrix> for Dense {
    fn from(m: &Matrix) -> Self {
        Dense { rows: m.rows(), columns: m.columns(), entries: m.entries().to_vec() }
    }
}

/// The number of operations so far.
#[derive(Default)]
pub struct Tally {
    pub operations: u64,
}

impl Tally {
    /// aᵀb.
    fn inner(&mut self, a: &Dense, b: &Dense) -> Dense {
        let mut entries = vec![0.0; a.columns * b.columns];
        for (x, y) in a.entries.chunks_exact(a.columns).zip(b.entries.chunks_exact(b.columns)) {
            for (row, s) in entries.chunks_exact_mut(b.columns).zip(x) {
                for (sum, t) in row.iter_mut().zip(y) {
                    *sum += s * t;
                    self.operations += 2;
                }
            }
        }
        Dense { rows: a.columns, columns: b.columns, entries }
    }

    /// ab.
    fn product(&mut self, a: &Dense, b: &Dense) -> Dense {
        let mut entries = vec![0.0; a.rows * b.columns];
        for (row, x) in entries.chunks_exact_mut(b.columns).zip(a.entries.chunks_exact(a.columns)) {
            for (s, y) in x.iter().zip(b.entries.chunks_exact(b.columns)) {
                for (sum, t) in row.iter_mut().zip(y) {
                    *sum += s * t;
                    self.operations += 2;
                }
            }
        }
        Dense { rows: a.rows, columns: b.columns, entries }
    }

    /// a + s b.
    fn plus(&mut self, a: &Dense, s: f64, b: &Dense) -> Dense {
        self.operations += 2 * a.entries.len() as u64;
        let entries = a.entries.iter().zip(&b.entries).map(|(x, y)| x + s * y).collect();
        Dense { entries, ..*a }
    }

    /// Λa.
    fn scaled_rows(&mut self, spectrum: &[f64], a: &Dense) -> Dense {
        self.operations += a.entries.len() as u64;
        let rows = a.entries.chunks_exact(a.columns).zip(spectrum);
        let entries = rows.flat_map(|(row, l)| row.iter().map(move |x| l * x)).collect();
        Dense { entries, ..*a }
    }

    /// The inverse square root of a Gram matrix near the identity: X → X(3I − X S X)/2.
    fn inverse_square_root(&mut self, gram: &Dense) -> Dense {
        let mut x = identity(gram.rows);
        for _ in 0..ROUNDS {
            let half = self.product(gram, &x);
            let square = self.product(&x, &half);
            let bracket = self.plus(&identity(gram.rows), -1.0, &square);
            let correction = self.product(&x, &bracket);
            x = self.plus(&x, 0.5, &correction);
        }
        x
    }

    /// (12), with Λ diagonal.
    pub fn euler_step(&mut self, spectrum: &[f64], q: &Dense, eta: f64) -> Dense {
        let image = self.scaled_rows(spectrum, q);
        let gram = self.inner(q, q);
        let energy = self.inner(q, &image);
        let (one, two) = (self.product(&image, &gram), self.product(q, &energy));
        let bent = self.plus(&one, 1.0, &two);
        let bracket = self.plus(&bent, -2.0, &image);
        self.plus(q, 2.0 * eta, &bracket)
    }

    /// (11) with the descending sign and the polar retraction, C = Λ: both weight matrices.
    pub fn descent_step(&mut self, spectrum: &[f64], (first, second): (&Dense, &Dense), eta: f64) -> (Dense, Dense) {
        let product = self.inner(first, second);
        let image = self.scaled_rows(spectrum, &product);
        let down = self.product(second, &transposed(&image));
        let up = self.product(first, &image);
        let mut retracted = |w: &Dense, g: &Dense| {
            let moved = self.plus(w, -2.0 * eta, g);
            let gram = self.inner(&moved, &moved);
            let correction = self.inverse_square_root(&gram);
            self.product(&moved, &correction)
        };
        (retracted(first, &down), retracted(second, &up))
    }

    /// The same step for the outputs alone.
    pub fn descent_of_outputs(&mut self, spectrum: &[f64], q: &Dense, eta: f64) -> Dense {
        let image = self.scaled_rows(spectrum, q);
        let turned = transposed(&image);
        let energy = self.inner(q, &image);
        let mixed = self.product(q, &turned);
        let both = self.plus(&mixed, 1.0, &transposed(&mixed));
        let square = self.product(&image, &turned);
        let one = self.plus(&identity(q.rows), -2.0 * eta, &both);
        let one = self.plus(&one, 4.0 * eta * eta, &square);
        let small = self.inner(&image, &image);
        let two = self.plus(&identity(q.columns), -4.0 * eta, &energy);
        let two = self.plus(&two, 4.0 * eta * eta, &small);
        let cubic = self.product(&image, &energy);
        let inner = self.plus(q, -4.0 * eta, &image);
        let inner = self.plus(&inner, 4.0 * eta * eta, &cubic);
        let (left, right) = (self.inverse_square_root(&one), self.inverse_square_root(&two));
        let half = self.product(&left, &inner);
        self.product(&half, &right)
    }
}

fn identity(n: usize) -> Dense {
    Dense { rows: n, columns: n, entries: (0..n * n).map(|k| f64::from(u8::from(k.is_multiple_of(n + 1)))).collect() }
}

fn transposed(a: &Dense) -> Dense {
    let entry = |k: usize| a.entries[(k % a.rows) * a.columns + k / a.rows];
    Dense { rows: a.columns, columns: a.rows, entries: (0..a.entries.len()).map(entry).collect() }
}

/// W₁ᵀW₂, not counted.
pub fn outputs((first, second): (&Dense, &Dense)) -> Dense {
    Tally::default().inner(first, second)
}

/// The largest distance of entries.
pub fn apart(a: &Dense, b: &Dense) -> f64 {
    a.entries.iter().zip(&b.entries).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()))
}

/// Tr(qᵀΛq), not counted.
pub fn energy(spectrum: &[f64], q: &Dense) -> f64 {
    let rows = q.entries.chunks_exact(q.columns).zip(spectrum);
    rows.map(|(row, l)| l * sum_of_squares(row)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::orthonormal_network::generic;

    fn dense(rows: &[&[f64]]) -> Dense {
        let rows = rows.iter().map(|r| r.to_vec()).collect();
        Dense::from(&Matrix::from_rows(rows).expect("rows of one length"))
    }

    #[test]
    fn products_are_those_by_hand_at_two_operations_a_term() {
        let (a, b) = (dense(&[&[1.0, 2.0], &[3.0, 4.0], &[5.0, 6.0]]), dense(&[&[1.0], &[-1.0]]));
        let mut tally = Tally::default();
        assert_eq!(tally.product(&a, &b).entries, [-1.0, -1.0, -1.0]);
        assert_eq!(tally.operations, 2 * 3 * 2);
        let turned = tally.inner(&a, &dense(&[&[1.0], &[0.0], &[-2.0]]));
        assert_eq!((turned.rows, turned.columns), (2, 1));
        assert_eq!(turned.entries, [-9.0, -10.0]);
        assert_eq!(tally.operations, 2 * 3 * 2 + 2 * 2 * 3);
        assert_eq!(transposed(&a).entries, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        assert_eq!(energy(&[1.0, 10.0, -1.0], &a), 5.0 + 250.0 - 61.0);
    }

    #[test]
    fn the_inverse_square_root_has_the_eigenvalues_it_should() {
        // Eigenvalues 1.3 and 0.7 on (1, 1) and (1, −1).
        let root = Tally::default().inverse_square_root(&dense(&[&[1.0, 0.3], &[0.3, 1.0]]));
        let (high, low) = (1.0 / 1.3f64.sqrt(), 1.0 / 0.7f64.sqrt());
        let (same, across) = (0.5 * (high + low), 0.5 * (high - low));
        assert!(apart(&root, &dense(&[&[same, across], &[across, same]])) < 1e-14);
    }

    #[test]
    fn an_euler_step_on_the_line_is_the_one_by_hand() {
        // q + 2η(λq·q² + q·λq² − 2λq) = q + 4ηλq(q² − 1) = ½ + 0.4·½·¾ at λ = −1.
        let moved = Tally::default().euler_step(&[-1.0], &dense(&[&[0.5]]), 0.1);
        assert!(apart(&moved, &dense(&[&[0.65]])) < 1e-15);
    }

    /// The step of the outputs alone is a formula of its own: no weights enter.
    #[test]
    fn a_step_of_the_weights_is_the_step_of_their_outputs() {
        let (spectrum, eta) = ([-1.0, 0.5, 1.0], 0.05);
        let w = generic(&spectrum, 2, 5).weights().expect("the sizes fit");
        let (first, second) = (Dense::from(&w.first.midpoint()), Dense::from(&w.second.midpoint()));
        let before = outputs((&first, &second));
        let (moved_first, moved_second) = Tally::default().descent_step(&spectrum, (&first, &second), eta);
        let after = outputs((&moved_first, &moved_second));
        assert!(apart(&after, &Tally::default().descent_of_outputs(&spectrum, &before, eta)) < 1e-13);
        assert!(energy(&spectrum, &after) < energy(&spectrum, &before));
        let gram = Tally::default().inner(&moved_first, &moved_first);
        assert!(apart(&gram, &identity(3)) < 1e-13, "the polar retraction keeps columns orthonormal");
    }
}
