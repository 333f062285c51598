//! Counted work that one method may spend on one goal: the same on every machine. What is computed beyond it is thrown away, so that loops may
//! end early with whatever they have. An allowance within another one takes its work from there.

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
pub(crate) fn within<T>(mut amount: u64, method: impl FnOnce() -> Option<T>) -> Option<T> {
    spending(&mut amount, method)
}

/// The same; the work is taken off the amount.
pub(crate) fn spending<T>(amount: &mut u64, method: impl FnOnce() -> Option<T>) -> Option<T> {
    let before = LEFT.get();
    let given = (*amount).min(before);
    LEFT.set(given);
    let found = method();
    let left = LEFT.replace(before);
    LEFT.set(before - (given - left));
    *amount -= given - left;
    found.filter(|_| left > 0)
}

/// What a method finds of one of some goals within an amount of work, of which each but the last takes half of what is left.
pub(super) fn shared<G, T>(amount: u64, goals: &[G], method: impl Fn(&G) -> Option<T>) -> Option<T> {
    within(amount, || {
        let last = goals.len().saturating_sub(1);
        goals.iter().enumerate().find_map(|(place, goal)| {
            let left = LEFT.get();
            within(if place < last { left / 2 } else { left }, || method(goal))
        })
    })
}
