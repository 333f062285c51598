//! Memory that threads take turns with.

use std::sync::Mutex;

/// Memory kept for reuse: to ask the system for fresh pages each time is slow.
pub(super) struct Spare<T>(Mutex<Vec<T>>);

impl<T> Spare<T> {
    /// None yet.
    pub(super) fn new() -> Self {
        Spare(Mutex::new(Vec::new()))
    }

    /// Does something with what is there, or with what `new` makes.
    pub(super) fn with<R>(&self, new: impl FnOnce() -> T, run: impl FnOnce(&mut T) -> R) -> R {
        // Nothing that panics happens while it is locked.
        let pop = || self.0.lock().ok().and_then(|mut spare| spare.pop());
        let mut memory = pop().unwrap_or_else(new);
        let result = run(&mut memory);
        if let Ok(mut spare) = self.0.lock() {
            spare.push(memory);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_been_used_is_used_again_and_what_is_in_use_is_not() {
        let spare = Spare::new();
        let inner = spare.with(Vec::new, |outer: &mut Vec<u8>| {
            outer.push(1);
            spare.with(Vec::new, |inner| {
                inner.push(2);
                inner.clone()
            })
        });
        assert_eq!(inner, [2]);
        // The one that came back last.
        assert_eq!(spare.with(Vec::new, |again| again.clone()), [1]);
    }
}
