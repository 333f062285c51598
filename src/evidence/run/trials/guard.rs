//! Panics of a catalogue's code stop here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::verdict::Outcome;

/// What the work returns, or the message of its panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Outcome> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into());
        Outcome::Panicked { message }
    })
}
