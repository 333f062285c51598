//! One stream of random words per chunk, keyed by the seed and the chunk's index.

use std::convert::Infallible;

use rand::TryRng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::lanes::{LANES, Lanes, Words};
use enclosures::kernels::{InstructionSet, Kernel};

/// Rows made per refill.
const ROWS: usize = 8;
/// Words per refill.
const WORDS: usize = LANES * ROWS;

/// The random words of one chunk: sixteen generators xoshiro256++ side by side, read row by row. They start from words of ChaCha8 under
/// the seed, in the stream whose number is the chunk's index.
///
/// Why that is fit for the purpose: period `2^256 - 1`, no known failure in BigCrush, starting points that are independent as words of
/// ChaCha8 are, and a probability below `2^-117` that any two of the lanes of `2^40` chunks overlap within `2^50` words.
#[derive(Clone, Debug)]
pub struct ChunkStream {
    lanes: Lanes,
    words: [Words; ROWS],
    used: usize,
}

/// The next rows, compiled for the registers of the machine.
struct Refill<'a> {
    lanes: &'a mut Lanes,
    words: &'a mut [Words; ROWS],
}

impl Kernel for Refill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let mut lanes = *self.lanes;
        for row in self.words {
            *row = lanes.row();
        }
        *self.lanes = lanes;
    }
}

impl ChunkStream {
    /// The stream of one chunk under a seed.
    #[must_use]
    pub fn new(seed: &[u8; 32], chunk: u64) -> Self {
        let mut source = ChaCha8Rng::from_seed(*seed);
        source.set_stream(chunk);
        ChunkStream { lanes: Lanes::new(&mut source), words: [[0; LANES]; ROWS], used: WORDS }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        if self.used >= WORDS {
            self.refill();
        }
        let (row, lane) = (self.used / LANES % ROWS, self.used % LANES);
        self.used += 1;
        self.words[row][lane]
    }

    /// The generators themselves, for loops that work on whole rows. Words that were made and not yet read stay for [`Self::word`].
    #[inline(always)]
    pub(super) fn lanes(&mut self) -> &mut Lanes {
        &mut self.lanes
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        InstructionSet::best().run(Refill { lanes: &mut self.lanes, words: &mut self.words });
        self.used = 0;
    }

    /// A whole number below `bound`, all equally likely; zero for a bound of zero.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        self.several([bound as u64])[0] as usize
    }

    /// One number below each of the bounds, all combinations equally likely, from one word nearly always: the word is
    /// multiplied by one bound after the other, the part above 64 bits being the number (Brackett-Rozinsky and Lemire,
    /// *Batched ranged random integer generation*, 2024). The words whose last remainder is below `2^64 mod product` are
    /// rejected, which makes the law exact. The product of the bounds must be below `2^64`.
    #[inline]
    pub fn several<const K: usize>(&mut self, bounds: [u64; K]) -> [u64; K] {
        let product = bounds.iter().fold(1u64, |product, &bound| product.wrapping_mul(bound));
        loop {
            let mut rest = self.word();
            let drawn = bounds.map(|bound| {
                let wide = u128::from(rest) * u128::from(bound);
                rest = wide as u64;
                (wide >> 64) as u64
            });
            if rest >= product || product == 0 || rest >= product.wrapping_neg() % product {
                return drawn;
            }
        }
    }
}

impl TryRng for ChunkStream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), Infallible> {
        for part in target.chunks_mut(8) {
            let bytes = self.word().to_le_bytes();
            part.copy_from_slice(&bytes[..part.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// The rows of a stream, by the known generators.
    fn rows(seed: &[u8; 32], chunk: u64, count: usize) -> Vec<Words> {
        let mut source = ChaCha8Rng::from_seed(*seed);
        source.set_stream(chunk);
        let mut lanes = Lanes::new(&mut source);
        (0..count).map(|_| lanes.row()).collect()
    }

    #[test]
    fn words_are_read_row_by_row_from_the_lanes_of_the_chunk() {
        let seed: [u8; 32] = std::array::from_fn(|i| (i * 7 + 3) as u8);
        let mut all = Vec::new();
        for chunk in [0, 1, u64::MAX - 5] {
            let mut stream = ChunkStream::new(&seed, chunk);
            let words: Vec<u64> = (0..3 * WORDS).map(|_| stream.next_u64()).collect();
            assert_eq!(words, rows(&seed, chunk, 3 * ROWS).concat());
            all.extend(words);
        }
        // No word of one chunk is one of another.
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn rows_and_words_are_read_from_one_stream_and_none_twice() {
        let all = rows(&[5; 32], 1, 2 * ROWS + 2);
        let mut stream = ChunkStream::new(&[5; 32], 1);
        assert_eq!(stream.lanes().row(), all[0]);
        // Eight rows are made for the first word; the next row comes after them.
        let words: Vec<u64> = (0..WORDS - 1).map(|_| stream.word()).collect();
        assert_eq!(words, all[1..=ROWS].concat()[..WORDS - 1]);
        assert_eq!(stream.lanes().row(), all[ROWS + 1]);
        assert_eq!(stream.word(), all[ROWS][LANES - 1]);
        assert_eq!(stream.word(), all[ROWS + 2][0]);
    }

    #[test]
    fn numbers_below_bounds_are_equally_likely() {
        let mut stream = ChunkStream::new(&[9; 32], 0);
        let mut counts = [[0u32; 5]; 3];
        for _ in 0..150_000 {
            let [a, b] = stream.several([3, 5]);
            counts[a as usize][b as usize] += 1;
        }
        let square: f64 = counts.iter().flatten().map(|&c| (f64::from(c) - 1e4) * (f64::from(c) - 1e4) / 1e4).sum();
        assert!(square < 45.0, "{square}"); // chi square with 14 degrees of freedom, 1e-4 quantile 42
        // A bound just above 2^63 makes nearly half of all words rejected.
        let above = (1u64 << 63) + 1;
        assert!((0..100).all(|_| stream.several([above])[0] < above));
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
    }
}
