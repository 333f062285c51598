//! Sums of table entries at uniformly drawn places: the inner loop of plain Monte Carlo on a finite model.
//!
//! Indices are made with the widest registers, entries are fetched one by one: the gathering instructions of many processors
//! are slower than as many loads, which is why these loops are not compiled for wider registers.

use super::ChunkStream;
use super::lanes::{LANES, Words};
use super::uniform_pairs::{PAIRS, UniformPairs, unpacked};

/// One more than the largest index of 16 bits: a look-up in a table of this length needs no check.
pub(super) const SIZE: usize = 1 << 16;
/// Indices in a row.
const PLACES: usize = 2 * PAIRS;
/// From this many negatives on an observation is added up by itself, below it next to 31 others.
const ALONE: usize = 128;
/// Rows of indices made at a time: at most `ALONE / 2`, and few enough to stay in the first cache with the entries.
const ROWS: usize = 64;
/// Words of a row whose sums are kept in registers.
const WORDS: usize = 4;

/// What ratios of one anchor are drawn from.
#[derive(Clone, Copy)]
pub(super) struct RowSums<'a> {
    /// The entries `e` of the negatives; the last, which belongs to no atom, is zero.
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
    /// observation at a time is summed in 16 interleaved sums. The order of every sum is fixed by `N` alone. Places that are
    /// drawn beyond `N` are replaced by the last of the table, whose entry is zero.
    pub(super) fn draw(self, stream: &mut ChunkStream, out: &mut [f64]) {
        let mixed = UniformPairs::new(self.positives, self.atoms);
        let pairs = UniformPairs::new(self.atoms, self.atoms);
        let (mut begin, mut rows) = ([[0; LANES]], [[0; LANES]; ROWS]);
        for group in out.chunks_mut(PAIRS) {
            mixed.fill(stream, &mut begin);
            let (mut sums, mut own) = ([0.0; PAIRS], [0.0; PAIRS]);
            let halves = own.as_chunks_mut::<2>().0.iter_mut().zip(sums.as_chunks_mut::<2>().0);
            for ((own, sums), word) in halves.zip(begin[0]) {
                let [p, y, q, z] = unpacked(word);
                *own = [self.inverses[p], self.inverses[q]];
                *sums = [self.entries[y], self.entries[z]];
            }
            let more = self.negatives - 1;
            if self.negatives < ALONE {
                let rows = &mut rows[..more.div_ceil(2)];
                pairs.fill(stream, rows);
                if let (Some(last), 1) = (rows.last_mut(), more % 2) {
                    last.iter_mut().for_each(|word| *word |= 0xffff_0000_ffff_0000);
                }
                self.add_pairs(&mut sums, rows);
            } else {
                self.add_all(stream, &pairs, &mut rows, &mut sums[..group.len()]);
            }
            for ((ratio, sum), own) in group.iter_mut().zip(&sums).zip(own) {
                *ratio = sum * own;
            }
        }
    }

    /// Adds to every sum the entries of the pair below it, row after row.
    #[inline(always)]
    fn add_pairs(&self, sums: &mut [f64; PAIRS], rows: &[Words]) {
        for (column, sums) in sums.as_chunks_mut::<{ 2 * WORDS }>().0.iter_mut().enumerate() {
            let mut kept = *sums;
            for row in rows {
                if let Some(words) = row.as_chunks::<WORDS>().0.get(column) {
                    for (pair, &word) in kept.as_chunks_mut::<2>().0.iter_mut().zip(words) {
                        let [a, b, c, d] = unpacked(word);
                        pair[0] += self.entries[a];
                        pair[1] += self.entries[c];
                        pair[0] += self.entries[b];
                        pair[1] += self.entries[d];
                    }
                }
            }
            *sums = kept;
        }
    }

    /// Adds `N - 1` entries to every sum, as many sums at a time as there are rows for.
    #[inline(always)]
    fn add_all(self, stream: &mut ChunkStream, pairs: &UniformPairs, rows: &mut [Words; ROWS], sums: &mut [f64]) {
        let more = self.negatives - 1;
        let each = more.div_ceil(PLACES);
        for batch in sums.chunks_mut((ROWS / each).max(1)) {
            let mut done = 0;
            while done < each {
                let now = (each - done).min(ROWS);
                done += now;
                let rows = &mut rows[..now * batch.len()];
                pairs.fill(stream, rows);
                for (sum, rows) in batch.iter_mut().zip(rows.chunks_exact_mut(now)) {
                    if let (Some(last), true) = (rows.last_mut(), done == each) {
                        blank(last, each * PLACES - more);
                    }
                    *sum += self.sum(rows);
                }
            }
        }
    }

    /// The sum of the entries at all places.
    #[inline(always)]
    fn sum(&self, rows: &[Words]) -> f64 {
        let mut parts = [0.0; 4 * WORDS];
        for words in rows.iter().flat_map(|row| row.as_chunks::<WORDS>().0) {
            for (four, &word) in parts.as_chunks_mut::<4>().0.iter_mut().zip(words) {
                for (part, place) in four.iter_mut().zip(unpacked(word)) {
                    *part += self.entries[place];
                }
            }
        }
        in_pairs(parts)
    }
}

/// Replaces the last places of a row by that of the entry that is zero.
fn blank(row: &mut Words, mut count: usize) {
    for word in row.iter_mut().rev() {
        let now = count.min(4);
        *word |= u64::MAX.checked_shl(64 - 16 * now as u32).unwrap_or(0);
        count -= now;
    }
}

/// The sum of all parts, halves on halves.
fn in_pairs(mut parts: [f64; 4 * WORDS]) -> f64 {
    let mut half = parts.len() / 2;
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
    let (mut rows, mut missing) = ([[0; LANES]; ROWS], draws);
    while missing > 0 {
        let now = missing.min(PLACES * ROWS);
        let rows = &mut rows[..now.div_ceil(PLACES)];
        pairs.fill(stream, rows);
        for place in rows.iter().flatten().flat_map(|&word| unpacked(word)).take(now) {
            counts[place] += 1;
        }
        missing -= now;
    }
}

/// A table that every index of 16 bits is inside of; only the places that are used take memory.
pub(super) fn table<T: Copy + Default>() -> Box<[T; SIZE]> {
    vec![T::default(); SIZE].into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([T::default(); SIZE]))
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
        let sums = RowSums { entries: &entries, inverses: &inverses, positives: 4, atoms: 11, negatives };
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
            assert!((mean / expected - 1.0).abs() < 5.0 * spread, "{negatives}: {mean} {expected}");
        }
    }

    #[test]
    fn in_one_table_of_ones_every_ratio_is_the_number_of_negatives() {
        let mut ones: Box<[f64; SIZE]> = table();
        ones[..SIZE - 1].fill(1.0);
        for negatives in [1, 2, 3, 30, 31, 127, 128, 129, 130, 131, 132, 192, 193, 194, 4096, 4097, 4098, 9000] {
            let mut out = [0.0; 33];
            let sums = RowSums { entries: &ones, inverses: &ones, positives: 3, atoms: 1797, negatives };
            sums.draw(&mut ChunkStream::new(&[1; 32], 0), &mut out);
            assert_eq!(out, [negatives as f64; 33]);
        }
    }

    #[test]
    fn counts_add_up_to_the_draws() {
        for draws in [0, 1, 31, 33, 64, 65, 1000, 9001] {
            let mut counts: Box<[u32; SIZE]> = table();
            count_uniform(&mut ChunkStream::new(&[1; 32], 0), 7, draws, &mut counts);
            assert_eq!(counts[..7].iter().sum::<u32>() as usize, draws);
        }
    }
}
