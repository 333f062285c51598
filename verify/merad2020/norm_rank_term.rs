//! Section 8, proof of Lemma 5: the norm of the curvature term is printed as 8 max ‖z_i‖‖z_j‖.
//!
//! diag v − vvᵀ = v_1v_2 (1, −1)ᵀ(1, −1) has rank one, so the term is v_1v_2 ggᵀ with g = ∂cos_13 − ∂cos_12 = (z_3 − z_2, −z_1, z_1), and
//! its norm is s(1−s)G, G = ‖z_3 − z_2‖² + 2‖z_1‖². From s(1−s) ≤ ¼ and ‖z_3 − z_2‖² ≤ 2‖z_2‖² + 2‖z_3‖²:
//!
//!   s(1−s)G ≤ G/4 ≤ ½(‖z_1‖² + ‖z_2‖² + ‖z_3‖²) ≤ (3/2)M²,  M = max_j ‖z_j‖.
//!
//! Equality throughout means a = 0, z_3 = −z_2 and equal norms, which d ≥ 2 allows (z_1 orthogonal to z_2) and d = 1 approaches as
//! z → 0: 3/2 is the best constant in every dimension. The printed 8M² is attained at z = 0 only.

use contrastive::Triplet;
use enclosures::linear_algebra::IntervalMatrix;
use evidence::prelude::*;

use super::norm_hessian::largest_product_of_two;
use crate::shared::blocks::{Blocks, same_on, spectral_norm};
use crate::shared::notation::{INNER_PRODUCT_GRADIENT, NORM, OUTPUT_TRIPLE, SIGMOID, SOFTMAX_DERIVATIVE};
use crate::shared::triples::{drawn, families, is_nonzero, largest_squared_norm, named, norms};

const NOTATION: &str = "M = max_j ‖z_j‖, s = σ(z_1·(z_3 − z_2)), g = (z_3 − z_2, −z_1, z_1), G = ‖g‖²";

struct RankTermNorms {
    /// s(1−s)G.
    term: Enclosure,
    /// G.
    g: Enclosure,
    /// max_{i,j} ‖z_i‖‖z_j‖ = M².
    square: Enclosure,
}

fn measured(z: &Triplet) -> RankTermNorms {
    RankTermNorms { term: z.curvature_norm(), g: z.squared_argument_gradient(), square: largest_squared_norm(z) }
}

/// s(1−s) ggᵀ as a matrix.
fn outer_product(z: &Triplet) -> Result<IntervalMatrix, MeasureError> {
    let [anchor, positive, negative] = z.vectors();
    let point = Interval::point;
    let difference = negative.iter().zip(positive).map(|(&n, &p)| point(n) - p);
    let g: Vec<_> =
        difference.chain(anchor.iter().map(|&x| point(-x))).chain(anchor.iter().map(|&x| point(x))).collect();
    let factor = (z.slope() * z.complement()).interval();
    Ok(IntervalMatrix::from_fn(g.len(), g.len(), |i, j| factor * g[i] * g[j])?)
}

pub fn claim() -> Claim {
    Claim::new("merad2020.norm-rank-term", "norm of the curvature term", Kind::Identity)
        .statement("‖(∂cos_12 ∂cos_13)·∂v‖ = 8·max_{i,j} ‖z_i‖‖z_j‖")
        .symbols([OUTPUT_TRIPLE, INNER_PRODUCT_GRADIENT, SOFTMAX_DERIVATIVE, SIGMOID, NORM])
        .source("section 8, proof of Lemma 5", &["proof of Lemma 4.1 of the earlier version"])
        .remark(
            "Read as an upper bound it is true and suffices. The exact value is s(1−s)G with G = ‖z_3 − z_2‖² + \
             2‖z_1‖², because the softmax Jacobian of two outcomes has rank one; the best multiple of max ‖z_i‖‖z_j‖ \
             is 3/2, so 8 is too large by the factor 16/3. The maximum must include i = j.",
        )
        .setting(equality())
        .setting(rank_one())
}

fn equality() -> Setting<Triplet, RankTermNorms> {
    Setting::measuring(|z: &Triplet, _| Ok(measured(z)))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1")
        .given(NOTATION)
        .degenerate("one of the vectors vanishes", |z| z.vectors().iter().any(|v| v.iter().all(|&x| x == 0.0)))
        .family(families())
        .part(
            "equality",
            "‖(∂cos_12 ∂cos_13)·∂v‖ = 8M²",
            fails("the norm is s(1−s)G ≤ (3/2)M²: equality at z = 0 only"),
            |_, n| equal(n.term, 8.0 * n.square),
        )
        .checked("merad2020.Norms.norm_rank_term_equality_refuted")
        .sides("‖(∂cos_12 ∂cos_13)·∂v‖", "8M²")
        .meant("upper", "‖(∂cos_12 ∂cos_13)·∂v‖ ≤ 8M²", holds(), |_, n| at_most(n.term, 8.0 * n.square))
        .checked("merad2020.Norms.norm_rank_term_upper")
        .because("the proof bounds norms, and Lemma 3 needs no more than the bound")
        .amendment("zero-only", "‖(∂cos_12 ∂cos_13)·∂v‖ < 8M²", holds(), |_, n| {
            less_than(n.term, 8.0 * n.square)
        })
        .assume(Hypothesis::new("z ≠ 0", is_nonzero))
        .amendment("at-zero", "‖(∂cos_12 ∂cos_13)·∂v‖ = 8M² = 0", holds(), |_, n| {
            all_of([("norm", equal(n.term, Enclosure::ZERO)), ("bound", equal(8.0 * n.square, 0))])
        })
        .assume(Hypothesis::new("z = 0", |z| !is_nonzero(z)))
        .not_evidence("at z = 0 every term of both sides is zero")
        .sharpening(
            "chain",
            "‖(∂cos_12 ∂cos_13)·∂v‖ = s(1−s)G ≤ G/4 ≤ ½‖z‖² ≤ (3/2)M²",
            holds(),
            |z, n| {
                let half = 0.5 * norms(z).into_iter().map(Enclosure::square).sum::<Enclosure>();
                ascending([n.term, 0.25 * n.g, half, 1.5 * n.square])
            },
        )
        .checked("merad2020.Norms.norm_rank_term_chain")
        .control("a", "‖(∂cos_12 ∂cos_13)·∂v‖ ≤ M²", |_, n| at_most(n.term, n.square))
        .control(
            "b",
            "‖(∂cos_12 ∂cos_13)·∂v‖ ≤ 8·max_{i≠j} ‖z_i‖‖z_j‖, different indices only",
            |z, n| at_most(n.term, 8.0 * largest_product_of_two(z)),
        )
        .control("c", "‖(∂cos_12 ∂cos_13)·∂v‖ ≤ 1.49·M²: a constant below 3/2", |_, n| {
            at_most(n.term, 1.49 * n.square)
        })
}

fn rank_one() -> Setting<Triplet, Blocks> {
    Setting::measuring(|z: &Triplet, _| Blocks::of(z))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1")
        .given(NOTATION)
        .family(edge("named", named))
        .family(random("drawn triples", drawn))
        .without_search()
        .amendment("rank-one", "(∂cos_12 ∂cos_13)·∂v = s(1−s)·ggᵀ, entry by entry", holds(), |z, b| {
            // The blocks subtract ∂cos_12 from ∂cos_13 after multiplying: their rounding is relative to M², not to G.
            let scale = (largest_squared_norm(z) * z.slope() * z.complement()).hi();
            outer_product(z).map(|outer| same_on(&b.rank_term, &outer, "M²s(1−s)", scale)).into()
        })
        .amendment(
            "exact",
            "‖(∂cos_12 ∂cos_13)·∂v‖ = s(1−s)G, the left side from verified eigenvalues of the 3d × 3d matrix",
            holds(),
            |z, b| {
                let scale = (largest_squared_norm(z) * z.slope() * z.complement()).hi();
                let compared = |dense| equal(z.curvature_norm(), dense).on_scale_of("M²s(1−s)", scale);
                Evaluation::from(spectral_norm(&b.rank_term).map(compared))
            },
        )
}
