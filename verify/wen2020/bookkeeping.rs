//! The exponents in the proof of the theorem, in exact arithmetic.
//!
//! Sound: (k1), (k3), (k5), (k7), (k9), (k12) (all with equality, so there is no room anywhere) and (k13). Not sound: (k2) with the width of Theorem A.2: n¹² should be n¹³;
//! the n¹⁵ of Theorem 4.2 is more than enough, for d of order (log m)²: with d free the width needs a factor d, as the radius of the trajectory contains √d. (k4): (A.3)
//! and its last member ask for Tη = Θ(n⁴d/(mδε²)), so that T has n¹¹. (k6): one √L is lost where the trajectory is bounded, or else the step before does not follow.
//! (k8): the range of Lemma 4.4 leaves that of Lemma B.6. (k10): L⁴ in place of L². (k11): √L is lost.
//!
//! Repairs: the length of the path follows from the descent alone, Σ η‖∇‖ ≤ √(Tη Σ η‖∇‖²) ≤ √(Tη · O(L_S(0))), which is shorter than (A.4) by √L/√(n δ)
//! and more; with it, n⁴ in Tη and the lost √L, m ≥ Ω(n¹¹L¹⁵(log m)⁵δ^{−4}ε^{−2}) keeps the trajectory in the ball.

use contrapositive::claim::{
    Claim, Evaluation, Expectation, Kind, Setting, at_least, edge, equal, fails, holds, random,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use proptest::array::uniform9;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::monomials::{L, Logarithms, Monomial, N, ONE, exact};
use super::proof_exponents::Step::{self, *};

/// The leftover, multiplied by something, is at least one for all sizes; for an equality, it is one.
pub(super) fn judge_times(step: Step, factor: Monomial) -> Evaluation {
    let leftover = step.inequality().leftover() * factor;
    let evaluation = if step.is_equality() && leftover.worst() == ONE.worst() {
        equal(exact((ONE / leftover).worst()), 0.0)
    } else {
        at_least(exact(leftover.worst()), 0.0)
    };
    evaluation.noting(format!("leftover {leftover}"))
}

pub(super) fn judge(step: Step) -> Evaluation {
    judge_times(step, ONE)
}

/// An inequality at one point of its regime: logarithms of the sizes (their signs follow from the size), and of the room in each bound.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AtPoint {
    step: Step,
    sizes: [f64; 9],
    room: f64,
}

impl AtPoint {
    fn point(&self) -> Logarithms {
        let mut point = self.sizes;
        // δ, ε and ω are at most one.
        for place in [4, 5, 8] {
            point[place] = -point[place];
        }
        for bound in self.step.inequality().given.iter().rev() {
            bound.impose(&mut point, self.room);
        }
        point
    }

    /// log(right/left), and the logarithm of the leftover.
    fn logarithms(&self) -> [Enclosure; 2] {
        let (inequality, point) = (self.step.inequality(), self.point());
        [
            (inequality.right / inequality.left).at(&point),
            inequality.leftover().at(&point),
        ]
    }
}

impl Instance for AtPoint {
    fn describe(&self) -> String {
        format!("{:?} at logarithms {:?}, room {}", self.step, self.sizes, self.room)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = |x: &f64| (0.0..=100.0).contains(x);
        if self.sizes.iter().all(sound) && sound(&self.room) {
            Ok(())
        } else {
            Err("a logarithm is not between 0 and 100".into())
        }
    }
}

fn scale(p: &AtPoint) -> f64 {
    let point = p.point();
    32.0 * (1.0 + point.iter().map(|x| x.abs()).sum::<f64>())
}

const LEAST_WIDTH: &str = "the radius of the trajectory fits for n¹³, and not for n¹²";

pub fn claim() -> Claim {
    let part = |setting: Setting<Step, ()>, id, statement, expected: Expectation, of: Step, name| {
        let setting = setting
            .part(id, statement, expected, move |_, ()| judge(of))
            .when(name, move |s| *s == of);
        match of {
            K6A => setting.in_sense("A"),
            K6BMiddle | K6BLast => setting.in_sense("B"),
            _ => setting,
        }
    };
    let mut setting = Setting::of()
        // The type has no other steps.
        .assume("an inequality of the proof, or an amended one", |_: &Step| true)
        .family(edge("the proof", || {
            Step::all().map(|s| (format!("{s:?}"), s)).collect::<Vec<_>>()
        }))
        .without_search();
    let lines: [(&'static str, &'static str, Expectation, Step, &'static str); 17] = [
        (
            "s1",
            "(k1): ω^{1/3}L²√(m log m)/√(nd) ≤ √(mδ/(n³d)) at the largest ω of the gradient bounds",
            holds(),
            K1,
            "k1",
        ),
        (
            "s2-appendix",
            "(k2) with n¹² and d = (log m)²: the trajectory stays in the ball of the gradient bounds",
            fails(LEAST_WIDTH),
            K2Appendix,
            "k2, n¹²",
        ),
        ("s2", "(k2) with n¹⁵ and d = (log m)²", holds(), K2Section4, "k2, n¹⁵"),
        (
            "s2-free",
            "(k2) with n¹⁵ and any d ≥ (log m)²",
            fails("the radius of the trajectory grows with √d, the width does not"),
            K2AnyOutput,
            "k2, d free",
        ),
        ("s3", "(k3): η(kL²m²/d²)τ² ≤ O(1) on the trajectory", holds(), K3, "k3"),
        (
            "s4",
            "(k4): the last member of (A.3) is at most ε for Tη = Θ(n³d/(mδε²))",
            fails("Tη needs n⁴: O(n) was granted to L_S(0)"),
            K4,
            "k4",
        ),
        (
            "s5",
            "(k5): T = Tη/η = n¹⁰L²k/(δ³ε⁴) for the printed Tη",
            holds(),
            K5,
            "k5",
        ),
        (
            "s6-a",
            "(k6), root over the whole product: the last member of (A.4)",
            fails("√L is missing in ω"),
            K6A,
            "k6 A",
        ),
        (
            "s6-b-middle",
            "(k6), root over Lm/d alone: the middle member of (A.4) follows from (A.3)",
            fails("it is too small by n²√d/√(mδ)"),
            K6BMiddle,
            "k6 B, middle",
        ),
        (
            "s6-b",
            "(k6), root over Lm/d alone: the last member of (A.4)",
            holds(),
            K6BLast,
            "k6 B, last",
        ),
        (
            "s7",
            "(k7): √(L³ s log m/d) = ω^{1/3}L²√(m log m/d) for s = mω^{2/3}L",
            holds(),
            K7,
            "k7",
        ),
        (
            "s7-other",
            "(k7): ω√(L³m/d) ≤ ω^{1/3}L²√(m log m/d) for ω ≤ 1",
            holds(),
            K7Other,
            "k7, second part",
        ),
        (
            "s8",
            "(k8): s = mω^{2/3}L ≤ m/(L³ log m) for ω ≤ L^{−9/2}(log m)^{−3/2}",
            fails("only for ω ≤ L^{−6}(log m)^{−3/2}"),
            K8,
            "k8",
        ),
        ("s9", "(k9): ω^{2/3}L⁴m log m/(nd) ≤ O(mδ/(n³d))", holds(), K9, "k9"),
        (
            "s10",
            "(k10): k‖q̃−q‖²‖z‖² ≤ O(kL²m²/d²)τ²‖ΔW‖² with the bounds of Lemma B.7 and Corollary B.9",
            fails("their product has L⁴"),
            K10,
            "k10",
        ),
        (
            "s11",
            "(k11): Σ_l ‖W′_l‖_F ≤ O(1)‖W′‖_F, used in (D.7)",
            fails("√(L+1)‖W′‖_F, attained by equal layers"),
            K11,
            "k11",
        ),
        (
            "s12",
            "(k12): √(n³d/(T min(η,γ)δm)) = T^{−1/2} n⁵L√k/(δ^{3/2}ε)",
            holds(),
            K12,
            "k12",
        ),
    ];
    for (id, statement, expected, of, name) in lines {
        setting = part(setting, id, statement, expected, of, name);
    }
    setting = part(
        setting,
        "s13",
        "(k13): (L²m/d) ≤ (kL²m²/d²)τ² for τ ≥ √(d/m)",
        holds(),
        K13,
        "k13",
    );
    let amended: [(&'static str, &'static str, Step, &'static str); 6] = [
        (
            "k2-least",
            "n¹³ is enough for (k2) with d = (log m)², and nothing is left over",
            K2Least,
            "k2, n¹³",
        ),
        (
            "k2-free",
            "m ≥ Ω(n¹³L¹²(log m)³ d δ^{−5}ε^{−2}) is enough for any d",
            K2AnyOutputAmended,
            "k2, d free, amended",
        ),
        (
            "k4-fourth",
            "the last member of (A.3) is at most ε for Tη = Θ(n⁴d/(mδε²))",
            K4Amended,
            "k4, amended",
        ),
        ("k5-eleventh", "and then T = n¹¹L²k/(δ³ε⁴)", K5Amended, "k5, amended"),
        (
            "k8-range",
            "s ≤ m/(L³ log m) for ω ≤ L^{−6}(log m)^{−3/2}",
            K8Amended,
            "k8, amended",
        ),
        ("k10-fourth", "(k10) with L⁴", K10Amended, "k10, amended"),
    ];
    for (id, statement, of, name) in amended {
        setting = setting
            .amendment(id, statement, holds(), move |_, ()| judge(of))
            .when(name, move |s| *s == of);
    }
    let setting = setting
        .step(
            "s6-a-lemma",
            "(k6), root over the whole product, with the gradient bound √(Lm/(nd)) of Lemma A.3",
            fails("√(L/n) is missing in ω"),
            |_, ()| judge(K6AWithLemma),
        )
        .when("k6 A, lemma", |s| *s == K6AWithLemma)
        .sharpening(
            "k6-descent",
            "the length of the path is at most √(Tη L_S(0)), with Tη = n⁴d/(mδε²) and L_S(0) = O(n): within the \
             printed ω",
            holds(),
            |_, ()| judge(K6FromDescent),
        )
        .when("k6, from the descent", |s| *s == K6FromDescent)
        .sharpening(
            "repaired",
            "with that path, Tη with n⁴ and the √L of (k11), m ≥ Ω(n¹¹L¹⁵(log m)⁵δ^{−4}ε^{−2}) keeps the trajectory \
             in the ball",
            holds(),
            |_, ()| judge(Repaired),
        )
        .when("repaired", |s| *s == Repaired)
        .control("a", "(k1) with L³ in place of L²", |_, ()| judge_times(K1, ONE / L))
        .when("k1", |s| *s == K1)
        .control("b", "(k3) with η multiplied by n", |_, ()| judge_times(K3, ONE / N))
        .when("k3", |s| *s == K3)
        .control("c", "(k7), first part, with L in place of L²", |_, ()| {
            judge_times(K7, ONE / L)
        })
        .when("k7", |s| *s == K7)
        .control("d", "every step has a factor √n to spare", |s, ()| {
            judge_times(*s, ONE / N.sqrt())
        });
    Claim::new(
        "wen2020.bookkeeping",
        "exponents in the proof of the theorem",
        Kind::Identity,
    )
    .statement("the inequalities (k1) to (k13) between powers of n, L, m, log m, δ, ε, d, k, up to constants")
    .source(
        "Appendix A.2",
        &[
            "Section 5.3",
            "Appendix C.4",
            "Appendix D.1",
            "Appendix D.2",
            "(A.3)",
            "(A.4)",
        ],
    )
    .sense("A", "in (A.4) the root stands over the whole product (Lm/d)·n⁴d/(mδ)")
    .sense("B", "in (A.4) the root stands over Lm/d alone")
    .remark(
        "X ≤ O(Y) for all sizes if and only if the smallest value of Y/X in the regime has no negative power of a \
         size that may grow and no positive power of δ, ε or ω. The powers are rational numbers, exactly; the margin \
         is the worst of them. The numbers (k1) to (k13) are ours.",
    )
    .remark(
        "With T η = Θ(n³ d/(mδε²)) the theorem would still follow from L_S(0) ≤ O(1), but L_S(0) is of order log(k + \
         1): T lacks that factor at least.",
    )
    .setting(setting)
    .setting(
        Setting::of()
            .assume("an inequality of the proof, or an amended one", |_: &AtPoint| true)
            .family(
                random("points of the regimes", || {
                    (
                        select(Step::all().collect::<Vec<_>>()),
                        uniform9(0.0..20.0f64),
                        0.0..5.0f64,
                    )
                        .prop_map(|(step, sizes, room)| AtPoint { step, sizes, room })
                })
                .taking(4.0),
            )
            .without_search()
            .step(
                "in-numbers",
                "right/left is at least the leftover at points of the regime",
                holds(),
                |p, ()| {
                    let [ratio, leftover] = p.logarithms();
                    // Rounding where both agree: a few units in the last place of the sizes.
                    at_least(ratio - leftover, Enclosure::from(-1e-12) * scale(p)).on_scale(scale(p))
                },
            )
            .control(
                "in-numbers-more",
                "right/left is at least n times the leftover",
                |p, ()| {
                    let [ratio, leftover] = p.logarithms();
                    at_least(ratio - leftover, p.sizes[0]).on_scale(scale(p))
                },
            ),
    )
}
