//! Who is told how far the work has come.

/// Told about the work on the way; implementations show bars, or stop the program.
pub trait Watcher: Sync {
    /// A stage of the work begins; `work` counts multiplications, about.
    fn begin(&self, stage: &str, work: f64);

    /// The share of the stage that is done, in `[0, 1]`, and what is known by now.
    fn advance(&self, share: f64, known: &str);
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn begin(&self, _stage: &str, _work: f64) {}

    fn advance(&self, _share: f64, _known: &str) {}
}
