//! The unsupervised loss of labelled points: exactly where the work allows it, sampled otherwise.
//!
//! # The temperature of sampled losses
//! The estimators know no temperature: the points are divided by its root. A coordinate is then off by at most `3.1 u` relatively, an
//! inner product by at most `6.3 u C^2`, `C` the largest norm after the division, and a loss by twice as much.

use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use enclosures::stream::seed;
use estimators::exact::{ClassShares, LossOptions, watched_unsupervised_losses};
use estimators::monte_carlo::{
    AtomSampler, ChunkStream, Collector, Estimator, MonteCarloError, ObservationRange, RowsUnsupervised, Sampler,
    SamplingPlan, Sequence, sample_until,
};

use super::watcher::Progress;
use super::{Effort, EmbeddingsError, Settings, Watcher, certain_interval};

/// What a pair of points costs beside its inner product, in multiplications.
const PER_PAIR: f64 = 40.0;
const U: f64 = f64::EPSILON / 2.0;

/// Multiplications that the exact losses of so many points take, about: nothing depends on the numbers of negatives.
pub(crate) fn exact_work(points: &LabelledPoints) -> f64 {
    let n = points.len() as f64;
    n * n * (points.dimension() as f64 + PER_PAIR)
}

/// The class probabilities of the settings.
pub(crate) fn shares(settings: &Settings) -> ClassShares {
    if settings.equal_classes { ClassShares::Uniform } else { ClassShares::Empirical }
}

/// `L_un^N` for every number of `asked`, and where it is computed exactly also for every one of `more`. All sampled intervals together miss with
/// a chance of at most `alpha`.
pub(crate) fn losses(
    points: &LabelledPoints,
    settings: &Settings,
    (asked, more): (&[u64], &[u64]),
    alpha: f64,
    watcher: &dyn Watcher,
) -> Result<Vec<(u64, Enclosure)>, EmbeddingsError> {
    let needed = exact_work(points);
    if needed <= settings.work {
        let mut numbers = [asked, more].concat();
        numbers.sort_unstable();
        numbers.dedup();
        watcher.begin("unsupervised losses, exactly", needed);
        let progress = Progress::new(watcher, 100);
        let options =
            LossOptions { temperature: settings.temperature, shares: shares(settings), ..LossOptions::default() };
        let losses = watched_unsupervised_losses(points, &numbers, &options, &|share| progress.reach(share))?;
        return Ok(numbers.into_iter().zip(losses).collect());
    }
    if settings.effort == Effort::Exact {
        return Err(EmbeddingsError::Work { needed, allowed: settings.work });
    }
    let sampler = Scaled::new(points, settings)?;
    let alpha = alpha / asked.len() as f64;
    let plain = Convention { replacement: true, self_positive: true };
    let one = |&n: &u64| Ok((n, sampler.sampled(n, plain, alpha, settings, watcher)?));
    asked.iter().map(one).collect()
}

/// How positives and negatives are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convention {
    /// Whether negatives are independent; otherwise they all differ and are neither the anchor nor its positive.
    pub(crate) replacement: bool,
    /// Whether the positive may be the anchor.
    pub(crate) self_positive: bool,
}

impl Convention {
    /// Where the random words of a loss come from.
    fn stream(self) -> &'static str {
        match (self.replacement, self.self_positive) {
            (true, true) => "unsupervised",
            (true, false) => "unsupervised, another positive",
            (false, true) => "unsupervised, without replacement",
            (false, false) => "unsupervised, another positive, without replacement",
        }
    }
}

/// An estimator that asks before every chunk whether somebody waits for it: rounds grow, and the last one may take a third of all the time.
struct Watched<'a, E> {
    estimator: &'a E,
    watcher: &'a dyn Watcher,
}

impl<E: Estimator> Estimator for Watched<'_, E> {
    fn range(&self) -> Option<ObservationRange> {
        self.estimator.range()
    }

    fn error(&self) -> f64 {
        self.estimator.error()
    }

    fn chunk_len(&self) -> usize {
        self.estimator.chunk_len()
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        self.estimator.observe(stream, out);
    }

    fn observe_chunk(&self, stream: &mut ChunkStream, collector: &mut Collector) {
        self.watcher.pass();
        self.estimator.observe_chunk(stream, collector);
    }
}

/// Points divided by the root of the temperature.
pub(crate) struct Scaled {
    sampler: AtomSampler,
    /// What the division costs a loss.
    error: f64,
}

impl Scaled {
    pub(crate) fn new(points: &LabelledPoints, settings: &Settings) -> Result<Self, EmbeddingsError> {
        let temperature = settings.temperature;
        if !(temperature > 0.0 && temperature.is_finite() && (1.0 / temperature).is_finite()) {
            return Err(estimators::EstimatorError::Temperature { temperature }.into());
        }
        let unscaled = temperature == 1.0;
        let scale = if unscaled { 1.0 } else { 1.0 / temperature.sqrt() };
        let sampler = AtomSampler::of_points(points, scale, settings.equal_classes)?;
        let radius = sampler.radius().unwrap_or(f64::INFINITY);
        let underflow = points.dimension() as f64 * f64::MIN_POSITIVE;
        let error = if unscaled { 0.0 } else { 13.0 * U * radius * radius + underflow };
        Ok(Scaled { sampler, error })
    }

    /// The loss with so many negatives, of an interval that misses with a chance of at most `alpha`.
    pub(crate) fn sampled(
        &self,
        negatives: u64,
        convention: Convention,
        alpha: f64,
        settings: &Settings,
        watcher: &dyn Watcher,
    ) -> Result<Enclosure, EmbeddingsError> {
        let count = usize::try_from(negatives).map_err(|_| MonteCarloError::Count {
            what: "number of negatives",
            value: negatives,
            least: 1,
            most: u64::from(u32::MAX),
        })?;
        let mut estimator = RowsUnsupervised::new(&self.sampler, count)?;
        if !convention.self_positive {
            estimator = estimator.excluding_anchor()?;
        }
        if !convention.replacement {
            estimator = estimator.without_replacement()?;
        }
        let observation = (negatives as f64 + 1.0) * (self.sampler.dimension() as f64 + 10.0);
        let most_chunks = (settings.work / observation / estimator.chunk_len() as f64).clamp(8.0, 1e12);
        let plan = SamplingPlan {
            seed: seed(settings.seed, &["embeddings", convention.stream(), &negatives.to_string()]),
            alpha,
            most_chunks: most_chunks as u64,
            sequence: Sequence::EmpiricalBernstein,
        };
        watcher.begin(&format!("{} loss, N = {negatives}, sampled", convention.stream()), settings.work);
        let target = 2.0 * settings.half_width;
        let watched = Watched { estimator: &estimator, watcher };
        let estimate = sample_until(&watched, &plan, |known| {
            let width = (known.hi() - known.lo()) / known.midpoint().abs().max(f64::MIN_POSITIVE);
            watcher.advance((target / width) * (target / width), &certain_interval(known.interval(), 5));
            width <= target
        })?;
        let known = estimate.enclosure;
        Ok(Enclosure::graded(known.interval().widened_by(self.error), known.grade()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Embeddings, Unwatched};

    #[test]
    fn sampled_losses_contain_the_exact_ones() {
        let points: Vec<f64> = (0..400).map(|i| f64::from(i * i % 47) / 23.0 - 1.0).collect();
        let labels: Vec<u32> = (0..100).map(|i| i * i % 6 / 2).collect();
        let embeddings = Embeddings::new(points, 4, &labels).unwrap();
        for (temperature, equal_classes) in [(1.0, false), (0.3, true)] {
            let settings = Settings { temperature, equal_classes, ..Settings::default() };
            let exact = losses(embeddings.points(), &settings, (&[1, 15], &[7]), 1e-6, &Unwatched).unwrap();
            assert_eq!(exact.len(), 3, "numbers that were not asked for come for nothing");
            let hurried = Settings { work: 4e5, half_width: 2e-2, ..settings.clone() };
            let sampled = losses(embeddings.points(), &hurried, (&[1, 15], &[7]), 1e-6, &Unwatched).unwrap();
            for (n, loss) in sampled {
                let known = exact.iter().find(|(m, _)| *m == n).unwrap().1;
                assert!(loss.grade().is_sampled());
                assert!(loss.lo() <= known.hi() && known.lo() <= loss.hi(), "{loss:?} {known:?}");
                assert!(loss.width() < 0.5 * loss.hi());
            }
            let refused = losses(
                embeddings.points(),
                &Settings { effort: Effort::Exact, ..hurried },
                (&[1], &[]),
                1e-6,
                &Unwatched,
            );
            assert!(matches!(refused, Err(EmbeddingsError::Work { .. })));
        }
    }
}
