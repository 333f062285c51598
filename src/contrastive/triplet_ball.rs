//! How sharply the loss of one triplet can be curved when its three vectors are bounded.

use enclosures::interval::{Interval, maximum_over};

/// The largest spectral norm of the Hessian of `log(1 + e^{z_1.(z_3 - z_2)})` over all `z` with `max |z_j| <= radius`.
///
/// *Reduction to one variable.* With `p = |z_1| <= C`, `q = |z_3 - z_2| <= 2C`, the norm (see
/// [`Triplet::hessian_spectral_norm`](super::Triplet::hessian_spectral_norm)) depends on `G = q^2 + 2p^2` and on
/// `a = z_1.(z_3 - z_2)` only, grows with `G`, and is at `|a|` at least what it is at `-|a|`. For `d >= 2` the choice `p = C`,
/// `q = 2C`, `G = 6C^2` leaves the angle free, so that every `a` in `[0, 2C^2]` goes with the largest `G`. For `d = 1` the
/// vectors are parallel and `a = pq`: given `a`, the convex function `q^2 + 2p^2` is largest at an end of the curve, and that is `q = 2C`,
/// `p = a/(2C)`. With `a = 2C^2 t`, `0 <= t <= 1`, it is `G = 4C^2 + 2C^2 t^2`. What remains is one variable, for which
/// subdivision bounds the maximum to about six digits.
#[must_use]
pub fn largest_hessian_norm(dimension: usize, radius: f64) -> Interval {
    let square = Interval::point(radius).square();
    let norm = |t: Interval| {
        let a = 2.0 * square * t;
        let g = if dimension == 1 { square * (4.0 + 2.0 * t.square()) } else { 6.0 * square };
        let s = a.sigmoid();
        // The product s (1 - s) falls with a; taken at both ends it is enclosed without overestimation.
        let falling = |end: f64| Interval::point(end).sigmoid() * (-Interval::point(end)).sigmoid();
        let product = falling(a.lo()).hull(falling(a.hi()));
        let half = product * g / 2.0;
        half + (half.square() + 4.0 * s * product * a + 2.0 * s.square()).sqrt()
    };
    maximum_over(Interval::new(0.0, 1.0), 1e-7, 20_000, norm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Triplet;

    #[test]
    fn the_bound_is_reached_and_never_passed() {
        let known = [(1e-3, 0.707_108_945), (0.6, 1.415_925_559), (3.0, 13.537_342_3), (100.0, 15_000.000_033)];
        for (radius, value) in known {
            let found = largest_hessian_norm(2, radius);
            assert!(found.width() < 1e-6 * value, "{found:?}");
            assert!((found.midpoint() - value).abs() < 1e-6 * value, "{found:?} {value}");
        }
        assert!((largest_hessian_norm(1, 3.0).midpoint() - 9.056_597_0).abs() < 1e-5);
        let of = |z: [f64; 3]| Triplet::new(vec![z[0]], vec![z[1]], vec![z[2]]).unwrap().hessian_spectral_norm();
        let most = largest_hessian_norm(1, 1.2).hi();
        for i in 0..200 {
            let turn = |k: usize| 1.2 * ((i * k % 97) as f64 / 48.0 - 1.0);
            assert!(of([turn(7), turn(31), turn(59)]).lo() <= most);
        }
        assert!(largest_hessian_norm(3, 0.0).contains(std::f64::consts::FRAC_1_SQRT_2));
    }
}
