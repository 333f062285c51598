//! Lemma C.5: the signal block Q_1 in Stage 2.
//!
//! True with an explicit residual: every entry differs from the first-order formula by at most 7Δ²/2, for all states,
//! and an entry beside the diagonal is at most 3Δ ≤ 3τ²dδ with δ the largest of the cosines. The bracket
//! regroups: with gaps 1 − T the terms multiplied by S̄ are 2(1−T_p)(1−T_s)E_ps + ((1−T_p)² + (1−T_s)²)E_sp.

use enclosures::interval::Dual;
use evidence::claim::pairs_below;
use evidence::prelude::*;

use crate::shared::near_manifold::{Bend, GIVEN, NearManifold, families};
use crate::shared::notation::{
    CHANGE, CROSS_TERMS, DATA, FEATURES, KAPPA, KAPPA_HAT, MEAN_SELECTION, NORMALISER, OUTPUTS, PERTURBATION, Q_BLOCKS,
    RESIDUAL, RHO, SELECTION, SIZES, TANH,
};
use crate::shared::selection_off_manifold::{Near, SelectionTerms, order, within_entry_bound};

fn places(q: &Near) -> impl Iterator<Item = (usize, usize)> + use<> {
    let r = q.sizes.signal();
    pairs(0..r, 0..r)
}

/// First-order parts of the three terms of [Q_1]_ps, the last two with their sign.
fn parts(q: &Near, p: usize, s: usize) -> [Interval; 3] {
    let (t, gap, e) = (&q.tilt, &q.gap, |k: usize, l: usize| q.bend.at(k, l));
    let (both, rest, r) = (q.chosen * q.rest, q.rest, q.sizes.signal() as f64);
    let positive = -both * (gap[p] + gap[s]) * (e(p, s) + e(s, p));
    let flat = |k: usize| rest * gap[k] * (1.0 + t[k]) * e(s, p);
    let negative_b = both * t[p] * (e(p, s) * gap[s] + e(s, p) * gap[p]) - flat(p);
    let negative_a = both * t[s] * (e(p, s) * gap[p] + e(s, p) * gap[s]) - flat(s);
    [positive / r, negative_b / r, negative_a / r]
}

fn printed(q: &Near, p: usize, s: usize) -> Interval {
    if p == s {
        2.0 * q.rest * q.gap[p]
    } else {
        let [first, second, third] = parts(q, p, s);
        first + second + third
    }
}

/// −(E_ps/r)(1−S̄)[S̄(2−T_p−T_s)² + 2−T_p²−T_s²].
fn symmetric(q: &Near, p: usize, s: usize) -> Interval {
    let (t, gap) = (&q.tilt, &q.gap);
    let flat = gap[p] * (1.0 + t[p]) + gap[s] * (1.0 + t[s]);
    let bracket = q.chosen * (gap[p] + gap[s]).square() + flat;
    -q.bend.at(p, s) / q.sizes.signal() as f64 * q.rest * bracket
}

fn off(q: &Near, f: impl Fn(usize, usize) -> Evaluation) -> Evaluation {
    for_each_index("entry", places(q).filter(|(p, s)| p != s), |(p, s)| f(p, s))
}

fn residual(q: &Near) -> Interval {
    let gaps = places(q).map(|(p, s)| (q.terms.q(p, s) - printed(q, p, s)).abs());
    gaps.fold(Interval::ZERO, Interval::max)
}

fn is_symmetric(s: &NearManifold) -> bool {
    let r = s.signal;
    let equal_norms = |p: usize| s.norms[0][p] == s.norms[1][p];
    (0..r).all(equal_norms) && pairs_below(r).all(|(p, k)| s.cosine(p, k) == s.cosine(k, p))
}

/// The derivatives in ε of the three terms of [Q_1]_ps at ε = 0.
fn slopes(terms: &SelectionTerms<Dual<1>>, p: usize, s: usize) -> [Interval; 3] {
    let of = |block: &two_view::MatrixBlock<Dual<1>>| block.at(p, s).slopes[0];
    [of(&terms.positive), -of(&terms.negative_b), -of(&terms.negative_a)]
}

/// One of the three terms, to first order, beside the diagonal.
fn step(which: usize) -> impl Fn(&NearManifold, &Near) -> Evaluation {
    move |_, q| {
        off(q, |p, s| {
            equal(slopes(&q.start_terms, p, s)[which], parts(q, p, s)[which]).on_scale_of("(1−S̄)Δ", q.first_size())
        })
    }
}

const SEVERAL_SIGNALS: Hypothesis<NearManifold> = Hypothesis::new("r ≥ 2", |s| s.signal >= 2);

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c5", "Q_1 in Stage 2", Kind::Asymptotic)
        .statement(
            "[Q_1]_pp = 2(1−S̄)(1−T_p) + O(ε²); for p ≠ s [Q_1]_ps = (1/r){−S̄(1−S̄)[(2−T_p−T_s)(E_ps+E_sp) − \
             T_p(E_ps(1−T_s)+E_sp(1−T_p)) − T_s(E_ps(1−T_p)+E_sp(1−T_s))] − (1−S̄)(2−T_p²−T_s²)E_sp} + O(ε²); in \
             particular O(δ_⊥)",
        )
        .reconstructed("the displays; the three terms of the proof survive in words")
        .source("Lemma C.5", &["Section C.1"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, SELECTION])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, TANH, MEAN_SELECTION, CROSS_TERMS, CHANGE, PERTURBATION, RESIDUAL, Q_BLOCKS])
        .symbol(
            "F_ps",
            "F_pp = 2(1−S̄)(1−T_p), and for p ≠ s F_ps = (1/r){−S̄(1−S̄)[(2−T_p−T_s)(E_ps+E_sp) − \
             T_p(E_ps(1−T_s)+E_sp(1−T_p)) − T_s(E_ps(1−T_p)+E_sp(1−T_s))] − (1−S̄)(2−T_p²−T_s²)E_sp}",
        )
        .symbol("δ_⊥", "the largest |cos| of columns of different signals, one of either view")
        .remark(
            "Proof of the bounds: along the segment from diag M to M the exponents τ²⟨f_A, f_B⟩ move at constant \
             rates, of size at most Δ, with the mean μ and the variance v ≤ Δ² − μ² under the tilt. Then |S''| ≤ \
             2Δ²/(3√3) < 0.385Δ² (Lemma C.3) and |S'| ≤ S(1−S)(Δ+|μ|) ≤ Δ/2. For |g| ≤ 1 the term P = (1−S)E_wg has \
             |P'| ≤ (1−S)(S(Δ+|μ|) + √v) ≤ (1−S)(S + √(1+S²))Δ ≤ Δ and |P''| ≤ |S''| + (Δ+|μ|)√v/2 + 2v ≤ (0.385 + \
             0.65 + 2)Δ². An entry of Q is the mean of (2−S_A−S_B)g less two such P, g = rz_pz_s of size one: |Q'| ≤ \
             3Δ, and half of |Q''| is at most (0.385 + 3.035)Δ² < 7Δ²/2. Hypotheses of Stage 2 are not used.",
        )
        .setting(entries())
        .setting(order(Bend::Both, residual))
}

fn entries() -> Setting<NearManifold, Near> {
    Setting::measuring(|s: &NearManifold, _| Near::of(s))
        .given(GIVEN)
        .family(families(Bend::Both))
        .family(families(Bend::Signal).map(|f| f.taking(0.25)))
        .without_search()
        .part(
            "printed",
            "for all p, s, [Q_1]_ps has value and derivative in ε of F_ps at ε = 0, and |[Q_1]_ps − F_ps| ≤ 7Δ²/2",
            holds(),
            |_, q| {
                let starts = places(q).flat_map(|(p, s)| {
                    let entry = q.start_terms.q(p, s);
                    let (value, slope) =
                        if p == s { (printed(q, p, s), Interval::ZERO) } else { (Interval::ZERO, printed(q, p, s)) };
                    [
                        ("value", equal(entry.value, value).on_scale_of("1−S̄", q.rest.hi())),
                        ("derivative", equal(entry.slopes[0], slope).on_scale_of("(1−S̄)Δ", q.first_size())),
                    ]
                });
                all_of(starts.chain([("residual", within_entry_bound(q, Interval::ONE, residual(q)))]))
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .ours(
            "symmetric",
            "for p ≠ s, [Q_1]_ps differs from −(E_ps/r)(1−S̄)[S̄(2−T_p−T_s)² + 2−T_p²−T_s²] by at most 7Δ²/2",
            holds(),
            |_, q| off(q, |p, s| within_entry_bound(q, Interval::ONE, q.terms.q(p, s) - symmetric(q, p, s))),
        )
        .assume(SEVERAL_SIGNALS)
        .because("a special case that the words do not name")
        .assume(Hypothesis::new("E symmetric", is_symmetric))
        .part(
            "in-particular",
            "|[Q_1]_ps| ≤ 3Δ ≤ 3τ²dδ for p ≠ s, δ the largest size of a cosine between a column of A and one of B, the \
             ρ_p left out",
            holds(),
            |s, q| {
                let d = s.latents();
                let cosines = pairs(0..d, 0..d).map(|(i, j)| s.cosine(i, j).abs());
                let largest = cosines.fold(Interval::ZERO, Interval::max) * s.tau_squared * d as f64;
                all_of([
                    ("Δ", at_most(q.change, largest).on_scale_of("Δ", q.change.hi())),
                    ("entries", off(q, |p, s| at_most(q.terms.q(p, s).abs(), 3.0 * q.change).on_unit_scale())),
                ])
            },
        )
        .assume(SEVERAL_SIGNALS)
        .our_constant("the explicit multiple: the words name an order only")
        .step(
            "s1",
            "to first order in ε the first term of [Q_1]_ps, p ≠ s, is −(S̄(1−S̄)/r)(2−T_p−T_s)(E_ps+E_sp)",
            holds(),
            step(0),
        )
        .assume(SEVERAL_SIGNALS)
        .step(
            "s2",
            "to first order in ε the second term of [Q_1]_ps, p ≠ s, is (1/r){S̄(1−S̄)T_p(E_ps(1−T_s)+E_sp(1−T_p)) − \
             (1−S̄)(1−T_p²)E_sp}",
            holds(),
            step(1),
        )
        .assume(SEVERAL_SIGNALS)
        .step(
            "s3",
            "to first order in ε the third term of [Q_1]_ps, p ≠ s, is (1/r){S̄(1−S̄)T_s(E_ps(1−T_p)+E_sp(1−T_s)) − \
             (1−S̄)(1−T_s²)E_sp}",
            holds(),
            step(2),
        )
        .assume(SEVERAL_SIGNALS)
        .step(
            "diagonal",
            "for every p, [Q_1]_pp is 2(1−S̄)(1−T_p) at ε = 0, and its derivative in ε is 0 there",
            holds(),
            |_, q| {
                for_each_index("p =", 0..q.sizes.signal(), |p| {
                    let entry = q.start_terms.q(p, p);
                    let value = equal(entry.value, 2.0 * q.rest * q.gap[p]).on_scale_of("1−S̄", q.rest.hi());
                    let slope = equal(entry.slopes[0], 0).on_scale_of("(1−S̄)Δ", q.first_size());
                    all_of([("value", value), ("derivative", slope)])
                })
            },
        )
        .control("n1", "diagonal 2(1−S̄)", |_, q| {
            for_each_index("p =", 0..q.sizes.signal(), |p| {
                within_entry_bound(q, Interval::ONE, q.terms.q(p, p) - 2.0 * q.rest)
            })
        })
        .control("n2", "beside the diagonal a function of E_ps + E_sp only", |_, q| {
            off(q, |p, s| {
                within_entry_bound(q, Interval::ONE, q.terms.q(p, s) - (printed(q, p, s) + printed(q, s, p)) * 0.5)
            })
        })
        .assume(SEVERAL_SIGNALS)
        .control("n3", "opposite sign", |_, q| {
            off(q, |p, s| within_entry_bound(q, Interval::ONE, q.terms.q(p, s) + printed(q, p, s)))
        })
        .assume(SEVERAL_SIGNALS)
        .control("n4", "the S̄-terms dropped", |_, q| {
            off(q, |p, s| {
                let flat = q.gap[p] * (1.0 + q.tilt[p]) + q.gap[s] * (1.0 + q.tilt[s]);
                within_entry_bound(
                    q,
                    Interval::ONE,
                    q.terms.q(p, s) + q.rest * flat * q.bend.at(s, p) / q.sizes.signal() as f64,
                )
            })
        })
        .assume(SEVERAL_SIGNALS)
}
