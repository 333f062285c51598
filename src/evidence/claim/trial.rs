//! What a check may draw on while it measures an instance.

use super::fixtures::Fixtures;
use crate::budget::{Budget, TRIAL_ALPHA};
use enclosures::stream::Stream;

/// Any error met while the sides of a statement are computed; it is recorded, and never becomes a verdict.
pub type MeasureError = Box<dyn std::error::Error + Send + Sync>;

/// The random stream, the budget and the data sets of one trial.
pub struct Trial {
    stream: Stream,
    budget: Budget,
    fixtures: Fixtures,
    /// Times as many samples as the budget draws.
    multiple: usize,
}

impl Trial {
    /// A trial with its own stream.
    #[must_use]
    pub fn new(stream: Stream, budget: Budget, fixtures: Fixtures) -> Self {
        Trial { stream, budget, fixtures, multiple: 1 }
    }

    /// The same trial with so many times as many samples.
    #[must_use]
    pub(crate) fn with_samples(self, multiple: usize) -> Self {
        Trial { multiple, ..self }
    }

    /// What says how many samples are drawn.
    pub(super) fn size(&self) -> (Budget, usize) {
        (self.budget, self.multiple)
    }

    /// The trial's own random stream.
    pub fn rng(&mut self) -> &mut Stream {
        &mut self.stream
    }

    /// Where data sets are, for instances that name one.
    #[must_use]
    pub fn fixtures(&self) -> &Fixtures {
        &self.fixtures
    }

    /// How many samples to draw where the standard budget draws `standard`.
    #[must_use]
    pub fn samples(&self, standard: usize) -> usize {
        self.budget.samples(standard).saturating_mul(self.multiple)
    }

    /// The same, but no fewer than `standard` under a small budget: for a frequency that would decide nothing with less.
    #[must_use]
    pub fn samples_at_least(&self, standard: usize) -> usize {
        self.samples(standard).max(standard)
    }

    /// Chance of a miss that each of `quantities` sampled quantities of this trial may use; together they use the trial's
    /// share of the run's error budget.
    #[must_use]
    pub fn alpha(&self, quantities: usize) -> f64 {
        TRIAL_ALPHA / quantities.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sampled_quantities_of_a_trial_share_its_chance_of_a_miss() {
        let trial = Trial::new(enclosures::stream::stream(3, &["trial"]), Budget::Quick, Fixtures::at("none"));
        for quantities in [1usize, 2, 7, 1000] {
            let together = trial.alpha(quantities) * quantities as f64;
            assert!((together / TRIAL_ALPHA - 1.0).abs() < 1e-15, "{quantities}: {together:e}");
        }
        assert_eq!(trial.alpha(0), TRIAL_ALPHA, "nothing sampled");
    }
}
