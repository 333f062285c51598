//! Lemma C.7: the noise block Q_2 in Stage 2.
//!
//! True with the explicit residual (r/q) · 7Δ²/2 for every entry (proof: see Lemma C.5); nothing of
//! Stage 2 is used.

use evidence::prelude::*;

use crate::shared::near_manifold::{Bend, GIVEN, NearManifold, families};
use crate::shared::notation::{
    CHANGE, CROSS_TERMS, DATA, FEATURES, KAPPA, KAPPA_HAT, MEAN_SELECTION, NORMALISER, OUTPUTS, PERTURBATION, Q_BLOCKS,
    RESIDUAL, RHO, SELECTION, SIZES,
};
use crate::shared::selection_off_manifold::{Near, order, within_entry_bound};

fn entries(q: &Near) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (r, d) = (q.sizes.signal(), q.sizes.latents());
    pairs(r..d, r..d)
}

/// r/q².
fn share(q: &Near) -> Interval {
    let noise = q.sizes.noise() as f64;
    Interval::point(q.sizes.signal() as f64) / noise / noise
}

/// 2(1−S̄)(1+S̄)r/q².
fn factor(q: &Near) -> Interval {
    2.0 * q.rest * (1.0 + q.chosen) * share(q)
}

/// r/q, which r|y_B y_A| is here.
fn unit(q: &Near) -> Interval {
    Interval::point(q.sizes.signal() as f64) / q.sizes.noise() as f64
}

/// The largest residual with this factor in the formula.
fn residual(q: &Near, factor: Interval) -> Interval {
    let gaps = entries(q).map(|(k, l)| (q.terms.q(k, l) + factor * q.bend.at(l, k)).abs());
    gaps.fold(Interval::ZERO, Interval::max)
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c7", "Q_2 in Stage 2", Kind::Asymptotic)
        .statement("[Q_2]_kl = −2(1−S̄)(1+S̄)(r/q²)[m_ξξ]_lk + O(ε²)")
        .reconstructed("the display; the three terms of the proof survive in words")
        .source("Lemma C.7", &["Section C.1"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, SELECTION])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, MEAN_SELECTION, CROSS_TERMS, CHANGE, PERTURBATION, RESIDUAL, Q_BLOCKS])
        .remark(
            "O(ε²) is replaced by an explicit bound, with the proof of Lemma C.5: rξ_kξ_l has the size r/q in place of \
             one.",
        )
        .setting(printed())
        .setting(order(Bend::Both, |q| residual(q, factor(q))))
}

fn printed() -> Setting<NearManifold, Near> {
    Setting::measuring(|s: &NearManifold, _| Near::of(s))
        .given(GIVEN)
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise > 0))
        .family(families(Bend::Both))
        .family(families(Bend::Noise).map(|f| f.taking(0.25)))
        .without_search()
        .part(
            "printed",
            "for all k, l, [Q_2]_kl has the derivative in ε of −2(1−S̄)(1+S̄)(r/q²)[m_ξξ]_lk at ε = 0, and differs from \
             it by at most (r/q) · 7Δ²/2",
            holds(),
            |_, q| {
                let scale = q.first_size() * share(q).hi() * q.sizes.noise() as f64;
                let derivatives = entries(q).map(|(k, l)| {
                    let expected = -(factor(q) * q.bend.at(l, k));
                    ("derivative", equal(q.start_terms.q(k, l).slopes[0], expected).on_scale_of("(1−S̄)Δr/q", scale))
                });
                all_of(derivatives.chain([("residual", within_entry_bound(q, unit(q), residual(q, factor(q))))]))
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .step(
            "s1",
            "to first order in ε the first term of [Q_2]_kl is −2S̄(1−S̄), the second and the third −(1−S̄) each, times \
             (r/q²)[m_ξξ]_lk",
            holds(),
            |_, q| {
                for_each_index("entry", entries(q), |(k, l)| {
                    let (terms, bend) = (&q.start_terms, q.bend.at(l, k) * share(q));
                    let scale = q.first_size() * share(q).hi() * q.sizes.noise() as f64;
                    let part = |found: Interval, expected: Interval| {
                        equal(found, expected * bend).on_scale_of("(1−S̄)Δr/q", scale)
                    };
                    all_of([
                        ("first", part(terms.positive.at(k, l).slopes[0], -2.0 * q.chosen * q.rest)),
                        ("second", part(-terms.negative_b.at(k, l).slopes[0], -q.rest)),
                        ("third", part(-terms.negative_a.at(k, l).slopes[0], -q.rest)),
                    ])
                })
            },
        )
        .control("n1", "factor 1+S̄ dropped", |_, q| {
            within_entry_bound(q, unit(q), residual(q, 2.0 * q.rest * share(q)))
        })
        .control("n2", "1/q in place of r/q²", |_, q| {
            within_entry_bound(q, unit(q), residual(q, factor(q) / share(q) / q.sizes.noise() as f64))
        })
        .control("n3", "[m_ξξ]_kl in place of [m_ξξ]_lk", |_, q| {
            let gaps = entries(q).map(|(k, l)| (q.terms.q(k, l) + factor(q) * q.bend.at(k, l)).abs());
            within_entry_bound(q, unit(q), gaps.fold(Interval::ZERO, Interval::max))
        })
}
