//! Equation (7): the contrastive loss of the two-layer linear model is a trace.
//!
//! With A = W₂ᵀW₁, each summand is a scalar product aᵀb = Tr(b aᵀ), so L_c = Σ (Ax_i)ᵀA(x_i⁻ − x_i⁺) = Tr(A C̃ᵀ Aᵀ) = Tr(A C̃ Aᵀ), and
//! a quadratic form sees the symmetric part only. The inertia of C follows from the factorisation
//! C = ½(XᵀD + DᵀX) = [X; D]ᵀ J [X; D] with the pulls D = X⁻ − X⁺ and J = ½[[0, I], [I, 0]], which has n eigenvalues of each sign: C has at
//! most n negative and at most n positive eigenvalues, and exactly n of each if the 2n rows of X and D are independent
//! (Sylvester; needs d ≥ 2n).

use enclosures::linear_algebra::{IntervalMatrix, SingularValues, symmetric_eigenvalues};
use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, TripletData, trace_loss};

use crate::shared::data_families::{data_size, triples};
use crate::shared::linear_model::LinearModelOn;
use crate::shared::notation::{ANCHORS, CONTRASTIVE_LOSS, MODEL};

/// Rounding errors of the sums are below 1e-14 of the scale even for a hundred triples; the register asks for this much.
const ROUND_OFF: f64 = 1e-12;

struct Form {
    map: IntervalMatrix,
    /// C̃.
    matrix: IntervalMatrix,
    /// C.
    symmetric: IntervalMatrix,
    /// Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖².
    scale: f64,
}

impl Form {
    fn of(model: &LinearModelOn<TripletData>) -> Result<Self, SelfSupervisedError> {
        let matrix = model.data.contrastive_matrix()?;
        Ok(Form {
            map: model.map()?,
            symmetric: matrix.symmetric_part()?,
            matrix,
            scale: data_size(&model.data) * model.size(),
        })
    }

    fn identity(&self, left: Interval, right: Interval) -> Evaluation {
        equal(left, right).on_scale_of("Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²", self.scale).within(ROUND_OFF)
    }
}

/// The triple `i` as data of its own.
fn only(data: &TripletData, i: usize) -> TripletData {
    let one = |points: &[Vec<f64>]| vec![points[i].clone()];
    TripletData { anchors: one(&data.anchors), positives: one(&data.positives), negatives: one(&data.negatives) }
}

/// The rows x_i and x_i⁻ − x_i⁺.
fn anchors_and_pulls(data: &TripletData) -> Result<IntervalMatrix, SelfSupervisedError> {
    let (n, d) = (data.count(), data.dimension());
    let entry = |i: usize, j: usize| {
        if i < n {
            Interval::point(data.anchors[i][j])
        } else {
            Interval::point(data.negatives[i - n][j]) - data.positives[i - n][j]
        }
    };
    Ok(IntervalMatrix::from_fn(2 * n, d, entry)?)
}

/// Whether the 2n rows are independent, and so clearly that no rounding can hide it.
fn clearly_independent(data: &TripletData) -> bool {
    let (n, d) = (data.count(), data.dimension());
    if 2 * n > d {
        return false;
    }
    let singular = anchors_and_pulls(data).and_then(|rows| Ok(SingularValues::of(&rows)?));
    singular.is_ok_and(|s| s.values().last().is_some_and(|least| least.lo() > 1e-3 * s.spectral_norm().hi()))
}

fn inertia(form: &Form, judged: impl Fn(&[Interval], f64) -> Evaluation) -> Evaluation {
    let found = symmetric_eigenvalues(&form.symmetric).map(|spectrum| {
        let size = largest_magnitude(&spectrum);
        let negative = spectrum.iter().filter(|l| l.hi() < 0.0).count();
        let positive = spectrum.iter().filter(|l| l.lo() > 0.0).count();
        judged(&spectrum, size).noting(format!("ν₋ ≥ {negative}, ν₊ ≥ {positive} in dimension {}", spectrum.len()))
    });
    found.into()
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-7", "trace form of the contrastive loss", Kind::Identity)
        .statement("L_c = Tr(W₂ᵀW₁C̃W₁ᵀW₂) = Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = Σ_{i=1}^n x_i(x_i⁻ − x_i⁺)ᵀ and C = (C̃ + C̃ᵀ)/2")
        .source("equation (7)", &["the display before it"])
        .symbols([MODEL, ANCHORS, CONTRASTIVE_LOSS])
        .symbol("W₁", "h×d and W₂ h×z: u(x) = W₂ᵀW₁x; ‖W₁‖² is the sum of the squared entries")
        .symbol("A", "W₂ᵀW₁")
        .symbol("C̃", "Σ_{i=1}^n x_i(x_i⁻ − x_i⁺)ᵀ, and C = (C̃ + C̃ᵀ)/2, with eigenvalues λ_i")
        .remark(
            "Step s3 is a report rather than a step: the numbers of negative and positive eigenvalues of C are at most \
             n each. For d ≤ n the dimension is the smaller bound.",
        )
        .setting(printed())
}

fn printed() -> Setting<LinearModelOn<TripletData>, Form> {
    Setting::measuring(|m: &LinearModelOn<TripletData>, _| Ok(Form::of(m)?))
        .given("W₁ ∈ ℝ^{h×d}, W₂ ∈ ℝ^{h×z} and the n triples are arbitrary")
        .family(triples())
        .part("printed", "L_c = Tr(W₂ᵀW₁C̃W₁ᵀW₂) = Tr(W₂ᵀW₁CW₁ᵀW₂)", holds(), |m, f| {
            let sides = || -> Result<Evaluation, SelfSupervisedError> {
                let loss = m.data.contrastive_loss(&f.map)?;
                Ok(all_of([
                    ("with C̃", f.identity(loss, trace_loss(&f.map, &f.matrix)?)),
                    ("with C", f.identity(loss, trace_loss(&f.map, &f.symmetric)?)),
                ]))
            };
            sides().into()
        })
        .checked("esser2024.Trace.eq_7_printed")
        .part(
            "range",
            "L_c = Σ_{i=n}^n Tr(W₂ᵀW₁x_i(x_i⁻ − x_i⁺)ᵀW₁ᵀW₂), the sum as printed, which has one summand",
            fails("the printed range of the sum is n to n: a misprint for 1 to n"),
            |m, f| {
                let sides = || -> Result<Evaluation, SelfSupervisedError> {
                    let last = only(&m.data, m.data.count() - 1).contrastive_matrix()?;
                    Ok(f.identity(m.data.contrastive_loss(&f.map)?, trace_loss(&f.map, &last)?))
                };
                sides().into()
            },
        )
        .checked("esser2024.Trace.eq_7_range_refuted")
        .sides("L_c", "the trace of the one summand i = n")
        .meant("sum", "L_c = Σ_{i=1}^n Tr(W₂ᵀW₁x_i(x_i⁻ − x_i⁺)ᵀW₁ᵀW₂)", holds(), |m, f| {
            let sides = || -> Result<Evaluation, SelfSupervisedError> {
                let one = |i: usize| trace_loss(&f.map, &only(&m.data, i).contrastive_matrix()?);
                let summands: Vec<Interval> = (0..m.data.count()).map(one).collect::<Result<_, _>>()?;
                Ok(f.identity(m.data.contrastive_loss(&f.map)?, summands.into_iter().sum()))
            };
            sides().into()
        })
        .checked("esser2024.Trace.eq_7_sum")
        .step(
            "s1",
            "u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)) = Tr((u(x_i⁻) − u(x_i⁺))u(x_i)ᵀ) for every i",
            holds(),
            |m, f| {
                let one = |i: usize| -> Result<Evaluation, SelfSupervisedError> {
                    let single = only(&m.data, i);
                    let turned = single.contrastive_matrix()?.transpose();
                    Ok(f.identity(single.contrastive_loss(&f.map)?, trace_loss(&f.map, &turned)?))
                };
                for_each_index("triple", 0..m.data.count(), |i| one(i).into())
            },
        )
        .step("s2", "Tr(AC̃Aᵀ) = Tr(ACAᵀ)", holds(), |_, f| {
            let sides = || -> Result<Evaluation, SelfSupervisedError> {
                Ok(f.identity(trace_loss(&f.map, &f.matrix)?, trace_loss(&f.map, &f.symmetric)?))
            };
            sides().into()
        })
        .step("s3", "C has at most n negative and at most n positive eigenvalues", holds(), |m, f| {
            let (n, d) = (m.data.count(), m.data.dimension());
            inertia(f, |spectrum, size| {
                if n >= d {
                    // The dimension bounds the inertia.
                    return at_most(spectrum.len(), n);
                }
                all_of([
                    ("eigenvalue n + 1 from below", at_least(spectrum[n], 0).on_scale_of("max|λ_i|", size)),
                    ("eigenvalue n + 1 from above", at_most(spectrum[d - 1 - n], 0).on_scale_of("max|λ_i|", size)),
                ])
            })
        })
        .sharpening(
            "generic",
            "C has exactly n negative and n positive eigenvalues: n ≤ d, \
             eigenvalue n from below is < 0 and eigenvalue n from above is > 0 (no more of either sign, by s3)",
            holds(),
            |m, f| {
                let (n, d) = (m.data.count(), m.data.dimension());
                inertia(f, |spectrum, size| {
                    if n > d {
                        // There is no eigenvalue n.
                        return at_most(n, d);
                    }
                    all_of([
                        ("eigenvalue n from below", less_than(spectrum[n - 1], 0).on_scale_of("max|λ_i|", size)),
                        ("eigenvalue n from above", greater_than(spectrum[d - n], 0).on_scale_of("max|λ_i|", size)),
                    ])
                })
            },
        )
        .assume(Hypothesis::new(
            "2n ≤ d, and the least singular value of the 2n vectors x_i, x_i⁻ − x_i⁺ exceeds 1/1000 of the largest",
            |m| clearly_independent(&m.data),
        ))
        .control("a", "C̃ has real eigenvalues, hence d Tr(C̃²) ≥ (Tr C̃)²", |_, f| {
            let sides = || -> Result<Evaluation, SelfSupervisedError> {
                let d = f.matrix.rows() as f64;
                let squares = f.matrix.product(&f.matrix)?.trace()?;
                Ok(at_least(d * squares, f.matrix.trace()?.square()))
            };
            sides().into()
        })
        .control(
            "b",
            "L_c = Tr(W₂ᵀW₁C̃W₁ᵀW₂) with C̃ of the opposite sign, Σ_i x_i(x_i⁺ − x_i⁻)ᵀ",
            |m, f| {
                let sides = || -> Result<Evaluation, SelfSupervisedError> {
                    Ok(f.identity(m.data.contrastive_loss(&f.map)?, -trace_loss(&f.map, &f.matrix)?))
                };
                sides().into()
            },
        )
}
