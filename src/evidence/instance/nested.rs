//! A hand-written instance as a field of a declared one: it speaks for itself.

use super::Instance;
use super::check::Problem;
use super::draw::Draws;
use super::edit::{Change, Edit};
use super::survey::{Found, Survey};

/// Notes its coordinates and sizes; see [`Part::survey`](super::part::Part::survey).
pub fn survey<I: Instance>(instance: &I, survey: &mut Survey) -> Found {
    let chart = instance.chart();
    survey.nested(chart.layout(), chart.start());
    Found::Other
}

/// Takes its coordinates; see [`Part::place`](super::part::Part::place). Its chart is made anew for each move.
#[must_use]
pub fn place<I: Instance>(instance: &mut I, from: &mut std::slice::Iter<'_, f64>) -> bool {
    let chart = instance.chart();
    let Some((own, rest)) = from.as_slice().split_at_checked(chart.start().len()) else {
        return false;
    };
    *from = rest.iter();
    chart.place(instance, own)
}

/// Asks it; see [`Part::check`](super::part::Part::check).
///
/// # Errors
/// What its own validation says.
pub fn check<I: Instance>(instance: &I) -> Result<(), Problem> {
    instance.validate().map_err(Problem::of_instance)
}

/// Changes one of its sizes; see [`Part::edit`](super::part::Part::edit).
pub fn edit<I: Instance>(instance: &mut I, edit: &mut Edit) {
    let Some(size) = edit.nested(instance.chart().layout().sizes.len()) else {
        return;
    };
    let changed = match edit.change {
        Change::To(value) => instance.with_size(size, value),
        Change::Without(item) => instance.without_item(size, item),
    };
    edit.changed(changed.is_some());
    if let Some(changed) = changed {
        *instance = changed;
    }
}

/// One of its edge instances, if it has any; see [`Part::draw`](super::part::Part::draw).
pub fn draw<I: Instance>(draws: &mut Draws<'_>) -> Option<I> {
    let mut edges = I::edges();
    if edges.is_empty() {
        return None;
    }
    let one = draws.below(edges.len() as u64) as usize;
    Some(edges.swap_remove(one).1)
}
