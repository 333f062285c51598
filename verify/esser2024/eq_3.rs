//! Equation (3): how outputs move when the squared loss is trained.
//!
//! True: u_l(x)′ = ⟨∇_Θu_l(x), Θ′⟩ by the chain rule, and ∇_ΘL = Σ_iΣ_j (u_j(x_i) − y_ij)∇_Θu_j(x_i). It holds wherever u is
//! differentiable in Θ, for any model. The left side here is forward differentiation twice, of the loss and then of u along Θ′;
//! the right side has the gradients by hand.

use enclosures::vectors::sum_of_products;
use evidence::prelude::*;

use crate::shared::hypotheses::{SMOOTH, is_smooth};
use crate::shared::model_families::{at_a_kink, models_on_regressions, named_models_on_regressions};
use crate::shared::model_instances::{Look, ModelOn, Regression, Sum, squared_loss};
use crate::shared::notation::{GRADIENT_MODEL, LABELLED, PARAMETERS, POINT, TIME_DERIVATIVE};

/// Both sides, component by component.
struct ChainRule {
    velocity: Vec<Interval>,
    chain: Vec<Interval>,
    /// The printed double sum.
    printed: Vec<Sum>,
    /// Its terms with j = l alone.
    own: Vec<Sum>,
}

fn sides(i: &ModelOn<Regression>) -> ChainRule {
    let downhill: Vec<Interval> = i.gradient_of(|u| squared_loss(&i.data, u)).iter().map(|&g| -g).collect();
    let here = Look::at(&i.model, &i.point);
    let looks: Vec<Look> = i.data.inputs.iter().map(|x| Look::at(&i.model, x)).collect();
    let z = i.model.output_count();
    let sum = |l: usize, keep: &dyn Fn(usize) -> bool| {
        let mut total = Sum::ZERO;
        for (look, label) in looks.iter().zip(&i.data.labels) {
            for j in (0..z).filter(|&j| keep(j)) {
                let residual = look.outputs[j] - label[j];
                let size = look.outputs[j].magnitude() + label[j].abs();
                total.add(-(here.kernel(l, look, j) * residual), here.kernel_size(l, look, j) * size);
            }
        }
        total
    };
    ChainRule {
        velocity: i.model.along(&downhill, &i.point),
        chain: here.jacobian.iter().map(|row| sum_of_products(row, &downhill)).collect(),
        printed: (0..z).map(|l| sum(l, &|_| true)).collect(),
        own: (0..z).map(|l| sum(l, &|j| j == l)).collect(),
    }
}

/// One comparison per component, on the scale of the printed sum's terms.
fn each(s: &ChainRule, compared: impl Fn(usize) -> (Interval, Interval)) -> Evaluation {
    for_each("component", &s.printed, |l, printed| {
        let (left, right) = compared(l);
        equal(left, right).on_scale_of("the terms in absolute value", printed.size)
    })
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-3", "output dynamics of squared-loss regression", Kind::Dynamics)
        .statement(
            "for L(Θ) = ½Σ_i‖u(x_i) − y_i‖² and Θ′ = −∇_ΘL: u_l(x)′ = −Σ_iΣ_j ⟨∇_Θu_l(x), ∇_Θu_j(x_i)⟩(u_j(x_i) − \
             y_ij)",
        )
        .source("Equation (3)", &["Learning Dynamics of Multivariate Regression"])
        .symbols([GRADIENT_MODEL, PARAMETERS, LABELLED, POINT, TIME_DERIVATIVE])
        .symbol("L", "½Σ_i‖u(x_i) − y_i‖², i = 1, …, n")
        .symbol("the double sum", "−Σ_iΣ_j ⟨∇_Θu_l(x), ∇_Θu_j(x_i)⟩(u_j(x_i) − y_ij), i = 1, …, n, j = 1, …, z")
        .remark(
            "Left sides by forward differentiation of the loss and of the model in interval arithmetic, right sides \
             from gradients written down by hand: no difference quotients.",
        )
        .setting(
            Setting::measuring(|i: &ModelOn<Regression>, _| Ok(sides(i)))
                .assume(Hypothesis::new(SMOOTH, is_smooth))
                .family(edge("named", named_models_on_regressions))
                .family(random("models, data, labels and points", models_on_regressions))
                .family(outside("a unit at its kink", at_a_kink))
                .part("printed", "u_l(x)′ = the double sum, for every l", holds(), |_, s| {
                    each(s, |l| (s.velocity[l], s.printed[l].value))
                })
                .checked_in_part("esser2024.GradientFlows.eq_3_printed")
                .step("s1", "u_l(x)′ = ⟨∇_Θu_l(x), Θ′⟩ for every l", holds(), |_, s| {
                    each(s, |l| (s.velocity[l], s.chain[l]))
                })
                .control("a", "u_l(x)′ = the double sum with its terms j = l alone", |_, s| {
                    each(s, |l| (s.velocity[l], s.own[l].value))
                })
                .control("b", "u_l(x)′ = minus the double sum", |_, s| {
                    each(s, |l| (s.velocity[l], -s.printed[l].value))
                }),
        )
}
