//! Standard normal numbers, the same bits on every machine.

use rand::Rng;

/// Draws two independent standard normals by the method of Box and Muller, from 128 bits of `rng`.
///
/// Only correctly rounded functions are used. The uniforms are multiples of 2^-53, so no value exceeds
/// sqrt(2 * 53 * log 2) = 8.572 in absolute value; a true normal does so with probability below 2e-17.
pub fn standard_normal_pair<R: Rng + ?Sized>(rng: &mut R) -> (f64, f64) {
    const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
    // In (0, 1], so that the logarithm is finite.
    let radius_draw = ((rng.next_u64() >> 11) + 1) as f64 * STEP;
    let half_turns = (rng.next_u64() >> 11) as f64 * (2.0 * STEP);
    let radius = (-2.0 * core_math::log(radius_draw)).sqrt();
    (
        radius * core_math::cospi(half_turns),
        radius * core_math::sinpi(half_turns),
    )
}

/// Fills `values` with independent standard normals. An odd length wastes half of the last pair, so that every call
/// depends on `rng` and the length alone.
pub fn fill_standard_normal<R: Rng + ?Sized>(rng: &mut R, values: &mut [f64]) {
    for pair in values.chunks_mut(2) {
        let (first, second) = standard_normal_pair(rng);
        pair[0] = first;
        if let Some(last) = pair.get_mut(1) {
            *last = second;
        }
    }
}

#[cfg(test)]
mod tests {
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
