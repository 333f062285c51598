//! (D.4) to (D.7): the first-order error of the query network and its bounds.
//!
//! The first and the last member of (D.4) agree for any displacement, with D″ of Lemma B.8; the member between them
//! prints a plus sign where the second sum is subtracted. Two steps of the bounds are wrong as printed. The bound of
//! Q_2^L has √(log m)/√d without √m: ‖W′_L‖₂‖h′_{L−1} − h_{L−1}‖ may be ω² (move W_0 by ω u xᵀ and W_L by ω e uᵀ with a
//! unit vector u ≥ 0 of active units, L = 1), and ω² exceeds every multiple of ω^{4/3} √(log m/d) once d grows with m
//! as Lemma 4.4 allows, up to ω ≥ √(d/m). And Σ_l ‖W′_l‖_F is at most √(L+1) ‖W′‖_F, not O(1) ‖W′‖_F. (D.5) to (D.7)
//! may stand all the same: on drawn networks they hold with the constants ½, 1/20 and ½.

use enclosures::vectors::{largest_magnitude, minus, plus, scaled, sum_of_products};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use crate::shared::displaced_encoder::{CERTAIN, Displacement, LossVectors, Moved, Vector, certain, families};
use crate::shared::first_order_errors::{RatioCurve, Size, VariedNetworks, each_at_most, large_radius, query_errors};
use crate::shared::growing_norms::{CONSTANTS, Growing, Norms, growing};
use crate::shared::signs::{
    DIFFERENCE, INITIALISATION, KEY, LOSS, NETWORKS, PATTERN, PRE_ACTIVATION, QUERY, QUERY_GRADIENT, QUERY_VECTOR,
    SHARE, TUPLE_NORM,
};

struct Queries {
    moved: Vec<Moved>,
    /// l̃oss_i of Fact 1.
    vectors: Vec<Vector>,
    /// ⟨∇_W L_S, W′⟩.
    slope: Interval,
}

fn queries(d: &Displacement) -> Queries {
    let moved = d.moved();
    let vectors = LossVectors::before(&moved, d.at.negatives).query;
    let [moved, _] = moved;
    Queries { moved, vectors, slope: d.slope(0) }
}

/// f_{W+W′} − f_W with `sign` times its linear part.
fn error(m: &Moved, sign: f64) -> Vector {
    let linear = m.expansion(0, &m.below, &m.pattern);
    plus(&m.difference(), &scaled(&linear, sign))
}

/// Σ_l Q_1^l without the loss vector, for diagonals D + D″.
fn patterns_part(m: &Moved, chords: &[Vector]) -> Vector {
    let zero = vec![Interval::ZERO; m.output.len()];
    (0..m.layers()).fold(zero, |sum, l| {
        let start = m.change(l, &m.below_after[l]);
        plus(&sum, &minus(&m.arrived(l, &start, chords), &m.arrived(l, &start, &m.pattern)))
    })
}

/// Σ_l Q_2^l without the loss vector.
fn vectors_part(m: &Moved) -> Vector {
    let gap = |l: usize| minus(&m.below_after[l], &m.below[l]);
    let last = m.layers();
    (0..last).fold(m.change(last, &gap(last)), |sum, l| plus(&sum, &m.arrived(l, &m.change(l, &gap(l)), &m.pattern)))
}

impl Queries {
    /// Σ_i l̃oss_i·left(x_i) = Σ_i l̃oss_i·right(x_i), point by point.
    fn compared(&self, left: impl Fn(&Moved) -> Vector, right: impl Fn(&Moved) -> Vector) -> Evaluation {
        let parts = self.moved.iter().zip(&self.vectors).enumerate().map(|(i, (m, v))| {
            let size = largest_magnitude(v).max(1e-3) * m.size();
            let sides = [sum_of_products(v, &left(m)), sum_of_products(v, &right(m))].map(Enclosure::from);
            (
                format!("point {}", i + 1),
                equal(sides[0], sides[1]).on_scale_of(
                    "the largest entry of a loss vector (at least 10⁻³) times the size of the outputs' changes",
                    size,
                ),
            )
        });
        all_of(parts)
    }

    fn whole(&self, factor: f64) -> Evaluation {
        let n = self.moved.len() as f64;
        let pair = |of: &dyn Fn(&Moved) -> Vector| -> Interval {
            let terms = self.moved.iter().zip(&self.vectors).map(|(m, v)| sum_of_products(v, &of(m)));
            terms.sum::<Interval>() * factor / n
        };
        let left = pair(&Moved::difference) - self.slope;
        let right = pair(&|m| plus(&patterns_part(m, &m.chords), &vectors_part(m)));
        let vectors = self.vectors.iter().map(|v| largest_magnitude(v)).fold(1e-3, f64::max);
        let size = self.moved.iter().map(Moved::size).fold(1e-3, f64::max) * vectors;
        equal(left, right).on_scale_of(
            "the largest entry of a loss vector (at least 10⁻³) times the size of the outputs' changes",
            size,
        )
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.eq-d4", "first-order error of the query network", Kind::Identity)
        .statement(
            "(D.4) F_1^i = l̃oss_iᵀ(f_{W+W′}(x_i) − f_W(x_i) − [W′_L h_{L−1} + Σ_{l<L} W_L (∏_{a>l} D_a W_a) D_l W′_l \
             h_{l−1}]) = l̃oss_iᵀ(W′_L h′_{L−1} + Σ_{l<L} W_L (∏_{a>l} (D_a + D″_a) W_a)(D_l + D″_l) W′_l h′_{l−1} − \
             W′_L h_{L−1} + Σ_{l<L} W_L (∏_{a>l} D_a W_a) D_l W′_l h_{l−1}) = Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l, F_1 = \
             (1/n) Σ_i F_1^i; (D.5), (D.6) Q ≤ ‖l̃oss_i‖ O(ω^{1/3} L² √(m log m)/√d) ‖W′_l‖_F; (D.7) F_1 ≤ ‖l̃oss‖ \
             O(ω^{1/3} L² √(m log m)/√(nd)) ‖W′‖_F",
        )
        .source("(D.4) to (D.7)", &["Appendix D.2, Step 1"])
        .symbols(NETWORKS)
        .symbols([
            PATTERN, PRE_ACTIVATION, QUERY, KEY, DIFFERENCE, SHARE, LOSS, QUERY_VECTOR, QUERY_GRADIENT, TUPLE_NORM,
            INITIALISATION,
        ])
        .symbol(
            "W′",
            "matrices W′_0, …, W′_L of the shapes of W_0, …, W_L; ⟨∇_W L_S, W′⟩ is the sum of the products of their \
             entries with those of ∇_W L_S. The displacement moves W to W + W′, and θ to some θ + θ′",
        )
        .symbol(
            "h′_{l−1}",
            "the hidden vector of layer l − 1 at x_i for W + W′, and h_{l−1} that for W: h_l = max(W_l h_{l−1}, 0), \
             h_{−1} = x_i",
        )
        .symbol(
            "D″",
            "diagonal with D_l + D″_l the slopes of the chords of max(t, 0) between (W_l h_{l−1})_r and ((W_l + W′_l) \
             h′_{l−1})_r (Lemma B.8; D″ = 0 where they are equal)",
        )
        .symbol(
            "Q_1",
            "Q_1^l = l̃oss_iᵀ [W_L (∏_{a>l} (D_a + D″_a) W_a)(D_l + D″_l) − W_L (∏_{a>l} D_a W_a) D_l] W′_l h′_{l−1}; \
             ∏_{a>l} runs over a = l + 1, …, L − 1",
        )
        .symbol(
            "Q_2",
            "Q_2^l = l̃oss_iᵀ W_L (∏_{a>l} D_a W_a) D_l W′_l (h′_{l−1} − h_{l−1}) for l < L, Q_2^L = l̃oss_iᵀ W′_L \
             (h′_{L−1} − h_{L−1})",
        )
        .symbol(
            "F_1",
            "F_1^i = l̃oss_iᵀ(f_{W+W′}(x_i) − f_W(x_i) − [W′_L h_{L−1} + Σ_{l<L} W_L (∏_{a>l} D_a W_a) D_l W′_l \
             h_{l−1}]), the first member of (D.4), F_1 = (1/n) Σ_i F_1^i; in s3 with a unit vector in place of l̃oss_i, as in \
             Q_1 and Q_2 in s3-patterns, s3-vectors and d",
        )
        .symbol(
            "second member",
            "l̃oss_iᵀ(W′_L h′_{L−1} + Σ_{l<L} W_L (∏_{a>l} (D_a + D″_a) W_a)(D_l + D″_l) W′_l h′_{l−1} − W′_L h_{L−1} ± \
             Σ_{l<L} W_L (∏_{a>l} D_a W_a) D_l W′_l h_{l−1}), ± the sign that the check names",
        )
        .symbol("ω", "the radius of the ball of W; it is the radius in the lists of sizes")
        .symbol("C", "a constant, any in the given range, as is c")
        .symbol(
            "attain ω²",
            "W′_0 = ω u xᵀ and W′_L = ω e uᵀ at L = 1, ‖x‖ = 1, with a unit vector u ≥ 0 that is zero off the active \
             units and e = l̃oss_i/‖l̃oss_i‖: Q_2^L = ‖l̃oss_i‖ ω², ‖W′‖_F = √2 ω",
        )
        .sense("formulas", "loss vectors of Facts 1 and 2")
        .sense("definition", "loss vectors the derivatives of Definition 4.1 (repeated as A.1)")
        .remark(
            "The term l = L of the printed sums is read as W′_L h_{L−1}, upper limits L of products as L − 1, and the \
             stray factor B as W_L^(0).",
        )
        .remark(
            "s6, with L = 1: h′ − h = ω u for W′_0 = ω u xᵀ, and Q_2^L = ‖l̃oss_i‖ ω² for W′_L = ω e uᵀ, e along \
             l̃oss_i. One active unit suffices for u. The ratio to the printed bound is ω^{2/3} √(d/(2 log m)), \
             unbounded for d = c²m/(log m)⁴ and ω = c (log m)^{−3/2}, where √(d/m) ≤ ω. This d is entered as it is, \
             without rounding to a whole number.",
        )
        .setting(printed())
        .setting(sums_of_norms())
        .setting(growing_depth())
        .setting(drawn_networks())
}

fn printed() -> Setting<Displacement, Queries> {
    Setting::measuring(|d: &Displacement, _| Ok(queries(d)))
        .assume(Hypothesis::new(CERTAIN, certain))
        .family(families(4))
        .without_search()
        .part(
            "printed",
            "(D.4): the first member is Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l, the last, for every i",
            holds(),
            |_, q| q.compared(|m| error(m, -1.0), |m| plus(&patterns_part(m, &m.chords), &vectors_part(m))),
        )
        .step(
            "s1",
            "l̃oss_i·(f_{W+W′}(x_i) − f_W(x_i)) = l̃oss_i·(W′_L h′_{L−1} + Σ_{l<L} W_L (∏_{a>l} (D_a + D″_a) W_a)(D_l + \
             D″_l) W′_l h′_{l−1})",
            holds(),
            |_, q| q.compared(Moved::difference, |m| m.expansion(0, &m.below_after, &m.chords)),
        )
        .part(
            "s2",
            "(D.4): the second member, with a plus sign in front of the second sum, is Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l, \
             the last, for every i",
            fails("the linear part of the hidden layers is subtracted: a minus sign is meant"),
            |_, q| {
                q.compared(
                    |m| {
                        let last = m.layers();
                        let output = m.change(last, &m.below[last]);
                        let hidden = minus(&m.expansion(0, &m.below, &m.pattern), &output);
                        plus(&minus(&m.difference(), &output), &hidden)
                    },
                    |m| plus(&patterns_part(m, &m.chords), &vectors_part(m)),
                )
            },
        )
        .sides("the second member", "Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l")
        .because("it is the second line of the display that is numbered (D.4)")
        .meant(
            "s2-minus",
            "(D.4): the second member with a minus sign in front of the second sum is Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l, \
             the last, for every i",
            holds(),
            |_, q| {
                q.compared(
                    |m| minus(&m.difference(), &m.expansion(0, &m.below, &m.pattern)),
                    |m| plus(&patterns_part(m, &m.chords), &vectors_part(m)),
                )
            },
        )
        .part(
            "whole",
            "−⟨∇_W L_S, W′⟩ + (1/n) Σ_i ⟨l̃oss_i, q̃_i − q_i⟩ = (1/n) Σ_i (Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l), q̃_i = \
             f_{W+W′}(x_i), l̃oss_i of Fact 1",
            holds(),
            |_, q| q.whole(1.0),
        )
        .in_sense("formulas")
        .part(
            "definition",
            "−⟨∇_W L_S, W′⟩ + (1/n) Σ_i ⟨l̃oss_i, q̃_i − q_i⟩ = (1/n) Σ_i (Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l) with l̃oss_i = \
             ∂L_S/∂q_i, also in Q",
            fails("the factor 1/n stands there twice"),
            |_, q| q.whole(1.0 / q.moved.len() as f64),
        )
        .sides("Σ_i ⟨l̃oss_i, q̃_i − q_i⟩/n − ⟨∇_W L_S, W′⟩", "(1/n) Σ_i (Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l)")
        .in_sense("definition")
        .sharpening("no-flip", "where no unit changes its sign, F_1^i = Σ_{l≤L} Q_2^l", holds(), |_, q| {
            q.compared(|m| error(m, -1.0), vectors_part)
        })
        .assume(Hypothesis::new("no pre-activation of the query network changes its sign", |d| {
            d.moved()[0].iter().all(|m| !m.flips())
        }))
        .control("a", "F_1^i = Σ_{l<L} Q_1^l", |_, q| q.compared(|m| error(m, -1.0), |m| patterns_part(m, &m.chords)))
        .control("b", "F_1^i = Σ_{l≤L} Q_2^l, D″ = 0", |_, q| {
            q.compared(|m| error(m, -1.0), |m| plus(&patterns_part(m, &m.pattern), &vectors_part(m)))
        })
}

fn sums_of_norms() -> Setting<Norms, ()> {
    Setting::of()
        .given("n ≥ 1 numbers ‖l̃oss_i‖ ≥ 0, or L + 1 ≥ 1 numbers ‖W′_l‖_F ≥ 0")
        .family(edge("named", || {
            let of = |list: &[f64]| Norms { list: list.to_vec() };
            vec![
                ("one", of(&[2.0])),
                ("equal", of(&[1.0; 4])),
                ("one of many", of(&[0.0, 0.0, 3.0, 0.0])),
                ("all zero", of(&[0.0; 3])),
            ]
        }))
        .family(random("drawn", || vec(0.0..1.0f64, 1..12).prop_map(|list| Norms { list })))
        .step(
            "s4",
            "(1/n) Σ_i ‖l̃oss_i‖ ≤ n^{−1/2} (Σ_i ‖l̃oss_i‖²)^{1/2}",
            holds(),
            |n: &Norms, ()| {
                let count = n.list.len() as f64;
                at_most(n.sum() / count, n.length() / exact(count).sqrt())
            },
        )
        .checked("wen2020.LossVectors.eq_d4_s4")
        .amendment("s5-root", "Σ_{l≤L} ‖W′_l‖_F ≤ √(L+1) ‖W′‖_F", holds(), |n, ()| {
            at_most(n.sum(), Enclosure::from(n.list.len()).sqrt() * n.length())
        })
        .checked("wen2020.LossVectors.eq_d4_s5_root")
        .control("c", "Σ_{l≤L} ‖W′_l‖_F ≤ ‖W′‖_F", |n, ()| at_most(n.sum(), n.length()))
}

fn growing_depth() -> Setting<Growing, ()> {
    Setting::of()
        .given(CONSTANTS)
        .family(growing())
        .step(
            "s5",
            "Σ_{l≤L} ‖W′_l‖_F ≤ C ‖W′‖_F for L = ⌈C²⌉ and all ‖W′_l‖_F equal and positive",
            fails("equal norms give √(L+1)"),
            |g: &Growing, ()| at_most(g.layers(), exact(g.constant)),
        )
        .sides("Σ_l ‖W′_l‖_F/‖W′‖_F", "C")
        .step(
            "s6",
            "Q_2^L ≤ ‖l̃oss_i‖ C ω^{1/3} L² (√(log m)/√d) ‖W′‖_F at L = 1, ω = c(log m)^{−3/2}, d = c²m/(log m)⁴, so \
             that ω ≥ √(d/m), and every m = 2^{10}, 2^{20}, …, 2^{600} with d ≥ (log m)², on displacements that attain \
             ω²",
            fails("a root of m is missing: ω² is attained, whatever d"),
            |g, ()| {
                let (two, ratio) = g.last_layer();
                at_most(ratio, exact(g.constant)).noting(format!("m = 2^{two}"))
            },
        )
        .sides("Q_2^L over the bound at C = 1 (at the first of these m where that is more than C)", "C")
        .amendment(
            "s6-root",
            "Q_2^L ≤ ‖l̃oss_i‖ ω^{1/3} L² (√(m log m)/√d) ‖W′‖_F at L = 1, ω = c(log m)^{−3/2}, d = c²m/(log m)⁴ and \
             every m = 2^{10}, 2^{20}, …, 2^{600}, on displacements that attain ω²",
            holds(),
            |g, ()| at_most(g.repaired(true), exact(1.0)),
        )
        .ours(
            "no-constant",
            "for every C and c: Σ_{l≤L} ‖W′_l‖_F > C ‖W′‖_F for L = ⌈C²⌉ and all ‖W′_l‖_F equal and positive; and \
             Q_2^L > ‖l̃oss_i‖ C ω^{1/3} L² (√(log m)/√d) ‖W′‖_F at L = 1, ω = c(log m)^{−3/2}, d = c²m/(log m)⁴ ≥ (log \
             m)² and some m = 2^{10}, 2^{20}, …, 2^{600}, on displacements that attain ω²",
            holds(),
            |g, ()| {
                let (two, ratio) = g.last_layer();
                all_of([
                    ("s5", greater_than(g.layers(), exact(g.constant))),
                    ("s6", greater_than(ratio, exact(g.constant)).noting(format!("m = 2^{two}"))),
                ])
            },
        )
}

fn drawn_networks() -> Setting<VariedNetworks, [RatioCurve; 3]> {
    Setting::measuring(query_errors)
        .assume(Hypothesis::new("ω ≤ 1/5", |s: &VariedNetworks| s.largest_radius() <= 0.2))
        .given(
            "one unit input of ℝ⁴, a network drawn as in Definition 3.2, v a unit vector in place of l̃oss_i; ‖W′_l‖₂ = ω \
             for l < L along plus or minus the gradient of v·f(x), with W′_L = 0, and along plus with W′_L = ω v \
             (h′_{L−1} − h_{L−1})ᵀ/‖h′_{L−1} − h_{L−1}‖, too; or W′_0 alone with ‖W′_0‖_F ≤ ω, flipping the smallest \
             pre-activations of layer 0 whose flip raises v·f(x); the worst of twenty networks at each size",
        )
        .family(outside("a large radius", || vec![("ω = 1", large_radius())]))
        .family(edge("sweeps", || {
            let of = |vary, width, layers, output, omega, points| VariedNetworks {
                vary,
                width,
                layers,
                output,
                omega,
                points,
            };
            vec![
                ("width", of(Size::Width, 32, 2, 2, 0.1, 5)),
                ("depth", of(Size::Layers, 80, 1, 2, 0.05, 5)),
                ("output", of(Size::Output, 120, 2, 1, 0.1, 5)),
                ("radius", of(Size::Radius, 200, 2, 2, 0.01, 5)),
            ]
        }))
        .without_search()
        .part(
            "s3",
            "(D.7) for one point: |F_1| ≤ ½‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′‖_F",
            consistent(),
            |_, found| each_at_most(&found[0], 0.5),
        )
        .sides("|F_1|/(‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′‖_F)", "½")
        .our_constant("the constant ½, above every ratio that was drawn")
        .part(
            "s3-patterns",
            "(D.5) for one point: |Q_1^l| ≤ ½‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′_l‖_F for every l < L",
            consistent(),
            |_, found| each_at_most(&found[1], 0.5),
        )
        .sides("|Q_1^l|/(‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′_l‖_F), the largest over l", "½")
        .our_constant("the constant ½, above every ratio that was drawn")
        .part(
            "s3-vectors",
            "(D.6) for one point: |Q_2^l| ≤ (1/20)‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′_l‖_F for every l ≤ L",
            consistent(),
            |_, found| each_at_most(&found[2], 0.05),
        )
        .sides("|Q_2^l|/(‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′_l‖_F), the largest over l", "1/20")
        .our_constant("the constant 1/20, above every ratio that was drawn")
        .control(
            "d",
            "(D.5) for one point with ω in place of ω^{1/3}: |Q_1^l| ≤ ½‖l̃oss‖ ω L² √(m log m/d) ‖W′_l‖_F for every l \
             < L",
            |s, found| {
                let at = |factor: f64| if s.vary == Size::Radius { s.omega * factor } else { s.omega };
                let larger = found[1].iter().map(|&(factor, ratio)| {
                    let omega = at(factor);
                    (factor, ratio / core_math::cbrt(omega * omega))
                });
                each_at_most(&larger.collect::<Vec<_>>(), 0.5)
            },
        )
        .sides("|Q_1^l|/(‖l̃oss‖ ω L² √(m log m/d) ‖W′_l‖_F), the largest over l", "½")
}
