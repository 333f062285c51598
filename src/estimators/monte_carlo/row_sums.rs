//! Sums of table entries at uniformly drawn places: the inner loop of plain Monte Carlo on a finite model.
//!
//! Indices are made with the widest registers, entries are fetched one by one: the gathering instructions of many processors
//! are slower than as many loads, which is why these loops are not compiled for wider registers.

use super::ChunkStream;
use super::uniform_pairs::{PAIRS, UniformPairs};

/// One more than the largest index of 16 bits: a look-up in a table of this length needs no check.
pub(super) const SIZE: usize = 1 << 16;
/// From this many negatives on an observation is added up by itself, below it next to 31 others.
const ALONE: usize = 128;
/// Rows of indices made at a time.
const ROWS: usize = 128;
/// Sums that are kept in registers.
const LANES: usize = 8;

/// What ratios of one anchor are drawn from.
#[derive(Clone, Copy)]
pub(super) struct RowSums<'a> {
    /// The entries `e` of the negatives.
    pub(super) entries: &'a [f64; SIZE],
    /// The reciprocals `i` of the entries of the positives.
    pub(super) inverses: &'a [f64; SIZE],
    /// Numbers of positives and of negatives to draw from, both positive and at most `2^13`.
    pub(super) positives: usize,
    pub(super) atoms: usize,
    /// `N`, positive.
    pub(super) negatives: usize,
}

impl RowSums<'_> {
    /// Fills `out` with `(e_{y_1} + ... + e_{y_N}) i_p`, each with its own uniform places `p` and `y_1 .. y_N`.
    ///
    /// Up to 127 negatives, 32 observations run side by side, and each is summed one entry after the other. From 128 on one
    /// observation at a time is summed in 32 interleaved sums. The order of every sum is fixed by `N` alone.
    pub(super) fn draw(self, stream: &mut ChunkStream, out: &mut [f64]) {
        let mixed = UniformPairs::new(self.positives, self.atoms);
        let pairs = UniformPairs::new(self.atoms, self.atoms);
        let (mut begin, mut rows) = ([[0; PAIRS]; 2], [[0; PAIRS]; ROWS]);
        for group in out.chunks_mut(PAIRS) {
            mixed.fill(stream, &mut begin);
            let [own, first] = &begin;
            let mut sums = [0.0; PAIRS];
            add(&mut sums, self.entries, std::slice::from_ref(first));
            let more = self.negatives - 1;
            if self.negatives < ALONE {
                pairs.fill(stream, &mut rows[..more.next_multiple_of(2)]);
                add(&mut sums, self.entries, &rows[..more]);
            } else {
                for sum in sums.iter_mut().take(group.len()) {
                    *sum += self.alone(stream, &pairs, &mut rows, more);
                }
            }
            for ((ratio, sum), &place) in group.iter_mut().zip(&sums).zip(own) {
                *ratio = sum * self.inverses[usize::from(place)];
            }
        }
    }

    /// The sum of `count` entries.
    fn alone(
        self,
        stream: &mut ChunkStream,
        pairs: &UniformPairs,
        rows: &mut [[u16; PAIRS]; ROWS],
        count: usize,
    ) -> f64 {
        let (mut parts, mut missing) = ([0.0; PAIRS], count);
        while missing > 0 {
            let (whole, rest) = if missing < PAIRS * ROWS {
                (missing / PAIRS, missing % PAIRS)
            } else {
                (ROWS, 0)
            };
            let used = (whole + usize::from(rest > 0)).next_multiple_of(2);
            pairs.fill(stream, &mut rows[..used]);
            add(&mut parts, self.entries, &rows[..whole]);
            if rest > 0 {
                for (part, &y) in parts.iter_mut().zip(&rows[whole]).take(rest) {
                    *part += self.entries[usize::from(y)];
                }
            }
            missing -= whole * PAIRS + rest;
        }
        in_pairs(parts)
    }
}

/// Adds the entries at every row of places to the sums below them, row after row.
#[inline(always)]
fn add(sums: &mut [f64; PAIRS], table: &[f64; SIZE], rows: &[[u16; PAIRS]]) {
    for (lane, sums) in sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut kept = *sums;
        for row in rows {
            if let Some(places) = row.as_chunks::<LANES>().0.get(lane) {
                for (sum, &place) in kept.iter_mut().zip(places) {
                    *sum += table[usize::from(place)];
                }
            }
        }
        *sums = kept;
    }
}

/// The sum of all parts, halves on halves.
fn in_pairs(mut parts: [f64; PAIRS]) -> f64 {
    let mut half = PAIRS / 2;
    while half > 0 {
        for i in 0..half {
            parts[i] += parts[i + half];
        }
        half /= 2;
    }
    parts[0]
}

/// Counts how often each of `atoms` places is drawn in `draws` uniform draws: a multinomial law.
pub(super) fn count_uniform(stream: &mut ChunkStream, atoms: usize, draws: usize, counts: &mut [u32; SIZE]) {
    let pairs = UniformPairs::new(atoms, atoms);
    let (mut rows, mut missing) = ([[0; PAIRS]; ROWS], draws);
    while missing > 0 {
        let now = missing.min(PAIRS * ROWS);
        pairs.fill(stream, &mut rows[..now.div_ceil(PAIRS).next_multiple_of(2)]);
        for &place in rows.iter().flatten().take(now) {
            counts[usize::from(place)] += 1;
        }
        missing -= now;
    }
}

/// A table that every index of 16 bits is inside of; only the places that are used take memory.
pub(super) fn table<T: Copy + Default>() -> Box<[T; SIZE]> {
    vec![T::default(); SIZE]
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| Box::new([T::default(); SIZE]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios(negatives: usize, count: usize) -> Vec<f64> {
        let mut stream = ChunkStream::new(&[3; 32], negatives as u64);
        let (mut entries, mut inverses) = (table(), table());
        for (i, (entry, inverse)) in entries.iter_mut().zip(inverses.iter_mut()).take(11).enumerate() {
            *entry = core_math::exp(-0.3 * i as f64);
            *inverse = 1.0 / *entry;
        }
        let mut out = vec![0.0; count];
        let sums = RowSums {
            entries: &entries,
            inverses: &inverses,
            positives: 4,
            atoms: 11,
            negatives,
        };
        sums.draw(&mut stream, &mut out);
        out
    }

    #[test]
    fn sums_have_as_many_terms_as_there_are_negatives() {
        // Means over places: of the entries, and of the reciprocals of the first four.
        let entry: f64 = (0..11).map(|i| core_math::exp(-0.3 * f64::from(i))).sum::<f64>() / 11.0;
        let inverse: f64 = (0..4).map(|i| core_math::exp(0.3 * f64::from(i))).sum::<f64>() / 4.0;
        for negatives in [1, 2, 3, 64, 127, 128, 161, 193, 400] {
            let count = 200_000 / negatives;
            let mean = ratios(negatives, count).iter().sum::<f64>() / count as f64;
            let expected = negatives as f64 * entry * inverse;
            // One term more or less is off by 1/N; the relative spread of one observation is about 0.35 + 0.6 / sqrt N.
            let spread = (0.35 + 0.6 / (negatives as f64).sqrt()) / (count as f64).sqrt();
            assert!(
                (mean / expected - 1.0).abs() < 5.0 * spread,
                "{negatives}: {mean} {expected}"
            );
        }
    }

    #[test]
    fn in_one_table_of_ones_every_ratio_is_the_number_of_negatives() {
        let mut ones: Box<[f64; SIZE]> = table();
        ones.fill(1.0);
        for negatives in [1, 2, 31, 127, 128, 160, 161, 192, 193, 4096] {
            let mut out = [0.0; 33];
            let sums = RowSums {
                entries: &ones,
                inverses: &ones,
                positives: 3,
                atoms: 1797,
                negatives,
            };
            sums.draw(&mut ChunkStream::new(&[1; 32], 0), &mut out);
            assert_eq!(out, [negatives as f64; 33]);
        }
    }

    #[test]
    fn counts_add_up_to_the_draws() {
        for draws in [0, 1, 31, 33, 1000] {
            let mut counts: Box<[u32; SIZE]> = table();
            count_uniform(&mut ChunkStream::new(&[1; 32], 0), 7, draws, &mut counts);
            assert_eq!(counts[..7].iter().sum::<u32>() as usize, draws);
        }
    }
}
