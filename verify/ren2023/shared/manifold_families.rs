//! Families of diagonal states with directions, aligned or not.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use super::manifold_directions::{ManifoldDirection, orthogonal_pairs};

/// Sizes (r, q) with at least `r` signal and `q` noise coordinates.
fn shapes(r: usize, q: usize) -> Vec<(usize, usize)> {
    let all = [(1, 0), (1, 1), (2, 0), (1, 2), (2, 1), (3, 0), (2, 2), (3, 1), (1, 3)];
    all.into_iter().filter(|&(a, b)| a >= r && b >= q).collect()
}

/// States of a given shape: the alignment of the views is one of the three of [`Views`].
pub fn drawn(least: (usize, usize), views: Views) -> impl Strategy<Value = ManifoldDirection> {
    let list = shapes(least.0, least.1);
    (0..list.len()).prop_flat_map(move |k| of_shape(list[k], views))
}

/// How the two views are related.
#[derive(Clone, Copy, PartialEq)]
pub enum Views {
    /// Equal norms and ρ = 1.
    Aligned,
    /// Equal norms, any ρ.
    EqualNorms,
    /// Any norms and ρ.
    Any,
}

pub fn of_shape((r, q): (usize, usize), views: Views) -> impl Strategy<Value = ManifoldDirection> {
    let signal = (vec(0.2..4.0f64, r), vec(0.2..4.0f64, r), vec(0.2..4.0f64, r), vec(-1.0..1.0f64, r));
    let noise = (vec(0.02..1.5f64, q), vec(0.02..1.5f64, q));
    let count = orthogonal_pairs(r, r + q).count();
    (signal, noise, vec(-1.0..1.0f64, count), 0.1..3.0f64, 0.05..8.0f64, 0.2..5.0f64).prop_map(
        move |(
            (sigma_squared, norms_a, other, correlation),
            (noise_a, other_noise),
            cosines,
            noise_squared,
            tau_squared,
            negatives,
        )| {
            let equal = views != Views::Any;
            ManifoldDirection {
                sigma_squared,
                noise_squared,
                norms_b: if equal { norms_a.clone() } else { other },
                norms_a,
                correlation: if views == Views::Aligned { vec![1.0; r] } else { correlation },
                noise_b: if equal { noise_a.clone() } else { other_noise },
                noise_a,
                tau_squared,
                negatives,
                cosines,
            }
        },
    )
}

/// States on the manifold alone, with up to eight signals.
pub fn on_manifold(noise: std::ops::Range<usize>, views: Views) -> impl Strategy<Value = ManifoldDirection> {
    (1usize..9, noise)
        .prop_flat_map(move |shape| of_shape(shape, views))
        .prop_map(|s| ManifoldDirection { cosines: Vec::new(), ..s })
}

/// An aligned state with given strengths and squared norms.
pub fn aligned(sigma: &[f64], kappa: &[f64], noise: (f64, &[f64]), tau: f64, k: f64) -> ManifoldDirection {
    let (r, d) = (sigma.len(), sigma.len() + noise.1.len());
    let pattern = |(i, j): (usize, usize)| match (7 * i + 3 * j) % 5 {
        0 => 1.0,
        1 => -0.5,
        2 => 0.25,
        3 => -1.0,
        _ => 0.75,
    };
    ManifoldDirection {
        sigma_squared: sigma.to_vec(),
        noise_squared: noise.0,
        norms_a: kappa.to_vec(),
        norms_b: kappa.to_vec(),
        correlation: vec![1.0; r],
        noise_a: noise.1.to_vec(),
        noise_b: noise.1.to_vec(),
        tau_squared: tau,
        negatives: k,
        cosines: orthogonal_pairs(r, d).map(pattern).collect(),
    }
}

/// Named aligned states, and states with unequal norms and angles.
pub fn named_states() -> Vec<(&'static str, ManifoldDirection)> {
    let mut apart = aligned(&[2.0, 1.0], &[1.5, 0.6], (0.5, &[0.4, 0.1]), 2.0, 0.5);
    apart.norms_b = vec![0.7, 2.0];
    apart.noise_b = vec![0.2, 0.3];
    apart.correlation = vec![0.8, -0.3];
    vec![
        ("one signal", aligned(&[1.0], &[1.0], (1.0, &[]), 1.0, 1.0)),
        ("one signal, one noise", aligned(&[2.0], &[1.0], (0.5, &[0.3]), 2.5, 2.0)),
        ("two signals, equal", aligned(&[1.0, 1.0], &[1.0, 1.0], (1.0, &[]), 1.0, 1.0)),
        ("two signals", aligned(&[2.0, 1.0], &[3.0, 0.5], (1.0, &[]), 1.5, 2.0)),
        ("two signals, T near 1", aligned(&[0.5, 3.0], &[3.0, 0.5], (1.0, &[]), 8.0, 0.5)),
        ("small τ²", aligned(&[2.0, 1.0], &[1.0, 2.0], (1.0, &[0.4]), 0.01, 2.0)),
        ("two signals, two noises", aligned(&[2.0, 1.0], &[1.0, 0.4], (0.7, &[0.3, 0.6]), 2.5, 2.0)),
        ("three signals, one noise", aligned(&[1.0, 2.0, 0.5], &[2.0, 1.0, 0.3], (0.4, &[0.2]), 2.0, 1.0)),
        ("one signal, three noises", aligned(&[1.5], &[0.8], (0.4, &[0.2, 0.5, 1.0]), 1.0, 3.0)),
        ("views apart", apart),
        ("τ² = 0", aligned(&[2.0, 1.0], &[1.0, 2.0], (1.0, &[0.4]), 0.0, 2.0)),
    ]
}

/// States whose views differ in one way alone: in the norms of parallel columns, or in the angles of equally long ones.
pub fn views_apart() -> Vec<(&'static str, ManifoldDirection)> {
    let state = || aligned(&[2.0, 1.0], &[1.5, 0.6], (0.5, &[0.4, 0.1]), 2.0, 0.5);
    vec![
        ("unequal norms", ManifoldDirection { norms_b: vec![0.7, 2.0], noise_b: vec![0.2, 0.3], ..state() }),
        ("views at angles", ManifoldDirection { correlation: vec![0.8, -0.3], ..state() }),
    ]
}

/// The named and the random states for identities of first order.
pub fn near_states() -> [Family<ManifoldDirection>; 3] {
    [
        edge("named states", named_states),
        random("aligned", || drawn((1, 0), Views::Aligned)).taking(0.5),
        random("any norms and angles", || drawn((1, 0), Views::Any)).taking(0.5),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_states_are_instances_and_those_on_the_manifold_lie_on_it() {
        for (name, s) in named_states().into_iter().chain(views_apart()) {
            assert_eq!(s.validate(), Ok(()), "{name}");
        }
        let state = aligned(&[2.0, 1.0], &[1.0, 0.5], (1.0, &[0.25]), 0.5, 2.0);
        assert!(state.has_equal_norms() && state.correlation == vec![1.0; state.r()] && state.validate().is_ok());
    }
}
