//! Where on the product of balls the loss of one triplet is curved most, and a short move there along the steepest
//! direction.

use contrastive::Triplet;
use enclosures::vectors::norm;
use evidence::instance::Instance;
use proptest::prelude::Strategy;
use proptest::sample::select;
use serde::{Deserialize, Serialize};

use super::displacements::{Displacement, scaled};
use super::families::log_uniform;
use super::triples::triple;

/// A product of three balls of one radius in dimension d.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "d = {dimension}, C = {radius}", stored)]
pub struct Ball {
    #[instance(range = "1..")]
    pub dimension: u64,
    #[instance(range = "(0, 1e6]")]
    pub radius: f64,
}

pub fn balls() -> Vec<(String, Ball)> {
    let radii = [1e-3, 0.03, 0.1, 0.3, 0.6, 0.65, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 10.0, 30.0, 100.0];
    let each = |dimension| radii.map(|radius| (format!("d = {dimension}, C = {radius}"), Ball { dimension, radius }));
    [1, 2, 3, 8].into_iter().flat_map(each).collect()
}

/// Radii from 1/1000 to 100.
pub fn drawn_balls() -> impl Strategy<Value = Ball> {
    (select(vec![1u64, 2, 3, 8]), log_uniform(1e-3, 100.0)).prop_map(|(dimension, radius)| Ball { dimension, radius })
}

/// The triples among which the maximum is (see the library's account of the largest Hessian norm): z_3 = −z_2 of length
/// C, and z_1 of length C at an angle of cosine t to it; in dimension one z_1 of length Ct along it.
fn candidate(dimension: usize, radius: f64, t: f64) -> Triplet {
    let vector = |x: f64, y: f64| {
        let mut v = vec![0.0; dimension];
        v[0] = x;
        if dimension > 1 {
            v[1] = y;
        }
        v
    };
    let anchor = vector(radius * t, radius * (1.0 - t * t).max(0.0).sqrt());
    triple(&anchor, &vector(-radius, 0.0), &vector(radius, 0.0))
}

/// A unit eigenvector to the largest eigenvalue of the Hessian, in plain arithmetic. With g_p, g_m = (w ± √2 z_1)/√2
/// the Hessian acts on the span of their directions as s [[√2 + kP, k√(PM)], [k√(PM), −√2 + kM]], P = ‖g_p‖², M =
/// ‖g_m‖², and the parts (p, m) belong to the vector ((p + m)/√2, −(p − m)/2, (p − m)/2).
fn top_eigenvector(z: &Triplet) -> Triplet {
    let [anchor, positive, negative] = z.vectors();
    let root = std::f64::consts::SQRT_2;
    let part = |sign: f64| -> Vec<f64> {
        let of = |((a, p), n): ((&f64, &f64), &f64)| (n - p) / root + sign * a;
        anchor.iter().zip(positive).zip(negative).map(of).collect()
    };
    let (plus, minus) = (part(1.0), part(-1.0));
    let (p, m) = (norm(&plus), norm(&minus));
    let (s, k) = (z.slope().midpoint(), z.complement().midpoint());
    let top = z.hessian_spectral_norm().midpoint() / s;
    let (alpha, beta) = (top + root - k * m * m, k * p * m);
    let unit = |v: Vec<f64>, length: f64| -> Vec<f64> {
        let first = |i: usize| if i == 0 { 1.0 } else { 0.0 };
        let of = |(i, x): (usize, f64)| if length > 0.0 { x / length } else { first(i) };
        v.into_iter().enumerate().map(of).collect()
    };
    let (plus, minus) = (unit(plus, p), unit(minus, m));
    let norm = (alpha * alpha + beta * beta).sqrt();
    let combined = |sign: f64, by: f64| -> Vec<f64> {
        let of = |(x, y): (&f64, &f64)| by * (alpha * x + sign * beta * y) / norm;
        plus.iter().zip(&minus).map(of).collect()
    };
    triple(&combined(1.0, 1.0 / root), &combined(-1.0, -0.5), &combined(-1.0, 0.5))
}

/// From a triple that is within a thousandth of the most curved one, a move of a ten-thousandth of the radius along the
/// top eigenvector; both ends lie in the ball.
pub fn steepest(ball: &Ball) -> Displacement {
    let d = ball.dimension as usize;
    let inside = ball.radius * (1.0 - 3e-4);
    let triples = (0..=2000).map(|i| candidate(d, inside, f64::from(i) / 2000.0));
    let curvature = |z: &Triplet| z.hessian_spectral_norm().midpoint();
    let from =
        triples.max_by(|x, y| curvature(x).total_cmp(&curvature(y))).unwrap_or_else(|| candidate(d, inside, 0.0));
    // Short also on the scale of the loss's argument, which moves by the radius times the length of the move.
    let length = 1e-4 * ball.radius.min(1.0 / ball.radius);
    let by = scaled(&top_eigenvector(&from), length);
    Displacement { from, by }
}

#[cfg(test)]
mod tests {
    use contrastive::largest_hessian_norm;
    use enclosures::vectors::sum_of_squares;

    use super::super::displacements::Smoothness;
    use super::*;

    fn of(dimension: u64, radius: f64) -> Ball {
        Ball { dimension, radius }
    }

    #[test]
    fn the_steepest_move_is_curved_as_the_ball_allows_and_stays_in_it() {
        for (dimension, radius) in [(1, 0.1), (1, 3.0), (2, 0.65), (2, 1.0), (3, 2.0), (8, 10.0)] {
            let found = Smoothness::of(&steepest(&of(dimension, radius)));
            let most = largest_hessian_norm(dimension as usize, radius);
            let quotient = found.quotient.unwrap();
            assert!(found.both_ends.hi() <= radius, "{}", found.both_ends);
            assert!(
                quotient.lo() > 0.997 * most.hi() && quotient.lo() <= most.hi(),
                "d = {dimension}, C = {radius}: {quotient} and {most:?}"
            );
        }
    }

    /// The Hessian is applied by a difference quotient of the gradient, which knows nothing of its blocks.
    #[test]
    fn the_top_eigenvector_is_stretched_by_the_spectral_norm() {
        let gradient = |z: &Triplet| {
            let blocks = z.gradient().concat();
            blocks.into_iter().map(|x| x.midpoint()).collect::<Vec<f64>>()
        };
        let cases = [
            triple(&[0.5, -1.0], &[0.25, 0.75], &[-0.5, 0.5]),
            triple(&[1.5], &[-0.5], &[0.75]),
            triple(&[0.5, 0.0, 1.0], &[1.0, 1.0, 0.0], &[-1.0, 0.5, 0.25]),
        ];
        for z in cases {
            let top = top_eigenvector(&z);
            let (v, h) = (top.vectors().concat(), 1e-4);
            let at = |t: f64| {
                let sums = z.vectors().map(<[f64]>::to_vec).concat();
                let sums: Vec<f64> = sums.iter().zip(&v).map(|(x, y)| x + t * y).collect();
                let d = z.dimension();
                gradient(&triple(&sums[..d], &sums[d..2 * d], &sums[2 * d..]))
            };
            let norm = z.hessian_spectral_norm().midpoint();
            assert!((sum_of_squares(&v) - 1.0).abs() < 1e-12);
            for ((up, down), x) in at(h).iter().zip(at(-h)).zip(&v) {
                assert!(((up - down) / (2.0 * h) - norm * x).abs() < 1e-6, "{z:?}");
            }
        }
    }
}
