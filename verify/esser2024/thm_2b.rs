//! Proof of Theorem 2, first paragraph: are the printed flows the gradient flow of (8) under its constraints?
//!
//! For W₂ yes: L(W₂R) = L(W₂) for orthogonal R, so L lives on the Grassmannian, W₂ᵀG₂ = 2MᵀCM is symmetric and (I − W₂W₂ᵀ)G₂ is the
//! projected gradient. For W₁ no: L(W₁R) ≠ L(W₁), W₁ᵀG₁ = 2MMᵀC is not symmetric, and the orthogonal projection on the tangent space is
//! G₁ − W₁sym(W₁ᵀG₁) = (I − W₁W₁ᵀ)G₁ + W₁(MMᵀC − CMMᵀ). The printed flow drops the last term, whose norm is that of the
//! commutator: for square W₁ (h = d) it even freezes W₁. The true gradient flow has q′ = −4Λq + Λqqᵀq + 3qqᵀΛq, that of the
//! canonical metric q′ = −4(I − qqᵀ)Λq. All of them descend; at each point the printed one is the slowest.

use enclosures::linear_algebra::{IntervalMatrix, PlaneRotation};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, OutputFlow, WeightFlow};
use linear_ssl::self_supervised::{SelfSupervisedError, trace_loss};

use crate::shared::notation::{EIGENVALUES, LINEAR_PRODUCT, OUTPUTS, STIEFEL};
use crate::shared::orthonormal_network::{
    OrthonormalNetwork, Weights, entries_agree, inner, networks, off_range, turn,
};

struct ProjectedVelocities {
    w: Weights,
    /// G₁ and G₂.
    free: (IntervalMatrix, IntervalMatrix),
    /// G − W sym(WᵀG) for both.
    projected: (IntervalMatrix, IntervalMatrix),
    /// The printed W₁′ and W₂′.
    printed: (IntervalMatrix, IntervalMatrix),
    /// MMᵀC − CMMᵀ.
    commutator: IntervalMatrix,
}

impl ProjectedVelocities {
    fn of(network: &OrthonormalNetwork) -> Result<Self, FlowError> {
        let w = network.weights()?;
        let free = w.gradients()?;
        let square = w.product.product(&w.product.transpose())?;
        let half = square.product(&w.c)?;
        Ok(ProjectedVelocities {
            projected: w.projected_gradients()?,
            printed: WeightFlow::new(w.c.clone())?.velocity(&w.first, &w.second)?,
            commutator: half.minus(&half.transpose())?,
            free,
            w,
        })
    }

    fn agree(&self, a: &IntervalMatrix, b: &IntervalMatrix) -> Evaluation {
        entries_agree(a, b, self.w.steepest)
    }

    /// The printed velocity of W₁ (or W₂) is minus the projected gradient.
    fn is_gradient(&self, first: bool) -> Evaluation {
        let (printed, projected) =
            if first { (&self.printed.0, &self.projected.0) } else { (&self.printed.1, &self.projected.1) };
        self.agree(printed, &projected.scaled(-1.0))
    }

    fn squared_scale(&self) -> f64 {
        self.w.steepest * self.w.steepest
    }
}

fn tried(f: impl FnOnce() -> Result<Evaluation, FlowError>) -> Evaluation {
    f().into()
}

/// L after one of the matrices is multiplied by a rotation from the right, against L.
fn invariance(w: &Weights, first: bool) -> Result<Evaluation, SelfSupervisedError> {
    let rotated = |m: &IntervalMatrix| -> Result<IntervalMatrix, SelfSupervisedError> {
        let planes: Vec<PlaneRotation> = (1..m.columns()).map(|k| turn(k - 1, k, 0.5)).collect();
        Ok(m.product(&PlaneRotation::product_of(m.columns(), &planes)?)?)
    };
    let loss = |one: &IntervalMatrix, two: &IntervalMatrix| trace_loss(&two.transpose().product(one)?, &w.c);
    let moved = if first { loss(&rotated(&w.first)?, &w.second)? } else { loss(&w.first, &rotated(&w.second)?)? };
    Ok(equal(moved, loss(&w.first, &w.second)?).on_scale_of("|λ|max", w.steepest))
}

/// ‖WᵀZ + ZᵀW‖², zero for tangent Z.
fn off_tangent(w: &IntervalMatrix, z: &IntervalMatrix) -> Result<Interval, FlowError> {
    let half = w.transpose().product(z)?;
    Ok(half.plus(&half.transpose())?.frobenius_norm_squared())
}

/// L′ along given velocities, ⟨G₁, W₁′⟩ + ⟨G₂, W₂′⟩.
fn slope(s: &ProjectedVelocities, first: &IntervalMatrix, second: &IntervalMatrix) -> Interval {
    inner(&s.free.0, first) + inner(&s.free.1, second)
}

pub fn claim() -> Claim {
    Claim::new("esser2024.thm-2b", "the printed flows as constrained gradient descent", Kind::Identity)
        .statement(
            "the derivative of a function of γ restricted to the Grassmannian is (I − γγᵀ) times the free one; applied \
             to W₁ and to W₂ this makes the printed flows the gradient flow of (8) under the orthogonality constraints",
        )
        .source("Proof of Theorem 2, first paragraph", &["the text after Definition 1"])
        .symbols([STIEFEL, EIGENVALUES, OUTPUTS, LINEAR_PRODUCT])
        .symbol(
            "∇L",
            "the gradient G of L = Tr(MᵀCM) in W₁, 2W₂W₂ᵀW₁C, or in W₂, 2W₁CW₁ᵀW₂, as if there were no constraint",
        )
        .symbol("projected", "G on the tangent space {Z : WᵀZ + ZᵀW = 0} of W, orthogonally: G − W(WᵀG + GᵀW)/2")
        .symbol("printed", "W₁′ = −(I − W₁W₁ᵀ)∇L, W₂′ = −(I − W₂W₂ᵀ)∇L")
        .symbol(
            "gradient flow",
            "W_i′ minus the projected gradient, for both; q′ = VᵀW₁′ᵀW₂ + VᵀW₁ᵀW₂′ and L′ = ⟨∇₁L, W₁′⟩ + ⟨∇₂L, W₂′⟩ at \
             one point, ⟨A, B⟩ = Tr AᵀB",
        )
        .symbol("‖²", "the sum of the squared entries")
        .symbol("R", "a product of rotations by arctan(4/3) in the planes (k, k + 1)")
        .remark(
            "The rule needs f(γR) = f(γ) for orthogonal R. L has this invariance in W₂. In W₁ it lacks it, unless C \
             or MMᵀ is a multiple of the identity; where MMᵀ commutes with C, the printed W₁′ is minus the projected \
             gradient all the same.",
        )
        .remark(
            "What is left out is W₁(MMᵀC − CMMᵀ). On outputs the three flows are −4Λq + aΛqqᵀq + bqqᵀΛq with (a, b) = \
             (2, 2) as printed, (1, 3) for the gradient flow, (0, 4) for the canonical metric. For z = 1 on the sphere \
             ‖q‖ = 1 (h = d) they are one curve at the speeds 2 : 3 : 4.",
        )
        .setting(projected_gradients())
}

fn projected_gradients() -> Setting<OrthonormalNetwork, ProjectedVelocities> {
    Setting::measuring(|n: &OrthonormalNetwork, _| Ok(ProjectedVelocities::of(n)?))
        .given(
            "W₁ ∈ St(h,d), W₂ ∈ St(h,z), C symmetric with orthonormal eigenvectors V; |λ|max the largest |λ_i|, 10⁻⁹ \
             where that is less",
        )
        .degenerate("q = 0 or C = 0", |n| {
            n.weights().is_ok_and(|w| w.product.frobenius_norm_squared().hi() == 0.0) || n.steepest() == 0.0
        })
        .family(networks())
        .without_search()
        .part(
            "W1",
            "−(I−W₁W₁ᵀ)∇L is minus the gradient in W₁ projected on the tangent space",
            fails("L(W₁R) ≠ L(W₁): the Grassmannian rule does not apply to W₁, and W₁(MMᵀC − CMMᵀ) is missing"),
            |_, s| s.is_gradient(true),
        )
        .checked("esser2024.ProjectedGradient.theorem_2b_W1_refuted")
        .sides("an entry of −(I−W₁W₁ᵀ)∇L", "that entry of minus the projection")
        .part(
            "W2",
            "−(I−W₂W₂ᵀ)∇L is minus the gradient in W₂ projected on the tangent space",
            holds(),
            |_, s| s.is_gradient(false),
        )
        .checked("esser2024.ProjectedGradient.theorem_2b_W2")
        .step("invariant-W2", "L(W₁, W₂R) = L(W₁, W₂) for orthogonal R", holds(), |_, s| {
            invariance(&s.w, false).into()
        })
        .step(
            "invariant-W1",
            "L(W₁R, W₂) = L(W₁, W₂) for orthogonal R",
            fails("it replaces C by RCRᵀ"),
            |_, s| invariance(&s.w, true).into(),
        )
        .sides("L(W₁R, W₂)", "L(W₁, W₂)")
        .amendment(
            "W1-gradient",
            "the projected gradient in W₁ is (I−W₁W₁ᵀ)∇L + W₁(MMᵀC − CMMᵀ)",
            holds(),
            |_, s| {
                tried(|| {
                    let extra = s.w.first.product(&s.commutator)?;
                    Ok(s.agree(&s.projected.0, &off_range(&s.w.first, &s.free.0)?.plus(&extra)?))
                })
            },
        )
        .checked("esser2024.ProjectedGradient.theorem_2b_W1_gradient")
        .amendment(
            "missing",
            "the squared distance of the printed W₁′ to minus the projected gradient is ‖MMᵀC − CMMᵀ‖²",
            holds(),
            |_, s| {
                tried(|| {
                    let off = s.printed.0.plus(&s.projected.0)?.frobenius_norm_squared();
                    Ok(equal(off, s.commutator.frobenius_norm_squared()).on_scale_of("|λ|max²", s.squared_scale()))
                })
            },
        )
        .amendment("gradient-flow", "the gradient flow has q′ = −4Λq + Λqqᵀq + 3qqᵀΛq", holds(), |n, s| {
            tried(|| {
                let left = s.w.output_velocity(&(s.projected.0.scaled(-1.0), s.projected.1.scaled(-1.0)))?;
                Ok(s.agree(&left, &OutputFlow::stiefel(n.spectrum.clone())?.velocity(&s.w.q)?))
            })
        })
        .checked("esser2024.ProjectedGradient.theorem_2b_gradient_flow")
        .sharpening(
            "canonical",
            "with the canonical metric, W′ = −(G − WGᵀW) for both, q′ = −4(I − qqᵀ)Λq",
            holds(),
            |n, s| {
                tried(|| {
                    let of = |w: &IntervalMatrix, g: &IntervalMatrix| -> Result<IntervalMatrix, FlowError> {
                        Ok(w.product(&g.transpose().product(w)?)?.minus(g)?)
                    };
                    let left = s.w.output_velocity(&(of(&s.w.first, &s.free.0)?, of(&s.w.second, &s.free.1)?))?;
                    Ok(s.agree(&left, &OutputFlow::canonical(n.spectrum.clone())?.velocity(&s.w.q)?))
                })
            },
        )
        .sharpening(
            "slowest",
            "L′ along the printed flow is L′ along the gradient flow plus ‖MMᵀC − CMMᵀ‖²",
            holds(),
            |_, s| {
                let printed = slope(s, &s.printed.0, &s.printed.1);
                let gradient = -slope(s, &s.projected.0, &s.projected.1);
                equal(printed, gradient + s.commutator.frobenius_norm_squared())
                    .on_scale_of("|λ|max²", s.squared_scale())
            },
        )
        .control(
            "a",
            "Z = (I−WWᵀ)∇L is not tangent: ‖WᵀZ + ZᵀW‖² > 1e-12 max λ_i² in the sum over W₁ and W₂",
            |_, s| {
                tried(|| {
                    let one = off_tangent(&s.w.first, &off_range(&s.w.first, &s.free.0)?)?;
                    let two = off_tangent(&s.w.second, &off_range(&s.w.second, &s.free.1)?)?;
                    Ok(greater_than(one + two, Interval::point(s.w.steepest).square() * 1e-12))
                })
            },
        )
        .control("b", "∇L itself is tangent in W₂: ‖W₂ᵀ∇L + ∇LᵀW₂‖² = 0", |_, s| {
            tried(|| Ok(equal(off_tangent(&s.w.second, &s.free.1)?, 0).on_scale_of("|λ|max²", s.squared_scale())))
        })
        .control(
            "c",
            "L′ along the printed flow is at most L′ along the gradient flow plus 99/100 of ‖MMᵀC − CMMᵀ‖²",
            |_, s| {
                let printed = slope(s, &s.printed.0, &s.printed.1);
                let gradient = -slope(s, &s.projected.0, &s.projected.1);
                at_most(printed, gradient + s.commutator.frobenius_norm_squared() * 0.99)
            },
        )
}
