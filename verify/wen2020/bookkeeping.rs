//! The exponents in the proof of the theorem, in exact arithmetic.
//!
//! Sound: (k1), (k3), (k5), (k7), (k9), (k12) (all with equality, so there is no room anywhere) and (k13). Not sound: (k2) with the width of Theorem A.2: n¹² should be n¹³;
//! the n¹⁵ of Theorem 4.2 is more than enough, for d of order (log m)²: with d free the width needs a factor d, as the radius of the trajectory contains √d. (k4): (A.3)
//! and its last member ask for Tη = Θ(n⁴d/(mδε²)), so that T has n¹¹. (k6): one √L is lost where the trajectory is bounded, or else the step before does not follow.
//! (k8): the range of Lemma 4.4 leaves that of Lemma B.6. (k10): L⁴ in place of L². (k11): √L is lost.
//!
//! Repairs: the length of the path follows from the descent alone, Σ η‖∇‖ ≤ √(Tη Σ η‖∇‖²) ≤ √(Tη · O(L_S(0))), which is shorter than (A.4) by √L/√(n δ)
//! and more; with it, n⁴ in Tη and the lost √L, m ≥ Ω(n¹¹L¹⁵(log m)⁵δ^{−4}ε^{−2}) keeps the trajectory in the ball.

use evidence::claim::Expectation;
use evidence::prelude::*;

use crate::shared::monomials::{L, N};
use crate::shared::proof_exponents::ProofStep::{self, *};
use crate::shared::regime_points::{AtPoint, LOGARITHMS, LogarithmicSides, points, with_factor};

type Line = (&'static str, &'static str, Expectation, ProofStep);

/// What the paper prints, with the constant one where it holds and with 1000 where it fails.
fn printed() -> Vec<Line> {
    vec![
        ("s1", "(k1): ω^{1/3}L²√(m log m)/√(nd) ≤ √(mδ/(n³d)) at ω = δ^{3/2}/(n³L⁶(log m)^{3/2})", holds(), K1),
        (
            "s2-appendix",
            "(k2) of Theorem A.2: n^{7/2}√d/(δε√m) ≤ 1000 δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹²L¹²(log \
             m)⁵δ^{−5}ε^{−2}",
            fails("the radius of the trajectory fits for n¹³, and not for n¹²"),
            K2Appendix,
        ),
        (
            "s2",
            "(k2) of Theorem 4.2: n^{7/2}√d/(δε√m) ≤ δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹⁵L¹²(log \
             m)⁵δ^{−5}ε^{−2}",
            holds(),
            K2Section4,
        ),
        (
            "s2-free",
            "(k2) for any d ≥ (log m)²: n^{7/2}√d/(δε√m) ≤ 1000 δ^{3/2}/(n³L⁶(log m)^{3/2}) for m ≥ n¹⁵L¹²(log \
             m)⁵δ^{−5}ε^{−2}",
            fails("the radius of the trajectory grows with √d, the width does not"),
            K2AnyOutput,
        ),
        ("s3", "(k3): (kL²m²/d²)τ² ≤ 1/η for η = dε²δ²/(n⁷L²km), τ = n^{7/2}√d/(δε√m)", holds(), K3),
        (
            "s4",
            "(k4): the last member of (A.3), √(n⁴d/(Tηδm)), is at most 1000 ε for Tη = n³d/(mδε²)",
            fails("Tη needs n⁴: O(n) was granted to L_S(0)"),
            K4,
        ),
        ("s5", "(k5): Tη/η = n¹⁰L²k/(δ³ε⁴) for Tη = n³d/(mδε²), η = dε²δ²/(n⁷L²km)", holds(), K5),
        (
            "s6-a",
            "(k6), root over the whole product: √(Tη)·√((Lm/d)·n⁴d/(mδ)) ≤ 1000 n^{7/2}√d/(δε√m) for Tη = n³d/(mδε²)",
            fails("√L is missing in ω"),
            K6A,
        ),
        (
            "s6-b-middle",
            "(k6), root over Lm/d alone: √((Lm/d)·n⁴d/(mδ)) ≤ 1000 √(Lm/d)·n⁴d/(mδ), the step before, for d = (log \
             m)², m ≥ n¹²L¹²(log m)⁵δ^{−5}ε^{−2}",
            fails("it is too small by n²√d/√(mδ)"),
            K6BMiddle,
        ),
        (
            "s6-b",
            "(k6), root over Lm/d alone: √(Tη)·√(Lm/d)·n⁴d/(mδ) ≤ n^{7/2}√d/(δε√m) for Tη = n³d/(mδε²), d = (log m)², \
             m ≥ n¹²L¹²(log m)⁵δ^{−5}ε^{−2}",
            holds(),
            K6BLast,
        ),
        ("s7", "(k7): √(L³ s log m/d) = ω^{1/3}L²√(m log m/d) for s = mω^{2/3}L", holds(), K7),
        ("s7-other", "(k7): ω√(L³m/d) ≤ ω^{1/3}L²√(m log m/d) for ω ≤ 1", holds(), K7Other),
        (
            "s8",
            "(k8): mω^{2/3}L ≤ 1000 m/(L³ log m) for ω ≤ L^{−9/2}(log m)^{−3/2}",
            fails("only for ω ≤ L^{−6}(log m)^{−3/2}"),
            K8,
        ),
        ("s9", "(k9): ω^{2/3}L⁴m log m/(nd) ≤ mδ/(n³d) at ω = δ^{3/2}/(n³L⁶(log m)^{3/2})", holds(), K9),
        (
            "s10",
            "(k10): k·(L²m/d)·(τ²L²m/d) ≤ 1000 (kL²m²/d²)τ², the left side from Lemma B.7 and Corollary B.9, for τ ≥ \
             √(d/m)",
            fails("the product has L⁴"),
            K10,
        ),
        (
            "s11",
            "(k11), used in (D.7): Σ_l ‖W′_l‖_F ≤ 1000 ‖W′‖_F for equal layers, where the sum is √(L + 1)‖W′‖_F: tried \
             as √L ≤ 1000",
            fails("√(L+1)‖W′‖_F, attained by equal layers"),
            K11,
        ),
        ("s12", "(k12): √(n³d/(ηδm)) = n⁵L√k/(δ^{3/2}ε) for η = dε²δ²/(n⁷L²km)", holds(), K12),
        ("s13", "(k13): L²m/d ≤ (kL²m²/d²)τ² for τ ≥ √(d/m)", holds(), K13),
    ]
}

/// What stands in its place, with the constant one.
fn amended() -> Vec<(&'static str, &'static str, ProofStep)> {
    vec![
        (
            "k2-least",
            "n^{7/2}√d/(δε√m) ≤ δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹³L¹²(log m)⁵δ^{−5}ε^{−2}",
            K2Least,
        ),
        (
            "k2-free",
            "n^{7/2}√d/(δε√m) ≤ δ^{3/2}/(n³L⁶(log m)^{3/2}) for any d and m ≥ n¹³L¹²(log m)³dδ^{−5}ε^{−2}",
            K2AnyOutputAmended,
        ),
        (
            "k3-repaired",
            "with L³ in the last bracket and the path that the descent gives, τ² = n⁵d/(mδε²): (kL³m²/d²)τ² ≤ 1/η for \
             η = dε²δ²/(n⁷L²km), δ ≤ 1/L",
            K3Repaired,
        ),
        ("k4-fourth", "√(n⁴d/(Tηδm)) ≤ ε for Tη = n⁴d/(mδε²)", K4Amended),
        ("k5-eleventh", "Tη/η = n¹¹L²k/(δ³ε⁴) for Tη = n⁴d/(mδε²), η = dε²δ²/(n⁷L²km)", K5Amended),
        ("k8-range", "mω^{2/3}L ≤ m/(L³ log m) for ω ≤ L^{−6}(log m)^{−3/2}", K8Amended),
        ("k10-fourth", "k·(L²m/d)·(τ²L²m/d) ≤ (kL⁴m²/d²)τ² for τ ≥ √(d/m)", K10Amended),
    ]
}

/// The theorem about a line, where there is one. Those about lines that fail say so for every constant.
fn theorem(line: ProofStep) -> Option<&'static str> {
    Some(match line {
        K2Appendix => "wen2020.Bookkeeping.bookkeeping_s2_appendix_refuted",
        K2AnyOutput => "wen2020.Bookkeeping.bookkeeping_s2_free_refuted",
        K4 => "wen2020.Bookkeeping.bookkeeping_s4_refuted",
        K5 => "wen2020.Bookkeeping.bookkeeping_s5",
        K6A => "wen2020.Bookkeeping.bookkeeping_s6_a_refuted",
        K6BMiddle => "wen2020.Bookkeeping.bookkeeping_s6_b_middle_refuted",
        K8 => "wen2020.Bookkeeping.bookkeeping_s8_refuted",
        K10 => "wen2020.Bookkeeping.bookkeeping_s10_refuted",
        K11 => "wen2020.Bookkeeping.bookkeeping_s11_refuted",
        K4Amended => "wen2020.Bookkeeping.bookkeeping_k4_fourth",
        K10Amended => "wen2020.Bookkeeping.bookkeeping_k10_fourth",
        _ => return None,
    })
}

/// The lines as they are printed, and what stands in place of those that fail.
fn lines() -> Setting<AtPoint, LogarithmicSides> {
    let mut setting = Setting::measuring(|p: &AtPoint, _| Ok(p.sides()))
        .given("n, L, m, log m, d, k ≥ 1 and 0 < δ, ε, ω ≤ 1")
        .family(points(ProofStep::all()))
        .without_search();
    for (id, statement, expected, of) in printed() {
        let holds = expected.reason.is_none();
        setting = setting
            .part(
                id,
                statement,
                expected,
                move |_, s: &LogarithmicSides| {
                    if holds { s.hold(of) } else { s.hold_up_to_a_thousand() }
                },
            )
            .assume(Hypothesis::capturing("an instance of this line", move |p: &AtPoint| p.step == of).said());
        setting = match (of.is_equality(), holds) {
            (true, _) => setting,
            (false, true) => setting.our_constant("the factor 1"),
            (false, false) => setting
                .our_constant("the factor 1000; the leftover tends to zero, so that none serves")
                .sides("log of the left side", "log of the right side"),
        };
        setting = match of {
            K6A => setting.in_sense("A"),
            K6BMiddle | K6BLast => setting.in_sense("B"),
            _ => setting,
        };
        if let Some(theorem) = theorem(of) {
            setting = setting.checked(theorem);
        }
    }
    for (id, statement, of) in amended() {
        setting = setting
            .amendment(id, statement, holds(), move |_, s| s.hold(of))
            .assume(Hypothesis::capturing("an instance of this line", move |p: &AtPoint| p.step == of).said());
        if let Some(theorem) = theorem(of) {
            setting = setting.checked(theorem);
        }
    }
    setting
}

/// The lines and, beside them, the checks that are not about one line alone.
fn setting() -> Setting<AtPoint, LogarithmicSides> {
    lines()
        .step(
            "s6-a-lemma",
            "(k6), root over the whole product, with the gradient bound √(Lm/(nd)) of Lemma A.3: √(Tη)·√((Lm/(nd))· \
             n⁴d/(mδ)) ≤ 1000 n^{7/2}√d/(δε√m) for Tη = n³d/(mδε²)",
            fails("√(L/n) is missing in ω"),
            |_, s| s.hold_up_to_a_thousand(),
        )
        .checked("wen2020.Bookkeeping.bookkeeping_s6_a_lemma_refuted")
        .sides("log of the left side", "log of the right side")
        .assume(Hypothesis::own(|p| p.step == K6AWithLemma))
        .sharpening(
            "k6-descent",
            "for the path √(Tη L_S(0)) with L_S(0) = n, Tη = n⁴d/(mδε²): √(n·n⁴d/(mδε²)) ≤ n^{7/2}√d/(δε√m)",
            holds(),
            |_, s| s.hold(K6FromDescent),
        )
        .assume(Hypothesis::own(|p| p.step == K6FromDescent))
        .sharpening(
            "repaired",
            "with the path √(Tη L_S(0)), L_S(0) ≤ n, and the √L of (k11): √(n·n⁴d/(mδε²)) ≤ δ^{3/2}/(n³L^{15/2}(log \
             m)^{3/2}) for d = (log m)², m ≥ n¹¹L¹⁵(log m)⁵δ^{−4}ε^{−2}",
            holds(),
            |_, s| s.hold(Repaired),
        )
        .assume(Hypothesis::own(|p| p.step == Repaired))
        .step(
            "in-numbers",
            "right/left of every inequality of this claim is at least its leftover, all sizes in the ranges that the \
             inequality's conditions leave them",
            holds(),
            |_, s| at_least(s.right - s.left, s.leftover).on_scale_of(LOGARITHMS, s.scale),
        )
        .sides("log(right/left)", "log of the leftover")
        .control(
            "in-numbers-more",
            "right/left of every inequality of this claim is at least n times its leftover",
            |p, s| at_least(s.right - s.left, s.leftover + exact(p.sizes[0])).on_scale_of(LOGARITHMS, s.scale),
        )
        .sides("log(right/left)", "log of n times the leftover")
        .control("a", "(k1) with L³ in place of L²", |p, s| with_factor(p, s, L))
        .sides("log of the left side", "log of 1000 times the right side")
        .assume(Hypothesis::own(|p| p.step == K1))
        .control("b", "(k3) with η multiplied by n", |p, s| with_factor(p, s, N))
        .sides("log of the left side", "log of 1000 times the right side")
        .assume(Hypothesis::own(|p| p.step == K3))
        .control("c", "(k7), first part, with L in place of L²", |p, s| with_factor(p, s, L))
        .sides("log of L times the left side", "log of 1000 times the right side")
        .assume(Hypothesis::own(|p| p.step == K7))
        .control("d", "every inequality of this claim has a factor √n to spare: √n·left ≤ 1000 right", |p, s| {
            with_factor(p, s, N.sqrt())
        })
        .sides("log(√n·left)", "log(1000 right)")
}

pub fn claim() -> Claim {
    Claim::new("wen2020.bookkeeping", "exponents in the proof of the theorem", Kind::Identity)
        .statement("the inequalities (k1) to (k13) between powers of n, L, m, log m, δ, ε, d, k, up to constants")
        .source("Appendix A.2", &["Section 5.3", "Appendix C.4", "Appendix D.1", "Appendix D.2", "(A.3)", "(A.4)"])
        .symbol(
            "n, L",
            "n inputs, L hidden layers, width m, output dimension d, k negatives, δ the separation, ε the accuracy; \
             here real numbers, log m one of its own",
        )
        .symbol("ω", "a radius of the ball of W; τ is one of the ball of θ")
        .symbol("η", "the step size, and Tη that times the number T of steps")
        .symbol(
            "leftover",
            "right/left with every bounded size set to its bound, in the order in which the check names them, where \
             that makes it smaller",
        )
        .symbol("s =", "the sparsity of D″ in Lemma B.6")
        .symbol("W′", "L + 1 matrices W′_0, …, W′_L with ‖W′‖_F² = Σ_l ‖W′_l‖_F²")
        .symbol(
            "L_S(0)",
            "the loss at the start; the path, along which W moves in T steps, is at most √(Tη L_S(0)) long up to \
             constants",
        )
        .sense("A", "in (A.4) the root stands over the whole product (Lm/d)·n⁴d/(mδ)")
        .sense("B", "in (A.4) the root stands over Lm/d alone")
        .remark(
            "X ≤ O(Y) for all sizes if and only if the smallest value of Y/X in the regime, the leftover, has no \
             negative power of a size that may grow and no positive power of δ, ε or ω. Both sides are compared by \
             their logarithms. Where it fails the leftover has such a power, so that no constant helps. log m counts \
             as a size of its own. The numbers (k1) to (k13) are ours.",
        )
        .remark(
            "With T η = Θ(n³ d/(mδε²)) the theorem would still follow from L_S(0) ≤ O(1), but L_S(0) is of order log(k \
             + 1): T lacks that factor at least.",
        )
        .setting(setting())
}
