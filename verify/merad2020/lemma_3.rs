//! Lemma 3: on the product of balls of radius C the loss of one triplet is smooth with a constant of at most 2 + 8C².
//!
//! Write w = z_3 − z_2, a = z_1·w, G = ‖w‖² + 2‖z_1‖², s = σ(a), k = 1 − s, τ = tanh(a/2). The Hessian is sK + sk ggᵀ and its norm
//! N = s(kG/2 + √((kG/2)² + 4ka + 2)) is also its largest eigenvalue, so on a convex set the best constant in (12) is the supremum
//! of N. Two bounds of N, for all z:
//!
//! 1. N ≤ √2 s + skG, and s ≤ ½ + max(a, 0)/4, |a| ≤ G/(2√2), sk ≤ ¼ give **N ≤ 1/√2 + 3G/8**, with equality at z = 0.
//! 2. **N ≤ 1 + G/4**: N is the larger root of λ² − skGλ − s²(4ka + 2). With sk = (1 − τ²)/4 its value at λ = 1 + G/4 is
//!    (1 + G/4)(1 + τ²G/4) − ½(1 + τ)² − ½a(1 + τ)(1 − τ²). For a ≤ 0 that is at least 1 − ½. For a > 0 put G = 2√2 a (it
//!    grows with G) and then a = 2τ (a ≥ 2τ, and the coefficient (1 + τ²)/√2 − ½(1 + τ)(1 − τ²) of a is positive): what remains is
//!    ½ − (2 − √2)τ − (3/2)τ² + (1 + √2)τ³ + 3τ⁴ ≥ ¼ on [0, 1].
//!
//! On the ball G ≤ 6C², so the supremum S(C, d) is at most min(1/√2 + 9C²/4, 1 + 3C²/2). For d ≥ 2 the factor 3/2 is the best (z_1
//! orthogonal to z_3 = −z_2 gives more than 3C²/2); 2 + 8C² is never attained and too large by a factor between 2√2 (C → 0) and
//! 5.65, with limit 16/3. For d = 1 a large G forces a large |a|: given a, G ≤ 4C² + a²/(2C²) ≤ 4C² + |a|, and N ≤ √2 s + sk G ≤
//! √2 + C² + sk|a| < 5/3 + C² because x σ(x)σ(−x) < ¼ for x ≥ 0.

use contrastive::{Triplet, largest_hessian_norm};
use enclosures::interval::HyperDual;
use enclosures::linear_algebra::IntervalMatrix;
use enclosures::vectors::sum_of_products;
use evidence::prelude::*;

use crate::shared::ball_maximum::{Ball, balls, drawn_balls};
use crate::shared::blocks::{Blocks, Derivatives, argument, derivatives, product_gradient, product_hessian, same};
use crate::shared::notation::{
    BLOCK_COLUMN, HESSIAN, INNER_PRODUCT_GRADIENT, NORM, OUTPUT_TRIPLE, SIGMOID, TRIPLET_LOSS,
};
use crate::shared::scaled_hessian;
use crate::shared::triples::{drawn, families, largest_norm, largest_squared_norm, named};

/// N and C², with C the radius of the smallest product of balls that contains the triple.
struct Curvature {
    norm: Enclosure,
    square: Enclosure,
}

fn curvature(z: &Triplet) -> Curvature {
    Curvature { norm: z.hessian_spectral_norm().into(), square: largest_squared_norm(z) }
}

impl Ball {
    fn largest(&self) -> Enclosure {
        Enclosure::from(largest_hessian_norm(self.dimension as usize, self.radius)).proved()
    }

    fn square(&self) -> Enclosure {
        exact(self.radius).square()
    }
}

/// Everything the steps compare: the printed blocks, and the exact derivatives of the definitions.
struct Proof {
    blocks: Blocks,
    /// The inner products z_i·z_j, with (i, j) counted from 0.
    products: Vec<(usize, usize, Derivatives)>,
    loss: Derivatives,
    /// v_1 and v_2.
    softmax: [Derivatives; 2],
    gradients: Vec<IntervalMatrix>,
}

fn proof(z: &Triplet) -> Result<Proof, MeasureError> {
    let pairs = [(0, 1), (0, 2), (1, 2)];
    let of_pair = |(i, j)| {
        let product = derivatives(z, |v: [&[HyperDual]; 3]| sum_of_products(v[i], v[j]))?;
        Ok((i, j, product))
    };
    Ok(Proof {
        blocks: Blocks::of(z)?,
        products: pairs.into_iter().map(of_pair).collect::<Result<_, MeasureError>>()?,
        loss: derivatives(z, |v| argument(v).softplus())?,
        softmax: [derivatives(z, |v| (-argument(v)).sigmoid())?, derivatives(z, |v| argument(v).sigmoid())?],
        gradients: pairs.into_iter().map(|(i, j)| product_gradient(z, i, j)).collect::<Result<_, _>>()?,
    })
}

fn row(matrix: &IntervalMatrix, index: usize) -> Result<IntervalMatrix, MeasureError> {
    let entries: Vec<Interval> = matrix.row_iter().nth(index).ok_or("no such row")?.to_vec();
    Ok(IntervalMatrix::new(entries.len(), 1, entries)?)
}

pub fn claim() -> Claim {
    Claim::new("merad2020.lemma-3", "smoothness constant on the product of balls", Kind::Inequality)
        .statement(
            "on B³ = {max_j ‖z_j‖ ≤ C}, ℓ satisfies (12) with a constant L_smooth ≤ 2 + 8C², for every d ≥ 1 and C > 0",
        )
        .symbols([OUTPUT_TRIPLE, TRIPLET_LOSS, HESSIAN, SIGMOID, NORM, BLOCK_COLUMN, INNER_PRODUCT_GRADIENT])
        .symbol("(12)", "ℓ(z+z') ≤ ℓ(z) + ⟨∇ℓ(z), z'⟩ + (L_smooth/2)‖z'‖² for z and z + z' in B³, ∇ℓ the gradient of ℓ")
        .symbol("∂²cos_12", "∂²cos_ij is the constant 3d × 3d matrix A_iA_jᵀ + A_jA_iᵀ")
        .symbol(
            "∂v",
            "the 2 × 3d matrix of derivatives of v in z; ∂ℓ/∂z and ∂(z_i·z_j)/∂z are gradients, columns of ℝ^{3d}",
        )
        .source("Lemma 3", &["section 4", "Lemma 5 in section 8", "Lemma 4.1 of the earlier version"])
        .remark(
            "B³ is convex and the largest eigenvalue of the Hessian is its norm, so the smallest constant is sup ‖∇²ℓ‖ \
             over B³.",
        )
        .remark(
            "Steps s6 to s10 of the proof are the claims norm-dcos, norm-softmax, norm-rank-term, norm-d2cos and \
             norm-hessian. In steps s1 to s5 the printed block matrices are compared with exact derivatives of the \
             definitions (interval arithmetic with two dual units, no difference quotients).",
        )
        .remark(
            "The supremum is a maximum over one angle: all norms equal to C and z_3 = −z_2 (d ≥ 2). For C ≤ 0.838 it \
             is attained at z_1 = z_3, a = 2C²; for large C near a right angle. S(C, d ≥ 2) = 0.7288, 1.2244, 2.0016, \
             13.537, 150.003 at C = 0.1, 0.5, 1, 3, 10, against 2.08, 4, 10, 74, 802 printed. For d = 1 a long z_1 and \
             a long z_3 − z_2 exclude a = 0, and the leading term drops from 3C²/2 to C².",
        )
        .setting(printed())
        .setting(supremum())
        .setting(steps())
}

fn printed() -> Setting<Triplet, Curvature> {
    Setting::measuring(|z: &Triplet, _| Ok(curvature(z)))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1; C = max_j ‖z_j‖")
        .family(families())
        .part("printed", "‖∇²ℓ(z)‖ ≤ 2 + 8C²", holds(), |_, c| at_most(c.norm, 2.0 + 8.0 * c.square))
        .checked("merad2020.Lemma3.lemma_3_printed")
        .proved_by(scaled_hessian::printed_bound(), scaled_hessian::parameters, scaled_hessian::instance)
        .sharpening("three-halves", "‖∇²ℓ(z)‖ ≤ min(1/√2 + 9C²/4, 1 + 3C²/2)", holds(), |_, c| {
            at_most(c.norm, three_halves(c.square))
        })
        .checked("merad2020.Lemma3.lemma_3_three_halves")
        .sharpening("line", "‖∇²ℓ(z)‖ ≤ 5/3 + C²", holds(), |_, c| {
            at_most(c.norm, exact(5.0) / 3.0 + c.square)
        })
        .assume(Hypothesis::new("d = 1", |z| z.dimension() == 1))
        .constant(
            "slope",
            "c in ‖∇²ℓ(z)‖ ≤ 2 + cC²",
            "8",
            |z| Some(format!("d = {}", z.dimension())),
            |_, c| (c.square.lo() > 0.0).then(|| (c.norm - 2.0) / c.square),
        )
        .control("a", "‖∇²ℓ(z)‖ ≤ 2 + C²", |_, c| at_most(c.norm, 2.0 + c.square))
        .control("b", "‖∇²ℓ(z)‖ ≤ 2 + 8C", |z, c| at_most(c.norm, 2.0 + 8.0 * largest_norm(z)))
        .control("c", "‖∇²ℓ(z)‖ ≤ 1000, one constant for all norms", |_, c| at_most(c.norm, 1000))
        .control("d", "‖∇²ℓ(z)‖ ≤ 1 + 7C²/5: a factor below 3/2", |_, c| {
            at_most(c.norm, 1.0 + 1.4 * c.square)
        })
}

fn supremum() -> Setting<Ball, Enclosure> {
    Setting::measuring(|b: &Ball, _| Ok(b.largest()))
        .given("d ≥ 1, C > 0; S(C, d) = sup of ‖∇²ℓ‖ over B³ = {max_j ‖z_j‖ ≤ C}, by subdivision of the whole ball")
        .family(edge("radii", balls))
        .family(random("drawn radii", drawn_balls).taking(0.25))
        .without_search()
        .part("supremum", "S(C, d) ≤ 2 + 8C²", holds(), |b, &s| {
            let bound = 2.0 + 8.0 * b.square();
            at_most(s, bound).noting(format!("S = {s:.5}, bound/S = {:.4}", bound / s))
        })
        .sharpening("supremum-three-halves", "S(C, d) ≤ min(1/√2 + 9C²/4, 1 + 3C²/2)", holds(), |b, &s| {
            at_most(s, three_halves(b.square()))
        })
        .sharpening("factor", "S(C, d) ≤ (2 + 8C²)/(2√2)", holds(), |b, &s| {
            at_most(s, (2.0 + 8.0 * b.square()) / exact(8.0).sqrt())
        })
        .checked("merad2020.Lemma3.lemma_3_factor")
        .sharpening("from-below", "S(C, d) ≥ 3C²/2, so that 3/2 cannot be lowered", holds(), |b, &s| {
            at_least(s, 1.5 * b.square())
        })
        .assume(Hypothesis::new("d ≥ 2", |b| b.dimension >= 2))
        .ours(
            "limit",
            "S(C, d)/C² tends to 3/2 for d ≥ 2 and to 1 for d = 1: it differs from that by at most 10/C⁴ + 10^{−6}",
            holds(),
            |b, &s| {
                let (ratio, limit) = (s / b.square(), if b.dimension == 1 { exact(1.0) } else { exact(1.5) });
                let excess = (ratio - limit).abs();
                // The subdivision leaves a relative width of 10^{−7}.
                at_most(excess, 10.0 / b.square().square() + 1e-6).noting(format!("S/C² = {ratio:.5}"))
            },
        )
        .assume(Hypothesis::new("C ≥ 2", |b| b.radius >= 2.0))
        .control("e", "S(C, d) ≤ 1.4·C² + 1/C² for d ≥ 2: a limit below 3/2", |b, &s| {
            at_most(s, 1.4 * b.square() + 1.0 / b.square())
        })
        .assume(Hypothesis::new("d ≥ 2", |b| b.dimension >= 2))
}

fn steps() -> Setting<Triplet, Proof> {
    Setting::measuring(|z: &Triplet, _| proof(z))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1; cos_ij = z_i·z_j, v = softmax(cos_12, cos_13)")
        .family(edge("named", named))
        .family(random("drawn triples", drawn).taking(0.5))
        .without_search()
        .step("s1", "∂(z_i·z_j)/∂z = (A_iA_jᵀ + A_jA_iᵀ)z for i ≠ j", holds(), |_, p| {
            all_of(
                p.products.iter().zip(&p.gradients).map(|((i, j, exact), printed)| {
                    (format!("({}, {})", i + 1, j + 1), same(&exact.gradient, printed))
                }),
            )
        })
        .step("s2", "∂ℓ/∂z = (v_1 − 1)·∂cos_12 + v_2·∂cos_13", holds(), |_, p| {
            p.blocks.loss_gradient().map(|printed| same(&p.loss.gradient, &printed)).into()
        })
        .step("s3", "∂²(z_i·z_j)/∂z² = A_iA_jᵀ + A_jA_iᵀ for i ≠ j", holds(), |_, p| {
            all_of(p.products.iter().map(|(i, j, exact)| {
                let printed = product_hessian(p.blocks.d, *i, *j);
                let compared: Evaluation = printed.map(|m| same(&exact.hessian, &m)).into();
                (format!("({}, {})", i + 1, j + 1), compared)
            }))
        })
        .step("s4", "∂v/∂z = (diag v − vvᵀ)·(∂cos_12ᵀ; ∂cos_13ᵀ)", holds(), |_, p| {
            all_of(p.softmax.iter().enumerate().map(|(i, exact)| {
                let printed = row(&p.blocks.softmax_derivative, i);
                let compared: Evaluation = printed.map(|r| same(&exact.gradient, &r)).into();
                (format!("v_{}", i + 1), compared)
            }))
        })
        .step(
            "s5",
            "∂²ℓ/∂z² = (v_1 − 1)∂²cos_12 + v_2 ∂²cos_13 + (∂cos_12 ∂cos_13)·∂v",
            holds(),
            |_, p| p.blocks.loss_hessian().map(|printed| same(&p.loss.hessian, &printed)).into(),
        )
}

/// min(1/√2 + 9C²/4, 1 + 3C²/2).
fn three_halves(square: Enclosure) -> Enclosure {
    let near_zero = exact(0.5).sqrt() + 2.25 * square;
    near_zero.min(1.0 + 1.5 * square)
}
