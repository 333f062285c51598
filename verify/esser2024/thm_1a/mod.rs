//! Theorem 1: at initialisation a non-linear network is near its linear counterpart.
//!
//! *As printed* (every width, every draw) it is false: at h = 1 the right side is zero, and for W₁ = [I; 0], W₂ = [I; 0] the difference does not depend on h.
//! *With probability tending to one* it is true for every K > 0, and far from sharp. W₁x/‖x‖ is a uniform unit vector s of ℝ^h, so
//! ‖ε‖² ≤ (c²/4)‖x‖⁴Σs_k⁴ with E Σs_k⁴ = 3/(h + 2); W₂ is independent, E W₂W₂ᵀ = (z/h)I. Hence
//! E‖u^φ − u^I‖² ≤ 3zc²‖x‖⁴/(4h(h + 2)), with equality for the parabola: no d, no logarithm, and h^{−1} in place of h^{−1/2}. By Markov's inequality the
//! printed bound fails with probability at most 3z/(4K²d²(h + 2)log⁴h).
//!
//! The linear output itself has ‖u^I‖ ≈ √(z/h)‖x‖, below the printed bound: φ = 0 would obey it too. What says something is the quotient
//! of the two, which is of order c‖x‖/√h.

mod near_linear_start;

use contrastive::network::Activation;
use enclosures::probability::clopper_pearson;
use enclosures::probability::{orthonormal_row_tail, sphere_coordinate_tail};
use evidence::budget::TRIAL_ALPHA;
use evidence::prelude::*;
use evidence::sweep::root_mean_square;
use serde::{Deserialize, Serialize};

use crate::shared::initial_differences::{Difference, ROUND_OFF};
use crate::shared::notation::{BENT_OUTPUT, EXCESS, LINEAR_OUTPUT, STIEFEL};
use near_linear_start::{NearLinearStart, Observed, observe};

const WIDE: Hypothesis<NearLinearStart> = Hypothesis::new("h ≥ 64z²", NearLinearStart::is_wide);
const FEW_UNITS: Hypothesis<NearLinearStart> = Hypothesis::new("2 ≤ h ≤ 128", |s| (2..=128).contains(&s.h));
const TOUCHING: Hypothesis<NearLinearStart> =
    Hypothesis::new("φ(0) = 0, φ′(0) = 1", |s| s.activation.touches_identity());
const NOT_ZERO_AT_ZERO: Hypothesis<NearLinearStart> = Hypothesis::new("φ(0) ≠ 0", |s| s.activation.at(0.0).0 != 0.0);
const BOUNDED: Hypothesis<NearLinearStart> =
    Hypothesis::new("|φ″| ≤ c < ∞ where φ″ exists, φ′ continuous", NearLinearStart::is_bounded);
const BOUNDED_IN_REACH: Hypothesis<NearLinearStart> =
    Hypothesis::new("c = sup|φ″| over |s| ≤ ‖x‖ < ∞, φ′ continuous", |s| s.curvature().is_some());
const BOUNDED_IN_REACH_ONLY: Hypothesis<NearLinearStart> =
    Hypothesis::new("φ′ Lipschitz on |s| ≤ ‖x‖ and not on ℝ", |s| {
        s.curvature().is_some() && !s.is_bounded()
    });
const BENDS: Hypothesis<NearLinearStart> = Hypothesis::new("c‖x‖ ≠ 0", NearLinearStart::bends);

/// Small enough that weights exist which exceed the bound at every width that is tried, so that size alone does not decide: the
/// difference may reach c‖x‖²/2.
const K: f64 = 0.01;

/// For all weights: so large that it is the width that refutes, not the constant.
const LARGE: f64 = 10.0;

fn each(all: &[Difference], judged: impl Fn(&Difference) -> Evaluation) -> Evaluation {
    for_each("draw", all, |_, d| judged(d))
}

fn starts() -> Vec<(String, NearLinearStart)> {
    let smooth = [
        Activation::Identity,
        Activation::Tanh,
        Activation::Sine,
        Activation::Arctangent,
        Activation::Parabola(1.0),
        Activation::CentredSoftplus,
        Activation::Elu,
    ];
    let mut all = Vec::new();
    let mut add = |activation, (d, z, h), norm| {
        all.push(NearLinearStart { activation, d, z, h, norm });
    };
    for activation in smooth {
        for (shape, norm) in
            [((1, 1, 1), 1.0), ((1, 1, 2), 1.0), ((3, 2, 16), 10.0), ((5, 2, 64), 1.0), ((2, 2, 512), 1.0)]
        {
            add(activation, shape, norm);
        }
    }
    for (shape, norm) in [
        ((2, 2, 2), 0.1),
        ((5, 5, 5), 1.0),
        ((20, 1, 32), 1.0),
        ((2, 5, 4096), 1.0),
        ((20, 2, 2048), 1.0),
        ((3, 1, 64), 0.0),
        ((2, 1, 64), 10.0),
        ((1, 1, 256), 10.0),
        ((1, 1, 64), 30.0),
        ((1, 64, 64), 1.0),
    ] {
        add(Activation::Parabola(1.0), shape, norm);
    }
    for activation in [Activation::Cubic, Activation::ExponentialMinusOne, Activation::HyperbolicSine] {
        for shape in [(2, 2, 16), (3, 1, 64), (2, 2, 512)] {
            add(activation, shape, 1.0);
        }
    }
    for c in [0.125, 8.0, 64.0] {
        add(Activation::Parabola(c), (2, 1, 64), 1.0);
    }
    for h in [2, 64, 2048] {
        add(Activation::Shifted, (2, 2, h), 1.0);
        add(Activation::Sigmoid, (2, 2, h), 1.0);
    }
    add(Activation::Sigmoid, (2, 1, 1024), 1.0);
    described(all)
}

/// The width 2^k of the weights W₁ = [1; 0], W₂ = [1; 0].
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "W₁ = W₂ = e₁, h = 2^{doublings}, φ = s + s²/2, x = \
                       1", simpler = Self::with_fewer_doublings, stored)]
struct Coherent {
    #[instance(range = "0..=1000")]
    doublings: u32,
}

impl Coherent {
    fn with_fewer_doublings(&self) -> Vec<Self> {
        let fewer = [self.doublings / 2, self.doublings.saturating_sub(1)];
        fewer.into_iter().filter(|k| *k < self.doublings).map(|doublings| Coherent { doublings }).collect()
    }
}

impl Coherent {
    /// log²h/√h.
    fn rate(&self) -> Enclosure {
        let log = Enclosure::ln_2() * f64::from(self.doublings);
        log.square() * (-log / 2.0).exp()
    }
}

/// How often a draw exceeds a level, against 2/√h.
fn seldom(s: &NearLinearStart, o: &Observed, level: Enclosure) -> Evaluation {
    let above = o.in_law.iter().filter(|x| **x >= level.midpoint()).count();
    let chance = clopper_pearson(above as u64, o.in_law.len() as u64, TRIAL_ALPHA);
    chance.map(|p| at_most(p.as_measured(), 2.0 / s.h().sqrt())).into()
}

const WIDE_ENOUGH: Hypothesis<NearLinearStart> = Hypothesis::new("h ≥ 64z²", NearLinearStart::is_wide);

pub fn claim() -> Claim {
    Claim::new("esser2024.thm-1a", "linear against non-linear output at initialisation", Kind::ProbabilityBound)
        .statement(
            "φ(0) = 0, φ′(0) = 1, |φ″| ≤ c; W₁ ∈ St(h,d), W₂ ∈ St(h,z) uniformly random: ‖u^φ(x) − u^I(x)‖ ≤ \
             Kc‖x‖²d√(log⁴h/h) with a universal constant K",
        )
        .source("Theorem 1", &["equation (6)", "Proof of Theorem 1"])
        .symbols([STIEFEL, BENT_OUTPUT, LINEAR_OUTPUT, EXCESS])
        .symbol("row_i", "row i of W₁, i = 1, …, h; sums over i, and max over i")
        .symbol(
            "φ",
            "the activation, applied to each coordinate; with its constant c it is id, tanh (c = 4/(3√3)), sin (1), \
             arctan (3√3/8), s + cs²/2, 2log((1+eˢ)/2) (½), ELU (1); for the footnote s + s³, eˢ − 1, sinh; without \
             φ(0) = 0: s + 1 (c = 0), the sigmoid (c = sup|φ″| = √3/18)",
        )
        .symbol("‖x‖", "the length of x = ‖x‖(1, …, 1)/√d ∈ ℝ^d; log is the natural logarithm")
        .symbol("φ′ continuous", "where φ″ jumps (ELU at 0), c is the Lipschitz constant of φ′")
        .remark(
            "As printed there is no probability in the statement. Except for `probable` and `footnote` the sampled checks \
             draw W₁ and W₂ in full.",
        )
        .remark(
            "Where |φ″| is unbounded, c is its supremum over |s| ≤ ‖x‖: no pre-activation is larger. With this c the \
             footnote's case needs no wide network. Step s1 of the proof is eq-13, s4 is the second half of eq-14.",
        )
        .remark(
            "log²h/√h exceeds 1/2 for 3 ≤ h ≤ 5·10⁴, where ‖u^φ − u^I‖ ≤ c‖x‖²/2 for all weights: with K = 1 no draw at \
             the usual widths could refute the printed rate. With K = 1/100 weights in line refute it at every width \
             that is drawn.",
        )
        .sense(
            "every",
            "as it stands: the inequality carries no probability, so it is one for all widths and all weights",
        )
        .sense("probable", "with probability tending to one as h → ∞ at fixed d, z, x and φ, as the proof says")
        .setting(probable())
        .setting(printed())
}

fn probable() -> Setting<NearLinearStart, Observed> {
    let setting = Setting::measuring(observe)
        .given(
            "W₁ ∈ St(h,d), W₂ ∈ St(h,z), max(d, z) ≤ h, independent and uniformly distributed; the chances of \
             `probable` and `footnote` from 2000 draws of u^φ − u^I, all else from N draws of W₁, W₂, N ≥ 500 for h ≤ \
             128 and N ≥ 20 beyond; `mean` and the lines for every draw with room for rounding, 10⁻¹¹ of a side and of \
             ‖x‖⁴",
        )
        .family(edge("activations, sizes and norms", starts))
        .family(outside("no bound of φ″, even near 0", || {
            let of = |activation| NearLinearStart { activation, d: 2, z: 1, h: 64, norm: 1.0 };
            vec![("ReLU", of(Activation::Relu)), ("s + s²sin(1/s)", of(Activation::Oscillating))]
        }))
        .without_search();
    controls(steps(parts(setting)))
}

fn parts(setting: Setting<NearLinearStart, Observed>) -> Setting<NearLinearStart, Observed> {
    setting
        .part(
            "probable",
            "P(‖u^φ − u^I‖ ≥ Kc‖x‖²d√(log⁴h/h)) ≤ 2/√h for K = 1/100",
            consistent(),
            |s, o| s.bounded(|c| seldom(s, o, K * c * s.square() * s.rate())),
        )
        .our_constant("K, and the rate at which the probability vanishes; printed is that there are such")
        .assume(WIDE)
        .assume(TOUCHING)
        .assume(BOUNDED)
        .assume(BENDS)
        .in_sense("probable")
        .part(
            "footnote",
            "P(‖u^φ − u^I‖ ≥ Kc‖x‖²d√(log⁴h/h)) ≤ 2/√h for K = 1/100 and c = sup|φ″| over |s| ≤ ‖x‖",
            consistent(),
            |s, o| s.bounded(|c| seldom(s, o, K * c * s.square() * s.rate())),
        )
        .our_constant("K, and the rate at which the probability vanishes; printed is that there are such")
        .assume(WIDE)
        .assume(TOUCHING)
        .assume(BOUNDED_IN_REACH_ONLY)
        .assume(BENDS)
        .in_sense("probable")
        .amendment(
            "markov",
            "P(‖u^φ − u^I‖² ≥ 4·3zc²‖x‖⁴/(4h(h+2))) ≤ 1/4, the frequency among N ≥ 500 draws",
            holds(),
            |s, o| {
                s.bounded(|c| {
                    let level = 4.0 * s.mean_square(c);
                    let above = (o.draws.iter()).filter(|d| d.outputs * d.outputs >= level.lo() * (1.0 - 1e-9)).count();
                    let chance = clopper_pearson(above as u64, o.draws.len() as u64, TRIAL_ALPHA);
                    chance.map(|p| at_most(p.as_measured(), exact(0.25))).into()
                })
            },
        )
        .assume(FEW_UNITS)
        .assume(TOUCHING)
        .assume(BOUNDED_IN_REACH)
        .assume(BENDS)
        .sharpening(
            "mean",
            "root mean square of ‖u^φ − u^I‖ at most (√3/2)c‖x‖²√(z/(h(h+2))): the mean square over the draws exceeds \
             the square of that by at most 6 standard errors",
            holds(),
            |s, o| {
                s.bounded(|c| {
                    let squares: Vec<f64> = o.draws.iter().map(|d| d.outputs * d.outputs).collect();
                    let n = squares.len() as f64;
                    let mean = squares.iter().sum::<f64>() / n;
                    let variance = squares.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n * n);
                    at_most(
                        Enclosure::measured(mean - 6.0 * variance.sqrt()),
                        s.mean_square(c) + ROUND_OFF * s.square().square(),
                    )
                    .noting(format!(
                        "quotient of the two roots {:.2}",
                        (Enclosure::measured(mean) / s.mean_square(c)).sqrt()
                    ))
                })
            },
        )
        .sides(
            "mean of ‖u^φ − u^I‖² over the draws less 6 standard errors",
            "3zc²‖x‖⁴/(4h(h+2)) with room for rounding",
        )
        .assume(TOUCHING)
        .assume(BOUNDED_IN_REACH)
}

fn steps(setting: Setting<NearLinearStart, Observed>) -> Setting<NearLinearStart, Observed> {
    setting
        .step("s2", "max(W₁)²_{ij} ≥ 9log²h/h with probability at most 1/h", holds(), |s, _| {
            let a = 3.0 * s.h().ln() / s.h().sqrt();
            let one = Enclosure::from(sphere_coordinate_tail(u64::from(s.h), a.interval()));
            at_most((one * s.h() * f64::from(s.d)).min(Enclosure::ONE), 1.0 / s.h())
        })
        .our_constant("the constant, and the rate at which the probability vanishes")
        .step(
            "s3",
            "some ‖row_i‖² ≥ 9d log²h/h with probability at most 1/h; with s4, |row_i·x|² ≤ ‖row_i‖²‖x‖²",
            holds(),
            |s, _| {
                let x = 9.0 * f64::from(s.d) * s.h().ln().square() / s.h();
                let one = Enclosure::from(orthonormal_row_tail(u64::from(s.h), u64::from(s.d), x.interval()));
                at_most((one * s.h()).min(Enclosure::ONE), 1.0 / s.h())
            },
        )
        .our_constant("the constant, and the rate at which the probability vanishes")
        .step("s5", "‖ε‖² ≤ (c²/4)Σ_i(row_i·x)⁴ for every draw", holds(), |s, o| {
            s.bounded(|c| {
                each(&o.draws, |d| {
                    let right = c.square() * Enclosure::measured(d.fourth) / 4.0;
                    at_most(
                        Enclosure::measured(d.hidden).square() * (1.0 - ROUND_OFF),
                        right * (1.0 + ROUND_OFF) + ROUND_OFF * s.square().square(),
                    )
                })
            })
        })
        .assume(TOUCHING)
        .assume(BOUNDED_IN_REACH)
        .step("s6", "Σ_i(row_i·x)⁴ ≤ h(‖x‖² max_i‖row_i‖²)² for every draw", holds(), |s, o| {
            each(&o.draws, |d| {
                let row = Enclosure::measured(d.largest_row);
                at_most(
                    Enclosure::measured(d.fourth) * (1.0 - ROUND_OFF),
                    s.h() * (s.square() * row).square() * (1.0 + ROUND_OFF),
                )
            })
        })
        .step("s7", "‖u^φ − u^I‖ = ‖W₂ᵀε‖ ≤ ‖ε‖ for every draw", holds(), |_, o| {
            each(&o.draws, |d| {
                let (outputs, hidden) = (Enclosure::measured(d.outputs), Enclosure::measured(d.hidden));
                at_most(outputs * (1.0 - ROUND_OFF), hidden * (1.0 + ROUND_OFF))
            })
        })
}

fn controls(setting: Setting<NearLinearStart, Observed>) -> Setting<NearLinearStart, Observed> {
    setting
        .control(
            "a",
            "P(‖u^φ − u^I‖ ≥ Kc‖x‖²d√(log⁴h/h)) ≤ 2/√h for K = 1/100 without φ(0) = 0",
            |s, o| s.bounded(|c| seldom(s, o, K * c * s.square() * s.rate())),
        )
        .assume(WIDE_ENOUGH)
        .assume(NOT_ZERO_AT_ZERO)
        .assume(BOUNDED)
        .assume(BENDS)
        .control(
            "b",
            "P(‖u^φ − u^I‖ ≥ Kc‖x‖d√(log⁴h/h)) ≤ 2/√h for K = 1/100: ‖x‖ in place of ‖x‖²",
            |s, o| s.bounded(|c| seldom(s, o, K * c * s.norm * s.rate())),
        )
        .assume(WIDE_ENOUGH)
        .assume(TOUCHING)
        .assume(BOUNDED)
        .assume(BENDS)
        .control(
            "c",
            "P(‖u^φ − u^I‖ ≥ K‖x‖²d√(log⁴h/h)) ≤ 2/√h for K = 1/100: without c",
            |s, o| seldom(s, o, K * s.square() * s.rate()),
        )
        .assume(WIDE_ENOUGH)
        .assume(TOUCHING)
        .assume(BOUNDED)
        .assume(BENDS)
        .control(
            "mean-half",
            "root mean square of ‖u^φ − u^I‖ at most (√3/4)c‖x‖²√(z/(h(h+2)))",
            |s, o| {
                s.bounded(|c| {
                    let found = Enclosure::measured(root_mean_square(o.draws.iter().map(|d| d.outputs)));
                    at_most(found, s.mean_square(c).sqrt() / 2.0)
                })
            },
        )
        .assume(TOUCHING)
        .assume(BOUNDED_IN_REACH)
        .assume(BENDS)
}

fn printed() -> Setting<Coherent, ()> {
    Setting::<Coherent, ()>::of()
        .degenerate("h = 1, where log h = 0", |c| c.doublings == 0)
        .given("d = z = 1, W₁ = W₂ = e₁, φ = s + s²/2 with c = 1, x = 1")
        .family(edge("doublings", || {
            (0..=64).map(|doublings| (format!("2^{doublings}"), Coherent { doublings })).collect()
        }))
        .without_search()
        .part(
            "printed",
            "every width and all weights, K = 10: ‖u^φ − u^I‖ ≤ Kc‖x‖²d√(log⁴h/h); at W₁ = W₂ = e₁ ∈ ℝ^h, φ = s + s²/2 \
             and x = 1 it reads 1/2 ≤ 10 log²h/√h",
            fails("the right side is 0 at h = 1 and tends to 0 with h, so no K serves; weights nearby do the same"),
            |s, ()| at_most(exact(0.5), LARGE * s.rate()),
        )
        .sides("the difference", "10 log²h/√h")
        .our_constant("K = 10; a larger K fails at h = 1, too, and otherwise from a larger h on")
        .in_sense("every")
}
