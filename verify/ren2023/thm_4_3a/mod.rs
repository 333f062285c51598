//! Theorem 4.3 (a): training without negatives ends aligned but not balanced.
//!
//! At infinite width the end is known in closed form (κ_p² = (σ_p²/2)e^{λσ_p²}, ρ_p = 1, no noise left), for every d.
//! What "not balanced" means is lost, and its senses have different answers. With x = κ_2²/κ_1² ≤ 1/s of a weak and a
//! strong direction:
//!
//! - R1, ρ_B ≤ (1−δ)r: true, for every growth of r, with and without noise, and for all three meanings of ρ_B. Half of
//!   the directions strong make ρ_B/r at most (1+x)/2 or (1+x)²/(2(1+x²)), which is at most 3/4 for x ≤ 2 − √3.
//! - R2, ρ_B/r → 0: true if r grows (⌊r/s⌋ of the directions strong: ρ_B/r ≤ 2/s); impossible for fixed r, as ρ_B ≥ 1.
//! - R3, near rank one: true for fixed r, and for r = d^a with noise or with c log 2 > a, where 1 − λ_1 ≤ (r−1)x. False
//!   for r = d^a without noise when c log 2 < a: e^{λσ_min²} ≤ 2 gives λ_1 ≤ 1/(1 + (r−1)/(s2^{s−1})) for *every* σ,
//!   which tends to 0.
//!
//! "Aligned" holds given z^- ≠ z^+; over all draws the score is 1 − 2^{−r}, which tends to one only if r grows.

mod end_of_training;
mod finite_training;

use evidence::claim::Series;
use evidence::prelude::*;

use crate::shared::equal_norm_families::wide_families;
use crate::shared::equal_norms::EqualNorms;
use crate::shared::finite_width::FiniteWidth;
use crate::shared::growing_dimension::{
    GrowingDimension, GrowthEnd, SignalCount, StrengthRatio, Strong, at_every, sweeps,
};
use crate::shared::hypotheses::from_infinite_width;
use crate::shared::notation::{
    AGREEMENT, ALIGNMENT, BALANCE, COVARIANCE, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, H_SIGMA, KAPPA, KAPPA_HAT,
    LONG_RUN, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NOISE_SHARE, NORMALISER, NORMALISER_BOTH, OTHER_SIGNAL, OUTPUTS,
    RHO, SIZES, SPEED, SPREAD, WEIGHT_NORM, WIDTH,
};
use end_of_training::{Trained, train};
use finite_training::{Finite, finite_table, train_finite, widths};

/// 1 − λ_1 ≤ (r−1)/(s((2‖W_A‖²)^{1−1/s} − r + 1)) at every dimension.
fn near_rank_one(ends: &[GrowthEnd]) -> Evaluation {
    at_every(ends, |e| match e.spread() {
        Some(spread) => at_most(e.other_share, (e.signal - 1.0) / (e.strength * spread)),
        None => vacuous("(2‖W_A‖²)^{1−1/s} ≤ r − 1"),
    })
}

const FIXED: Hypothesis<GrowingDimension> = Hypothesis::new("r fixed", |g| matches!(g.signals, SignalCount::Fixed(_)));
const ONE_STRONG: Hypothesis<GrowingDimension> = Hypothesis::new("one direction strong", |g| g.strong == Strong::One);

fn worst_balance(e: &GrowthEnd) -> Interval {
    e.balance.iter().copied().reduce(Interval::max).unwrap_or(Interval::ENTIRE)
}

fn table(_: &mut Trial) -> Result<Series, MeasureError> {
    let mut table =
        Series::of([("case", ""), ("log d", ""), ("λ_1", ""), ("tr Σ/(r‖Σ‖)", ""), ("(tr Σ)²/(r‖Σ‖_F²)", "")]);
    for (signals, constant) in [(SignalCount::Fixed(2), 1.0), (SignalCount::Root(4), 1.0), (SignalCount::Root(2), 0.3)]
    {
        for noise in [false, true] {
            let growth = GrowingDimension { signals, ratio: StrengthRatio::Log, constant, noise, strong: Strong::One };
            for end in growth.sweep()? {
                let number = |x: Interval| Enclosure::from(x).into();
                table.push([
                    growth.to_string().into(),
                    end.log_d.into(),
                    number(end.top_share),
                    number(end.balance[1]),
                    number(end.balance[2]),
                ]);
            }
        }
    }
    Ok(table)
}

pub fn claim() -> Claim {
    Claim::new("ren2023.thm-4.3a", "training without negatives: aligned, not balanced", Kind::Convergence)
        .statement(
            "there is σ obeying H-σ such that, with m large, the flow of L_nc reaches within poly(d) time an \
             approximate stationary point at which ρ_A → 1 while the representation is not balanced",
        )
        .source("Theorem 4.3 (a)", &["Section 4", "proof: Lemmas B.1, B.9, B.17"])
        .symbols([
            SIZES, WIDTH, DATA, H_ORTH, H_SIGMA, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS,
            LOSS_WITHOUT_NEGATIVES, AGREEMENT, KAPPA, KAPPA_HAT, RHO, SPEED, NOISE_SHARE, SPREAD, EXTREME_STRENGTHS,
            WEIGHT_NORM,
        ])
        .symbol("Σ", COVARIANCE.meaning)
        .symbols([BALANCE, ALIGNMENT, OTHER_SIGNAL])
        .symbol("flow of L", MOTION)
        .symbols([LONG_RUN])
        .symbol(
            "σ² = s for some directions",
            "s = max(1, c log d) or max(1, c √log d), c from 0.1 to 1, or s = 1; one direction, ⌊r/2⌋ of them or \
             max(1, ⌊min(r/s, r/2)⌋) are strong; r = d^{1/k} is rounded to a whole number",
        )
        .symbol("at the end", "in the limit θ → ∞")
        .symbol(
            "velocity",
            "the largest of |dκ_p²/dt|, |dκ̂_p²/dt| along Ẇ = −r∇_W L_nc, divided by the largest κ_p² of the end",
        )
        .symbol("flow of L_nc", "Ẇ = −r∇_W L_nc in W_A and W_B together")
        .reconstructed("the bound on ρ_B and the growth of r; only the qualitative claim survives")
        .sense("R1", "\"not balanced\" is ρ_B ≤ (1−δ)r")
        .sense("R2-growing", "\"not balanced\" is ρ_B/r → 0, and r grows like a power of d")
        .sense("R2-fixed", "\"not balanced\" is ρ_B/r → 0, and r is fixed")
        .sense("R3-fixed", "\"not balanced\" is near rank one, λ_1 → 1, and r is fixed")
        .sense("R3-noise", "\"not balanced\" is near rank one, λ_1 → 1, with noise, and r grows like a power of d")
        .sense("R3-growing", "\"not balanced\" is near rank one, λ_1 → 1, without noise, r grows like a power of d, for every c > 0 of H-σ")
        .remark(
            "Judged at infinite width and t → ∞ in closed form, at log d = 20, 40, 80, 160; under H-σ s grows, so that \
             the explicit bounds of R2 and R3 tend to 0.",
        )
        .remark(
            "R3 fails for r = d^a without noise if c log 2 < a, for every σ and not only for the families: Σ e^{λσ_p²} \
             = 2r gives e^{λσ_min²} ≤ 2, hence κ_1²/κ_p² ≤ s2^{s−1} and λ_1 ≤ 1/(1 + (r−1)/(s2^{s−1})). R2 cannot hold \
             for fixed r, as ρ_B ≥ 1.",
        )
        .remark(
            "R2, r growing: n e^{λs} + (r−n)e^λ ≥ 2r with n ≤ r/s gives (1/(sy) + 1)y^{−1/(s−1)} ≥ 2 for y = \
             e^{−λ(s−1)} = sx, hence y < 0.37 for s ≥ 5; then ρ_B/r ≤ (n/r)(1 + (r/n−1)x)² ≤ (1 + y/0.95)²/s < 2/s in \
             the third meaning, and ≤ (1 + y)/s in the others.",
        )
        .remark("Given z^- ≠ z^+ the end scores 1; over all draws 1 − 2^{−r}, which tends to one only if r grows.")
        .setting(printed())
        .setting(aligned())
        .setting(finite_width())
        .series("ends", "the end of training without negatives, one strong direction", table)
        .series(
            "finite-width",
            "the same at t = 40 from Gaussian starts, and the tolerance that the solver achieved at rtol = 1e-10",
            finite_table,
        )
}

fn printed() -> Setting<GrowingDimension, Vec<GrowthEnd>> {
    Setting::measuring(|g: &GrowingDimension, _| g.sweep())
        .given(
            "H-orth; m = ∞, the limit t → ∞ of the flow of L_nc; σ² = s for some directions and 1 for the others; with \
             noise, q = d − r and σ_ξ = 1; from κ_p² = σ_p², ρ_p = 0; r fixed, 2 ≤ r ≤ 64, or d^{1/k}, 2 ≤ k ≤ 8; log \
             d = 20, 40, 80, 160",
        )
        .family(edge("growing dimension", sweeps))
        .without_search()
        .part("printed", "R1: where s ≥ 15/4, ρ_B ≤ (3/4)r in all three meanings, at every d", holds(), |_, e| {
            at_every(
                e,
                |e| {
                    if e.strength >= 3.75 { at_most(worst_balance(e), exact(0.75)) } else { vacuous("s < 15/4") }
                },
            )
        })
        .sides("ρ_B/r, the largest of the three meanings", "3/4")
        .our_constant("δ = 1/4 and s ≥ 15/4: the words ask for some δ and for large d")
        .in_sense("R1")
        .assume(Hypothesis::new("half of the directions strong", |g| g.strong == Strong::Half))
        .except("s < 15/4")
        .part(
            "r2-growing",
            "R2: where s ≥ 5 and r ≥ 20s, ρ_B ≤ 2r/s in all three meanings, at every d",
            holds(),
            |_, e| {
                at_every(e, |e| {
                    if e.strength >= 5.0 && e.signal >= 20.0 * e.strength {
                        at_most(worst_balance(e), 2.0 / Interval::point(e.strength))
                    } else {
                        vacuous("s < 5 or r < 20s")
                    }
                })
            },
        )
        .sides("ρ_B/r, the largest of the three meanings", "2/s")
        .our_constant("the bound 2r/s and s ≥ 5: the words name a limit only")
        .in_sense("R2-growing")
        .assume(Hypothesis::new("⌊r/s⌋ directions strong", |g| g.strong == Strong::Inverse))
        .except("s < 5 or r < 20s")
        .part(
            "r2-fixed",
            "R2 for fixed r: ρ_B/r, ρ_B = tr Σ/‖Σ‖_2, is below 1/(2r) at log d = 160",
            fails("ρ_B ≥ 1, so ρ_B/r ≥ 1/r"),
            |_, e| less_than(e[3].balance[1], exact(0.5) / e[3].signal),
        )
        .sides("ρ_B/r at log d = 160", "1/(2r)")
        .our_constant("the level 1/(2r) at log d = 160: the words name the limit 0")
        .in_sense("R2-fixed")
        .assume(Hypothesis::new("r fixed, one strong, H-σ(a): s = max(1, c log d)", |g| {
            g.strong == Strong::One && matches!(g.signals, SignalCount::Fixed(_)) && g.ratio == StrengthRatio::Log
        }))
        .part(
            "r3-fixed",
            "R3: 1 − λ_1 ≤ (r−1)/(s((2‖W_A‖²)^{1−1/s} − r + 1)) at every d",
            holds(),
            |_, e| near_rank_one(e),
        )
        .our_constant("the explicit bound: the words name a limit only")
        .in_sense("R3-fixed")
        .assume(FIXED)
        .assume(ONE_STRONG)
        .except("(2‖W_A‖²)^{1−1/s} ≤ r − 1")
        .part(
            "r3-noise",
            "R3: 1 − λ_1 ≤ (r−1)/(s((2‖W_A‖²)^{1−1/s} − r + 1)) at every d, where ‖W_A‖² = d with noise, which has \
             died out",
            holds(),
            |_, e| near_rank_one(e),
        )
        .our_constant("the explicit bound: the words name a limit only")
        .in_sense("R3-noise")
        .assume(Hypothesis::new("r = d^a", |g| matches!(g.signals, SignalCount::Root(_))))
        .assume(Hypothesis::new("noise", |g| g.noise))
        .assume(ONE_STRONG)
        .except("(2‖W_A‖²)^{1−1/s} ≤ r − 1")
        .part(
            "r3-growing",
            "R3: one strong direction without noise, r = d^a: 1 − λ_1 is below 1/2 at log d = 160",
            fails("λ_1 ≤ 1/(1 + (r−1)/(s2^{s−1})) for every σ, which tends to 0 if c log 2 < a"),
            |_, e| less_than(e[3].other_share, exact(0.5)),
        )
        .sides("1 − λ_1 at log d = 160", "1/2")
        .our_constant("the level 1/2 at log d = 160: the words name the limit 0")
        .in_sense("R3-growing")
        .assume(Hypothesis::new("r = d^a, no noise, one strong, H-σ(a): s = max(1, c log d)", |g| {
            !g.noise
                && g.strong == Strong::One
                && matches!(g.signals, SignalCount::Root(_))
                && g.ratio == StrengthRatio::Log
        }))
        .ours(
            "one-strong",
            "one strong direction alone makes (tr Σ)²/‖Σ‖_F² ≤ (3/4)r at log d = 160, H-σ(a)",
            fails("no noise, r = d^a, 2c log 2 < a: κ_1⁴ is small against r"),
            |_, e| at_most(e[3].balance[2], exact(0.75)),
        )
        .sides("(tr Σ)²/(r‖Σ‖_F²) at log d = 160", "3/4")
        .assume(Hypothesis::new("one strong, H-σ(a): s = max(1, c log d)", |g| {
            g.strong == Strong::One && g.ratio == StrengthRatio::Log
        }))
}

fn aligned() -> Setting<EqualNorms, Trained> {
    from_infinite_width(Setting::measuring(|s: &EqualNorms, _| train(s)))
        .family(wide_families())
        .family(edge("registered", || {
            vec![("σ² = (3,1,1,1), no noise", EqualNorms::wide(&[(3.0, 1), (1.0, 3)], None, 1.0, 30.0))]
        }))
        .family(outside("opposed views", || vec![("r = 2, ρ(0) = −1, at rest", EqualNorms::alike(2, -1.0, 1.0))]))
        .without_search()
        .part(
            "aligned",
            "at the end ‖f_A⁺ − f_B⁺‖ < ‖f_A⁺ − f_B⁻‖ and ⟨f_A⁺,f_B⁺⟩ > ⟨f_A⁺,f_B⁻⟩ in every draw with z⁻ ≠ z⁺",
            holds(),
            |_, t| match &t.scores {
                Some(s) => all_of([0, 1].map(|k| {
                    let name = ["distance", "inner product"][k];
                    (name, equal(s.wins[k], s.draws[k]))
                })),
                None => Evaluation::Failed("more than five directions".into()),
            },
        )
        .sides("how many of the draws with z⁻ ≠ z⁺ have it", "how many there are")
        .assume(Hypothesis::new("2 ≤ r ≤ 5", |s| (2.0..=5.0).contains(&s.signal())))
        .part("stationary", "the velocity is 0 at the end", holds(), |s, t| {
            equal(t.velocity, 0).on_scale_of("1 + σ_max²", 1.0 + s.strongest())
        })
        .tested_by("n4")
        .part(
            "in-time",
            "without noise 1 + L_nc ≤ 1 − min ρ at every θ; by Lemma 5.1 the right side is small within a time of \
             order N_max²/σ_min²",
            holds(),
            |_, t| at_most(1.0 - t.agreement, t.rest).on_unit_scale(),
        )
        .assume(Hypothesis::new("q = 0", |s| s.noise.is_none()))
        .step("s1", "L_nc ≥ −1", holds(), |_, t| at_most(t.agreement, 1).on_unit_scale())
        .step("s2", "at the end Σ_p κ_p²/σ_p² = ‖W_A‖_F², that of the start", holds(), |_, t| {
            equal(t.conserved[0], t.conserved[1])
        })
        .step(
            "s3",
            "κ_p²/κ_{p'}² for σ_p = σ_max, σ_{p'} = σ_min does not decrease, from the start to θ and from θ to the end",
            holds(),
            |_, t| {
                let [start, at, end] = t.conditions;
                all_of([
                    ("until θ", at_least(at, start).on_unit_scale()),
                    ("from θ on", at_least(end, at).on_unit_scale()),
                ])
            },
        )
        .step("s4", "at the end λ_1 = max_p κ_p²/Σ_p κ_p²", holds(), |_, t| match &t.scores {
            Some(s) => equal(s.balance.largest(), t.top_share),
            None => Evaluation::Failed("more than five directions".into()),
        })
        .assume(Hypothesis::new("r ≤ 5", |s| s.signal() <= 5.0))
        .sharpening(
            "share",
            "without noise λ_1 ≤ 1/(1 + (r−1)/(s2^{s−1})) at the end, for every σ",
            holds(),
            |s, t| {
                let ratio = Interval::point(s.strongest()) / s.weakest();
                let power = ((ratio - 1.0) * Interval::point(2.0).ln()).exp() * ratio;
                at_most(t.top_share, 1.0 / (1.0 + (t.signal - 1.0) / power))
            },
        )
        .assume(Hypothesis::new("q = 0", |s| s.noise.is_none()))
        .control("n4", "the velocity is 0 at θ already", |s, t| {
            equal(t.velocity_before, 0).on_scale_of("1 + σ_max²", 1.0 + s.strongest())
        })
        .control("n1", "for every σ the end has tr Σ/‖Σ‖ ≤ 0.9r", |_, t| {
            at_most(1.0 / t.top_share, exact(0.9) * t.signal)
        })
        .control("n2", "for every σ the end has tr Σ/‖Σ‖ ≥ 0.9r", |_, t| {
            at_least(1.0 / t.top_share, exact(0.9) * t.signal)
        })
        .control("n3", "L_nc at the end is at least −0.9: −L_nc ≤ 0.9", |s, t| {
            let square: Interval = t.end.a.iter().zip(&s.signals).map(|(k, g)| *k * f64::from(g.copies)).sum();
            let inner: Interval = t.end.h.iter().zip(&s.signals).map(|(k, g)| *k * f64::from(g.copies)).sum();
            at_most(inner / square, exact(0.9))
        })
}

fn finite_width() -> Setting<FiniteWidth, Finite> {
    Setting::measuring(train_finite)
        .given("H-orth; a start of iid N(0, 1/m) weights, the flow of L_nc")
        .family(edge("widths", widths).restricted("nine networks: one direction with σ² = 4 or 6, the others 1"))
        .without_search()
        .part(
            "finite-width",
            "nine networks, one start each, m = 50, 400, 3200 with (σ²; q) = (4,1,1,1; 0), (4,1,1; 1), (6,1; 2), σ_ξ² \
             = 1/2: at t = 40 tr Σ/‖Σ‖_2 ≤ (3/4)r, ρ_A by distance given z⁻ ≠ z⁺ is ≥ 0.99, −L_nc ≥ 0.99",
            consistent(),
            |_, f| {
                all_of([
                    ("balance", at_most(f.balance, exact(0.75) * f.signal)),
                    ("alignment", at_least(f.alignment, exact(0.99))),
                    ("loss", at_least(f.agreement, exact(0.99))),
                ])
            },
        )
        .our_constant("the networks, the time and the levels 3/4 and 0.99")
}
