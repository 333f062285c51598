//! The chance that negatives show every class, by drawing them.

use crate::monte_carlo::{ChunkStream, Estimator, ObservationRange, Sampler};

/// One observation draws `N` classes and is 1 if all are among them, 0 if not.
pub(super) struct Coverage<'a> {
    pub(super) model: &'a dyn Sampler,
    pub(super) negatives: usize,
}

impl Estimator for Coverage<'_> {
    fn range(&self) -> Option<ObservationRange> {
        ObservationRange::new(0.0, 1.0).ok()
    }

    fn error(&self) -> f64 {
        self.negatives as f64 * self.model.distance()
    }

    fn chunk_len(&self) -> usize {
        64
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let classes = self.model.class_weights().len();
        for observation in out {
            let (mut seen, mut missing) = (vec![false; classes], classes);
            for _ in 0..self.negatives {
                let class = self.model.draw_class(stream);
                if !seen[class] {
                    seen[class] = true;
                    missing -= 1;
                }
            }
            *observation = if missing == 0 { 1.0 } else { 0.0 };
        }
    }
}
