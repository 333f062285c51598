//! Rank-one lattices with a random shift: points that fill the cube evenly, each of them uniform.
//!
//! Coordinates are words of 64 bits. Point `p` of `P = 2^m` has the coordinates `tent(p z_t 2^(64-m) + shift_t mod 2^64)`, exact in integer
//! arithmetic. The shift is a random word per coordinate, which makes each point exactly uniform whatever `z` is, so that the
//! average over the points is unbiased; `z` and the tent only decide how small its variance is. `tent(v)` is `2 v` for
//! `v < 2^63` and its reflection `2^64 - 1 - 2 v` (mod `2^64`) above, a bijection of the words: it makes periodic what is not (Hickernell 2002).
//! `z` is built component by component, each chosen to make the worst-case error in the Korobov space of smoothness two
//! smallest given those before (Dick, Kuo and Sloan, *High-dimensional integration: the quasi-Monte Carlo way*, 2013, section 5).

use super::MonteCarloError;

/// The weight of every coordinate in the error that the generator minimises.
const WEIGHT: f64 = 0.3;
/// Limits of the search, which takes `s P^2 / 4` steps.
pub(super) const MOST_POINTS: usize = 1024;
pub(super) const MOST_COORDINATES: usize = 256;

/// A lattice of `2^m` points in `s` dimensions.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    log_points: u32,
    generator: Vec<u64>,
}

impl Lattice {
    /// # Errors
    /// [`MonteCarloError::Count`] unless the number of points is a power of two between 2 and 1024 and there are 1 to 256 coordinates.
    pub(super) fn new(points: usize, coordinates: usize) -> Result<Self, MonteCarloError> {
        let count = |what, value: usize, least: u64, most: usize| MonteCarloError::Count {
            what,
            value: value as u64,
            least,
            most: most as u64,
        };
        if !points.is_power_of_two() || !(2..=MOST_POINTS).contains(&points) {
            return Err(count("points of a lattice, a power of two", points, 2, MOST_POINTS));
        }
        if !(1..=MOST_COORDINATES).contains(&coordinates) {
            return Err(count("coordinates of a lattice", coordinates, 1, MOST_COORDINATES));
        }
        // 2 pi^2 times the Bernoulli polynomial x^2 - x + 1/6, at every multiple of 1/P.
        let bernoulli = |k: usize| {
            let x = k as f64 / points as f64;
            1.0 + WEIGHT * 2.0 * std::f64::consts::PI * std::f64::consts::PI * (x * x - x + 1.0 / 6.0)
        };
        let factors: Vec<f64> = (0..points).map(bernoulli).collect();
        let mut products = vec![1.0; points];
        let mut generator = Vec::with_capacity(coordinates);
        for t in 0..coordinates {
            let error = |z: usize| -> f64 {
                let each = products.iter().enumerate();
                each.map(|(p, product)| product * factors[(p * z) % points]).sum()
            };
            // The reflection of a component makes the same error.
            let candidates = (1..=points / 2).step_by(2);
            let best = if t == 0 {
                1
            } else {
                let each = candidates.map(|z| (error(z), z));
                each.fold((f64::INFINITY, 1), |a, b| if b.0 < a.0 { b } else { a }).1
            };
            for (p, product) in products.iter_mut().enumerate() {
                *product *= factors[(p * best) % points];
            }
            generator.push(best as u64);
        }
        Ok(Lattice { log_points: points.trailing_zeros(), generator })
    }

    pub(super) fn points(&self) -> usize {
        1 << self.log_points
    }

    /// A coordinate of all points under a shift.
    pub(super) fn coordinate(&self, t: usize, shift: u64) -> impl Iterator<Item = u64> + '_ {
        let step = self.generator.get(t).map_or(1, |z| z.wrapping_shl(64 - self.log_points));
        (0..self.points() as u64).map(move |p| tent(p.wrapping_mul(step).wrapping_add(shift)))
    }
}

/// See the module's text.
fn tent(v: u64) -> u64 {
    if v >> 63 == 0 { v << 1 } else { !(v << 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_has_one_point_in_each_pair_of_strata() {
        let lattice = Lattice::new(64, 20).unwrap();
        for t in 0..20 {
            let mut counts = [0; 32];
            for word in lattice.coordinate(t, 0x0123_4567_89ab_cdef) {
                counts[(word >> 59) as usize] += 1;
            }
            assert_eq!(counts, [2; 32], "{t}");
        }
    }

    #[test]
    fn shifting_and_folding_is_a_bijection_of_the_words() {
        // With words of 8 bits in place of 64.
        let tent8 = |v: u8| if v >> 7 == 0 { v << 1 } else { !(v << 1) };
        let mut seen = [false; 256];
        (0..=255u8).for_each(|v| seen[tent8(v.wrapping_add(77)) as usize] = true);
        assert!(seen.iter().all(|&s| s));
        assert_eq!([tent(0), tent(u64::MAX), tent(1 << 62)], [0, 1, 1 << 63]);
    }

    #[test]
    fn a_smooth_product_is_integrated_far_better_than_by_as_many_random_points() {
        // The product of 1 + (u - 1/2) over four coordinates has mean 1 and variance (13/12)^4 - 1 = 0.377.
        let lattice = Lattice::new(256, 4).unwrap();
        let mut stream = super::super::ChunkStream::new(&[2; 32], 0);
        let mut square = 0.0;
        for _ in 0..50 {
            let mut products = vec![1.0; 256];
            for t in 0..4 {
                let shift = stream.word();
                for (product, word) in products.iter_mut().zip(lattice.coordinate(t, shift)) {
                    *product *= 0.5 + word as f64 / 18_446_744_073_709_551_616.0;
                }
            }
            let off = products.iter().sum::<f64>() / 256.0 - 1.0;
            square += off * off / 50.0;
        }
        assert!(square < 0.377 / 256.0 / 100.0, "{square}");
    }

    #[test]
    fn sizes_are_checked() {
        assert!(Lattice::new(48, 2).is_err() && Lattice::new(1, 2).is_err() && Lattice::new(2048, 2).is_err());
        assert!(Lattice::new(64, 0).is_err() && Lattice::new(64, 257).is_err());
    }
}
