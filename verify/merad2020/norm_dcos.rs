//! Section 8, proof of Lemma 5: the norm of the gradient of an inner product.
//!
//! True. ∂(z_i·z_j)/∂z has the blocks z_j (in place i) and z_i (in place j), so that its norm is √(‖z_i‖² + ‖z_j‖²), at
//! most √2·max(‖z_i‖, ‖z_j‖), with equality for equal norms: the 2 may be replaced by √2. The printed constant 2 is
//! that of i = j, where the gradient of ‖z_i‖² is 2z_i; it covers this case as well, so i ≠ j is not needed.

use contrastive::Triplet;
use evidence::prelude::*;

use crate::shared::blocks::product_gradient;
use crate::shared::notation::{NORM, OUTPUT_TRIPLE};
use crate::shared::triples::{families, norms};

const PAIRS: [(&str, usize, usize); 3] = [("z_1·z_2", 0, 1), ("z_1·z_3", 0, 2), ("z_2·z_3", 1, 2)];
const SQUARES: [(&str, usize, usize); 3] = [("‖z_1‖²", 0, 0), ("‖z_2‖²", 1, 1), ("‖z_3‖²", 2, 2)];

/// The norm of the gradient of one product, from the printed block matrices.
struct ProductGradient {
    name: &'static str,
    norm: Enclosure,
    /// ‖z_i‖ and ‖z_j‖.
    lengths: [Enclosure; 2],
}

impl ProductGradient {
    fn of(z: &Triplet, (name, i, j): (&'static str, usize, usize)) -> Result<Self, MeasureError> {
        let lengths = norms(z);
        Ok(ProductGradient {
            name,
            norm: product_gradient(z, i, j)?.frobenius_norm().into(),
            lengths: [lengths[i], lengths[j]],
        })
    }

    fn longer(&self) -> Enclosure {
        self.lengths[0].max(self.lengths[1])
    }
}

struct ProductGradients {
    different: Vec<ProductGradient>,
    equal: Vec<ProductGradient>,
}

fn measured(z: &Triplet) -> Result<ProductGradients, MeasureError> {
    let all = |pairs: [(&'static str, usize, usize); 3]| -> Result<Vec<ProductGradient>, MeasureError> {
        pairs.into_iter().map(|pair| ProductGradient::of(z, pair)).collect()
    };
    Ok(ProductGradients { different: all(PAIRS)?, equal: all(SQUARES)? })
}

fn for_each(gradients: &[ProductGradient], test: impl Fn(&ProductGradient) -> Evaluation) -> Evaluation {
    all_of(gradients.iter().map(|g| (g.name, test(g))))
}

pub fn claim() -> Claim {
    Claim::new("merad2020.norm-dcos", "norm of the gradient of an inner product", Kind::Inequality)
        .statement("‖∂(z_i·z_j)/∂z‖ ≤ 2·max(‖z_i‖, ‖z_j‖) for i ≠ j in {1,2,3} and all z")
        .symbols([OUTPUT_TRIPLE, NORM])
        .symbol("∂", "∂(…)/∂z is the gradient in ℝ^{3d}")
        .source("section 8, proof of Lemma 5", &["proof of Lemma 4.1 of the earlier version"])
        .setting(printed())
}

fn printed() -> Setting<Triplet, ProductGradients> {
    Setting::measuring(|z: &Triplet, _| measured(z))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1; i, j any of 1, 2, 3")
        .family(families())
        .part("printed", "‖∂(z_i·z_j)/∂z‖ ≤ 2·max(‖z_i‖, ‖z_j‖), i ≠ j", holds(), |_, g| {
            for_each(&g.different, |g| at_most(g.norm, 2.0 * g.longer()))
        })
        .checked("merad2020.Norms.norm_dcos_printed")
        .sharpening("exact", "‖∂(z_i·z_j)/∂z‖ = √(‖z_i‖² + ‖z_j‖²), i ≠ j", holds(), |_, g| {
            for_each(&g.different, |g| equal(g.norm, (g.lengths[0].square() + g.lengths[1].square()).sqrt()))
        })
        .checked("merad2020.Norms.norm_dcos_exact")
        .sharpening(
            "root-two",
            "‖∂(z_i·z_j)/∂z‖ ≤ √2·max(‖z_i‖, ‖z_j‖), i ≠ j",
            holds(),
            |_, g| for_each(&g.different, |g| at_most(g.norm, exact(2.0).sqrt() * g.longer())),
        )
        .checked("merad2020.Norms.norm_dcos_root_two")
        .sharpening(
            "same-index",
            "‖∂‖z_i‖²/∂z‖ = 2‖z_i‖: for i = j the printed bound is attained",
            holds(),
            |_, g| for_each(&g.equal, |g| equal(g.norm, 2.0 * g.longer())),
        )
        .checked("merad2020.Norms.norm_dcos_same_index")
        .control("a", "‖∂(z_i·z_j)/∂z‖ ≤ max(‖z_i‖, ‖z_j‖), i ≠ j", |_, g| {
            for_each(&g.different, |g| at_most(g.norm, g.longer()))
        })
        .control(
            "b",
            "‖∂(z_i·z_j)/∂z‖ ≤ 1.41·max(‖z_i‖, ‖z_j‖), i ≠ j: a constant below √2",
            |_, g| for_each(&g.different, |g| at_most(g.norm, 1.41 * g.longer())),
        )
        .control("c", "‖∂‖z_i‖²/∂z‖ ≤ 1.99·‖z_i‖: a constant below 2 for i = j", |_, g| {
            for_each(&g.equal, |g| at_most(g.norm, 1.99 * g.longer()))
        })
}
