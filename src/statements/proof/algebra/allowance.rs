//! Counted work that one method may spend on one goal: the same on every machine. What is computed beyond it is thrown away, so that loops may
//! end early with whatever they have.

use std::cell::Cell;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Takes some work off; whether any is left.
pub(super) fn spend(amount: u64) -> bool {
    enclosures::work::spend(amount);
    LEFT.with(|left| {
        left.set(left.get().saturating_sub(amount));
        left.get() > 0
    })
}

/// What a method finds within an amount of work; none if that did not suffice.
pub(super) fn within<T>(amount: u64, method: impl FnOnce() -> Option<T>) -> Option<T> {
    let before = LEFT.with(|left| left.replace(amount));
    let found = method();
    let enough = LEFT.with(|left| left.replace(before)) > 0;
    found.filter(|_| enough)
}
