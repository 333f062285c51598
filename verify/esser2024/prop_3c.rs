//! Proposition 3, second part: bounding the factors and bounding the product is the same.
//!
//! ‖W₁ᵀW₂‖ ≤ ‖W₁‖‖W₂‖ gives one inclusion of the sets of products. Conversely M = W₁ᵀW₂ has rank at most h; with its compact singular value
//! decomposition M = Σ_{j ≤ k} σ_j u_j w_jᵀ, k = rank M ≤ h, σ_j ≤ 1, the rows σ_ju_jᵀ and w_jᵀ, filled up with zero rows, are weights of norm at
//! most one. Both sets are {M : ‖M‖₂ ≤ 1, rank M ≤ h}, so the problems agree for *every* loss that is a function of M, in both senses and
//! without any hypothesis on C. The printed construction carries min(d,z) rows instead of rank M, more than there are if h < min(d,z).

use enclosures::linear_algebra::{IntervalMatrix, PlaneRotation, rank_by_elimination};
use evidence::prelude::*;
use linear_ssl::self_supervised::{norm_loss, trace_loss};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use crate::shared::hypotheses::{NEGATIVE, has_a_negative_eigenvalue};
use crate::shared::notation::{FROBENIUS_NORM, OPERATOR_NORM};
use crate::shared::optima::FeasibleWeights;
use crate::shared::solved::{NOTATION, PROBLEMS, Solved, Tried, norm, tried};
use crate::shared::spectra::{LinearProblem, drawn, grid, rotations};

/// A problem and a product M = Σ σ_j u_j w_jᵀ that is feasible for problem 3.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Factored {
    /// C, the sizes, and weights of any norm.
    problem: LinearProblem,
    /// σ_j in [0, 1], at most min(d, z, h) of them.
    singular: Vec<f64>,
    /// The factors of an orthogonal matrix of ℝ^d with columns u_j.
    left: Vec<PlaneRotation>,
    /// The factors of an orthogonal matrix of ℝ^z with columns w_j.
    right: Vec<PlaneRotation>,
}

impl Instance for Factored {
    fn describe(&self) -> String {
        format!("{}, M with singular values {:?}", self.problem.describe(), self.singular)
    }

    fn validate(&self) -> Result<(), String> {
        self.problem.validate()?;
        if self.singular.len() > self.problem.room() || self.singular.iter().any(|s| !(0.0..=1.0).contains(s)) {
            return Err("more than min(d, z, h) singular values, or one outside [0, 1]".into());
        }
        let fits = |size, planes: &[PlaneRotation]| PlaneRotation::product_of(size, planes).map_err(|e| e.to_string());
        fits(self.problem.d(), &self.left)?;
        fits(self.problem.z(), &self.right).map(drop)
    }

    fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if !self.left.is_empty() || !self.right.is_empty() {
            all.push(Factored { left: Vec::new(), right: Vec::new(), ..self.clone() });
        } else {
            all.extend(self.problem.simpler().into_iter().map(|problem| {
                let singular = self.singular.iter().copied().take(problem.room()).collect();
                Factored { problem, singular, ..self.clone() }
            }));
        }
        if let Some((_, fewer)) = self.singular.split_last() {
            all.push(Factored { singular: fewer.to_vec(), ..self.clone() });
        }
        all
    }
}

fn families() -> Vec<Family<Factored>> {
    vec![
        edge("sizes, spectra and singular values", || {
            const VALUES: [[f64; 4]; 3] = [[1.0; 4], [1.0, 0.5, 0.0, 1.0], [0.0; 4]];
            let each = |(k, (name, problem)): (usize, (String, LinearProblem))| {
                let singular = VALUES[k % 3].iter().copied().take(problem.room()).collect();
                (name, Factored { problem, singular, left: Vec::new(), right: Vec::new() })
            };
            grid().into_iter().enumerate().map(each).collect()
        }),
        random("rotated matrices and products", || {
            drawn().prop_flat_map(|problem| {
                let value = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0f64];
                let (d, z, room) = (problem.d(), problem.z(), problem.room());
                (Just(problem), vec(value, room), rotations(d, 3), rotations(z, 3))
                    .prop_map(|(problem, singular, left, right)| Factored { problem, singular, left, right })
            })
        }),
    ]
}

struct Product {
    solved: Solved,
    /// Mᵀ, summed from its singular value decomposition.
    map: IntervalMatrix,
    /// Weights with this product: the compact construction.
    factors: FeasibleWeights,
}

impl Product {
    fn of(instance: &Factored) -> Result<Self, MeasureError> {
        let (problem, singular) = (&instance.problem, &instance.singular);
        let (d, z, h) = (problem.d(), problem.z(), problem.h());
        let left = PlaneRotation::product_of(d, &instance.left)?;
        let right = PlaneRotation::product_of(z, &instance.right)?;
        let row = |j: usize, entry: Interval| if j < singular.len() { entry } else { Interval::ZERO };
        let second = |j: usize, a: usize| if j < z { row(j, right.at(a, j)) } else { Interval::ZERO };
        let value = |j: usize| singular.get(j).copied().unwrap_or(0.0);
        Ok(Product {
            solved: Solved::of(problem)?,
            map: IntervalMatrix::from_fn(z, d, |a, b| {
                (0..singular.len()).map(|j| left.at(b, j) * right.at(a, j) * value(j)).sum()
            })?,
            factors: FeasibleWeights {
                first: IntervalMatrix::from_fn(h, d, |j, b| {
                    if j < d { row(j, left.at(b, j) * value(j)) } else { Interval::ZERO }
                })?,
                second: IntervalMatrix::from_fn(h, z, second)?,
            },
        })
    }

    /// Both inclusions of the sets of products, and that no product of problem 3 undercuts the value of problem 2.
    fn same_problem(&self, instance: &Factored, loss: Enclosure, value: Enclosure, scale: f64) -> Tried {
        let weights = [&instance.problem.first, &instance.problem.second].map(IntervalMatrix::from);
        let off = self.factors.map()?.minus(&self.map)?.frobenius_norm();
        Ok(all_of([
            ("2 in 3", bounded_by_factors(&weights)?),
            ("3 in 2: ‖Ŵ₁‖₂", at_most(norm(&self.factors.first)?, 1)),
            ("3 in 2: ‖Ŵ₂‖₂", at_most(norm(&self.factors.second)?, 1)),
            ("3 in 2: the product", equal(off, 0).on_unit_scale()),
            ("value", at_least(loss, value).on_scale_of("Σ|λ_i|, squared for P", scale)),
        ]))
    }
}

/// ‖W₁ᵀW₂‖ ≤ ‖W₁‖‖W₂‖.
fn bounded_by_factors([first, second]: &[IntervalMatrix; 2]) -> Tried {
    Ok(at_most(norm(&first.transpose().product(second)?)?, norm(first)? * norm(second)?))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-3c", "bounded factors and bounded product: problem 2 ⇔ problem 3", Kind::Equivalence)
        .statement(
            "min L s.t. ‖W₁‖₂, ‖W₂‖₂ ≤ 1 and min L s.t. ‖W₂ᵀW₁‖₂ ≤ 1 have the same value and the same optimal products \
             M = W₁ᵀW₂, for every h",
        )
        .source("Proposition 3, problems 2 and 3", &["second part of its proof"])
        .symbols([OPERATOR_NORM, FROBENIUS_NORM])
        .symbol("value", "the least value of L in a problem")
        .symbol("Ŵ", "weights with as many rows h as the W_i")
        .symbol("feasible M", "d×z with ‖M‖₂ ≤ 1 and rank M ≤ h")
        .symbol("same products", "every M = W₁ᵀW₂ that one of the problems 2, 3 allows, the other allows too")
        .remark(
            "P is the printed loss ‖W₂ᵀW₁CW₁ᵀW₂‖₂²; T the trace, which the losses (1), (2) are. Both hold, because the \
             two problems allow the same products M and either loss is a function of M; no property of C is used.",
        )
        .setting(printed_norm())
}

fn printed_norm() -> Setting<Factored, Product> {
    Setting::measuring(|i: &Factored, _| Product::of(i))
        .given(NOTATION)
        .given(PROBLEMS)
        .family(families())
        .sense("P", "printed norm: problems 2 and 3 have the same products and the same value, 0", holds(), |i, q| {
            tried(|| {
                let loss: Enclosure = norm_loss(&q.map, &q.solved.c)?.into();
                q.same_problem(i, loss, Enclosure::ZERO, q.solved.scale * q.solved.scale)
            })
        })
        .checked("esser2024.Proposition3.prop_3c_P")
        .sense(
            "T",
            "trace: problems 2 and 3 have the same products and the same value, Σ_{i ≤ min(d,z,h)} min(λ_i, 0)",
            holds(),
            |i, q| {
                tried(|| {
                    let loss: Enclosure = trace_loss(&q.map, &q.solved.c)?.into();
                    q.same_problem(i, loss, q.solved.bounded.value, q.solved.scale)
                })
            },
        )
        .because("the proposition says both that the loss is (1) or (2) and that this is its form")
        .step("s1", "‖W₁‖₂, ‖W₂‖₂ ≤ 1 ⇒ ‖W₁ᵀW₂‖₂ ≤ 1", holds(), |i, _| {
            tried(|| bounded_by_factors(&[&i.problem.first, &i.problem.second].map(IntervalMatrix::from)))
        })
        .checked("esser2024.Proposition3.prop_3c_s1")
        .step(
            "s2",
            "each feasible M has Ŵ₁, Ŵ₂ with h rows, ‖Ŵ₁‖₂, ‖Ŵ₂‖₂ ≤ 1 and Ŵ₁ᵀŴ₂Ŵ₂ᵀŴ₁ = MMᵀ",
            holds(),
            |_, q| {
                tried(|| {
                    let square = |map: &IntervalMatrix| map.transpose().product(map);
                    let off = square(&q.factors.map()?)?.minus(&square(&q.map)?)?.frobenius_norm();
                    Ok(all_of([
                        ("‖Ŵ₁‖₂", at_most(norm(&q.factors.first)?, 1)),
                        ("‖Ŵ₂‖₂", at_most(norm(&q.factors.second)?, 1)),
                        ("MMᵀ", equal(off, 0).on_unit_scale()),
                    ]))
                })
            },
        )
        .checked("esser2024.Proposition3.prop_3c_s2")
        .step(
            "s3",
            "the printed construction of Ŵ₁, Ŵ₂ from the min(d,z) singular values, zeros among them, of any M = W₁ᵀW₂ \
             has at most h rows before zero rows are added: min(d,z) ≤ h",
            fails("for h < min(d,z) its factors have more rows than there are"),
            |i, _| at_most(i.problem.d().min(i.problem.z()), i.problem.h()),
        )
        .sides("min(d,z)", "h")
        .assume(Hypothesis::new(NEGATIVE, |i| has_a_negative_eigenvalue(&i.problem)))
        .amendment(
            "s3-compact",
            "k = rank M ≤ h for every M = W₁ᵀW₂, so that Σ_k^{1/2}U_kᵀ and Σ_k^{1/2}V_kᵀ of its compact singular value \
             decomposition M = U_kΣ_kV_kᵀ have at most h rows, before zero rows are added",
            holds(),
            |i, q| {
                let weights = FeasibleWeights { first: (&i.problem.first).into(), second: (&i.problem.second).into() };
                tried(|| {
                    let certain = |map: &IntervalMatrix| rank_by_elimination(map).at_least;
                    Ok(all_of([
                        ("M", at_most(certain(&q.map), i.problem.h())),
                        ("the product of the weights", at_most(certain(&weights.map()?), i.problem.h())),
                    ]))
                })
            },
        )
        .control("a", "T: the value of problem 3 is that under ‖W₂ᵀW₁‖_F ≤ 1, min(λ₁, 0)", |i, q| {
            equal(q.solved.bounded.value, exact(i.problem.ascending()[0].min(0.0)))
                .on_scale_of("Σ|λ_i|", q.solved.scale)
        })
        .control(
            "b",
            "T: no weights with ‖W₁‖₂, ‖W₂‖₂ ≤ 1 undercut the value min(λ₁, 0) under ‖W₁‖_F, ‖W₂‖_F ≤ 1",
            |i, q| {
                tried(|| {
                    let loss = q.solved.bounded.weights.loss(&q.solved.c)?;
                    Ok(at_least(loss, exact(i.problem.ascending()[0].min(0.0))).on_scale_of("Σ|λ_i|", q.solved.scale))
                })
            },
        )
}
