//! Inequalities in one variable whose sides touch, or of which one is not defined: next to such points, and towards infinity, by the leading term of
//! an expansion; between them by boxes.

use enclosures::enclosure::plain;
use enclosures::interval::Interval;
use num_rational::BigRational;
use num_traits::Zero;

use super::exclusion;
use super::expression::Head;
use super::goal::Goal;
use super::inequality::Shown;
use super::local::{Approach, Leading, Memory, leading, reached};
use super::numbers::number_of;
use super::roots::Endpoint;
use super::units;
use crate::numbers::exact::Exact;
use crate::numbers::number::{Enclosed, Undefined};

/// Points inside at which the sides are asked whether they touch.
const PLAIN: [(i64, i64); 17] = [
    (0, 1),
    (1, 1),
    (-1, 1),
    (2, 1),
    (-2, 1),
    (1, 2),
    (-1, 2),
    (3, 1),
    (-3, 1),
    (4, 1),
    (1, 3),
    (-1, 3),
    (2, 3),
    (1, 4),
    (3, 4),
    (3, 2),
    (5, 1),
];
/// How often a piece is halved.
const HALVINGS: usize = 12;

/// A point that was dealt with, and how far its pieces reach.
struct Piece {
    from: Option<BigRational>,
    to: Option<BigRational>,
}

/// Shows a goal in one variable.
pub(super) fn shown(goal: &Goal) -> Option<Shown> {
    let goal = goal.clone().narrowed();
    let mut used = Vec::new();
    goal.wanted.visit(&mut |e| {
        if let Head::Variable(v) = &*e.0
            && !used.contains(v)
        {
            used.push(*v);
        }
    });
    let [v] = used[..] else { return None };
    let range = goal.ranges[v].clone();
    let mut lines = goal.steps.clone();
    let mut pieces: Vec<Piece> = Vec::new();
    for point in points(&goal, v) {
        pieces.extend(around(&goal, v, &point, &mut lines));
    }
    if pieces.is_empty() {
        return None;
    }
    let mut from = range.low;
    let mut open = true;
    let mut boxes = 0;
    for piece in &pieces {
        if let Some(to) = &piece.from {
            boxes += between(&goal, v, &from, &Some((to.clone(), false)))?;
        }
        open = piece.to.is_some();
        from = piece.to.clone().map(|x| (x, false));
    }
    if open {
        boxes += between(&goal, v, &from, &range.high)?;
    }
    lines.push(format!("between these, {boxes} boxes"));
    Some(Shown { by: "by expansions where the sides touch, and boxes", lines })
}

/// Boxes that cover a part of the range.
fn between(goal: &Goal, v: usize, low: &Option<Endpoint>, high: &Option<Endpoint>) -> Option<usize> {
    if let (Some(low), Some(high)) = (low, high)
        && low.0 >= high.0
    {
        return Some(0);
    }
    let mut part = goal.clone();
    part.ranges[v].low = low.clone();
    part.ranges[v].high = high.clone();
    exclusion::boxes(&part)
}

/// What may be approached: minus infinity, points in order, infinity.
#[derive(Clone, Debug)]
enum Neighbourhood {
    MinusInfinity,
    At { x: BigRational, below: bool, above: bool },
    Infinity,
}

/// The points at which the sides touch or are not defined, and the ends.
fn points(goal: &Goal, v: usize) -> Vec<Neighbourhood> {
    let range = &goal.ranges[v];
    let inside = |x: &BigRational| {
        range.low.as_ref().is_none_or(|low| low.0 < *x) && range.high.as_ref().is_none_or(|high| *x < high.0)
    };
    let mut at: Vec<BigRational> = Vec::new();
    let plain = PLAIN.iter().map(|&(above, below)| BigRational::new(above.into(), below.into()));
    for x in plain.chain(units::fractions(&goal.clone().compacted())) {
        if !inside(&x) {
            continue;
        }
        let mut values = vec![Exact::UNKNOWN; goal.names.len()];
        values[v] = number_of(&x);
        match goal.wanted.on(&values) {
            Err(Undefined::Nowhere(_)) => at.push(x),
            Ok(value) if value.sign() == Some(0) && !goal.strict => at.push(x),
            _ => {}
        }
    }
    at.sort();
    at.dedup();
    let mut found = Vec::new();
    // Boxes deal with ends at which the sides are apart.
    let apart = |x: &BigRational| {
        let mut values = vec![Enclosed::constant(Interval::ENTIRE); goal.names.len()];
        values[v] = number_of(x);
        goal.wanted.on(&values).is_ok_and(|value| value.defined && value.value.lo() > 0.0)
    };
    match &range.low {
        None => found.push(Neighbourhood::MinusInfinity),
        Some((x, _)) if apart(x) => {}
        Some((x, _)) => found.push(Neighbourhood::At { x: x.clone(), below: false, above: true }),
    }
    found.extend(at.into_iter().map(|x| Neighbourhood::At { x, below: true, above: true }));
    match &range.high {
        None => found.push(Neighbourhood::Infinity),
        Some((x, _)) if apart(x) => {}
        Some((x, _)) => found.push(Neighbourhood::At { x: x.clone(), below: true, above: false }),
    }
    found
}

/// Whether nothing is wrong at a point itself.
fn is_settled(goal: &Goal, v: usize, x: &BigRational) -> bool {
    let range = &goal.ranges[v];
    if [&range.low, &range.high].into_iter().flatten().any(|end| end.1 && end.0 == *x) {
        return true;
    }
    let mut values = vec![Exact::UNKNOWN; goal.names.len()];
    values[v] = number_of(x);
    match goal.wanted.on(&values) {
        Err(undefined) => matches!(undefined, Undefined::Nowhere(_)),
        Ok(value) => value.sign().is_some_and(|sign| sign > 0 || sign == 0 && !goal.strict),
    }
}

/// The piece around a point, if all sides of it can be dealt with.
fn around(goal: &Goal, v: usize, point: &Neighbourhood, lines: &mut Vec<String>) -> Option<Piece> {
    let mut told = |at: Option<&BigRational>, sign: i64| {
        let (end, line) = side(goal, v, at, sign)?;
        lines.push(line);
        Some(end)
    };
    match point {
        Neighbourhood::MinusInfinity => Some(Piece { from: None, to: Some(told(None, -1)?) }),
        Neighbourhood::Infinity => Some(Piece { from: Some(told(None, 1)?), to: None }),
        Neighbourhood::At { x, below, above } => {
            if !is_settled(goal, v, x) {
                return None;
            }
            let from = if *below { told(Some(x), -1)? } else { x.clone() };
            let to = if *above { told(Some(x), 1)? } else { x.clone() };
            Some(Piece { from: Some(from), to: Some(to) })
        }
    }
}

/// How far from a point, towards one side, the leading term shows the sign; or from where on.
fn side(goal: &Goal, v: usize, at: Option<&BigRational>, sign: i64) -> Option<(BigRational, String)> {
    let name = &goal.names[v];
    for order in [1, 2, 3] {
        let towards = Approach { at: at.cloned(), sign, order };
        let (memory, mut until) = (Memory::default(), 1.0);
        for _ in 0..HALVINGS {
            match leading(&goal.wanted, &towards, until, &memory) {
                Leading::Negative => return None,
                Leading::Unknown => {}
                Leading::Positive(power, coefficient) => {
                    let end = reached(&towards, until)?;
                    let step = if order == 1 { "t".to_owned() } else { format!("t^{order}") };
                    let place = match at {
                        None => format!("{name} = {}1/{step}", if sign < 0 { "-" } else { "" }),
                        Some(x) if x.is_zero() => format!("{name} = {}{step}", if sign < 0 { "-" } else { "" }),
                        Some(x) => format!("{name} = {x} {} {step}", if sign < 0 { "-" } else { "+" }),
                    };
                    let until = plain(until, 17);
                    let line = format!(
                        "{place}: the difference of the sides is t^{power} times a number in {coefficient} for \
                         0 < t <= {until}"
                    );
                    return Some((end, line));
                }
            }
            until /= 2.0;
        }
    }
    None
}
