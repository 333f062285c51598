//! Section 8, proof of Lemma 5: the norm of the second derivative of an inner product.
//!
//! True. For i ≠ j the matrix A_iA_jᵀ + A_jA_iᵀ exchanges the blocks i and j and annihilates the third: its eigenvalues
//! are 1, −1 and 0, each d times. For i = j it is twice a projection, with norm 2: here i ≠ j is needed.

use enclosures::linear_algebra::symmetric_eigenvalues;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::blocks::product_hessian;
use crate::shared::notation::{BLOCK_COLUMN, NORM};

const DIFFERENT: Hypothesis<Places> = Hypothesis::new("i ≠ j", |p| p.i != p.j);

/// The dimension of the vectors and two of the numbers 1, 2, 3.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "d = {dimension}, i = {i}, j = {j}", simpler = Self::in_fewer_dimensions, stored)]
struct Places {
    #[instance(range = "1..=16")]
    dimension: usize,
    #[instance(range = "1..=3")]
    i: usize,
    #[instance(range = "1..=3")]
    j: usize,
}

impl Places {
    fn in_fewer_dimensions(&self) -> Vec<Self> {
        let fewer = (1..self.dimension).map(|dimension| Places { dimension, ..*self });
        fewer.collect()
    }
}

/// The verified eigenvalues of A_iA_jᵀ + A_jA_iᵀ, in increasing order.
fn eigenvalues(p: &Places) -> Result<Vec<Interval>, MeasureError> {
    let mut found = symmetric_eigenvalues(&product_hessian(p.dimension, p.i - 1, p.j - 1)?)?;
    found.sort_by(|a, b| a.midpoint().total_cmp(&b.midpoint()));
    Ok(found)
}

fn norm(eigenvalues: &[Interval]) -> Enclosure {
    let sizes = eigenvalues.iter().map(|x| x.abs());
    sizes.fold(Interval::ZERO, Interval::max).into()
}

fn places() -> Vec<(String, Places)> {
    let dimensions = 1..=8;
    let pairs = |dimension| (1..=3).flat_map(move |i| (1..=3).map(move |j| Places { dimension, i, j }));
    described(dimensions.flat_map(pairs))
}

pub fn claim() -> Claim {
    Claim::new("merad2020.norm-d2cos", "norm of the second derivative of an inner product", Kind::Identity)
        .statement("‖A_iA_jᵀ + A_jA_iᵀ‖ = 1 for i ≠ j")
        .symbols([BLOCK_COLUMN, NORM])
        .source("section 8, proof of Lemma 5", &["proof of Lemma 4.1 of the earlier version"])
        .setting(
            Setting::measuring(|p: &Places, _| eigenvalues(p))
                .given("1 ≤ d ≤ 16, i, j ∈ {1, 2, 3}")
                .family(edge("all pairs", places))
                .without_search()
                .part("printed", "‖A_iA_jᵀ + A_jA_iᵀ‖ = 1", holds(), |_, e| equal(norm(e), 1))
                .checked("merad2020.Norms.norm_d2cos_printed")
                .assume(DIFFERENT)
                .sharpening(
                    "spectrum",
                    "the eigenvalues of A_iA_jᵀ + A_jA_iᵀ are −1, 0 and 1, each d times",
                    holds(),
                    |p, e| {
                        let expected = |rank: usize| (rank / p.dimension) as f64 - 1.0;
                        let one = |(rank, x): (usize, &Interval)| {
                            ("an eigenvalue", equal(*x, exact(expected(rank))).on_unit_scale())
                        };
                        all_of(e.iter().enumerate().map(one))
                    },
                )
                .assume(DIFFERENT)
                .sharpening("same-index", "‖A_iA_jᵀ + A_jA_iᵀ‖ = 2", holds(), |_, e| equal(norm(e), 2))
                .checked("merad2020.Norms.norm_d2cos_same_index")
                .assume(Hypothesis::new("i = j", |p| p.i == p.j))
                .control("a", "‖A_iA_jᵀ + A_jA_iᵀ‖ = √2", |_, e| equal(norm(e), exact(2.0).sqrt()))
                .assume(DIFFERENT)
                .control("b", "‖A_iA_jᵀ + A_jA_iᵀ‖ = 1 for all i and j", |_, e| equal(norm(e), 1)),
        )
}
