//! Lemma C.4: bounds of the gradients at initialisation by the loss vectors.
//!
//! The printed probability 1 − 2e^{−Ω(mδ²/n²)} has no depth in it, and no condition on the depth is printed: at every
//! width there is a depth at which the query network is dead and the key network is not with probability ¼ − 4^{−m}
//! (the first depth at which it is dead with probability ½ or more; a layer more kills with probability 2^{−m} at
//! most), and then ∇_W L_S = 0 while l̃oss_i ≠ 0. Such depths, about 2^m, lie far outside the regime of Theorem 4.2,
//! and Lemma B.3 asks m ≥ Ω(nL log(nL)); the lemma itself prints neither. For networks that are wide enough and d ≤ m
//! all four bounds hold at every size that was drawn, with explicit constants, for the loss vectors of Facts 1 and 2.
//! With those of Definition 4.1, which are n times shorter, the upper bounds fail: for orthogonal inputs the ratio
//! grows like n. And no bound on d is printed either: the gradient of W_L, (1/n) Σ l̃oss_i h_{i,L−1}ᵀ, does not become
//! smaller as d grows, so that m/d has to be m/d + 1.
//!
//! Two lines of the proof are misprints: the neurons are weighted with columns of W_L, not with rows, and the sum over
//! l ∈ [L] leaves out the first layer.

mod dead_layers;
mod gradient_ratios;

use contrastive::network::EnclosedActivations;
use enclosures::vectors::{sum_of_squares, unit_vector};
use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::displaced_encoder::{LossVectors, Vector};
use crate::shared::drawn_encoders::{Curve, DrawnSizes, SizeSweep, Varied};
use crate::shared::encoder_pair::{EncoderPair, families};
use crate::shared::perturbed_products::few_rows;
use crate::shared::signs::{
    BACK, DIFFERENCE, HIDDEN, KEY, KEY_NETWORK, KEY_VECTOR, LAYERS, LOSS, NEGATIVES, OUTPUT, POINTS, PRE_ACTIVATION,
    QUERY, QUERY_GRADIENT, QUERY_NETWORK, QUERY_VECTOR, RELU, SEPARATION, SHARE, START, TUPLE_NORM, WIDTH,
};
use dead_layers::{DeadLayerPromise, Narrow, failures};
use gradient_ratios::{GradientRatios, RatioSize, RatioSweep, each, ratios};

/// The constants of the bounds, which are ours.
const UPPER: f64 = 0.7;
const LOWER: f64 = 0.15;

/// A small network in enclosures.
struct Small {
    seen: [Vec<EnclosedActivations>; 2],
    vectors: LossVectors,
    /// ∇_{W_l} L_S and ∇_{θ_l} L_S.
    exact: [Vec<Vector>; 2],
}

fn small(p: &EncoderPair) -> Result<Small, MeasureError> {
    let seen = p.activations()?;
    let rows = |side: usize| seen[side].iter().map(|s| s.output().to_vec()).collect::<Vec<_>>();
    Ok(Small {
        vectors: LossVectors::of(&rows(0), &rows(1), p.negatives),
        exact: p.encoders.enclosed_gradient(&p.points, p.negatives)?,
        seen,
    })
}

fn squares(v: &[Interval]) -> Enclosure {
    v.iter().map(|&x| Enclosure::from(x).square()).sum()
}

fn norm(v: &[Interval]) -> Enclosure {
    squares(v).sqrt()
}

impl Small {
    fn vectors(&self, side: usize) -> &[Vector] {
        if side == 0 { &self.vectors.query } else { &self.vectors.key }
    }

    /// ‖∇_{W_l}‖_F ≤ (1/n) Σ_i ‖(Back_{i,l+shift})ᵀ v_i‖‖h_{i,l−1}‖ for all hidden layers, both sides.
    fn layer_bound(&self, shift: usize, factor: f64) -> Evaluation {
        let mut parts = Vec::new();
        for side in [0, 1] {
            let seen = &self.seen[side];
            let n = seen.len() as f64;
            for l in 0..seen[0].layers() {
                let term = |(s, v): (&EnclosedActivations, &Vector)| norm(&s.back(l + shift, v)) * norm(s.below(l));
                let bound: Enclosure = seen.iter().zip(self.vectors(side)).map(term).sum();
                let name = format!("{} {l}", ["W", "θ"][side]);
                parts.push((name, at_most(norm(&self.exact[side][l]), factor * bound / n).on_scale_of("10⁻³", 1e-3)));
            }
        }
        all_of(parts)
    }

    /// (1/n) Σ‖v_i‖ ≤ n^{−1/2} (Σ‖v_i‖²)^{1/2}.
    fn mean_of_norms(&self) -> Evaluation {
        all_of([0, 1].map(|side| {
            let norms: Vec<Enclosure> = self.vectors(side).iter().map(|v| norm(v)).collect();
            let n = norms.len() as f64;
            let length = sum_of_squares(&norms).sqrt();
            let sum: Enclosure = norms.into_iter().sum();
            (["query side", "key side"][side], at_most(sum / n, length / exact(n).sqrt()).on_scale_of("10⁻³", 1e-3))
        }))
    }

    /// ‖∇_{W_{L−1}}‖_F² = Σ_r ‖(1/n) Σ_i ⟨w_r, v_i⟩ σ′(…) h_{i,L−2}‖², with the columns of W_L for w_r, or its rows
    /// where d = m.
    fn neurons(&self, by_rows: bool) -> Evaluation {
        all_of([0, 1].map(|side| {
            let (seen, n) = (&self.seen[side], self.seen[side].len() as f64);
            let layers = seen[0].layers();
            let width = seen[0].pre_activations(layers - 1).len();
            let weight = |v: &Vector, r: usize| -> Interval {
                let terms = v.iter().enumerate().map(|(k, &x)| {
                    let place = if by_rows { r * width + k } else { k * width + r };
                    seen[0].matrix(layers)[place] * x
                });
                terms.sum()
            };
            let left: Vec<Vector> = seen
                .iter()
                .zip(self.vectors(side))
                .map(|(s, v)| s.masked(layers - 1, &(0..width).map(|r| weight(v, r)).collect::<Vector>()))
                .collect();
            let mut total = Interval::ZERO;
            for r in 0..width {
                for c in 0..seen[0].below(layers - 1).len() {
                    let sum: Interval = seen.iter().zip(&left).map(|(s, l)| l[r] * s.below(layers - 1)[c]).sum();
                    total += (sum / n).square();
                }
            }
            let exact = sum_of_squares(&self.exact[side][layers - 1]);
            let compared = equal(exact, total).on_scale_of("10⁻³", 1e-3);
            (["query side", "key side"][side], compared)
        }))
    }

    /// ‖∇_W‖_F² ≤ Σ_{l ≥ 1} ‖∇_{W_l}‖_F².
    fn without_the_first(&self) -> Evaluation {
        all_of([0, 1].map(|side| {
            let squares: Vec<Enclosure> = self.exact[side].iter().map(|m| squares(m)).collect();
            let whole: Enclosure = squares.iter().copied().sum();
            let rest: Enclosure = squares[1..].iter().copied().sum();
            (["query side", "key side"][side], at_most(whole, rest).on_scale_of("10⁻³", 1e-3))
        }))
    }

    /// ‖∇_{W_{L−1}}‖_F² ≤ factor ‖∇_W‖_F².
    fn last_hidden(&self, factor: f64) -> Evaluation {
        all_of([0, 1].map(|side| {
            let whole: Enclosure = self.exact[side].iter().map(|m| squares(m)).sum();
            let last = squares(&self.exact[side][self.seen[side][0].layers() - 1]);
            (["query side", "key side"][side], at_most(last, factor * whole).on_scale_of("10⁻³", 1e-3))
        }))
    }
}

/// The largest ‖Back_l‖, 1 ≤ l ≤ L.
fn backs(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 1], MeasureError> {
    let encoder = s.draw(trial)?;
    let seen = encoder.activations(&s.point())?;
    let d = s.output as usize;
    let mut worst = Enclosure::ZERO;
    for l in 1..=s.depth() {
        let rows: Vec<Vec<f64>> = (0..d).filter_map(|k| seen.back(l, &unit_vector(d, k))).collect();
        worst = worst.max(few_rows(&rows, trial)?);
    }
    Ok([worst])
}

fn back_sweeps() -> Vec<(&'static str, SizeSweep)> {
    let of = |varied, values: &[f64], width, layers, output| SizeSweep {
        varied,
        values: values.to_vec(),
        others: DrawnSizes::of(width, layers, output),
        networks: 20,
    };
    vec![
        ("m", of(Varied::Width, &[32.0, 54.0, 92.0, 156.0, 256.0], 1, 2, 2)),
        ("L to 8", of(Varied::Layers, &[1.0, 2.0, 3.0, 5.0, 8.0], 128, 1, 2)),
        ("d to 32", of(Varied::Output, &[1.0, 2.0, 5.0, 12.0, 32.0], 128, 2, 1)),
    ]
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-c4", "gradient bounds at initialisation", Kind::ProbabilityBound)
        .statement(
            "with probability ≥ 1 − 2e^{−Ω(mδ²/n²)}: Ω(mδ/(n³d)) Σ‖l̃oss_i‖² ≤ ‖∇_W L_S(W^(0), θ^(0))‖_F² ≤ O(Lm/(nd)) \
             Σ‖l̃oss_i‖², and the same for θ with l̂oss_i",
        )
        .source("Lemma C.4", &["Appendix C.3"])
        .symbols([
            POINTS, NEGATIVES, WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, KEY_NETWORK, SEPARATION, RELU, HIDDEN, BACK,
            QUERY, KEY, DIFFERENCE, SHARE, LOSS, QUERY_VECTOR, KEY_VECTOR, QUERY_GRADIENT, TUPLE_NORM, START,
            PRE_ACTIVATION,
        ])
        .symbol("Σ‖·‖²", "Σ_i ‖l̃oss_i‖² beside ∇_W and Σ_i ‖l̂oss_i‖² beside ∇_θ; ‖∇‖² is either of both")
        .symbol("[W_L]^r", "column r of W_L; [W_L]_r row r")
        .symbol("dead", "with h_l = 0 for both inputs in some layer")
        .symbol("D_{i,l}", "diag 1{(W_l h_{i,l−1})_r ≥ 0}, 0 ≤ l ≤ L − 1")
        .sense("alone", "the words alone, without a condition on m, L or d; loss vectors of Appendix C.1")
        .sense(
            "in-context",
            "under the conditions of Lemmas B.3 and C.1, which the proof uses; loss vectors of Appendix C.1",
        )
        .sense(
            "definition",
            "under the same conditions; loss vectors the derivatives of Definition 4.1 (repeated as A.1)",
        )
        .remark(
            "No condition is printed; Lemma B.3 asks m ≥ Ω(nL log(nL)), Lemma C.1 m ≥ Ω(n³d/δ²). The sweeps are \
             measurements: they can refute the bounds and cannot prove them.",
        )
        .remark(
            "Proof of no-constant: let p_L be the probability that some of the L hidden layers vanishes for both \
             inputs. A layer kills a non-zero vector with probability 2^{−m}, so that p_{L+1} − p_L ≤ 2^{−m}; two \
             vectors at an angle of at most π/2, which hidden vectors and the inputs are, it kills together with \
             probability at least 4^{−m}, so that p_L → 1. At the first depth with p_L ≥ ½ therefore p_L ≤ ½ + 2^{−m}, \
             and the query network is dead while the key network, independent of it, is not with probability p_L(1 − \
             p_L) ≥ ¼ − 4^{−m}. Then ∇_W L_S = 0, since every term has a vanishing hidden vector or mask in it, and \
             l̃oss_i = ½(k_j − k_i) ≠ 0, since two hidden vectors agree with probability zero unless both vanish. With \
             m ≥ 2 and m > (2/c) log 12 this is at least 3/16, and 2e^{−cmδ²/n²} = 2e^{−cm/2} < 1/6.",
        )
        .remark(
            "Upper bounds for the derivatives of Definition 4.1: ‖∇‖² is about (Lm/(n²d)) Σ‖n ∂L_S/∂q_i‖² for \
             orthogonal inputs, which is n times the printed bound with ∂L_S/∂q_i.",
        )
        .setting(printed())
        .setting(dead_layers_drawn())
        .setting(upper())
        .setting(norms_of_back())
        .setting(steps())
}

fn printed() -> Setting<DeadLayerPromise, ()> {
    Setting::of()
        .given("c > 0; two orthogonal unit inputs, n = 2, δ² = 2, k = 1; a random start")
        .family(edge_over("named", "c", [1.0, 0.01, 1e-6], |constant| DeadLayerPromise { constant }))
        .family(random("log-uniform constant", || {
            (-20.0..2.0f64).prop_map(|log| DeadLayerPromise { constant: core_math::exp(log) })
        }))
        .part(
            "printed",
            "lower bound for W with a constant c, two orthogonal inputs, m = ⌈(2/c) log 12⌉ + 1, at the first depth at \
             which a network is dead with probability ½ or more: ¼ − 4^{−m}, which P(∇_W L_S = 0 and l̃oss ≠ 0) is at \
             least, is at most 2e^{−cmδ²/n²}, the printed bound of that probability",
            fails("a dead layer makes ∇_W zero; at such a depth the probability of that does not fall with m"),
            |p: &DeadLayerPromise, ()| at_most(p.failure(), p.allowed()),
        )
        .sides("¼ − 4^{−m}", "2e^{−cmδ²/n²}")
        .in_sense("alone")
        .because("each instance is one constant; no-constant shows that none works")
        .ours(
            "no-constant",
            "for every c, m = ⌈(2/c) log 12⌉ + 1, without a condition on L: ¼ − 4^{−m} > 2e^{−cmδ²/n²}",
            holds(),
            |p, ()| greater_than(p.failure(), p.allowed()),
        )
}

fn dead_layers_drawn() -> Setting<Narrow, Vec<Enclosure>> {
    Setting::measuring(failures)
        .given("L = 2^m, two orthogonal inputs, k = 1")
        .family(edge("deep and narrow", || {
            let of = |widths: &[u32]| Narrow { widths: widths.to_vec() };
            vec![("m even", of(&[2, 4, 6])), ("m odd", of(&[3, 5, 7]))]
        }))
        .without_search()
        .ours(
            "dead-layers",
            "at L = 2^m, random starts: P(∇_W L_S = 0 and l̃oss ≠ 0), the query network dead and the key network not, \
             is at least 1/10, for m from 2 to 7",
            holds(),
            |n: &Narrow, failures| {
                let parts = n.widths.iter().zip(failures);
                let shown: Vec<String> =
                    parts.clone().map(|(m, p)| format!("m = {m}: P in [{:.3}, {:.3}]", p.lo(), p.hi())).collect();
                all_of(parts.map(|(m, &p)| (format!("m = {m}"), at_least(p, exact(0.1))))).noting(shown.join("; "))
            },
        )
        .control("g", "at L = 2^m: P(∇_W L_S = 0 and l̃oss ≠ 0) ≥ ½", |_, failures| {
            all_of(failures.iter().map(|&p| ("a width", at_least(p, exact(0.5)))))
        })
}

fn upper() -> Setting<RatioSweep, Vec<GradientRatios>> {
    Setting::measuring(ratios)
        .given(
            "a random start, the worst of twenty at each size; orthogonal unit inputs, or n = 2 unit inputs at a small \
             angle; k = ⌊n/4⌋, at least 1",
        )
        .assume(Hypothesis::new("m ≥ nL at the first size", |s: &RatioSweep| s.width >= s.points * s.layers))
        .family(outside("narrow networks", || {
            vec![(
                "m = 2, n = 2, L = 2",
                RatioSweep { vary: RatioSize::Points, points: 2, width: 2, layers: 2, output: 1, steps: 2 },
            )]
        }))
        .family(edge("sweeps", || {
            let of =
                |vary, points, width, layers, output, steps| RatioSweep { vary, points, width, layers, output, steps };
            vec![
                ("points", of(RatioSize::Points, 2, 120, 2, 4, 4)),
                ("layers", of(RatioSize::Layers, 3, 100, 1, 4, 4)),
                ("output", of(RatioSize::Output, 3, 200, 2, 1, 4)),
                ("width", of(RatioSize::Width, 3, 56, 2, 4, 4)),
                ("output beyond m", of(RatioSize::Output, 3, 20, 1, 20, 4)),
                ("angle", of(RatioSize::Angle, 2, 132_000, 1, 1, 4)),
                ("angle, d = 2", of(RatioSize::Angle, 2, 17_000, 1, 2, 2)),
            ]
        }))
        .without_search()
        .part(
            "upper",
            "wide networks, loss vectors of Facts 1 and 2: ‖∇‖² ≤ 2(Lm/(nd)) Σ‖·‖²",
            consistent(),
            |_, list| each(list, |x| at_most(x, exact(2.0)), |r, side| r.upper[side]),
        )
        .sides("‖∇‖²/((Lm/(nd)) Σ‖·‖²)", "2")
        .our_constant("the constant 2, above every ratio that was drawn")
        .in_sense("in-context")
        .assume(Hypothesis::new("d ≤ m at every size", RatioSweep::narrow_output))
        .part(
            "any-d",
            "wide networks with d beyond m, loss vectors of Facts 1 and 2: ‖∇‖² ≤ 0.7(Lm/(nd)) Σ‖·‖²",
            fails("the gradient of W_L alone is about (1/n) Σ ‖l̃oss_i‖² for any d"),
            |_, list| each(list, |x| at_most(x, exact(UPPER)), |r, side| r.upper[side]),
        )
        .sides("‖∇‖²/((Lm/(nd)) Σ‖·‖²)", "0.7")
        .our_constant("the constant 0.7; the ratio grows like d/m, so that none serves")
        .in_sense("alone")
        .assume(Hypothesis::new("d > m at some size", |s| !s.narrow_output()))
        .amendment("any-d-amended", "‖∇‖² ≤ 0.7(L/n)(m/d + 1) Σ‖·‖², d beyond m", holds(), |_, list| {
            each(list, |x| at_most(x, exact(UPPER)), |r, side| r.upper[side] * r.share / (r.share + 1.0))
        })
        .sides("‖∇‖²/((L/n)(m/d + 1) Σ‖·‖²)", "0.7")
        .assume(Hypothesis::new("d > m at some size", |s| !s.narrow_output()))
        .part(
            "lower",
            "wide networks, loss vectors of Facts 1 and 2: ‖∇‖² ≥ 0.15(mδ/(n³d)) Σ‖·‖²",
            consistent(),
            |_, list| each(list, |x| at_least(x, exact(LOWER)), |r, side| r.lower[side]),
        )
        .sides("‖∇‖²/((mδ/(n³d)) Σ‖·‖²)", "0.15")
        .our_constant("the constant 0.15, below every ratio that was drawn")
        .in_sense("in-context")
        .part(
            "upper-definition",
            "upper bound with the derivatives of Definition 4.1, ∂L_S/∂q_i and ∂L_S/∂k_i, in Σ‖·‖²: ‖∇‖² ≤ \
             0.7(Lm/(nd)) Σ‖·‖², as n grows",
            fails("they are n times shorter, so that the ratio grows like n for orthogonal inputs"),
            |_, list| each(list, |x| at_most(x, exact(UPPER)), |r, side| r.upper[side] * r.points * r.points),
        )
        .sides("‖∇‖²/((Lm/(nd)) Σ‖·‖²)", "0.7")
        .our_constant("the constant 0.7; the ratio grows like n, so that none serves")
        .in_sense("definition")
        .assume(Hypothesis::new("n varies", |s| s.vary == RatioSize::Points))
        .part(
            "lower-definition",
            "lower bound with the derivatives of Definition 4.1, ∂L_S/∂q_i and ∂L_S/∂k_i, in Σ‖·‖², wide networks: \
             ‖∇‖² ≥ 0.6(mδ/(n³d)) Σ‖·‖²",
            consistent(),
            |_, list| each(list, |x| at_least(x, exact(4.0 * LOWER)), |r, side| r.lower[side] * r.points * r.points),
        )
        .sides("‖∇‖²/((mδ/(n³d)) Σ‖·‖²)", "0.6")
        .our_constant("the constant 0.6, below every ratio that was drawn")
        .in_sense("definition")
        .control("a", "‖∇‖² ≤ 0.7(m/(nd)) Σ‖·‖², the upper bound without L", |_, list| {
            each(list, |x| at_most(x, exact(UPPER)), |r, side| r.upper[side] * r.layers)
        })
        .sides("‖∇‖²/((m/(nd)) Σ‖·‖²)", "0.7")
        .control("b", "‖∇‖² ≥ 0.15(m/(n³d)) Σ‖·‖², the lower bound without δ", |_, list| {
            each(list, |x| at_least(x, exact(LOWER)), |r, side| r.lower[side] * r.separation)
        })
        .sides("‖∇‖²/((m/(n³d)) Σ‖·‖²)", "0.15")
        .control("c", "‖∇‖² ≥ 0.15(m/d) Σ‖·‖², no power of n, Facts 1 and 2", |_, list| {
            each(
                list,
                |x| at_least(x, exact(LOWER)),
                |r, side| r.lower[side] * r.separation / (r.points * r.points * r.points),
            )
        })
        .sides("‖∇‖²/((m/d) Σ‖·‖²)", "0.15")
}

fn norms_of_back() -> Setting<SizeSweep, [Curve; 1]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, backs))
        .given("networks drawn as in Definition 3.2; s and radius of an instance play no part")
        .assume(Hypothesis::new("d ≤ m/4", |s| s.points().iter().all(|(_, p)| 4.0 * p.d() <= p.m())))
        .assume(Hypothesis::new("m ≥ 10L", |s| s.points().iter().all(|(_, p)| p.m() >= 10.0 * p.l())))
        .family(edge("drawn", back_sweeps))
        .family(outside("wide outputs, and deep networks", || {
            let of = |layers, output| {
                SizeSweep::of(Varied::Width, &[20.0, 30.0, 40.0], DrawnSizes::of(1, layers, output), 1)
            };
            vec![("d = 40", of(1, 40)), ("L = 10", of(10, 1))]
        }))
        .without_search()
        .step(
            "s3",
            "‖Back_{i,l}‖₂ ≤ 4√(m/d) for 1 ≤ l ≤ L, one input, of every size the largest of the drawn random starts \
             (printed: O(√(m/d)), see Lemma B.3)",
            consistent(),
            |s, c: &[Curve; 1]| c[0].scaled(s, |p| (p.d() / p.m()).sqrt()).at_most(4.0),
        )
        .sides("‖Back_{i,l}‖₂/√(m/d)", "4")
        .our_constant("the constant 4, above every ratio that was drawn")
        .control("f", "‖Back_{i,l}‖₂ ≤ 4 for 1 ≤ l ≤ L", |_, c| c[0].at_most(4.0))
}

fn steps() -> Setting<EncoderPair, Small> {
    Setting::measuring(|p: &EncoderPair, _| small(p))
        .assume(Hypothesis::new("every pre-activation is at least 10⁻³ in size", |p| p.off_the_kinks(1e-3)))
        .family(families(3))
        .without_search()
        .step(
            "s1",
            "‖∇_{W_l}‖_F ≤ (1/n) Σ_i ‖D_{i,l}‖₂‖(Back_{i,l})ᵀ l̃oss_i‖‖h_{i,l−1}‖ for l < L, with the index l as \
             printed and ‖D_{i,l}‖₂ = 1; the like for θ",
            fails("the factor W_l is not part of the gradient: Back_{i,l+1} is meant"),
            |_, s| s.layer_bound(0, 1.0),
        )
        .sides("‖∇_{W_l}‖_F or ‖∇_{θ_l}‖_F", "the printed right side")
        .amendment(
            "s1-above",
            "‖∇_{W_l}‖_F ≤ (1/n) Σ_i ‖D_{i,l}‖₂‖(Back_{i,l+1})ᵀ l̃oss_i‖‖h_{i,l−1}‖ for l < L with ‖D_{i,l}‖₂ = 1, and \
             the like for θ",
            holds(),
            |_, s| s.layer_bound(1, 1.0),
        )
        .step("s2", "(1/n) Σ‖l̃oss_i‖ ≤ n^{−1/2} (Σ‖l̃oss_i‖²)^{1/2}, and for l̂oss_i", holds(), |_, s| s.mean_of_norms())
        .step(
            "s4",
            "‖∇_{W_{L−1}}‖_F² = Σ_r ‖(1/n) Σ_i ⟨[W_L]^r, l̃oss_i⟩ σ′(⟨[W_{L−1}]_r, h_{i,L−2}⟩) h_{i,L−2}‖², columns of \
             W_L; the like for θ",
            holds(),
            |_, s| s.neurons(false),
        )
        .step(
            "s4-printed",
            "‖∇_{W_{L−1}}‖_F² = Σ_r ‖(1/n) Σ_i ⟨[W_L]_r, l̃oss_i⟩ σ′(⟨[W_{L−1}]_r, h_{i,L−2}⟩) h_{i,L−2}‖² with the \
             rows [W_L]_r, as printed, where d = m; the like for θ",
            fails("the r-th neuron is seen through the r-th column"),
            |_, s| s.neurons(true),
        )
        .sides("‖∇_{W_{L−1}}‖_F², the same for θ", "the sum with the rows of W_L")
        .assume(Hypothesis::new("d = m", |p| p.shape().output == p.shape().width))
        .step(
            "s5-printed",
            "‖∇_W‖_F² is the sum of ‖∇_{W_l}‖_F² over l ∈ [L] = {1, …, L}, so at most that; the like for θ",
            fails("the first layer, l = 0, is trained too"),
            |_, s| s.without_the_first(),
        )
        .sides("‖∇_W‖_F², the same for θ", "the sum over l ∈ {1, …, L}")
        .step("s5", "‖∇_{W_{L−1}}‖_F² ≤ ‖∇_W‖_F², all layers 0, …, L counted", holds(), |_, s| {
            s.last_hidden(1.0)
        })
        .not_evidence("a sum of squares is at least one of them")
        .control(
            "d",
            "‖∇_{W_l}‖_F ≤ (1/(2n)) Σ_i ‖D_{i,l}‖₂‖(Back_{i,l+1})ᵀ l̃oss_i‖‖h_{i,l−1}‖ for l < L, and the like for θ",
            |_, s| s.layer_bound(1, 0.5),
        )
        .control("e", "‖∇_{W_{L−1}}‖_F² ≤ ½‖∇_W‖_F²", |_, s| s.last_hidden(0.5))
}
