//! The unsupervised loss in the convention in which it is trained, where that is not the one that the bounds speak of.

use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use estimators::exact::{LossOptions, SubsetOptions, watched_subset_losses, watched_unsupervised_losses};

use super::watcher::Progress;
use super::{EmbeddingsError, Settings, Watcher, unsupervised};

/// Multiplications for a candidate of an anchor, and for each of its negatives, where these are drawn without replacement.
const PER_CANDIDATE: f64 = 3000.0;
const PER_NEGATIVE: f64 = 60.0;

/// `L` for every number of `asked`, in the convention of the settings; nothing where that is the one of the bounds.
pub(crate) fn losses(
    points: &LabelledPoints,
    settings: &Settings,
    asked: &[u64],
    watcher: &dyn Watcher,
) -> Result<Vec<(u64, Enclosure)>, EmbeddingsError> {
    if settings.replacement && settings.self_positive {
        return Ok(Vec::new());
    }
    let shares = unsupervised::shares(settings);
    let n = points.len() as f64;
    let needed = if settings.replacement {
        unsupervised::exact_work(points)
    } else {
        let negatives = asked.iter().map(|&n| n as f64).sum::<f64>();
        n * n * (asked.len() as f64 * PER_CANDIDATE + PER_NEGATIVE * negatives)
    };
    if needed > settings.work {
        return Err(EmbeddingsError::Work {
            needed,
            allowed: settings.work,
        });
    }
    watcher.begin("unsupervised losses as they are trained, exactly", needed);
    let progress = Progress::new(watcher, 100);
    let losses = if settings.replacement {
        let options = LossOptions {
            temperature: settings.temperature,
            self_positive: false,
            shares,
            ..LossOptions::default()
        };
        watched_unsupervised_losses(points, asked, &options, &|share| progress.reach(share))?
    } else {
        let options = SubsetOptions {
            temperature: settings.temperature,
            self_positive: settings.self_positive,
            shares,
            ..SubsetOptions::default()
        };
        let sizes: Vec<usize> = asked
            .iter()
            .map(|&n| usize::try_from(n).unwrap_or(usize::MAX))
            .collect();
        watched_subset_losses(points, &sizes, &options, &|share| progress.reach(share))?
    };
    Ok(asked.iter().copied().zip(losses).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Embeddings, Unwatched};

    /// The average over all pairs of positives and sets of negatives, by plain loops.
    fn by_loops(points: &LabelledPoints, temperature: f64, replacement: bool, self_positive: bool, two: bool) -> f64 {
        let n = points.len();
        let weight = |i: usize, j: usize| {
            let product: f64 = points.point(i).iter().zip(points.point(j)).map(|(x, y)| x * y).sum();
            core_math::exp(product / temperature)
        };
        let mut total = 0.0;
        for i in 0..n {
            let positives: Vec<usize> = (0..n)
                .filter(|&p| points.label(p) == points.label(i) && (self_positive || p != i))
                .collect();
            for &p in &positives {
                let may = |j: usize| replacement || (j != i && j != p);
                let (mut sum, mut count) = (0.0, 0.0);
                for j in (0..n).filter(|&j| may(j)) {
                    if !two {
                        sum += core_math::log1p(weight(i, j) / weight(i, p));
                        count += 1.0;
                        continue;
                    }
                    for k in (0..n).filter(|&k| may(k) && (replacement || k != j)) {
                        sum += core_math::log1p((weight(i, j) + weight(i, k)) / weight(i, p));
                        count += 1.0;
                    }
                }
                total += sum / count / positives.len() as f64 / n as f64;
            }
        }
        total
    }

    #[test]
    fn every_convention_is_that_of_plain_loops() {
        let values: Vec<f64> = (0..16).map(|i| f64::from(i * i % 11) / 5.0 - 1.0).collect();
        let embeddings = Embeddings::new(values, 2, &[0, 1, 0, 1, 1, 0, 0, 1]).unwrap();
        for (replacement, self_positive) in [(true, false), (false, false), (false, true)] {
            let settings = Settings {
                temperature: 0.6,
                replacement,
                self_positive,
                ..Settings::default()
            };
            let found = losses(embeddings.points(), &settings, &[1, 2], &Unwatched).unwrap();
            for (n, loss) in found {
                let expected = by_loops(embeddings.points(), 0.6, replacement, self_positive, n == 2);
                assert!(
                    (loss.midpoint() - expected).abs() < 1e-11,
                    "N = {n}: {loss:?} {expected}"
                );
                assert!(loss.width() < 1e-11);
            }
        }
        let plain = losses(embeddings.points(), &Settings::default(), &[1], &Unwatched).unwrap();
        assert!(plain.is_empty());
        let many = Settings {
            replacement: false,
            ..Settings::default()
        };
        assert!(
            losses(embeddings.points(), &many, &[7], &Unwatched).is_err(),
            "six candidates are left"
        );
    }
}
