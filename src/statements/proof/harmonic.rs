//! Sums of 1/k as logarithms with what their expansion leaves: with m >= 1, `H(m) = log m + γ + 1/(2m) − 1/(12m²) + e/(120m⁴)` with e between zero and
//! one (Euler and Maclaurin). What is said of such sums is then said of a real number.

use num_rational::BigRational;

use super::algebra::expression::Formula;
use super::algebra::goal::Goal;
use super::algebra::normal::Indeterminates;
use super::algebra::roots::{Bounds, Sign};
use crate::numbers::number::Number;
use crate::text::words::Function;

/// A variable that stands for a factor times the sum of 1/k from one formula to another.
pub(super) struct HarmonicSum {
    pub(super) place: usize,
    pub(super) factor: Formula,
    pub(super) from: Formula,
    pub(super) to: Formula,
}

/// Twenty digits of Euler's constant.
const GAMMA: i128 = 57_721_566_490_153_286_060;
const DIGITS: u32 = 20;
/// Up to here a sum is added up.
const FEW: i64 = 64;

/// A goal that is enough, without the sums.
pub(super) fn without_sums(goal: &Goal, sums: &[HarmonicSum]) -> Option<Goal> {
    let mut goal = goal.clone();
    let first = goal.names.len();
    let digits = |x: i128| BigRational::new(x.into(), num_bigint::BigInt::from(10).pow(DIGITS));
    let gamma = Bounds { low: Some((digits(GAMMA), true)), high: Some((digits(GAMMA + 1), true)) };
    let gamma = goal.new_variable("gamma".into(), gamma);
    for sum in sums {
        let before = sum.from.clone().minus(Formula::whole(1));
        let by = up_to(&mut goal, &sum.to, &gamma)?.minus(up_to(&mut goal, &before, &gamma)?);
        goal.wanted = goal.wanted.with_variable(sum.place, &sum.factor.clone().times(by));
    }
    for place in first..goal.names.len() {
        goal.wanted = at_the_worse_end(&goal, place)?;
    }
    goal.wanted = goal.tidied(&goal.wanted);
    Some(goal)
}

/// The sum of 1/k up to a whole number; what its expansion leaves is a variable of its own.
fn up_to(goal: &mut Goal, m: &Formula, gamma: &Formula) -> Option<Formula> {
    let mut atoms = Indeterminates::of(&goal.ranges);
    let plain = atoms.fraction(m)?;
    let m = &atoms.formula(&plain)?;
    if let Some(m) = plain.as_number() {
        let known = (0..=FEW).find(|&k| m == BigRational::from_integer(k.into()))?;
        let each = (1..=known).map(|k| BigRational::new(1.into(), k.into()));
        return Some(Formula::number(each.sum()));
    }
    let sign = Indeterminates::sign_within(&goal.ranges, &m.clone().minus(Formula::whole(1)));
    matches!(sign, Some(Sign::Positive | Sign::NotNegative)).then_some(())?;
    let rest = goal.new_variable("e".into(), Bounds::between(0, 1));
    let over = |above: Formula, factor: i64, power: i64| {
        above.over(m.clone().whole_power(power).ok()?.times(Formula::whole(factor))).ok()
    };
    let logarithm = m.clone().apply(Function::Log).ok()?;
    let corrections = over(Formula::whole(1), 2, 1)?.minus(over(Formula::whole(1), 12, 2)?).plus(over(rest, 120, 4)?);
    Some(logarithm.plus(gamma.clone()).plus(corrections))
}

/// What is wanted, with a variable that occurs to the first power at the end of its range at which that is least.
fn at_the_worse_end(goal: &Goal, place: usize) -> Option<Formula> {
    let mut atoms = Indeterminates::of(&goal.ranges);
    let of = atoms.fraction(&goal.wanted)?;
    let is_outside = of.below.keys().all(|p| p.degree_in(place) == 0) && !atoms.is_inside_an_atom(place);
    if of.above.degree_in(place) > 1 || !is_outside {
        return None;
    }
    let at = |x: Formula| goal.wanted.with_variable(place, &x);
    let slope = at(Formula::whole(1)).minus(at(Formula::whole(0)));
    let end = match Indeterminates::sign_within(&goal.ranges, &slope)? {
        Sign::Positive | Sign::NotNegative | Sign::Zero => &goal.ranges[place].low,
        Sign::Negative | Sign::NotPositive => &goal.ranges[place].high,
    };
    Some(at(Formula::number(end.as_ref()?.0.clone())))
}
