//! The inner products of a vector with one other or with a few, for loops that meet one pair at a time.

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
        multiplied(&mut sums, a, b);
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] += a * b;
    }
    added(&sums)
}

/// [`inner_product`] of one vector with four, each the same bits: their sums do not wait for each other, nor do their loads from memory.
/// Vectors of another length than the first count as many times one pair.
#[must_use]
#[inline(always)]
pub fn inner_products(a: &[f64], others: [&[f64]; 4]) -> [f64; 4] {
    if others.iter().any(|b| b.len() != a.len()) {
        return others.map(|b| inner_product(a, b));
    }
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let [b, c, d, e] = others.map(|b| b.as_chunks::<LANES>());
    let mut sums = [[0.0; LANES]; 4];
    for ((((a, b), c), d), e) in a_blocks.iter().zip(b.0).zip(c.0).zip(d.0).zip(e.0) {
        multiplied(&mut sums[0], a, b);
        multiplied(&mut sums[1], a, c);
        multiplied(&mut sums[2], a, d);
        multiplied(&mut sums[3], a, e);
    }
    for (sums, rest) in sums.iter_mut().zip([b.1, c.1, d.1, e.1]) {
        for (lane, (a, b)) in a_rest.iter().zip(rest).enumerate() {
            sums[lane] += a * b;
        }
    }
    sums.map(|sums| added_apart(&sums))
}

#[inline(always)]
fn multiplied(sums: &mut [f64; LANES], a: &[f64; LANES], b: &[f64; LANES]) {
    for lane in 0..LANES {
        sums[lane] += a[lane] * b[lane];
    }
}

/// Partial sums, added in pairs.
#[inline(always)]
fn added(sums: &[f64; LANES]) -> f64 {
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}

/// [`added`] as a function of its own, or the compiler lays the partial sums of several vectors across each other.
#[inline(never)]
fn added_apart(sums: &[f64; LANES]) -> f64 {
    added(sums)
}
