//! Proposition 1, first sentence: identical dynamics and identical fixed points of the components.
//!
//! The loss is Σ_l θ_l C θ_lᵀ: its second derivatives between different rows vanish and every row has the same block 2C. So all
//! components obey θ′ = −2θC, with the stationary set {θ : θC = 0}. That is all that is identical: a component converges
//! exactly when θ_l(0) vanishes on the negative eigenspace, and then to θ_l(0)P, P the projection on ker C, which differs from
//! component to component as the starts do. A kernel machine with explicit features ψ is the linear model on ψ(x).

use enclosures::linear_algebra::IntervalMatrix;
use enclosures::vectors::{minus, norm, points};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, LinearLimit};
use linear_ssl::self_supervised::SelfSupervisedError;

use crate::shared::flows::spectra;
use crate::shared::linear_data::{DataStart, LOSSES, Loss, data_starts, named_data_starts, velocity};
use crate::shared::linear_flows::{LinearStart, linear_starts, named_linear_starts};
use crate::shared::notation::{ANCHORS, BOTH_LOSSES};

/// Second derivative of the loss in the entries (l, a) and (m, b) of Θ, from its values: exact for a quadratic form.
fn second_derivative(
    i: &DataStart,
    loss: Loss,
    (l, a): (usize, usize),
    (m, b): (usize, usize),
) -> Result<Interval, SelfSupervisedError> {
    let d = i.data.dimension();
    let at = |first: f64, second: f64| -> Result<Interval, SelfSupervisedError> {
        let entry = |r: usize, c: usize| {
            Interval::point(if (r, c) == (l, a) { first } else { 0.0 })
                + Interval::point(if (r, c) == (m, b) { second } else { 0.0 })
        };
        loss.value(&i.data, &IntervalMatrix::from_fn(i.outputs(), d, entry)?)
    };
    Ok(at(1.0, 1.0)? - at(1.0, 0.0)? - at(0.0, 1.0)?)
}

/// All blocks between different rows vanish, all blocks of single rows are the first row's.
fn one_equation(i: &DataStart) -> Result<Evaluation, SelfSupervisedError> {
    let (z, d) = (i.outputs(), i.data.dimension());
    let unit = IntervalMatrix::identity(1)?;
    let scale = i.scale(&unit);
    let mut parts = Vec::new();
    for (name, loss) in LOSSES {
        for (a, b) in pairs(0..d, 0..d) {
            let first = second_derivative(i, loss, (0, a), (0, b))?;
            for l in 1..z {
                let own = second_derivative(i, loss, (l, a), (l, b))?;
                let mixed = second_derivative(i, loss, (0, a), (l, b))?;
                parts.push((
                    format!("{name}, block of row {}", l + 1),
                    equal(own, first).on_scale_of("the terms in absolute value", scale),
                ));
                parts.push((
                    format!("{name}, block of rows 1 and {}", l + 1),
                    equal(mixed, 0).on_scale_of("the terms in absolute value", scale),
                ));
            }
        }
    }
    Ok(all_of(parts))
}

/// How much the velocity of the first component changes when the second row is replaced.
fn interference(i: &DataStart) -> Result<Interval, SelfSupervisedError> {
    let map = i.initial()?;
    let changed = IntervalMatrix::from_fn(map.rows(), map.columns(), |r, c| {
        let here = map.at(r, c);
        if r == 1 { here * 2.0 + 1.0 } else { here }
    })?;
    let mut total = Interval::ZERO;
    for (_, loss) in LOSSES {
        let before = velocity(loss, &i.data, &map, 0, &i.point)?;
        total += (velocity(loss, &i.data, &changed, 0, &i.point)? - before).abs();
    }
    Ok(total)
}

/// The limits of the components that converge.
fn limits(s: &LinearStart) -> Result<Vec<Vec<f64>>, FlowError> {
    let mut found = Vec::new();
    for l in 0..s.start.len() {
        if let LinearLimit::Converges(limit) = s.component(l)?.limit()? {
            found.push(limit.row(0).to_vec());
        }
    }
    Ok(found)
}

const TOO_FEW: &str = "fewer than two components converge";

fn same_limit(s: &LinearStart) -> Result<Evaluation, FlowError> {
    let found = limits(s)?;
    let Some((first, others)) = found.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Ok(vacuous(TOO_FEW));
    };
    let apart = |other: &Vec<f64>| {
        let difference = minus(&points(first), other);
        ("distance of two limits", equal(norm(&difference), 0).on_unit_scale())
    };
    Ok(all_of(others.iter().map(apart)))
}

/// Each component at two times against its limit θ_l(0)P, or against the growth of its part on a negative eigenvalue.
fn limits_reached(s: &LinearStart) -> Result<Evaluation, FlowError> {
    let mut parts = Vec::new();
    for (l, row) in s.start.iter().enumerate() {
        let flow = s.component(l)?;
        let active = || row.iter().zip(&s.spectrum).filter(|(x, _)| **x != 0.0).map(|(_, l)| *l);
        let Some(lowest) = active().reduce(f64::min) else {
            continue;
        };
        let slowest = active().filter(|l| *l > 0.0).reduce(f64::min).unwrap_or(1.0);
        let kept: Vec<Interval> =
            row.iter().zip(&s.spectrum).map(|(&x, &l)| Interval::point(if l == 0.0 { x } else { 0.0 })).collect();
        for k in [0.5, 4.0] {
            let (name, start) = (format!("component {}, step {k}", l + 1), norm(&points(row)));
            if lowest < 0.0 {
                // The part on the lowest eigenvalue alone grows like e^{2|λ|t}; compared after this factor is taken out.
                let state = flow.at(k / -lowest)?;
                let part: Vec<Interval> = row
                    .iter()
                    .zip(&s.spectrum)
                    .map(|(&x, &l)| Interval::point(if l == lowest { x } else { 0.0 }))
                    .collect();
                parts.push((name.clone(), at_least(state.matrix.frobenius_norm(), norm(&part))));
                parts.push((name, equal(state.log_scale, exact(2.0 * k))));
            } else {
                let state = flow.at(k / slowest)?;
                let here = state.matrix.scaled(state.log_scale.exp());
                let off = minus(here.entries(), &kept);
                let bound = start * Interval::point(-2.0 * k).exp();
                parts.push((name, at_most(norm(&off), bound).on_scale_of("‖θ_l(0)‖", start.hi())));
            }
        }
    }
    Ok(all_of(parts))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-1c", "identical dynamics, identical fixed points", Kind::Dynamics)
        .statement("every component u_l obeys the same differential equation, and hence has identical fixed points")
        .source("Proposition 1, first sentence", &[])
        .symbols([ANCHORS, BOTH_LOSSES])
        .symbol("θ", "the rows θ_1, …, θ_z of the z×d matrix Θ; Θ₀ is the start")
        .symbol("C", "the symmetric d×d matrix with L = Tr(ΘCΘᵀ), so that the gradient flow is Θ′ = −2ΘC")
        .remark(
            "\"Fixed points\" has two senses: R1, the set of stationary points is the same for every component; R2, \
             the components converge to the same limit whenever they converge.",
        )
        .sense("rest", "a fixed point is where the equation stands still")
        .sense("ends", "a fixed point is what a component converges to")
        .setting(separate_rows())
        .setting(limit())
}

fn separate_rows() -> Setting<DataStart, ()> {
    Setting::of()
        .given("u = Θx, gradient flow of either loss")
        .family(edge("named", named_data_starts))
        .family(random("data, start and point", data_starts))
        .part(
            "R1",
            "the second derivatives of either loss in entries of two different rows of Θ vanish, and those within a \
             row are the same for every row: one equation, one stationary set",
            holds(),
            |i, ()| one_equation(i).into(),
        )
        .assume(Hypothesis::new("z ≥ 2", |i| i.outputs() >= 2))
        .control(
            "b",
            "u_1(x)′ changes, for one of the losses, when θ_2 is replaced by 2θ_2 + (1, …, 1)",
            |i, ()| interference(i).map(|x| greater_than(x, 0)).into(),
        )
        .assume(Hypothesis::new("z ≥ 2", |i| i.outputs() >= 2))
}

fn limit() -> Setting<LinearStart, ()> {
    Setting::of()
        .given("u = Θx, gradient flow, in the eigenbasis of C; P the projection on ker C")
        .degenerate("C = 0 or Θ₀ = 0", LinearStart::is_still)
        .family(edge("named", named_linear_starts))
        .family(random("spectra with zeros", || linear_starts(spectra(-2.0, 2.0))))
        .family(random("no negative eigenvalue", || linear_starts(spectra(0.0, 2.0))).taking(0.5))
        .part(
            "R2",
            "components that converge have the same limit",
            fails("the limits are θ_l(0)P, P the projection on ker C, as different as the starts"),
            |s, ()| same_limit(s).into(),
        )
        .checked("esser2024.Proposition1.prop_1c_R2_refuted")
        .sides("distance of two limits", "0")
        .except(TOO_FEW)
        .in_sense("ends")
        .amendment(
            "limit",
            "θ_l(t) converges exactly when θ_l(0) vanishes on the eigenspaces of negative eigenvalues, and then \
             ‖θ_l(t) − θ_l(0)P‖ ≤ ‖θ_l(0)‖e^{−2μt}, μ the smallest positive eigenvalue on whose eigenspace θ_l(0) does \
             not vanish (any μ if there is none)",
            holds(),
            |s, ()| limits_reached(s).into(),
        )
        .assume(Hypothesis::new("Θ₀ ≠ 0", |s| !s.is_zero()))
        .amendment("positive-definite", "components that converge all tend to zero", holds(), |s, ()| {
            same_limit(s).into()
        })
        .tested_by("any-kernel")
        .except(TOO_FEW)
        .assume(Hypothesis::new("C has no eigenvalue zero", |s| s.spectrum.iter().all(|l| *l != 0.0)))
        .control(
            "any-kernel",
            "components that converge all tend to the same point, whatever the kernel of C",
            |s, ()| same_limit(s).into(),
        )
        .except(TOO_FEW)
        .control("a", "u_1(t) = u_2(t) for all t", |s, ()| match &s.start[..] {
            [first, second, ..] => {
                all_of(first.iter().zip(second).map(|(&x, &y)| ("entry", equal(exact(x), exact(y)))))
            }
            _ => vacuous("one output"),
        })
        .except("one output")
}
