//! Lemma A.1: the gradient of one normalised inner product.
//!
//! True for arbitrary maps, inputs and weights: the product rule, with N_A a function of W_A. The gradient is
//! orthogonal to W_A for every pair of inputs, because the product has degree 0 in W_A.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};
use two_view::{MatrixBlock, MultimodalError, Scalar, TwoViewData, View, weight_gradient};

use crate::shared::differentiated_loss::{agree, largest};
use crate::shared::hypotheses::{MAPS, OUTPUTS};
use crate::shared::notation::{DATA, FEATURES, NORMALISER, SIZES};
use crate::shared::two_views::{TwoViews, drawn, edges, silent};

/// A model and a pair of inputs, in the data set or not.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, stored)]
struct ModelWithInputs {
    #[instance(nested)]
    model: TwoViews,
    #[instance(range = "-1e3..=1e3")]
    inputs: [Vec<f64>; 2],
}

impl ModelWithInputs {
    fn in_words(&self) -> String {
        format!("x_A = {:?}, x_B = {:?}; {}", self.inputs[0], self.inputs[1], self.model.describe())
    }

    fn fits(&self) -> Result<(), String> {
        let d = self.model.signal + self.model.noise;
        if self.inputs[0].len() == d {
            Ok(())
        } else {
            Err(format!("the inputs have length {} where d = {d}", self.inputs[0].len()))
        }
    }
}

/// ⟨W_A x_A, W_B x_B⟩, in any numbers.
fn plain_product<T: Scalar>(weights: [&MatrixBlock<T>; 2], inputs: &[Vec<f64>; 2]) -> Result<T, MultimodalError> {
    let column = |x: &Vec<f64>| MatrixBlock::from_fn(x.len(), 1, |i, _| T::from(x[i]));
    let out = |v: usize| weights[v].product(&column(&inputs[v]));
    Ok(out(0)?.inner(&out(1)?))
}

/// ⟨f_A(x_A), f_B(x_B)⟩ from weights and data, in any numbers.
fn product<T: Scalar>(
    data: &TwoViewData<T>,
    weights: [&MatrixBlock<T>; 2],
    inputs: &[Vec<f64>; 2],
) -> Result<T, MultimodalError> {
    Ok(plain_product(weights, inputs)? / data.features(weights[0], weights[1])?.gram().normalisers()?)
}

/// 1/N_A, in any numbers.
fn inverse_normaliser<T: Scalar>(data: &TwoViewData<T>, weights: [&MatrixBlock<T>; 2]) -> Result<T, MultimodalError> {
    let square: T = data.features(weights[0], weights[1])?.gram().normaliser_squared(View::A)?;
    Ok(T::from(1.0) / square.sqrt())
}

struct GradientTerms {
    /// By automatic differentiation with respect to W_A.
    gradient: MatrixBlock<Interval>,
    /// W_B x_B x_Aᵀ/(N_A N_B).
    pull: MatrixBlock<Interval>,
    /// ⟨f_A, f_B⟩ W_A (AAᵀ/r + A_ξA_ξᵀ/q)/N_A².
    shrink: MatrixBlock<Interval>,
    /// The same with AAᵀ + A_ξA_ξᵀ.
    unscaled: MatrixBlock<Interval>,
    /// ∇⟨W_A x_A, W_B x_B⟩ by automatic differentiation, and W_B x_B x_Aᵀ.
    plain: [MatrixBlock<Interval>; 2],
    /// ∇N_A^{−1} by automatic differentiation, and −W_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A³.
    inverse: [MatrixBlock<Interval>; 2],
    weights: MatrixBlock<Interval>,
    scale: f64,
}

fn terms(p: &ModelWithInputs) -> Result<GradientTerms, MeasureError> {
    let (v, data) = (&p.model, p.model.data()?);
    let weights = [v.weights(View::A), v.weights(View::B)];
    let both = [&weights[0], &weights[1]];
    let [gradient, _] = weight_gradient(&data, both, |d, w| product(d, w, &p.inputs))?;
    let state = data.features(both[0], both[1])?.gram();
    let value = product(&data, both, &p.inputs)?;
    let (square, norms) = (state.normaliser_squared(View::A)?, state.normalisers()?);
    let x = |view: usize| MatrixBlock::from_fn(p.inputs[view].len(), 1, |i, _| Interval::point(p.inputs[view][i]));
    let outer = weights[1].product(&x(1))?.product(&x(0).transpose())?;
    let pull = outer.scaled(Interval::ONE / norms);
    let map = data.map(View::A);
    let covariance = |variance: &dyn Fn(usize) -> Interval| {
        map.product(&MatrixBlock::from_fn(map.columns(), map.rows(), |k, i| map.at(i, k) * variance(k)))
    };
    let shrink = |c: MatrixBlock<Interval>| weights[0].product(&c).map(|m| m.scaled(value / square));
    let moments = covariance(&|k| data.sizes().variance(k))?;
    let slope = weights[0].product(&moments)?.scaled(-1.0 / (square * square.sqrt()));
    let [plain, _] = weight_gradient(&data, both, |_, w| plain_product(w, &p.inputs))?;
    let [inverse, _] = weight_gradient(&data, both, inverse_normaliser)?;
    let shrunk = shrink(moments)?;
    Ok(GradientTerms {
        scale: largest(&pull) + largest(&shrunk),
        plain: [plain, outer],
        inverse: [inverse, slope],
        unscaled: shrink(covariance(&|_| Interval::ONE)?)?,
        shrink: shrunk,
        gradient,
        pull,
        weights: weights[0].clone(),
    })
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-a1", "gradient of one normalised inner product", Kind::Identity)
        .statement(
            "∇_{W_A}⟨f_A(x_A), f_B(x_B)⟩ = W_B x_B x_Aᵀ/(N_A N_B) − ⟨f_A(x_A), f_B(x_B)⟩ W_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A²",
        )
        .source("Lemma A.1", &["Section A.1"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER])
        .symbol("∇", "the derivative in all entries of W_A, through N_A; by symmetry in W_B")
        .reconstructed("the formula; the surviving proof shows its two terms")
        .remark("No orthogonality is used.")
        .setting(printed())
}

fn printed() -> Setting<ModelWithInputs, [GradientTerms; 2]> {
    Setting::measuring(|p: &ModelWithInputs, _| {
        Ok([
            terms(p)?,
            terms(&ModelWithInputs { model: p.model.swapped(), inputs: [p.inputs[1].clone(), p.inputs[0].clone()] })?,
        ])
    })
    .given("any x_A, x_B ∈ R^d; f_A(x) = W_Ax/N_A, N_A² = ‖W_AA‖_F²/r + ‖W_AA_ξ‖_F²/q, the same for B")
    .given(MAPS)
    .assume(Hypothesis::new(OUTPUTS, |p| p.model.has_outputs()))
    .family(families())
    .family(outside("a view without output", || {
        let pair = |(name, model)| (name, ModelWithInputs { model, inputs: [vec![1.0, 0.5], vec![-0.5, 2.0]] });
        silent().into_iter().map(pair).collect()
    }))
    .without_search()
    .part(
        "printed",
        "the formula of the statement is the derivative that it stands for, entry by entry, in both views",
        holds(),
        |_, t| all_of(["A", "B"].into_iter().zip(t).map(|(name, t)| (name, compare(t, &t.pull, &t.shrink)))),
    )
    .checked("ren2023.Gradients.lemma_a1_printed")
    .step("s1", "∇_{W_A}⟨W_A x_A, W_B x_B⟩ = W_B x_B x_Aᵀ", holds(), |_, t| {
        let [found, formula] = &t[0].plain;
        agree(found, formula, largest(formula))
    })
    .checked("ren2023.Gradients.lemma_a1_s1")
    .step("s2", "∇_{W_A}N_A^{−1} = −N_A^{−3} W_A(AAᵀ/r + A_ξA_ξᵀ/q)", holds(), |_, t| {
        let [found, formula] = &t[0].inverse;
        agree(found, formula, largest(formula))
    })
    .checked("ren2023.Gradients.lemma_a1_s2")
    .step("s3", "⟨W_A, ∇_{W_A}⟨f_A(x_A), f_B(x_B)⟩⟩ = 0 for every pair of inputs", holds(), |_, t| {
        let t = &t[0];
        equal(t.weights.inner(&t.gradient), 0).on_scale_of(
            "the terms before they cancel",
            t.scale * largest(&t.weights) * t.weights.entries().len() as f64,
        )
    })
    .checked("ren2023.Gradients.lemma_a1_s3")
    .tested_by("n5")
    .control("n5", "⟨W_B, ∇_{W_A}⟨f_A(x_A), f_B(x_B)⟩⟩ = 0 for every pair of inputs", |_, t| {
        let [t, other] = t;
        equal(other.weights.inner(&t.gradient), 0).on_scale_of(
            "the terms before they cancel",
            t.scale * largest(&other.weights) * t.weights.entries().len() as f64,
        )
    })
    .control("n1", "the normaliser is not differentiated", |_, t| agree(&t[0].gradient, &t[0].pull, t[0].scale))
    .control("n2", "AAᵀ + A_ξA_ξᵀ without 1/r and 1/q", |_, t| compare(&t[0], &t[0].pull, &t[0].unscaled))
    .control("n3", "the second term with a plus sign", |_, t| {
        compare(&t[0], &t[0].pull, &t[0].shrink.scaled(-Interval::ONE))
    })
}

fn compare(
    t: &GradientTerms,
    pull: &MatrixBlock<Interval>,
    shrink: &MatrixBlock<Interval>,
) -> evidence::claim::Evaluation {
    pull.plus(&shrink.scaled(-Interval::ONE)).map(|formula| agree(&t.gradient, &formula, t.scale)).into()
}

fn families() -> [Family<ModelWithInputs>; 2] {
    [
        edge("named models, three pairs of inputs each", || {
            let pairs = |(name, model): (&'static str, TwoViews)| {
                let d = model.signal + model.noise;
                let of = |f: fn(usize) -> f64, g: fn(usize) -> f64| ModelWithInputs {
                    inputs: [(0..d).map(f).collect(), (0..d).map(g).collect()],
                    model: model.clone(),
                };
                [
                    (format!("{name}, all ones"), of(|_| 1.0, |_| 1.0)),
                    (format!("{name}, alternating"), of(|k| if k % 2 == 0 { 1.0 } else { -1.0 }, |k| k as f64 - 0.5)),
                    (format!("{name}, x_A = 0"), of(|_| 0.0, |_| 1.0)),
                ]
            };
            edges().into_iter().flat_map(pairs).collect()
        }),
        random("arbitrary maps and inputs", || {
            drawn(&[(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)], true).prop_flat_map(|model| {
                let x = vec(-3.0..3.0f64, model.signal + model.noise);
                (Just(model), x.clone(), x).prop_map(|(model, a, b)| ModelWithInputs { model, inputs: [a, b] })
            })
        }),
    ]
}
