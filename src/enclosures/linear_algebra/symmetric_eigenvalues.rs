//! Verified eigenvalues of symmetric matrices.

use nalgebra::SymmetricEigen;

use super::accurate_dot::{accurate_dot, accurate_dot_with_intervals};
use super::jacobi::diagonalised;
use super::{IntervalMatrix, Matrix, MatrixError};
use crate::interval::Interval;

/// Up to this size the own Jacobi method finds the eigenvectors: its bits are the same on every machine.
const JACOBI_SIZE: usize = 64;

/// Iteration limit of the library's eigensolver per row.
const ITERATIONS_PER_ROW: usize = 60;

/// Enclosures `[l_1], ..., [l_n]` of the ordered eigenvalues `λ_1(A) <= ... <= λ_n(A)`, with multiplicity, of **every**
/// symmetric matrix `A` inside the interval matrix `a` (`n x n`): `λ_k(A)` lies in `[l_k]`.
///
/// Lower and upper ends are each non-decreasing. A diagonal matrix of points gives points, a row that is zero off the
/// diagonal gives its diagonal entry, and widths are otherwise a small multiple of `n` roundings of `||A||` (plus the width
/// of the input). The proof, for an approximate eigenvector matrix `V` of which nothing is assumed:
///
/// 1. *Decoupling.* If the off-diagonal entries between two sets of indices are exactly zero, the spectrum is the union of the
///    spectra of the blocks. The k-th smallest of numbers `x_i` in `[a_i, b_i]` lies between the k-th smallest `a_i` and the
///    k-th smallest `b_i`.
/// 2. *Radius.* `A = A_c + E` with the matrix `A_c` of midpoints and `|E| <= R` entrywise, so by Weyl
///    `|λ_k(A) - λ_k(A_c)| <= ||E||_2 <= ||E||_inf <= ||R||_inf` (the spectral radius is below every operator norm).
/// 3. *Off-diagonal part.* `B = V^T A_c V` is enclosed in interval arithmetic. With `B = D + F`, `D` its diagonal, Weyl
///    gives `|λ_k(B) - d_(k)| <= ||F||_inf`, where `d_(k)` is the k-th smallest diagonal entry.
/// 4. *Lack of orthogonality* (Ostrowski 1959; Horn and Johnson, Matrix Analysis, theorem 4.5.9). For non-singular `V`,
///    `λ_k(V^T A_c V) = θ_k λ_k(A_c)` with `θ_k` between the extreme eigenvalues of `V^T V`. If `||V^T V - I||_inf <= δ < 1`
///    these lie in `[1 - δ, 1 + δ]` and `V` is non-singular, so `λ_k(A_c)` lies in `λ_k(B) / [1 - δ, 1 + δ]`.
///
/// Where no usable `V` is found, `V = I` still gives a true, if wide, answer. Blocks of size two are solved by
/// `(a + c)/2 ± sqrt(((a - c)/2)^2 + b^2)`.
///
/// # Errors
/// `a` is not square, has an unbounded entry, or contains no symmetric matrix.
pub fn symmetric_eigenvalues(a: &IntervalMatrix) -> Result<Vec<Interval>, MatrixError> {
    let n = a.square_side()?;
    let mut entries = Vec::with_capacity(n * n);
    for i in 0..n {
        for j in 0..n {
            let both = a.at(i, j).intersection(a.at(j, i));
            let entry = both.ok_or(MatrixError::NotSymmetric { row: i, column: j })?;
            if !entry.is_finite() {
                let value = f64::INFINITY;
                return Err(MatrixError::NotFinite { row: i, column: j, value });
            }
            entries.push(entry);
        }
    }
    let scale = power_of_two_near(entries.iter().map(|e| e.magnitude()).fold(0.0, f64::max));
    let entry = |i: usize, j: usize| rescaled(entries[i * n + j], 1.0 / scale);
    let restored = |l: Interval| rescaled(l, scale);
    let mut found: Vec<Interval> = Vec::with_capacity(n);
    for block in decoupled_blocks(n, |i, j| entries[i * n + j] != Interval::ZERO) {
        match block[..] {
            [i] => found.push(entries[i * n + i]),
            [i, j] => found.extend(eigenvalues_of_two(entry(i, i), entry(i, j), entry(j, j)).map(restored)),
            _ => {
                let rows = |i: usize, j: usize| entry(block[i], block[j]);
                let part = IntervalMatrix::from_fn(block.len(), block.len(), rows)?;
                found.extend(eigenvalues_of_block(&part).into_iter().map(restored));
            }
        }
    }
    Ok(in_order(&found))
}

/// One for ordinary sizes; otherwise a power of two that brings the largest entry near to one, so that squares neither overflow
/// nor underflow.
pub(super) fn power_of_two_near(largest: f64) -> f64 {
    if largest == 0.0 || (1e-100..=1e100).contains(&largest) {
        return 1.0;
    }
    let exponent = (core_math::log2(largest) as i64).clamp(-900, 900);
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The interval times a power of two; by one it stays as it is, however small.
pub(super) fn rescaled(x: Interval, factor: f64) -> Interval {
    if factor == 1.0 { x } else { x * factor }
}

/// Sets of indices that are connected by entries that may differ from zero; each in increasing order.
pub(super) fn decoupled_blocks(n: usize, linked: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut seen = vec![false; n];
    let mut blocks = Vec::new();
    for start in 0..n {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut block = vec![start];
        let mut next = 0;
        while next < block.len() {
            let i = block[next];
            for (j, known) in seen.iter_mut().enumerate() {
                if !*known && (linked(i, j) || linked(j, i)) {
                    *known = true;
                    block.push(j);
                }
            }
            next += 1;
        }
        block.sort_unstable();
        blocks.push(block);
    }
    blocks
}

/// The order statistics of numbers known to lie in these intervals.
#[must_use]
pub fn in_order(intervals: &[Interval]) -> Vec<Interval> {
    let (mut lows, mut highs): (Vec<f64>, Vec<f64>) = intervals.iter().map(|x| (x.lo(), x.hi())).unzip();
    lows.sort_by(f64::total_cmp);
    highs.sort_by(f64::total_cmp);
    lows.into_iter().zip(highs).map(|(a, b)| Interval::new(a, b)).collect()
}

fn eigenvalues_of_two(a: Interval, b: Interval, c: Interval) -> [Interval; 2] {
    let centre = (a + c) / 2.0;
    let radius = (((a - c) / 2.0).square() + b.square()).sqrt();
    [centre - radius, centre + radius]
}

fn eigenvalues_of_block(a: &IntervalMatrix) -> Vec<Interval> {
    let n = a.rows();
    let centre = a.midpoint();
    let distances = IntervalMatrix::from_fn(n, n, |i, j| (a.at(i, j) - centre.get(i, j).unwrap_or(f64::NAN)).abs());
    let radius = distances.map_or(f64::INFINITY, |d| d.infinity_norm().hi());
    let first = if n <= JACOBI_SIZE {
        jacobi_vectors(&centre)
    } else {
        library_vectors(&centre).unwrap_or_else(|| jacobi_vectors(&centre))
    };
    verified(&centre, &first)
        .or_else(|| verified(&centre, &jacobi_vectors(&centre)))
        .or_else(|| verified(&centre, &identity_rows(n)))
        .unwrap_or_else(|| vec![Interval::ENTIRE; n])
        .into_iter()
        .map(|l| l.widened_by(radius))
        .collect()
}

fn identity_rows(n: usize) -> Vec<Vec<f64>> {
    (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect()
}

fn jacobi_vectors(a: &Matrix) -> Vec<Vec<f64>> {
    diagonalised(a.entries().to_vec(), a.rows()).0
}

fn library_vectors(a: &Matrix) -> Option<Vec<Vec<f64>>> {
    let n = a.rows();
    let solved = SymmetricEigen::try_new(a.to_nalgebra(), f64::EPSILON, ITERATIONS_PER_ROW * n)?;
    let columns = solved.eigenvectors.column_iter();
    Some(columns.map(|column| column.iter().copied().collect()).collect())
}

/// Steps 3 and 4 of the proof; `vectors` are the columns of V. Nothing if V may be singular or is not finite.
fn verified(a: &Matrix, vectors: &[Vec<f64>]) -> Option<Vec<Interval>> {
    let n = a.rows();
    if vectors.iter().flatten().any(|x| !x.is_finite()) {
        return None;
    }
    let mut defect: f64 = 0.0;
    for (i, v) in vectors.iter().enumerate() {
        let row = vectors.iter().enumerate().map(|(j, w)| {
            let inner = accurate_dot(v, w);
            (if i == j { inner - 1.0 } else { inner }).abs()
        });
        defect = defect.max(row.sum::<Interval>().hi());
    }
    if defect.is_nan() || defect >= 0.5 {
        return None;
    }
    let mut off_diagonal = vec![Interval::ZERO; n];
    let mut diagonal = Vec::with_capacity(n);
    for (j, w) in vectors.iter().enumerate() {
        let image: Vec<Interval> = a.row_iter().map(|row| accurate_dot(row, w)).collect();
        let entry = |v: &[f64]| accurate_dot_with_intervals(v, &image);
        diagonal.push(entry(w));
        for (i, v) in vectors.iter().enumerate().take(j) {
            let size = entry(v).abs();
            off_diagonal[i] += size;
            off_diagonal[j] += size;
        }
    }
    let radius = off_diagonal.iter().map(|r| r.hi()).fold(0.0, f64::max);
    let theta = Interval::ONE.widened_by(defect);
    let ordered = in_order(&diagonal).into_iter();
    Some(ordered.map(|d| d.widened_by(radius) / theta).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::linear_algebra::{PlaneRotation, SymmetricMatrix};

    fn of(rows: Vec<Vec<f64>>) -> Vec<Interval> {
        symmetric_eigenvalues(&Matrix::from_rows(rows).unwrap().into()).unwrap()
    }

    #[test]
    fn diagonal_and_decoupled_matrices_give_points() {
        let diagonal = Matrix::diagonal(&[3.0, 0.0, -2.0, 0.0, 0.1]).unwrap();
        let points = [-2.0, 0.0, 0.0, 0.1, 3.0].map(Interval::point);
        assert_eq!(symmetric_eigenvalues(&diagonal.into()).unwrap(), points);
        // The plane with eigenvalues -1, 1 and an isolated zero.
        let mixed = of(vec![vec![0.0, 0.0, 1.0], vec![0.0, 0.0, 0.0], vec![1.0, 0.0, 0.0]]);
        assert_eq!(mixed, [-1.0, 0.0, 1.0].map(Interval::point));
        assert_eq!(of(vec![vec![5e-324]]), [Interval::point(5e-324)]);
    }

    #[test]
    fn extreme_scales_are_enclosed_tightly() {
        for scale in [1e-290, 1e-150, 1.0, 1e150, 1e300] {
            let found =
                of(vec![vec![2.0 * scale, scale, 0.0], vec![scale, 2.0 * scale, scale], vec![0.0, scale, 2.0 * scale]]);
            assert!(found[1].contains(2.0 * scale), "{found:?}");
            assert!(found.iter().all(|l| l.width() < 1e-13 * scale), "{found:?}");
        }
    }

    #[test]
    fn what_has_no_symmetric_eigenvalues_is_refused() {
        let lopsided: IntervalMatrix = Matrix::from_rows(vec![vec![0.0, 1.0], vec![2.0, 0.0]]).unwrap().into();
        assert!(matches!(symmetric_eigenvalues(&lopsided), Err(MatrixError::NotSymmetric { .. })));
        let unbounded = IntervalMatrix::new(1, 1, vec![Interval::ENTIRE]).unwrap();
        assert!(symmetric_eigenvalues(&unbounded).is_err());
        let wide = IntervalMatrix::new(1, 2, vec![Interval::ONE; 2]).unwrap();
        assert!(symmetric_eigenvalues(&wide).is_err());
    }

    #[test]
    fn a_hundred_rows_go_through_the_library_solver() {
        // Second difference matrix: eigenvalues 2 - 2 cos(k pi / (n + 1)).
        let n = 100;
        let second_difference = Matrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        });
        let found = symmetric_eigenvalues(&second_difference.unwrap().into()).unwrap();
        for (k, l) in found.iter().enumerate() {
            let exact = 2.0 - (Interval::pi() * (k + 1) as f64 / (n + 1) as f64).cos() * 2.0;
            assert!(l.intersection(exact).is_some() && l.width() < 4e-12, "{k}: {l:?}");
        }
    }

    proptest! {
        #[test]
        fn a_prescribed_spectrum_is_found_again(
            mut spectrum in prop::collection::vec(-10.0..10.0f64, 1..8),
            repeated in any::<bool>(),
            turns in prop::collection::vec((0..8usize, 0..8usize, -3.0..3.0f64), 0..12),
        ) {
            let n = spectrum.len();
            if repeated && n > 2 { spectrum[1] = spectrum[0]; spectrum[2] = 0.0; }
            let rotations = turns.into_iter().map(|(i, j, half_tangent)| {
                PlaneRotation { first: i % n, second: j % n, half_tangent }
            }).filter(|r| r.first != r.second).collect();
            let matrix = SymmetricMatrix::Spectral { spectrum: spectrum.clone(), rotations };
            let entries = matrix.entries().unwrap();
            let found = symmetric_eigenvalues(&entries).unwrap();
            spectrum.sort_by(f64::total_cmp);
            for (l, exact) in found.iter().zip(&spectrum) {
                prop_assert!(l.contains(*exact), "{l:?} misses {exact}");
                prop_assert!(l.width() <= 1e-11, "{l:?}");
            }
            let sum: Interval = found.iter().copied().sum();
            prop_assert!(sum.intersection(entries.trace().unwrap()).is_some());
            let squares: Interval = found.iter().map(|l| l.square()).sum();
            prop_assert!(squares.intersection(entries.frobenius_norm_squared()).is_some());
        }

        #[test]
        fn the_determinant_is_the_product(e in prop::collection::vec(-4.0..4.0f64, 6)) {
            let rows = vec![vec![e[0], e[1], e[2]], vec![e[1], e[3], e[4]], vec![e[2], e[4], e[5]]];
            let p = |i: usize, j: usize| Interval::point(rows[i][j]);
            let minor = |a: usize, b: usize| p(1, a) * p(2, b) - p(1, b) * p(2, a);
            let determinant = p(0, 0) * minor(1, 2) - p(0, 1) * minor(0, 2) + p(0, 2) * minor(0, 1);
            let product: Interval = of(rows.clone()).into_iter().product();
            prop_assert!(product.intersection(determinant).is_some());
        }
    }
}
