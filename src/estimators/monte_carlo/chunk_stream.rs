//! ChaCha with eight rounds, sixteen blocks at a time: one stream per chunk, keyed by the seed and the chunk's index.

use std::convert::Infallible;

use rand::TryRng;

use crate::kernels::{InstructionSet, Kernel};

/// Blocks computed together; each has sixteen words of 32 bits.
pub(super) const LANES: usize = 16;
/// Words of 64 bits per refill.
const WORDS: usize = 8 * LANES;
/// The sixteen words of 32 bits of all blocks, word by word; a word of 64 bits is one of an even row below one of the next.
type Words = [[u32; LANES]; 16];

/// A ChaCha8 generator whose stream number is a chunk's index. It makes the same blocks as `rand_chacha::ChaCha8Rng` with
/// `set_stream`, sixteen at a time, and reads them word by word across the sixteen: the same words in another order, at a
/// fraction of the cost.
#[derive(Clone, Debug)]
pub struct ChunkStream {
    start: [u32; 16],
    counter: u64,
    words: Words,
    used: usize,
}

/// The quarter round on copies of the four rows, which therefore cannot overlap: that lets the compiler use wide registers.
#[inline(always)]
fn quarter(x: &mut Words, [a, b, c, d]: [usize; 4]) {
    let (mut p, mut q, mut r, mut s) = (x[a], x[b], x[c], x[d]);
    for i in 0..LANES {
        p[i] = p[i].wrapping_add(q[i]);
        s[i] = (s[i] ^ p[i]).rotate_left(16);
        r[i] = r[i].wrapping_add(s[i]);
        q[i] = (q[i] ^ r[i]).rotate_left(12);
        p[i] = p[i].wrapping_add(q[i]);
        s[i] = (s[i] ^ p[i]).rotate_left(8);
        r[i] = r[i].wrapping_add(s[i]);
        q[i] = (q[i] ^ r[i]).rotate_left(7);
    }
    (x[a], x[b], x[c], x[d]) = (p, q, r, s);
}

#[inline(always)]
fn blocks(start: &[u32; 16], counter: u64, words: &mut Words) {
    // One expression per row: of a loop over rows compilers make scattered stores, which are slow.
    macro_rules! spread {
        ($($row:literal)*) => { [$([start[$row]; LANES]),*] };
    }
    let mut first: Words = spread!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for i in 0..LANES {
        let block = counter.wrapping_add(i as u64);
        low[i] = block as u32;
        high[i] = (block >> 32) as u32;
    }
    (first[12], first[13]) = (low, high);
    let mut x = first;
    for _ in 0..4 {
        for column in 0..4 {
            quarter(&mut x, [column, column + 4, column + 8, column + 12]);
        }
        for diagonal in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
            quarter(&mut x, diagonal);
        }
    }
    // One statement per row, as above.
    macro_rules! finish {
        ($($row:literal)*) => {$(
            for i in 0..LANES {
                words[$row][i] = x[$row][i].wrapping_add(first[$row][i]);
            }
        )*};
    }
    finish!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

/// [`blocks`], compiled for the registers of the machine.
struct Blocks<'a> {
    start: &'a [u32; 16],
    counter: u64,
    words: &'a mut Words,
}

impl Kernel for Blocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        blocks(self.start, self.counter, self.words);
    }
}

impl ChunkStream {
    /// The stream of one chunk under a seed.
    #[must_use]
    pub fn new(seed: &[u8; 32], chunk: u64) -> Self {
        let mut start = [0u32; 16];
        start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        for (word, bytes) in start[4..12].iter_mut().zip(seed.chunks_exact(4)) {
            *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        (start[14], start[15]) = (chunk as u32, (chunk >> 32) as u32);
        ChunkStream {
            start,
            counter: 0,
            words: [[0; LANES]; 16],
            used: WORDS,
        }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        if self.used >= WORDS {
            self.refill();
        }
        let (row, lane) = (self.used / LANES % 8, self.used % LANES);
        self.used += 1;
        u64::from(self.words[2 * row][lane]) | u64::from(self.words[2 * row + 1][lane]) << 32
    }

    /// The lower and the upper halves of the next sixteen words of which none has been read, for loops that work on whole
    /// vectors; what is left of a row that was begun is passed over.
    #[inline(always)]
    pub(super) fn row(&mut self) -> [[u32; LANES]; 2] {
        let begin = self.used.next_multiple_of(LANES);
        let begin = if begin < WORDS {
            begin
        } else {
            self.refill();
            0
        };
        self.used = begin + LANES;
        let row = begin / LANES % 8;
        [self.words[2 * row], self.words[2 * row + 1]]
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        InstructionSet::best().run(Blocks {
            start: &self.start,
            counter: self.counter,
            words: &mut self.words,
        });
        self.counter = self.counter.wrapping_add(LANES as u64);
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
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn the_words_are_those_of_chacha8() {
        let seed: [u8; 32] = std::array::from_fn(|i| (i * 7 + 3) as u8);
        for chunk in [0, 1, u64::MAX - 5] {
            let mut known = ChaCha8Rng::from_seed(seed);
            known.set_stream(chunk);
            let mut ours = ChunkStream::new(&seed, chunk);
            for _ in 0..3 {
                let mut blocks = [[0u64; 8]; LANES];
                blocks.iter_mut().flatten().for_each(|word| *word = known.next_u64());
                for k in 0..8 {
                    for block in &blocks {
                        assert_eq!(ours.next_u64(), block[k]);
                    }
                }
            }
        }
    }

    #[test]
    fn every_width_of_registers_makes_the_same_words() {
        let start: [u32; 16] = std::array::from_fn(|i| (i as u32 + 1).wrapping_mul(0x9e37_79b9));
        for counter in [0, u64::from(u32::MAX) - 3, u64::MAX - 3] {
            let words_of = |set: InstructionSet| {
                let mut words = [[0; LANES]; 16];
                set.run(Blocks {
                    start: &start,
                    counter,
                    words: &mut words,
                });
                words
            };
            for set in InstructionSet::available() {
                assert_eq!(words_of(set), words_of(InstructionSet::PORTABLE), "{}", set.name());
            }
        }
    }

    #[test]
    fn rows_and_words_are_read_from_one_stream_and_none_twice() {
        let (mut words, mut rows) = (ChunkStream::new(&[5; 32], 1), ChunkStream::new(&[5; 32], 1));
        let all: Vec<u64> = (0..2 * WORDS).map(|_| words.word()).collect();
        let joined = |[low, high]: [[u32; LANES]; 2]| -> Vec<u64> {
            let each = low.iter().zip(&high);
            each.map(|(&low, &high)| u64::from(low) | u64::from(high) << 32)
                .collect()
        };
        assert_eq!(joined(rows.row()), all[..LANES]);
        assert_eq!(rows.word(), all[LANES]);
        // The rest of the second row is passed over.
        for row in 2..WORDS / LANES + 2 {
            assert_eq!(joined(rows.row()), all[row * LANES..(row + 1) * LANES]);
        }
        assert_eq!(rows.word(), all[WORDS + 2 * LANES]);
    }

    #[test]
    fn numbers_below_bounds_are_equally_likely() {
        let mut stream = ChunkStream::new(&[9; 32], 0);
        let mut counts = [[0u32; 5]; 3];
        for _ in 0..150_000 {
            let [a, b] = stream.several([3, 5]);
            counts[a as usize][b as usize] += 1;
        }
        let square: f64 = counts
            .iter()
            .flatten()
            .map(|&c| (f64::from(c) - 1e4) * (f64::from(c) - 1e4) / 1e4)
            .sum();
        assert!(square < 45.0, "{square}"); // chi square with 14 degrees of freedom, 1e-4 quantile 42
        // A bound just above 2^63 makes nearly half of all words rejected.
        let above = (1u64 << 63) + 1;
        assert!((0..100).all(|_| stream.several([above])[0] < above));
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
    }
}
