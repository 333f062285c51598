//! Lemma C.14: how the cosine of two noise columns moves in Stage 2.
//!
//! True to first order at every diagonal state, also for N_A ≠ N_B: across views only [Q_2]_{lk} of Lemma C.7 enters,
//! which is a negative multiple of the cosine itself; within a view every contribution is a product of two small
//! numbers.

use contrapositive::claim::{Claim, Evaluation, Kind, Setting, consistent, holds};
use contrapositive::interval::Interval;
use contrapositive::multimodal::GramState;

use super::first_order::{Leaving, cosine_rate, slopes_are};
use super::manifold_directions::NearManifold;
use super::near_states::near_states;

/// Noise columns of A with those of B.
fn across(s: &NearManifold) -> impl Iterator<Item = (usize, usize)> {
    across_of(s.r(), s.q())
}

fn across_of(r: usize, q: usize) -> impl Iterator<Item = (usize, usize)> {
    let d = r + q;
    (r..d).flat_map(move |k| (r..d).map(move |l| (k, d + l)))
}

/// Two noise columns of one view.
fn within(s: &NearManifold) -> impl Iterator<Item = (usize, usize)> {
    let (r, d) = (s.r(), s.d());
    (r..d).flat_map(move |k| (r..k).flat_map(move |l| [(l, k), (d + l, d + k)]))
}

/// "The cosine of noise column k of A and l of B falls at this multiple of −rτ²σ_ξ²(n_k + n_l)/(q²N_A²N_B²)."
fn falls(s: &NearManifold, m: &Leaving, factor: Interval) -> Evaluation {
    let (r, q, d) = (s.r(), s.q(), s.d());
    let square = m.base.normalisers.square();
    slopes_are(m, across(s), |k, l| {
        let norms = Interval::point(s.noise_a[k - r]) + s.noise_b[l - d - r];
        let rate = norms * (r as f64) * s.tau_squared * s.noise_squared / ((q * q) as f64 * square);
        vec![-(factor * rate * s.cosine(k, l))]
    })
}

fn rates(state: &GramState<f64>, moved: &GramState<f64>) -> Vec<f64> {
    let sizes = state.sizes();
    across_of(sizes.signal(), sizes.noise())
        .map(|(k, l)| cosine_rate(state, moved, k, l))
        .collect()
}

pub fn claim() -> Claim {
    Claim::new(
        "ren2023.lemma-c14",
        "orthogonality between noises in Stage 2",
        Kind::Dynamics,
    )
    .statement(
        "d/dt cos([K_{A,ξ}]_k, [K_{B,ξ}]_l) = \
         −2(1−S̄)(1+S̄)(rτ²σ_ξ²/(q²N⁴))(‖[K_{A,ξ}]_k‖² + ‖[K_{B,ξ}]_l‖²)·cos(…) + O(ε²); \
         within one view the derivative is O(ε²)",
    )
    .reconstructed("the display; the equation is derived from the definitions")
    .source("Lemma C.14", &["Section C.2"])
    .remark("Neither alignment nor N_A = N_B is used: N⁴ is N_A²N_B² in general.")
    .setting(
        Setting::measuring(|s: &NearManifold, _| Ok(s.leaving()?))
            .assume("noise", |s| s.q() >= 1)
            .assume("τ² > 0", |s| s.tau_squared > 0.0)
            .families(near_states((1, 1)))
            .without_search()
            .part(
                "printed",
                "the derivative in ε of the rate across views is the linear form",
                holds(),
                |s, m| falls(s, m, 2.0 * m.base.by.rest * (1.0 + m.base.share())),
            )
            .part(
                "within",
                "within a view the rate vanishes to first order",
                holds(),
                |s, m| {
                    let none = |_: usize, _: usize| vec![Interval::point(m.unit), Interval::point(-m.unit)];
                    slopes_are(m, within(s), none)
                },
            )
            .when("q ≥ 2", |s| s.q() >= 2)
            .step(
                "order",
                "the residual falls like ε² as ε is halved",
                consistent(),
                |s, m| {
                    let slopes = across(s).map(|(k, l)| m.cosine(k, l).1.midpoint());
                    s.residual_order(rates, &slopes.collect::<Vec<_>>())
                },
            )
            .control("n1", "growth instead of decay", |s, m| {
                falls(s, m, -2.0 * m.base.by.rest * (1.0 + m.base.share()))
            })
            .control("n2", "constant to first order", |s, m| falls(s, m, Interval::ZERO))
            .control("n3", "the factor 1 + S̄ dropped", |s, m| {
                falls(s, m, 2.0 * m.base.by.rest)
            }),
    )
}
