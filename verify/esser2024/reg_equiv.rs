//! Before Proposition 2: loss plus norm penalty against loss under a norm constraint.
//!
//! *False* where it matters, by homogeneity. Along rays (sW₁, sW₂) the loss grows like s⁴. If λ₁ < 0 the sum penalty β(‖W₁‖² + ‖W₂‖²), which
//! grows like s², loses: the penalised loss has no minimum for any β (only a local one, at zero weights). The product penalty β‖W₂ᵀW₁‖² gives
//! Tr(Mᵀ(C + βI)M): no minimum for β < −λ₁, only M = 0 for β > −λ₁, and at β = −λ₁ every M with columns in the lowest eigenspace, of any size. So no
//! radius r > 0 corresponds to a β. If λ₁ ≥ 0 zero weights minimise, and only the radius zero corresponds.
//!
//! *Amended*: penalties of a higher degree than the loss. As ‖M‖_F ≤ ‖W₁‖‖W₂‖ (Frobenius norms), L ≥ λ₁‖W₁‖²‖W₂‖² ≥ λ₁N²/4 for N = ‖W₁‖² + ‖W₂‖², so L + βN³
//! has the minimum −(−λ₁)³/(432β²), attained where L = λ₁c⁴ and ‖W₁‖² = ‖W₂‖² = c² = −λ₁/(12β): the minimisers of L under ‖W_i‖_F ≤ c. In the same way
//! L + β‖M‖_F⁴ is minimised where L is under ‖M‖_F² ≤ −λ₁/(2β). Every radius has its β.

use enclosures::linear_algebra::{IntervalMatrix, PlaneRotation, SymmetricMatrix};
use evidence::prelude::*;

use crate::shared::hypotheses::{NEGATIVE, has_a_negative_eigenvalue};
use crate::shared::notation::{FROBENIUS_NORM, LINEAR_PRODUCT};
use crate::shared::optima::{FeasibleWeights, bounded_weights};
use crate::shared::solved::{Tried, tried};
use crate::shared::spectra::{LinearProblem, problems};

const AT_ZERO: &str = "zero weights";

/// Weights that no factor brings to ‖M‖_F = 1.
const NO_OUTPUT: &str = "M = 0";

/// What differences of penalised losses are compared on.
const PENALISED: &str = "Σ|λ_i| times the norms, and the penalty";

/// C, the unit weights with M = v₁e₁ᵀ, and the weights of the instance.
struct Rays {
    c: IntervalMatrix,
    /// Of Frobenius norm one each, M = v₁e₁ᵀ.
    lowest: FeasibleWeights,
    given: FeasibleWeights,
    /// λ₁.
    bottom: f64,
    /// Σ|λ_i|.
    scale: f64,
}

/// ‖W₁‖_F² and ‖W₂‖_F², the loss, and ‖M‖_F².
struct RegularisedSizes {
    first: Enclosure,
    second: Enclosure,
    loss: Enclosure,
    product: Enclosure,
}

impl RegularisedSizes {
    fn sum(&self) -> Enclosure {
        self.first + self.second
    }
}

impl Rays {
    fn of(problem: &LinearProblem) -> Result<Self, MeasureError> {
        let frame = PlaneRotation::product_of(problem.d(), &problem.rotations)?;
        let c = SymmetricMatrix::Spectral { spectrum: problem.spectrum.clone(), rotations: problem.rotations.clone() };
        Ok(Rays {
            c: c.entries()?,
            lowest: bounded_weights(&frame, &problem.lowest(1), problem.z(), problem.h())?,
            given: FeasibleWeights { first: (&problem.first).into(), second: (&problem.second).into() },
            bottom: problem.ascending()[0],
            scale: problem.spectrum.iter().map(|l| l.abs()).sum(),
        })
    }

    fn sizes(&self, weights: &FeasibleWeights) -> Result<RegularisedSizes, MeasureError> {
        Ok(RegularisedSizes {
            first: weights.first.frobenius_norm_squared().into(),
            second: weights.second.frobenius_norm_squared().into(),
            loss: weights.loss(&self.c)?.into(),
            product: weights.map()?.frobenius_norm_squared().into(),
        })
    }

    /// The lowest weights with ‖W_i‖² = size.
    fn along(&self, size: Enclosure) -> Result<RegularisedSizes, MeasureError> {
        let root = size.sqrt().interval();
        self.sizes(&FeasibleWeights { first: self.lowest.first.scaled(root), second: self.lowest.second.scaled(root) })
    }

    /// The penalties that are tried: those of 0.1, 1, |λ₁| and 10|λ₁| that are positive.
    fn penalties(&self) -> Vec<f64> {
        let size = self.bottom.abs();
        [0.1, 1.0, size, 10.0 * size].into_iter().filter(|b| *b > 0.0).collect()
    }

    fn for_each(&self, judged: impl Fn(f64) -> Tried) -> Evaluation {
        all_of(self.penalties().into_iter().map(|b| (format!("β = {b}"), tried(|| judged(b)))))
    }

    /// Where the sum penalty is overcome: ‖W_i‖² = 4β/|λ₁|; 1 if λ₁ = 0.
    fn far(&self, beta: f64) -> Enclosure {
        if self.bottom == 0.0 { Enclosure::ONE } else { 4.0 * exact(beta) / self.bottom.abs() }
    }

    /// L + β(‖W₁‖² + ‖W₂‖²) ≥ 0 at the instance's weights and far out along v₁: a minimum s > 0 on a ray s⁴L + s²βN would need L = −βN/(2s²) and
    /// then has a negative second derivative, so zero is the only minimum there can be.
    fn sum_penalty_has_a_minimum(&self, beta: f64) -> Tried {
        let objective = |s: &RegularisedSizes| s.loss + s.sum() * beta;
        let (given, far) = (self.sizes(&self.given)?, self.along(self.far(beta))?);
        let size = (self.scale * given.first * given.second + given.sum() * beta).hi();
        Ok(all_of([
            ("far along v₁", at_least(objective(&far), 0)),
            (
                "the instance's weights",
                at_least(objective(&given), 0).on_scale_of("Σ|λ_i|‖W₁‖_F²‖W₂‖_F² and the penalty", size),
            ),
        ]))
    }

    /// Tr(Mᵀ(C + βI)M) ≥ 0.
    fn product_penalty_has_a_minimum(&self, beta: f64) -> Tried {
        let one = self.along(Enclosure::ONE)?;
        Ok(at_least(one.loss + one.product * beta, 0).on_scale_of("Σ|λ_i| + β", self.scale + beta))
    }

    /// The minimisers of the constrained problem of radius one are strictly better than zero and than their doubles, for β = −λ₁ (no other β could do).
    fn product_penalty_of_radius_one(&self) -> Tried {
        let beta = -self.bottom;
        let objective = |s: &RegularisedSizes| s.loss + s.product * beta;
        let (at, beyond) = (self.along(Enclosure::ONE)?, self.along(2.into())?);
        let scale = 16.0 * self.scale;
        Ok(all_of([
            ("against zero", greater_than(0, objective(&at)).on_scale_of("16Σ|λ_i|", scale)),
            (
                "against twice the radius",
                greater_than(objective(&beyond), objective(&at)).on_scale_of("16Σ|λ_i|", scale),
            ),
        ]))
    }

    /// At β = −λ₁ the lowest weights minimise the product-penalised loss, and L among the weights with ‖M‖_F = 1.
    fn minimiser_of_its_own_size(&self) -> Tried {
        let beta = -self.bottom;
        let (at, given) = (self.along(Enclosure::ONE)?, self.sizes(&self.given)?);
        let size = self.scale * given.first * given.second + given.product * beta;
        let penalised =
            at_least(given.loss + given.product * beta, at.loss + at.product * beta).on_scale_of(PENALISED, size.hi());
        let constrained = if given.product.lo() > 0.0 {
            at_least(given.loss, at.loss * given.product).on_scale_of(PENALISED, size.hi())
        } else {
            vacuous(NO_OUTPUT)
        };
        Ok(all_of([("penalised", penalised), ("under the constraint", constrained)]))
    }

    /// The minimum of L + βN³, its place, and no weights below it.
    fn cubed(&self, beta: f64) -> Tried {
        let (b, down) = (exact(beta), exact(-self.bottom));
        let square = down / (12.0 * b);
        let value = -(down.powi(3) / (432.0 * b.square()));
        let objective = |s: &RegularisedSizes| s.loss + s.sum().powi(3) * beta;
        let (at, given) = (self.along(square)?, self.sizes(&self.given)?);
        let size = self.scale * given.first * given.second + given.sum().powi(3) * beta;
        let constrained = self.bottom * square.square();
        let on_sphere = given.loss * square.square() / (given.first * given.second);
        let sphere_size = self.scale * square.square();
        Ok(all_of([
            ("minimum", equal(objective(&at), value).on_scale_of(PENALISED, (sphere_size - value).hi())),
            ("all weights", at_least(objective(&given), value).on_scale_of(PENALISED, (size - value).hi())),
            ("minimum under the constraint", equal(at.loss, constrained).on_scale_of(PENALISED, sphere_size.hi())),
            (
                "all weights of these norms",
                if given.first.lo() > 0.0 && given.second.lo() > 0.0 {
                    at_least(on_sphere, constrained).on_scale_of(PENALISED, sphere_size.hi())
                } else {
                    // With a matrix zero L is 0, as at zero weights, which are within every radius.
                    at_least(given.loss, constrained).on_scale_of(PENALISED, sphere_size.hi())
                },
            ),
        ]))
    }

    /// The minimum −λ₁²/(4β) of L + β‖M‖_F⁴ at ‖M‖_F² = −λ₁/(2β).
    fn squared(&self, beta: f64) -> Tried {
        let (b, down) = (exact(beta), exact(-self.bottom));
        let value = -(down.square() / (4.0 * b));
        let objective = |s: &RegularisedSizes| s.loss + s.product.square() * beta;
        // ‖M‖_F² is the square of ‖W_i‖².
        let (at, given) = (self.along((down / (2.0 * b)).sqrt())?, self.sizes(&self.given)?);
        let size = self.scale * given.product + given.product.square() * beta;
        Ok(all_of([
            ("minimum", equal(objective(&at), value).on_scale_of(PENALISED, (self.scale * at.product - value).hi())),
            ("all weights", at_least(objective(&given), value).on_scale_of(PENALISED, (size - value).hi())),
        ]))
    }

    fn penalised(&self, beta: f64) -> Result<(Enclosure, RegularisedSizes), MeasureError> {
        let given = self.sizes(&self.given)?;
        Ok((given.loss + given.sum() * beta, given))
    }
}

const BELOW_ZERO: Hypothesis<LinearProblem> = Hypothesis::new(NEGATIVE, has_a_negative_eigenvalue);

pub fn claim() -> Claim {
    Claim::new("esser2024.reg-equiv", "regularised and constrained problems", Kind::Equivalence)
        .statement(
            "min L + β(‖W₁‖_F² + ‖W₂‖_F²), or min L + β‖W₂ᵀW₁‖_F², is equivalent to minimising L under a norm \
             constraint: for every β > 0 there are radii with the same minimisers, and conversely",
        )
        .source("SSL with (Orthogonality) Constraints", &["the paragraph before Proposition 2"])
        .symbols([FROBENIUS_NORM, LINEAR_PRODUCT])
        .symbol("W₁", "any h×d and h×z matrices W₁, W₂")
        .symbol("C", "a symmetric d×d matrix")
        .sense("both-ways", "penalties and radii correspond, with the same minimisers")
        .sense(
            "one-way",
            "a minimiser of a penalised loss, where there is one, solves the constrained problem of its size",
        )
        .remark(
            "Zero weights are a strict local minimum of the sum-penalised loss: small starts collapse to zero, large \
             ones diverge.",
        )
        .setting(printed())
}

fn printed() -> Setting<LinearProblem, Rays> {
    Setting::measuring(|p: &LinearProblem, _| Rays::of(p))
        .given(
            "linear two-layer model, L = Tr(MᵀCM), M = W₁ᵀW₂, λ_i the eigenvalues of C, λ₁ the lowest; sum penalty \
             β(‖W₁‖_F² + ‖W₂‖_F²), product penalty β‖M‖_F²; β, where the line does not say, any number > 0, tried at \
             those of 0.1, 1, |λ₁|, 10|λ₁| that are positive",
        )
        .family(problems())
        .part(
            "printed",
            "sum penalty: L + β(‖W₁‖_F² + ‖W₂‖_F²) has a minimum (which must be zero weights)",
            fails("λ₁ < 0: the loss is of degree four and the penalty of degree two, so there is no minimum for any β"),
            |_, r| r.for_each(|b| r.sum_penalty_has_a_minimum(b)),
        )
        .checked("esser2024.RegularisedLoss.reg_equiv_printed_refuted")
        .sides("L + β(‖W₁‖² + ‖W₂‖²)", "0")
        .in_sense("both-ways")
        .part(
            "product",
            "product penalty: L + β‖M‖_F² has a minimum",
            fails("no minimum for β < −λ₁"),
            |_, r| r.for_each(|b| r.product_penalty_has_a_minimum(b)),
        )
        .checked("esser2024.RegularisedLoss.reg_equiv_product_refuted")
        .sides("L + β‖M‖_F² at a unit M along v₁", "0")
        .in_sense("both-ways")
        .part(
            "product-converse",
            "the radius ‖M‖_F ≤ 1 has a β with the same minimisers: for some β > 0 those of L + β‖M‖_F² are those of L \
             under ‖M‖_F ≤ 1",
            fails("the only candidate β = −λ₁ makes all radii equally good"),
            |_, r| tried(|| r.product_penalty_of_radius_one()),
        )
        .checked("esser2024.RegularisedLoss.reg_equiv_product_converse_refuted")
        .assume(BELOW_ZERO)
        .sides("L + β‖M‖_F² at M = 0, or beyond the radius", "L + β‖M‖_F² at ‖M‖_F = 1, β = −λ₁")
        .in_sense("both-ways")
        .part(
            "own-size",
            "product penalty, β = −λ₁: M = v₁e₁ᵀ, v₁ a unit eigenvector of λ₁, minimises L + β‖M‖_F², and no weights \
             with ‖M‖_F = 1 have a smaller L",
            holds(),
            |_, r| tried(|| r.minimiser_of_its_own_size()),
        )
        .checked("esser2024.RegularisedLoss.reg_equiv_own_size")
        .assume(BELOW_ZERO)
        .except(NO_OUTPUT)
        .in_sense("one-way")
        .because("the only positive penalty of degree two with a minimiser other than zero weights")
        .amendment(
            "cubed",
            "L + β(‖W₁‖_F² + ‖W₂‖_F²)³ has the minimum −(−λ₁)³/(432β²), and the minimisers of L under ‖W₁‖_F², ‖W₂‖_F² \
             ≤ −λ₁/(12β)",
            holds(),
            |_, r| r.for_each(|b| r.cubed(b)),
        )
        .checked("esser2024.RegularisedLoss.reg_equiv_cubed")
        .assume(BELOW_ZERO)
        .amendment(
            "squared",
            "L + β‖W₂ᵀW₁‖_F⁴ has the minimum −λ₁²/(4β), and the minimisers of L under ‖M‖_F² ≤ −λ₁/(2β)",
            holds(),
            |_, r| r.for_each(|b| r.squared(b)),
        )
        .checked("esser2024.RegularisedLoss.reg_equiv_squared")
        .assume(BELOW_ZERO)
        .amendment(
            "no-negative",
            "L + β(‖W₁‖_F² + ‖W₂‖_F²) ≥ β(‖W₁‖_F² + ‖W₂‖_F²): zero weights are the only minimiser under the sum \
             penalty, so only radius zero corresponds",
            holds(),
            |_, r| {
                r.for_each(|b| {
                    let (value, given) = r.penalised(b)?;
                    // L ≥ 0 leaves at least the penalty.
                    Ok(at_least(value, given.sum() * b)
                        .on_scale_of(PENALISED, (r.scale * given.first * given.second + given.sum() * b).hi()))
                })
            },
        )
        .checked("esser2024.RegularisedLoss.reg_equiv_no_negative")
        .assume(Hypothesis::new("C has no negative eigenvalue", |p| p.negative() == 0))
        .control(
            "a",
            "L + β(‖W₁‖_F² + ‖W₂‖_F²) ≤ 0 at some non-zero weights, which are as good as zero",
            |_, r| {
                r.for_each(|b| {
                    let (value, given) = r.penalised(b)?;
                    Ok(if given.sum().lo() > 0.0 { at_most(value, 0) } else { vacuous(AT_ZERO) })
                })
            },
        )
        .except(AT_ZERO)
        .assume(Hypothesis::new("C positive definite", |p| p.at_most_zero() == 0))
        .control("b", "the least L under ‖W₁‖_F, ‖W₂‖_F ≤ 1 is 0", |_, r| {
            tried(|| Ok(at_least(r.along(Enclosure::ONE)?.loss, 0)))
        })
        .control(
            "c",
            "L + β(‖W₁‖_F² + ‖W₂‖_F²)³ has its minimum at M = −λ₁/(8β)·v₁e₁ᵀ with ‖W_i‖_F² = −λ₁/(8β), v₁ a unit \
             eigenvector of λ₁, e₁ the first unit vector of ℝ^z",
            |_, r| {
                r.for_each(|b| {
                    let down = exact(-r.bottom);
                    let at = r.along(down / (8.0 * exact(b)))?;
                    let value = -(down.powi(3) / (432.0 * exact(b).square()));
                    Ok(at_most(at.loss + at.sum().powi(3) * b, value))
                })
            },
        )
        .assume(Hypothesis::new(NEGATIVE, has_a_negative_eigenvalue))
}
