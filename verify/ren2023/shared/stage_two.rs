//! What claims on diagonal states of Stage 2 share: names of hypotheses that say exactly what is demanded, and states
//! that
//! miss them.

use evidence::prelude::*;

use super::hypotheses::H_ORTH;
use super::manifold_directions::ManifoldDirection;
use super::manifold_families::{named_states, near_states, views_apart};

/// Corresponding columns of both views have equal norms.
pub const EQUAL_NORMS: Hypothesis<ManifoldDirection> = Hypothesis::new(
    "equal norms in both views: ‖[K_A]_p‖ = ‖[K_B]_p‖ and ‖[K_{A,ξ}]_k‖ = ‖[K_{B,ξ}]_k‖ for all p, k",
    ManifoldDirection::has_equal_norms,
);
/// With equal norms: K_A = K_B up to a rotation.
pub const PARALLEL: Hypothesis<ManifoldDirection> =
    Hypothesis::new("every ρ_p = 1", |s| s.correlation.iter().all(|&c| c == 1.0));
/// The diagonal manifold.
const ON_IT: &str = "on the diagonal manifold any two columns of K_A, K_{A,ξ}, K_B, K_{B,ξ} orthogonal, but [K_A]_p \
                     and [K_B]_p of any cosine ρ_p; no column 0; K > 0, τ² ≥ 0";
/// Directions that leave it.
const LEAVING: &str = "off it (ε = 0 on it) ε times given cosines between all other pairs of columns; the rates are \
                       those of the flow of the Gram matrix of the columns, as a function of any symmetric matrix; \
                       derivatives in ε at ε = 0";

/// A statement about directions in which states leave the diagonal manifold.
pub fn over_directions<Q: 'static>(setting: Setting<ManifoldDirection, Q>) -> Setting<ManifoldDirection, Q> {
    setting.given(H_ORTH).given(ON_IT).given(LEAVING).family(near_states()).family(outside("views apart", views_apart))
}

/// A statement about states of the diagonal manifold; the families are those of the claim.
pub fn on_the_manifold<Q: 'static>(setting: Setting<ManifoldDirection, Q>) -> Setting<ManifoldDirection, Q> {
    let others = || named_states().into_iter().chain(views_apart()).collect();
    setting.given(H_ORTH).given(ON_IT).family(outside("other states", others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hypothesis_is_met_and_missed_by_a_named_state() {
        let tests: [fn(&ManifoldDirection) -> bool; 6] = [
            |s| PARALLEL.is_met(s),
            |s| EQUAL_NORMS.is_met(s),
            |s| s.r() >= 2,
            |s| s.q() >= 1,
            |s| s.q() >= 2,
            |s| s.tau_squared > 0.0,
        ];
        for (k, met) in tests.into_iter().enumerate() {
            let list = named_states();
            assert!(list.iter().any(|(_, s)| met(s)) && list.iter().any(|(_, s)| !met(s)), "{k}");
        }
    }
}
