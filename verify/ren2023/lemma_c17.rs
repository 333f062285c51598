//! Lemma C.17: the noise columns of one view keep the ratios of their norms in Stage 2.
//!
//! True to first order: the radial rate of a noise column is −2σ_ξ²(r/q)Q_0/N² for every k, and Q_0 and the cross
//! products have no first-order part. Off the manifold the ratio does move, and across views it moves wherever N_A ≠
//! N_B and Q_0 ≠ 0.

use evidence::prelude::*;

use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MEAN_SELECTION, MOTION, NORMALISER,
    OUTPUTS, PERTURBATION, RADIAL, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::{Leaving, UNIT, log_norm_rate};
use crate::shared::stage_two::over_directions;

/// Noise columns k of both views, each with the first of its view.
fn with_first(r: usize, d: usize) -> impl Iterator<Item = (usize, usize)> {
    (r + 1..d).flat_map(move |k| [(k, r), (d + k, d + r)])
}

fn zero_on(x: Interval, m: &Leaving) -> Evaluation {
    equal(x, 0).on_scale_of(UNIT, m.unit)
}

/// A distance from the manifold.
const AWAY: f64 = 0.02;

/// Rates at this distance from the manifold.
fn off_the_manifold(s: &ManifoldDirection, m: &Leaving) -> Evaluation {
    let state = match s.gram_at(Interval::point(AWAY)) {
        Ok(state) => state,
        Err(error) => return Evaluation::Failed(error.to_string()),
    };
    match s.moved(&state) {
        Ok(moved) => for_each_index("columns", with_first(s.r(), s.d()), |(k, l)| {
            zero_on(log_norm_rate(&state, &moved, k) - log_norm_rate(&state, &moved, l), m)
        }),
        Err(error) => Evaluation::Failed(error.to_string()),
    }
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c17", "noise columns keep comparable norms", Kind::Dynamics)
        .statement(
            "for noise columns k, l of one view, d/dt log(‖[K_{A,ξ}]_k‖²/‖[K_{A,ξ}]_l‖²) = O(ε²), exactly 0 on the \
             diagonal manifold",
        )
        .reconstructed("the display")
        .source("Lemma C.17", &["Section C.3"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, TANH, MEAN_SELECTION, RADIAL])
        .symbol("d/dt", MOTION)
        .symbols([PERTURBATION])
        .remark(
            "The scale on which a rate counts as zero is (1−S̄) max_p(σ_p², σ_ξ²r/q)/min(N_A², N_B²), that of the terms \
             that cancel in it.",
        )
        .setting(printed())
}

fn printed() -> Setting<ManifoldDirection, Leaving> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| Ok(s.leaving()?)))
        .assume(Hypothesis::new("q ≥ 2", |s| s.q() >= 2))
        .without_search()
        .part(
            "printed",
            "for all noise columns k, l of one view (here A, and likewise B) d/dt log(‖[K_{A,ξ}]_k‖²/‖[K_{A,ξ}]_l‖²) \
             is 0 on the manifold, and its derivative in ε is 0 there",
            holds(),
            |s, m| {
                for_each_index("columns", with_first(s.r(), s.d()), |(k, l)| {
                    let (one, other) = (m.log_norm(k), m.log_norm(l));
                    all_of([("value", zero_on(one.0 - other.0, m)), ("slope", zero_on(one.1 - other.1, m))])
                })
            },
        )
        .tested_by("n2")
        .step(
            "s1",
            "d/dt log‖x_k‖² = −2σ_ξ²(r/q)Q_0/N² for every noise column x_k, N² that of its own view, at ε = 0 and to \
             first order in ε",
            holds(),
            |s, m| {
                let (r, d) = (s.r(), s.d());
                let ratio = Interval::point(2.0 * s.noise_squared) * r as f64 / s.q() as f64;
                all_of((r..d).flat_map(|k| [(0, k), (1, d + k)]).map(|(view, k)| {
                    let expected = -(ratio * m.base.by.scalar / m.base.by.normalisers_squared[view]);
                    let (value, slope) = m.log_norm(k);
                    let on_it = equal(value, expected).on_scale_of(UNIT, m.unit);
                    (format!("column {}", k + 1), all_of([("value", on_it), ("slope", zero_on(slope, m))]))
                }))
            },
        )
        .tested_by("s1-more")
        .control("s1-more", "that rate with one per cent more", |s, m| {
            let ratio = Interval::point(2.02 * s.noise_squared) * s.r() as f64 / s.q() as f64;
            let expected = -(ratio * m.base.by.scalar / m.base.by.normalisers_squared[0]);
            equal(m.log_norm(s.r()).0, expected).on_scale_of(UNIT, m.unit)
        })
        .control("n1", "exactly 0 off the manifold, at ε = 0.02", off_the_manifold)
        .assume(Hypothesis::new("G positive definite there, by row sums", |s| s.is_definite_at(AWAY)))
        .control("n2", "0 across views too, on the manifold", |s, m| {
            let (r, d) = (s.r(), s.d());
            zero_on(m.log_norm(r).0 - m.log_norm(d + r).0, m)
        })
}
