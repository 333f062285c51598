//! Draws that are the same bits on every machine: only IEEE operations and correctly rounded functions are used.

use rand::Rng;

use crate::kernels::{PAIRS, Polar, radius};

/// A number in `(0, 1]`, a multiple of `2^-53`.
pub fn uniform<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 * (f64::EPSILON / 2.0)
}

/// Two independent standard normal numbers (Box and Muller 1958): `sqrt(-2 log u) (cos, sin)(2 pi v)`. Two 64-bit words of
/// the generator are used; no value exceeds 8.6 in size.
///
/// ```
/// use contrapositive_enclosures::probability::standard_normal_pair;
/// use rand::SeedableRng;
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let (a, b) = standard_normal_pair(&mut rng);
/// assert!(a.is_finite() && b.is_finite() && a != b);
/// ```
pub fn standard_normal_pair<R: Rng + ?Sized>(rng: &mut R) -> (f64, f64) {
    let (radius, half_turns) = (radius(core_math::log(uniform(rng))), half_turns(rng));
    (radius * core_math::cospi(half_turns), radius * core_math::sinpi(half_turns))
}

/// A number in `[0, 2)`, twice a multiple of `2^-53`.
pub(super) fn half_turns<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 * f64::EPSILON
}

/// One standard normal number: the first of [`standard_normal_pair`].
pub fn standard_normal<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    let radius = radius(core_math::log(uniform(rng)));
    radius * core_math::cospi(half_turns(rng))
}

/// So many independent standard normals: the bits of as many calls of [`standard_normal`], sooner.
pub fn standard_normals<R: Rng + ?Sized>(rng: &mut R, count: usize) -> Vec<f64> {
    let mut values = Vec::with_capacity(count);
    if count < FEW {
        values.extend((0..count).map(|_| standard_normal(rng)));
        return values;
    }
    let mut polar = Polar::EMPTY;
    while values.len() < count {
        let (fractions, angles, drawn) = fractions_and_angles(rng, count - values.len());
        let pairs = polar.normal_pairs(&fractions, &angles, drawn);
        values.extend(pairs[..drawn].iter().map(|pair| pair[0]));
    }
    values
}

/// What so many pairs, or as many as are treated together, are made of, and their number.
fn fractions_and_angles<R: Rng + ?Sized>(rng: &mut R, wanted: usize) -> ([f64; PAIRS], [f64; PAIRS], usize) {
    let (mut fractions, mut angles, count) = ([1.0; PAIRS], [0.0; PAIRS], wanted.min(PAIRS));
    for (fraction, angle) in fractions.iter_mut().zip(&mut angles).take(count) {
        (*fraction, *angle) = (uniform(rng), half_turns(rng));
    }
    (fractions, angles, count)
}

/// Fewer pairs than this are sooner drawn one by one than treated together.
pub(super) const FEW: usize = 5;

/// So many independent standard normals in a list of their own, as [`fill_standard_normal`] draws them: two of every pair, where
/// [`standard_normals`] uses one, so that the numbers are others.
pub fn list_of_standard_normals<R: Rng + ?Sized>(rng: &mut R, count: usize) -> Vec<f64> {
    let mut values = Vec::with_capacity(count);
    let mut room = [0.0; 2 * PAIRS];
    while values.len() < count {
        let numbers = &mut room[..(count - values.len()).min(2 * PAIRS)];
        fill_standard_normal(rng, numbers);
        values.extend_from_slice(numbers);
    }
    values
}

/// Fills `values` with independent standard normals. An odd length wastes half of the last pair, so that every call
/// depends on `rng` and the length alone.
pub fn fill_standard_normal<R: Rng + ?Sized>(rng: &mut R, values: &mut [f64]) {
    // Room that short lists do without.
    let mut polar = None;
    for values in values.chunks_mut(2 * PAIRS) {
        let count = values.len().div_ceil(2);
        if count < FEW {
            for pair in values.chunks_mut(2) {
                put(pair, standard_normal_pair(rng));
            }
            continue;
        }
        let (fractions, angles, count) = fractions_and_angles(rng, count);
        let polar = polar.get_or_insert(Polar::EMPTY);
        let pairs = polar.normal_pairs(&fractions, &angles, count);
        values.copy_from_slice(&pairs.as_flattened()[..values.len()]);
    }
}

/// Both numbers, or the first one where there is no more place.
fn put(pair: &mut [f64], (first, second): (f64, f64)) {
    for (place, value) in pair.iter_mut().zip([first, second]) {
        *place = value;
    }
}

/// The number of heads among `coins` fair coins: the ones among as many random bits.
pub fn fair_binomial<R: Rng + ?Sized>(rng: &mut R, coins: u32) -> u32 {
    let (words, rest) = (coins / 64, coins % 64);
    let mut heads: u32 = (0..words).map(|_| rng.next_u64().count_ones()).sum();
    if rest > 0 {
        heads += (rng.next_u64() >> (64 - rest)).count_ones();
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn moments_and_tails_of_the_normal_law() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (count, mut moments, mut beyond_two) = (100_000, [0.0; 4], 0);
        for _ in 0..count {
            let (a, b) = standard_normal_pair(&mut rng);
            for x in [a, b] {
                for (power, moment) in (1..).zip(&mut moments) {
                    *moment += core_math::pow(x, f64::from(power)) / (2.0 * f64::from(count));
                }
                beyond_two += u32::from(x.abs() > 2.0);
            }
        }
        assert!(moments[0].abs() < 0.015 && (moments[1] - 1.0).abs() < 0.02);
        assert!(moments[2].abs() < 0.05 && (moments[3] - 3.0).abs() < 0.15);
        assert!((f64::from(beyond_two) / 200_000.0 - 0.0455).abs() < 0.003);
    }

    #[test]
    fn bits_are_pinned() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let first = standard_normal_pair(&mut rng);
        let mut again = ChaCha8Rng::seed_from_u64(1);
        assert_eq!(standard_normal_pair(&mut again), first);
        for _ in 0..1000 {
            let u = uniform(&mut rng);
            assert!(u > 0.0 && u <= 1.0);
        }
    }

    #[test]
    fn many_are_the_bits_of_one_by_one_and_leave_the_generator_where_these_do() {
        for count in [0, 1, 4, 5, 31, 32, 33, 64, 200] {
            let (mut together, mut apart) = (ChaCha8Rng::seed_from_u64(9), ChaCha8Rng::seed_from_u64(9));
            let expected: Vec<f64> = (0..count).map(|_| standard_normal(&mut apart)).collect();
            assert_eq!(standard_normals(&mut together, count), expected, "{count}");
            assert_eq!(together.next_u64(), apart.next_u64(), "{count}");
        }
    }

    #[test]
    fn coins() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        assert_eq!(fair_binomial(&mut rng, 0), 0);
        for coins in [1, 63, 64, 65, 200] {
            let draws: Vec<u32> = (0..4000).map(|_| fair_binomial(&mut rng, coins)).collect();
            assert!(draws.iter().all(|&heads| heads <= coins));
            let mean = f64::from(draws.iter().sum::<u32>()) / 4000.0;
            let tolerance = 5.0 * (f64::from(coins) / 16_000.0).sqrt();
            assert!((mean - f64::from(coins) / 2.0).abs() < tolerance, "{coins} {mean}");
        }
    }
}

#[cfg(test)]
mod generator_tests {
    use std::convert::Infallible;

    use rand::{SeedableRng, TryRng};
    use rand_chacha::ChaCha20Rng;

    use super::*;

    /// A generator that returns the same number for ever.
    struct Constant(u64);

    impl TryRng for Constant {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(self.0 as u32)
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0)
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            bytes.fill(self.0 as u8);
            Ok(())
        }
    }

    #[test]
    fn the_extreme_draws_are_finite() {
        let (x, y) = standard_normal_pair(&mut Constant(0));
        let largest = (106.0 * core_math::log(2.0)).sqrt();
        assert!((x - largest).abs() < 1e-12 && y == 0.0, "{x} {y}");
        assert_eq!(standard_normal_pair(&mut Constant(u64::MAX)), (0.0, 0.0));
    }

    #[test]
    fn lengths_share_their_beginning() {
        let draw = |length| {
            let mut values = vec![f64::NAN; length];
            fill_standard_normal(&mut ChaCha20Rng::seed_from_u64(1), &mut values);
            values
        };
        assert_eq!(draw(5)[..], draw(6)[..5]);
        assert!(draw(0).is_empty());
    }

    #[test]
    fn moments_and_tails_are_those_of_the_normal_law() {
        const COUNT: usize = 100_000;
        let mut values = vec![0.0; COUNT];
        fill_standard_normal(&mut ChaCha20Rng::seed_from_u64(20), &mut values);
        let moment = |order: i32| {
            let power = |x: &f64| (0..order).fold(1.0, |power, _| power * x);
            values.iter().map(power).sum::<f64>() / COUNT as f64
        };
        // Each limit is five standard deviations of the mean; the seed is fixed, so this cannot flake.
        assert!(moment(1).abs() < 0.016, "{}", moment(1));
        assert!((moment(2) - 1.0).abs() < 0.023, "{}", moment(2));
        assert!(moment(3).abs() < 0.062, "{}", moment(3));
        assert!((moment(4) - 3.0).abs() < 0.16, "{}", moment(4));
        let beyond = values.iter().filter(|x| x.abs() > 1.959_963_984_540_054).count();
        assert!((4655..5345).contains(&beyond), "{beyond}");
        let products: f64 = values.chunks_exact(2).map(|pair| pair[0] * pair[1]).sum();
        assert!(products.abs() < 5.0 * 223.6, "{products}");
    }
}
