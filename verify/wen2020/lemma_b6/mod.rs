//! Lemma B.6: how much sparse D″ and small W′ change W_L D_{L−1} W_{L−1} ⋯ D_{a+1} W_{a+1} D_a.
//!
//! The telescoping is an identity of matrices: writing P_l = V_L ∏_{c>l} A_c V_c and P̃_l = ∏_{c ≤ l} Ṽ_c Ã_{c−1},
//! moving the boundary between the changed and the unchanged factors one step at a time gives the terms P_l D″_l P̃_l,
//! P_l A_l W′_l Ã_{l−1} P̃_{l−1} and W′_L ⋯. (The printed display shifts the ranges.) With Lemma B.3(a) read with √(s
//! log m/d), Lemma B.3(b) and Lemma B.5 for c ≤ L − 1 the bound follows. It holds with explicit constants at every
//! size that was drawn, and both of its terms are needed.
//!
//! The note is an identity of monomials in its first term, at s = mω^{2/3}L; the second term is ω^{2/3}/√(L log m)
//! times the first, so at most it. What the note does not say is that this s lies in the range s ≤ m/(L³ log m) only if
//! ω ≤ O(L^{−6}(log m)^{−3/2}), far below the ω = O(L^{−3/2}) of the lemma.

mod backward_telescope;

use enclosures::linear_algebra::MatrixError;
use enclosures::probability::normal_two_sided_tail;
use enclosures::vectors::{minus, unit_vector};
use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::drawn_encoders::{Curve, DrawnSizes, SizeSweep, Varied};
use crate::shared::failure_events::changed_output_row;
use crate::shared::failure_rates::{FailureSweep, NeededConstants, failures};
use crate::shared::perturbed_products::{adversary, few_rows, masked, top};
use crate::shared::signs::{INITIALISATION, LAYERS, OUTPUT, PATTERN, QUERY_NETWORK, WIDTH};
use backward_telescope::{BackwardChain, Monomials};

/// The largest change found over a ∈ {0, 1}: with D″ and W′, with D″ alone, with W′ alone. ‖W′‖₂ = ω = radius ·
/// L^{−3/2}.
fn changes(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 3], MeasureError> {
    let encoder = s.draw(trial)?;
    let point = s.point();
    let seen = encoder.activations(&point)?;
    let (layers, d) = (s.depth(), s.output as usize);
    let missing = || MeasureError::from("no such layer");
    let mut worst = [Enclosure::ZERO; 3];
    for a in 0..2.min(layers) {
        // The matrix to be changed begins with D_a, so that the product begins with W_{a+1}; its changes are those of
        // W_{a+1} ⋯ W_L and D_a.
        let found = top(&seen, a, layers, if a == 0 { s.input } else { s.width } as usize, trial)?;
        for (kind, worst) in worst.iter_mut().enumerate() {
            let (sparsity, omega) = match kind {
                0 => (s.sparsity as usize, radius(s)),
                1 => (s.sparsity as usize, 0.0),
                _ => (0, radius(s)),
            };
            let plan = adversary(&encoder, &seen, (a, layers), &found, sparsity, omega)?;
            let changed = encoder.displaced(&plan.change, 1.0)?;
            let moved = changed.activations(&point)?.with_diagonals(plan.diagonals.clone())?;
            let mut rows = Vec::new();
            for k in 0..d {
                let axis = unit_vector(d, k);
                let new = masked(&plan.diagonals[a], &moved.back(a + 1, &axis).ok_or_else(missing)?);
                let old = masked(seen.diagonal(a).ok_or_else(missing)?, &seen.back(a + 1, &axis).ok_or_else(missing)?);
                rows.push(minus(&new, &old));
            }
            *worst = worst.max(few_rows(&rows, trial)?);
        }
    }
    Ok(worst)
}

fn radius(s: &DrawnSizes) -> f64 {
    s.radius / (s.l() * s.l().sqrt())
}

/// √(L³ s log m/d).
fn sparse_term(s: &DrawnSizes) -> f64 {
    (s.l() * s.l() * s.l() * s.s() * s.log_m() / s.d()).sqrt()
}

/// ω√(L³ m/d).
fn weight_term(s: &DrawnSizes) -> f64 {
    radius(s) * (s.l() * s.l() * s.l() * s.m() / s.d()).sqrt()
}

/// Both sides entry by entry; the integers stay below 2^53, so both are exact.
fn telescopes(chain: &BackwardChain, tilde: bool) -> Evaluation {
    let sides = || -> Result<Evaluation, MatrixError> {
        let (left, right) = (chain.difference()?, chain.telescoped(tilde)?);
        let pairs = left.entries().iter().zip(right.entries());
        Ok(all_of(pairs.map(|(&x, &y): (&Interval, &Interval)| ("an entry", equal(x, y)))))
    };
    sides().into()
}

/// The last term of the telescope for d = s = 1 and W′ = 0: W_L D″_{L−1} with one entry ±3.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "m = {width}, L = {layers}, d = s = 1", stored)]
struct LastLayer {
    #[instance(range = "1..=10_000_000")]
    width: u32,
    #[instance(range = "2..=100")]
    layers: u32,
}

impl LastLayer {
    /// P(3 max_r |w_r| > 3√(L³ log m)) for m independent standard normal numbers.
    fn failure(&self) -> Enclosure {
        let cube = f64::from(self.layers * self.layers * self.layers);
        let tail = normal_two_sided_tail((Interval::point(f64::from(self.width)).ln() * cube).sqrt());
        -((-Enclosure::from(tail)).ln_1p() * f64::from(self.width)).exp_m1()
    }

    /// m^{−rate}.
    fn promise(&self, rate: f64) -> Enclosure {
        (-(Enclosure::from(self.width).ln() * rate)).exp()
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b6", "backward perturbation", Kind::Asymptotic)
        .statement(
            "d ≤ O(m/(L log m)), Ω(d/log m) ≤ s ≤ O(m/(L³ log m)), D″ as in Lemma B.5 and ‖W′‖₂ ≤ ω = O(L^{−3/2}) \
             imply, with probability ≥ 1 − e^{−Ω(s log m)}, for 1 ≤ a ≤ L − 1 (printed: 1 ≤ a ≤ L, but there is no \
             D_L): ‖(W_L + W′_L)[∏_{l=a+1}^{L−1}(D_l + D″_l)(W_l + W′_l)](D_a + D″_a) − \
             W_L[∏_{l=a+1}^{L−1}D_lW_l]D_a‖₂ ≤ O(√(L³ s log m/d) + ω√(L³m/d)); for s = O(mω^{2/3}L) this is \
             O(ω^{1/3}L²√(m log m/d))",
        )
        .source("Lemma B.6", &["Modification of Lemma 8.7 of Allen-Zhu et al. (2018)"])
        .symbols([WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, PATTERN, INITIALISATION])
        .symbol("D″", "diagonal matrices D″_l with at most s entries that are not zero, of size at most 3")
        .symbol("W′", "of spectral norm at most ω in every matrix")
        .symbol(
            "change",
            "the spectral norm of the difference (W_L + W′_L)[∏_{l=a+1}^{L−1}(D_l + D″_l)(W_l + W′_l)](D_a + D″_a) − \
             W_L[∏_{l=a+1}^{L−1}D_lW_l]D_a, the largest over a, for D″ and W′ that follow the top singular vectors of \
             W_L ⋯ W_a",
        )
        .symbol(
            "telescoping terms",
            "the sum over l of P_l D″_l P̃_l, over l > a of P_l A_l W′_l Ã_{l−1} P̃_{l−1}, and W′_L Ã_{L−1} P̃_{L−1}, \
             with A_l = D_l, P_l = W_L ∏_{c>l} A_c W_c, P̃_l = ∏_{c=a+1}^{l} W̃_c Ã_{c−1}, the tilde for A + D″ and W + \
             W′",
        )
        .symbol(
            "sup",
            "over all D″ with s entries of size at most 3: three times the root of the sum of the s largest squares of \
             m independent N(0, 1)",
        )
        .remark(
            "D″ and W′ follow the top singular vectors of W_L ⋯ W_a. The sweeps contain a = 0, which the lemma does \
             not. L runs from 2 to 4 only, with m = 8L³ and eight networks of each size, and s to 4, since s ≤ m/(L³ \
             log m).",
        )
        .remark(
            "One input is drawn. For all n inputs at once the proof needs the condition m ≥ Ω(nL log(nL)) of Lemma \
             B.3, or n ≤ m^{O(1)}; Lemma B.6 does not print it.",
        )
        .setting(printed())
        .setting(last_layer())
        .setting(rate())
        .setting(telescoping())
        .setting(range())
}

const STILL: &str = "ω = 0, where both sides are zero";

/// Whether ω = 0 throughout.
fn still(s: &SizeSweep) -> bool {
    s.points().iter().all(|(_, p)| p.radius == 0.0)
}

fn printed() -> Setting<SizeSweep, [Curve; 3]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, changes))
        .given(
            "one input, n = 1; every network that was drawn, as in Definition 3.2; ω = radius · L^{−3/2} ≤ L^{−3/2}; a \
             ∈ {0, 1}",
        )
        .assume(Hypothesis::new("d ≤ m/(L log m) and d/log m ≤ s ≤ m/(L³ log m)", |s| {
            s.points().iter().all(|(_, p)| {
                let s = p.s() * p.log_m();
                p.d() * p.l() * p.log_m() <= p.m() && s >= p.d() && s * p.l() * p.l() * p.l() <= p.m()
            })
        }))
        .family(edge("sweeps", sweeps).restricted("D″ and W′ along the top singular vectors"))
        .family(outside("too many changes", || {
            let others = DrawnSizes::of(1, 2, 1).sparse(16).within(0.3);
            vec![("s = m/2", SizeSweep::of(Varied::Width, &[32.0, 40.0, 50.0], others, 1))]
        }))
        .without_search()
        .part(
            "printed",
            "the change is at most 9(√(L³ s log m/d) + ω√(L³m/d))",
            consistent(),
            |s, c: &[Curve; 3]| c[0].scaled(s, |p| 1.0 / (sparse_term(p) + weight_term(p))).at_most(9.0),
        )
        .sides("change/(√(L³ s log m/d) + ω√(L³m/d))", "9")
        .our_constant("the constant 9, above every ratio that was drawn")
        .part("sparse-alone", "W′ = 0: the change is at most 8√(L³ s log m/d)", consistent(), |s, c| {
            c[1].scaled(s, |p| 1.0 / sparse_term(p)).at_most(8.0)
        })
        .sides("change/√(L³ s log m/d)", "8")
        .our_constant("the constant 8, above every ratio that was drawn")
        .ours("weights-alone", "D″ = 0: the change is at most 0.8ω√(L³m/d)", holds(), |s, c| {
            if still(s) { vacuous(STILL) } else { c[2].scaled(s, |p| 1.0 / weight_term(p)).at_most(0.8) }
        })
        .sides("change/(ω√(L³m/d))", "0.8")
        .because("stronger than the lemma, whose bound keeps its first term at D″ = 0")
        .except(STILL)
        .sharpening(
            "weights-order",
            "D″ = 0: the change is at least ω√(m/d)/3 for the W′ that was found (1/3 is ours, below every ratio that was \
             drawn)",
            holds(),
            |s, c| {
                if still(s) {
                    return vacuous(STILL);
                }
                c[2].scaled(s, |p| 1.0 / (radius(p) * (p.m() / p.d()).sqrt())).at_least(1.0 / 3.0)
            },
        )
        .sides("change/(ω√(m/d))", "1/3")
        .except(STILL)
        .control("a", "D″ = 0: the change is at most 0.8ω√(L³/d)", |s, c| {
            c[2].scaled(s, |p| p.m().sqrt() / weight_term(p)).at_most(0.8)
        })
        .sides("change/(ω√(L³/d))", "0.8")
        .assume(Hypothesis::new("m varies and ω > 0", |s| s.varied == Varied::Width && s.others.radius > 0.0))
        .control("b", "without the s-term: the change is at most 6ω√(L³m/d)", |s, c| {
            c[0].scaled(s, |p| 1.0 / weight_term(p)).at_most(6.0)
        })
        .sides("change/(ω√(L³m/d))", "6")
        .assume(Hypothesis::new("ω varies", |s| s.varied == Varied::Radius))
}

fn last_layer() -> Setting<LastLayer, ()> {
    Setting::of()
        .given("d = s = 1, a = L − 1, L ≥ 2, W′ = 0")
        .assume(Hypothesis::new("m ≥ 2", |l: &LastLayer| l.width >= 2))
        .family(outside("log m = 0", || vec![("m = 1", LastLayer { width: 1, layers: 2 })]))
        .family(edge_over("widths", "m", [2, 3, 10, 100, 1000, 100_000], |width| LastLayer { width, layers: 2 }))
        .family(random("sizes", || {
            (0.7..12.0f64, 2u32..10).prop_map(|(log, layers)| LastLayer { width: core_math::exp(log) as u32, layers })
        }))
        .sharpening(
            "last-layer",
            "exact law: P(change > 3√(L³ log m)) ≤ 1/m, the change W_L D″_{L−1} = ±3 times the largest of m \
             independent |N(0, 1)| (2Q(t) ≤ e^{−t²/2} and t² = L³ log m ≥ 8 log m)",
            holds(),
            |l, ()| at_most(l.failure(), l.promise(1.0)),
        )
        .control("e", "P(change > 3√(L³ log m)) ≤ m^{−20}, L = 2", |l, ()| at_most(l.failure(), l.promise(20.0)))
        .assume(Hypothesis::new("L = 2", |l| l.layers == 2))
}

fn rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, changed_output_row)))
        .assume(Hypothesis::new("L = 2, d = 1, s ≤ m/(L³ log m)", |s| {
            s.sizes.points().iter().all(|(_, p)| p.layers == 2 && p.output == 1 && 8.0 * p.s() * p.log_m() <= p.m())
        }))
        .family(edge("m and s", row_failures).restricted("s = 1 with m from 27 to 2187, or m = 243 with s from 1 to 5"))
        .family(outside("three layers, two outputs, and many entries", || {
            let of = |layers, output, sparsity| {
                let others = DrawnSizes::of(1, layers, output).with_input(1).sparse(sparsity);
                failures(Varied::Width, &[27.0, 40.0, 50.0, 60.0], others, 1.65, 100)
            };
            vec![("L = 3", of(3, 1, 1)), ("d = 2", of(2, 2, 1)), ("s = 20", of(2, 1, 20))]
        }))
        .without_search()
        .part(
            "rate",
            "L = 2, a = 1, d = 1, all D″, exact law and exact supremum: P(sup ‖W_2D″_1‖ > C√(L³ s log m)) ≤ e^{−(s log \
             m)/8}, for C = 1.65 at s = 1 and C = 1.45 at m = 243",
            consistent(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 0.125, sparse_exponent),
        )
        .our_constant("the constants 1.65 and 1.45, and 1/8")
        .control("f", "P(sup ‖W_2D″_1‖ > 1.2√(L³ s log m)) ≤ e^{−(s log m)/8}", |_, n| {
            n.fail_at_most(1.2, 0.125, sparse_exponent)
        })
}

fn telescoping() -> Setting<BackwardChain, ()> {
    Setting::of()
        .given(
            "0 ≤ a < L, any matrices V_l for W_l, any W′_l and any diagonal A_l for D_l and D″_l of the stated shapes, \
             with small integers for entries: a polynomial identity",
        )
        .family(edge("named", || {
            vec![
                ("scalars", BackwardChain::filled(1, 1, 2, 0)),
                ("L − a = 1", BackwardChain::filled(2, 3, 1, 1)),
                ("three layers", BackwardChain::filled(2, 2, 3, 2)),
                ("five layers", BackwardChain::filled(1, 3, 5, 3)),
            ]
        }))
        .family(random("small integers", || {
            (1usize..=3, 1usize..=4, 1usize..=4, 0u64..1_000_000)
                .prop_map(|(d, m, layers, seed)| BackwardChain::filled(d, m, layers, seed))
        }))
        .without_search()
        .step("s1", "the difference is the sum of the telescoping terms", holds(), |c: &BackwardChain, ()| {
            telescopes(c, false)
        })
        .control(
            "c",
            "the difference is the sum of the telescoping terms with A_c + D″_c in place of A_c in every P_l and in \
             the factor A_l beside W′_l",
            |c, ()| telescopes(c, true),
        )
}

fn range() -> Setting<Monomials, ()> {
    Setting::of()
        .given("m ≥ 3, L, d ≥ 1, 0 < ω ≤ 1")
        .family(edge("named", || {
            let of = |width, layers, omega| Monomials { width, layers, output: 2.0, omega };
            vec![("ω = 1", of(100.0, 2.0, 1.0)), ("small ω", of(1e6, 5.0, 1e-6)), ("L = 1", of(3.0, 1.0, 1.0))]
        }))
        .family(random("sizes", || {
            (1.1..30.0f64, 1.0..50.0f64, 1.0..100.0f64, -20.0..0.0f64).prop_map(|(log, layers, output, omega)| {
                Monomials { width: core_math::exp(log), layers, output, omega: core_math::exp(omega) }
            })
        }))
        .step(
            "s2",
            "at s = mω^{2/3}L, m ≥ 3 and ω ≤ 1: √(L³ s log m/d) = ω^{1/3}L²√(m log m/d), and ω√(L³m/d) is not larger",
            holds(),
            |k: &Monomials, ()| {
                all_of([
                    ("equal", equal(k.sparse_term(), k.note())),
                    ("not larger", at_most(k.weight_term(), k.note())),
                ])
            },
        )
        .control(
            "d",
            "ω ≤ L^{−3/2}, the range of the lemma, is enough for s = mω^{2/3}L ≤ m/(L³ log m)",
            |k, ()| at_most(k.sparsity(), k.largest_sparsity()),
        )
        .assume(Hypothesis::new("ω ≤ L^{−3/2}", |k| k.omega <= 1.0 / core_math::pow(k.layers, 1.5)))
        .sharpening(
            "range",
            "s = mω^{2/3}L is at most m/(L³ log m), as the lemma asks, for ω ≤ (1 − 10^{−9})L^{−6}(log m)^{−3/2}",
            holds(),
            |k, ()| at_most(k.sparsity(), k.largest_sparsity()),
        )
        .assume(Hypothesis::new("ω ≤ (1 − 10^{−9})L^{−6}(log m)^{−3/2}", |k| {
            k.omega <= (1.0 - 1e-9) * core_math::pow(k.layers, -6.0) * core_math::pow(core_math::log(k.width), -1.5)
        }))
}

/// s log m.
fn sparse_exponent(s: &DrawnSizes) -> Enclosure {
    Enclosure::from(s.width).ln() * f64::from(s.sparsity)
}

fn row_failures() -> Vec<(&'static str, FailureSweep)> {
    let drawn = |width, sparsity| DrawnSizes::of(width, 2, 1).with_input(1).sparse(sparsity);
    let widths = [27.0, 81.0, 243.0, 729.0, 2187.0];
    vec![
        ("m, s = 1", failures(Varied::Width, &widths, drawn(1, 1), 1.65, 8000)),
        ("s, m = 243", failures(Varied::Sparsity, &[1.0, 2.0, 3.0, 4.0, 5.0], drawn(243, 1), 1.45, 8000)),
    ]
}

fn sweeps() -> Vec<(&'static str, SizeSweep)> {
    let drawn =
        |width, layers, output, sparsity, radius| DrawnSizes::of(width, layers, output).sparse(sparsity).within(radius);
    let some = |networks, varied, values: &[f64], others| SizeSweep::of(varied, values, others, networks);
    let of = |varied, values: &[f64], others| some(20, varied, values, others);
    vec![
        ("m to 300, d = 1, L = 2", of(Varied::Width, &[40.0, 66.0, 108.0, 180.0, 300.0], drawn(1, 2, 1, 1, 0.3))),
        ("m to 512, d = 1, L = 2", some(8, Varied::Width, &[64.0, 128.0, 256.0, 512.0], drawn(1, 2, 1, 1, 0.3))),
        ("L to 4, m = 8L³", some(8, Varied::Depth, &[2.0, 3.0, 4.0], drawn(1, 1, 2, 1, 0.3))),
        ("d to 8", of(Varied::Output, &[1.0, 2.0, 4.0, 6.0, 9.0], drawn(144, 2, 1, 2, 0.3))),
        ("s to 4", of(Varied::Sparsity, &[1.0, 2.0, 4.0], drawn(192, 2, 2, 1, 0.3))),
        ("ω → 0", of(Varied::Radius, &[0.01, 0.03, 0.1, 0.3, 1.0], drawn(96, 2, 2, 1, 0.3))),
        ("ω → 0, d = 1", some(5, Varied::Radius, &[0.01, 0.03, 0.1, 0.3, 1.0], drawn(64, 2, 1, 1, 0.3))),
        ("ω = 0", of(Varied::Width, &[80.0, 104.0, 136.0, 180.0, 240.0], drawn(1, 2, 2, 2, 0.0))),
    ]
}
