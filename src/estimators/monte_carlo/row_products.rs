//! The inner products of drawn rows: the kernel of the estimator that looks nothing up but embeddings.

use enclosures::kernels::{InstructionSet, Kernel, inner_product, inner_products};

/// Rows that are met together.
const TOGETHER: usize = 4;

/// For every draw `k` with anchor `a`, positive `p` and negatives `y_1 .. y_N`: writes `0, f_a.f_{y_1} - f_a.f_p, ...` to the `k`-th group
/// of `N + 1` places of `out`. `points` holds rows of length `d`; places beyond it count as zero vectors. `n >= 1`.
pub(super) struct RowDifferences<'a> {
    pub(super) points: &'a [f64],
    pub(super) d: usize,
    pub(super) pairs: &'a [[u32; 2]],
    pub(super) negatives: &'a [u32],
    pub(super) n: usize,
    pub(super) out: &'a mut [f64],
}

impl RowDifferences<'_> {
    pub(super) fn write(self) {
        InstructionSet::best().run(self);
    }
}

impl Kernel for RowDifferences<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let (n, d) = (self.n, self.d);
        let row = |i: u32| self.points.get(i as usize * d..(i as usize + 1) * d).unwrap_or(&[]);
        for ((pair, places), group) in
            self.pairs.iter().zip(self.negatives.chunks_exact(n)).zip(self.out.chunks_exact_mut(n + 1))
        {
            let anchor = row(pair[0]);
            let against = inner_product(anchor, row(pair[1]));
            group[0] = 0.0;
            let (fours, rest) = places.as_chunks::<TOGETHER>();
            let (several, single) = group[1..].split_at_mut(TOGETHER * fours.len());
            for (differences, four) in several.as_chunks_mut::<TOGETHER>().0.iter_mut().zip(fours) {
                *differences = inner_products(anchor, four.map(row)).map(|product| product - against);
            }
            for (difference, &y) in single.iter_mut().zip(rest) {
                *difference = inner_product(anchor, row(y)) - against;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_of_registers_makes_the_same_bits() {
        let points: Vec<f64> = (0..77).map(|i| core_math::sin(f64::from(i))).collect();
        for d in [1, 7, 8, 11] {
            // Four together and two more, one of them beyond the last row.
            let (pairs, negatives) = ([[0, 1], [2, 3]], [4u32, 5, 6, 0, 1, 99, 2, 5, 3, 4, 6, 0]);
            let row = |i: usize| points.get(i * d..(i + 1) * d).unwrap_or(&[]);
            for set in InstructionSet::available() {
                let mut out = [1.0; 14];
                set.run(RowDifferences {
                    points: &points,
                    d,
                    pairs: &pairs,
                    negatives: &negatives,
                    n: 6,
                    out: &mut out,
                });
                let expected = pairs.iter().zip(negatives.chunks(6)).flat_map(|(pair, places)| {
                    let [anchor, positive] = pair.map(|i: u32| row(i as usize));
                    let against = inner_product(anchor, positive);
                    let differences = places.iter().map(move |&y| inner_product(anchor, row(y as usize)) - against);
                    std::iter::once(0.0).chain(differences)
                });
                assert_eq!(out.to_vec(), expected.collect::<Vec<f64>>(), "{}, d = {d}", set.name());
            }
        }
    }
}
