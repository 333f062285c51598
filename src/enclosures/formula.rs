//! How an enclosure was computed, recorded on request, so that the same formula can be evaluated with more digits where doubles leave
//! it in doubt, and differentiated.
//!
//! While a thread records, every operation on enclosures leaves a step, and its result remembers which. What was not computed by
//! such operations (an interval that an algorithm has found, a number of another recording) enters as no more than its interval, so
//! whatever is evaluated from a recording holds the same number as the enclosure does.
//!
//! ```
//! use contrapositive_enclosures::enclosure::exact;
//! use contrapositive_enclosures::formula::recorded;
//! // √(x² + 1) − x at x = 10⁹ is 5·10⁻¹⁰; doubles see no more than 10⁻⁷ of it.
//! let (gap, formula) = recorded(100, || (exact(1e9).square() + 1.0).sqrt() - exact(1e9));
//! assert!(gap.lo() <= 0.0 && gap.hi() > 1e-8);
//! let precise = formula.precisely(gap, u64::MAX).unwrap();
//! assert!(4.99e-10 < precise.lo() && precise.hi() < 5.01e-10);
//! ```

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::interval::{Interval, Watcher, replace_watcher};
use crate::precise::{self, Precise};
use crate::work::spend;

pub use crate::interval::BinaryOperation;

mod throughout;

use throughout::Throughout;
pub(crate) use throughout::recorded_throughout;

/// Bits of a mark that number the step.
const STEP_BITS: u32 = 24;

/// Which step of which recording made an enclosure, if any did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark(u64);

impl Mark {
    /// Made by no step.
    pub(crate) const NONE: Mark = Mark(0);

    fn new(recording: u64, step: usize) -> Self {
        Mark(recording << STEP_BITS | step as u64)
    }

    fn step_of(self, recording: u64) -> Option<usize> {
        (self.0 >> STEP_BITS == recording).then_some((self.0 & ((1 << STEP_BITS) - 1)) as usize)
    }
}

/// A number and the step that made it.
#[derive(Clone, Copy, Debug)]
pub struct Traced {
    pub(crate) interval: Interval,
    pub(crate) mark: Mark,
}

/// A function of one number: on numbers of 256 bits, and its slope at a number at which it has a value.
#[derive(Debug)]
pub struct UnaryFunction {
    /// Its name: that of the method of [`Enclosure`](crate::enclosure::Enclosure), "neg" for the sign.
    pub name: &'static str,
    pub(crate) precisely: fn(Precise) -> Precise,
    pub(crate) slope: fn(f64, f64) -> f64,
}

/// A number with a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// The natural logarithm of two.
    LogTwo,
    /// The circle constant.
    Pi,
}

/// What enters a step.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A number that no step has made, as far as it is known.
    Number(Interval),
    /// What a step has made.
    Step(usize),
}

/// What a step has done.
#[derive(Debug)]
pub enum How {
    /// A function of one number.
    Applied(&'static UnaryFunction, Operand),
    /// A whole power.
    Power(i64, Operand),
    /// An operation on two numbers.
    Combined(BinaryOperation, Operand, Operand),
    /// The logarithm of a sum of exponentials.
    LogSumExp(Vec<Operand>),
    /// A constant.
    Constant(Constant),
}

impl Constant {
    fn precisely(self) -> Precise {
        match self {
            Constant::LogTwo => Precise::whole(2).ln(),
            Constant::Pi => Precise::pi(),
        }
    }
}

impl How {
    /// Shows what enters.
    pub fn operands(&self, see: &mut impl FnMut(Operand)) {
        match self {
            How::Applied(_, x) | How::Power(_, x) => see(*x),
            How::Combined(_, x, y) => {
                see(*x);
                see(*y);
            }
            How::LogSumExp(terms) => terms.iter().for_each(|x| see(*x)),
            How::Constant(_) => {}
        }
    }

    /// What it costs on numbers of 256 bits, in operations on intervals, roughly.
    fn cost(&self) -> u64 {
        match self {
            How::Applied(..) | How::Constant(_) => 4_000,
            How::Power(..) | How::Combined(..) => 300,
            How::LogSumExp(terms) => 4_000 * (1 + terms.len() as u64),
        }
    }
}

#[derive(Debug)]
struct Step {
    how: How,
    value: Interval,
}

/// The steps of a recording.
#[derive(Debug)]
pub struct Formula {
    recording: u64,
    most: usize,
    steps: Vec<Step>,
    /// What is known of the intervals, where operations on these are recorded too.
    throughout: Option<Throughout>,
}

thread_local! {
    static IS_RECORDING: Cell<bool> = const { Cell::new(false) };
    static TAPE: RefCell<Option<Formula>> = const { RefCell::new(None) };
}

/// The number of the next recording; zero means none.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Ends a recording however the work ends.
struct Guard {
    outer: Option<Formula>,
    watcher: Option<Watcher>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        IS_RECORDING.set(self.outer.is_some());
        TAPE.with_borrow_mut(|tape| *tape = self.outer.take());
        replace_watcher(self.watcher);
    }
}

/// Some work, and the formula behind every enclosure that it computed on this thread; no more than `most` steps of it.
pub fn recorded<T>(most: usize, work: impl FnOnce() -> T) -> (T, Formula) {
    recorded_by(most, None, work)
}

fn recorded_by<T>(most: usize, throughout: Option<Throughout>, work: impl FnOnce() -> T) -> (T, Formula) {
    let recording = NEXT.fetch_add(1, Ordering::Relaxed);
    let most = most.min(1 << STEP_BITS);
    let watcher = throughout.as_ref().map(|_| throughout::see as Watcher);
    let formula = Formula { recording, most, steps: Vec::new(), throughout };
    let guard = Guard { outer: TAPE.replace(Some(formula)), watcher: replace_watcher(watcher) };
    IS_RECORDING.set(true);
    let result = work();
    let formula = TAPE.take().unwrap_or(Formula { recording, most, steps: Vec::new(), throughout: None });
    drop(guard);
    (result, formula)
}

/// Whether this thread records.
#[must_use]
#[inline]
pub fn is_recording() -> bool {
    IS_RECORDING.get()
}

/// Leaves a step, if this thread records.
#[inline]
fn leave(value: Interval, how: impl FnOnce(&Formula) -> How) -> Mark {
    if is_recording() { left(value, how) } else { Mark::NONE }
}

#[cold]
fn left(value: Interval, how: impl FnOnce(&Formula) -> How) -> Mark {
    TAPE.with_borrow_mut(|tape| {
        let Some(formula) = tape.as_mut().filter(|f| f.steps.len() < f.most) else {
            return Mark::NONE;
        };
        // Where intervals are recorded too, the operation on these has left the step.
        let step = formula.step_of(value).unwrap_or_else(|| {
            let how = how(formula);
            formula.steps.push(Step { how, value });
            formula.steps.len() - 1
        });
        Mark::new(formula.recording, step)
    })
}

#[inline]
pub(crate) fn applied(function: &'static UnaryFunction, x: Traced, value: Interval) -> Mark {
    leave(value, |f| How::Applied(function, f.operand(x)))
}

#[inline]
pub(crate) fn power(exponent: i64, x: Traced, value: Interval) -> Mark {
    leave(value, |f| How::Power(exponent, f.operand(x)))
}

#[inline]
pub(crate) fn combined(operation: BinaryOperation, x: Traced, y: Traced, value: Interval) -> Mark {
    leave(value, |f| How::Combined(operation, f.operand(x), f.operand(y)))
}

#[inline]
pub(crate) fn log_sum_exp(terms: impl Iterator<Item = Traced>, value: Interval) -> Mark {
    leave(value, |f| How::LogSumExp(terms.map(|x| f.operand(x)).collect()))
}

#[inline]
pub(crate) fn constant(number: Constant, value: Interval) -> Mark {
    leave(value, |_| How::Constant(number))
}

impl Formula {
    /// How many steps were recorded.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The step that made an enclosure, or no more than its interval if it was not computed in this recording.
    #[must_use]
    pub fn operand_of(&self, x: impl Into<Traced>) -> Operand {
        self.operand(x.into())
    }

    /// What a step has done; none beyond the last.
    #[must_use]
    pub fn how(&self, step: usize) -> Option<&How> {
        self.steps.get(step).map(|step| &step.how)
    }

    fn operand(&self, x: Traced) -> Operand {
        match x.mark.step_of(self.recording).filter(|&step| step < self.steps.len()) {
            Some(step) => Operand::Step(step),
            None => self.step_of(x.interval).map_or(Operand::Number(x.interval), Operand::Step),
        }
    }

    /// The step that made an interval, where operations on these are recorded too.
    fn step_of(&self, interval: Interval) -> Option<usize> {
        self.throughout.as_ref()?.step_of(interval)
    }

    /// An enclosure evaluated to 256 bits, as an interval of doubles: no wider than the enclosure, often much narrower; what that costs is
    /// counted. None if it was not computed in this recording, if more than `work` operations on intervals would go into it, or where
    /// nothing more is found out.
    #[must_use]
    pub fn precisely(&self, of: impl Into<Traced>, work: u64) -> Option<Interval> {
        let of = of.into();
        let Operand::Step(last) = self.operand(of) else {
            return None;
        };
        let mut needed = vec![false; last + 1];
        needed[last] = true;
        let mut cost = 0u64;
        for at in (0..=last).rev() {
            if !needed[at] {
                continue;
            }
            let step = &self.steps[at];
            if step.value.lo() == step.value.hi() {
                continue;
            }
            cost = cost.saturating_add(step.how.cost());
            step.how.operands(&mut |operand| {
                if let Operand::Step(before) = operand {
                    needed[before] = true;
                }
            });
        }
        if cost > work {
            return None;
        }
        spend(cost);
        let mut values: Vec<Precise> = Vec::with_capacity(last + 1);
        for (step, needed) in self.steps.iter().zip(needed) {
            let value = if needed { step.precise(&values) } else { Precise::UNKNOWN };
            values.push(value);
        }
        values.pop()?.interval()?.intersection(of.interval)
    }

    /// Every double that entered into an enclosure, with the slope of the enclosure along it: to first order, in plain arithmetic, and
    /// therefore for guidance only. None if the enclosure was not computed in this recording.
    #[must_use]
    pub fn slopes(&self, of: impl Into<Traced>) -> Option<Vec<(f64, f64)>> {
        let Operand::Step(last) = self.operand(of.into()) else {
            return None;
        };
        let mut slopes = vec![0.0; last + 1];
        slopes[last] = 1.0;
        let mut entered: BTreeMap<u64, f64> = BTreeMap::new();
        for at in (0..=last).rev() {
            let slope = slopes[at];
            if slope == 0.0 {
                continue;
            }
            let step = &self.steps[at];
            let mut add = |operand: Operand, factor: f64| match operand {
                Operand::Step(before) => slopes[before] += slope * factor,
                Operand::Number(x) if x.lo() == x.hi() => {
                    *entered.entry(x.lo().to_bits()).or_default() += slope * factor;
                }
                Operand::Number(_) => {}
            };
            self.differentiate(step, &mut add);
        }
        Some(entered.into_iter().map(|(x, slope)| (f64::from_bits(x), slope)).collect())
    }

    /// The slope of a step along each of its operands.
    fn differentiate(&self, step: &Step, add: &mut impl FnMut(Operand, f64)) {
        let at = |operand: Operand| match operand {
            Operand::Number(x) => x.midpoint(),
            Operand::Step(before) => self.steps[before].value.midpoint(),
        };
        let value = step.value.midpoint();
        match &step.how {
            How::Applied(function, x) => add(*x, (function.slope)(at(*x), value)),
            How::Power(0, _) | How::Constant(_) => {}
            How::Power(exponent, x) => {
                let below = Interval::point(at(*x)).powi(exponent - 1).midpoint();
                add(*x, *exponent as f64 * below);
            }
            How::Combined(operation, x, y) => {
                let (a, b) = (at(*x), at(*y));
                let (along_x, along_y) = match operation {
                    BinaryOperation::Add => (1.0, 1.0),
                    BinaryOperation::Subtract => (1.0, -1.0),
                    BinaryOperation::Multiply => (b, a),
                    BinaryOperation::Divide => (1.0 / b, -value / b),
                    BinaryOperation::Larger if a >= b => (1.0, 0.0),
                    BinaryOperation::Smaller if a <= b => (1.0, 0.0),
                    BinaryOperation::Larger | BinaryOperation::Smaller => (0.0, 1.0),
                };
                add(*x, along_x);
                add(*y, along_y);
            }
            How::LogSumExp(terms) => {
                for x in terms {
                    add(*x, core_math::exp(at(*x) - value));
                }
            }
        }
    }
}

impl Step {
    /// The step on what was found for the steps before. What is a point in doubles is known already.
    fn precise(&self, before: &[Precise]) -> Precise {
        if self.value.lo() == self.value.hi() {
            return Precise::double(self.value.lo());
        }
        let of = |operand: &Operand| match operand {
            Operand::Number(x) => Precise::within(*x),
            Operand::Step(step) => before.get(*step).cloned().unwrap_or(Precise::UNKNOWN),
        };
        let found = match &self.how {
            How::Applied(function, x) => (function.precisely)(of(x)),
            How::Power(exponent, x) => of(x).powi(*exponent),
            How::Combined(operation, x, y) => {
                let (x, y) = (of(x), of(y));
                match operation {
                    BinaryOperation::Add => x.plus(y),
                    BinaryOperation::Subtract => x.minus(y),
                    BinaryOperation::Multiply => x.times(y),
                    BinaryOperation::Divide => x.over(y),
                    BinaryOperation::Larger => x.larger(y),
                    BinaryOperation::Smaller => x.smaller(y),
                }
            }
            How::LogSumExp(terms) => precise::log_sum_exp(terms.iter().map(of).collect()),
            How::Constant(number) => number.precisely(),
        };
        // Where more digits find out nothing, what is known in doubles stands.
        if found.interval().is_some() { found } else { Precise::within(self.value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enclosure::{Enclosure, exact, log_sum_exp, recorded_throughout};

    const MANY: usize = 1 << 16;

    #[test]
    fn what_cancels_in_doubles_is_found_to_256_bits() {
        // (e^x − 1 − x)/x² at 10⁻⁸ is 1/2 + x/6.
        let x = exact(1e-8);
        let (ratio, formula) = recorded(MANY, || (x.exp() - 1.0 - x) / x.square());
        assert!(ratio.width() > 0.1, "{ratio:?}");
        let precise = formula.precisely(ratio, u64::MAX).expect("it was recorded");
        assert!((precise.midpoint() - (0.5 + 1e-8 / 6.0)).abs() < 1e-15 && precise.width() < 1e-15);
    }

    #[test]
    fn every_operation_holds_the_number_that_the_enclosure_holds() {
        let (found, formula) = recorded(MANY, || {
            let (x, y) = (exact(0.3), exact(1.7));
            let all = [
                x + y,
                x - y,
                x * y,
                x / y,
                -x,
                x.max(y),
                x.min(y),
                y.powi(-3),
                y.sqrt(),
                x.tanh(),
                x.asin(),
                y.ln_1p(),
                log_sum_exp(&[x, y, x * y]),
                Enclosure::pi() * x,
                Enclosure::ln_2() + y,
                [x, y, x].into_iter().sum::<Enclosure>(),
            ];
            all.map(|x| x / 3.0)
        });
        for (number, enclosure) in found.into_iter().enumerate() {
            let precise = formula.precisely(enclosure, u64::MAX).expect("it was recorded");
            assert!(precise.width() <= 4e-16 * precise.magnitude(), "{number}: {precise:?}");
            assert!(enclosure.lo() <= precise.lo() && precise.hi() <= enclosure.hi());
        }
    }

    #[test]
    fn slopes_are_those_of_the_formula() {
        let (value, formula) = recorded(MANY, || {
            let (x, y) = (exact(0.75), exact(-1.25));
            x * y.square() + (x / y).exp() - log_sum_exp(&[x, y]) + y.powi(3)
        });
        let (x, y) = (0.75f64, -1.25f64);
        let weight = 1.0 / (1.0 + core_math::exp(y - x));
        let along_x = y * y + core_math::exp(x / y) / y - weight;
        let along_y = 2.0 * x * y - x / (y * y) * core_math::exp(x / y) - (1.0 - weight) + 3.0 * y * y;
        let slopes = formula.slopes(value).expect("it was recorded");
        let along = |x: f64| slopes.iter().find(|(at, _)| *at == x).map(|(_, slope)| *slope);
        assert!((along(x).unwrap() - along_x).abs() < 1e-12, "{slopes:?} {along_x}");
        assert!((along(y).unwrap() - along_y).abs() < 1e-12, "{slopes:?} {along_y}");
    }

    #[test]
    fn what_was_not_recorded_enters_as_its_interval() {
        let before = exact(1.0) / 3.0;
        let (elsewhere, _) = recorded(MANY, || exact(2.0) / 3.0);
        let (sum, formula) = recorded(MANY, || before + elsewhere);
        let precise = formula.precisely(sum, u64::MAX).expect("it was recorded");
        assert!(precise.lo() < 1.0 && precise.hi() > 1.0, "one, to within what doubles knew: {precise:?}");
        assert!(formula.precisely(before, u64::MAX).is_none());
        assert_eq!(recorded(0, || before + 1.0).1.precisely(before + 1.0, u64::MAX), None);
    }

    #[test]
    fn operations_on_intervals_are_recorded_throughout_on_request() {
        let work = || {
            let (x, y) = (Interval::point(0.3), Interval::point(1.7));
            let third = (x + 2.0 * y) / 3.0 - y.square().exp().abs().max(x);
            Enclosure::from(crate::interval::sum(&[third; 12]) * crate::interval::dot(&[0.1; 9], &[0.7; 9]))
        };
        let ((plain, throughout), (found, formula)) = (recorded(MANY, work), recorded_throughout(MANY, work));
        assert!(throughout.precisely(plain, u64::MAX).is_none(), "enclosures alone are recorded");
        assert!(found.lo() <= plain.hi() && plain.lo() <= found.hi() && found.width() < 1e-8, "{found:?}");
        let precise = formula.precisely(found, u64::MAX).expect("it was recorded");
        assert!(precise.width() <= 4e-16 * precise.magnitude(), "{precise:?}");
        assert!(plain.lo() <= precise.hi() && precise.lo() <= plain.hi(), "{plain:?} {precise:?}");
        assert_eq!(work(), plain, "nothing is watched any more");
    }

    #[test]
    fn numbers_that_no_operation_made_are_known_by_their_interval_alone() {
        let (found, formula) = recorded_throughout(MANY, || {
            let third = Interval::ONE / 3.0;
            let within = third.hull(Interval::new(third.lo(), third.midpoint()));
            let both = [third + within, third + 0.0, third * 1.0, Interval::ONE / 3.0, within];
            both.map(Enclosure::from)
        });
        let operand = |at: usize| formula.operand_of(found[at]);
        let Operand::Step(third) = operand(1) else { panic!("a third is a quotient") };
        assert!(matches!(formula.how(third), Some(How::Combined(BinaryOperation::Divide, ..))));
        for same in [2, 3] {
            assert!(matches!(operand(same), Operand::Step(step) if step == third), "{same}");
        }
        assert!(matches!(operand(4), Operand::Number(_)), "a hull is no formula");
        let Operand::Step(sum) = operand(0) else { panic!("a sum") };
        assert!(matches!(
            formula.how(sum),
            Some(How::Combined(BinaryOperation::Add, Operand::Step(step), Operand::Number(_))) if *step == third
        ));
    }

    #[test]
    fn a_recording_ends_with_its_work_and_gives_way_to_the_one_around_it() {
        let ((inner, outer), formula) = recorded(MANY, || {
            let outer = exact(1.0) / 3.0;
            let (inner, _) = recorded(MANY, || exact(1.0) / 7.0);
            (inner, outer + exact(1.0) / 7.0)
        });
        assert!(formula.precisely(outer, u64::MAX).is_some() && formula.precisely(inner, u64::MAX).is_none());
        let failed = std::panic::catch_unwind(|| recorded(MANY, || panic!("in the midst of it")));
        assert!(failed.is_err() && !IS_RECORDING.get());
        assert_eq!(Traced::from(exact(1.0) / 3.0).mark, Mark::NONE);
        let costly = recorded(MANY, || exact(1.0).exp());
        assert!(costly.1.precisely(costly.0, 10).is_none(), "more work than allowed");
    }
}
