//! Whether there was a standard output when the program began.
//!
//! Where it was closed (`>&-`), Rust opens `/dev/null` in its place before `main`, and whatever is written there seems to arrive. So it is
//! looked at earlier still, among what a program of Linux calls before it begins; elsewhere it counts as open.

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether nothing that is printed can arrive anywhere.
pub(crate) fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let is_there = |path: &str| std::fs::symlink_metadata(path).is_ok();
    WAS_CLOSED.store(is_there("/proc/self/fd") && !is_there("/proc/self/fd/1"), Ordering::Relaxed);
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the section of functions that are called before the program begins")]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look;
