//! Drawing assignments: from the declarations alone, in several styles, small sizes first.

use std::fmt;
use std::sync::Arc;

use core_math as cr;

use super::assignment::{Assignment, Raw, ValueShape, numbers};
use super::projected::projected;
use crate::formulas::domain::{Declarations, Domain, RealRange, Size};
use crate::numbers::number::Value;

/// Uniform random numbers, from whatever generator the caller has.
pub(crate) struct Dice<'r> {
    bits: &'r mut dyn FnMut() -> u64,
}

impl<'r> Dice<'r> {
    pub(crate) fn new(bits: &'r mut dyn FnMut() -> u64) -> Self {
        Dice { bits }
    }

    /// Uniform on [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        ((self.bits)() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform among `0..n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n.saturating_sub(1))
    }

    /// Symmetric about zero, most of it within one, in the shape of a bell.
    pub(crate) fn bell(&mut self) -> f64 {
        (0..4).map(|_| self.unit()).sum::<f64>() - 2.0
    }

    fn sign(&mut self) -> f64 {
        if self.unit() < 0.5 { -1.0 } else { 1.0 }
    }
}

/// How numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Of ordinary size; uniform where there are two ends.
    Plain,
    /// A few plain values, so that numbers are equal, opposite, zero, whole, or at an end.
    Structured,
    /// Of every order of magnitude between a millionth and a million, and as close to the ends.
    Wide,
    /// Of every order of magnitude that doubles have.
    Extreme,
}

pub(crate) const STYLES: [Style; 4] = [Style::Plain, Style::Structured, Style::Wide, Style::Extreme];

/// Plain values that statements give way at.
const VALUES: [f64; 12] = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, 10.0, -10.0, 0.25, 100.0];

/// The largest size of a vector that families draw, unless its range begins beyond.
pub(crate) const LARGEST_SIZE: i64 = 24;

/// The largest whole number that is drawn from a range without an end.
const LARGEST_WHOLE: i64 = 4_096;

fn magnitude(dice: &mut Dice<'_>, low: f64, high: f64) -> f64 {
    cr::exp10(low + (high - low) * dice.unit())
}

fn real(range: &RealRange, style: Style, dice: &mut Dice<'_>) -> f64 {
    let (least, greatest) = (range.least(), range.greatest());
    let (has_least, has_greatest) = (range.low.value.is_finite(), range.high.value.is_finite());
    let decades: (f64, f64) = match style {
        Style::Plain | Style::Structured => (-1.0, 1.0),
        Style::Wide => (-6.0, 6.0),
        Style::Extreme => (-300.0, 300.0),
    };
    let drawn = match (style, has_least, has_greatest) {
        (Style::Structured, ..) => match dice.below(VALUES.len() + 4) {
            0 if has_least => least,
            1 if has_greatest => greatest,
            2 if has_least && has_greatest => 0.5 * least + 0.5 * greatest,
            n => VALUES[n % VALUES.len()],
        },
        (Style::Plain, true, true) => least + (greatest - least) * dice.unit(),
        (_, true, true) => {
            let gap = (greatest - least) * magnitude(dice, decades.0.max(-17.0) * 2.0, 0.0);
            if dice.unit() < 0.5 { least + gap } else { greatest - gap }
        }
        (_, true, false) => least + magnitude(dice, decades.0, decades.1),
        (_, false, true) => greatest - magnitude(dice, decades.0, decades.1),
        (Style::Plain, false, false) => 2.0 * dice.bell(),
        (_, false, false) => dice.sign() * magnitude(dice, decades.0, decades.1),
    };
    range.nearest(drawn)
}

/// Entries of a vector: each for itself, all equal, or one that differs.
fn entries(count: usize, range: &RealRange, style: Style, dice: &mut Dice<'_>) -> Vec<f64> {
    match dice.below(6) {
        0 => vec![real(range, style, dice); count],
        1 => {
            let mut list = vec![real(range, Style::Structured, dice); count];
            let at = dice.below(count);
            if let Some(x) = list.get_mut(at) {
                *x = real(range, style, dice);
            }
            list
        }
        2 if style != Style::Plain => (0..count).map(|_| real(range, Style::Structured, dice)).collect(),
        _ => (0..count).map(|_| real(range, style, dice)).collect(),
    }
}

/// Weights of a probability vector, not all of them zero.
fn weights(count: usize, style: Style, dice: &mut Dice<'_>) -> Vec<f64> {
    let weight = |dice: &mut Dice<'_>| match style {
        Style::Plain => dice.unit(),
        Style::Structured => [0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0][dice.below(7)],
        Style::Wide => magnitude(dice, -6.0, 0.0),
        Style::Extreme => magnitude(dice, -60.0, 0.0),
    };
    let mut weights: Vec<f64> = (0..count).map(|_| weight(dice)).collect();
    if weights.iter().all(|&w| w == 0.0) {
        let at = dice.below(count);
        weights[at] = 1.0;
    }
    weights
}

fn list(domain: &Domain, shape: ValueShape, style: Style, dice: &mut Dice<'_>) -> Vec<f64> {
    let count = numbers(domain, shape);
    match domain {
        Domain::Stochastic { .. } => {
            let row = |dice: &mut Dice<'_>| weights(shape.columns, style, dice);
            (0..shape.rows).flat_map(|_| row(dice)).collect()
        }
        Domain::Simplex(_) => weights(count, style, dice),
        Domain::Sphere(_) => {
            let mut vector = entries(count, &RealRange::everything(), style, dice);
            if vector.iter().all(|&x| x == 0.0) {
                vector[0] = 1.0;
            }
            vector
        }
        Domain::Vector { range, .. } | Domain::Matrix { range, .. } => entries(count, range, style, dice),
        _ => entries(count, &RealRange::everything(), style, dice),
    }
}

/// One whole number of a range, or why there is none.
fn whole(declarations: &Declarations, place: usize, values: &[Value<f64>], dice: &mut Dice<'_>) -> Result<i64, String> {
    let variable = &declarations.variables[place];
    let nothing = || "the ranges of the whole numbers leave nothing".to_owned();
    let Domain::Whole { from, to } = &variable.domain else {
        return Err(nothing());
    };
    let beyond = |why: &dyn fmt::Display| format!("the range of {}: {why}", variable.name);
    let end = |size: &Size| declarations.evaluated(size, values).map_err(|trouble| beyond(&trouble));
    let from = match from {
        Some(from) => end(from)?,
        None => -LARGEST_WHOLE,
    };
    let mut to = match to {
        Some(to) => end(to)?,
        None => from.saturating_add(2 * LARGEST_WHOLE),
    };
    if declarations.shaping[place] {
        to = to.min(from.max(LARGEST_SIZE));
    }
    let span = to.checked_sub(from).ok_or_else(|| beyond(&"more than 2^63 whole numbers"))?;
    if span < 0 {
        let told = format!("{} in {}", variable.name, variable.domain);
        return Err(format!("the ranges of the whole numbers leave nothing: `{told}` is {from}..{to}"));
    }
    // Small ones are as likely as all others together: half of the draws are uniform in the logarithm.
    let anchor = if from < 0 && to >= 0 { -from } else { 0 };
    let uniform = dice.unit() < 0.5;
    let steps = if uniform && span <= 64 {
        (dice.unit() * (span as f64 + 1.0)) as i64
    } else {
        let reach = if anchor > 0 { (span - anchor).max(anchor) } else { span };
        let far = cr::exp2(dice.unit() * cr::log2(reach as f64 + 1.0)) as i64 - 1;
        if anchor > 0 { anchor + if dice.unit() < 0.5 { -far } else { far } } else { far }
    };
    Ok(from + steps.clamp(0, span))
}

/// Values of the whole numbers, and zeros for everything else; or why their ranges leave nothing.
fn wholes(declarations: &Declarations, dice: &mut Dice<'_>) -> Result<Vec<Raw>, String> {
    let count = declarations.variables.len();
    let mut known: Vec<Value<f64>> = vec![Value::Scalar(0.0); count];
    let mut values: Vec<Raw> = vec![Raw::Real(0.0); count];
    for &place in &declarations.order {
        let n = whole(declarations, place, &known, dice)?;
        known[place] = Value::Whole(n);
        values[place] = Raw::Whole(n);
    }
    Ok(values)
}

/// So many draws of sizes without one that fits mean that none does: what is drawn for the families would give up much later.
const ATTEMPTS: u64 = 4096;

/// Why nothing can be drawn, where no sizes fit: one of a vector that is too large or none at all, whole numbers of which there are none.
pub(crate) fn unfit(declarations: &Declarations) -> Option<String> {
    let mut state = 0u64;
    // The numbers of SplitMix64; whatever they are, they are the same every time.
    let mut bits = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let mut dice = Dice::new(&mut bits);
    let mut problem = None;
    for _ in 0..ATTEMPTS {
        let shapes = wholes(declarations, &mut dice).and_then(|values| declarations.shapes(&values).map(drop));
        match shapes {
            Ok(()) => return None,
            Err(message) => problem.get_or_insert(message),
        };
        if declarations.order.is_empty() {
            break;
        }
    }
    problem
}

/// One assignment; none if the ranges of the whole numbers leave nothing.
pub(crate) fn draw(declarations: &Arc<Declarations>, style: Style, dice: &mut Dice<'_>) -> Option<Assignment> {
    let values = wholes(declarations, dice).ok()?;
    fill(declarations, values, &mut |domain, shape| match domain {
        Domain::Real(range) => Raw::Real(real(range, style, dice)),
        domain => Raw::List(list(domain, shape, style, dice)),
    })
}

/// Values for everything but the whole numbers, which are known; moved to where the equations are met.
pub(crate) fn fill(
    declarations: &Arc<Declarations>,
    mut values: Vec<Raw>,
    value: &mut dyn FnMut(&Domain, ValueShape) -> Raw,
) -> Option<Assignment> {
    let shapes = declarations.shapes(&values).ok()?;
    for ((variable, raw), shape) in declarations.variables.iter().zip(&mut values).zip(shapes) {
        if !matches!(raw, Raw::Whole(_)) {
            *raw = value(&variable.domain, shape);
        }
    }
    let declarations = Arc::clone(declarations);
    Some(projected(Assignment { declarations, values }))
}

/// Assignments that everybody would try first, each with a name: the smallest sizes, zeros, ones, equal entries, the ends.
pub(crate) fn edges(declarations: &Arc<Declarations>) -> Vec<(String, Assignment)> {
    let mut found: Vec<(String, Assignment)> = Vec::new();
    for (size_name, wholes) in sizes(declarations) {
        for (name, at) in [
            ("zeros", 0.0),
            ("ones", 1.0),
            ("minus ones", -1.0),
            ("twos", 2.0),
            ("halves", 0.5),
            ("tens", 10.0),
            ("minus tens", -10.0),
            ("least", f64::MIN),
            ("greatest", f64::MAX),
        ] {
            let constant = |domain: &Domain, count: usize| match domain {
                // An end that is no end is no place to look at.
                Domain::Real(range) if at.abs() < 1e300 || range.is_bounded() => Raw::Real(range.nearest(at)),
                Domain::Real(range) => Raw::Real(range.nearest(0.0)),
                Domain::Simplex(_) | Domain::Stochastic { .. } => Raw::List(vec![1.0; count]),
                Domain::Vector { range, .. } | Domain::Matrix { range, .. }
                    if at.abs() < 1e300 || range.is_bounded() =>
                {
                    Raw::List(vec![range.nearest(at); count])
                }
                Domain::Sphere(_) => Raw::List(vec![if at == 0.0 { 1.0 } else { at.signum() }; count]),
                _ => Raw::List(vec![if at.abs() < 1e300 { at } else { 0.0 }; count]),
            };
            let made = fill(declarations, wholes.clone(), &mut |d, shape| constant(d, numbers(d, shape)));
            found.extend(made.map(|a| (format!("{name}{size_name}"), a)));
        }
        // Unit vectors and vertices, the k-th variable at the k-th place.
        let mut turn = 0;
        let made = fill(declarations, wholes.clone(), &mut |domain, shape| {
            turn += 1;
            let count = numbers(domain, shape);
            let unit = |k: usize| if k == (turn - 1) % count.max(1) { 1.0 } else { 0.0 };
            match domain {
                Domain::Real(range) => Raw::Real(range.nearest(if turn == 1 { 1.0 } else { 0.0 })),
                Domain::Vector { range, .. } | Domain::Matrix { range, .. } => {
                    Raw::List((0..count).map(|k| range.nearest(unit(k))).collect())
                }
                // A vertex in every row, the identity first.
                Domain::Stochastic { .. } => {
                    let at = |k: usize| (k / shape.columns + turn - 1) % shape.columns == k % shape.columns;
                    Raw::List((0..count).map(|k| if at(k) { 1.0 } else { 0.0 }).collect())
                }
                _ => Raw::List((0..count).map(unit).collect()),
            }
        });
        found.extend(made.map(|a| (format!("unit vectors{size_name}"), a)));
    }
    let mut once: Vec<(String, Assignment)> = Vec::new();
    for (name, assignment) in found {
        if !once.iter().any(|(_, seen)| seen.values == assignment.values) {
            once.push((name, assignment));
        }
    }
    once
}

/// A few combinations of whole numbers: all at their least, then a little more.
fn sizes(declarations: &Arc<Declarations>) -> Vec<(String, Vec<Raw>)> {
    let count = declarations.variables.len();
    let mut found: Vec<(String, Vec<Raw>)> = Vec::new();
    let steps: &[i64] = if declarations.order.is_empty() { &[0] } else { &[0, 1, 2, 7] };
    for &step in steps {
        let mut known: Vec<Value<f64>> = vec![Value::Scalar(0.0); count];
        let mut values: Vec<Raw> = vec![Raw::Real(0.0); count];
        let mut told = Vec::new();
        for &place in &declarations.order {
            let variable = &declarations.variables[place];
            let Domain::Whole { from, to } = &variable.domain else {
                continue;
            };
            let end = |size: &Option<Size>| size.as_ref().and_then(|s| declarations.evaluated(s, &known).ok());
            let from = end(from).unwrap_or(0);
            let n = from.saturating_add(step).min(end(to).unwrap_or(i64::MAX));
            known[place] = Value::Whole(n);
            values[place] = Raw::Whole(n);
            told.push(format!("{} = {n}", variable.name));
        }
        let name = if told.is_empty() { String::new() } else { format!(", {}", told.join(", ")) };
        if !found.iter().any(|(seen, _)| *seen == name) {
            found.push((name, values));
        }
    }
    found
}
