//! The norm of the Hessian in four bounded parameters, for proofs over all triples of vectors of every dimension and length.
//!
//! With M = max_j ‖z_j‖, ‖z_1‖ = Mu, ‖z_3 − z_2‖ = 2Mv and the cosine c of their angle, u, v ∈ [0, 1], c ∈ [−1, 1]: a = 2M²uvc and
//! G = M²(4v² + 2u²), and the norm is s(kG/2 + √((kG/2)² + 4ka + 2)) (see the Hessian of Section 8). Divided by 1 + M² everything
//! stays bounded as M² runs over [0, ∞).

use contrastive::Triplet;
use enclosures::interval::Dual;
use enclosures::vectors::{minus, points};
use evidence::prelude::*;

use super::triples::{largest_squared_norm, norms, triple};

/// y = 1/(1 + M²), and ‖∇²ℓ‖/(1 + M²).
fn scaled([square, u, v, cosine]: [Dual<4>; 4]) -> (Dual<4>, Dual<4>) {
    let y = 1.0 / (1.0 + square);
    let a = 2.0 * square * u * v * cosine;
    let g = (1.0 - y) * (4.0 * v.square() + 2.0 * u.square());
    let s = a.sigmoid();
    // x σ(x)σ(−x) is odd and below 1/4 on the positive half line: x < cosh²(x/2) because cosh² t ≥ 1 + t² and 1 + x²/4 ≥ x.
    let bent = (a * a.sigmoid_slope()).known_within(-0.25, 0.25);
    let half = 0.5 * a.sigmoid_slope() * g;
    let root = half.square() + (4.0 * s * bent + 2.0 * s.square()) * y.square();
    // The number under the root is never negative: it is a discriminant.
    (y, half + root.max(0.0).sqrt())
}

/// ‖∇²ℓ(z)‖ ≤ 2 + 8M² for every triple.
pub fn printed_bound() -> Proof<4> {
    let domain = [(0.0, f64::INFINITY), (0.0, 1.0), (0.0, 1.0), (-1.0, 1.0)];
    let bound = |constant: f64, factor: f64| {
        move |parameters: [Dual<4>; 4]| {
            let (y, norm) = scaled(parameters);
            constant * y + factor * (1.0 - y) - norm
        }
    };
    Proof::covering("all d ≥ 1 and all z ∈ ℝ^{3d}", domain, bound(2.0, 8.0))
        .in_other_form("both sides divided by 1 + M²")
        .control("1 + ½M²", bound(1.0, 0.5))
        .control("½ + 8M²", bound(0.5, 8.0))
}

/// M², u, v and c of a triple; a quotient by zero is replaced by zero, which gives the same a and G.
pub fn parameters(z: &Triplet) -> Option<[Enclosure; 4]> {
    let [anchor, positive, negative] = z.vectors();
    let difference = minus(&points(negative), positive);
    let length = difference.iter().map(|x| Enclosure::from(x.square())).sum::<Enclosure>().sqrt();
    let [first, _, _] = norms(z);
    let square = largest_squared_norm(z);
    let radius = square.sqrt();
    let quotient = |x: Enclosure, y: Enclosure| if y.hi() == 0.0 { Enclosure::ZERO } else { x / y };
    let inner: Enclosure = anchor.iter().zip(&difference).map(|(&x, &w)| Enclosure::from(w * x)).sum();
    let between = |x: Enclosure, lo: f64, hi: f64| x.max(exact(lo)).min(exact(hi));
    Some([
        square,
        between(quotient(first, radius), 0.0, 1.0),
        between(quotient(length, 2.0 * radius), 0.0, 1.0),
        between(quotient(inner, first * length), -1.0, 1.0),
    ])
}

/// A triple in the plane with these parameters, up to rounding.
pub fn instance([square, u, v, cosine]: [f64; 4]) -> Triplet {
    let radius = square.sqrt();
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    // z_2 and z_3 on the sphere of radius M, at equal distances from the line through their middle.
    let (along, across) = ([radius * v * cosine, radius * v * sine], radius * (1.0 - v * v).max(0.0).sqrt());
    let middle = [-across * sine, across * cosine];
    triple(
        &[radius * u, 0.0],
        &[middle[0] - along[0], middle[1] - along[1]],
        &[middle[0] + along[0], middle[1] + along[1]],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_triple_correspond() {
        for point in [[4.0, 1.0, 0.5, 0.25], [0.25, 0.125, 1.0, -0.75], [9.0, 1.0, 1.0, 0.0]] {
            let z = instance(point);
            let found = parameters(&z).expect("every triple has parameters");
            for (x, y) in found.iter().zip(point) {
                assert!((x.midpoint() - y).abs() < 1e-12, "{found:?} {point:?}");
            }
            let (_, norm) = scaled(found.map(|x| Dual::constant(x.interval())));
            let direct = z.hessian_spectral_norm().midpoint() / (1.0 + point[0]);
            assert!((norm.value.midpoint() - direct).abs() < 1e-9, "{norm:?} {direct}");
        }
    }
}
