//! Lemma B.4: how many activations flip, and how far hidden vectors move, when W stays within ω of its initial value.
//!
//! The printed range ω ≤ O(L^{−9/2}(log m)^3) contains balls of any radius as m grows at fixed depth, and there (c) and
//! the second half of (b) are false for L ≥ 2. Take W′_l = ω ĥ_l ĥ_{l−1}ᵀ with the initial hidden directions: every h_l
//! stays a positive multiple of its initial value, with ‖h_l‖ = ‖h_{l−1}‖(ρ_l + ω), ρ_l = ‖h_l^{(0)}‖/‖h_{l−1}^{(0)}‖.
//! Hence ‖h_{L−1} − h_{L−1}^{(0)}‖ = ∏(ρ_l + ω) − ∏ρ_l ≥ ω^L, against Cω L^{5/2} √log m: at L = 2 and ω = cL^{−9/2}(log
//! m)^3 false once (log m)^{5/2} > 128 C/c. With W′_1 along the negative part of W_1h_0^{(0)} instead, every inactive
//! unit of layer 1 flips and ‖D′W_1h_0‖ = (ρ_0 + ω)(ω − ν) with E ν² = 1, so it is at least ω(ω − 2) with probability ≥
//! 3/4, and exceeds CωL^{3/2}. In the range of Lemma 4.4, with (log m)^{−3/2}, all parts hold for the constructed
//! perturbations, with explicit constants. The number of flips O(mω^{2/3}L) has the right exponents: at layer 0 the
//! best W′_0 flips m(3ω²/π)^{1/3} units.
//!
//! For all inputs at once nothing relates n to m. For n points on a circle min_i |w·x_i| ≤ ‖w‖π/n, so that no unit can
//! be flipped for any i with probability at most e^{−(mnω/(2π))²}, which is far below 1 − e^{−cmω^{2/3}L} when n is
//! large.

mod moved_vectors;

use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::drawn_encoders::{Curve, DrawnSizes, SizeSweep, Varied};
use crate::shared::failure_events::first_layer_flips;
use crate::shared::failure_rates::{FailureSweep, NeededConstants, failures};
use crate::shared::perturbation_range::{Circle, PerturbationRange};
use crate::shared::signs::{HIDDEN, INITIALISATION, LAYERS, QUERY_NETWORK, WIDTH};
use moved_vectors::{aligned, first_layer, flips, moved, omega};

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b4", "stability of activations and hidden vectors", Kind::Asymptotic)
        .statement(
            "for ω ≤ O(L^{−9/2}(log m)^3), with probability ≥ 1 − e^{−Ω(mω^{2/3}L)}, for every W with ‖W − W^{(0)}‖₂ ≤ \
             ω: (b) ‖D′_l‖₀ ≤ O(mω^{2/3}L) and ‖D′_l W_l h_{l−1}‖ ≤ O(ωL^{3/2}); (c) ‖h_l − h_l^{(0)}‖ ≤ \
             O(ωL^{5/2}√log m)",
        )
        .source(
            "Lemma B.4",
            &["Lemma 8.2(b), (c) of Allen-Zhu et al. (2018); Lemma 4.4 prints the range O(L^{−9/2}(log m)^{−3/2})"],
        )
        .symbols([WIDTH, LAYERS, QUERY_NETWORK, HIDDEN, INITIALISATION])
        .symbol("ω", "the radius of the ball of W, and W′ = W − W^{(0)}")
        .symbol(
            "D′",
            "D′_l is the difference of the patterns D_l = diag 1{W_l h_{l−1} ≥ 0} of W and of W^{(0)}, ‖D′_l‖₀ the \
             number of its entries that are not zero; measured at the last hidden layer, l = L − 1, as D′ without an \
             index; W and h without (0) are those after the change",
        )
        .symbol("ρ", "ρ_j = ‖h_j^{(0)}‖/‖h_{j−1}^{(0)}‖")
        .symbol("ĥ_l", "h_l^{(0)}/‖h_l^{(0)}‖, the direction of the initial hidden vector, ĥ_{−1} = x")
        .symbol(
            "worst W′_0",
            "of all W′_0 with ‖W′_0‖₂ ≤ ω: it flips the smallest of the m pre-activations, independent N(0, 2/m), as \
             long as their squares add up to at most ω²",
        )
        .symbol("P(no flip)", "at most e^{−(100m/π)²/4}, which the checks take for it, at the ω with Cmω^{2/3} = ½")
        .symbol("c", "a positive constant, as is C")
        .sense("spectral", "one input; ‖W − W^{(0)}‖₂ is the largest spectral norm of a layer")
        .sense(
            "frobenius",
            "one input; ‖W − W^{(0)}‖₂ is the norm of the whole tuple, (Σ_l ‖W_l − W_l^{(0)}‖_F²)^{1/2}",
        )
        .sense("all-inputs", "all inputs at once; ‖W − W^{(0)}‖₂ is the largest spectral norm of a layer")
        .remark(
            "No quantifier over i is printed, and no norm of a tuple: hence three senses. The W′ of the frobenius \
             sense is that of the spectral one with ω/√L in place of ω.",
        )
        .setting(printed())
        .setting(no_constants())
        .setting(aligned_layers())
        .setting(b_flips())
        .setting(extra_layer())
        .setting(flips_rate())
        .setting(all_inputs())
}

fn printed() -> Setting<PerturbationRange, ()> {
    Setting::of()
        .assume(Hypothesis::new("L ≥ 2", |r: &PerturbationRange| r.layers >= 2))
        .assume(Hypothesis::new("m ≥ 3", |r| r.log_width >= core_math::log(3.0)))
        .family(edge("printed upper ends", ranges))
        .family(outside("where (c) holds with any constant", || {
            let of = PerturbationRange::of;
            vec![
                ("L = 1", of(1, 10.0, 1.0, 1.0)),
                ("m = 2", of(2, 0.69, 1.0, 1.0)),
                ("c = 10, C = 1", of(2, 10.0, 10.0, 1.0)),
                ("c = 1, C = ½", of(2, 10.0, 1.0, 0.5)),
                ("L = 1, m = 2, c = C = 1", of(1, 0.69, 1.0, 1.0)),
                ("log m = 1.1, c = 1, C = 1/100", of(2, 1.1, 1.0, 0.01)),
            ]
        }))
        .without_search()
        .part(
            "printed",
            "(c) with constant C at ω = cL^{−9/2}(log m)^3: the aligned perturbation W′_l = ω ĥ_l ĥ_{l−1}ᵀ moves \
             h_{L−1} by at least ω^L, so that ω^L ≤ CωL^{5/2}√log m",
            fails(
                "the range allows ω > 1, where hidden vectors grow like ω^L; the exponent of log m should be negative",
            ),
            |r, ()| at_most(r.radius(3.0).powi(r.depth()), r.factor * r.radius(3.0) * r.displacement()),
        )
        .sides("ω^L", "CωL^{5/2}√log m")
        .in_sense("spectral")
        .in_sense("all-inputs")
        .part(
            "b-size",
            "second half of (b) at ω = cL^{−9/2}(log m)^3, L = 2, where ‖D′_1W_1h_0‖ ≥ ω(ω − 2) is reached with \
             probability above ¼: ω(ω − 2) ≤ CωL^{3/2}",
            fails("all inactive units of layer 1 can be flipped, to the size ω²"),
            |r, ()| {
                let omega = r.radius(3.0);
                at_most(omega * (omega - 2.0), r.factor * omega * r.l().sqrt() * r.l())
            },
        )
        .sides("ω(ω − 2)", "CωL^{3/2}")
        .in_sense("spectral")
        .in_sense("all-inputs")
        .assume(Hypothesis::new("L = 2", |r| r.layers == 2))
        .part(
            "ball-f",
            "(c) in the ball (Σ_l‖W′_l‖_F²)^{1/2} ≤ ω, ω = cL^{−9/2}(log m)^3: the aligned perturbation with ω/√L in \
             place of ω moves h_{L−1} by at least (ω/√L)^L, so that (ω/√L)^L ≤ CωL^{5/2}√log m",
            fails("the same perturbation with ω/√L"),
            |r, ()| {
                let omega = r.radius(3.0);
                at_most((omega / r.l().sqrt()).powi(r.depth()), r.factor * omega * r.displacement())
            },
        )
        .sides("(ω/√L)^L", "CωL^{5/2}√log m")
        .in_sense("frobenius")
        .meant(
            "range-4.4",
            "(c) against the aligned perturbation in the range of Lemma 4.4, ω = cL^{−9/2}(log m)^{−3/2}, at ρ = 1: (1 \
             + ω)^L − 1 ≤ CωL^{5/2}√log m",
            holds(),
            |r, ()| {
                let omega = r.radius(-1.5);
                let moved = (r.l() * omega.ln_1p()).exp_m1();
                at_most(moved, r.factor * omega * r.displacement())
            },
        )
        .our_constant("the constants C ≥ 1 and c ≤ 1")
        .because(
            "Lemma 4.4, for which this lemma is used, prints the range with (log m)^{−3/2}; the source of the lemma \
             has (log m)^{−3}",
        )
        .assume(Hypothesis::new("C ≥ 1", |r| r.factor >= 1.0))
        .assume(Hypothesis::new("c ≤ 1", |r| r.scale <= 1.0))
}

fn no_constants() -> Setting<PerturbationRange, ()> {
    Setting::of()
        .given("c > 0, C > 0")
        .family(edge("named", || {
            let of = |scale, factor| PerturbationRange::of(2, 2.0, scale, factor);
            vec![
                ("c = C = 1", of(1.0, 1.0)),
                ("c = 0.01, C = 1000", of(0.01, 1000.0)),
                ("c = 1e-9, C = 1e9", of(1e-9, 1e9)),
            ]
        }))
        .family(random("log-uniform constants", || {
            (-20.0..0.0f64, 0.0..20.0f64).prop_map(|(scale, factor)| PerturbationRange {
                layers: 2,
                log_width: 2.0,
                scale: core_math::exp(scale),
                factor: core_math::exp(factor),
            })
        }))
        .ours(
            "no-constants",
            "for all c, C: ω² > CωL^{5/2}√log m at L = 2, ω = cL^{−9/2}(log m)^3 and log m = (129 C/c)^{2/5} in place \
             of the instance's",
            holds(),
            |r: &PerturbationRange, ()| {
                let log_width = ((exact(129.0) * r.factor / r.scale).ln() * 2.0 / 5.0).exp();
                let omega = r.scale * log_width.powi(3) / (16.0 * exact(2.0).sqrt());
                greater_than(omega, r.factor * 4.0 * exact(2.0).sqrt() * log_width.sqrt())
            },
        )
        .sides("ω", "CL^{5/2}√log m")
}

fn aligned_layers() -> Setting<SizeSweep, Vec<[f64; 2]>> {
    Setting::measuring(|s: &SizeSweep, trial| {
        s.points().iter().map(|(_, p)| aligned(p, trial)).collect::<Result<Vec<_>, _>>()
    })
    .given("one unit input; every network that was drawn, as in Definition 3.2; ω is the radius")
    .family(edge("aligned", || {
        let of = |values: &[f64], radius| SizeSweep::of(Varied::Layers, values, drawn(30, 1, radius), 1);
        vec![("L to 6", of(&[1.0, 2.0, 3.0, 6.0], 0.4)), ("L to 4", of(&[1.0, 2.0, 4.0], 3.0))]
    }))
    .without_search()
    .step(
        "aligned",
        "‖h_{L−1}‖ = ∏_{j ≤ L−1}(ρ_j + ω) for W′_l = ω ĥ_l ĥ_{l−1}ᵀ, to within 10^{−9}, of drawn networks",
        holds(),
        |_, pairs| {
            all_of(
                pairs
                    .iter()
                    .map(|p| ("a depth", equal(Enclosure::measured(p[0]), Enclosure::measured(p[1])).within(1e-9))),
            )
        },
    )
}

fn b_flips() -> Setting<SizeSweep, [Curve; 3]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, |p, trial| moved(p, omega(s, p), trial)))
        .assume(Hypothesis::new("ω ≤ L^{−9/2}", |s| {
            s.points().iter().all(|(_, p)| omega(s, p) <= core_math::pow(p.l(), -4.5) * 1.001)
        }))
        .given(
            "one input, n = 1; every network that was drawn, as in Definition 3.2; ‖·‖₂ the largest spectral norm of a \
             layer; ω is the radius, where L is varied the radius times L^{−9/2}",
        )
        .family(edge("sweeps", sweeps).restricted(
            "‖W′_l‖₂ = ω along ĥ_l ĥ_{l−1}ᵀ, or along ĥ_{l−1} and what the top left singular vector of W_{L−1} ⋯ W_1 \
             is sent back to; the last hidden layer likewise, or flipping its smallest pre-activations",
        ))
        .family(outside("ω beyond the range", || {
            vec![("ω = ½, L = 3", SizeSweep::of(Varied::Width, &[20.0, 30.0, 40.0], drawn(1, 3, 0.5), 1))]
        }))
        .without_search()
        .amendment(
            "b-flips",
            "(b) for ω ≤ L^{−9/2}: ‖D′‖₀ ≤ 2.5mω^{2/3}L + 3 at the last hidden layer",
            holds(),
            |s, c: &[Curve; 3]| c[0].scaled(s, |p| 1.0 / (2.5 * flips(s, p) + 3.0)).at_most(1.0),
        )
        .sides("‖D′‖₀/(2.5mω^{2/3}L + 3)", "1")
        .amendment("b-sizes", "‖D′_{L−1}W_{L−1}h_{L−2}‖ ≤ 0.8ωL^{3/2}", holds(), |s, c| {
            c[1].scaled(s, |p| 1.0 / (omega(s, p) * p.l() * p.l().sqrt())).at_most(0.8)
        })
        .sides("‖D′_{L−1}W_{L−1}h_{L−2}‖/(ωL^{3/2})", "0.8")
        .amendment("part-c", "(c) ‖h_{L−1} − h_{L−1}^{(0)}‖ ≤ 0.8ωL^{5/2}√log m", holds(), |s, c| {
            c[2].scaled(s, |p| 1.0 / (omega(s, p) * core_math::pow(p.l(), 2.5) * p.log_m().sqrt())).at_most(0.8)
        })
        .sides("‖h_{L−1} − h_{L−1}^{(0)}‖/(ωL^{5/2}√log m)", "0.8")
        .sharpening(
            "c-shallow",
            "without the logarithm and with L^{3/2}: ‖h_{L−1} − h_{L−1}^{(0)}‖ ≤ 2ωL^{3/2}",
            holds(),
            |s, c| c[2].scaled(s, |p| 1.0 / (omega(s, p) * p.l() * p.l().sqrt())).at_most(2.0),
        )
        .sides("‖h_{L−1} − h_{L−1}^{(0)}‖/(ωL^{3/2})", "2")
        .control("a", "‖D′‖₀ ≤ 0 for ω ≤ 0.1", |_, c| c[0].at_most(0.0))
        .assume(Hypothesis::new("ω ≤ 0.1", |s| s.points().iter().all(|(_, p)| omega(s, p) <= 0.1)))
        .control("b", "‖h_{L−1} − h_{L−1}^{(0)}‖ ≤ 1.5ω, without L", |s, c| {
            c[2].scaled(s, |p| 1.0 / omega(s, p)).at_most(1.5)
        })
        .sides("‖h_{L−1} − h_{L−1}^{(0)}‖/ω", "1.5")
}

fn extra_layer() -> Setting<SizeSweep, [Curve; 1]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, first_layer))
        .assume(Hypothesis::new("0 < ω ≤ 1/3", |s| {
            s.points().iter().all(|(_, p)| p.radius > 0.0 && p.radius <= 1.0 / 3.0)
        }))
        .assume(Hypothesis::new("mω^{2/3} ≥ 20", |s| {
            s.points().iter().all(|(_, p)| p.m() * core_math::pow(p.radius, 2.0 / 3.0) >= 20.0)
        }))
        .family(edge("layer 0", first_layers))
        .family(outside("no perturbation, and a large one", || {
            let of = |radius| SizeSweep::of(Varied::Width, &[20.0, 30.0, 40.0], drawn(1, 1, radius), 1);
            vec![("ω = 0", of(0.0)), ("ω = 1", of(1.0))]
        }))
        .without_search()
        .part(
            "layer-0",
            "(b) at the extra layer 0, the worst W′_0: ‖D′_0‖₀ ≤ 2mω^{2/3} in every drawn layer",
            consistent(),
            |s, c: &[Curve; 1]| c[0].scaled(s, |p| 1.0 / (p.m() * core_math::pow(p.radius, 2.0 / 3.0))).at_most(2.0),
        )
        .sides("‖D′_0‖₀/(mω^{2/3})", "2")
        .our_constant("the constant 2, above every ratio that was drawn")
        .sharpening(
            "layer-0-order",
            "the worst W′_0: ‖D′_0‖₀ ≥ mω^{2/3}/2 in every drawn layer (½ is ours, below every ratio that was drawn)",
            holds(),
            |s, c| c[0].scaled(s, |p| 1.0 / (p.m() * core_math::pow(p.radius, 2.0 / 3.0))).at_least(0.5),
        )
        .sides("‖D′_0‖₀/(mω^{2/3})", "½")
        .control("c", "the worst W′_0: ‖D′_0‖₀ ≤ 3mω", |s, c| {
            c[0].scaled(s, |p| 1.0 / (p.m() * p.radius)).at_most(3.0)
        })
        .sides("‖D′_0‖₀/(mω)", "3")
}

fn flips_rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, first_layer_flips)))
        .assume(Hypothesis::new("L = 1 and ω > 0", |s| {
            s.sizes.points().iter().all(|(_, p)| p.layers == 1 && p.radius > 0.0)
        }))
        .family(
            edge("m and ω", flip_failures)
                .restricted("ω = 0.1 with m from 50 to 200, or m = 600 with ω from 0.005 to 0.02"),
        )
        .family(outside("no perturbation, and two layers", || {
            let of =
                |layers, radius| failures(Varied::Width, &[20.0, 30.0, 40.0, 50.0], drawn(1, layers, radius), 1.2, 100);
            vec![("ω = 0", of(1, 0.0)), ("L = 2", of(2, 0.1))]
        }))
        .without_search()
        .part(
            "flips-rate",
            "(b) at L = 1, exact law: P(more than 1.2mω^{2/3} flips by the worst W′_0) ≤ e^{−mω^{2/3}/15}",
            consistent(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 1.0 / 15.0, flip_exponent),
        )
        .our_constant("the constants 1.2 and 1/15")
        .in_sense("spectral")
        .in_sense("frobenius")
        .control("d", "P(more than 0.9mω^{2/3} flips by the worst W′_0) ≤ e^{−mω^{2/3}/15}", |_, n| {
            n.fail_at_most(0.9, 1.0 / 15.0, flip_exponent)
        })
}

fn all_inputs() -> Setting<Circle, ()> {
    Setting::of()
        .given("C ≥ 1, c > 0, m ≥ 3; n = ⌈100/ω⌉ equally spaced points on a circle")
        .family(edge("circles", || {
            let of = |constant, rate, width| Circle { constant, rate, width };
            vec![
                ("C = c = 1, m = 3", of(1.0, 1.0, 3)),
                ("C = 1000, c = 0.001, m = 3", of(1000.0, 1e-3, 3)),
                ("C = 10, c = 1e-6, m = 100", of(10.0, 1e-6, 100)),
            ]
        }))
        .family(random("log-uniform constants", || {
            (0.0..10.0f64, -15.0..0.0f64, 3u32..200).prop_map(|(constant, rate, width)| Circle {
                constant: core_math::exp(constant),
                rate: core_math::exp(rate),
                width,
            })
        }))
        .part(
            "all-inputs",
            "(b) for all i at once, L = 1, with constants C and c, at the ω with Cmω^{2/3} = ½ and n = ⌈100/ω⌉ points \
             on a circle: P(no flip) ≥ 1 − e^{−cmω^{2/3}}",
            fails("nothing relates n to m: some input lies within ω of the kink of some unit"),
            |c: &Circle, ()| at_least(c.success(), c.promise()),
        )
        .sides("upper bound of P(no flip)", "1 − e^{−cmω^{2/3}}")
        .in_sense("all-inputs")
        .amendment(
            "all-inputs-false",
            "L = 1, at the ω with Cmω^{2/3} = ½ and n = ⌈100/ω⌉ points on a circle: P(no flip) < 1 − e^{−cmω^{2/3}} \
             for C ≤ 10^{12} and c ≥ 10^{−900}",
            holds(),
            |c, ()| less_than(c.success(), c.promise()),
        )
        .sides("upper bound of P(no flip)", "1 − e^{−cmω^{2/3}}")
}

/// mω^{2/3}.
fn flip_exponent(s: &DrawnSizes) -> Enclosure {
    (exact(s.radius).ln() * 2.0 / 3.0).exp() * s.m()
}

fn drawn(width: u32, layers: u32, radius: f64) -> DrawnSizes {
    DrawnSizes::of(width, layers, 1).within(radius)
}

fn ranges() -> Vec<(&'static str, PerturbationRange)> {
    let of = PerturbationRange::of;
    vec![
        ("L = 2, m = 22026", of(2, 10.0, 1.0, 1.0)),
        ("L = 2, m = 1e20", of(2, 46.0, 0.1, 1.0)),
        ("L = 2, log m = 1000", of(2, 1000.0, 0.01, 10.0)),
        ("L = 3, log m = 100", of(3, 100.0, 0.1, 1.0)),
        ("L = 8, log m = 200", of(8, 200.0, 0.1, 1.0)),
        ("L = 8, log m = 1e4", of(8, 1e4, 0.01, 100.0)),
    ]
}

fn sweeps() -> Vec<(&'static str, SizeSweep)> {
    let of = |varied, values: &[f64], others| SizeSweep::of(varied, values, others, 20);
    vec![
        ("ω at L = 1", of(Varied::Radius, &[0.001, 0.005, 0.02, 0.1, 0.5], drawn(128, 1, 0.0))),
        ("ω at L = 2", of(Varied::Radius, &[0.001, 0.0025, 0.006, 0.015, 0.04], drawn(128, 2, 0.0))),
        ("m at L = 2", of(Varied::Width, &[32.0, 56.0, 96.0, 168.0, 288.0], drawn(1, 2, 0.04))),
        ("L to 8, ω = L^{−9/2}", of(Varied::Layers, &[1.0, 2.0, 3.0, 5.0, 8.0], drawn(128, 1, 1.0))),
    ]
}

fn flip_failures() -> Vec<(&'static str, FailureSweep)> {
    let widths = [50.0, 75.0, 100.0, 150.0, 200.0];
    let radii = [0.005, 0.0075, 0.01, 0.015, 0.02];
    vec![
        ("m, ω = 0.1, C = 1.2", failures(Varied::Width, &widths, drawn(1, 1, 0.1), 1.2, 8000)),
        ("ω, m = 600, C = 1.2", failures(Varied::Radius, &radii, drawn(600, 1, 0.0), 1.2, 8000)),
    ]
}

fn first_layers() -> Vec<(&'static str, SizeSweep)> {
    let of = |varied, values: &[f64], others| SizeSweep::of(varied, values, others, 20);
    vec![
        ("ω → 0", of(Varied::Radius, &[0.003, 0.01, 0.03, 0.1, 0.3], drawn(5000, 1, 0.0))),
        ("m", of(Varied::Width, &[300.0, 600.0, 1200.0, 2500.0, 5000.0], drawn(1, 1, 0.02))),
    ]
}
