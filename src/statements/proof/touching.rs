//! Proofs in one variable where the sides touch: next to such a point no bound of the values suffices, however fine the boxes, but the
//! derivatives do. Where those at the point have the right signs up to some order, and that order has one on the whole piece next to it,
//! Taylor's theorem says the rest.

use enclosures::interval::{Dual, Interval};
use enclosures::proof::{CoverResult, Proof};

use super::case::Extent;
use crate::numbers::exact::Exact;
use crate::numbers::jet::{Jet, TERMS};
use crate::numbers::number::Number;

/// The difference of the sides, by its derivatives, by its slope, and by its sign in closed form.
pub(crate) struct Margin<'a> {
    pub(crate) jet: &'a dyn Fn(Jet) -> Option<Jet>,
    pub(crate) slope: &'a dyn Fn() -> Box<dyn Fn([Dual<1>; 1]) -> Dual<1> + Send + Sync>,
    pub(crate) sign: &'a dyn Fn(Exact) -> Option<i32>,
    /// Whether it must be positive.
    pub(crate) strict: bool,
}

/// A point at which the sides may touch: a double, or an end of the range, which need not be one.
struct Point {
    /// The double; for an end the one that stands for it.
    at: f64,
    /// Contains the point.
    value: Interval,
    exact: Exact,
    /// Whether it does not belong to the range.
    excluded: bool,
}

/// Points where textbooks let sides touch.
const PLAIN: [f64; 7] = [0.0, 1.0, -1.0, 2.0, 0.5, -2.0, -0.5];

/// A margin below this is worth asking whether it is zero.
const SMALL: f64 = 1e-6;

/// How often a piece next to a point is halved.
const HALVINGS: i32 = 40;

/// Shows that the margin is nowhere negative on a range, or everywhere positive if it must be, of which `left_over` is what boxes alone could
/// not settle: how many boxes that took; none if it is not shown.
pub(crate) fn covered(margin: &Margin<'_>, range: &Extent, left_over: Interval, boxes: usize) -> Option<usize> {
    let mut spent = 0;
    let (low, high) = range.hull();
    // From here on nothing is shown yet.
    let mut from = low;
    let mut gaps: Vec<(f64, f64)> = Vec::new();
    let mut touches = false;
    for point in candidates(range, left_over) {
        if point.at < from || margin.strict && !point.excluded {
            continue;
        }
        let Some(first) = touched(margin, &point) else { continue };
        // A point beside one at which the sides touch is as close, and shows nothing.
        let Some(before) = piece(margin, &point, &first, from, &mut spent) else { continue };
        let Some(beyond) = piece(margin, &point, &first, high, &mut spent) else { continue };
        touches = true;
        if from < before {
            gaps.push((from, before));
        }
        from = beyond;
    }
    if !touches {
        return None;
    }
    if from < high {
        gaps.push((from, high));
    }
    for gap in gaps {
        let proof = Proof::covering("between points where the sides touch", [gap], (margin.slope)());
        let excluded = (gap.0 == low && range.low.excluded, gap.1 == high && range.high.excluded);
        let proof = proof.excluding([excluded]).within(boxes);
        let conclusion = if margin.strict { proof.strictly() } else { proof }.run();
        spent += conclusion.boxes;
        if !matches!(conclusion.outcome, CoverResult::Covered) {
            return None;
        }
    }
    Some(spent)
}

/// Points of the range at which the sides may touch, in order: plain ones, the ends, and the plainest within what was left over.
fn candidates(range: &Extent, left_over: Interval) -> Vec<Point> {
    let (low, high) = range.hull();
    let mut found: Vec<f64> = PLAIN.to_vec();
    found.extend([low, high]);
    if left_over.is_finite() {
        found.push(left_over.midpoint());
        found.extend((0..=6).filter_map(|digits| format!("{:.*}", digits, left_over.midpoint()).parse::<f64>().ok()));
    }
    found.retain(|x| x.is_finite() && low <= *x && *x <= high);
    found.sort_by(f64::total_cmp);
    found.dedup();
    let point = |at: f64| match range.limit(at) {
        Some(limit) => Point { at, value: limit.value, exact: limit.exact.clone(), excluded: limit.excluded },
        None => Point { at, value: Interval::point(at), exact: Exact::double(at), excluded: false },
    };
    found.into_iter().map(point).collect()
}

fn at(margin: &Margin<'_>, x: Interval) -> Option<Jet> {
    (margin.jet)(Jet::variable(x)).filter(|jet| jet.smooth)
}

/// The derivatives at a point where the margin is zero, or so small that it may be.
fn touched(margin: &Margin<'_>, point: &Point) -> Option<Jet> {
    let mut found = at(margin, point.value)?;
    let value = &mut found.terms[0];
    if value.magnitude() > SMALL {
        return None;
    }
    if value.lo() < 0.0 {
        *value = match (margin.sign)(point.exact.clone())? {
            0 => Interval::ZERO,
            1 => value.max(Interval::ZERO),
            _ => return None,
        };
    }
    Some(found)
}

/// The end of a piece from a point towards `end` on which the derivatives show that the margin is not negative; none if there is no such
/// piece. The point itself where there is nothing to be shown beyond it.
fn piece(margin: &Margin<'_>, point: &Point, first: &Jet, end: f64, spent: &mut usize) -> Option<f64> {
    if end == point.at {
        return Some(end);
    }
    let sign = (end - point.at).signum();
    let mut reach = end;
    for halving in 0..=HALVINGS {
        *spent += 1;
        let range = point.value.hull(Interval::point(reach));
        if at(margin, range).is_some_and(|over| rises(first, &over, sign, margin.strict)) {
            return Some(reach);
        }
        // From infinity to a distance of 1024 first.
        let length = (reach - point.at).abs().min(2048.0) / 2.0;
        reach = point.at + sign * length;
        if halving == HALVINGS || reach == point.at {
            break;
        }
    }
    None
}

/// Whether the derivatives at a point are not negative up to some order, and the next one nowhere on the way, or positive there if the margin
/// must be: towards smaller numbers the odd ones change their sign.
fn rises(first: &Jet, over: &Jet, sign: f64, strict: bool) -> bool {
    let turned = |term: Interval, k: usize| if sign < 0.0 && k % 2 == 1 { -term } else { term };
    for k in 0..TERMS {
        let least = turned(over.terms[k], k).lo();
        if least > 0.0 || !strict && least >= 0.0 {
            return true;
        }
        if turned(first.terms[k], k).lo() < 0.0 {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words::Function;

    /// Whether `x^power (x − 1)^other`, multiplied out factor by factor, is shown not to be negative on a range.
    fn is_shown(power: usize, other: usize, range: (f64, f64)) -> bool {
        fn at<N: Number>(x: N, power: usize, other: usize) -> N {
            let one = x.clone().minus(N::whole(1));
            let factors = std::iter::repeat_n(x, power).chain(std::iter::repeat_n(one, other));
            factors.reduce(N::times).unwrap_or_else(|| N::whole(1))
        }
        let slope =
            || -> Box<dyn Fn([Dual<1>; 1]) -> Dual<1> + Send + Sync> { Box::new(move |[x]| at(x, power, other)) };
        let margin = Margin { jet: &|x| Some(at(x, power, other)), slope: &slope, sign: &|_| None, strict: false };
        let extent = Extent::between(range.0, range.1);
        covered(&margin, &extent, Interval::new(range.0, range.1), 2000).is_some()
    }

    #[test]
    fn even_orders_of_contact_are_shown_and_odd_ones_are_not() {
        assert!(is_shown(2, 0, (-1.0, 1.0)) && is_shown(4, 0, (-2.0, 2.0)) && is_shown(6, 2, (-2.0, 3.0)));
        assert!(!is_shown(1, 0, (-1.0, 1.0)) && !is_shown(3, 0, (-1.0, 1.0)) && !is_shown(5, 2, (-0.001, 2.0)));
        assert!(!is_shown(2, 1, (0.0, 2.0)) && !is_shown(2, 3, (-1.0, 1.5)));
    }

    #[test]
    fn contact_at_an_end_wants_one_side_only() {
        assert!(is_shown(3, 0, (0.0, f64::INFINITY)) && is_shown(5, 2, (0.0, 4.0)));
        assert!(!is_shown(3, 0, (f64::NEG_INFINITY, 0.0)) && is_shown(8, 0, (f64::NEG_INFINITY, 0.0)));
        // Of a higher order than the derivatives that are carried; on either side every factor has one sign.
        assert!(is_shown(12, 0, (-1.0, 1.0)));
    }

    #[test]
    fn one_side_of_a_kink_says_nothing_of_the_other() {
        // x² + share·min(x, 0), with the right branch written such that its derivatives vanish.
        let is_shown = |share: f64| {
            let at = move |x: Jet| -> Jet {
                let least = x.clone().minus(x.clone().apply(Function::Relu).unwrap_or_else(|u| panic!("{u:?}")));
                x.clone().times(x).plus(least.times(Number::double(share)))
            };
            let slope = || -> Box<dyn Fn([Dual<1>; 1]) -> Dual<1> + Send + Sync> {
                Box::new(move |[x]| x * x + share * (x - x.max(0.0)))
            };
            let margin = Margin { jet: &|x| Some(at(x)), slope: &slope, sign: &|_| None, strict: false };
            covered(&margin, &Extent::between(-1.0, 1.0), Interval::new(-1.0, 1.0), 2000).is_some()
        };
        assert!(!is_shown(1e-3) && !is_shown(1e-12) && is_shown(-1e-3));
    }

    /// Whether `cos x − 1 + share x²` is shown not to be negative between −1 and 1: that needs the fourth derivative.
    fn is_cosine_shown(share: f64) -> bool {
        fn at<N: Number>(x: N, share: f64) -> N {
            let square = x.clone().times(x.clone()).times(N::double(share));
            match x.apply(Function::Cos) {
                Ok(cosine) => cosine.minus(N::whole(1)).plus(square),
                Err(undefined) => panic!("{undefined:?}"),
            }
        }
        let slope = || -> Box<dyn Fn([Dual<1>; 1]) -> Dual<1> + Send + Sync> { Box::new(move |[x]| at(x, share)) };
        let margin = Margin { jet: &|x| Some(at(x, share)), slope: &slope, sign: &|_| None, strict: false };
        covered(&margin, &Extent::between(-1.0, 1.0), Interval::new(-1.0, 1.0), 2000).is_some()
    }

    #[test]
    fn the_derivative_that_decides_is_the_first_that_does_not_vanish() {
        assert!(is_cosine_shown(0.5) && is_cosine_shown(0.75));
        assert!(!is_cosine_shown(0.499_999) && !is_cosine_shown(0.0));
    }
}
