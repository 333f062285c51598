//! A second look with more digits at what doubles leave in doubt: the check is made again while its operations are recorded, and the
//! recorded formula of the margin is evaluated to 256 bits.

use crate::claim::{Comparison, JudgedPart};
use crate::judge::{Judgement, judge};
use crate::verdict::Outcome;
use enclosures::enclosure::{Enclosure, Grade};
use enclosures::formula::{Formula, recorded};

/// Steps of a check that are recorded; a longer one is left in doubt.
const STEPS: usize = 1 << 14;

/// Work, counted in operations on intervals of doubles, that a second look at one number may cost.
const WORK: u64 = 150_000;

/// A violation that only 256 bits see has to be larger than what so small a relative change of the numbers in it explains: rounding
/// that made the numbers of an instance (weights that add up to one, a vector of norm one) is no counterexample.
const ROUNDING: f64 = 1.0 / (1u64 << 46) as f64;

/// What a reader is told of a comparison that doubles did not decide.
const NOTE: &str = "in doubt in double precision, decided with 256 bits";

/// The outcome of a check, looked at again if it is in doubt and more digits may end that; `again` makes the check once more.
pub(super) fn decided(outcome: Outcome, again: impl FnOnce() -> Option<Outcome>) -> Outcome {
    match &outcome {
        Outcome::Judged { judgement: Judgement::Undecided, comparison } if is_of_digits(comparison) => {
            let (repeated, formula) = recorded(STEPS, again);
            let finer = repeated.and_then(|repeated| match repeated {
                Outcome::Judged { comparison, .. } => finer(&comparison, &formula),
                _ => None,
            });
            finer.unwrap_or(outcome)
        }
        _ => outcome,
    }
}

/// Whether digits are what a comparison lacks.
fn is_of_digits(comparison: &Comparison) -> bool {
    let exact = matches!(comparison.margin.grade(), Grade::Exact | Grade::Proved);
    exact && !comparison.trend && comparison.margin.interval().is_finite()
}

/// Whether doubles leave an outcome in doubt that more digits may end.
pub(crate) fn wants_digits(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Judged { judgement: Judgement::Undecided, comparison } => is_of_digits(comparison),
        _ => false,
    }
}

/// The outcome of a comparison in doubt, if more digits tell it. Of a conjunction every part in doubt has to be told, unless one is violated.
fn finer(coarse: &Comparison, formula: &Formula) -> Option<Outcome> {
    let (first, beside) = coarse.clone().alone();
    let (mut worst, mut untold) = (None, false);
    for part in std::iter::once(first).chain(beside).map(JudgedPart::of) {
        let part = if part.judgement == Judgement::Undecided { told(&part.comparison, formula) } else { Some(part) };
        match part {
            Some(part) if part.is_worse_than(worst.as_ref()) => worst = Some(part),
            Some(_) => {}
            None => untold = true,
        }
    }
    let JudgedPart { judgement, comparison } = worst.filter(|part| !untold || part.judgement == Judgement::Violated)?;
    let note = comparison.note.clone().unwrap_or_else(|| NOTE.to_owned());
    let comparison = comparison.leaving_out(coarse.left_out.clone()).with_note(note);
    Some(Outcome::Judged { judgement, comparison: Box::new(comparison) })
}

/// What more digits tell of one comparison in doubt.
fn told(coarse: &Comparison, formula: &Formula) -> Option<JudgedPart> {
    let precisely = |x: Enclosure| Some(Enclosure::graded(formula.precisely(x, WORK)?, x.grade()));
    let margin = precisely(coarse.margin)?;
    let sharper = coarse.clone().with_digits(coarse.lhs, coarse.rhs, margin);
    let judgement = judge(&sharper);
    match judgement {
        Judgement::Holds => {}
        Judgement::Violated if -margin.hi() > explained_by_rounding(coarse, formula)? => {}
        // Sides that agree to 256 bits may be equal, or too large for those to tell: the doubt stays.
        _ => return None,
    }
    let side = |x: Enclosure| precisely(x).unwrap_or(x);
    Some(JudgedPart { judgement, comparison: sharper.with_digits(side(coarse.lhs), side(coarse.rhs), margin) })
}

/// How far the margin moves, to first order, when every number that entered it is changed by [`ROUNDING`]; whole numbers are what they
/// are.
fn explained_by_rounding(comparison: &Comparison, formula: &Formula) -> Option<f64> {
    let slopes = formula.slopes(comparison.margin)?;
    let rounded = slopes.iter().filter(|(x, _)| x.fract() != 0.0);
    let moved: f64 = rounded.map(|(x, slope)| (x * slope).abs() * ROUNDING).sum();
    (!moved.is_nan()).then_some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{Evaluation, all_of, at_least, at_most};
    use enclosures::enclosure::exact;

    fn looked(evaluate: impl Fn() -> Evaluation) -> (Judgement, Judgement) {
        let outcome = || match evaluate() {
            Evaluation::Compared(comparison) => {
                Outcome::Judged { judgement: judge(&comparison), comparison: Box::new(comparison) }
            }
            other => panic!("not a comparison: {other:?}"),
        };
        let judgement = |outcome: &Outcome| match outcome {
            Outcome::Judged { judgement, .. } => *judgement,
            other => panic!("not judged: {other:?}"),
        };
        let first = outcome();
        let before = judgement(&first);
        (before, judgement(&decided(first, || Some(outcome()))))
    }

    fn gap(x: f64) -> Enclosure {
        (exact(x).square() + 1.0).sqrt() - exact(x)
    }

    #[test]
    fn what_cancels_is_decided_either_way() {
        use Judgement::{Holds, Undecided, Violated};
        // The gap at 10^9 is 5·10^-10.
        assert_eq!(looked(|| at_least(gap(1e9), exact(1e-9))), (Undecided, Violated));
        assert_eq!(looked(|| at_least(gap(1e9), exact(4e-10))), (Undecided, Holds));
        assert_eq!(looked(|| at_most(gap(1e9), exact(0.0))), (Undecided, Violated));
        // At 10^150 it is lost to 256 bits too.
        assert_eq!(looked(|| at_least(gap(1e150), exact(1e-9))), (Undecided, Undecided));
    }

    /// What doubles leave in doubt is told of every part of a conjunction, or the doubt stays.
    #[test]
    fn a_conjunction_is_told_when_all_its_parts_are() {
        use Judgement::{Holds, Undecided, Violated};
        let (above, below) = (|| at_least(gap(1e9), exact(4e-10)), || at_least(gap(1e9), exact(1e-9)));
        let lost = || at_least(gap(1e150), exact(1e-9));
        let both = |first: fn() -> Evaluation, second: fn() -> Evaluation| {
            let forth = looked(move || all_of([("a", first()), ("b", second())]));
            assert_eq!(forth, looked(move || all_of([("b", second()), ("a", first())])));
            forth
        };
        assert_eq!(both(above, above), (Undecided, Holds));
        assert_eq!(both(above, below), (Undecided, Violated));
        assert_eq!(both(above, lost), (Undecided, Undecided));
        assert_eq!(both(lost, below), (Undecided, Violated));
        assert_eq!(both(above, || at_most(1, 2)), (Undecided, Holds));
        assert_eq!(both(above, || at_least(exact(1.0) / 3.0, exact(1.0) / 3.0)), (Undecided, Judgement::Touches));
    }

    #[test]
    fn what_agrees_to_256_bits_stays_in_doubt() {
        let third = || exact(1.0) / 3.0;
        let zero = || third() + third() - 2.0 * third();
        let both = looked(|| at_most(zero().exp() - 1.0, zero()));
        assert_eq!(both, (Judgement::Undecided, Judgement::Undecided));
    }

    #[test]
    fn the_rounding_of_an_instance_is_no_counterexample() {
        // Ten times the double next to 1/10 is more than one, by 5·10^-17.
        let tenth = || exact(0.1);
        let excess = || (0..10).map(|_| tenth()).sum::<Enclosure>() - 1.0;
        let both = looked(|| at_most(excess() / 3.0, exact(0.0)));
        assert_eq!(both, (Judgement::Undecided, Judgement::Undecided));
    }
}
