//! Lemma B.7: a change W′ of the weights moves hidden vectors by a sum of linear terms, one for each layer.
//!
//! By Lemma B.8, h′_l − h_l = (D_l + D″_l)(W′_l h′_{l−1} + W_l(h′_{l−1} − h_{l−1})), and induction down to h′_{−1} =
//! h_{−1} = x gives the sum from a = 0. The printed sum begins at a = 1, as in the source, where the first layer is not
//! trained: at l = 0 it is empty, and false unless (D_0 + D″_0)W′_0x = 0. The smallest witness has one input, one unit
//! and one layer. Appendix D.2 uses the sum from a = 0. In the proof, the second line has W′_L where W_L belongs.
//!
//! The three bounds hold for the constructed perturbations, with explicit constants. The second needs d ≤ O(m) (through
//! Lemma B.3), which the lemma does not print: W′_L alone moves f by ω‖h_{L−1}‖, which exceeds CL√(m/d)ω as d/m grows.
//!
//! The third, for all i at once as the decomposition before it is stated, is false whatever its constants: where
//! mω^{2/3} = 1/(2C) no flip is allowed, with a probability that is promised to stay above 1 − e^{−c/(2C)}; but the
//! range of ω lets n grow like ω^{−1/3}/√log m, and with n orthonormal inputs some of the mn independent
//! pre-activations of the first layer is smaller than ω with probability tending to one. For one input it agrees with
//! the measurements.

mod exact_displacement;
mod outputs_wide;

use evidence::prelude::*;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};

use crate::shared::drawn_encoders::{Curve, DrawnSizes, SizeSweep, Varied};
use crate::shared::failure_events::{flips_of_two_layers, hidden_moves, output_moves};
use crate::shared::failure_rates::{FailureSweep, NeededConstants, failures};
use crate::shared::perturbation_range::ManyInputs;
use crate::shared::perturbed_products::{differing, displacements, distance};
use crate::shared::signs::{HIDDEN, INITIALISATION, LAYERS, OUTPUT, QUERY_NETWORK, WIDTH};
use exact_displacement::{Decomposition, QuarterNetwork};
use outputs_wide::WideOutput;

fn same(left: &[Enclosure], right: &[Enclosure]) -> Evaluation {
    let scale = left.iter().chain(right).map(|x| x.magnitude()).fold(1.0, f64::max);
    all_of(
        left.iter()
            .zip(right)
            .map(|(&x, &y)| ("a coordinate", equal(x, y).on_scale_of("the largest coordinate (at least 1)", scale))),
    )
}

/// The decomposition in every hidden layer.
fn decomposition(d: &Decomposition, from: usize, corrected: bool) -> Evaluation {
    all_of((0..d.layers()).map(|l| (format!("l = {l}"), same(&d.moved(l), &d.decomposed(from, l, corrected)))))
}

/// The largest ‖h′ − h‖ at the last hidden layer, ‖f′ − f‖, and ‖D″‖₀, found by perturbing W^{(0)} with ‖W′‖₂ = ω.
fn moved(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 3], MeasureError> {
    let encoder = s.draw(trial)?;
    let point = s.point();
    let start = encoder.activations(&point)?;
    let last = s.depth() - 1;
    let missing = || MeasureError::from("no such layer");
    let mut worst = [Enclosure::ZERO; 3];
    for c in [last, last + 1] {
        for change in displacements(&encoder, &start, c, 0, s.radius, trial)? {
            let changed = encoder.displaced(&change, 1.0)?;
            let seen = changed.activations(&point)?;
            let apart = distance(seen.hidden(last).ok_or_else(missing)?, start.hidden(last).ok_or_else(missing)?);
            let outputs = distance(changed.forward(&point)?.outputs(), encoder.forward(&point)?.outputs());
            let most = (0..=last).filter_map(|l| Some(differing(start.diagonal(l)?, seen.diagonal(l)?))).max();
            for (worst, found) in worst.iter_mut().zip([apart, outputs, most.unwrap_or(0) as f64]) {
                *worst = worst.max(Enclosure::measured(found));
            }
        }
    }
    Ok(worst)
}

/// L√(m/d)ω.
fn output_bound(s: &DrawnSizes) -> f64 {
    s.l() * (s.m() / s.d()).sqrt() * s.radius
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b7", "perturbation of hidden vectors and outputs", Kind::Identity)
        .statement(
            "W ∈ B(W^{(0)}, ω), ‖W′‖₂ ≤ ω ≤ O(1/(L⁶n³(log m)^{3/2})): there are diagonal D″ with entries in [−1, 1] \
             such that for all i and 0 ≤ l ≤ L − 1: h′_l − h_l = Σ_{a=1}^{l}(∏_{c=a+1}^{l}(D_c + D″_c)W_c)(D_a + \
             D″_a)W′_a h′_{a−1}; with probability ≥ 1 − e^{−Ω(mω^{2/3}L)}: ‖h′_l − h_l‖ ≤ O(L^{3/2})‖W′‖₂, \
             ‖f_{W+W′}(x_i) − f_W(x_i)‖ ≤ O(L√(m/d))‖W′‖₂, ‖D″_l‖₀ ≤ O(mω^{2/3}L)",
        )
        .source("Lemma B.7", &["Claim 11.2 of Allen-Zhu et al. (2018); used with a sum from a = 0 in Appendix D.2"])
        .symbols([WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, HIDDEN, INITIALISATION])
        .symbol(
            "h′_l",
            "the hidden vector of layer l for W + W′, and f′ the output; h and f those for W; h′ − h without an index \
             is at the last hidden layer",
        )
        .symbol(
            "D″",
            "diagonal with D_l + D″_l the slopes of the chords of max(t, 0) between (W_l h_{l−1})_r and ((W_l + W′_l) \
             h′_{l−1})_r (Lemma B.8; D″ = 0 where they are equal), D_l = diag 1{W_l h_{l−1} ≥ 0}; ‖D″‖₀ the most flips \
             in a layer",
        )
        .symbol(
            "dec-1",
            "h′_l − h_l = Σ_{a=1}^{l}(∏_{c=a+1}^{l}(D_c + D″_c)W_c)(D_a + D″_a)W′_a h′_{a−1}, and dec-0 the same with \
             the sum from a = 0",
        )
        .symbol(
            "(•1)",
            "the bound on ‖h′_l − h_l‖ in the statement, (•2) that on the change of the output, (•3) that on ‖D″_l‖₀",
        )
        .symbol("σ(b) − σ(a)", "h′_{L−1} − h_{L−1}")
        .symbol("‖W′‖", "the largest spectral norm of a layer, ω in the sweeps")
        .symbol(
            "upper bound of ‖h′_1 − h_1‖",
            "Δ = ω(‖h_0‖ + ω + √(‖W_1ĥ_0‖² + ‖W_1P‖₂²)), ĥ_0 = h_0/‖h_0‖, P the projection orthogonal to it; the root \
             is at least ‖W_1‖₂",
        )
        .symbol("upper bound of |f′ − f|", "ω(‖h_1‖ + Δ) + ‖W_2‖₂Δ, Δ the upper bound of ‖h′_1 − h_1‖")
        .symbol(
            "upper bound of ‖D″_l‖₀",
            "how many of the smallest squared pre-activations add up to at most ω² (layer 0) or Δ² (layer 1), the \
             larger",
        )
        .symbol(
            "P(no unit can be flipped)",
            "the chance of |(W_0x_i)_r| > ω for all i and r: at most e^{−m⌊n⌋p}, and so at most e^{−m(n−1)p}, which \
             the checks take for it, p = P(|N(0, 1)| ≤ ω√(m/2)); log is natural, the inputs have n coordinates or \
             more; k the first with twice that below the promise",
        )
        .symbol("‖h_0‖", "‖h_0‖² has the law of (2/m)χ²_B, B ~ Binomial(m, ½)")
        .symbol("c", "constants, as are C and κ")
        .sense("alone", "the words alone: the bounds hold for all inputs at once, and for every d")
        .sense(
            "in-context",
            "the bounds hold for each input by itself, and d ≤ O(m/(L log m)) as in Lemma B.3, which the proof uses",
        )
        .setting(printed())
        .setting(hidden())
        .setting(hidden_rate())
        .setting(output_rate())
        .setting(flips_rate())
        .setting(flips_all_inputs())
        .setting(any_d())
}

fn printed() -> Setting<QuarterNetwork, Decomposition> {
    Setting::measuring(|q: &QuarterNetwork, _| q.displacement())
        .given("L ≥ 1, and W′ of any size: quarters of small integers, for which all arithmetic is exact")
        .family(edge("named", named))
        .family(random("quarters of integers", || {
            (1usize..=3, 1usize..=3, 1usize..=3, prop_oneof![Just(1usize), 1usize..=3], 0u64..1_000_000, 0u32..4)
                .prop_map(|(input, width, layers, output, seed, kind)| {
                    let mut q = QuarterNetwork::filled(input, width, layers, output, seed);
                    if kind == 0 {
                        q.change[0].iter_mut().flatten().for_each(|x| *x = 0);
                    }
                    q
                })
        }))
        .without_search()
        .part(
            "printed",
            "dec-1 at l = 0: the sum from a = 1 is empty, so h′_0 = h_0",
            fails("the first layer is trained: the term a = 0 is missing"),
            |_, d| same(&d.moved(0), &d.decomposed(1, 0, true)),
        )
        .sides("a coordinate of h′_0 − h_0", "the empty sum, 0")
        .ours("untrained-first", "dec-1 at every l, if W′_0 = 0", holds(), |_, d| decomposition(d, 1, true))
        .because("the source of the lemma does not train the first layer; this paper does")
        .assume(Hypothesis::new("W′_0 = 0", QuarterNetwork::first_layer_kept))
        .meant(
            "from-zero",
            "dec-0: the sum from a = 0 with h′_{−1} = x, at every l, for W′ of any size",
            holds(),
            |_, d| decomposition(d, 0, true),
        )
        .step("s1", "f′ − f = W′_L h′_{L−1} + W_L(h′_{L−1} − h_{L−1})", holds(), |_, d| {
            same(&d.output_moved(), &d.last_layer(false))
        })
        .step(
            "s2",
            "the second line as printed: f′ − f = W′_L h′_{L−1} + W′_L(σ(b) − σ(a))",
            fails("the second W′_L should be W_L"),
            |_, d| same(&d.output_moved(), &d.last_layer(true)),
        )
        .sides("a coordinate of the change of f", "that of W′_L h′_{L−1} + W′_L(σ(b) − σ(a))")
        .step("s2-repaired", "f′ − f = W′_L h′_{L−1} + W_L(σ(b) − σ(a))", holds(), |_, d| {
            same(&d.output_moved(), &d.last_layer(false))
        })
        .not_evidence("the same display as s1")
        .step(
            "s3",
            "f′ − f = W′_Lh′_{L−1} + Σ_{l=0}^{L−1}W_L(∏_{a>l}(D_a + D″_a)W_a)(D_l + D″_l)W′_lh′_{l−1}",
            holds(),
            |_, d| same(&d.output_moved(), &d.output_decomposed()),
        )
        .step("s4", "the entries of D_l + D″_l lie in [0, 1] and those of D″_l in [−1, 1]", holds(), |_, d| {
            let slopes = d.all_slopes().map(Enclosure::from);
            let slopes = slopes.map(|x| ("D + D″", ascending([0.into(), x, 1.into()])));
            let changes =
                d.entries.iter().flatten().map(|e| ("D″", at_most(Enclosure::from(e.correction).abs(), exact(1.0))));
            all_of(slopes.chain(changes))
        })
        .control(
            "a",
            "h′_l − h_l = Σ_{a=0}^{l}(∏_{c=a+1}^{l} D_cW_c) D_aW′_a h′_{a−1}, dec-0 with D″ = 0",
            |_, d| decomposition(d, 0, false),
        )
}

fn hidden() -> Setting<SizeSweep, [Curve; 3]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, moved))
        .given(
            "one input, n = 1; every network that was drawn, as in Definition 3.2; ‖·‖₂ the largest spectral norm of a \
             layer",
        )
        .assume(Hypothesis::new("ω ≤ 0.01 and d ≤ m/4", |s| {
            s.points().iter().all(|(_, p)| p.radius <= 0.0101 && 4.0 * p.d() <= p.m())
        }))
        .family(edge("sweeps", sweeps).restricted("W′ along the hidden vectors, or along the top singular vector"))
        .family(outside("a large W′, and a wide output", || {
            let of = |output, radius| {
                let others = DrawnSizes::of(1, 2, output).within(radius);
                SizeSweep::of(Varied::Width, &[20.0, 30.0, 40.0], others, 1)
            };
            vec![("ω = 10", of(1, 10.0)), ("d = 200", of(200, 0.01))]
        }))
        .without_search()
        .part("hidden", "(•1) ‖h′ − h‖ ≤ 2L^{3/2}‖W′‖", consistent(), |s, c: &[Curve; 3]| {
            c[0].scaled(s, |p| 1.0 / (p.l() * p.l().sqrt() * p.radius)).at_most(2.0)
        })
        .sides("‖h′ − h‖/(L^{3/2}‖W′‖)", "2")
        .our_constant("the constant 2, above every ratio that was drawn")
        .part("output", "(•2) ‖f′ − f‖ ≤ 3L√(m/d)‖W′‖", consistent(), |s, c| {
            c[1].scaled(s, |p| 1.0 / output_bound(p)).at_most(3.0)
        })
        .sides("‖f′ − f‖/(L√(m/d)‖W′‖)", "3")
        .our_constant("the constant 3, above every ratio that was drawn")
        .part("flips", "(•3) for one input: ‖D″‖₀ ≤ 3mω^{2/3}L", consistent(), |s, c| {
            c[2].scaled(s, |p| 1.0 / (p.m() * core_math::pow(p.radius, 2.0 / 3.0) * p.l())).at_most(3.0)
        })
        .sides("‖D″‖₀/(mω^{2/3}L)", "3")
        .our_constant("the constant 3, above every ratio that was drawn")
        .in_sense("in-context")
        .control("b", "(•1) with ‖h′ − h‖ ≤ 1.5‖W′‖", |s, c| {
            c[0].scaled(s, |p| 1.0 / p.radius).at_most(1.5)
        })
        .sides("‖h′ − h‖/‖W′‖", "1.5")
        .control("c", "(•2) with ‖f′ − f‖ ≤ 3L‖W′‖, no √(m/d)", |s, c| {
            c[1].scaled(s, |p| 1.0 / (p.l() * p.radius)).at_most(3.0)
        })
        .sides("‖f′ − f‖/(L‖W′‖)", "3")
}

fn hidden_rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, hidden_moves)))
        .given("L = 2 and one input; ω = 4L^{−6}(log m)^{−3/2}")
        .family(
            edge("m", || {
                vec![
                    ("m to 64", two_layers(&[16.0, 24.0, 32.0, 48.0, 64.0], 1.55)),
                    ("m to 56", two_layers(&[20.0, 28.0, 40.0, 56.0], 1.55)),
                ]
            })
            .restricted("m from 16 to 64"),
        )
        .without_search()
        .part(
            "hidden-rate",
            "(•1) at L = 2 for all W′, ω = 4L^{−6}(log m)^{−3/2}, exact law: P(an upper bound of ‖h′_1 − h_1‖ > \
             1.55L^{3/2}ω) ≤ e^{−mω^{2/3}L/2}",
            consistent(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 0.5, exponent),
        )
        .our_constant("the constants 1.55 and 1/2, and 4 in ω")
        .control("d", "P(an upper bound of ‖h′_1 − h_1‖ > 1.4L^{3/2}ω) ≤ e^{−mω^{2/3}L/2}", |_, n| {
            n.fail_at_most(1.4, 0.5, exponent)
        })
}

fn output_rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, output_moves)))
        .given("L = 2, d = 1 and one input; ω = 4L^{−6}(log m)^{−3/2}")
        .family(
            edge("m", || {
                vec![
                    ("m to 128", two_layers(&[16.0, 32.0, 64.0, 96.0, 128.0], 2.4)),
                    ("m to 80", two_layers(&[24.0, 40.0, 56.0, 80.0], 2.4)),
                ]
            })
            .restricted("m from 16 to 128"),
        )
        .without_search()
        .part(
            "output-rate",
            "(•2) at L = 2 and d = 1 in the same way: P(an upper bound of |f′ − f| > 2.4L√m ω) ≤ e^{−mω^{2/3}L/3}",
            consistent(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 1.0 / 3.0, exponent),
        )
        .our_constant("the constants 2.4 and 1/3, and 4 in ω")
        .control("e", "P(an upper bound of |f′ − f| > 1.9L√m ω) ≤ e^{−mω^{2/3}L/3}", |_, n| {
            n.fail_at_most(1.9, 1.0 / 3.0, exponent)
        })
}

fn flips_rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, flips_of_two_layers)))
        .given("L = 2 and one input; ω = 4L^{−6}(log m)^{−3/2}")
        .family(
            edge("m", || {
                vec![
                    ("m to 96", two_layers(&[24.0, 32.0, 48.0, 64.0, 96.0], 2.0)),
                    ("m to 80", two_layers(&[28.0, 40.0, 56.0, 80.0], 2.0)),
                ]
            })
            .restricted("m from 24 to 96"),
        )
        .without_search()
        .part(
            "flips-rate",
            "(•3) at L = 2 for one input in the same way: P(an upper bound of ‖D″_l‖₀, l ≤ 1, > 2mω^{2/3}L) ≤ \
             e^{−mω^{2/3}L/2}",
            consistent(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 0.5, exponent),
        )
        .our_constant("the constants 2 and 1/2, and 4 in ω")
        .in_sense("in-context")
        .control("f", "P(an upper bound of ‖D″_l‖₀, l ≤ 1, > mω^{2/3}L) ≤ e^{−mω^{2/3}L/2}", |_, n| {
            n.fail_at_most(1.0, 0.5, exponent)
        })
}

fn flips_all_inputs() -> Setting<ManyInputs, ()> {
    Setting::of()
        .given("C ≥ 1, 0 < κ ≤ 1, c > 0; L = 1")
        .family(edge("many orthonormal inputs", || {
            let of = |constant, rate, scale| ManyInputs { constant, rate, scale };
            vec![
                ("C = c = κ = 1", of(1.0, 1.0, 1.0)),
                ("C = 1000, c = κ = 0.001", of(1e3, 1e-3, 1e-3)),
                ("C = 1e9, c = κ = 1e-9", of(1e9, 1e-9, 1e-9)),
            ]
        }))
        .family(random("log-uniform constants", || {
            (0.0..15.0f64, -15.0..5.0f64, -15.0..0.0f64).prop_map(|(constant, rate, scale)| ManyInputs {
                constant: core_math::exp(constant),
                rate: core_math::exp(rate),
                scale: core_math::exp(scale),
            })
        }))
        .part(
            "flips-all-inputs",
            "(•3) for all i at once, L = 1, at m = 2^k with mω^{2/3} = 1/(2C) and n = (κ/(ω(log m)^{3/2}))^{1/3}, \
             rounded down, orthonormal inputs: P(no unit can be flipped) ≥ 1 − e^{−cmω^{2/3}}",
            fails("n may grow like ω^{−1/3}, and then some input lies within ω of the kink of some unit"),
            |k, ()| at_least(k.success(k.exponent_of_two()), k.promise()),
        )
        .sides("upper bound of P(no unit can be flipped)", "1 − e^{−cmω^{2/3}}")
        .in_sense("alone")
        .amendment(
            "flips-all-inputs-false",
            "(•3) for all i at once, L = 1: for all C, c and κ there is a k at which, with m = 2^k, mω^{2/3} = 1/(2C) \
             and n = (κ/(ω(log m)^{3/2}))^{1/3}, rounded down, orthonormal inputs, P(no unit can be flipped) < 1 − \
             e^{−cmω^{2/3}}",
            holds(),
            |k, ()| {
                let two = k.exponent_of_two();
                less_than(k.success(two), k.promise()).noting(format!("m = 2^{two}"))
            },
        )
        .sides("upper bound of P(no unit can be flipped)", "1 − e^{−cmω^{2/3}}")
}

fn any_d() -> Setting<WideOutput, ()> {
    Setting::of()
        .given("m, d ≥ 1, C > 0")
        .family(edge("wide outputs", || {
            let of = |width, output, factor| WideOutput { width, output, factor };
            vec![
                ("m = d = 100, C = 2", of(100, 100.0, 2.0)),
                ("m = 2, d = 128, C = 2", of(2, 128.0, 2.0)),
                ("m = 100, d = 1e4, C = 2", of(100, 1e4, 2.0)),
                ("m = 30, d = 1e8, C = 100", of(30, 1e8, 100.0)),
            ]
        }))
        .family(outside("one unit", || vec![("C = 2", WideOutput { width: 1, output: 64.0, factor: 2.0 })]))
        .family(random("log-uniform", || {
            (2u32..200, 0.0..5.0f64).prop_map(|(width, log)| {
                let factor = core_math::exp(log);
                WideOutput { width, output: 16.0 * factor * factor * f64::from(width), factor }
            })
        }))
        .part(
            "any-d",
            "(•2) for every d, L = 1, W′_L alone: P(‖h_0‖ ≤ C√(m/d)) is at least ½",
            fails("W′_L moves f by ω‖h_{L−1}‖ whatever d: a bound d ≤ O(m) is missing"),
            |w: &WideOutput, ()| at_least(w.success(), exact(0.5)),
        )
        .sides("P(‖h_0‖ ≤ C√(m/d))", "½")
        .in_sense("alone")
        .amendment(
            "any-d-false",
            "L = 1, for d ≥ 16C²m and m ≥ 2: P(‖h_0‖ ≤ C√(m/d)) < ½",
            holds(),
            |w, ()| less_than(w.success(), exact(0.5)),
        )
        .assume(Hypothesis::new("d ≥ 16C²m", |w| w.output >= 16.0 * w.factor * w.factor * f64::from(w.width)))
        .assume(Hypothesis::new("m ≥ 2", |w| w.width >= 2))
}

/// mω^{2/3}L at the end of the range of ω. A smaller ω leaves the probabilities of (•1) and (•2) where they are, and
/// the promise becomes weaker.
fn exponent(s: &DrawnSizes) -> Enclosure {
    let log = Enclosure::from(s.width).ln();
    let power = (exact(s.radius).ln() - exact(s.l()).ln() * 6.0 - log.ln() * 1.5) * 2.0 / 3.0;
    power.exp() * s.m() * s.l()
}

fn two_layers(widths: &[f64], factor: f64) -> FailureSweep {
    let others = DrawnSizes::of(1, 2, 1).with_input(1).within(4.0);
    failures(Varied::Width, widths, others, factor, 8000)
}

fn named() -> Vec<(&'static str, QuarterNetwork)> {
    let one = |weights: &[i32], change: &[i32]| {
        let scalars = |list: &[i32]| list.iter().map(|&x| vec![vec![x]]).collect();
        QuarterNetwork { weights: scalars(weights), change: scalars(change), point: vec![4] }
    };
    vec![
        ("m = b = L = 1", one(&[4, 4], &[4, 0])),
        ("a unit that flips off", one(&[4, 4], &[-8, 4])),
        ("a dead unit that wakes", one(&[-4, 4, 4], &[8, 0, 0])),
        ("W′_0 = 0", one(&[4, 4, 4], &[0, 4, 4])),
        ("no change", one(&[4, -4, 4], &[0, 0, 0])),
        ("dead throughout", one(&[-4, 4, 4], &[0, 4, -4])),
        ("three units", QuarterNetwork::filled(3, 3, 3, 3, 7)),
    ]
}

fn sweeps() -> Vec<(&'static str, SizeSweep)> {
    let drawn = |width, layers, output, radius| DrawnSizes::of(width, layers, output).within(radius);
    let of = |varied, values: &[f64], others| SizeSweep::of(varied, values, others, 20);
    vec![
        ("m, d = 2", of(Varied::Width, &[40.0, 68.0, 114.0, 190.0, 320.0], drawn(1, 2, 2, 1e-2))),
        ("L to 8", of(Varied::Layers, &[1.0, 2.0, 3.0, 5.0, 8.0], drawn(128, 1, 2, 2e-4))),
        ("d to 32", of(Varied::Output, &[1.0, 2.0, 5.0, 12.0, 24.0], drawn(96, 2, 1, 1e-3))),
        ("ω → 0", of(Varied::Radius, &[3e-4, 7e-4, 1.6e-3, 4e-3, 1e-2], drawn(96, 3, 2, 0.0))),
    ]
}
