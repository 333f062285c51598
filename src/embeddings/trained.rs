//! The unsupervised loss in the convention in which it is trained, where that is not the one that the bounds speak of.

use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use estimators::EstimatorError;
use estimators::exact::{LossOptions, SubsetOptions, watched_subset_losses, watched_unsupervised_losses};

use super::unsupervised::{Convention, Scaled};
use super::watcher::Progress;
use super::{Effort, EmbeddingsError, Settings, Watcher, unsupervised};

/// Multiplications for a candidate of an anchor, and for each of its negatives, where these are drawn without replacement.
const PER_CANDIDATE: f64 = 3000.0;
const PER_NEGATIVE: f64 = 60.0;

/// A number of negatives, and the loss with it or why there is none.
pub(crate) type Trained = (u64, Result<Enclosure, EmbeddingsError>);

/// `L` for every number of negatives of the settings, in their convention: exactly where the work allows it, sampled otherwise; why not for a
/// number that no anchor has candidates for. Nothing where the convention is that of the bounds. All sampled intervals together miss with a chance of
/// at most `alpha`.
pub(crate) fn losses(
    points: &LabelledPoints,
    settings: &Settings,
    alpha: f64,
    watcher: &dyn Watcher,
) -> Result<Vec<Trained>, EmbeddingsError> {
    if settings.replacement && settings.self_positive {
        return Ok(Vec::new());
    }
    let mut asked = settings.negatives.clone();
    asked.sort_unstable();
    asked.dedup();
    let feasible: Vec<u64> = (asked.iter().copied()).filter(|&n| fits(points, settings, n).is_ok()).collect();
    let needed = |n: u64| {
        let pairs = (points.len() as f64) * points.len() as f64;
        if settings.replacement {
            unsupervised::exact_work(points)
        } else {
            pairs * (PER_CANDIDATE + PER_NEGATIVE * n as f64)
        }
    };
    let together: f64 =
        if settings.replacement { unsupervised::exact_work(points) } else { feasible.iter().map(|&n| needed(n)).sum() };
    let share = settings.work / feasible.len().max(1) as f64;
    let is_exact = |n: u64| together <= settings.work || needed(n) <= share;
    let exactly: Vec<u64> = feasible.iter().copied().filter(|&n| is_exact(n)).collect();
    let mut known = exact(points, settings, &exactly, watcher)?;
    let rest: Vec<u64> = feasible.iter().copied().filter(|&n| !is_exact(n)).collect();
    let convention = Convention { replacement: settings.replacement, self_positive: settings.self_positive };
    if !rest.is_empty() && settings.effort == Effort::Within {
        let sampler = Scaled::new(points, settings)?;
        for &n in &rest {
            let loss = sampler.sampled(n, convention, alpha / rest.len() as f64, settings, watcher)?;
            known.push((n, loss));
        }
    }
    let one = |n: u64| {
        let loss = known.iter().find(|(m, _)| *m == n).map(|(_, loss)| *loss);
        let why =
            || fits(points, settings, n).and(Err(EmbeddingsError::Work { needed: needed(n), allowed: settings.work }));
        (n, loss.map_or_else(why, Ok))
    };
    Ok(asked.into_iter().map(one).collect())
}

/// Whether every anchor has a positive and so many candidates.
fn fits(points: &LabelledPoints, settings: &Settings, negatives: u64) -> Result<(), EmbeddingsError> {
    let sizes = || (0..points.classes()).map(|class| points.class_members(class).len());
    let label = |class: usize| points.original_labels().get(class).copied().unwrap_or_default();
    let single = sizes().position(|size| size < 2);
    if let (false, Some(class)) = (settings.self_positive, single) {
        return Err(EstimatorError::NoPositive { label: label(class) }.into());
    }
    if settings.replacement {
        return Ok(());
    }
    // Where a class has two points, some positive of its anchors is another point.
    let large = sizes().position(|size| size > 1);
    let candidates = points.len() - if large.is_some() { 2 } else { 1 };
    if (1..=candidates as u64).contains(&negatives) {
        return Ok(());
    }
    Err(EstimatorError::SubsetSize {
        size: usize::try_from(negatives).unwrap_or(usize::MAX),
        candidates,
        label: label(large.unwrap_or(0)),
    }
    .into())
}

/// All of them at once, exactly.
fn exact(
    points: &LabelledPoints,
    settings: &Settings,
    asked: &[u64],
    watcher: &dyn Watcher,
) -> Result<Vec<(u64, Enclosure)>, EmbeddingsError> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let shares = unsupervised::shares(settings);
    watcher.begin("unsupervised losses as they are trained, exactly", unsupervised::exact_work(points));
    let progress = Progress::new(watcher, 100);
    let losses = if settings.replacement {
        let options =
            LossOptions { temperature: settings.temperature, self_positive: false, shares, ..LossOptions::default() };
        watched_unsupervised_losses(points, asked, &options, &|share| progress.reach(share))?
    } else {
        let options = SubsetOptions {
            temperature: settings.temperature,
            self_positive: settings.self_positive,
            shares,
            ..SubsetOptions::default()
        };
        let sizes: Vec<usize> = asked.iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect();
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
            let positives: Vec<usize> =
                (0..n).filter(|&p| points.label(p) == points.label(i) && (self_positive || p != i)).collect();
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
            let settings =
                Settings { negatives: vec![1, 2], temperature: 0.6, replacement, self_positive, ..Settings::default() };
            for (n, loss) in losses(embeddings.points(), &settings, 1e-6, &Unwatched).unwrap() {
                let loss = loss.unwrap();
                let expected = by_loops(embeddings.points(), 0.6, replacement, self_positive, n == 2);
                assert!((loss.midpoint() - expected).abs() < 1e-11, "N = {n}: {loss:?} {expected}");
                assert!(loss.width() < 1e-11);
            }
        }
        let plain = losses(embeddings.points(), &Settings::default(), 1e-6, &Unwatched).unwrap();
        assert!(plain.is_empty());
    }

    #[test]
    fn a_number_that_no_anchor_has_candidates_for_does_not_take_the_others_with_it() {
        let values: Vec<f64> = (0..16).map(|i| f64::from(i * i % 11) / 5.0 - 1.0).collect();
        let embeddings = Embeddings::new(values, 2, &[0, 1, 0, 1, 1, 0, 0, 1]).unwrap();
        for work in [3e11, 1e4] {
            let settings = Settings { negatives: vec![7, 6], replacement: false, work, ..Settings::default() };
            let found = losses(embeddings.points(), &settings, 1e-6, &Unwatched).unwrap();
            assert!(found[0].0 == 6 && found[0].1.is_ok());
            let why = found[1].1.as_ref().unwrap_err().to_string();
            assert!(why.contains("7 negatives") && why.contains("6 candidates"), "{why}");
        }
        let single = Embeddings::new(vec![1.0, 2.0, 3.0], 1, &[0, 0, 1]).unwrap();
        let settings = Settings { self_positive: false, ..Settings::default() };
        let found = losses(single.points(), &settings, 1e-6, &Unwatched).unwrap();
        assert!(found.iter().all(|(_, loss)| loss.is_err()));
    }

    #[test]
    fn sampled_losses_of_every_convention_contain_the_exact_ones() {
        let values: Vec<f64> = (0..240).map(|i| f64::from(i * i % 47) / 23.0 - 1.0).collect();
        let labels: Vec<u32> = (0..60).map(|i| i * i % 6 / 2).collect();
        let embeddings = Embeddings::new(values, 4, &labels).unwrap();
        for (replacement, self_positive) in [(true, false), (false, false), (false, true)] {
            for equal_classes in [false, true] {
                let settings = Settings {
                    negatives: vec![1, 15, 58],
                    temperature: 0.5,
                    replacement,
                    self_positive,
                    equal_classes,
                    half_width: 1e-2,
                    ..Settings::default()
                };
                let exactly = losses(embeddings.points(), &settings, 1e-6, &Unwatched).unwrap();
                let hurried = Settings { work: 1.4e5, ..settings };
                let sampled = losses(embeddings.points(), &hurried, 1e-6, &Unwatched).unwrap();
                for ((n, exact), (m, sampled)) in exactly.into_iter().zip(sampled) {
                    let (exact, sampled) = (exact.unwrap(), sampled.unwrap());
                    assert!(n == m && (sampled.grade().is_sampled() || replacement));
                    assert!(
                        sampled.lo() <= exact.hi() && exact.lo() <= sampled.hi(),
                        "N = {n}, {replacement}, {self_positive}, {equal_classes}: {sampled:?} {exact:?}"
                    );
                    assert!(sampled.width() < 0.5 * sampled.hi());
                }
            }
        }
    }
}
