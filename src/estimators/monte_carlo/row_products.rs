//! The inner products of drawn rows: the kernel of the estimator that looks nothing up but embeddings.

use enclosures::kernels::{InstructionSet, Kernel, inner_product};

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
        for ((pair, places), group) in self
            .pairs
            .iter()
            .zip(self.negatives.chunks_exact(n))
            .zip(self.out.chunks_exact_mut(n + 1))
        {
            let anchor = row(pair[0]);
            let against = inner_product(anchor, row(pair[1]));
            group[0] = 0.0;
            for (difference, &y) in group[1..].iter_mut().zip(places) {
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
        for d in [1, 7, 11] {
            let (pairs, negatives) = ([[0, 1], [2, 3], [3, 0]], [4u32, 5, 6, 0, 1, 2]);
            let row = |i: usize| &points[i * d..(i + 1) * d];
            for set in InstructionSet::available() {
                let mut out = [1.0; 9];
                set.run(RowDifferences {
                    points: &points,
                    d,
                    pairs: &pairs,
                    negatives: &negatives,
                    n: 2,
                    out: &mut out,
                });
                let expected = inner_product(row(2), row(6)) - inner_product(row(2), row(3));
                assert_eq!((out[3], out[4]), (0.0, expected), "{}", set.name());
            }
        }
    }
}
