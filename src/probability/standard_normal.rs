//! Draws that are the same bits on every machine: only IEEE operations and correctly rounded functions are used.

use rand::Rng;

/// A number in `(0, 1]`, a multiple of `2^-53`.
pub fn uniform<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 * (f64::EPSILON / 2.0)
}

/// Two independent standard normal numbers (Box and Muller 1958): `sqrt(-2 log u) (cos, sin)(2 pi v)`. Two 64-bit words of
/// the generator are used; no value exceeds 8.6 in size.
///
/// ```
/// use contrapositive::probability::standard_normal_pair;
/// use rand::SeedableRng;
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let (a, b) = standard_normal_pair(&mut rng);
/// assert!(a.is_finite() && b.is_finite() && a != b);
/// ```
pub fn standard_normal_pair<R: Rng + ?Sized>(rng: &mut R) -> (f64, f64) {
    let radius = (-2.0 * core_math::log(uniform(rng))).sqrt();
    let half_turns = 2.0 * uniform(rng);
    (
        radius * core_math::cospi(half_turns),
        radius * core_math::sinpi(half_turns),
    )
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
