//! After Lemma 1: the tangent kernel of a wide network stays what it was throughout training, and this covers the losses (1), (2).
//!
//! Two-layer linear networks with the scaling P1. In a = W₁ᵀW₁/h, b = W₂ᵀW₂/h, m = W₁ᵀW₂/h the flow closes and h enters through m(0), of order
//! h^{−½}, alone: a′ = −(gmᵀ + mgᵀ), b′ = −(gᵀm + mᵀg), m′ = −(gb + ag) with g = 2Cm for (1), (2) and g = XᵀXm − h^{−½}XᵀY for the squared loss.
//! At fixed time the kernel moves by O(1/h): true. Over all times it is true for the squared loss and for C ⪰ 0, and false for (1), (2)
//! as soon as C has a negative eigenvalue λ, which is what the losses are for: m grows like e^{4|λ|t}, the kernel has moved by a fixed fraction
//! at the time log h/(8|λ|) and is infinite a moment later, however wide the network is.
//! For d = z = 1, C = −c it is solved: p = (a + b)/2 and m keep p² − m² = γ, p = √γ coth(4c√γ(T − t)), T = log((p₀ + √γ)/|m₀|)/(4c√γ).
//! For C ⪰ 0: ℓ = Tr(mᵀCm) has Tr b′ = −4ℓ and, with λ⁺ the smallest positive eigenvalue, β₀ that of b(0), ℓ′ ≤ −4λ_min(b)λ⁺ℓ; hence Tr(b₀ − b) ≤
//! 2ℓ₀/(λ⁺β₀) for ever, if 4ℓ₀ < λ⁺β₀² (as long as the left side is below β₀/2, b stays above β₀/2, and then it remains so).

mod kernel_paths;
mod scalar_machine;

use evidence::prelude::*;
use evidence::sweep::Sweep;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use crate::shared::notation::GROWTH;
use kernel_paths::{Path, Problem, Square, TIMES, measure};
use scalar_machine::{Scalar, UNTOLD, closed_form, closes, far_from_start};

const TRACE_LOSSES: Hypothesis<Problem> = Hypothesis::new("losses (1), (2)", |p| !p.squared);
const SQUARED_LOSS: Hypothesis<Problem> = Hypothesis::new("squared loss", |p| p.squared);

/// What counts as zero.
const NOTHING: f64 = 1e-13;

/// The median over seeds is O(h^{−½}), the rate that the literature on wide networks gives; one that is zero at every width has no trend.
fn vanishes(all: &Sweep<Path>, of: impl Fn(&Path) -> f64) -> Evaluation {
    all.median(of).vanishes_like(-0.5, NOTHING, |x| *x)
}

fn at_fixed_times(all: &Sweep<Path>) -> Evaluation {
    all_of((0..TIMES.len()).map(|k| (format!("t = {}", TIMES[k]), vanishes(all, |p| p.at[k]))))
}

/// The time of a tenth grows like log h/(8|λ|): e^{8|λ|t} grows like h.
fn departure(problem: &Problem, all: &Sweep<Path>) -> Evaluation {
    let fastest = -4.0 * problem.diagonal[0].min(problem.diagonal[1]);
    let tenth = all.median(|p| p.tenth);
    tenth.trend(|t| core_math::exp(fastest * t)).grows_like(1.0)
}

fn problems() -> Vec<(&'static str, Problem)> {
    let of = |first: f64, second: f64| Problem {
        squared: false,
        diagonal: [2.0 * first, 2.0 * second],
        labels: [[0.0; 2]; 2],
    };
    let squared = |diagonal: [f64; 2], labels: Square| Problem { squared: true, diagonal, labels };
    vec![
        ("C = diag(−1, −½)", of(-1.0, -0.5)),
        ("C = −I", of(-1.0, -1.0)),
        ("C = diag(−½, 2)", of(-0.5, 2.0)),
        ("C = diag(−1, 0)", of(-1.0, 0.0)),
        ("C = diag(0, −½)", of(0.0, -0.5)),
        ("C = 0", of(0.0, 0.0)),
        ("C = diag(0, 1)", of(0.0, 1.0)),
        ("C = diag(½, 2)", of(0.5, 2.0)),
        ("squared loss, y = 0", squared([1.0, 2.0], [[0.0; 2]; 2])),
        ("squared loss, y ≠ 0", squared([1.0, 2.0], [[1.0, -2.0], [0.5, 3.0]])),
        ("squared loss, rank one", squared([2.0, 0.0], [[1.0, -2.0], [0.0, 0.0]])),
    ]
}

const SEMIDEFINITE: Hypothesis<Problem> = Hypothesis::new("losses (1), (2); C ⪰ 0, C ≠ 0", |p| {
    !p.squared && lowest(p) >= 0.0 && p.diagonal != [0.0, 0.0]
});

fn lowest(p: &Problem) -> f64 {
    p.diagonal[0].min(p.diagonal[1])
}

fn scalars() -> Vec<(&'static str, Scalar)> {
    let of = |first: &[f64], second: &[f64], pull: f64| Scalar { first: first.to_vec(), second: second.to_vec(), pull };
    let wide: Vec<f64> = (0..64).map(|k| if k % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let other: Vec<f64> = (0..64).map(|k| if k % 4 < 2 && k > 7 { 1.0 } else { wide[k] }).collect();
    vec![
        ("W₁ = W₂ = 1", of(&[1.0], &[1.0], 1.0)),
        ("W₁ = −W₂", of(&[1.0, 2.0], &[-1.0, -2.0], 0.5)),
        ("unequal", of(&[1.0], &[0.25], 1.0)),
        ("width 2", of(&[1.0, 1.0], &[1.0, 0.0], 2.0)),
        ("orthogonal layers", of(&[1.0, 1.0], &[1.0, -1.0], 1.0)),
        ("width 64", of(&wide, &other, 1.0)),
    ]
}

fn random_scalars() -> impl Strategy<Value = Scalar> {
    (1..=8usize, 0.1..3.0f64).prop_flat_map(|(h, pull)| {
        let weights = (vec(-2.0..2.0f64, h), vec(-2.0..2.0f64, h));
        weights.prop_map(move |(first, second)| Scalar { first, second, pull })
    })
}

pub fn claim() -> Claim {
    Claim::new("esser2024.lemma-1c", "the kernel stays the same through training", Kind::Asymptotic)
        .statement(
            "for wide networks the inner products ⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ keep their initial value during training, so \
             Lemma 1 holds through training; this also covers the losses (1), (2)",
        )
        .source("The paragraph after Lemma 1", &["the sentence before Proposition 1"])
        .symbols([GROWTH])
        .symbol(
            "the kernel",
            "its change at a time: the largest absolute entry of a − a₀ and b − b₀, a = W₁ᵀW₁/h, b = W₂ᵀW₂/h, the \
             index 0 for the start; for d = 2 these are its entries",
        )
        .symbol("log", "the natural logarithm")
        .symbol("C", "for the losses (1), (2): the symmetric matrix with L = Tr(AᵀCA), A = h^{−½}W₁ᵀW₂")
        .remark(
            "Two-layer linear networks, scaling P1, d = z = 2; initial Gram matrices drawn from their exact (Wishart) \
             law, so that width costs nothing: h = 10², …, 10⁶. R1: fixed time. R2: all times up to 3 + log h.",
        )
        .remark(
            "The losses (1), (2) are not bounded below for linear models; their flow leaves every neighbourhood of its \
             start, and leaves it in a time that grows like log h only. So Proposition 1, which is about convergence, \
             cannot rest on a kernel that stays fixed.",
        )
        .sense("fixed times", "\"during training\" up to any fixed time, as the width grows")
        .sense("all times", "\"during training\" from the start to the end, however late")
        .setting(change_in_width())
        .setting(one_input())
}

fn change_in_width() -> Setting<Problem, Sweep<Path>> {
    Setting::measuring(measure)
        .given(
            "u = h^{−½}W₂ᵀW₁x, standard normal weights, unconstrained gradient flow W_i′ = −∇L, d = z = 2; medians \
             over thirty-one starts at each of the widths h = 100, 464, 2154, 10⁴, 46416, 215443, 10⁶; a change beyond \
             10⁷ ends the flow and counts as 10⁷; C = diag(−1, −½), −I, diag(−½, 2), diag(−1, 0), diag(0, −½), 0, \
             diag(0, 1) or diag(½, 2); squared loss L = ½Σ_i‖u(x_i) − y_i‖² with XᵀX = diag(1, 2), XᵀY = 0 or ((1, \
             −2), (½, 3)), or XᵀX = diag(2, 0), XᵀY = ((1, −2), (0, 0)), X and Y the stacks of the x_i and y_i",
        )
        .family(edge("spectra", problems).restricted("C and XᵀX diagonal"))
        .without_search()
        .part(
            "R1",
            "losses (1), (2): the median change of the kernel at the times 0.1, 0.3, 0.5 is O(h^{−½})",
            consistent(),
            |_, all| at_fixed_times(all),
        )
        .our_constant("no rate is printed; h^{−½}, the times and the horizon are ours")
        .in_sense("fixed times")
        .assume(TRACE_LOSSES)
        .part(
            "R1-squared",
            "squared loss: the median change of the kernel at the times 0.1, 0.3, 0.5 is O(h^{−½})",
            consistent(),
            |_, all| at_fixed_times(all),
        )
        .our_constant("no rate is printed; h^{−½}, the times and the horizon are ours")
        .in_sense("fixed times")
        .assume(SQUARED_LOSS)
        .part(
            "R2",
            "losses (1), (2): the median over starts of the largest change up to the time 3 + log h is O(h^{−½})",
            fails("a negative eigenvalue of C makes the kernel infinite shortly after log h/(8|λ|)"),
            |_, all| vanishes(all, |p| p.most),
        )
        .sides("slope of log median in log h", "−1/2 + 1/4")
        .our_constant("no rate is printed; h^{−½}, the times and the horizon are ours")
        .in_sense("all times")
        .assume(TRACE_LOSSES)
        .part(
            "R2-squared",
            "squared loss: the median over starts of the largest change up to the time 3 + log h is O(h^{−½})",
            consistent(),
            |_, all| vanishes(all, |p| p.most),
        )
        .our_constant("no rate is printed; h^{−½}, the times and the horizon are ours")
        .in_sense("all times")
        .assume(SQUARED_LOSS)
        .amendment(
            "R2-semidefinite",
            "losses (1), (2), C ⪰ 0: the median over starts of the largest change up to the time 3 + log h is \
             O(h^{−½})",
            consistent(),
            |_, all| vanishes(all, |p| p.most),
        )
        .assume(Hypothesis::new("losses (1), (2); C ⪰ 0", |p| !p.squared && lowest(p) >= 0.0))
        .sharpening(
            "R2-bound",
            "if 4ℓ₀ < λ⁺β₀²: Tr(b₀ − b) ≤ 2ℓ₀/(λ⁺β₀) at all times (tried up to 3 + log h), every start and width; b = \
             W₂ᵀW₂/h, m = W₁ᵀW₂/h, ℓ = Tr(mᵀCm), λ⁺ the least positive eigenvalue of C, β₀ the least eigenvalue of b₀, \
             the index 0 for the start",
            holds(),
            |p, all| {
                // There is no bound without these.
                if !SEMIDEFINITE.is_met(p) {
                    return vacuous("no bound");
                }
                let most = all.rows().iter().fold(0.0, |m: f64, (_, p)| m.max(p.over_bound));
                at_most(Enclosure::measured(most), 1)
            },
        )
        .sides("the largest Tr(b₀ − b) divided by 2ℓ₀/(λ⁺β₀), over the starts with 4ℓ₀ < λ⁺β₀²", "1")
        .assume(SEMIDEFINITE)
        .sharpening(
            "departure",
            "C with lowest eigenvalue λ < 0: the median time t at which the change of the kernel first exceeds 1/10 \
             grows like log h/(8|λ|): the 95 % interval of the exponent of e^{8|λ|t} in h lies within 1/4 of 1",
            consistent(),
            departure,
        )
        .assume(Hypothesis::new("losses (1), (2); C has a negative eigenvalue", |p| !p.squared && lowest(p) < 0.0))
        .control("a", "h = 100: the median change of the kernel at the time 0.3 is at most 1e-3", |_, all| {
            at_most(Enclosure::measured(all.median(|p| p.at[1]).rows()[0].1), exact(1e-3))
        })
        .assume(Hypothesis::new("losses (1), (2), C ≠ 0", |p| !p.squared && p.diagonal != [0.0, 0.0]))
        .control("b", "h = 100: the median change of the kernel at the time 0.5 is at most 1e-13", |_, all| {
            at_most(Enclosure::measured(all.median(|p| p.at[2]).rows()[0].1), exact(NOTHING))
        })
}

fn one_input() -> Setting<Scalar, ()> {
    Setting::of()
        .given(
            "d = z = 1, C = −c < 0, L = −c(W₁ᵀW₂)²/h, u = h^{−½}W₂ᵀW₁x, unconstrained gradient flow W_i′ = −∇L; a = \
             ‖W₁‖²/h, b = ‖W₂‖²/h, m = W₁ᵀW₂/h, p = (a + b)/2, γ = p² − m²; the index 0 for the start",
        )
        .family(edge("named", scalars))
        .family(random("weights", random_scalars))
        .part(
            "R2-exact",
            "one input, one output: the kernel, 2p xx′, never grows by more than its own size",
            fails("p = √γ coth(4c√γ(T − t)) is infinite at T, whatever the width"),
            |s, ()| far_from_start(s),
        )
        .sides("(p(t) − p(0))/p(0) at t = T − 1/(12cp(0))", "1")
        .except(UNTOLD)
        .in_sense("all times")
        .step(
            "closed-form",
            "the closed form p = √γ coth(4c√γ(T − t)), m = ±√γ/sinh(4c√γ(T − t)), the sign that of m₀, T = log((p₀ + \
             √γ)/|m₀|)/(4c√γ), for γ = 0: p = ±m = 1/(4c(T − t)), T = 1/(4cp₀), starts at (p₀, m₀) and solves p′ = \
             4cm², m′ = 4cpm (tried at t = T/4 and 3T/4)",
            holds(),
            |s, ()| closed_form(s),
        )
        .except(UNTOLD)
        .step("gram", "a′ = b′ = 4cm², m′ = 2cm(a + b), from the gradient in all weights", holds(), |s, ()| {
            closes(s)
        })
}
