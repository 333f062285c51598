//! Leaving when told to: what is being written is finished, the work so far is kept, and the last words say how to go on.
//!
//! The signals are taken by a thread of their own, so that nothing of this runs where only a handful of functions may be called.
//! A second signal ends the program at once, whatever it is doing.

use std::sync::{Mutex, PoisonError};

/// What to say on leaving, while there is something to say.
type LastWords = Box<dyn Fn() -> String + Send>;

static LAST_WORDS: Mutex<Option<LastWords>> = Mutex::new(None);

/// As long as it lives, an interrupted program says how to go on.
pub struct Advice(());

impl Advice {
    /// Words for the moment of an interruption.
    #[must_use]
    pub fn give(words: impl Fn() -> String + Send + 'static) -> Self {
        *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(words));
        Advice(())
    }
}

impl Drop for Advice {
    fn drop(&mut self) {
        *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Takes the signals that ask a program to end from here on.
///
/// # Errors
/// The system lets no handler be set, or no thread be started.
#[cfg(unix)]
pub fn watch() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use std::sync::Arc;

    // A file beyond the limit of its size (`ulimit -f`) is then an error of writing it, as a full disk is, and ends nothing by itself.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let ignored = ignored();
    let taken = [SIGHUP, SIGINT, SIGTERM];
    let mut signals = Signals::new(taken.into_iter().filter(|s| !ignored.contains(s)))?;
    let work = move || {
        let mut told = signals.forever();
        if let Some(first) = told.next() {
            let left = std::thread::Builder::new().spawn(move || leave(first));
            let status = match told.next() {
                Some(second) if left.is_ok() => second,
                _ => first,
            };
            signal_hook::low_level::exit(128 + status);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(work)?;
    Ok(())
}

#[cfg(not(unix))]
pub fn watch() -> std::io::Result<()> {
    Ok(())
}

/// Signals that the program was started to ignore, as `nohup` does: they stay ignored.
#[cfg(unix)]
fn ignored() -> Vec<i32> {
    // Only Linux tells this in a file; elsewhere nothing counts as ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok()).unwrap_or(0);
    (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
}

/// Waits for files that are being written, lets none begin, says how to go on, and ends the program.
#[cfg(unix)]
fn leave(signal: i32) -> ! {
    use super::console::tell;

    let _held = evidence::writing::held_off();
    let words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).take();
    let name = signal_hook::low_level::signal_name(signal).unwrap_or("a signal");
    match words {
        Some(words) => tell!("stopped by {name}: {}", words()),
        None => tell!("stopped by {name}"),
    }
    std::process::exit(128 + signal)
}
