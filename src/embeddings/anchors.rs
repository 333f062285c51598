//! Means over anchors of which only some are looked at.
//!
//! Anchors are drawn independently, all equally likely. What is known of one is an interval inside `[0, B]`: its lower ends are bet on from
//! above and its upper ends from below ([`Betting`]), so that whatever rounding and ties leave open is inside the answer, and each of the two
//! sides misses with half the chance.

use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;
use estimators::monte_carlo::{Betting, ChunkStream, ObservationRange};

use super::EmbeddingsError;

/// Anchors of the first round; every other is half as large as all before together.
const FIRST: usize = 16;

/// How many anchors to look at, and how surely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampling {
    /// Number of anchors there are.
    pub(crate) count: usize,
    /// The most that may be looked at, with repetitions.
    pub(crate) most: usize,
    /// Chance that any one of the intervals misses.
    pub(crate) alpha: f64,
    /// Relative half-width at which enough is known.
    pub(crate) half_width: f64,
    /// Key of the random words.
    pub(crate) seed: [u8; 32],
}

/// A mean known from both sides.
struct Mean {
    low: Betting,
    high: Betting,
    most: f64,
    alpha: f64,
}

impl Mean {
    fn new(most: f64, alpha: f64) -> Result<Self, EmbeddingsError> {
        let range = ObservationRange::new(0.0, most)?;
        Ok(Mean { low: Betting::new(range, alpha)?, high: Betting::new(range, alpha)?, most, alpha })
    }

    fn push(&mut self, known: Interval) -> Result<(), EmbeddingsError> {
        self.low.push(known.lo().clamp(0.0, self.most))?;
        self.high.push(known.hi().clamp(0.0, self.most))?;
        Ok(())
    }

    fn enclosure(&self) -> Enclosure {
        let (lo, hi) = (self.low.enclosure().lo(), self.high.enclosure().hi());
        Enclosure::sampled(lo.min(hi), hi.max(lo), self.alpha)
    }
}

/// The means of several quantities of every anchor, the `k`-th of them in `[0, limits[k]]`. `look` answers for the anchors it is given, in their order;
/// `told` hears the share of the work that is done and the first mean. It is over when the first `deciding` are known well enough.
pub(crate) fn means(
    sampling: &Sampling,
    limits: &[f64],
    deciding: usize,
    look: impl Fn(&[usize]) -> Result<Vec<Vec<Interval>>, EmbeddingsError>,
    told: impl Fn(f64, Enclosure),
) -> Result<Vec<Enclosure>, EmbeddingsError> {
    let means: Result<Vec<Mean>, _> = limits.iter().map(|&most| Mean::new(most, sampling.alpha)).collect();
    let mut means = means?;
    let mut stream = ChunkStream::new(&sampling.seed, 0);
    let mut done = 0;
    loop {
        let round = (done / 2).max(FIRST).min(sampling.most.max(FIRST) - done);
        let anchors: Vec<usize> = (0..round).map(|_| stream.below(sampling.count)).collect();
        for known in look(&anchors)? {
            for (mean, known) in means.iter_mut().zip(known) {
                mean.push(known)?;
            }
        }
        done += round;
        let found: Vec<Enclosure> = means.iter().map(Mean::enclosure).collect();
        let target = 2.0 * sampling.half_width;
        let width = |x: &Enclosure| x.width() / x.midpoint().abs().max(f64::MIN_POSITIVE);
        let widest = found.iter().take(deciding).map(width).fold(0.0, f64::max);
        if let Some(first) = found.first() {
            let looked = done as f64 / sampling.most.max(FIRST) as f64;
            told(looked.max((target / widest) * (target / widest)).min(1.0), *first);
        }
        if widest <= target || done >= sampling.most.max(FIRST) {
            return Ok(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::stream::seed;

    #[test]
    fn means_are_enclosed_and_narrow_on_the_way() {
        let value = |i: usize| (i * i % 101) as f64 / 50.0;
        let exact: f64 = (0..1000).map(value).sum::<f64>() / 1000.0;
        let mut sampling = Sampling { count: 1000, most: 300, alpha: 1e-3, half_width: 1e-3, seed: seed(0, &["test"]) };
        let look = |anchors: &[usize]| {
            let of = |&i: &usize| vec![Interval::point(value(i)).widened_by(0.01), Interval::ONE];
            Ok(anchors.iter().map(of).collect())
        };
        let few = means(&sampling, &[2.0, 1.0], 1, look, |_, _| ()).unwrap();
        sampling.most = 30_000;
        let many = means(&sampling, &[2.0, 1.0], 1, look, |_, _| ()).unwrap();
        for found in [few[0], many[0]] {
            assert!(found.lo() <= exact && exact <= found.hi() && found.grade().is_sampled());
        }
        assert!(many[0].width() < 0.3 * few[0].width() && many[0].width() >= 0.02);
        assert!(many[1].hi() == 1.0 && many[1].lo() > 0.99);
    }
}
