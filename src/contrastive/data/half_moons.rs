//! Two interleaving half circles in the plane.

use rand::Rng;

use super::{DataError, LabelledPoints};
use enclosures::probability::standard_normal_pair;

/// `count` points on two half circles of radius one: the upper half about the origin (label 0, the first `count/2` points, rounded
/// down) and the lower half about (1, 1/2) (label 1), evenly spaced in the angle, plus independent normal noise of standard
/// deviation `noise` in each coordinate.
///
/// Source: `make_moons` of scikit-learn (Pedregosa et al. 2011), without its shuffling.
///
/// ```
/// use contrapositive_contrastive::data::half_moons;
/// let moons = half_moons(5, 0.0, &mut enclosures::stream::stream(1, &["moons"]))?;
/// assert_eq!(moons.point(0), [1.0, 0.0]);
/// assert_eq!(moons.point(2), [0.0, 0.5]);
/// # Ok::<(), contrapositive_contrastive::data::DataError>(())
/// ```
///
/// # Errors
/// No points, or noise that is negative or not finite.
pub fn half_moons<R: Rng + ?Sized>(count: usize, noise: f64, rng: &mut R) -> Result<LabelledPoints, DataError> {
    if !(noise >= 0.0 && noise.is_finite()) {
        return Err(DataError::NotFinite { input: "noise".to_owned(), row: 0, column: 0, value: noise });
    }
    let upper = count / 2;
    let mut points = Vec::with_capacity(2 * count);
    for index in 0..count {
        let (place, of) = if index < upper { (index, upper) } else { (index - upper, count - upper) };
        // The angle in units of half a turn; a single point stands at its beginning.
        let angle = if of > 1 { place as f64 / (of - 1) as f64 } else { 0.0 };
        let (x, y) = (core_math::cospi(angle), core_math::sinpi(angle));
        let (x, y) = if index < upper { (x, y) } else { (1.0 - x, 0.5 - y) };
        let (a, b) = if noise > 0.0 { standard_normal_pair(rng) } else { (0.0, 0.0) };
        points.extend([x + noise * a, y + noise * b]);
    }
    let labels = (0..count).map(|index| u32::from(index >= upper)).collect();
    LabelledPoints::new(points, 2, labels)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn points_lie_on_their_circles() {
        let moons = half_moons(101, 0.0, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
        for index in 0..101 {
            let point = moons.point(index);
            let (x, y) = (point[0], point[1]);
            if index < 50 {
                assert!((x * x + y * y - 1.0).abs() < 1e-14 && y >= 0.0);
            } else {
                assert!(((x - 1.0) * (x - 1.0) + (y - 0.5) * (y - 0.5) - 1.0).abs() < 1e-14 && y <= 0.5);
            }
        }
    }

    #[test]
    fn noise_has_its_deviation_and_bad_input_is_refused() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let (clean, noisy) = (half_moons(4000, 0.0, &mut rng).unwrap(), half_moons(4000, 0.1, &mut rng).unwrap());
        let squares: f64 = (0..4000)
            .map(|i| {
                let [x, y] = [0, 1].map(|c| clean.point(i)[c] - noisy.point(i)[c]);
                x * x + y * y
            })
            .sum();
        assert!((squares / 8000.0 - 0.01).abs() < 5e-4, "{squares}");
        assert!(half_moons(0, 0.1, &mut rng).is_err() && half_moons(3, -0.1, &mut rng).is_err());
        assert!(half_moons(3, f64::NAN, &mut rng).is_err());
    }
}
