//! The unsupervised losses alone, in the convention in which they are trained, and how they change with every embedding.

use enclosures::enclosure::Enclosure;
use estimators::exact::{LossGradient, LossOptions, watched_unsupervised_gradients};

use super::watcher::Progress;
use super::{Embeddings, EmbeddingsError, Settings, Watcher, trained, unsupervised};

/// `L_un^N` for every number of negatives of the settings, in their convention: exactly where the work allows it, sampled otherwise.
///
/// ```
/// use contrapositive_embeddings::{Embeddings, Settings, Unwatched, unsupervised_losses};
/// let points = (0..12).map(|i| f64::from(i % 5)).collect();
/// let embeddings = Embeddings::new(points, 2, &[0, 0, 0, 1, 1, 1]).unwrap();
/// let settings = Settings { negatives: vec![15], ..Settings::default() };
/// let losses = unsupervised_losses(&embeddings, &settings, &Unwatched).unwrap();
/// assert_eq!(losses[0].0, 15);
/// ```
///
/// # Errors
/// As [`super::labelled_report`], and [`EmbeddingsError::Estimator`] for more negatives without replacement than there are candidates, or for a class
/// of one point that may not be its own positive.
pub fn unsupervised_losses(
    embeddings: &Embeddings,
    settings: &Settings,
    watcher: &dyn Watcher,
) -> Result<Vec<(u64, Enclosure)>, EmbeddingsError> {
    settings.check(embeddings.points().classes())?;
    let points = embeddings.prepared(settings)?;
    let losses = if settings.replacement && settings.self_positive {
        unsupervised::losses(&points, settings, (&settings.negatives, &[]), settings.alpha, watcher)?
    } else {
        let all = trained::losses(&points, settings, settings.alpha, watcher)?;
        all.into_iter().map(|(n, loss)| Ok((n, loss?))).collect::<Result<_, EmbeddingsError>>()?
    };
    let asked = |n: &u64| losses.iter().find(|(m, _)| m == n).copied();
    Ok(settings.negatives.iter().filter_map(asked).collect())
}

/// The gradients of the losses with replacement with respect to the embeddings as they are given.
///
/// # Errors
/// [`EmbeddingsError::NoGradient`] for scaled, centred or normalized embeddings and for losses without replacement, which are not differentiated;
/// otherwise as [`unsupervised_losses`]. The work is some three times that of the exact losses.
pub fn unsupervised_gradients(
    embeddings: &Embeddings,
    settings: &Settings,
    watcher: &dyn Watcher,
) -> Result<Vec<LossGradient>, EmbeddingsError> {
    settings.check(embeddings.points().classes())?;
    for (is, what) in [
        (settings.pixels, "scaled pixels"),
        (settings.center, "centred embeddings"),
        (settings.normalize, "normalized embeddings"),
        (!settings.replacement, "losses without replacement"),
    ] {
        if is {
            return Err(EmbeddingsError::NoGradient { what });
        }
    }
    let points = embeddings.points();
    let needed = unsupervised::exact_work(points) * (2.0 + settings.negatives.len() as f64);
    if needed > settings.work {
        return Err(EmbeddingsError::Work { needed, allowed: settings.work });
    }
    watcher.begin("gradients, exactly", needed);
    let options = LossOptions {
        temperature: settings.temperature,
        self_positive: settings.self_positive,
        shares: unsupervised::shares(settings),
        ..LossOptions::default()
    };
    let progress = Progress::new(watcher, 100);
    let gradients =
        watched_unsupervised_gradients(points, &settings.negatives, &options, &|share| progress.reach(share));
    Ok(gradients?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;

    fn some() -> Embeddings {
        let points = (0..60).map(|i| f64::from(i * i % 17) / 8.0 - 1.0).collect();
        let labels: Vec<u32> = (0..20).map(|i| i * i % 3).collect();
        Embeddings::new(points, 3, &labels).unwrap()
    }

    #[test]
    fn every_convention_gives_its_own_loss_in_the_order_asked_for() {
        let settings = Settings { negatives: vec![7, 2], ..Settings::default() };
        let with = unsupervised_losses(&some(), &settings, &Unwatched).unwrap();
        assert_eq!(with.iter().map(|(n, _)| *n).collect::<Vec<_>>(), [7, 2]);
        let without = Settings { replacement: false, ..settings };
        let without = unsupervised_losses(&some(), &without, &Unwatched).unwrap();
        assert!(with[0].1.lo() > without[0].1.hi() || with[0].1.hi() < without[0].1.lo());
    }

    #[test]
    fn gradients_are_differences_of_losses() {
        let settings = Settings { negatives: vec![5], temperature: 0.5, self_positive: false, ..Settings::default() };
        let embeddings = some();
        let gradient = &unsupervised_gradients(&embeddings, &settings, &Unwatched).unwrap()[0];
        let moved = |step: f64| {
            let mut points = embeddings.points().points().to_vec();
            points[4] += step;
            let labels: Vec<u32> = embeddings.points().labels().iter().map(|&c| c as u32).collect();
            let moved = Embeddings::new(points, 3, &labels).unwrap();
            unsupervised_losses(&moved, &settings, &Unwatched).unwrap()[0].1.midpoint()
        };
        let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((gradient.entry(1, 1).unwrap().midpoint() - slope).abs() < 1e-8);
        let normalized = Settings { normalize: true, ..settings };
        let refused = unsupervised_gradients(&embeddings, &normalized, &Unwatched);
        assert!(matches!(refused, Err(EmbeddingsError::NoGradient { .. })));
    }
}
