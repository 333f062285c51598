//! The errors of one estimator at growing sizes.

use super::dispersion::{LEVEL, NORMAL_QUANTILE, Slope, root_mean_square_factors, slope};
use super::methods::{Prepared, by_name};
use super::resized::Resized;
use super::{Method, StudySettings, Work};
use crate::monte_carlo::{Estimator, MonteCarloError, SamplingPlan, Sequence, Tally, sample, sample_until};
use enclosures::enclosure::Enclosure;
use enclosures::stream::seed;
use serde::{Deserialize, Serialize};

/// Sizes of one curve, at most.
const LEVELS: u32 = 6;
/// A root mean square below this part of the loss is rounding, to which no slope is fitted.
const ROUNDING: f64 = 1e-13;

/// Averages of so many observations, and how far they were from the exact loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// Number of observations.
    pub observations: u64,
    /// What they cost, setting up not counted.
    pub work: Work,
    /// Absolute error of the first repetition.
    pub error: f64,
    /// Root mean square of the errors of all repetitions.
    pub rms: f64,
    /// Interval of the true root mean square, at miss probability [`LEVEL`].
    pub rms_interval: (f64, f64),
    /// Estimated from the spread of the single observations.
    pub standard_error: f64,
    /// Half-widths of the empirical-Bernstein and the betting sequence after so many observations of one more run; none for unbounded
    /// observations.
    pub half_widths: Option<[f64; 2]>,
}

/// The errors of one estimator.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// The estimator; by its name where the curve is stored.
    #[serde(with = "by_name")]
    pub method: &'static Method,
    /// What has to be done once.
    pub set_up: Work,
    /// What one observation costs.
    pub observation: Work,
    /// Standard deviation of one observation, estimated from all repetitions of the largest size.
    pub deviation: f64,
    /// Growing sizes, each with fresh draws.
    pub levels: Vec<Level>,
    /// Exponent of the error in the number of observations; none for fewer than three sizes or errors that are mere rounding.
    pub slope: Option<Slope>,
}

impl Curve {
    /// The work, setting up included, after which the standard error is `error`.
    #[must_use]
    pub fn work_for(&self, error: f64) -> f64 {
        let observations = (self.deviation / error) * (self.deviation / error);
        self.set_up.total() as f64 + observations.max(1.0).ceil() * self.observation.total() as f64
    }

    /// Half-widths of the two sequences over that of the normal interval for a fixed number of observations, at the largest
    /// size.
    #[must_use]
    pub fn relative_half_widths(&self) -> Option<[f64; 2]> {
        let last = self.levels.last()?;
        let normal = NORMAL_QUANTILE * last.standard_error;
        Some(last.half_widths?.map(|half| half / normal))
    }
}

/// Sizes, each a multiple of the last, whose largest costs about `work`: six of them a factor of four apart where an observation is
/// cheap, otherwise a factor of two; at least three, or two where a single observation costs more than 32 times the `work`.
fn sizes(observation: u64, work: u64) -> Vec<u64> {
    let least = if observation / 32 > work { 2 } else { 4 };
    let most = (work / observation.max(1)).max(least);
    let factor: u64 = if most >= 1 << 10 { 4 } else { 2 };
    let smallest = (most / factor.pow(LEVELS - 1)).max(1);
    // Sixteen chunks at the smallest size, which confidence sequences follow.
    let smallest = if smallest < 16 { smallest } else { smallest / 16 * 16 };
    (0..LEVELS).map(|level| smallest * factor.pow(level)).take_while(|&size| size <= most).collect()
}

/// Measures an estimator against the exact loss. `names` keys the random streams.
pub(super) fn measure(
    method: &'static Method,
    prepared: &Prepared<'_>,
    truth: Enclosure,
    names: [&str; 2],
    settings: &StudySettings,
) -> Result<Curve, MonteCarloError> {
    let estimator = prepared.estimator.as_ref();
    let sizes = sizes(prepared.observation.total(), settings.work);
    let key = |size: &str| seed(settings.seed, &["convergence", names[0], names[1], method.name, size]);
    let (low, high) = root_mean_square_factors(settings.repetitions);
    let (mut levels, mut largest) = (Vec::new(), Tally::default());
    for &size in &sizes {
        let repeated = Resized { inner: estimator, len: size as usize };
        let shard = sample(&repeated, &key(&size.to_string()), 0..settings.repetitions)?;
        let errors: Vec<f64> = shard.chunks().map(|(_, chunk)| chunk.mean() - truth.midpoint()).collect();
        let rms = (errors.iter().map(|e| e * e).sum::<f64>() / settings.repetitions as f64).sqrt();
        largest = shard.tally()?;
        levels.push(Level {
            observations: size,
            work: prepared.observation.times(size),
            error: errors.first().map_or(0.0, |e| e.abs()),
            rms,
            rms_interval: (rms * low, rms * high),
            standard_error: 0.0,
            half_widths: half_widths(estimator, &sizes, size, key("sequence"))?,
        });
    }
    let deviation = largest.variance().sqrt();
    for level in &mut levels {
        level.standard_error = deviation / (level.observations as f64).sqrt();
    }
    let points: Vec<(f64, f64)> = levels.iter().map(|l| (l.observations as f64, l.rms)).collect();
    let above_rounding = points.iter().all(|p| p.1 > ROUNDING * truth.magnitude().max(ROUNDING));
    Ok(Curve {
        method,
        set_up: prepared.set_up,
        observation: prepared.observation,
        deviation,
        levels,
        slope: above_rounding.then(|| slope(&points, settings.repetitions).ok()).flatten(),
    })
}

/// Half-widths of both sequences after `size` observations of one run, in chunks of a sixteenth of the smallest size.
fn half_widths(
    estimator: &dyn Estimator,
    sizes: &[u64],
    size: u64,
    seed: [u8; 32],
) -> Result<Option<[f64; 2]>, MonteCarloError> {
    if estimator.range().is_none() {
        return Ok(None);
    }
    let smallest = sizes.first().copied().unwrap_or(1);
    let len = if smallest < 16 { 1 } else { smallest / 16 };
    let run = Resized { inner: estimator, len: len as usize };
    let half = |sequence| -> Result<f64, MonteCarloError> {
        let plan = SamplingPlan { seed, alpha: LEVEL, most_chunks: size / len, sequence };
        Ok(0.5 * sample_until(&run, &plan, |_| false)?.enclosure.width())
    };
    Ok(Some([half(Sequence::EmpiricalBernstein)?, half(Sequence::Betting)?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_spend_what_is_given() {
        assert_eq!(sizes(4, 1 << 17), [32, 128, 512, 2048, 8192, 32_768]);
        assert_eq!(sizes(1000, 100_000), [3, 6, 12, 24, 48, 96]);
        assert_eq!(sizes(1000, 50), [1, 2, 4]);
        assert_eq!(sizes(1 << 30, 1), [1, 2]);
        assert_eq!(sizes(0, 100), [3, 6, 12, 24, 48, 96]);
        for (observation, work) in [(7, 1 << 17), (20, 1 << 21), (12_000, 1 << 17), (12_000, 1 << 25)] {
            let sizes = sizes(observation, work);
            let last = sizes[sizes.len() - 1] * observation;
            assert!(last <= work && 2 * last >= work, "{sizes:?}");
        }
    }
}
