//! Labels that are read or put together while the program runs.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// A text that lives as long as the program. The engine's labels do, because those of a catalogue in Rust are literals; a label that was
/// kept before is not kept twice.
#[must_use]
pub fn interned(text: &str) -> &'static str {
    static TEXTS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    if let Some(known) = texts.get(text) {
        return known;
    }
    let new: &'static str = Box::leak(text.to_owned().into_boxed_str());
    texts.insert(new);
    new
}
