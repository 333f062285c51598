//! Proposition 1, its two displays: the learning dynamics of the linear model.
//!
//! L is a quadratic form of Θ, so u_l(x)′ = −⟨∇L, e_l xᵀ⟩ is an exact difference of two values of the loss; bilinearity of the summands
//! u(x_i)ᵀu(x_i⁺) turns it into the printed sum. The solution is Θ(t) = Θ₀e^{−2Ct} with L = Tr(ΘCΘᵀ), where for the
//! non-contrastive loss C = −½Σ(x_i x_i⁺ᵀ + x_i⁺x_iᵀ), with the minus sign that the text after (7) lacks.

use enclosures::linear_algebra::IntervalMatrix;
use enclosures::vectors::points;
use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, trace_loss};

use crate::shared::linear_data::{DataStart, LOSSES, Loss, data_starts, inner, named_data_starts, velocity};
use crate::shared::notation::{ANCHORS, BOTH_LOSSES, DATA_MATRIX, POINT};

/// The fractions of the instance's time at which both sides are compared.
const FRACTIONS: [f64; 3] = [0.0, 0.1, 1.0];

struct MapMoment {
    name: String,
    loss: Loss,
    map: IntervalMatrix,
    scale: f64,
}

fn moments(i: &DataStart) -> Result<Vec<MapMoment>, SelfSupervisedError> {
    let mut found = Vec::new();
    for (name, loss) in LOSSES {
        for fraction in FRACTIONS {
            let map = i.state(loss, fraction)?;
            found.push(MapMoment { name: format!("{name}, {fraction} of t"), loss, scale: i.scale(&map), map });
        }
    }
    Ok(found)
}

/// The printed right side for component l.
fn printed(i: &DataStart, m: &MapMoment, l: usize) -> Result<Interval, SelfSupervisedError> {
    let mut sum = Interval::ZERO;
    for ((a, plus), minus) in i.data.anchors.iter().zip(&i.data.positives).zip(&i.data.negatives) {
        let u = |p: &[f64]| -> Result<Interval, SelfSupervisedError> { Ok(m.map.times_vector(&points(p))?[l]) };
        let k = |p: &[f64]| inner(&i.point, p);
        sum += match m.loss {
            Loss::NonContrastive => k(a) * u(plus)? + k(plus) * u(a)?,
            Loss::Contrastive => k(a) * (u(plus)? - u(minus)?) + (k(plus) - k(minus)) * u(a)?,
        };
    }
    Ok(sum)
}

/// −2θ_l Cx.
fn closed(i: &DataStart, m: &MapMoment, l: usize) -> Result<Interval, SelfSupervisedError> {
    let image = m.loss.matrix(&i.data)?.times_vector(&points(&i.point))?;
    Ok(m.map.times_vector(&image)?[l] * -2.0)
}

/// One comparison per loss, time and component.
fn each(
    i: &DataStart,
    moments: &[MapMoment],
    sides: impl Fn(&MapMoment, usize) -> Result<(Interval, Interval), SelfSupervisedError>,
) -> Evaluation {
    let parts = moments.iter().flat_map(|m| (0..i.outputs()).map(move |l| (m, l)));
    all_of(parts.map(|(m, l)| {
        let compared =
            sides(m, l).map(|(left, right)| equal(left, right).on_scale_of("the terms in absolute value", m.scale));
        (format!("{}, component {}", m.name, l + 1), compared.into())
    }))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-1a", "printed ODE, linear model", Kind::Dynamics)
        .statement(
            "for u(x) = Θx under gradient flow, non-contrastive: u_l(x)′ = Σ_i (xᵀx_i)u_l(x_i⁺) + (xᵀx_i⁺)u_l(x_i); \
             contrastive: u_l(x)′ = Σ_i (xᵀx_i)(u_l(x_i⁺) − u_l(x_i⁻)) + (xᵀx_i⁺ − xᵀx_i⁻)u_l(x_i)",
        )
        .source("Proposition 1", &["its two displays"])
        .symbols([ANCHORS, BOTH_LOSSES, DATA_MATRIX, POINT])
        .symbol("θ_l", "row l of Θ, a z×d matrix; Θ₀ is the start")
        .symbol("′", "the derivative in the time along Θ′ = −∇_ΘL, at Θ(s) for the time s named")
        .symbol("t", "any time from 0 to 2/(1 + ‖C‖_∞), ‖C‖_∞ the largest sum of |entries| of a row")
        .symbol(
            "the printed sum",
            "non-contrastive: Σ_i [(xᵀx_i)u_l(x_i⁺) + (xᵀx_i⁺)u_l(x_i)]; contrastive: Σ_i [(xᵀx_i)(u_l(x_i⁺) − \
             u_l(x_i⁻)) + (xᵀx_i⁺ − xᵀx_i⁻)u_l(x_i)]; i = 1, …, n",
        )
        .remark(
            "Both terms stand under the sum. Left sides come from values of the loss alone, at Θ(t) = Θ₀e^{−2Ct} in \
             interval arithmetic.",
        )
        .setting(derivatives())
}

fn derivatives() -> Setting<DataStart, Vec<MapMoment>> {
    Setting::measuring(|i: &DataStart, _| Ok(moments(i)?))
        .given("u = Θx, Θ unconstrained, C the symmetric matrix with L = Tr(ΘCΘᵀ), Θ(t) = Θ₀e^{−2Ct}")
        .family(edge("named", named_data_starts))
        .family(random("data, start and point", data_starts).taking(0.5))
        .part(
            "printed",
            "u_l(x)′ = −(L(Θ + e_lxᵀ) − L(Θ − e_lxᵀ))/2, exact as L is quadratic, = the printed sum, at the times 0, \
             t/10 and t, both losses, every l (e_l the l-th unit vector)",
            holds(),
            |i, m| each(i, m, |m, l| Ok((velocity(m.loss, &i.data, &m.map, l, &i.point)?, printed(i, m, l)?))),
        )
        .checked("esser2024.KernelMachines.prop_1a_contrastive")
        .checked("esser2024.KernelMachines.prop_1a_non_contrastive")
        .ours(
            "closed",
            "−2θ_l(s)Cx, the derivative of the closed form, = the printed sum, at the times s = 0, t/10 and t, both \
             losses, every l",
            holds(),
            |i, m| each(i, m, |m, l| Ok((closed(i, m, l)?, printed(i, m, l)?))),
        )
        .step("s1", "L = Tr(ΘCΘᵀ) for both losses, at the times 0, t/10 and t", holds(), |i, m| {
            all_of(m.iter().map(|m| {
                let sides = || {
                    Ok::<_, SelfSupervisedError>((
                        m.loss.value(&i.data, &m.map)?,
                        trace_loss(&m.map, &m.loss.matrix(&i.data)?)?,
                    ))
                };
                (
                    m.name.clone(),
                    sides()
                        .map(|(left, right)| equal(left, right).on_scale_of("the terms in absolute value", m.scale))
                        .into(),
                )
            }))
        })
        .control("a", "non-contrastive: u_l(x)′ = 2Σ_i (xᵀx_i)u_l(x_i⁺)", |i, m| {
            each(i, m, |m, l| {
                let mut sum = Interval::ZERO;
                for (a, plus) in i.data.anchors.iter().zip(&i.data.positives) {
                    sum += inner(&i.point, a) * m.map.times_vector(&points(plus))?[l] * 2.0;
                }
                let left = velocity(m.loss, &i.data, &m.map, l, &i.point)?;
                Ok((left, if m.loss == Loss::NonContrastive { sum } else { left }))
            })
        })
        .control("b", "u_l(x)′ = half of the printed sum", |i, m| {
            each(i, m, |m, l| Ok((velocity(m.loss, &i.data, &m.map, l, &i.point)?, printed(i, m, l)? * 0.5)))
        })
}
