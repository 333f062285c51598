//! Norms of an operator that is only applied to vectors: the largest singular value, and its supremum over sparse vectors.

use rand::Rng;

use super::symmetric_eigenvalues::power_of_two_near;
use crate::enclosure::{Enclosure, Grade};
use crate::interval::Interval;
use crate::kernels::inner_product;
use crate::probability::{fill_standard_normal, uniform};

/// What both ends leave for rounding, relative to them.
const ROUNDING: f64 = 1e-9;

/// What the power method found out about an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct LargestSingularValue {
    /// The operator norm.
    pub value: Enclosure,
    /// Unit vector `v` with `|Mv|` at the lower end of the value.
    pub right: Vec<f64>,
    /// `Mv / |Mv|`.
    pub left: Vec<f64>,
}

/// The largest singular value of an operator `M` on vectors of `columns` entries, by `steps` steps of the power method from a uniformly random
/// direction; `forward` applies `M`, `backward` its transpose.
///
/// The lower end is `|Mv|` of the last vector. The upper end is missed with probability at most `alpha`: the square of the cosine between
/// the start and the top singular vector exceeds `alpha^2 / columns` with probability at least `1 - alpha`, because the density of a coordinate of
/// a uniform point on the sphere gives `P(|x_1| <= t) <= t sqrt(columns)`; and then `|(M^T M)^k v_0| >= sigma^{2k} alpha / sqrt(columns)`
/// (Kuczynski and Wozniakowski 1992). None if the dimension or `steps` is zero, or `alpha` is no probability.
///
/// Both ends leave a relative `1e-9` for rounding. At the lower end that covers products with `|fl(Mv) - Mv| <= 2^-30 |M| |v|`: for a
/// product of L dense layers with sums of n terms the error is below `L n 2^-52` times the product of the layers' Frobenius norms
/// (Higham, section 3.5). At the upper end an error of that size acts on a start whose component along the top singular vector may
/// be as small as `alpha / sqrt(columns)`; that rounding does not single out that component at every step is assumed, not proved.
///
/// ```
/// use contrapositive_enclosures::linear_algebra::largest_singular_value;
/// use rand::SeedableRng;
/// let double = |v: &[f64]| v.iter().map(|x| 2.0 * x).collect::<Vec<f64>>();
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let found = largest_singular_value(3, 200, 1e-6, &mut rng, double, double).unwrap();
/// assert!(found.value.lo() < 2.0 && found.value.hi() > 2.0 && found.value.width() < 0.1);
/// ```
pub fn largest_singular_value<R: Rng + ?Sized>(
    columns: usize,
    steps: u32,
    alpha: f64,
    rng: &mut R,
    forward: impl Fn(&[f64]) -> Vec<f64>,
    backward: impl Fn(&[f64]) -> Vec<f64>,
) -> Option<LargestSingularValue> {
    if columns == 0 || steps == 0 || !(alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    let mut right = vec![0.0; columns];
    fill_standard_normal(rng, &mut right);
    normalise(&mut right);
    let mut growth = Interval::ZERO;
    let mut is_bounded = true;
    for _ in 0..steps {
        let mut next = backward(&forward(&right));
        let norm = normalise(&mut next);
        is_bounded &= norm.is_finite();
        if norm == 0.0 || !norm.is_finite() || next.len() != columns {
            break;
        }
        growth += Interval::point(norm).ln();
        right = next;
    }
    let mut left = forward(&right);
    let reached = normalise(&mut left);
    // A random direction is mapped to zero with probability zero unless the operator is zero.
    let slack = (Interval::point(columns as f64).sqrt() / alpha).ln();
    let upper = match reached {
        _ if !(is_bounded && reached.is_finite()) => f64::INFINITY,
        0.0 => 0.0,
        _ => ((growth + slack) / f64::from(2 * steps)).exp().hi(),
    };
    let lower = if reached.is_finite() { reached * (1.0 - ROUNDING) } else { 0.0 };
    let value = Interval::new(lower, (upper * (1.0 + ROUNDING)).max(lower));
    Some(LargestSingularValue { value: Enclosure::graded(value, Grade::Sampled { alpha }), right, left })
}

/// A lower bound of `sup u^T M v` over unit vectors with at most `left` and `right` non-zero entries, by alternating maximisation with
/// truncation from several random coordinate vectors; `forward` applies `M` to vectors of `columns` entries, `backward` its transpose.
pub fn sparse_operator_norm<R: Rng + ?Sized>(
    columns: usize,
    [left, right]: [usize; 2],
    starts: u32,
    rng: &mut R,
    forward: impl Fn(&[f64]) -> Vec<f64>,
    backward: impl Fn(&[f64]) -> Vec<f64>,
) -> f64 {
    const ROUNDS: u32 = 12;
    let mut best = 0.0f64;
    for _ in 0..starts {
        let index = ((1.0 - uniform(rng)) * columns as f64) as usize;
        let mut v = vec![0.0; columns];
        if let Some(entry) = v.get_mut(index) {
            *entry = 1.0;
        }
        let mut reached = 0.0;
        for _ in 0..ROUNDS {
            let mut u = forward(&v);
            keep_largest(&mut u, left);
            let norm = normalise(&mut u);
            if norm <= reached * (1.0 + 1e-6) {
                break;
            }
            reached = norm;
            v = backward(&u);
            keep_largest(&mut v, right);
            normalise(&mut v);
        }
        best = best.max(reached);
    }
    best
}

/// Divides by the norm, which is returned; a zero vector stays, and so does one with an entry that is not finite.
fn normalise(vector: &mut [f64]) -> f64 {
    // Squares of entries that are far from one overflow or vanish: up to 10^140 their sum stays far below the largest double, and from 10^-140 on
    // those that vanish are no part of its digits.
    const PLAIN: std::ops::Range<f64> = 1e-140..1e140;
    let norm = inner_product(vector, vector).sqrt();
    if PLAIN.contains(&norm) {
        vector.iter_mut().for_each(|x| *x /= norm);
        return norm;
    }
    if norm.is_nan() {
        return f64::INFINITY;
    }
    let largest = vector.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let scale = power_of_two_near(largest);
    vector.iter_mut().for_each(|x| *x /= scale);
    normalise(vector) * scale
}

/// Sets all but the `count` largest entries to zero; of equal ones the first stay.
fn keep_largest(vector: &mut [f64], count: usize) {
    if count >= vector.len() {
        return;
    }
    let mut order: Vec<usize> = (0..vector.len()).collect();
    order.sort_by(|&a, &b| vector[b].abs().total_cmp(&vector[a].abs()).then(a.cmp(&b)));
    for &k in order.iter().skip(count) {
        vector[k] = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear_algebra::{Matrix, SingularValues, gaussian_matrix};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn times(m: &Matrix, v: &[f64]) -> Vec<f64> {
        m.row_iter().map(|row| inner_product(row, v)).collect()
    }

    #[test]
    fn encloses_the_verified_singular_value() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (rows, columns) in [(1, 1), (3, 7), (12, 12), (9, 2)] {
            let m = gaussian_matrix(&mut rng, rows, columns).unwrap();
            let t = m.transpose();
            let verified = SingularValues::of(&m.clone().into()).unwrap().spectral_norm();
            let found =
                largest_singular_value(columns, 400, 1e-9, &mut rng, |v| times(&m, v), |u| times(&t, u)).unwrap();
            assert!(found.value.lo() <= verified.hi() && found.value.hi() >= verified.lo());
            assert!(
                found.value.lo() > 0.999 * verified.lo() && found.value.hi() < 1.05 * verified.hi(),
                "{:?}",
                found.value
            );
            let image = times(&m, &found.right);
            assert!(image.iter().zip(&found.left).all(|(a, b)| (a - b * found.value.lo()).abs() < 1e-6));
        }
    }

    #[test]
    fn rounded_products_move_the_ends_by_no_more_than_their_own_error() {
        // Products in single precision are off by 6e-8 of the norm, far more than a caller's doubles.
        let single = |v: Vec<f64>| v.into_iter().map(|x| f64::from(x as f32)).collect::<Vec<f64>>();
        for seed in 0..50 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let m = gaussian_matrix(&mut rng, 12, 9).unwrap();
            let t = m.transpose();
            let verified = SingularValues::of(&m.clone().into()).unwrap().spectral_norm();
            let (forward, backward) = (|v: &[f64]| single(times(&m, v)), |u: &[f64]| single(times(&t, u)));
            let found = largest_singular_value(9, 40, 1e-9, &mut rng, forward, backward).unwrap().value;
            assert!(found.lo() <= verified.hi() * (1.0 + 2e-7) && found.hi() >= verified.lo() * (1.0 - 2e-7));
        }
    }

    #[test]
    fn few_steps_still_enclose() {
        // Singular values 1 and 0.999: the lower end is far from converged, the upper one must not be below 1.
        let apply = |v: &[f64]| vec![v[0], 0.999 * v[1], 0.5 * v[2]];
        for seed in 0..200 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let found = largest_singular_value(3, 2, 0.01, &mut rng, apply, apply).unwrap();
            assert!(found.value.lo() <= 1.0 && found.value.hi() >= 1.0);
        }
    }

    #[test]
    fn operators_of_any_size_are_enclosed() {
        for size in [1e-290, 1e-200, 7.9e-162, 1e-80, 2e77, 1e120, 1e160, 1e300] {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let apply = |v: &[f64]| v.iter().map(|x| size * x).collect::<Vec<f64>>();
            let found = largest_singular_value(1, 200, 1e-6, &mut rng, apply, apply).unwrap().value;
            assert!(found.lo() <= size && size <= found.hi() && found.lo() > 0.9 * size, "{size}: {found:?}");
        }
    }

    #[test]
    fn sparse_suprema() {
        let m = Matrix::from_rows(vec![vec![1.0, 2.0, 0.0], vec![-3.0, 1.0, 1.0]]).unwrap();
        let t = m.transpose();
        let sup = |sparsity| {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            sparse_operator_norm(3, sparsity, 20, &mut rng, |v| times(&m, v), |u| times(&t, u))
        };
        assert!((sup([1, 1]) - 3.0).abs() < 1e-12);
        assert!((sup([2, 1]) - 10.0f64.sqrt()).abs() < 1e-12);
        assert!((sup([1, 3]) - 11.0f64.sqrt()).abs() < 1e-9);
        let whole = SingularValues::of(&m.clone().into()).unwrap().spectral_norm().midpoint();
        assert!((sup([2, 3]) - whole).abs() < 1e-3);
    }

    #[test]
    fn zero_and_refusals() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let zero = |v: &[f64]| vec![0.0; v.len()];
        let found = largest_singular_value(4, 5, 0.1, &mut rng, zero, zero).unwrap();
        assert_eq!((found.value.lo(), found.value.hi()), (0.0, 0.0));
        assert_eq!(sparse_operator_norm(4, [1, 1], 3, &mut rng, zero, zero), 0.0);
        assert!(largest_singular_value(0, 5, 0.1, &mut rng, zero, zero).is_none());
        assert!(largest_singular_value(4, 0, 0.1, &mut rng, zero, zero).is_none());
        assert!(largest_singular_value(4, 5, f64::NAN, &mut rng, zero, zero).is_none());
    }
}
