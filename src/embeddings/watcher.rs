//! Who is told how far the work has come.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Told about the work on the way; implementations show bars, or stop the program.
pub trait Watcher: Sync {
    /// A stage of the work begins; `work` counts multiplications, about.
    fn begin(&self, stage: &str, work: f64);

    /// The share of the stage that is done, in `[0, 1]`, and what is known by now.
    fn advance(&self, share: f64, known: &str);

    /// A piece of the work is done, on whichever thread: whoever wants to stop may leave it here by unwinding. A thread that leaves does not stop
    /// the others, so that each of them is asked.
    fn pass(&self) {}
}

/// A watcher that does nothing.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn begin(&self, _stage: &str, _work: f64) {}

    fn advance(&self, _share: f64, _known: &str) {}
}

/// Counts what threads have done of a stage, and tells every hundredth of it.
pub(crate) struct Progress<'a> {
    watcher: &'a dyn Watcher,
    done: AtomicUsize,
    total: usize,
}

impl<'a> Progress<'a> {
    /// Of so many pieces, at least one.
    pub(crate) fn new(watcher: &'a dyn Watcher, total: usize) -> Self {
        Progress { watcher, done: AtomicUsize::new(0), total: total.max(1) }
    }

    /// A share of everything is done, which is told where it is another hundredth.
    pub(crate) fn reach(&self, share: f64) {
        self.watcher.pass();
        let now = (share * self.total as f64) as usize;
        if self.done.fetch_max(now, Ordering::Relaxed) < now {
            self.watcher.advance(share, "");
        }
    }

    /// So many more are done.
    pub(crate) fn add(&self, count: usize) {
        self.watcher.pass();
        let before = self.done.fetch_add(count, Ordering::Relaxed);
        let hundredths = |done: usize| 100 * done / self.total;
        if hundredths(before) < hundredths(before + count) {
            self.watcher.advance((before + count) as f64 / self.total as f64, "");
        }
    }
}
