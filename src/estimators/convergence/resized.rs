//! An estimator with chunks of another size.

use crate::monte_carlo::{ChunkStream, Estimator, ObservationRange};

/// The same observations in chunks of `len`: a repetition of a study is one chunk of the size under study.
pub(super) struct Resized<'a> {
    pub(super) inner: &'a dyn Estimator,
    pub(super) len: usize,
}

impl Estimator for Resized<'_> {
    fn range(&self) -> Option<ObservationRange> {
        self.inner.range()
    }

    fn error(&self) -> f64 {
        self.inner.error()
    }

    fn chunk_len(&self) -> usize {
        self.len
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        self.inner.observe(stream, out);
    }
}
