//! Lemma C.6: the blocks of Q between signal and noise in Stage 2.
//!
//! True with an explicit residual: √(r/q) · 7Δ²/2 for every entry (proof: see Lemma C.5). The
//! factor g_p is positive, so the blocks are negative multiples of the cosines they answer to; it does not depend on
//! the noise direction.

use evidence::prelude::*;

use crate::shared::near_manifold::{Bend, GIVEN, NearManifold, families};
use crate::shared::notation::{
    CHANGE, CROSS_TERMS, DATA, FEATURES, KAPPA, KAPPA_HAT, MEAN_SELECTION, NORMALISER, OUTPUTS, PERTURBATION, Q_BLOCKS,
    RESIDUAL, RHO, SELECTION, SIZES, TANH,
};
use crate::shared::selection_off_manifold::{Near, order, within_entry_bound};

/// q g_p: the sum of −1 times the three contributions.
fn contributions(q: &Near, p: usize) -> [Interval; 3] {
    let (t, gap, both) = (q.tilt[p], q.gap[p], q.chosen * q.rest);
    [-both * (1.0 + gap), both * t * gap - q.rest * gap * (1.0 + t), -q.rest]
}

/// g_p = (1−S̄)(S̄(2−2T_p+T_p²) + 2 − T_p²)/q.
fn g(q: &Near, p: usize) -> Interval {
    let (t, gap) = (q.tilt[p], q.gap[p]);
    q.rest * (q.chosen * (1.0 + gap.square()) + 1.0 + gap * (1.0 + t)) / q.sizes.noise() as f64
}

/// (row, column, signal, bend) of every entry of Q_{1,ξA} and Q_{1,ξB}.
fn entries(q: &Near) -> Vec<(usize, usize, usize, Interval)> {
    let (r, d) = (q.sizes.signal(), q.sizes.latents());
    let places = || pairs(0..r, r..d);
    let of_a = places().map(|(p, k)| (p, k, p, q.bend.at(k, p)));
    of_a.chain(places().map(|(p, k)| (k, p, p, q.bend.at(p, k)))).collect()
}

/// √(r/q), which r|y_B y_A| is here.
fn unit(q: &Near) -> Interval {
    (Interval::point(q.sizes.signal() as f64) / q.sizes.noise() as f64).sqrt()
}

/// The largest residual with −c_p times the bend in place of the formula.
fn residual(q: &Near, factor: impl Fn(&Near, usize) -> Interval) -> Interval {
    let gaps =
        entries(q).into_iter().map(|(row, column, p, bend)| (q.terms.q(row, column) + factor(q, p) * bend).abs());
    gaps.fold(Interval::ZERO, Interval::max)
}

fn slopes(q: &Near) -> Evaluation {
    let r = q.sizes.signal();
    all_of(entries(q).into_iter().map(|(row, column, p, bend)| {
        let terms = &q.start_terms;
        let found = [
            terms.positive.at(row, column).slopes[0],
            -terms.negative_b.at(row, column).slopes[0],
            -terms.negative_a.at(row, column).slopes[0],
        ];
        // In Q_{1,ξB} the views change places, and with them the two kinds of negatives.
        let [first, second, third] = contributions(q, p);
        let expected = if row < r { [first, second, third] } else { [first, third, second] };
        let parts = found.into_iter().zip(expected).zip(["first", "second", "third"]).map(|((f, e), name)| {
            (
                name,
                equal(f, e * bend / q.sizes.noise() as f64).on_scale_of("(1−S̄)Δ√(r/q)", q.first_size() * unit(q).hi()),
            )
        });
        (format!("({row}, {column})"), all_of(parts))
    }))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c6", "Q_{1,ξA}, Q_{1,ξB} in Stage 2", Kind::Asymptotic)
        .statement(
            "[Q_{1,ξA}]_pk = −g_p[m_ξAB]_kp + O(ε²), [Q_{1,ξB}]_kp = −g_p[m_AξB]_pk + O(ε²), g_p = \
             (1−S̄)(S̄(2−2T_p+T_p²) + 2 − T_p²)/q; in particular O(δ_ξ⊥), negative multiples",
        )
        .reconstructed("the displays; the three terms of the proof and their symmetries survive in words")
        .source("Lemma C.6", &["Section C.1"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, SELECTION])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, TANH, MEAN_SELECTION, CROSS_TERMS, CHANGE, PERTURBATION, RESIDUAL, Q_BLOCKS])
        .symbol("g_p", "(1−S̄)(S̄(2−2T_p+T_p²) + 2 − T_p²)/q")
        .symbol("δ_ξ⊥", "the largest |cos| of a noise column of one view and a column of the other")
        .remark(
            "O(ε²) is replaced by an explicit bound, with the proof of Lemma C.5: rz_pξ_k has the size √(r/q) in place \
             of one.",
        )
        .setting(printed())
        .setting(order(Bend::Both, |q| residual(q, g)))
}

fn printed() -> Setting<NearManifold, Near> {
    Setting::measuring(|s: &NearManifold, _| Near::of(s))
        .given(GIVEN)
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise > 0))
        .family(families(Bend::Both))
        .without_search()
        .part(
            "printed",
            "for all p, k, [Q_{1,ξA}]_pk and [Q_{1,ξB}]_kp have the derivatives in ε of −g_p[m_ξAB]_kp and \
             −g_p[m_AξB]_pk at ε = 0, and differ from these by at most √(r/q) · 7Δ²/2",
            holds(),
            |_, q| {
                let derivatives = entries(q).into_iter().map(|(row, column, p, bend)| {
                    let slope = q.start_terms.q(row, column).slopes[0];
                    let scale = q.first_size() * unit(q).hi();
                    ("derivative", equal(slope, -(g(q, p) * bend)).on_scale_of("(1−S̄)Δ√(r/q)", scale))
                });
                all_of(derivatives.chain([("residual", within_entry_bound(q, unit(q), residual(q, g)))]))
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .part(
            "in-particular",
            "for all p, k, |[Q_{1,ξA}]_pk|, |[Q_{1,ξB}]_kp| ≤ 3√(r/q)Δ, and at first order they are negative \
             multiples: 0 < q g_p ≤ 7(1−S̄)",
            holds(),
            |_, q| {
                let sizes = entries(q).into_iter().map(|(row, column, p, _)| {
                    let size = at_most(q.terms.q(row, column).abs(), 3.0 * unit(q) * q.change).on_unit_scale();
                    let share = g(q, p) * q.sizes.noise() as f64;
                    let sign = evidence::claim::greater_than(share, 0);
                    let most = at_most(share, 7.0 * q.rest);
                    (format!("({row}, {column})"), all_of([("size", size), ("sign", sign), ("g", most)]))
                });
                all_of(sizes)
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .step(
            "s1",
            "to first order in ε the three terms of [Q_{1,ξA}]_pk are [m_ξAB]_kp/q times −S̄(1−S̄)(2−T_p), \
             S̄(1−S̄)T_p(1−T_p) − (1−S̄)(1−T_p²) and −(1−S̄); those of [Q_{1,ξB}]_kp are [m_AξB]_pk/q times the same, the \
             second and third exchanged",
            holds(),
            |_, q| slopes(q),
        )
        .step(
            "s2",
            "for every p, −S̄(1−S̄)(2−T_p) + S̄(1−S̄)T_p(1−T_p) − (1−S̄)(1−T_p²) − (1−S̄) = −q g_p",
            holds(),
            |_, q| {
                for_each_index("p =", 0..q.sizes.signal(), |p| {
                    let sum: Interval = contributions(q, p).into_iter().sum();
                    equal(sum, -g(q, p) * q.sizes.noise() as f64)
                })
            },
        )
        .control("n1", "positive sign", |_, q| within_entry_bound(q, unit(q), residual(q, |q, p| -g(q, p))))
        .control("n2", "g_p without the S̄-part", |_, q| {
            within_entry_bound(
                q,
                unit(q),
                residual(q, |q, p| q.rest * (1.0 + q.gap[p] * (1.0 + q.tilt[p])) / q.sizes.noise() as f64),
            )
        })
        .control("n3", "g_1 in place of g_p", |_, q| within_entry_bound(q, unit(q), residual(q, |q, _| g(q, 0))))
}
