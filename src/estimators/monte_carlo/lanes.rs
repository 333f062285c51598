//! Sixteen generators xoshiro256++ side by side.
//!
//! # Fitness
//! - xoshiro256++ (Blackman and Vigna, *Scrambled linear pseudorandom number generators*, ACM Transactions on Mathematical Software
//!   47 (4), 2021) has period `2^256 - 1`. Its authors found no failure in BigCrush, nor in their test of Hamming weight dependencies, which
//!   is made for linear engines like this one; the `++` scrambler hides the linearity of the state in every bit of the output.
//! - All lanes of all chunks go through the one long cycle from starting points of their own, words of ChaCha8 under the seed. For `k` pieces of
//!   `L` words from independent uniform starting points the probability that any two overlap is at most `k^2 L / 2^256`: for
//!   `2^44` lanes (`2^40` chunks) of `2^50` words each, below `2^-117`. Apart from that the lanes are independent, as words of ChaCha8 are.
//! - It is no cipher: who sees the output can find the state. Nothing here is secret.
//!
//! Random words are a large part of what plain Monte Carlo with many negatives costs, and these are cheaper than blocks of ChaCha8.

use rand::Rng;

/// Generators computed together.
pub(super) const LANES: usize = 16;
/// One word of 64 bits from each of them.
pub(super) type Words = [u64; LANES];

/// The states, word by word across the lanes, so that loops over lanes become vector instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes([Words; 4]);

impl Lanes {
    /// Each lane starts from the next four words of a source of random bits that are not all zero: zero would stay zero.
    pub(super) fn new(source: &mut impl Rng) -> Self {
        let mut state = [[0; LANES]; 4];
        for lane in 0..LANES {
            while state.iter().all(|word| word[lane] == 0) {
                state.iter_mut().for_each(|word| word[lane] = source.next_u64());
            }
        }
        Lanes(state)
    }

    /// The next word of every lane.
    #[inline(always)]
    pub(super) fn row(&mut self) -> Words {
        // Copies of the four words cannot overlap, which lets the compiler use wide registers.
        let [mut a, mut b, mut c, mut d] = self.0;
        let mut row = [0; LANES];
        for i in 0..LANES {
            row[i] = a[i].wrapping_add(d[i]).rotate_left(23).wrapping_add(a[i]);
            let shifted = b[i] << 17;
            c[i] ^= a[i];
            d[i] ^= b[i];
            b[i] ^= c[i];
            a[i] ^= d[i];
            c[i] ^= shifted;
            d[i] = d[i].rotate_left(45);
        }
        self.0 = [a, b, c, d];
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::kernels::{InstructionSet, Kernel};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Many rows, compiled for the registers of a machine.
    struct Rows(Lanes);

    impl Kernel for Rows {
        type Output = Vec<Words>;

        #[inline(always)]
        fn run<const WIDTH: usize>(mut self) -> Vec<Words> {
            let mut rows = vec![[0; LANES]; 300];
            for row in &mut rows {
                *row = self.0.row();
            }
            rows
        }
    }

    #[test]
    fn every_lane_is_the_known_generator_on_every_instruction_set() {
        let source = || ChaCha8Rng::from_seed([11; 32]);
        let mut words = source();
        let mut known: Vec<Xoshiro256PlusPlus> = (0..LANES)
            .map(|_| {
                let mut seed = [0; 32];
                words.fill_bytes(&mut seed);
                Xoshiro256PlusPlus::from_seed(seed)
            })
            .collect();
        let expected: Vec<Words> = (0..300).map(|_| std::array::from_fn(|lane| known[lane].next_u64())).collect();
        for set in InstructionSet::available() {
            assert_eq!(set.run(Rows(Lanes::new(&mut source()))), expected, "{}", set.name());
        }
    }

    /// A source that begins with zeros.
    struct Late(u64);

    impl rand::TryRng for Late {
        type Error = std::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            self.try_next_u64().map(|word| word as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            self.0 += 1;
            Ok(self.0.saturating_sub(9))
        }
        fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), Self::Error> {
            target.fill(0);
            Ok(())
        }
    }

    #[test]
    fn no_lane_starts_from_zero() {
        let Lanes(state) = Lanes::new(&mut Late(0));
        // Two draws of four zeros are thrown away.
        assert_eq!(state.map(|word| word[0]), [0, 1, 2, 3]);
        assert_eq!(state.map(|word| word[1]), [4, 5, 6, 7]);
    }

    /// Pairs of neighbouring lanes, and of one lane with itself a step later, fall evenly into 64 x 64 cells, by their upper and by
    /// their lower bits.
    #[test]
    fn neighbours_are_independent_to_the_eye_of_a_chi_square_test() {
        let mut lanes = Lanes::new(&mut ChaCha8Rng::from_seed([12; 32]));
        let rows: Vec<Words> = (0..40_001).map(|_| lanes.row()).collect();
        let cells = |pick: &dyn Fn(u64) -> usize, next: bool| {
            let mut counts = vec![0u32; 4096];
            for pair in rows.windows(2) {
                for lane in 0..LANES {
                    let other = if next { pair[1][lane] } else { pair[0][(lane + 1) % LANES] };
                    counts[64 * pick(pair[0][lane]) + pick(other)] += 1;
                }
            }
            let mean = (40_000 * LANES) as f64 / 4096.0;
            let square = |&count: &u32| (f64::from(count) - mean) * (f64::from(count) - mean) / mean;
            counts.iter().map(square).sum::<f64>()
        };
        for next in [false, true] {
            for shift in [58, 29, 0] {
                let square = cells(&|word| (word >> shift & 63) as usize, next);
                // 4095 degrees of freedom, standard deviation 90.5; six tests within five of them.
                assert!((square - 4095.0).abs() < 453.0, "{next} {shift}: {square}");
            }
        }
    }
}
