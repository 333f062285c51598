//! Corollary C.9: the norms in Stage 2.
//!
//! True with an explicit residual, and exact on the diagonal manifold. With C = [K_A|K_Aξ]ᵀ[K_B|K_Bξ]/(N_AN_B),
//! d‖[K_A]_p‖²/dt = 2σ_p²(Σ_b C_pb Q_bp − Q_0‖[K_A]_p‖²/N_A²): the diagonal term deviates by 7|C_pp|Δ²/2 (Lemma C.5),
//! the others are products of two small numbers, together at most 3rΔ²/τ², and Q_0 by (3 + 7(X+Δ)/2)Δ²/τ² (Lemma
//! C.8). Closeness of the views is not used.

use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use two_view::{GramState, MatrixBlock, Metrics, Objective, View, gram_velocity};

use crate::shared::near_manifold::{Bend, GIVEN, NearManifold, families, generic_family};
use crate::shared::notation::{
    AGREEMENT, ARGUMENT, CHANGE, CROSS_TERMS, DATA, FEATURES, H_ORTH, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES,
    MEAN_SELECTION, MOTION, NORMALISER, NORMALISER_BOTH, OUTPUTS, PERTURBATION, RHO, SIZES, TANH,
};
use crate::shared::selection_off_manifold::{Near, falls_like, orders};

struct NormVelocities {
    near: Near,
    /// d/dt of the squared norms of all columns of A, then of B, at ε and at ε = 0.
    at: Vec<Interval>,
    start: Vec<Interval>,
}

fn velocities(s: &NearManifold, near: &Near, with_bend: bool) -> Result<Vec<Interval>, MeasureError> {
    let (r, d) = (s.signal, s.latents());
    let norm = |k: usize| Interval::point(s.norms[k / d][k % d]);
    // Columns of one view are orthogonal unless both views are one: the velocity of the norms does not read these
    // entries.
    let aligned = s.correlation.iter().all(|&c| c == 1.0);
    let cosine = |i: usize, j: usize| if with_bend { s.cosine(i, j) } else { Interval::ZERO };
    let entry = |i: usize, j: usize| {
        let (own, k, l) = (i / d == j / d, i % d, j % d);
        if i == j {
            return norm(i);
        }
        let value = match own {
            true if aligned && k.min(l) < r => cosine(k, l),
            true => Interval::ZERO,
            false if k == l && k < r => Interval::point(s.correlation[k]),
            false if i < j => cosine(k, l),
            false => cosine(l, k),
        };
        value * (norm(i) * norm(j)).sqrt()
    };
    let state = GramState::new(near.sizes, MatrixBlock::from_fn(2 * d, 2 * d, entry))?;
    let metrics = Metrics::orthogonal(near.sizes, &s.sigma_squared, s.noise_squared)?;
    let objective = Objective::Contrastive { tau_squared: s.tau_squared, negatives: s.negatives };
    let velocity = gram_velocity(&state, &metrics, objective)?;
    Ok([View::A, View::B]
        .into_iter()
        .flat_map(|v| (0..d).map(move |k| (v, k)))
        .map(|(v, k)| velocity.squared_norm(v, k))
        .collect())
}

fn rates(s: &NearManifold) -> Result<NormVelocities, MeasureError> {
    let near = Near::of(s)?;
    Ok(NormVelocities { at: velocities(s, &near, true)?, start: velocities(s, &near, false)?, near })
}

/// σ² of a column and its share of r/q.
fn strength(s: &NearManifold, k: usize) -> (f64, f64) {
    match s.sigma_squared.get(k) {
        Some(&sigma) => (sigma, 1.0),
        None => (s.noise_squared, s.signal as f64 / s.noise as f64),
    }
}

/// The right sides: the gaps 1 − T_p and the squares under the second term given.
fn leading(s: &NearManifold, q: &Near, gap: &[Interval], squares: [Interval; 2]) -> Vec<Interval> {
    let d = s.latents();
    let sum = sum_of_products(&q.diagonal, gap);
    let scalar = 2.0 * q.rest * sum / s.signal as f64;
    let one = |view: usize, k: usize| {
        let (sigma, share) = strength(s, k);
        let pull = q.diagonal.get(k).map_or(Interval::ZERO, |&c| 2.0 * q.rest * gap[k] * c);
        2.0 * sigma * (pull - share * scalar * s.norms[view][k] / squares[view])
    };
    pairs(0..2, 0..d).map(|(view, k)| one(view, k)).collect()
}

/// The residual granted to each column.
fn granted(s: &NearManifold, q: &Near) -> Vec<Interval> {
    let d = s.latents();
    let scalar = (3.0 + 3.5 * (q.total() + q.change)) / s.tau_squared;
    let one = |view: usize, k: usize| {
        let (sigma, share) = strength(s, k);
        let own = q.diagonal.get(k).map_or(Interval::ZERO, |c| 3.5 * c.abs());
        let others = Interval::point(3.0 * s.signal as f64) / s.tau_squared;
        2.0 * sigma * (own + others + share * scalar * s.norms[view][k] / q.squares[view]) * q.change.square()
    };
    pairs(0..2, 0..d).map(|(view, k)| one(view, k)).collect()
}

fn within(s: &NearManifold, q: &NormVelocities, right: &[Interval]) -> Evaluation {
    let d = s.latents();
    let bounds = granted(s, &q.near);
    all_of((0..2 * d).map(|k| {
        let scale = 4.0 * strength(s, k % d).0 * strength(s, k % d).1 * s.signal as f64;
        let name = format!("column {} of {}", k % d + 1, if k < d { "A" } else { "B" });
        (name, at_most((q.at[k] - right[k]).abs(), bounds[k]).on_scale_of("4rσ², times r/q for noise", scale))
    }))
}

fn printed(s: &NearManifold, q: &Near) -> Vec<Interval> {
    leading(s, q, &q.gap, q.squares)
}

/// Largest residual, for exponents.
fn residual(s: &NearManifold, size: f64) -> Result<Interval, MeasureError> {
    let state = NearManifold { size, ..s.clone() };
    let q = rates(&state)?;
    let gaps = q.at.iter().zip(printed(&state, &q.near)).map(|(&a, b)| (a - b).abs());
    Ok(gaps.fold(Interval::ZERO, Interval::max))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.cor-c9", "norms in Stage 2", Kind::Dynamics)
        .statement(
            "d/dt‖[K_A]_p‖² = 2σ_p²(2(1−S̄)(1−T_p)κ̂_p²/(N_AN_B) − Q̄_0‖[K_A]_p‖²/N_A²) + O(ε²), d/dt‖[K_Aξ]_k‖² = \
             −2σ_ξ²(r/q)Q̄_0‖[K_Aξ]_k‖²/N_A² + O(ε²), Q̄_0 = (2(1−S̄)/(rN_AN_B))Σ_sκ̂_s²(1−T_s); exact on the diagonal \
             manifold; the same for B",
        )
        .reconstructed("the displays")
        .source("Corollary C.9", &["Section C.1"])
        .symbols([
            SIZES, DATA, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT,
            H_ORTH,
        ])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, ARGUMENT, TANH, MEAN_SELECTION])
        .symbol("d/dt", MOTION)
        .symbols([CROSS_TERMS, CHANGE, PERTURBATION])
        .symbol("residual", "|d‖x‖²/dt − the right side of the statement without O(ε²)| for a column x of either view")
        .symbol("C_pp", "κ̂_p²/(N_AN_B)")
        .symbol("column x", "a column, ‖x‖² its squared norm, σ² = σ_p² or σ_ξ² its strength")
        .remark("O(ε²) is replaced by an explicit bound. Time scale W' = −(r/τ²)∇L.")
        .setting(residuals())
        .setting(order())
}

fn residuals() -> Setting<NearManifold, NormVelocities> {
    Setting::measuring(|s: &NearManifold, _| rates(s))
        .given("H-orth with the same D_σ and σ_ξ in both views")
        .given(GIVEN)
        .family(families(Bend::Both))
        .without_search()
        .part(
            "printed",
            "for every column x the residual is at most 2σ²{7|C_pp|/2 + 3r/τ² + r v(‖x‖²/N²)(3 + 7(X+Δ)/2)/τ²}Δ², v = \
             1/r for a signal (C_pp = 0 for noise, v = 1/q), X = Σ|x_p|, Δ the largest change of an exponent",
            holds(),
            |s, q| within(s, q, &printed(s, &q.near)),
        )
        .our_constant("the explicit multiple: the words name an order only")
        .part(
            "exact",
            "with 0 in place of ε (on the diagonal manifold) d‖x‖²/dt is the right side of the statement without \
             O(ε²), for every column x of either view",
            holds(),
            |s, q| {
                let d = s.latents();
                let right = printed(s, &q.near);
                for_each_index("column", 0..2 * d, |k| {
                    let scale = 4.0 * strength(s, k % d).0 * strength(s, k % d).1 * s.signal as f64 * q.near.rest.hi();
                    equal(q.start[k], right[k]).on_scale_of("4rσ²(1−S̄), times r/q for noise", scale)
                })
            },
        )
        .control("n2", "N_AN_B in place of N_A² in the second term", |s, q| {
            within(s, q, &leading(s, &q.near, &q.near.gap, [q.near.normalisers; 2]))
        })
        .control("n3", "T_p in place of 1−T_p", |s, q| {
            within(s, q, &leading(s, &q.near, &q.near.tilt, q.near.squares))
        })
}

fn order() -> Setting<NearManifold, Option<Vec<(f64, f64)>>> {
    Setting::measuring(|s: &NearManifold, _| Ok(orders(s, |size| residual(s, size))))
        .given("H-orth with the same D_σ and σ_ξ in both views")
        .given(GIVEN)
        .family(generic_family(Bend::Both))
        .without_search()
        .part(
            "order",
            "as the ε of the state is halved five times, the largest residual over the columns of both views falls \
             like ε² at least",
            consistent(),
            |_, o| falls_like(o, 2.0),
        )
        .except("the residual is zero")
        .implied_by("printed")
        .control("n1", "the residual falls like ε³", |_, o| falls_like(o, 3.0))
        .except("the residual is zero")
}
