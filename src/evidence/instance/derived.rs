//! What `#[derive(Instance)]` answers with: every method of [`Instance`] for a type whose parts are known.

use super::check::Lengths;
use super::declaration::Field;
use super::draw::Draws;
use super::edit::{Change, Edit};
use super::layout::{CoordinateKind, Items, Layout, Size};
use super::part::Part;
use super::survey::Survey;
use super::{Chart, Instance};

/// Lists of up to this many items are tried without each one of them.
const EACH: u64 = 16;

fn surveyed<I: Part>(instance: &I) -> (Layout, Vec<f64>) {
    let mut survey = Survey::default();
    instance.survey(&Field::PLAIN, 0, &mut survey);
    survey.finish()
}

fn placed<I: Part>(instance: &mut I, at: &[f64]) -> bool {
    let mut from = at.iter();
    instance.place(&Field::PLAIN, 0, &mut from) && from.as_slice().is_empty()
}

/// [`Instance::chart`], in place and without allocation.
#[must_use]
pub fn chart<I: Instance + Part>(instance: &I) -> Chart<I> {
    let (layout, start) = surveyed(instance);
    Chart::native(layout, start, placed)
}

/// [`Instance::validate`].
///
/// # Errors
/// The first value outside of what is declared.
pub fn validate<I: Part>(instance: &I) -> Result<(), String> {
    let checked = instance.check(&Field::PLAIN, 0, &mut Lengths::default());
    checked.map_err(|problem| problem.into_text())
}

fn edited<I: Part>(instance: &I, size: usize, change: Change) -> Option<I> {
    let mut changed = instance.clone();
    let mut edit = Edit::new(size, change);
    changed.edit(&Field::PLAIN, 0, &mut edit);
    (edit.made && !edit.refused).then_some(changed)
}

/// [`Instance::with_size`].
#[must_use]
pub fn with_size<I: Part>(instance: &I, size: usize, value: u64) -> Option<I> {
    edited(instance, size, Change::To(value))
}

/// [`Instance::without_item`].
#[must_use]
pub fn without_item<I: Part>(instance: &I, size: usize, item: usize) -> Option<I> {
    edited(instance, size, Change::Without(item))
}

/// [`Instance::simpler`]: shorter lists and earlier variants first, then smaller whole numbers and earlier choices.
#[must_use]
pub fn simpler<I: Instance + Part>(instance: &I) -> Vec<I> {
    let (layout, start) = surveyed(instance);
    let mut all: Vec<I> = Vec::new();
    for (number, size) in layout.sizes.iter().enumerate() {
        if size.items == Items::Variant {
            all.extend((0..size.value).filter_map(|variant| with_size(instance, number, variant)));
            continue;
        }
        for value in fewer(size.least as f64, size.value as f64) {
            all.extend(with_size(instance, number, value as u64));
        }
        if size.value <= EACH {
            all.extend((0..size.value).filter_map(|item| without_item(instance, number, item as usize)));
        }
    }
    for (number, coordinate) in layout.coordinates.iter().enumerate() {
        let smaller = match coordinate.kind {
            CoordinateKind::Real => continue,
            CoordinateKind::Integer => fewer(coordinate.range.clamp(0.0), start[number]),
            CoordinateKind::Choice => (0..start[number] as u64).map(|choice| choice as f64).collect(),
        };
        for value in smaller {
            let mut at = start.clone();
            at[number] = value;
            let mut moved = instance.clone();
            all.extend(placed(&mut moved, &at).then_some(moved));
        }
    }
    all.retain(|candidate| candidate.validate().is_ok());
    all
}

/// Whole numbers between the plainest one and `value`, without `value`: the plainest, half the way, the next.
fn fewer(plainest: f64, value: f64) -> Vec<f64> {
    let way = value - plainest;
    let mut all = vec![plainest, plainest + (way / 2.0).trunc(), value - way.signum()];
    all.dedup();
    all.retain(|&x| x != value);
    all
}

/// Instances with one number that is easier to write: zero, one, two, a whole number, or one with fewer digits; the boldest first. None is
/// ever followed by one that leads back.
pub(super) fn plainer<I: Instance + Part>(instance: &I) -> Vec<I> {
    let (layout, start) = surveyed(instance);
    let mut all = Vec::new();
    for (number, coordinate) in layout.coordinates.iter().enumerate() {
        let x = start[number];
        if coordinate.kind != CoordinateKind::Real || !x.is_finite() {
            continue;
        }
        let (whole, one) = (x.trunc(), x.signum());
        let mut values = vec![0.0, one, 2.0 * one, (x / 2.0).trunc(), whole - one, whole, whole + one];
        values.extend((1..=3).filter_map(|digits| format!("{x:.*e}", digits - 1).parse::<f64>().ok()));
        values.push(coordinate.range.clamp(0.0));
        values.retain(|v| cost(*v) < cost(x));
        values.sort_by(|a, b| cost(*a).partial_cmp(&cost(*b)).unwrap_or(std::cmp::Ordering::Equal));
        values.dedup();
        for value in values {
            let mut at = start.clone();
            at[number] = value;
            let mut moved = instance.clone();
            if placed(&mut moved, &at) && moved.validate().is_ok() {
                all.push(moved);
            }
        }
    }
    all
}

/// What a number costs its reader: its digits, whether it is broken or negative, its size. Zero is free.
fn cost(x: f64) -> (usize, bool, bool, f64) {
    let text = format!("{:e}", x.abs());
    let mantissa = text.split('e').next().unwrap_or_default();
    let digits = mantissa.chars().filter(char::is_ascii_digit).count();
    (if x == 0.0 { 0 } else { digits }, x.fract() != 0.0, x < 0.0, x.abs())
}

/// Edge instances are tried at no more shapes than this, and there are no more than [`MOST`] of them.
const SHAPES: usize = 12;
const MOST: usize = 96;

/// [`Instance::edges`]: the edge points of the smallest shapes and of every variant.
#[must_use]
pub fn edges<I: Instance + Part>() -> Vec<(String, I)> {
    let Some(smallest) = I::draw(&Field::PLAIN, 0, &mut Draws::plainest()) else {
        return Vec::new();
    };
    let mut shapes = vec![smallest];
    let mut next = 0;
    // Breadth first: every shape, then the shapes that one step away from it has in store.
    while next < shapes.len() && shapes.len() < SHAPES {
        for shape in neighbours(&shapes[next]) {
            let layout = surveyed(&shape).0;
            if !shapes.iter().any(|known| surveyed(known).0 == layout) {
                shapes.push(shape);
            }
        }
        next += 1;
    }
    shapes.truncate(SHAPES);
    let of = |shape: I| {
        let (layout, start) = surveyed(&shape);
        let sizes: String = layout.sizes.iter().map(|size| named(size) + ", ").collect();
        let edge = move |(what, at): (String, Vec<f64>)| {
            let mut edge = shape.clone();
            let sound = placed(&mut edge, &at) && edge.validate().is_ok();
            sound.then(|| (format!("{sizes}{what}"), edge))
        };
        layout.edge_points(&start).into_iter().filter_map(edge).collect::<Vec<_>>().into_iter()
    };
    let mut by_shape: Vec<_> = shapes.into_iter().map(of).collect();
    // In turn, so that every shape has its share of the number that is tried.
    let mut edges = Vec::new();
    loop {
        let round: Vec<(String, I)> = by_shape.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() || edges.len() >= MOST {
            break;
        }
        edges.extend(round);
    }
    edges.truncate(MOST);
    edges
}

/// A size and its value.
fn named(size: &Size) -> String {
    match (size.items, size.name.as_str()) {
        (Items::Variant, _) => format!("variant {}", size.value + 1),
        (_, "") => format!("length {}", size.value),
        (_, name) => format!("{name} = {}", size.value),
    }
}

/// Shapes one step larger: lists of one item more, up to three, or of two; and every other variant.
fn neighbours<I: Instance + Part>(shape: &I) -> Vec<I> {
    let mut found = Vec::new();
    for (number, size) in surveyed(shape).0.sizes.iter().enumerate() {
        let values = match size.items {
            Items::Variant => 0..=size.greatest,
            _ => size.value + 1..=(size.value.max(1) + 1).min(3.max(size.least + 1)),
        };
        let others = values.filter(|&value| value != size.value && value <= size.greatest);
        found.extend(others.filter_map(|value| with_size(shape, number, value)));
    }
    found
}

/// A random instance from the declared ranges, from a source of uniform 64-bit numbers; none if a type within cannot be drawn, or
/// if a hundred draws in a row meet no valid instance.
pub fn draw<I: Instance + Part>(source: &mut dyn FnMut() -> u64) -> Option<I> {
    for _ in 0..100 {
        let drawn = I::draw(&Field::PLAIN, 0, &mut Draws::from(source))?;
        if drawn.validate().is_ok() {
            return Some(drawn);
        }
    }
    None
}
