//! Lemma C.14: how the cosine of two noise columns moves in Stage 2.
//!
//! True to first order at every diagonal state, also for N_A ≠ N_B: across views only [Q_2]_{lk} of Lemma C.7 enters,
//! which is a negative multiple of the cosine itself; within a view every contribution is a product of two small
//! numbers.

use evidence::prelude::*;

use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MEAN_SELECTION, MOTION, NORMALISER,
    OUTPUTS, PERTURBATION, RHO, SIZES,
};
use crate::shared::rates_off_manifold::{Leaving, slopes_are};
use crate::shared::stage_two::over_directions;

/// Noise columns of A with those of B.
fn across(s: &ManifoldDirection) -> impl Iterator<Item = (usize, usize)> {
    across_of(s.r(), s.q())
}

fn across_of(r: usize, q: usize) -> impl Iterator<Item = (usize, usize)> {
    let d = r + q;
    (r..d).flat_map(move |k| (r..d).map(move |l| (k, d + l)))
}

/// Two noise columns of one view.
fn within(s: &ManifoldDirection) -> impl Iterator<Item = (usize, usize)> {
    let (r, d) = (s.r(), s.d());
    (r..d).flat_map(move |k| (r..k).flat_map(move |l| [(l, k), (d + l, d + k)]))
}

/// "The cosine of noise column k of A and l of B falls at this multiple of −rτ²σ_ξ²(n_k + n_l)/(q²N_A²N_B²)."
fn falls(s: &ManifoldDirection, m: &Leaving, factor: Interval) -> Evaluation {
    falls_on(s, m, across(s), factor)
}

/// The same of any two noise columns.
fn falls_on(
    s: &ManifoldDirection,
    m: &Leaving,
    columns: impl Iterator<Item = (usize, usize)>,
    factor: Interval,
) -> Evaluation {
    let (r, q, d) = (s.r(), s.q(), s.d());
    let square = m.base.normalisers.square();
    let squared_norm = |column: usize| [&s.noise_a, &s.noise_b][column / d][column % d - r];
    slopes_are(m, columns, |k, l| {
        let norms = Interval::point(squared_norm(k)) + squared_norm(l);
        let rate = norms * (r as f64) * s.tau_squared * s.noise_squared / ((q * q) as f64 * square);
        vec![-(factor * rate * s.cosine(k, l))]
    })
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c14", "orthogonality between noises in Stage 2", Kind::Dynamics)
        .statement(
            "d/dt cos([K_{A,ξ}]_k, [K_{B,ξ}]_l) = −2(1−S̄)(1+S̄)(rτ²σ_ξ²/(q²N⁴))(‖[K_{A,ξ}]_k‖² + ‖[K_{B,ξ}]_l‖²)·cos(…) \
             + O(ε²); within one view the derivative is O(ε²)",
        )
        .reconstructed("the display; the equation is derived from the definitions")
        .source("Lemma C.14", &["Section C.2"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, MEAN_SELECTION])
        .symbol("d/dt", MOTION)
        .symbols([PERTURBATION])
        .remark("Neither alignment nor N_A = N_B is used: N⁴ is N_A²N_B² in general.")
        .setting(printed())
}

fn printed() -> Setting<ManifoldDirection, Leaving> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| Ok(s.leaving()?)))
        .assume(Hypothesis::new("q ≥ 1", |s| s.q() >= 1))
        .without_search()
        .part(
            "printed",
            "for all k, l, d/dt cos([K_{A,ξ}]_k, [K_{B,ξ}]_l) is 0 at ε = 0, and its derivative in ε is that of \
             −2(1−S̄)(1+S̄)(rτ²σ_ξ²/(q²N_A²N_B²))(‖[K_{A,ξ}]_k‖² + ‖[K_{B,ξ}]_l‖²) cos([K_{A,ξ}]_k, [K_{B,ξ}]_l)",
            holds(),
            |s, m| falls(s, m, 2.0 * m.base.by.rest * (1.0 + m.base.share())),
        )
        .part(
            "within",
            "the ε-derivative at ε = 0 of d/dt of the cosine of two different noise columns of one view is zero, on \
             the scale of (1−S̄) max_p(σ_p², σ_ξ²r/q)/min(N_A², N_B²)",
            holds(),
            |s, m| {
                let none = |_: usize, _: usize| vec![Interval::point(m.unit), Interval::point(-m.unit)];
                slopes_are(m, within(s), none)
            },
        )
        .assume(Hypothesis::new("q ≥ 2", |s| s.q() >= 2))
        .tested_by("n4")
        .control(
            "n4",
            "within a view the cosines fall as they do across: both columns of the part printed are of one view",
            |s, m| falls_on(s, m, within(s), 2.0 * m.base.by.rest * (1.0 + m.base.share())),
        )
        .assume(Hypothesis::new("q ≥ 2", |s| s.q() >= 2))
        .control("n1", "growth instead of decay", |s, m| falls(s, m, -2.0 * m.base.by.rest * (1.0 + m.base.share())))
        .control("n2", "constant to first order", |s, m| falls(s, m, Interval::ZERO))
        .control("n3", "the factor 1 + S̄ dropped", |s, m| falls(s, m, 2.0 * m.base.by.rest))
}
