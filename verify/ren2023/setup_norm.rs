//! Section 3, the sentence before eq. (2): the normaliser N_A² = ‖K_A‖_F²/r + ‖K_{A,ξ}‖_F²/q.
//!
//! True for arbitrary maps A, A_ξ: z and ξ_A are independent with mean 0 and covariances I/r, I/q, so E‖W_A x_A‖² =
//! tr(K_A K_Aᵀ)/r + tr(K_{A,ξ}K_{A,ξ}ᵀ)/q. No orthogonality is used. The left side is averaged over all 2^d latent
//! states.

use enclosures::vectors::{sum_of_products, sum_of_squares};
use evidence::prelude::*;
use two_view::{MatrixBlock, View, signs};

use crate::shared::hypotheses::over_models;
use crate::shared::notation::{SIZES, WEIGHTS};
use crate::shared::two_views::TwoViews;

/// Means over the latent states of one view.
struct Means {
    /// E‖W x‖².
    square: Interval,
    /// E⟨K z, K_ξ ξ⟩, and the largest |⟨K z, K_ξ ξ⟩|.
    mixed: Interval,
    most_mixed: Interval,
    /// E‖K z‖².
    signal: Interval,
    /// ‖W x‖² at every state.
    each: Vec<Interval>,
    /// ‖K‖_F² and ‖K_ξ‖_F².
    norms: [Interval; 2],
    /// The closed form.
    closed: Interval,
}

fn means(v: &TwoViews, view: View) -> Result<Means, MeasureError> {
    let (features, r, d) = (v.features()?.of_view(view), v.signal, v.signal + v.noise);
    let sizes = v.sizes()?;
    let output = |state: usize, from: usize, to: usize| -> Vec<Interval> {
        let s = signs(d, state);
        let latent = |k: usize| Interval::point(s[k]) * sizes.variance::<Interval>(k).sqrt();
        let row = |i: usize| -> Interval { (from..to).map(|k| features.at(i, k) * latent(k)).sum() };
        (0..features.rows()).map(row).collect()
    };
    let count = (1usize << d) as f64;
    let mean = |f: &dyn Fn(usize) -> Interval| -> Interval { (0..1usize << d).map(f).sum::<Interval>() / count };
    let norm = |part: MatrixBlock<Interval>| part.squared_norm();
    Ok(Means {
        square: mean(&|s| sum_of_squares(&output(s, 0, d))),
        mixed: mean(&|s| sum_of_products(&output(s, 0, r), &output(s, r, d))),
        most_mixed: (0..1usize << d)
            .map(|s| sum_of_products(&output(s, 0, r), &output(s, r, d)).abs())
            .fold(Interval::ZERO, Interval::max),
        signal: mean(&|s| sum_of_squares(&output(s, 0, r))),
        each: (0..1usize << d).map(|s| sum_of_squares(&output(s, 0, d))).collect(),
        norms: [norm(features.columns_between(0, r)), norm(features.columns_between(r, d))],
        closed: v.features()?.gram().normaliser_squared(view)?,
    })
}

pub fn claim() -> Claim {
    Claim::new("ren2023.setup-norm", "the normaliser in closed form", Kind::Identity)
        .statement("E‖W_A x_A‖² = ‖K_A‖_F²/r + ‖K_{A,ξ}‖_F²/q =: N_A², so that E‖f_A‖² = 1; the same for B")
        .source("Section 3", &["the sentence before eq. (2)"])
        .symbols([SIZES, WEIGHTS])
        .symbol("E", "the mean over z, ξ_A, ξ_B")
        .reconstructed("the formula, which the words and the surviving symbols determine")
        .remark("The orthogonality hypotheses are not used.")
        .setting(
            over_models(Setting::measuring(|v: &TwoViews, _| Ok([means(v, View::A)?, means(v, View::B)?])))
                .part(
                    "printed",
                    "E‖W_A x_A‖² = ‖K_A‖_F²/r + ‖K_{A,ξ}‖_F²/q, and the same for B",
                    holds(),
                    |_, m| all_of([("A", equal(m[0].square, m[0].closed)), ("B", equal(m[1].square, m[1].closed))]),
                )
                .part("unit", "E‖f_A‖² = E‖f_B‖² = 1", holds(), |_, m| {
                    all_of([("A", equal(m[0].square / m[0].closed, 1)), ("B", equal(m[1].square / m[1].closed, 1))])
                })
                .implied_by("printed")
                .step("s1", "E⟨K_A z, K_{A,ξ} ξ_A⟩ = 0", holds(), |_, m| {
                    equal(m[0].mixed, 0).on_scale_of("N_A²", m[0].closed.magnitude())
                })
                .tested_by("n4")
                .step("s2", "E‖K_A z‖² = tr(K_A K_Aᵀ)/r", holds(), |v, m| {
                    equal(m[0].signal, m[0].norms[0] / v.signal as f64).on_scale_of("N_A²", m[0].closed.magnitude())
                })
                .control("n1", "N_A² = ‖K_A‖_F² + ‖K_{A,ξ}‖_F²", |_, m| {
                    equal(m[0].square, m[0].norms[0] + m[0].norms[1])
                })
                .control("n2", "‖f_A(x)‖² = 1 for every x", |_, m| {
                    for_each("state", &m[0].each, |_, &x| equal(x / m[0].closed, 1))
                })
                .control("n4", "⟨K_A z, K_{A,ξ} ξ_A⟩ = 0 at every state", |_, m| {
                    equal(m[0].most_mixed, 0).on_scale_of("N_A²", m[0].closed.magnitude())
                })
                .control("n3", "1/r for the noise as well", |v, m| {
                    equal(m[0].square, (m[0].norms[0] + m[0].norms[1]) / v.signal as f64)
                }),
        )
}
