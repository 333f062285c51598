//! Whether there were a standard input, output and error when the program began.
//!
//! Where one was closed (`>&-`), Rust opens `/dev/null` in its place before `main`, and whatever is written there seems to arrive. So they are
//! looked at earlier still, among what a program of Linux calls before it begins; elsewhere they count as open.

use std::sync::atomic::{AtomicBool, Ordering};

static WERE_CLOSED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];

/// Which of standard input, output and error were closed.
pub(crate) fn were_closed() -> [bool; 3] {
    WERE_CLOSED.each_ref().map(|closed| closed.load(Ordering::Relaxed))
}

/// Whether nothing that is printed can arrive anywhere.
pub(crate) fn was_closed() -> bool {
    WERE_CLOSED[1].load(Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let is_there = |path: &str| std::fs::symlink_metadata(path).is_ok();
    for (closed, path) in WERE_CLOSED.iter().zip(["/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2"]) {
        closed.store(is_there("/proc/self/fd") && !is_there(path), Ordering::Relaxed);
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the section of functions that are called before the program begins")]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look;
