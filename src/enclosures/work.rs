//! Work, counted: operations on intervals, random words, and whatever else says what it costs. The count depends on nothing but what is
//! computed, so that a budget of it ends a search at the same place on every machine.
//!
//! The count belongs to the thread. A stretch of code that hands jobs to other threads, and may be handed theirs while it waits, counts
//! as what it says it costs: see [`shared`].

use std::cell::Cell;

thread_local! {
    static SPENT: Cell<u64> = const { Cell::new(0) };
}

/// Adds to the work done on this thread.
#[inline]
pub fn spend(amount: u64) {
    SPENT.with(|spent| spent.set(spent.get().wrapping_add(amount)));
}

/// Some work, and how much it was.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = SPENT.with(|spent| spent.replace(0));
    let result = work();
    let amount = SPENT.with(|spent| spent.replace(before));
    (result, amount)
}

/// Work that is shared out among threads, and how much it counts as, whoever does it.
pub fn shared<T>(amount: u64, work: impl FnOnce() -> T) -> T {
    let before = SPENT.with(Cell::get);
    let result = work();
    SPENT.with(|spent| spent.set(before.wrapping_add(amount)));
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enclosure::exact;

    #[test]
    fn operations_are_counted_and_nested_counts_are_apart() {
        let (inner, outer) = counted(|| {
            let (_, inner) = counted(|| exact(1.0) + 2.0);
            spend(5);
            inner
        });
        assert_eq!((inner, outer), (1, 5));
        assert_eq!(counted(|| shared(7, || spend(1000))).1, 7);
        let (_, costly) = counted(|| exact(1.0).exp());
        assert!(costly > 1, "an exponential costs more than a sum");
    }
}
