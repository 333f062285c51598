//! Remark 1: multivariate regression is as many univariate regressions.
//!
//! True for the linear model and kernel machines, at every size: by Lemma 1 only the terms with j = l are left of (3), and then the
//! equation for θ_l has no other row and no other label in it. So the joint flow and z separate flows coincide at every time; both
//! are solved here by an exponential of their own generator, which needs no inverse of XᵀX and so covers n < d.
//! For a two-layer network of finite width it is false, because W₁ is shared.

use enclosures::linear_algebra::{IntervalMatrix, MatrixError, matrix_exponential};
use enclosures::vectors::{points, sum_of_products, unit_vector};
use evidence::prelude::*;

use crate::shared::gradient_models::{Model, gradient};
use crate::shared::hypotheses::{SMOOTH, is_smooth};
use crate::shared::model_families::{at_a_kink, models_on_regressions, named_models_on_regressions};
use crate::shared::model_instances::{Look, ModelOn, Regression, Sum, squared_loss};
use crate::shared::notation::{GRADIENT_MODEL, LABELLED, PARAMETERS, POINT};

const SEVERAL_OUTPUTS: Hypothesis<ModelOn<Regression>> = Hypothesis::new("z ≥ 2", |i| i.model.output_count() >= 2);

/// u_l(x)′ by forward differentiation, and the printed sum with its terms' size.
struct ReducedSum {
    velocity: Vec<Interval>,
    reduced: Vec<Sum>,
}

fn sides(i: &ModelOn<Regression>) -> Result<ReducedSum, MeasureError> {
    let downhill: Vec<Interval> = i.gradient_of(|u| squared_loss(&i.data, u)).iter().map(|&g| -g).collect();
    let here = Look::at(&i.model, &i.point);
    let looks: Vec<Look> = i.data.inputs.iter().map(|x| Look::at(&i.model, x)).collect();
    let reduced = |l: usize| {
        let mut total = Sum::ZERO;
        for (look, label) in looks.iter().zip(&i.data.labels) {
            let size = look.outputs[l].magnitude() + label[l].abs();
            let value = here.kernel(l, look, l) * (look.outputs[l] - label[l]);
            total.add(-value, here.kernel_size(l, look, l) * size);
        }
        total
    };
    Ok(ReducedSum {
        velocity: i.model.along(&downhill, &i.point),
        reduced: (0..i.model.output_count()).map(reduced).collect(),
    })
}

fn each(s: &ReducedSum, right: impl Fn(usize) -> Interval) -> Evaluation {
    for_each("component", s.velocity.iter().zip(&s.reduced), |l, (&left, sum)| {
        equal(left, right(l)).on_scale_of("the terms in absolute value", sum.size)
    })
}

/// The model with these parameters.
fn with_parameters(i: &ModelOn<Regression>, parameters: &[f64]) -> ModelOn<Regression> {
    let mut moved = i.clone();
    match &mut moved.model {
        Model::OneLayer { map, .. } => {
            let columns = map.first().map_or(1, Vec::len);
            *map = parameters.chunks(columns).map(<[f64]>::to_vec).collect();
        }
        Model::TwoLayer { .. } => {}
    }
    moved
}

/// The parameters of a one-layer model after gradient flow for a time, from the loss alone: its gradient is an affine function of
/// them, so their velocities at 0 and at the unit vectors give the generator of the flow of (Θ, 1).
fn flowed(i: &ModelOn<Regression>, time: Interval) -> Result<Vec<Interval>, MatrixError> {
    let start = i.model.parameters();
    let p = start.len();
    let velocity = |parameters: &[f64]| -> Vec<Interval> {
        let there = with_parameters(i, parameters);
        let gradient = there.gradient_of(|u| squared_loss(&i.data, u));
        gradient.into_iter().map(|g| -g).collect()
    };
    let rest = velocity(&vec![0.0; p]);
    let moved: Vec<Vec<Interval>> = (0..p).map(|k| velocity(&unit_vector(p, k))).collect();
    let generator = IntervalMatrix::from_fn(p + 1, p + 1, |row, column| match (row < p, column < p) {
        (true, true) => moved[column][row] - rest[row],
        (true, false) => rest[row],
        (false, _) => Interval::ZERO,
    })?;
    let mut extended = points(&start);
    extended.push(Interval::ONE);
    let mut end = matrix_exponential(&generator.scaled(time))?.times_vector(&extended)?;
    end.pop();
    Ok(end)
}

/// A time at which the flow has moved, but not out of the range of the exponential.
fn time(i: &ModelOn<Regression>) -> Interval {
    let squares = i.data.inputs.iter().map(|x| {
        let look = Look::at(&i.model, x);
        look.kernel(0, &look, 0).hi()
    });
    Interval::ONE / (Interval::ONE + squares.sum::<f64>())
}

/// The parameters of the joint flow against those of z separate flows.
fn joint_is_separate(i: &ModelOn<Regression>) -> Result<Evaluation, MatrixError> {
    let Model::OneLayer { features, map } = &i.model else {
        return Ok(Evaluation::Failed("not a one-layer model".into()));
    };
    let time = time(i);
    let joint = flowed(i, time)?;
    let columns = map.first().map_or(1, Vec::len);
    let size = joint.iter().map(|x| x.magnitude()).sum::<f64>();
    let mut parts = Vec::new();
    for (l, row) in map.iter().enumerate() {
        let alone = ModelOn {
            data: Regression {
                inputs: i.data.inputs.clone(),
                labels: i.data.labels.iter().map(|y| vec![y[l]]).collect(),
            },
            model: Model::OneLayer { features: features.clone(), map: vec![row.clone()] },
            point: i.point.clone(),
        };
        let separate = flowed(&alone, time)?;
        let own = &joint[l * columns..(l + 1) * columns];
        parts.extend(own.iter().zip(separate).enumerate().map(|(a, (&joint, alone))| {
            (
                format!("θ_{}, entry {}", l + 1, a + 1),
                equal(joint, alone).on_scale_of("the terms in absolute value", size),
            )
        }));
    }
    Ok(all_of(parts))
}

/// How much u_1(x)′ changes when the labels of output 2 do.
fn interference(i: &ModelOn<Regression>) -> Result<Evaluation, MeasureError> {
    let mut changed = i.clone();
    for second in changed.data.labels.iter_mut().filter_map(|y| y.get_mut(1)) {
        *second = 2.0 * *second + 1.0;
    }
    let (before, after) = (sides(i)?.velocity[0], sides(&changed)?.velocity[0]);
    Ok(greater_than((before - after).abs(), 0))
}

/// ⟨∇_Θu_l(x), ∇_Θu_j(x_i)⟩ = 0 for l ≠ j, gradients by forward differentiation.
fn no_interaction(i: &ModelOn<Regression>) -> Evaluation {
    let (parameters, z) = (i.model.parameters(), i.model.output_count());
    let slopes = |x: &[f64], l: usize| gradient(&parameters, |p| i.model.outputs(p, x)[l]);
    let here: Vec<Vec<Interval>> = (0..z).map(|l| slopes(&i.point, l)).collect();
    let mut parts = Vec::new();
    for x in &i.data.inputs {
        let there: Vec<Vec<Interval>> = (0..z).map(|l| slopes(x, l)).collect();
        let size = sum_of_products(&here[0], &there[0]).magnitude();
        for (l, j) in pairs(0..z, 0..z).filter(|(l, j)| l != j) {
            parts.push((
                format!("l = {}, j = {}", l + 1, j + 1),
                equal(sum_of_products(&here[l], &there[j]), 0).on_scale_of("the terms in absolute value", size),
            ));
        }
    }
    all_of(parts)
}

/// What Lemma 1 speaks of.
const ONE_LAYER: &str = "a linear model or a kernel machine, u(x) = Θψ(x)";

fn one_layer(i: &ModelOn<Regression>) -> bool {
    matches!(i.model, Model::OneLayer { .. })
}

pub fn claim() -> Claim {
    Claim::new("esser2024.remark-1", "multivariate regression = independent univariate regressions", Kind::Dynamics)
        .statement(
            "u_l(x)′ = −Σ_i ⟨∇_Θu_l(x), ∇_Θu_l(x_i)⟩(u_l(x_i) − y_il): each component evolves independently, so a \
             z-variate regression is z univariate ones",
        )
        .speaks_also_of("kernels with infinitely many features")
        .source("Remark 1", &[])
        .symbols([GRADIENT_MODEL, PARAMETERS, LABELLED, POINT])
        .symbol("′", "the derivative in the time t of the gradient flow Θ′ = −∇_ΘL of L = ½Σ_i‖u(x_i) − y_i‖²")
        .symbol("printed sum", "−Σ_i ⟨∇_Θu_l(x), ∇_Θu_l(x_i)⟩(u_l(x_i) − y_il)")
        .symbol("k(x_i", "k(x, x′) = ψ(x)ᵀψ(x′), the kernel of the one-layer model u(x) = Θψ(x)")
        .remark(
            "For the linear model and kernel machines exact at every size and every time; neither a limit nor full \
             rank is needed.",
        )
        .setting(printed())
        .setting(separate())
        .setting(cross())
}

fn printed() -> Setting<ModelOn<Regression>, ReducedSum> {
    Setting::measuring(|i: &ModelOn<Regression>, _| sides(i))
        .assume(Hypothesis::new(ONE_LAYER, one_layer))
        .family(edge("named", named_models_on_regressions))
        .family(random("models, data, labels and points", models_on_regressions))
        .part("printed", "u_l(x)′ along the flow of the loss = the printed sum over i", holds(), |_, s| {
            each(s, |l| s.reduced[l].value)
        })
        .checked("esser2024.KernelMachines.remark_1_printed")
        .step(
            "s1",
            "the cross inner products ⟨∇_Θu_l(x), ∇_Θu_j(x_i)⟩, l ≠ j, vanish, so that (3), u_l(x)′ = \
             −Σ_iΣ_j⟨∇_Θu_l(x), ∇_Θu_j(x_i)⟩(u_j(x_i) − y_ij), reduces to the printed sum",
            holds(),
            |i, _| no_interaction(i),
        )
        .tested_by("cross")
        .assume(SEVERAL_OUTPUTS)
        .control("b", "u_1(x)′ changes when every y_i2 is replaced by 2y_i2 + 1", |i, _| interference(i).into())
        .assume(SEVERAL_OUTPUTS)
}

fn separate() -> Setting<ModelOn<Regression>, ()> {
    Setting::of()
        .assume(Hypothesis::new(ONE_LAYER, one_layer))
        .family(edge("named", named_models_on_regressions))
        .family(random("models, data, labels and points", models_on_regressions).taking(0.5))
        .without_search()
        .part(
            "separate",
            "the flow of Θ and z separate flows of its rows θ_l, each with the labels y_il alone and from the same \
             start, agree at the time 1/(1 + Σ_i k(x_i, x_i))",
            holds(),
            |i, ()| joint_is_separate(i).into(),
        )
}

fn cross() -> Setting<ModelOn<Regression>, ReducedSum> {
    Setting::measuring(|i: &ModelOn<Regression>, _| sides(i))
        .assume(Hypothesis::new("a two-layer network", |i: &ModelOn<Regression>| !one_layer(i)))
        .assume(Hypothesis::new(SMOOTH, is_smooth))
        .family(edge("named", named_models_on_regressions))
        .family(random("models, data, labels and points", models_on_regressions).taking(0.25))
        .family(outside("a unit at its kink", at_a_kink))
        .without_search()
        .control("cross", "the cross inner products vanish for a two-layer network of finite width", |i, _| {
            no_interaction(i)
        })
        .assume(SEVERAL_OUTPUTS)
        .control("a", "u_l(x)′ = the printed sum over i for a two-layer network of finite width", |_, s| {
            each(s, |l| s.reduced[l].value)
        })
}
