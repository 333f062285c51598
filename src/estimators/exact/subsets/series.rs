//! Small gains: a short series in power sums.
//!
//! With `b = 1 - a`, `S` its mean, `s = k S` and `e_m` the elementary symmetric polynomial, Bonferroni's inequalities put `F` between the partial sums of
//! `sum_m (-1)^(m+1) c_m e_m(b)`, `c_m = C(k, m)/C(n, m)`, and by Maclaurin's `c_m e_m <= s^m/m!`. So [`terms`] of them leave less than `7e-16 F` for `s <= 1/16`.
//! Newton's identities `m e_m = sum_i (-1)^(i-1) e_(m-i) p_i` make the `e_m` of the power sums `p_i = sum b^i`: those are added up once for all candidates,
//! and along a tree for all but each positive.
//!
//! # Errors
//! Newton's identities cancel, but not where it matters. As a polynomial in the `p_i`, `e_m` has coefficients whose sizes add up to one (the shares of the cycle types
//! among permutations), and `p_i <= p_1^i`: in sizes, its terms are at most `p_1^m` together. If the power sums are off by `d` relatively, a term with its
//! at most `m` factors is off by `m d + m (m + 5)/2 u`, and as `c_m p_1^m <= s^m`, all of them by at most `1.01 sum_m (m d + m (m + 5)/2 u) s^m`, for
//! `s <= 1/16` and `F >= s (1 - s/2)` at most `(1.19 d + 4 u) F`. The coefficients and the last sum add `5 u F`. A power has at most seven roundings, a sum in runs
//! of 32 at most `32 + n/32`, and a tree two for each of its levels: `d <= (n/32 + 40 + 2 log2 n) u`. In all that is less than what [`super::gain::error`] allows.
//!
//! # Longer ones
//! For `s <= 1` there are [`MANY`] terms: by the inequalities above the next one is at most `2 s^17/18! < 3.2e-16` of `F >= s/2`. What rounding does is bounded by what
//! the terms are, not by `s`: with all signs positive, Newton's identities make the sums `h_m` of their sizes, so that the error is at most
//! `sum_m c_m h_m (m d + (m (m + 5)/2 + 3 m + 19) u)`, where two roundings a factor of the coefficient, one of its product with `e_m` and the last sum have been counted
//! in, and `d` has sixteen roundings of a power in place of seven. Sizes without a positive are smaller than with it, and `F >= 1 - e^-s` without the largest `b`.

use super::kernel::{self, LANES, MANY, PerNode, TERMS};
use crate::exact::kernels::Instructions;

/// What a series of [`TERMS`] terms, the most there are, may leave out of a gain, relatively: `s^8/9!` at `s = 1/16`, rounded up.
const LEFT_OUT: f64 = 6.5e-16;
const U: f64 = f64::EPSILON / 2.0;

/// How many terms are enough where `s` is at most so much.
pub(super) fn terms(s: f64) -> usize {
    let mut left_out = 1.0;
    for m in 1..TERMS {
        left_out *= s / (m + 1) as f64;
        if left_out <= LEFT_OUT {
            return m;
        }
    }
    TERMS
}

/// The gains of subsets of `size` candidates at eight nodes: over all candidates, and without each one of those from `common` on, where the mean of
/// `b` times `size` is at most `s <= 1/16`, whichever of them is left out.
pub(super) fn gains(
    set: Instructions,
    all: &[(PerNode, PerNode)],
    common: usize,
    size: usize,
    s: f64,
) -> (PerNode, Vec<PerNode>) {
    let (full, without, _) = alternating(set, all, common, size, terms(s).min(size));
    (full, without)
}

/// Likewise by [`MANY`] terms, fewer of which there may not be, with a bound of the relative error of the gains at each node; that holds where the mean of `b`
/// times `size` is at most one, whichever of them is left out.
pub(super) fn long_gains(
    set: Instructions,
    all: &[(PerNode, PerNode)],
    common: usize,
    size: usize,
) -> (PerNode, Vec<PerNode>, PerNode) {
    let (full, without, powers) = alternating(set, all, common, size, MANY);
    let mut largest = [0.0f64; LANES];
    for (_, b) in all {
        for l in 0..LANES {
            largest[l] = largest[l].max(b[l]);
        }
    }
    let n = all.len() as f64;
    // Of a power, of the sum over shared candidates, and of the tree.
    let of_power = (n / 32.0 + 49.0 + 2.0 * core_math::log2(n)) * U;
    // Sizes with one candidate less are the larger ones.
    let coefficients = coefficients((all.len() - 1).max(size), size, MANY);
    let error = |l: usize| {
        let mut sizes = [1.0; MANY + 1];
        let mut error = 0.0;
        for m in 1..=MANY {
            let sum: f64 = (1..=m).map(|i| sizes[m - i] * powers[i - 1][l]).sum();
            sizes[m] = sum / m as f64;
            let m = m as f64;
            let roundings = m * of_power + (0.5 * m * (m + 5.0) + 3.0 * m + 19.0) * U;
            error += coefficients[m as usize - 1].abs() * sizes[m as usize] * roundings;
        }
        let others = 0.999 * size as f64 * (powers[0][l] - largest[l]) / (n - 1.0);
        1.02 * error / -core_math::expm1(-others.max(0.0)) + 3.2e-16
    };
    (full, without, std::array::from_fn(error))
}

/// The gains by so many terms, and the power sums of all candidates.
fn alternating(
    set: Instructions,
    all: &[(PerNode, PerNode)],
    common: usize,
    size: usize,
    terms: usize,
) -> (PerNode, Vec<PerNode>, Vec<PerNode>) {
    let (shared, single) = all.split_at(common);
    let mut sums = [[0.0; LANES]; MANY];
    kernel::add_power_sums(set, shared, &mut sums[..terms]);
    let mut leaves = vec![[0.0; LANES]; single.len() * terms];
    for (candidate, powers) in single.iter().zip(leaves.chunks_exact_mut(terms)) {
        kernel::add_power_sums(set, std::slice::from_ref(candidate), powers);
    }
    let (whole, without) = along_a_tree(&sums[..terms], leaves);
    let mut full = [[0.0; LANES]];
    kernel::alternate(set, &whole, &coefficients(all.len(), size, terms), &mut full);
    let mut gains = vec![[0.0; LANES]; single.len()];
    if !single.is_empty() {
        kernel::alternate(set, &without, &coefficients(all.len() - 1, size, terms), &mut gains);
    }
    (full[0], gains, whole)
}

/// `C(size, m)/C(total, m)` for `m = 1 .. terms`, every other one negative.
fn coefficients(total: usize, size: usize, terms: usize) -> Vec<f64> {
    let mut coefficient = 1.0;
    (0..terms)
        .map(|m| {
            coefficient *= (size - m) as f64 / (total - m) as f64;
            if m % 2 == 0 { coefficient } else { -coefficient }
        })
        .collect()
}

/// The sum of what all have in common and all leaves, and the sums without each leaf, of as many numbers each as `common` has. Nothing is ever taken away
/// from a sum, so that small ones keep their digits beside large leaves.
fn along_a_tree(common: &[PerNode], leaves: Vec<PerNode>) -> (Vec<PerNode>, Vec<PerNode>) {
    let width = common.len();
    let plus = |x: &PerNode, y: &PerNode| -> PerNode { std::array::from_fn(|l| x[l] + y[l]) };
    let sum = |x: &[PerNode], y: &[PerNode], to: &mut Vec<PerNode>| to.extend(x.iter().zip(y).map(|(x, y)| plus(x, y)));
    if leaves.is_empty() {
        return (common.to_vec(), Vec::new());
    }
    let mut levels = vec![leaves];
    while let Some(level) = levels.last().filter(|level| level.len() > width) {
        let mut above = Vec::with_capacity(level.len() / 2 + width);
        for pair in level.chunks(2 * width) {
            match pair.split_at(width) {
                (one, []) => above.extend_from_slice(one),
                (one, other) => sum(one, other, &mut above),
            }
        }
        levels.push(above);
    }
    let root = levels.pop().unwrap_or_default();
    let (mut whole, mut outside) = (Vec::with_capacity(width), common.to_vec());
    sum(common, &root, &mut whole);
    for level in levels.iter().rev() {
        let mut below = Vec::with_capacity(level.len());
        for i in 0..level.len() / width {
            let above = &outside[i / 2 * width..][..width];
            // The last of an odd number has no other half.
            match level.get((i ^ 1) * width..((i ^ 1) + 1) * width) {
                Some(sibling) => sum(above, sibling, &mut below),
                None => below.extend_from_slice(above),
            }
        }
        outside = below;
    }
    (whole, outside)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{by_recurrence, candidates};
    use super::*;
    use enclosures::probability::uniform;
    use enclosures::stream::stream;

    #[test]
    fn as_many_terms_as_leave_nothing_that_counts() {
        assert_eq!([1.0 / 16.0, 0.01, 1e-3, 1e-5, 1e-8, 1e-16].map(terms), [8, 6, 5, 3, 2, 1]);
    }

    #[test]
    fn sums_without_each_leaf_hold_all_others() {
        for count in [1, 2, 3, 5, 8, 13] {
            let leaves: Vec<PerNode> =
                (0..2 * count).map(|i| [f64::from(1 << (i / 2)) * (1 + i % 2) as f64; LANES]).collect();
            let (whole, without) = along_a_tree(&[[0.25; LANES], [0.5; LANES]], leaves.clone());
            let all = f64::from((1 << count) - 1);
            assert_eq!(whole, [[0.25 + all; LANES], [0.5 + 2.0 * all; LANES]]);
            for (leaf, without) in leaves.as_chunks::<2>().0.iter().zip(without.as_chunks::<2>().0) {
                assert_eq!(without[0], [0.25 + all - leaf[0][0]; LANES]);
                assert_eq!(without[1], [0.5 + 2.0 * all - leaf[1][0]; LANES]);
            }
        }
    }

    #[test]
    fn series_agree_with_the_recurrence_whatever_is_left_out() {
        let mut rng = stream(5, &["series"]);
        for (count, size, largest) in
            [(40, 3, 1e-2), (200, 15, 3e-3), (300, 255, 1e-4), (500, 7, 1e-9), (9, 8, 1e-4), (6, 1, 1e-2)]
        {
            let mut values: Vec<f64> = (0..count).map(|_| largest * uniform(&mut rng)).collect();
            let common = count / 2;
            // One positive that outweighs the others.
            values[common] = 4.0 * largest;
            let s = 1.001 * size as f64 * values.iter().sum::<f64>() / (count - 1) as f64;
            assert!(s <= 1.0 / 16.0, "{count} {size} {s}");
            let (full, without) = gains(Instructions::detect(), &candidates(&values), common, size, s);
            let agree = |found: f64, values: &[f64]| {
                let expected = by_recurrence(values, size);
                let error = super::super::gain::error(count, size) + 4.0 * f64::EPSILON * count as f64;
                assert!((found - expected).abs() <= error * expected, "{count} {size}: {found:e} {expected:e}");
            };
            agree(full[0], &values);
            agree(full[3], &values.iter().map(|b| b / 8.0).collect::<Vec<_>>());
            for (at, without) in (common..).zip(&without) {
                let mut others = values.clone();
                others.remove(at);
                agree(without[0], &others);
            }
        }
    }

    #[test]
    fn errors_of_long_series_are_bounded_and_the_bound_is_of_use() {
        let mut rng = stream(7, &["series"]);
        for (count, size) in [(60, 17), (300, 40), (900, 255)] {
            let mut values: Vec<f64> = (0..count).map(|_| 0.4 + uniform(&mut rng)).collect();
            let total: f64 = values.iter().sum();
            // The mean times the size is nearly one at the first node.
            let factor = 0.98 * (count - 1) as f64 / (size as f64 * total);
            values.iter_mut().for_each(|b| *b *= factor);
            let common = count / 3;
            let (full, without, errors) = long_gains(Instructions::detect(), &candidates(&values), common, size);
            for lane in 0..LANES {
                let at_node: Vec<f64> = values.iter().map(|b| b / (1u32 << lane) as f64).collect();
                let error = errors[lane];
                // Of few candidates, whose recurrence is short, it is not of use.
                let allowed = super::super::gain::error(count, size);
                let limit = if count > 60 { allowed } else { 2.0 * allowed };
                assert!(error < limit, "{count} {size} {lane}: {error:e}");
                // What the recurrence of plain doubles may be off by.
                let slack = 2.0 * f64::EPSILON * (count + 4 * size) as f64;
                let agree = |found: f64, values: &[f64]| {
                    let expected = by_recurrence(values, size);
                    assert!((found - expected).abs() <= (error + slack) * expected, "{count} {size} {lane}");
                };
                agree(full[lane], &at_node);
                for at in [common, count - 1] {
                    let mut others = at_node.clone();
                    others.remove(at);
                    agree(without[at - common][lane], &others);
                }
            }
        }
    }

    #[test]
    fn what_one_candidate_makes_is_not_bounded() {
        let mut values = vec![1e-9; 60];
        values[7] = 0.5;
        let (_, _, errors) = long_gains(Instructions::detect(), &candidates(&values), 50, 17);
        assert!(errors[0] > 1e-9, "{errors:?}");
    }

    #[test]
    fn the_bits_do_not_depend_on_instructions() {
        let mut rng = stream(6, &["series"]);
        let values: Vec<f64> = (0..77).map(|_| 1e-3 * uniform(&mut rng)).collect();
        let found = |set| gains(set, &candidates(&values), 50, 9, 1e-2);
        for set in Instructions::available() {
            assert_eq!(found(set), found(Instructions::Portable), "{set:?}");
        }
    }
}
