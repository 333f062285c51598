//! Lemma B.1: with what probability all hidden norms of a random ReLU network stay in [1 − ε, 1 + ε].
//!
//! The printed 1 − e^{−Ω(ε²m/L)} has neither a prefactor nor the number of inputs, and no constant saves it: as X =
//! ε²m/L tends to zero it promises about cX, while the event becomes much rarer. At width m a layer is dead with
//! probability 2^{−m}, so the probability is at most (1 − 2^{−m})^L, exponentially small in the depth; for three layers
//! it is O(ε³) against cε²m/3; and for n orthonormal inputs and one layer it is p^n with p < 1 against a promise in
//! which n does not occur.
//!
//! With a prefactor it is true at all sizes. Write ‖h_l‖² = Y_0⋯Y_l, Y = (2/m) Σ_{r ≤ m} a_r, a = (0 or z², each with
//! probability 1/2), β = 5L/(2m), a₊ = log(1 + ε). Above: E a^k = (2k − 1)!!/2 is at most the k-th moment of a gamma
//! number of shape 1/5 and scale 5/2 (equal for k = 1, and the ratios of successive moments are 2k + 1 ≤ (5/2)(k +
//! 1/5)), so for integers p ≥ 1, E Y^p ≤ Π_{j<p} (1 + 5j/m) ≤ e^{5p(p−1)/(2m)}. ‖h_l‖^{2p} is a submartingale; Doob
//! gives P(max ‖h_l‖ ≥ 1 + ε) ≤ e^{−2pa₊ + βp(p−1)}, and the integer in [a₊/β, a₊/β + 1) makes that at most e^{−a₊²/β −
//! a₊} = (1 + ε)^{−1} e^{−(2/5) log²(1+ε) m/L}. Below: e^{−x} ≤ 1 − x + x²/2 gives E e^{−s(Y−1)} ≤ e^{3s²/m}. Until the
//! norms leave the window upwards, ‖h_{l−1}‖² ≤ (1+ε)², so that ‖h_l‖² stopped there is a martingale whose downward
//! moves are sub-Gaussian, and it falls below (1−ε)² with probability at most e^{−(2ε−ε²)² m/(12 (1+ε)⁴ L)}. Both
//! exponents are at least ε²m/(192 L).

mod hidden_norm_families;

use std::error::Error;

use enclosures::probability::clopper_pearson;
use enclosures::probability::{IncrementLaw, all_positive, concentration, concentration_upper_bound};
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::hidden_norm_sizes::{Promise, Sample, Sizes};
use crate::shared::signs::{LAYERS, POINTS, WIDTH};
use hidden_norm_families::{beyond_the_enclosures, random_sizes, samples, sizes};

/// Up to this depth the law of the whole walk is enclosed; beyond it only bounded from above.
const DEEPEST_WALK: u32 = 8;
const CELLS: u32 = 64;

/// An upper bound of P(three norms lie in [1 − ε, 1 + ε]) at m = 1: each ‖h_l‖²/‖h_{l−1}‖² is 0 or 2χ²_1, with the
/// density e^{−y/4}/(4√(πy)) on y > 0, and has to lie in [a, 1/a] with a = ((1 − ε)/(1 + ε))², of the length 8ε(1 +
/// ε²)/(1 − ε²)².
fn thin_window(eps: Enclosure) -> Enclosure {
    let low = ((1.0 - eps) / (1.0 + eps)).square();
    let density = (-(low / 4.0)).exp() / (4.0 * (Enclosure::pi() * low).sqrt());
    let length = 8.0 * eps * (1.0 + eps.square()) / (1.0 - eps.square()).square();
    (density * length).powi(3)
}

/// An upper bound of P(all norms of n orthonormal inputs lie in the window): exact for one layer (the columns of W_0
/// are independent), otherwise by the first layer and, for one input, by the ratio of every later norm to the one
/// before.
fn ceiling(s: &Sizes) -> Result<Enclosure, Box<dyn Error + Send + Sync>> {
    let layers = if s.inputs > 1 { 1 } else { s.layers };
    let bound = concentration_upper_bound(s.width, layers, s.eps)?.powi(i64::from(s.inputs));
    Ok(if s.layers == 1 { bound.into() } else { Enclosure::between(0.0, bound.hi()) })
}

/// The same probability, enclosed where the law of the walk is.
fn success(s: &Sizes) -> Result<Enclosure, Box<dyn Error + Send + Sync>> {
    if s.inputs == 1 && (2..=DEEPEST_WALK).contains(&s.layers) {
        return Ok(concentration(s.width, s.layers, s.eps, CELLS)?.into());
    }
    ceiling(s)
}

/// ε²m/L.
fn exponent(s: &Sizes) -> Enclosure {
    exact(s.eps).square() * s.width_over_depth()
}

/// Failure probability that the amended form allows to n inputs: both tails.
fn two_tails(s: &Sizes) -> Enclosure {
    let (eps, ratio) = (exact(s.eps), s.width_over_depth());
    let above = (-(2.0 * eps.ln_1p().square() * ratio / 5.0)).exp() / (1.0 + eps);
    let gap = (eps * (2.0 - eps)).square() / (12.0 * (1.0 + eps).powi(4));
    f64::from(s.inputs) * (above + (-(gap * ratio)).exp())
}

/// The enclosures of probabilities near one, and of their powers, resolve a failure of this size.
const RESOLVED: f64 = 1e-6;

/// "The failure probability is at most this much"; says nothing where that is one or more, or too small to be resolved.
fn failure_at_most(success: Enclosure, allowed: Enclosure) -> Evaluation {
    if allowed.lo() < RESOLVED {
        return vacuous("the allowed failure probability is below 10^{−6}, which the enclosures do not resolve");
    }
    if allowed.hi() >= 1.0 {
        return vacuous("the allowed failure probability is at least one");
    }
    at_most(1.0 - success, allowed)
}

/// The share of runs in which some norm leaves the window, for inputs drawn anew in every run.
fn sampled_failure(s: &Sample, trial: &mut Trial) -> Result<Enclosure, Box<dyn Error + Send + Sync>> {
    let runs = trial.samples(400);
    let failures = (0..runs).filter(|_| !s.stays_inside(trial.rng())).count();
    Ok(clopper_pearson(failures as u64, runs as u64, trial.alpha(1))?)
}

const ENCLOSED: Hypothesis<Sizes> = Hypothesis::new("L = 1, or n = 1 and L ≤ 8", enclosed);

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b1", "forward norms", Kind::ProbabilityBound)
        .statement(
            "for all ε ∈ (0,1), with probability ≥ 1 − e^{−Ω(ε²m/L)}: ‖h_{i,l}‖ ∈ [1 − ε, 1 + ε] for all i ∈ [n] and 0 \
             ≤ l ≤ L − 1",
        )
        .source("Lemma B.1", &["quoted with failure probability O(nL) e^{−Ω(m/L)} in the proof of Corollary B.9"])
        .symbols([WIDTH, LAYERS, POINTS])
        .symbol("ε", "half the length of the window, 0 < ε < 1")
        .symbol(
            "P ",
            "the probability that ‖h_{i,l}‖ ∈ [1 − ε, 1 + ε] for all i and 0 ≤ l ≤ L − 1, entries of W_l independent \
             N(0, 2/m), ‖x_i‖ = 1: for one input ‖h_l‖² has the law of Y_0⋯Y_l, Y_j = (2/m)χ²_B with B ~ Binomial(m, \
             ½), all independent; for orthonormal inputs the first layers are independent; P ≤ (1 − 2^{−m})^L, and ≤ \
             (1 − 2^{−m})^n for orthonormal inputs",
        )
        .symbol("failure", "1 − P")
        .symbol("h_{i,l}", "the hidden vector of layer l at x_i: h_{i,l} = max(W_l h_{i,l−1}, 0), h_{i,−1} = x_i")
        .symbol("c", "a constant")
        .remark(
            "Ω(·) is read as: one constant c > 0 serves all sizes. What a probability leaves room for is c ≤ −log(1 − \
             P)/(ε²m/L), and this tends to zero along sweeps of the depth, of 1/ε and of n; that no constant serves is \
             proved for each of the three (no-constant, -inputs, -window). No condition ε²m/L ≥ C alone repairs the \
             last one.",
        )
        .remark(
            "Proof of the amendment: above 1 + ε by Doob's inequality for ‖h_l‖^{2p} with E Y^p ≤ e^{5p(p−1)/(2m)} \
             (comparison with gamma moments) and the best integer p; below 1 − ε by the sub-Gaussian lower tail E \
             e^{−s(Y−1)} ≤ e^{3s²/m} of one increment, stopped when the norms leave the window; a union over the \
             inputs.",
        )
        .setting(in_depth())
        .setting(fixed_window())
        .setting(general_inputs())
}

fn in_depth() -> Setting<Promise, ()> {
    Setting::of()
        .given("0 < c ≤ 1 and 0 < ε < 1")
        .family(edge("named", || {
            let of = |constant, width, eps| Promise { constant, width, eps };
            vec![
                ("c = 1, m = 1", of(1.0, 1, 0.5)),
                ("c = 1e-10, m = 1", of(1e-10, 1, 0.5)),
                ("c = 1e-24, m = 1", of(1e-24, 1, 0.5)),
                ("c = 1e-100, m = 2", of(1e-100, 2, 0.999)),
                ("c = 1, m = 20", of(1.0, 20, 0.999)),
                ("c = 1e-6, m = 20, ε = 1e-3", of(1e-6, 20, 1e-3)),
            ]
        }))
        .family(random("log-uniform constant", || {
            (-60.0..0.0f64, 1u32..=20, 0.001..0.999f64).prop_map(|(log, width, eps)| Promise {
                constant: exact(log).exp().midpoint(),
                width,
                eps,
            })
        }))
        .part(
            "in-depth",
            "with a constant c, for n = 1 and the depth L = ⌈2^{m+1} log(2^{m+1}/(cε²m))⌉: P ≥ 1 − e^{−cε²m/L}",
            fails("P ≤ (1 − 2^{−m})^L is exponentially small in L, the promise only about cε²m/L"),
            |p, ()| {
                let layers = p.depth();
                at_least(all_positive(p.width, layers), p.promised_at_depth(layers)).noting(format!("L = {layers}"))
            },
        )
        .sides("upper bound of P", "1 − e^{−cε²m/L}")
        .because("each instance is one constant; no-constant shows that none works")
        .part(
            "in-inputs",
            "with a constant c, for L = 1 and n = ⌈2^m log(2/min(1, cε²m))⌉ + 1 orthonormal inputs: P ≥ 1 − e^{−cε²m}",
            fails("P = p^n with p < 1 for one layer: the promise lacks the number of inputs"),
            |p, ()| {
                let inputs = p.inputs();
                at_least(all_positive(p.width, inputs), p.promised(exact(p.eps), p.width))
                    .noting(format!("n = {inputs}"))
            },
        )
        .sides("upper bound of P", "1 − e^{−cε²m}")
        .because("each instance is one constant; no-constant-inputs shows that none works")
        .part(
            "in-window",
            "with a constant c, for m = n = 1, L = 3 and ε = c/10, whatever m and ε the instance names: P ≥ 1 − \
             e^{−cε²m/L}",
            fails("P = O(ε³) for three layers, against a promise of order ε²"),
            |p, ()| {
                let eps = exact(p.constant) / 10.0;
                at_least(thin_window(eps), p.promised(eps, Enclosure::ONE / 3.0))
            },
        )
        .sides("upper bound of P", "1 − e^{−cε²m/L}")
        .because("each instance is one constant; no-constant-window shows that none works")
        .ours(
            "no-constant",
            "for every c ∈ (0,1], m and ε, n = 1: P < 1 − e^{−cε²m/L} at the depth L = ⌈2^{m+1} log(2^{m+1}/(cε²m))⌉",
            holds(),
            |p, ()| {
                let layers = p.depth();
                less_than(all_positive(p.width, layers), p.promised_at_depth(layers)).noting(format!("L = {layers}"))
            },
        )
        .ours(
            "no-constant-inputs",
            "for every c ∈ (0,1], m and ε: P < 1 − e^{−cε²m} for L = 1 and n = ⌈2^m log(2/min(1, cε²m))⌉ + 1 \
             orthonormal inputs",
            holds(),
            |p, ()| {
                let inputs = p.inputs();
                less_than(all_positive(p.width, inputs), p.promised(exact(p.eps), p.width))
                    .noting(format!("n = {inputs}"))
            },
        )
        .ours(
            "no-constant-window",
            "for every c ∈ (0,1]: P < 1 − e^{−cε²m/L} at m = n = 1, L = 3 and ε = c/10",
            holds(),
            |p, ()| {
                let eps = exact(p.constant) / 10.0;
                less_than(thin_window(eps), p.promised(eps, Enclosure::ONE / 3.0))
            },
        )
}

fn fixed_window() -> Setting<Sizes, Enclosure> {
    Setting::measuring(|s: &Sizes, _| success(s))
        .given("the n inputs are orthonormal")
        .family(edge("registered", sizes))
        .family(random("sizes", random_sizes).taking(0.25))
        .family(outside("laws of which no enclosure is known", beyond_the_enclosures))
        .without_search()
        .meant(
            "fixed-window",
            "as Corollary B.9 quotes it, ε = ½: failure ≤ O(nL) e^{−Ω(m/L)}, with constants failure ≤ 2nL e^{−m/(20L)}",
            holds(),
            |s, &p| {
                let allowed =
                    2.0 * Enclosure::from(s.inputs) * f64::from(s.layers) * (-(s.width_over_depth() / 20.0)).exp();
                failure_at_most(p, allowed)
            },
        )
        .our_constant("the constants 2 and 1/20")
        .except("the allowed failure probability is at least one")
        .except("the allowed failure probability is below 10^{−6}, which the enclosures do not resolve")
        .because(
            "the factor O(nL) is missing in the printed probability; the proof of Corollary B.9 quotes the lemma with \
             it",
        )
        .assume(Hypothesis::new("ε = ½", |s| s.eps == 0.5))
        .assume(Hypothesis::new("L = 1, or n = 1 and L ≤ 8", enclosed))
        .part("in-width", "where 2 ≤ ε²m/L ≤ 30, one input: P ≥ 1 − e^{−ε²m/(10L)}", holds(), |s, &p| {
            at_least(p, 1.0 - (-(exponent(s) / 10.0)).exp())
        })
        .our_constant("the constant 1/10 and the range of ε²m/L")
        .assume(Hypothesis::new("n = 1 and 2 ≤ ε²m/L ≤ 30", |s| {
            s.inputs == 1 && (2.0..=30.0).contains(&exponent(s).midpoint())
        }))
        .assume(Hypothesis::new("L = 1, or n = 1 and L ≤ 8", enclosed))
        .amendment("with-inputs", "failure ≤ 2n e^{−ε²m/(192L)}", holds(), |s, &p| {
            let allowed = 2.0 * f64::from(s.inputs) * (-(exponent(s) / 192.0)).exp();
            failure_at_most(p, allowed)
        })
        .assume(ENCLOSED)
        .except("the allowed failure probability is at least one")
        .except("the allowed failure probability is below 10^{−6}, which the enclosures do not resolve")
        .sharpening(
            "two-tails",
            "failure ≤ n [(1 + ε)^{−1} e^{−(2/5) log²(1+ε) m/L} + e^{−(2ε−ε²)² m/(12(1+ε)⁴L)}]",
            holds(),
            |s, &p| failure_at_most(p, two_tails(s)),
        )
        .assume(ENCLOSED)
        .except("the allowed failure probability is at least one")
        .except("the allowed failure probability is below 10^{−6}, which the enclosures do not resolve")
        .control("a", "P ≥ 1 − e^{−100ε²m/L}", |s, &p| at_most(1.0 - p, (-(100.0 * exponent(s))).exp()))
        .sides("1 − P", "e^{−100ε²m/L}")
        .assume(ENCLOSED)
        .control("b", "‖h_0‖ ∈ [½ − ε/2, ½ + ε/2] with probability ≥ 1 − e^{−ε²m/5}", |s, _| {
            let (law, half) = (IncrementLaw::new(s.width), exact(s.eps) / 2.0);
            let cdf = |x: Enclosure| Enclosure::from(law.cdf(x.square().interval()));
            let inside = cdf(0.5 + half) - cdf(0.5 - half);
            at_least(inside, -(-(exponent(s) / 5.0)).exp_m1())
        })
        .assume(Hypothesis::new("L = 1 and n = 1", |s| s.layers == 1 && s.inputs == 1))
        .control("c", "P = 1", |_, &p| at_least(p, exact(1.0)))
}

fn general_inputs() -> Setting<Sample, Enclosure> {
    Setting::measuring(sampled_failure)
        .family(edge("on the sphere", samples).restricted("inputs drawn uniformly from the sphere, anew in every run"))
        .without_search()
        .amendment(
            "general-inputs",
            "inputs drawn uniformly on a sphere, several layers: failure ≤ O(n) e^{−Ω(ε²m/L)}, with constants failure \
             ≤ 2n e^{−ε²m/(10L)}, inputs and network drawn together",
            holds(),
            |s, &failure| {
                let allowed = 2.0 * f64::from(s.sizes.inputs) * (-(exponent(&s.sizes) / 10.0)).exp();
                if allowed.hi() >= 1.0 {
                    return vacuous("the allowed failure probability is at least one");
                }
                at_most(failure, allowed)
            },
        )
        .except("the allowed failure probability is at least one")
}

fn enclosed(s: &Sizes) -> bool {
    s.layers == 1 || (s.inputs == 1 && s.layers <= DEEPEST_WALK)
}
