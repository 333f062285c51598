//! Two exactly uniform indices from 32 random bits, for whole vectors at a time.

use super::ChunkStream;
use super::lanes::{LANES, Words};
use enclosures::kernels::{InstructionSet, Kernel};

/// Pairs that one row of the stream makes: one from each half of a word.
pub(super) const PAIRS: usize = 2 * LANES;
const LOW: u64 = 0xffff_ffff;

/// The two pairs `(a, b)` and `(c, d)` of a packed word, as `[a, b, c, d]`.
#[inline(always)]
pub(super) fn unpacked(word: u64) -> [usize; 4] {
    [word, word >> 16, word >> 32, word >> 48].map(|index| (index & 0xffff) as usize)
}

/// Pairs of independent indices below two bounds.
///
/// A number `w` of 32 bits is multiplied by the first bound; the part above 32 bits is the first index, and what is left is
/// multiplied by the second. Of the `2^32` values of `w` those whose last remainder is below `2^32 mod ab` are rejected, after
/// which every pair has equally many (Brackett-Rozinsky and Lemire, *Batched ranged random integer generation*, 2024). A whole row
/// is drawn again when one of its numbers is rejected: given that none is, they are independent and uniform.
#[derive(Clone, Copy, Debug)]
pub(super) struct UniformPairs {
    bounds: [u32; 2],
    limit: u64,
}

impl UniformPairs {
    /// Pairs below `a` and `b`, two positive numbers of at most `2^13` each: then at most one row in four is rejected.
    pub(super) fn new(a: usize, b: usize) -> Self {
        let product = (a as u64).wrapping_mul(b as u64).max(1);
        UniformPairs {
            bounds: [a as u32, b as u32],
            // Below 2^26.
            limit: (1 << 32) % product,
        }
    }

    /// Fills `out` with packed pairs, four indices of 16 bits in each word.
    pub(super) fn fill(&self, stream: &mut ChunkStream, out: &mut [Words]) {
        InstructionSet::best().run(Fill { pairs: *self, stream, out });
    }
}

/// [`UniformPairs::fill`], compiled for the registers of the machine.
struct Fill<'a> {
    pairs: UniformPairs,
    stream: &'a mut ChunkStream,
    out: &'a mut [Words],
}

impl Kernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let ([a, b], limit) = (self.pairs.bounds.map(u64::from), self.pairs.limit);
        let mut lanes = *self.stream.lanes();
        for row in self.out {
            loop {
                let words = lanes.row();
                let (mut packed, mut rejected) = ([0; LANES], 0u64);
                for i in 0..LANES {
                    let (first, second) = ((words[i] & LOW) * a, (words[i] >> 32) * a);
                    let (then, last) = ((first & LOW) * b, (second & LOW) * b);
                    rejected |= u64::from(then & LOW < limit) | u64::from(last & LOW < limit);
                    packed[i] = first >> 32 | then >> 32 << 16 | second >> 32 << 32 | last >> 32 << 48;
                }
                if rejected == 0 {
                    *row = packed;
                    break;
                }
            }
        }
        *self.stream.lanes() = lanes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same rule with one number of `bits` bits, small enough to go through all of them.
    fn accepted_counts(a: u32, b: u32, bits: u32) -> Vec<u32> {
        let (modulus, mut counts) = (1u32 << bits, vec![0; (a * b) as usize]);
        for w in 0..modulus {
            let x = w * a;
            let y = (x % modulus) * b;
            if y % modulus >= modulus % (a * b) {
                counts[((x >> bits) * b + (y >> bits)) as usize] += 1;
            }
        }
        counts
    }

    #[test]
    fn every_pair_has_equally_many_accepted_numbers() {
        for (a, b) in [(3, 5), (7, 7), (1, 31), (9, 4), (16, 16)] {
            let counts = accepted_counts(a, b, 12);
            assert!(counts.iter().all(|&count| count == 4096 / (a * b)), "{a} {b}: {counts:?}");
        }
    }

    #[test]
    fn pairs_are_equally_likely_and_in_range() {
        let mut stream = ChunkStream::new(&[8; 32], 3);
        let mut rows = vec![[0; LANES]; 10_000];
        UniformPairs::new(5, 7).fill(&mut stream, &mut rows);
        let mut counts = [[0u32; 7]; 5];
        for [i, j, k, l] in rows.iter().flatten().map(|&word| unpacked(word)) {
            counts[i][j] += 1;
            counts[k][l] += 1;
        }
        let expected = 10_000.0 * PAIRS as f64 / 35.0;
        let square = |&count: &u32| (f64::from(count) - expected) * (f64::from(count) - expected) / expected;
        // Chi square with 34 degrees of freedom: the 1e-5 quantile is 84.
        assert!(counts.iter().flatten().map(square).sum::<f64>() < 84.0, "{counts:?}");
        // With these bounds a third of the rows is rejected; the largest index still comes.
        UniformPairs::new(8191, 8179).fill(&mut stream, &mut rows[..2000]);
        let largest = |k: usize| rows[..2000].iter().flatten().map(|&word| unpacked(word)[k]).max();
        assert_eq!([0, 1, 2, 3].map(largest), [Some(8190), Some(8178), Some(8190), Some(8178)]);
    }

    #[test]
    fn rows_with_a_rejected_number_are_drawn_again() {
        for (a, b) in [(8069, 8189), (181, 1797), (4096, 8192)] {
            let mut out = vec![[0; LANES]; 200];
            UniformPairs::new(a, b).fill(&mut ChunkStream::new(&[7; 32], 2), &mut out);
            // The rule half by half, on the same stream.
            let mut stream = ChunkStream::new(&[7; 32], 2);
            let (mut expected, mut rejected) = (Vec::new(), 0);
            while expected.len() < 200 {
                let row = stream.lanes().row();
                let halves: Vec<u64> = row.iter().flat_map(|word| [word % (1 << 32), word >> 32]).collect();
                let products = halves.iter().map(|w| w * a as u64 % (1 << 32) * b as u64);
                if products.clone().any(|y| y % (1 << 32) < (1 << 32) % (a * b) as u64) {
                    rejected += 1;
                    continue;
                }
                let pairs = halves.iter().map(|w| (w * a as u64) >> 32).zip(products.map(|y| y >> 32));
                expected.push(pairs.flat_map(|(i, j)| [i as usize, j as usize]).collect::<Vec<_>>());
            }
            let drawn = out.iter().map(|row| row.map(unpacked).concat());
            assert!(drawn.eq(expected), "{a} {b}");
            // Two rows in five go for the first bounds (200 stay), hardly any for the second, none for powers of two.
            let likely = match a {
                8069 => 60..160,
                181 => 0..10,
                _ => 0..1,
            };
            assert!(likely.contains(&rejected), "{a} {b}: {rejected}");
        }
    }

    #[test]
    fn every_width_of_registers_makes_the_same_indices() {
        let indices = |set: InstructionSet| {
            let mut out = [[0; LANES]; 50];
            set.run(Fill {
                pairs: UniformPairs::new(181, 8191),
                stream: &mut ChunkStream::new(&[8; 32], 4),
                out: &mut out,
            });
            out
        };
        for set in InstructionSet::available() {
            assert_eq!(indices(set), indices(InstructionSet::PORTABLE), "{}", set.name());
        }
    }
}
