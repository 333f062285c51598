//! The all-pairs statistic of a batch for one negative, as an estimator.

use crate::monte_carlo::{
    BatchUnsupervised, ChunkStream, Estimator, MonteCarloError, ObservationRange, Sampler, one_negative_u_statistic,
};

/// One observation is [`one_negative_u_statistic`] of a fresh batch with the same number of embeddings of each class.
pub(super) struct BatchStatistic<'a> {
    model: &'a (dyn Sampler + 'a),
    per_class: usize,
    /// Of the same range and, up to a factor, the same rounding errors.
    batch: BatchUnsupervised<'a, dyn Sampler + 'a>,
}

impl<'a> BatchStatistic<'a> {
    /// Batches of `per_class` embeddings of each class, at least three.
    ///
    /// # Errors
    /// As [`BatchUnsupervised::new`].
    pub(super) fn new(model: &'a (dyn Sampler + 'a), per_class: usize) -> Result<Self, MonteCarloError> {
        let per_class = per_class.max(3);
        let batch = BatchUnsupervised::new(model, 1, per_class, 1)?;
        Ok(BatchStatistic { model, per_class, batch })
    }
}

impl Estimator for BatchStatistic<'_> {
    fn range(&self) -> Option<ObservationRange> {
        self.batch.range()
    }

    /// The sums are longer than those of a batch with one negative, by the number of third points.
    fn error(&self) -> f64 {
        (self.per_class * self.model.class_weights().len()) as f64 * self.batch.error()
    }

    fn chunk_len(&self) -> usize {
        1
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        for observation in out {
            let draw = |class: usize, stream: &mut ChunkStream| {
                let mut at = vec![0.0; self.model.dimension()];
                self.model.draw_embedding(class, stream, &mut at);
                at
            };
            let classes = 0..self.model.class_weights().len();
            let groups: Vec<Vec<Vec<f64>>> =
                classes.map(|class| (0..self.per_class).map(|_| draw(class, stream)).collect()).collect();
            // What it refuses is not a number, which the sampling loop reports.
            *observation = one_negative_u_statistic(&groups, self.model.class_weights()).unwrap_or(f64::NAN);
        }
    }
}
