//! Proposition 2: Frobenius-norm constraints leave a collapsed global minimiser.
//!
//! *True* for every activation and both losses, wherever the minimum is attained, and more simply than printed. The loss is a sum over the columns w_j
//! of W₂, L = Σ_j w_jᵀFw_j with F = Σφ(W₁x_i)(φ(W₁x_i⁻) − φ(W₁x_i⁺))ᵀ. Put the whole of ‖W₂‖_F² into the column with the least w_jᵀFw_j/‖w_j‖²: a
//! weighted mean is at least its least part, so L does not grow, and one output is left. No spectral decomposition is needed.
//!
//! *Step s3 is false as printed*: F is not symmetric, and its own eigenvalues do not decide (x = e₁, x⁺ = 0, x⁻ = e₂: F = e₁e₂ᵀ has no negative
//! eigenvalue, but W₂ = (1, −1)ᵀ has a negative loss). The symmetric part is what is meant.
//!
//! *Linear model*: the value is (c₁c₂)² min(0, λ₁). If λ₁ < 0 and c₁c₂ > 0, *every* minimiser has rank one: ‖M‖_F ≤ ‖W₁‖₂‖W₂‖_F gives
//! L ≥ λ₁‖W₁‖₂²‖W₂‖_F², and ‖W₁‖₂ = ‖W₁‖_F only for rank one. So the constraint does not only allow the collapse, it forces it.

mod norm_forms;

use contrastive::network::Activation;
use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError, SingularValues, symmetric_eigenvalues};
use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use linear_ssl::self_supervised::{TripletData, value_of_problem_2};
use proptest::collection::vec;
use proptest::prelude::Strategy;
use proptest::sample::select;

use crate::shared::data_families::{named_triples, with_pattern};
use crate::shared::hypotheses::{NEGATIVE, has_a_negative_eigenvalue};
use crate::shared::linear_data::{LOSSES, Loss, triplets};
use crate::shared::linear_model::LinearModelOn;
use crate::shared::notation::{ANCHORS, BOTH_LOSSES, FIRST_WEIGHTS, FROBENIUS_NORM, OPERATOR_NORM, SECOND_WEIGHTS};
use crate::shared::optima::{FeasibleWeights, bounded_weights};
use crate::shared::solved::{Solved, Tried, tried};
use crate::shared::spectra::{LinearProblem, problems};
use norm_forms::{Forms, Network, collapsed};

const NO_HEAD: &str = "W₂ = 0";
const HIDDEN: &str = "rounding hides whether the eigenvalues are real";
const NO_MINIMISER: &str = "the turned weights have an L above λ₁ by more than 10⁻⁹ Σ|λ_i|";

fn both(judged: impl Fn(Loss) -> Tried) -> Evaluation {
    all_of(LOSSES.map(|(name, which)| (name, tried(|| judged(which)))))
}

/// The collapsed weights of the same norms have at most the same loss.
fn collapse_is_no_worse(n: &Network, forms: &Forms, which: Loss) -> Tried {
    let second = n.second();
    let Some(single) = collapsed(forms.of(which), &n.model.second)? else {
        return Ok(vacuous(NO_HEAD));
    };
    Ok(all_of([
        (
            "loss",
            at_most(n.loss(which, &single)?, n.loss(which, &second)?)
                .on_scale_of("‖W₂‖_F²‖φ(W₁X)‖_F(‖φ(W₁X⁺)‖_F + ‖φ(W₁X⁻)‖_F)", forms.scale(&second)),
        ),
        ("norm", equal(single.frobenius_norm_squared(), second.frobenius_norm_squared())),
    ]))
}

/// λ_min(sym F).
fn least_eigenvalue(forms: &Forms, which: Loss) -> Result<Interval, MatrixError> {
    Ok(symmetric_eigenvalues(&forms.of(which).symmetric_part()?)?[0])
}

/// For h ≤ 2: min over ‖W₂‖ ≤ 1 as step s3 has it, from the eigenvalues of F itself; none if rounding hides which case it is.
fn printed_least(form: &IntervalMatrix) -> Option<Interval> {
    if form.rows() == 1 {
        return Some(form.at(0, 0).min(Interval::ZERO));
    }
    let (sum, difference) = (form.at(0, 0) + form.at(1, 1), form.at(0, 0) - form.at(1, 1));
    let inside = difference.square() + form.at(0, 1) * form.at(1, 0) * 4.0;
    if inside.hi() < 0.0 {
        // No real eigenvalue, so none that is negative.
        return Some(Interval::ZERO);
    }
    (inside.lo() >= 0.0).then(|| ((sum - inside.sqrt()) / 2.0).min(Interval::ZERO))
}

const ACTIVATIONS: [Activation; 7] = [
    Activation::Identity,
    Activation::Tanh,
    Activation::Relu,
    Activation::Sine,
    Activation::Sigmoid,
    Activation::Parabola(1.0),
    Activation::Shifted,
];

fn networks() -> Vec<Family<Network>> {
    vec![
        edge("named data", || {
            let mut all = Vec::new();
            for (name, data) in named_triples() {
                for (h, z) in [(1, 1), (2, 2), (3, 2)] {
                    for activation in ACTIVATIONS {
                        let model = with_pattern(data.clone(), h, z);
                        all.push((
                            format!("{name}, φ = {activation}, h = {h}, z = {z}"),
                            Network { activation, model },
                        ));
                    }
                }
            }
            let turned = LinearModelOn {
                data: TripletData {
                    anchors: vec![vec![1.0, 0.0]],
                    positives: vec![vec![0.0, 0.0]],
                    negatives: vec![vec![0.0, 1.0]],
                },
                first: Matrix::diagonal(&[1.0, 1.0]).expect("two entries"),
                second: Matrix::diagonal(&[1.0, 1.0]).expect("two entries"),
            };
            all.push(("F = e₁e₂ᵀ".to_owned(), Network { activation: Activation::Identity, model: turned }));
            all
        }),
        random("random networks", || {
            (triplets(), 1usize..=3, 1usize..=3, select(ACTIVATIONS.to_vec())).prop_flat_map(
                |(data, h, z, activation)| {
                    let d = data.dimension();
                    (vec(-1.5..1.5f64, h * d), vec(-1.5..1.5f64, h * z)).prop_map(move |(first, second)| Network {
                        activation,
                        model: LinearModelOn {
                            data: data.clone(),
                            first: Matrix::new(h, d, first).expect("h d entries"),
                            second: Matrix::new(h, z, second).expect("h z entries"),
                        },
                    })
                },
            )
        }),
    ]
}

/// The instance's weights and the sizes that the bounds of the linear model use.
fn linear_sizes(p: &LinearProblem, s: &Solved) -> Result<(Enclosure, [Enclosure; 4]), MeasureError> {
    let (first, second) = (IntervalMatrix::from(&p.first), IntervalMatrix::from(&p.second));
    let operator = |w: &IntervalMatrix| SingularValues::of(w).map(|v| Enclosure::from(v.spectral_norm()).square());
    let sizes = [
        first.frobenius_norm_squared().into(),
        second.frobenius_norm_squared().into(),
        operator(&first)?,
        operator(&second)?,
    ];
    let weights = FeasibleWeights { first, second };
    Ok((weights.loss(&s.c)?.into(), sizes))
}

fn bottom(p: &LinearProblem) -> f64 {
    p.ascending()[0].min(0.0)
}

/// The loss of the explicit minimiser with norms c₁, c₂, which is λ₁(c₁c₂)²; of zero weights if λ₁ ≥ 0.
fn attained(p: &LinearProblem, s: &Solved, c: [f64; 2]) -> Result<Enclosure, MeasureError> {
    if p.negative() == 0 {
        return Ok(Enclosure::ZERO);
    }
    let weights = bounded_weights(&s.frame, &p.lowest(1), p.z(), p.h())?;
    let weights = FeasibleWeights { first: weights.first.scaled(c[0]), second: weights.second.scaled(c[1]) };
    Ok(weights.loss(&s.c)?.into())
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-2", "Frobenius constraints allow a collapsed global solution", Kind::Convergence)
        .statement(
            "min L s.t. ‖W₁‖_F ≤ c₁, ‖W₂‖_F ≤ c₂ for u = W₂ᵀφ(W₁x) and the loss (1) or (2) has a global minimiser with \
             u(x) = [a(x), 0, …, 0]ᵀ for all x",
        )
        .speaks_also_of("the existence of a minimiser where φ is not linear")
        .source("Proposition 2", &["its proof is the appendix block headed Proof of Proposition 1"])
        .symbols([ANCHORS, BOTH_LOSSES, FIRST_WEIGHTS, SECOND_WEIGHTS, FROBENIUS_NORM, OPERATOR_NORM])
        .symbol("collapsed", "with W₂ whose first column alone is not zero, so that u(x) = [a(x), 0, …, 0]ᵀ")
        .symbol(
            "eigenvalue of F",
            "a real one; no real one counts as none; compared to 10⁻⁶ of ‖φ(W₁X)‖_F(‖φ(W₁X⁺)‖_F + ‖φ(W₁X⁻)‖_F), X, X⁺, \
             X⁻ the data in columns",
        )
        .remark(
            "Wherever the minimum is attained (φ continuous, say): the statement shows that any weights can be \
             collapsed, with the same W₁ and the same norms, without raising the loss.",
        )
        .remark("F has rows and columns for hidden units; the loss depends on its symmetric part only.")
        .setting(printed())
        .setting(linear())
}

fn printed() -> Setting<Network, Forms> {
    Setting::measuring(|n: &Network, _| n.forms())
        .given(
            "u(x) = W₂ᵀφ(W₁x), φ(s) = s (id), tanh, ReLU, sin, sigmoid, s + s²/2 or s + 1, applied to each coordinate; \
             L either loss; F = Σ_i φ(W₁x_i)(φ(W₁x_i⁻) − φ(W₁x_i⁺))ᵀ for (1), −Σ_i φ(W₁x_i)φ(W₁x_i⁺)ᵀ for (2); σ_i the \
             singular values of W₂",
        )
        .family(networks())
        .part(
            "printed",
            "for any weights there are collapsed ones with the same W₁, the same ‖W₂‖_F and at most the same loss",
            holds(),
            |n, f| both(|which| collapse_is_no_worse(n, f, which)),
        )
        .checked("esser2024.Proposition2.prop_2_printed")
        .except(NO_HEAD)
        .step("s1", "‖W₂‖_F² = Σσ_i²", holds(), |n, _| {
            tried(|| {
                let second = n.second();
                let squares = sum_of_squares(SingularValues::of(&second)?.values());
                Ok(equal(squares, second.frobenius_norm_squared()))
            })
        })
        .step("s2", "L ≥ ‖W₂‖_F² min vᵀFv over unit vectors v ∈ ℝ^h, either loss", holds(), |n, f| {
            both(|which| {
                let second = n.second();
                let floor = Enclosure::from(least_eigenvalue(f, which)? * second.frobenius_norm_squared());
                Ok(at_least(n.loss(which, &second)?, floor)
                    .on_scale_of("‖W₂‖_F²‖φ(W₁X)‖_F(‖φ(W₁X⁺)‖_F + ‖φ(W₁X⁻)‖_F)", f.scale(&second)))
            })
        })
        .checked("esser2024.Proposition2.prop_2_s2")
        .step(
            "s3",
            "the least L over ‖W₂‖_F ≤ 1, W₁ fixed, is the most negative eigenvalue of F, or zero if it has none",
            fails("F is not symmetric: F = e₁e₂ᵀ has the eigenvalue 0 only, but vᵀFv = −1/2 for v = (1, −1)/√2"),
            |_, f| {
                both(|which| {
                    let Some(printed) = printed_least(f.of(which)) else {
                        return Ok(vacuous(HIDDEN));
                    };
                    Ok(equal(printed, least_eigenvalue(f, which)?.min(Interval::ZERO))
                        .on_scale_of("‖φ(W₁X)‖_F(‖φ(W₁X⁺)‖_F + ‖φ(W₁X⁻)‖_F)", f.size)
                        .within(1e-6))
                })
            },
        )
        .checked("esser2024.Proposition2.prop_2_s3_refuted")
        .sides("the least eigenvalue of F, or 0", "the least L over ‖W₂‖_F ≤ 1")
        .except(HIDDEN)
        .assume(
            Hypothesis::new("h ≤ 2, for which the least loss is written down", |n: &Network| {
                n.model.second.rows() <= 2
            })
            .selecting(),
        )
        .amendment(
            "s3-symmetric",
            "the least L over ‖W₂‖_F ≤ 1, W₁ fixed, is min(0, λ), λ the lowest eigenvalue of the symmetric part of F, \
             and one column attains it",
            holds(),
            |_, f| {
                both(|which| {
                    let printed = printed_least(&f.of(which).symmetric_part()?);
                    let least = least_eigenvalue(f, which)?.min(Interval::ZERO);
                    Ok(printed.map_or_else(
                        || vacuous(HIDDEN),
                        |p| equal(p, least).on_scale_of("‖φ(W₁X)‖_F(‖φ(W₁X⁺)‖_F + ‖φ(W₁X⁻)‖_F)", f.size).within(1e-6),
                    ))
                })
            },
        )
        .except(HIDDEN)
        .assume(
            Hypothesis::new("h ≤ 2, for which the least loss is written down", |n: &Network| {
                n.model.second.rows() <= 2
            })
            .selecting(),
        )
        .control("s2-double", "L ≥ ½‖W₂‖_F² min vᵀFv over unit vectors v ∈ ℝ^h, either loss", |n, f| {
            both(|which| {
                let second = n.second();
                let floor = Enclosure::from(least_eigenvalue(f, which)? * second.frobenius_norm_squared()) * 0.5;
                Ok(at_least(n.loss(which, &second)?, floor))
            })
        })
}

fn linear() -> Setting<LinearProblem, Solved> {
    Setting::measuring(|p: &LinearProblem, _| Solved::of(p))
        .given(
            "φ = id, M = W₁ᵀW₂, L = Tr(MᵀCM), C symmetric of size d, λ₁ the lowest of its eigenvalues λ_i; min L s.t. \
             ‖W₁‖_F ≤ c₁, ‖W₂‖_F ≤ c₂, c₁, c₂ ≥ 0",
        )
        .family(problems())
        .part(
            "linear",
            "the least L under ‖W₁‖_F ≤ c₁, ‖W₂‖_F ≤ c₂ is (c₁c₂)² min(0, λ₁), attained with one output: L ≥ \
             ‖W₁‖_F²‖W₂‖_F² min(0, λ₁) for all weights, and at (c₁, c₂) = (0, 2), (¾, 2), (1, 1) weights within these \
             bounds attain it",
            holds(),
            |p, s| {
                tried(|| {
                    let (loss, [a, b, ..]) = linear_sizes(p, s)?;
                    let mut parts = vec![(
                        "no weights do better",
                        at_least(loss, a * b * bottom(p)).on_scale_of("Σ|λ_i|‖W₁‖_F²‖W₂‖_F²", (s.scale * a * b).hi()),
                    )];
                    for c in [[0.0, 2.0], [0.75, 2.0], [1.0, 1.0]] {
                        let value = exact(bottom(p)) * (exact(c[0]) * c[1]).square();
                        parts
                            .push(("attained", equal(attained(p, s, c)?, value).on_scale_of("4Σ|λ_i|", 4.0 * s.scale)));
                    }
                    Ok(all_of(parts))
                })
            },
        )
        .checked("esser2024.Proposition2.prop_2_linear")
        .because("the global solution of the linear model exhibited; its value is ours")
        .sharpening(
            "forced",
            "L ≥ λ₁‖W₁‖₂²‖W₂‖_F² and L ≥ λ₁‖W₁‖_F²‖W₂‖₂² for all weights; so for c₁c₂ > 0 W₁ and W₂ of every minimiser \
             have rank one",
            holds(),
            |p, s| {
                tried(|| {
                    let (loss, [a, b, first, second]) = linear_sizes(p, s)?;
                    let scale = (s.scale * a * b).hi();
                    let lowest = p.ascending()[0];
                    Ok(all_of([
                        ("‖W₁‖₂", at_least(loss, first * b * lowest).on_scale_of("Σ|λ_i|‖W₁‖_F²‖W₂‖_F²", scale)),
                        ("‖W₂‖₂", at_least(loss, a * second * lowest).on_scale_of("Σ|λ_i|‖W₁‖_F²‖W₂‖_F²", scale)),
                    ]))
                })
            },
        )
        .checked_in_part("esser2024.Proposition2.prop_2_forced")
        .assume(Hypothesis::new(NEGATIVE, has_a_negative_eigenvalue))
        .control(
            "a",
            "the least L under ‖W₁‖₂, ‖W₂‖₂ ≤ 1 is that of a collapsed solution, min(0, λ₁)",
            |p, s| {
                tried(|| {
                    Ok(at_least(value_of_problem_2(&p.eigenvalues(), p.z(), p.h())?, exact(bottom(p)))
                        .on_scale_of("Σ|λ_i|", s.scale))
                })
            },
        )
        .control(
            "b",
            "the least L under ‖W₁‖_F, ‖W₂‖_F ≤ 2 is c₁c₂ min(0, λ₁) with c₁ = c₂ = 2",
            |p, s| {
                tried(|| {
                    Ok(equal(attained(p, s, [2.0, 2.0])?, exact(4.0 * bottom(p)))
                        .on_scale_of("16Σ|λ_i|", 16.0 * s.scale))
                })
            },
        )
        .control(
            "c",
            "all minimisers under ‖W₁‖_F, ‖W₂‖_F ≤ 1 have W₂ with its first column alone not zero: also after (w, 0, \
             …) → (3w/5, 4w/5, …) the second column has the squared length 0",
            |p, s| {
                tried(|| {
                    let weights = bounded_weights(&s.frame, &p.lowest(1), p.z(), p.h())?;
                    let turn = |j: usize| Interval::point([3.0, 4.0].get(j).copied().unwrap_or(0.0)) / 5.0;
                    let first = |k: usize| weights.second.at(k, 0);
                    let second = IntervalMatrix::from_fn(p.h(), p.z(), |k, j| first(k) * turn(j))?;
                    let turned = FeasibleWeights { first: weights.first, second };
                    let beyond: Interval =
                        (0..p.h()).map(|k| turned.second.get(k, 1).unwrap_or(Interval::ZERO).square()).sum();
                    // Where the turned weights are no minimisers, this control has nothing to say.
                    if (Enclosure::from(turned.loss(&s.c)?) - bottom(p)).lo() > 1e-9 * s.scale {
                        return Ok(vacuous(NO_MINIMISER));
                    }
                    Ok(equal(beyond, 0).on_unit_scale())
                })
            },
        )
        .except(NO_MINIMISER)
        .assume(Hypothesis::new(NEGATIVE, has_a_negative_eigenvalue))
        .assume(Hypothesis::new("z ≥ 2", |p| p.z() >= 2))
}
