//! The inner product of two vectors, for loops that meet one pair at a time.

/// Number of partial sums.
const LANES: usize = 8;

/// `a_0 b_0 + a_1 b_1 + ...` of two vectors of one length; of unequal ones, the whole blocks of eight that both have and what
/// both have beyond their own last whole block.
///
/// Eight partial sums, each over every eighth coordinate, are added in pairs: a fixed order, and one the compiler can turn into
/// vector instructions where it is inlined. The error is at most `d u / (1 - d u) * sum_k |a_k b_k|` as for every order of
/// summation (Higham, *Accuracy and Stability of Numerical Algorithms*, section 3.1), plus `2^-1075` for every product that
/// underflows.
///
/// ```
/// assert_eq!(contrapositive_enclosures::kernels::inner_product(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
/// ```
#[must_use]
#[inline(always)]
pub fn inner_product(a: &[f64], b: &[f64]) -> f64 {
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] += a * b;
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}
