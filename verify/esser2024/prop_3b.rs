//! Proposition 3, first part: the scaled loss and the loss under operator-norm bounds.
//!
//! *Trace.* L/(‖W₁‖²‖W₂‖²) does not change under W_i → s_iW_i, so problem 1 is the minimum over ‖W_i‖ = 1. Problem 2 allows smaller norms; with
//! λ₁ < 0 its optimal MMᵀ has the eigenvalue one, so 1 = ‖M‖ ≤ ‖W₁‖‖W₂‖ ≤ 1 and nothing is gained. Hence the values agree for every h ≥ 1.
//! Without a negative eigenvalue problem 2 has the value 0 (at zero weights); for h ≥ 2 so has problem 1 (weights with orthogonal ranges, M = 0),
//! but for h = 1, M = w₁w₂ᵀ has norm one and problem 1 has the value λ₁.
//!
//! *Printed norm.* ‖MᵀCM‖₂² has degree eight in the weights and the divisor degree four, so the quotient falls with the scale and its infimum is 0. It
//! is attained iff MᵀCM = 0 for some non-zero weights: always if h ≥ 2, and for h = 1 iff w₁ᵀCw₁ = 0 for a unit vector, that is iff C is not
//! definite. The distance of 0 from the values of w₁ᵀCw₁ is δ = max(0, λ₁, −λ_d).

use enclosures::linear_algebra::{IntervalMatrix, MatrixError};
use evidence::prelude::*;
use linear_ssl::self_supervised::{value_of_problem_1, value_of_problem_2};

use crate::shared::notation::OPERATOR_NORM;
use crate::shared::optima::{FeasibleWeights, bounded_weights};
use crate::shared::solved::{NOTATION, PROBLEMS, Solved, Tried, norm, tried, with_a_negative_eigenvalue};
use crate::shared::spectra::{LinearProblem, problems};

/// δ: the least |w₁ᵀCw₁| over unit vectors if the width is one, zero for larger widths.
fn least_form(problem: &LinearProblem) -> f64 {
    let spectrum = problem.ascending();
    let (lowest, highest) = (spectrum[0], spectrum[spectrum.len() - 1]);
    if problem.h() == 1 { lowest.max(-highest).max(0.0) } else { 0.0 }
}

/// The weights of the instance.
fn given(problem: &LinearProblem) -> FeasibleWeights {
    FeasibleWeights { first: (&problem.first).into(), second: (&problem.second).into() }
}

fn scaled(weights: &FeasibleWeights, first: f64, second: f64) -> FeasibleWeights {
    FeasibleWeights {
        first: weights.first.scaled(Interval::point(first)),
        second: weights.second.scaled(Interval::point(second)),
    }
}

/// (‖W₁‖‖W₂‖)².
fn divisor(weights: &FeasibleWeights) -> Result<Enclosure, MatrixError> {
    Ok((norm(&weights.first)? * norm(&weights.second)?).square())
}

/// Non-zero weights with MᵀCM = 0, where there are any: orthogonal ranges, or a vector on which the form of C vanishes.
fn isotropic(problem: &LinearProblem, solved: &Solved) -> Result<Option<FeasibleWeights>, MatrixError> {
    let (d, z, h) = (problem.d(), problem.z(), problem.h());
    let unit =
        |at: usize| IntervalMatrix::from_fn(h, z, |row, j| Interval::point(f64::from(u8::from(row == at && j == 0))));
    let weights_with = |vector: &dyn Fn(usize) -> Interval, at: usize| -> Result<FeasibleWeights, MatrixError> {
        let first = IntervalMatrix::from_fn(h, d, |row, i| if row == 0 { vector(i) } else { Interval::ZERO })?;
        Ok(FeasibleWeights { first, second: unit(at)? })
    };
    let column = |i: usize, k: usize| solved.frame.at(i, k);
    if h >= 2 {
        return weights_with(&|i| column(i, 0), 1).map(Some);
    }
    let find = |sign: &dyn Fn(f64) -> bool| problem.spectrum.iter().position(|&l| sign(l));
    if let Some(k) = find(&|l| l == 0.0) {
        return weights_with(&|i| column(i, k), 0).map(Some);
    }
    let (Some(a), Some(b)) = (find(&|l| l < 0.0), find(&|l| l > 0.0)) else {
        return Ok(None);
    };
    let root = |l: f64| Interval::point(l).abs().sqrt();
    let (a_part, b_part) = (root(problem.spectrum[b]), root(problem.spectrum[a]));
    weights_with(&|i| a_part * column(i, a) + b_part * column(i, b), 0).map(Some)
}

/// The quotient's numerator and divisor, before and after rescaling, as the two sides of an identity.
fn invariance(problem: &LinearProblem, loss: impl Fn(&FeasibleWeights) -> Result<Enclosure, MeasureError>) -> Tried {
    let before = given(problem);
    let after = scaled(&before, 2.0, -0.5 * 3.0);
    let (left, right) = (loss(&after)? * divisor(&before)?, loss(&before)? * divisor(&after)?);
    let size: f64 = problem.spectrum.iter().map(|l| l.abs()).sum();
    Ok(equal(left, right)
        .on_scale_of("Σ|λ_i| times both denominators", (size * divisor(&before)? * divisor(&after)?).hi()))
}

/// The explicit optimum of problem 2 has norms one, attains the value in problem 1, and no weights do better there.
///
/// Without a negative eigenvalue zero weights solve problem 2. Then it is the values that agree or not: where they do, the weights that attain
/// problem 1 do so at norm one as well.
fn same_problem(problem: &LinearProblem, solved: &Solved) -> Tried {
    if problem.negative() == 0 {
        let first = value_without_negative(problem, solved)?;
        return Ok(equal(first, solved.bounded.value).on_scale_of("Σ|λ_i|", solved.scale));
    }
    let (best, weights) = (&solved.bounded, given(problem));
    let size = divisor(&weights)?;
    let loss: Enclosure = weights.loss(&solved.c)?.into();
    let attained = Enclosure::from(best.weights.loss(&solved.c)?) / divisor(&best.weights)?;
    Ok(all_of([
        (
            "no weights do better",
            at_least(loss, best.value * size).on_scale_of("Σ|λ_i|‖W₁‖₂²‖W₂‖₂²", (solved.scale * size).hi()),
        ),
        ("attained in problem 1", equal(attained, best.value).on_scale_of("Σ|λ_i|", solved.scale)),
        ("‖W₁‖ = 1 at the optimum", equal(norm(&best.weights.first)?, 1)),
        ("‖W₂‖ = 1 at the optimum", equal(norm(&best.weights.second)?, 1)),
    ]))
}

/// The value of problem 1 if C has no negative eigenvalue, from weights that attain it.
fn value_without_negative(problem: &LinearProblem, solved: &Solved) -> Result<Enclosure, MeasureError> {
    let weights = match isotropic(problem, solved)? {
        Some(weights) => weights,
        None => bounded_weights(&solved.frame, &problem.lowest(1), problem.z(), problem.h())?,
    };
    Ok(Enclosure::from(weights.loss(&solved.c)?) / divisor(&weights)?)
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-3b", "scaled loss and bounded norms: problem 1 ⇔ problem 2", Kind::Equivalence)
        .statement(
            "for C with a negative eigenvalue, min L/(‖W₂‖₂²‖W₁‖₂²) over non-zero weights and min L s.t. ‖W₁‖₂, ‖W₂‖₂ \
             ≤ 1 have the same value, attained, and normalising maps the minimisers of the first onto those of the \
             second",
        )
        .source("Proposition 3, problems 1 and 2", &["first part of its proof"])
        .symbols([OPERATOR_NORM])
        .symbol("‖W₁‖⁴", "‖·‖ without an index is ‖·‖₂ too")
        .symbol("quotient", "L/(‖W₁‖₂²‖W₂‖₂²), both matrices not zero")
        .symbol("norm one", "‖W₁‖₂ = ‖W₂‖₂ = 1")
        .symbol("value", "the least value of a problem")
        .symbol("definite", "all eigenvalues of one sign, none zero")
        .remark(
            "P is the form L = ‖W₂ᵀW₁CW₁ᵀW₂‖₂² that Proposition 3 prints; T the trace, which the losses (1), (2) are \
             and with which its proof works.",
        )
        .remark(
            "Under P the two values are both 0; what fails is that the infimum is attained, and the invariance on \
             which the equivalence rests (and at every width zero weights solve problem 2, which no normalised weights \
             are). Under T the statement holds, and its hypothesis on C is needed for h = 1 only.",
        )
        .setting(printed_norm())
        .setting(no_negative())
}

fn printed_norm() -> Setting<LinearProblem, Solved> {
    with_a_negative_eigenvalue()
        .sense(
            "P",
            "printed norm: the least quotient at weights of norm one is its infimum, which is 0",
            fails(
                "the quotient has degree four in the weights: its infimum 0 is not attained if h = 1 and C is definite",
            ),
            |p, _| equal(exact(least_form(p)).square(), 0),
        )
        .checked_in_part("esser2024.TraceNorm.prop_3b_P_refuted")
        .sides("the least quotient at weights of norm one", "0")
        .sense(
            "T",
            "trace: problems 1 and 2 have the same value, attained by both at weights of norm one",
            holds(),
            |p, s| tried(|| same_problem(p, s)),
        )
        .because("the proposition says both that the loss is (1) or (2) and that this is its form")
        .step(
            "s1",
            "T: the quotient is invariant under W_i → s_iW_i, tried with (s₁, s₂) = (2, −3/2)",
            holds(),
            |p, s| tried(|| invariance(p, |w| Ok(w.loss(&s.c)?.into()))),
        )
        .sides("loss after × denominator before", "loss before × denominator after")
        .step(
            "s1-P",
            "P: the quotient is invariant under W_i → s_iW_i, tried with (s₁, s₂) = (2, −3/2)",
            fails("it is multiplied by (s₁s₂)²"),
            |p, s| tried(|| invariance(p, |w| Ok(s.printed_loss(w)?))),
        )
        .checked("esser2024.TraceNorm.prop_3b_s1_P_refuted")
        .sides("loss after × denominator before", "loss before × denominator after")
        .step(
            "s2",
            "T: the least L over ‖W₁‖₂, ‖W₂‖₂ ≤ 1, which is Σ_{i ≤ min(d,z,h)} min(λ_i, 0), is attained at ‖W₁‖₂ = \
             ‖W₂‖₂ = 1",
            holds(),
            |p, s| {
                tried(|| {
                    let best = &s.bounded;
                    let closed = value_of_problem_2(&p.eigenvalues(), p.z(), p.h())?;
                    Ok(all_of([
                        ("loss", equal(best.weights.loss(&s.c)?, closed).on_scale_of("Σ|λ_i|", s.scale)),
                        ("‖W₁‖", equal(norm(&best.weights.first)?, 1)),
                        ("‖W₂‖", equal(norm(&best.weights.second)?, 1)),
                    ]))
                })
            },
        )
        .amendment(
            "P-attained",
            "P: some non-zero W₁, W₂ have L = 0 iff h ≥ 2 or C is not definite; else L ≥ δ²‖W₁‖⁴‖W₂‖⁴ for all W₁, W₂, \
             with δ = min|λ_i| > 0",
            holds(),
            |p, s| {
                tried(|| {
                    let Some(weights) = isotropic(p, s)? else {
                        let delta = exact(least_form(p));
                        let (weights, mut parts) = (given(p), vec![("δ > 0", greater_than(delta, 0))]);
                        let bound = (delta * divisor(&weights)?).square();
                        parts.push(("all weights", at_least(s.printed_loss(&weights)?, bound)));
                        return Ok(all_of(parts));
                    };
                    let size = (s.scale * divisor(&weights)?).square();
                    Ok(all_of([
                        ("form", equal(s.printed_loss(&weights)?, 0).on_scale_of("(Σ|λ_i|‖W₁‖₂²‖W₂‖₂²)²", size.hi())),
                        ("non-zero", greater_than(divisor(&weights)?, 0)),
                    ]))
                })
            },
        )
        .control(
            "a",
            "T: the quotient with Frobenius norms, whose least value is λ₁, has the value of problem 2",
            |p, s| equal(exact(p.ascending()[0]), s.bounded.value).on_scale_of("Σ|λ_i|", s.scale),
        )
        .control("b", "T: L/(‖W₁‖₂‖W₂‖₂) is at least the value of problem 2", |_, s| {
            tried(|| {
                let far = scaled(&s.bounded.weights, 2.0, 2.0);
                let quotient = Enclosure::from(far.loss(&s.c)?) / divisor(&far)?.sqrt();
                Ok(at_least(quotient, s.bounded.value).on_scale_of("Σ|λ_i|", s.scale))
            })
        })
}

fn no_negative() -> Setting<LinearProblem, Solved> {
    Setting::measuring(|p: &LinearProblem, _| Solved::of(p))
        .given(NOTATION)
        .given(PROBLEMS)
        .assume(Hypothesis::new("C has no negative eigenvalue", |p| p.negative() == 0))
        .family(problems())
        .amendment(
            "no-negative",
            "T: problem 1 has the value λ₁ if h = 1 and 0 if h ≥ 2, problem 2 has 0; they agree iff h ≥ 2 or λ₁ = 0",
            holds(),
            |p, s| {
                tried(|| {
                    let (first, lowest) = (value_without_negative(p, s)?, p.ascending()[0]);
                    let (weights, second) = (given(p), s.bounded.value);
                    let (loss, size): (Enclosure, _) = (weights.loss(&s.c)?.into(), divisor(&weights)?);
                    let closed = value_of_problem_1(&p.eigenvalues(), p.z(), p.h())?;
                    let agree = p.h() >= 2 || lowest == 0.0;
                    Ok(all_of([
                        ("closed form", equal(first, closed).on_scale_of("Σ|λ_i|", s.scale)),
                        (
                            "no weights do better",
                            at_least(loss, Enclosure::from(closed) * size)
                                .on_scale_of("Σ|λ_i|‖W₁‖₂²‖W₂‖₂²", (s.scale * size).hi()),
                        ),
                        (
                            "against problem 2",
                            if agree {
                                equal(first, second).on_scale_of("Σ|λ_i|", s.scale)
                            } else {
                                greater_than(first, second)
                            },
                        ),
                    ]))
                })
            },
        )
}
