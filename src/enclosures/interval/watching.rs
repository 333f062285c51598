//! Operations on intervals, shown to a watcher on request.
//!
//! An interval does not know how it was computed. A watcher sees every operation of its thread together with the result, and answers with
//! the interval to go on with: the result or a wider one, by whose ends it knows the number again.

use std::cell::Cell;

use super::Interval;

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperation {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient.
    Divide,
    /// The larger one.
    Larger,
    /// The smaller one.
    Smaller,
}

/// What has made an interval.
pub(crate) enum Seen {
    /// A function of one number, by the name of its method; "neg" for the sign.
    Applied(&'static str, Interval),
    /// A whole power.
    Power(i64, Interval),
    /// An operation on two numbers.
    Combined(BinaryOperation, Interval, Interval),
    /// The logarithm of a sum of exponentials.
    LogSumExp(Vec<Interval>),
    /// The circle constant.
    Pi,
    /// Something that is no formula, though it may have the ends of one of the numbers that entered.
    Other,
}

/// What sees the operations.
pub(crate) type Watcher = fn(Seen, Interval) -> Interval;

thread_local! {
    static WATCHER: Cell<Option<Watcher>> = const { Cell::new(None) };
}

/// Sets the watcher of this thread, and answers with the one before.
pub(crate) fn replace_watcher(watcher: Option<Watcher>) -> Option<Watcher> {
    WATCHER.replace(watcher)
}

/// Whether this thread is watched.
pub(super) fn is_watched() -> bool {
    WATCHER.get().is_some()
}

/// A result, as the watcher answers with it, if there is one.
#[inline(always)]
pub(super) fn watched(value: Interval, seen: impl FnOnce() -> Seen) -> Interval {
    match WATCHER.get() {
        None => value,
        Some(watcher) => shown(watcher, value, seen),
    }
}

#[cold]
#[inline(never)]
fn shown(watcher: Watcher, value: Interval, seen: impl FnOnce() -> Seen) -> Interval {
    watcher(seen(), value)
}

/// The same where operations lead to the result that are nobody's concern.
#[inline]
pub(super) fn unwatched(compute: impl FnOnce() -> Interval, seen: impl FnOnce() -> Seen) -> Interval {
    let watcher = WATCHER.get();
    if watcher.is_some() {
        WATCHER.set(None);
    }
    let value = compute();
    match watcher {
        None => value,
        Some(watcher) => {
            WATCHER.set(Some(watcher));
            shown(watcher, value, seen)
        }
    }
}

/// A function of one number.
#[inline]
pub(super) fn applied(name: &'static str, x: Interval, f: impl FnOnce(Interval) -> Interval) -> Interval {
    unwatched(|| f(x), || Seen::Applied(name, x))
}
