//! The triples of vectors that the statements of section 4 on one triplet share: special angles, vanishing vectors, norms on the
//! boundary of the ball, and random ones.

use contrastive::Triplet;
use enclosures::interval;
use enclosures::vectors::scaled;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy};
use proptest::sample::select;

use super::families::log_uniform;

/// A triplet from its vectors; those below are valid by construction.
pub fn triple(anchor: &[f64], positive: &[f64], negative: &[f64]) -> Triplet {
    Triplet::new(anchor.to_vec(), positive.to_vec(), negative.to_vec()).expect("the families are made of valid parts")
}

/// The Euclidean norms of the three vectors.
pub fn norms(z: &Triplet) -> [Enclosure; 3] {
    z.vectors().map(|v| Enclosure::from(interval::dot(v, v)).max(0).sqrt())
}

/// M = max_j ‖z_j‖, the radius of the smallest product of balls that contains the triple.
pub fn largest_norm(z: &Triplet) -> Enclosure {
    norms(z).into_iter().fold(Enclosure::ZERO, Enclosure::max)
}

/// M², without the rounding of the root.
pub fn largest_squared_norm(z: &Triplet) -> Enclosure {
    let squares = z.vectors().map(|v| Enclosure::from(interval::dot(v, v)));
    squares.into_iter().fold(Enclosure::ZERO, Enclosure::max)
}

/// Whether some coordinate is not zero.
pub fn is_nonzero(z: &Triplet) -> bool {
    z.vectors().iter().any(|v| v.iter().any(|&x| x != 0.0))
}

fn on_axis(dimension: usize, axis: usize, length: f64) -> Vec<f64> {
    (0..dimension).map(|i| if i == axis { length } else { 0.0 }).collect()
}

/// Triples with a name that says what is special about them.
pub fn named() -> Vec<(String, Triplet)> {
    let mut list: Vec<(String, Triplet)> = Vec::new();
    let mut add = |name: &str, a: &[f64], p: &[f64], n: &[f64]| list.push((name.to_owned(), triple(a, p, n)));
    add("reference values", &[1.0, 2.0], &[0.0, -1.0], &[0.5, 0.25]);
    for d in [1, 2, 3, 8] {
        let (zero, e) = (vec![0.0; d], on_axis(d, 0, 1.0));
        add(&format!("all zero, d = {d}"), &zero, &zero, &zero);
        add(&format!("all equal, d = {d}"), &e, &e, &e);
        add(&format!("z_1 = 0, z_2 = −z_3, d = {d}"), &zero, &on_axis(d, 0, -2.0), &on_axis(d, 0, 2.0));
        add(&format!("z_2 = z_3 = 0, d = {d}"), &on_axis(d, 0, 3.0), &zero, &zero);
    }
    for radius in [1e-3, 0.1, 0.6, 1.0, 3.0, 10.0, 30.0, 100.0] {
        let name = |shape: &str| format!("{shape}, norms {radius}");
        for (plane, d) in [("", 2), (" in 8 dimensions", 8)] {
            let (x, y) = (on_axis(d, 0, radius), on_axis(d, 1, radius));
            let minus_y = on_axis(d, 1, -radius);
            add(&name(&format!("z_1 ⟂ z_3 = −z_2{plane}")), &x, &minus_y, &y);
        }
        let (plus, minus) = ([radius], [-radius]);
        add(&name("z_1 = z_2 = −z_3"), &plus, &plus, &minus);
        add(&name("z_1 = z_3 = −z_2"), &plus, &minus, &plus);
        add(&name("z_2 = z_3 ⟂ z_1"), &[radius, 0.0], &[0.0, radius], &[0.0, radius]);
        add(&name("small z_1, z_3 = −z_2"), &[1e-4 * radius], &minus, &plus);
    }
    add("z_1 alone is large", &[100.0, 0.0], &[0.0, 1e-3], &[1e-3, 0.0]);
    for length in [0.02, 0.05, 0.1] {
        let root = std::f64::consts::SQRT_2;
        let name = format!("small and parallel, ‖z_3 − z_2‖ = √2‖z_1‖, ‖z_1‖ = {length}");
        add(&name, &[length], &[0.0], &[root * length]);
    }
    add("opposite, ‖z_3 − z_2‖ = √2‖z_1‖", &[1.0], &[0.0], &[-std::f64::consts::SQRT_2]);
    add("angle of 60° on the unit circle", &[0.5, 0.75f64.sqrt()], &[-1.0, 0.0], &[1.0, 0.0]);
    list
}

/// A direction times a length; the zero vector where the direction vanishes.
fn along(direction: &[f64], length: f64) -> Vec<f64> {
    let norm = interval::dot(direction, direction).sqrt().midpoint();
    let factor = if norm > 0.0 { length / norm } else { 0.0 };
    scaled(direction, factor)
}

/// The part of `v` orthogonal to `u`, up to rounding.
fn rejected(v: &[f64], u: &[f64]) -> Vec<f64> {
    let square = interval::dot(u, u);
    let factor = if square == Interval::ZERO { 0.0 } else { (interval::dot(u, v) / square).midpoint() };
    v.iter().zip(u).map(|(x, y)| x - factor * y).collect()
}

/// Norms log-uniform in [1e−4, 30], directions random or in special position.
pub fn drawn() -> impl Strategy<Value = Triplet> {
    let shape = select((0..8u32).collect::<Vec<_>>());
    let norm = || log_uniform(1e-4, 30.0);
    (select(vec![1usize, 2, 3, 8]), [norm(), norm(), norm()], shape).prop_flat_map(|(d, lengths, shape)| {
        let direction = || vec(-1.0..1.0f64, d);
        ([direction(), direction(), direction()], Just((lengths, shape))).prop_map(|(u, (lengths, shape))| {
            let [one, two, three] = lengths;
            let minus = |v: &[f64]| v.iter().map(|x| -x).collect::<Vec<_>>();
            let (x, y) = (along(&u[0], one), along(&u[1], two));
            match shape {
                // Anchor parallel to the difference, in either sense.
                0 => triple(&along(&y, one), &minus(&y), &along(&y, three)),
                1 => triple(&along(&minus(&y), one), &minus(&y), &along(&y, three)),
                // Anchor orthogonal to the difference.
                2 => triple(&x, &minus(&rejected(&y, &x)), &rejected(&y, &x)),
                3 => triple(&x, &minus(&y), &y),
                4 => triple(&x, &y, &y),
                // All on the sphere of one radius.
                5 => triple(&x, &along(&y, one), &along(&u[2], one)),
                _ => triple(&x, &y, &along(&u[2], three)),
            }
        })
    })
}

/// The named and the drawn triples.
pub fn families() -> Vec<Family<Triplet>> {
    vec![edge("named", named), random("drawn triples", drawn)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_are_lengths_and_the_largest_counts() {
        let z = triple(&[3.0, 4.0, 0.0], &[2.0, -3.0, 6.0], &[0.0, 0.0, -6.5]);
        for (norm, length) in norms(&z).iter().zip([5.0, 7.0, 6.5]) {
            assert!(norm.interval().contains(length) && norm.width() < 1e-14, "{norm}");
        }
        assert!(largest_norm(&z).interval().contains(7.0));
        assert!(largest_squared_norm(&z).interval().contains(49.0) && largest_squared_norm(&z).hi() < 49.0 + 1e-12);
        assert!(is_nonzero(&z) && !is_nonzero(&triple(&[0.0], &[0.0], &[-0.0])));
    }

    #[test]
    fn named_triples_are_what_their_names_say() {
        let list = named();
        let find = |name: &str| {
            let found = list.iter().find(|(n, _)| n.contains(name));
            &found.expect("there is such a triple").1
        };
        let near = |x: Enclosure, y: f64| (x - y).abs().hi() < 1e-15;
        let angle = find("angle of 60°");
        assert!(norms(angle).into_iter().all(|norm| near(norm, 1.0)));
        // cos 60° = 1/2 between z_1 and z_3 − z_2, which has length two.
        assert!(near(angle.argument(), 1.0));
        for length in [0.02, 0.05, 0.1] {
            let z = find(&format!("small and parallel, ‖z_3 − z_2‖ = √2‖z_1‖, ‖z_1‖ = {length}"));
            assert!(near(z.squared_argument_gradient(), 4.0 * length * length));
            // Parallel: a is the product of the lengths.
            assert!(near(z.argument(), std::f64::consts::SQRT_2 * length * length));
        }
        let across = find("z_1 ⟂ z_3 = −z_2 in 8 dimensions, norms 30");
        assert_eq!(across.argument().midpoint(), 0.0);
        assert!(norms(across).into_iter().all(|norm| (norm - 30.0).abs().hi() < 1e-13));
    }

    #[test]
    fn a_rejected_vector_is_orthogonal_and_leaves_a_multiple() {
        let (v, u) = ([1.0, 2.0, -1.0], [2.0, 0.0, 1.0]);
        let rest = rejected(&v, &u);
        assert!(interval::dot(&rest, &u).abs().hi() < 1e-15);
        // v·u/‖u‖² = 1/5.
        for (x, expected) in rest.iter().zip([0.6, 2.0, -1.2]) {
            assert!((x - expected).abs() < 1e-15);
        }
        assert_eq!(rejected(&v, &[0.0; 3]), v);
        for (x, expected) in along(&[3.0, -4.0], 10.0).iter().zip([6.0, -8.0]) {
            assert!((x - expected).abs() < 1e-14);
        }
    }
}
