//! Goals in one variable that end, or whose sides touch, at a number that is no fraction, such as π/4 or 1/√2: with that number as the unit of the
//! variable, the end or the point is one. Floating point only proposes units, and points at which the sides may touch; what is concluded of them is
//! decided in closed form.

use enclosures::interval::Interval;
use num_rational::BigRational;
use num_traits::Zero;

use super::allowance;
use super::expression::{Formula, Head};
use super::goal::{Goal, WrittenEnd};
use super::normal::{Indeterminates, names, written};
use super::polynomial::nearest;
use super::roots::{Bounds, Endpoint};
use super::squares::simplest;
use crate::numbers::exact::Exact;
use crate::numbers::number::{Enclosed, NamedConstant, Number};
use crate::text::words::Function;

/// Values that are compared where the sides come close.
const SAMPLES: usize = 300;
/// Steps of the search for a least value.
const STEPS: usize = 90;
/// The most units that are tried, and the most points at which the sides may touch.
const UNITS: usize = 2;
const POINTS: usize = 12;

/// The goal with other units.
pub(super) fn of(goal: &Goal) -> Vec<Goal> {
    let mut found = Vec::new();
    let mut single = goal.clone().narrowed().compacted();
    if let Some(one) = single.in_one_variable() {
        found.push(one.clone());
        single = one;
    }
    if single.names.len() != 1 || !single.given.is_empty() {
        return found;
    }
    let mut units: Vec<Formula> = Vec::new();
    if let Some(period) = one_period(&single) {
        single = period;
        units.push(Formula::constant(NamedConstant::Pi));
    } else {
        units.extend(ends(&single));
        if !single.strict {
            let proposed = least(&single).into_iter().flat_map(forms);
            units.extend(proposed.filter(|unit| touches(&single, unit)).take(UNITS));
        }
    }
    units.truncate(UNITS);
    found.extend(units.iter().filter_map(|unit| single.in_unit(unit)));
    found
}

/// Numbers that are no doubles, in the language of statements, at which the goal may fail: ends of its range, and, where equality is a failure,
/// points at which its sides touch.
pub(super) fn next_to_failure(goal: &Goal) -> Vec<String> {
    if goal.names.len() != 1 {
        return Vec::new();
    }
    let range = &goal.ranges[0];
    let fractions = [&range.low, &range.high].into_iter().flatten();
    let mut found: Vec<Formula> = fractions.map(|end| Formula::number(end.0.clone())).chain(ends(goal)).collect();
    if goal.strict {
        let mut points = least(goal);
        points.sort_by(|x, y| x.abs().total_cmp(&y.abs()));
        found.extend(points.into_iter().flat_map(forms).filter(|number| touches(goal, number)));
    }
    let is_double = |x: &BigRational| BigRational::from_float(nearest(x)).as_ref() == Some(x);
    found.retain(|number| !number.as_number().is_some_and(is_double));
    found.iter().filter_map(typed).collect()
}

/// Whether the sides are equal at a number, by their closed forms.
fn touches(goal: &Goal, number: &Formula) -> bool {
    let at = number.on::<Exact>(&[]).ok();
    at.and_then(|x| goal.wanted.on(&[x]).ok()).is_some_and(|value| value.sign() == Some(0))
}

/// A number in closed form, as it can be typed.
fn typed(number: &Formula) -> Option<String> {
    let mut atoms = Indeterminates::of(&[]);
    let of = atoms.fraction(number)?;
    Some(written(&of, &names(&atoms, &[])))
}

/// Fractions next to which the sides come close.
pub(super) fn fractions(goal: &Goal) -> Vec<BigRational> {
    if goal.names.len() != 1 {
        return Vec::new();
    }
    let mut found: Vec<BigRational> = least(goal).into_iter().filter_map(|x| simplest(x, 1e-6)).collect();
    found.sort();
    found.dedup();
    found
}

/// Ends that are no fractions, and at which the sides are not far apart.
fn ends(goal: &Goal) -> Vec<Formula> {
    let range = &goal.ranges[0];
    let each = [&range.low, &range.high].into_iter().flatten().filter_map(|end| goal.written_end(0, end));
    let is_apart = |end: &Formula| {
        let value = end.on::<Enclosed>(&[]).and_then(|x| goal.wanted.on(&[x]));
        value.is_ok_and(|value| value.defined && value.value.lo() > 0.0)
    };
    each.map(|(end, _)| end).filter(|end| !is_apart(end)).collect()
}

/// The same on one period, where the variable occurs only in sines and cosines of whole multiples of it.
fn one_period(goal: &Goal) -> Option<Goal> {
    if goal.ranges[0] != Bounds::default() {
        return None;
    }
    let turn = Formula::constant(NamedConstant::Pi).times(Formula::whole(2));
    let moved = Formula::variable(0).plus(turn.clone());
    let is_periodic = |e: &Formula| {
        let mut atoms = Indeterminates::of(&goal.ranges);
        let change = atoms.fraction(&e.with_variable(0, &moved).minus(e.clone()))?;
        let turns = atoms.product(&change, &atoms.inverse(&atoms.clone().fraction(&turn)?)?);
        turns.as_number().map(|times| times.is_integer())
    };
    fn fits(e: &Formula, is_periodic: &dyn Fn(&Formula) -> Option<bool>) -> bool {
        match &*e.0 {
            Head::Variable(_) => false,
            Head::Apply(Function::Sin | Function::Cos | Function::Tan, a) if is_periodic(a) == Some(true) => true,
            _ => e.inside().into_iter().all(|inner| fits(inner, is_periodic)),
        }
    }
    let mut found = goal.clone();
    let beyond = BigRational::from_float(Interval::pi().hi())?;
    for sign in [-1, 1] {
        let stands_for = &beyond * BigRational::from_integer(sign.into());
        let end = Formula::constant(NamedConstant::Pi).times(Formula::whole(sign));
        let place = if sign < 0 { &mut found.ranges[0].low } else { &mut found.ranges[0].high };
        *place = Some((stands_for.clone(), false));
        found.written.push(WrittenEnd { name: goal.names[0].clone(), stands_for, end, excluded: false });
    }
    found.steps.push(format!("one period, {} from -pi to pi", goal.names[0]));
    fits(&goal.wanted, &is_periodic).then_some(found)
}

/// Where the difference of the sides is least in floating point and nearly zero.
fn least(goal: &Goal) -> Vec<f64> {
    let range = &goal.ranges[0];
    let value = |x: f64| {
        let value = if allowance::spend(4) { goal.wanted.on::<f64>(&[x]).ok() } else { None };
        value.filter(|y| y.is_finite()).unwrap_or(f64::INFINITY)
    };
    let samples: Vec<(f64, f64)> = (1..SAMPLES)
        .map(|k| {
            let x = range.at(k as f64 / SAMPLES as f64);
            (x, value(x))
        })
        .collect();
    let mut found = Vec::new();
    for w in samples.windows(3) {
        let ([before, here, after], most) = ([w[0], w[1], w[2]], w[0].1.max(w[2].1));
        if here.1 > before.1 || here.1 > after.1 || !most.is_finite() {
            continue;
        }
        let (mut low, mut high) = (before.0, after.0);
        for _ in 0..STEPS {
            let third = (high - low) / 3.0;
            if value(low + third) <= value(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        let x = (low + high) / 2.0;
        if value(x).abs() <= 1e-6 * most && found.len() < POINTS {
            found.push(x);
        }
    }
    found
}

/// Numbers in closed form next to a double: multiples of π, roots, powers of e, logarithms and arcs, of simple fractions.
fn forms(x: f64) -> Vec<Formula> {
    let close = |x: f64| simplest(x, 1e-6).filter(|r| !r.is_zero() && *r.denom() <= 100.into()).map(Formula::number);
    let signed = |f: Formula| if x < 0.0 { f.negated() } else { f };
    let mut found: Vec<Formula> = Vec::new();
    found.extend(close(x));
    found.extend(close(x / std::f64::consts::PI).map(|r| r.times(Formula::constant(NamedConstant::Pi))));
    for order in [2, 3, 4, 6] {
        let root = BigRational::new(1.into(), order.into());
        let power = close((0..order).map(|_| x.abs()).product()).and_then(|r| r.real_power(Formula::number(root)).ok());
        found.extend(power.map(signed));
    }
    let through = |value: f64, function: Function| close(value).and_then(|r| r.apply(function).ok());
    found.extend(through(core_math::log(x.abs()), Function::Exp).map(signed));
    found.extend(through(core_math::exp(x), Function::Log));
    let (sine, cosine) = (core_math::sin(x), core_math::cos(x));
    let root = |square: f64| close(square).and_then(|r| r.apply(Function::Sqrt).ok());
    let arc = |square: f64, function: Function| root(square).and_then(|r| r.apply(function).ok());
    found.extend(arc(sine * sine, Function::Asin).map(signed));
    found.extend(arc(cosine * cosine, Function::Acos).map(signed));
    found.extend(arc((sine / cosine) * (sine / cosine), Function::Atan).map(signed));
    found
}

impl Goal {
    /// The end of a variable's range as it was written, and whether it is left out, where that is no fraction.
    fn written_end(&self, place: usize, end: &Endpoint) -> Option<(Formula, bool)> {
        let found = self.written.iter().find(|w| w.name == self.names[place] && w.stands_for == end.0)?;
        Some((found.end.clone(), found.excluded))
    }

    /// The goal with a multiple of a positive or negative number in place of its only variable.
    fn in_unit(&self, unit: &Formula) -> Option<Goal> {
        let size = unit.on::<Enclosed>(&[]).ok().filter(|x| x.defined && !x.value.contains(0.0))?.value;
        let turned = size.hi() < 0.0;
        let scaled = |end: &Option<Endpoint>, upper: bool| -> Option<Option<Endpoint>> {
            let Some(end) = end else { return Some(None) };
            let (exact, excluded) = self.written_end(0, end).unwrap_or_else(|| (Formula::number(end.0.clone()), end.1));
            let about = exact.on::<Enclosed>(&[]).ok()?.value / size;
            let is_multiple = |times: &BigRational| {
                let rest = exact.clone().minus(unit.clone().times(Formula::number(times.clone())));
                rest.on::<Exact>(&[]).is_ok_and(|rest| rest.sign() == Some(0))
            };
            if let Some(times) = simplest(about.midpoint(), 1e-9).filter(is_multiple) {
                return Some(Some((times, excluded)));
            }
            // Moved outwards it does not belong to the range.
            let beyond = if upper { about.hi().next_up() } else { about.lo().next_down() };
            Some(Some((BigRational::from_float(beyond)?, true)))
        };
        let Bounds { low, high } = &self.ranges[0];
        let (low, high) = if turned { (high, low) } else { (low, high) };
        let range = Bounds { low: scaled(low, false)?, high: scaled(high, true)? };
        let mut found = self.with(0, &Formula::variable(0).times(unit.clone()), range);
        found.wanted = found.tidied(&found.wanted);
        let told = typed(unit).unwrap_or_else(|| format!("{}", size.midpoint()));
        found.steps.push(format!("{0}*({told}) in place of {0}", self.names[0]));
        Some(found)
    }
}
