//! A linear classifier without intercept on labelled points: its loss, enclosed, and how often it is right.
//!
//! # Error
//! `u = 2^-53`, `g = d u / (1 - d u)`, `R` the largest norm of a row of the head, `r` the largest distance of a row from the one that is
//! meant. The logits `f(x).w_c` of a point are plain sums, off by at most `E = |f(x)| (g R + r)` and what underflows, so that their
//! differences to the logit of the point's own class are off by at most `D = 2 E + u max |difference|`; the own one is zero
//! exactly. `log sum_c e^{a_c} = log(1 + S)`, `S` the sum over the other classes, is computed to relative `(15 + C u) u`
//! ([`enclosures::kernels::log_sum_exp`]) plus `C 2^-1074`, changes by at most `D` in all, and by at most a factor `e^D`, because `S` does. Means
//! are taken in intervals.

use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use enclosures::interval::{self, Interval};
use enclosures::kernels::{InstructionSet, PackedRows, inner_product, log_sum_exp_on};
use enclosures::probability::probabilities_of;
use enclosures::work::shared;
use rayon::prelude::*;
use serde::Serialize;

use super::watcher::Progress;
use super::{EmbeddingsError, Unwatched, Watcher};

/// Points per piece of work at the most, and logits.
const PIECE: usize = 256;
const LOGITS: usize = 1 << 20;
const U: f64 = f64::EPSILON / 2.0;

/// One vector for every class, each known up to a distance.
#[derive(Clone, Debug)]
pub struct LinearHead {
    rows: Vec<f64>,
    dimension: usize,
    radius: f64,
}

/// What a head does on the points of one class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassScore {
    /// Mean loss in nats.
    pub loss: Enclosure,
    /// Points whose own class has the largest logit by more than rounding.
    pub right: u64,
    /// Points that two classes share, up to rounding.
    pub tied: u64,
}

/// What a head does on all points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeadScore {
    /// Mean loss in nats under the class probabilities.
    pub loss: Enclosure,
    /// Share of the points, weighted by the class probabilities, that are classified rightly.
    pub accuracy: Enclosure,
    /// Class by class.
    pub classes: Vec<ClassScore>,
}

impl HeadScore {
    /// How many points are classified rightly by more than rounding, and how many two classes share.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        let sum = |of: fn(&ClassScore) -> u64| self.classes.iter().map(of).sum();
        (sum(|class| class.right), sum(|class| class.tied))
    }
}

/// What one point contributes.
pub(crate) struct PointScore {
    pub(crate) loss: Interval,
    pub(crate) right: bool,
    pub(crate) tied: bool,
}

impl LinearHead {
    /// Rows of `dimension` numbers, one for every class; each is within `radius` of the vector that is meant.
    ///
    /// # Errors
    /// [`EmbeddingsError::Shape`] unless the rows are whole.
    pub fn new(rows: Vec<f64>, dimension: usize, radius: f64) -> Result<Self, EmbeddingsError> {
        enclosures::kernels::row_count("the head", &rows, dimension)?;
        Ok(LinearHead { rows, dimension, radius })
    }

    /// The rows, one after the other.
    #[must_use]
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Loss and accuracy on labelled points whose classes have probabilities proportional to `class_weights`.
    ///
    /// # Errors
    /// [`EmbeddingsError::Shape`] unless there is a row of the points' dimension for every class, [`EmbeddingsError::Classes`] for
    /// weights that are not positive.
    pub fn score(&self, points: &LabelledPoints, class_weights: &[f64]) -> Result<HeadScore, EmbeddingsError> {
        self.watched_score(points, class_weights, "loss of the head", &Unwatched)
    }

    /// [`LinearHead::score`] under the eyes of somebody.
    pub(crate) fn watched_score(
        &self,
        points: &LabelledPoints,
        class_weights: &[f64],
        stage: &str,
        watcher: &dyn Watcher,
    ) -> Result<HeadScore, EmbeddingsError> {
        enclosures::kernels::check_rows("the head", &self.rows, points.classes(), points.dimension())?;
        let packed = PackedRows::new(&self.rows, self.dimension)?;
        let set = InstructionSet::best();
        let classes = points.classes();
        let longest = self.rows.chunks_exact(self.dimension).map(norm_above).fold(0.0, f64::max);
        let together = (LOGITS / classes).clamp(1, PIECE);
        watcher.begin(stage, (points.len() * classes) as f64 * self.dimension as f64);
        let progress = Progress::new(watcher, points.len());
        let piece = |first: usize| -> Result<Vec<PointScore>, EmbeddingsError> {
            let end = (first + together).min(points.len());
            let d = self.dimension;
            let mut logits = vec![0.0; (end - first) * classes];
            packed.products_on(set, &points.points()[first * d..end * d], &mut logits)?;
            let each = logits.chunks_exact_mut(classes).zip(first..end);
            let scores = each
                .map(|(row, i)| {
                    let norm = norm_above(points.point(i));
                    let plain = d as f64 * U / (1.0 - d as f64 * U) * longest + self.radius;
                    let error = norm * plain * (1.0 + 8.0 * U) + d as f64 * f64::MIN_POSITIVE;
                    point_score(set, row, points.label(i), error)
                })
                .collect();
            progress.add(end - first);
            Ok(scores)
        };
        let pieces: Result<Vec<Vec<PointScore>>, EmbeddingsError> = shared((points.len() * classes) as u64, || {
            (0..points.len()).into_par_iter().step_by(together).map(piece).collect()
        });
        let scores: Vec<PointScore> = pieces?.into_iter().flatten().collect();
        let shares = probabilities_of(class_weights)?;
        let classes: Vec<ClassScore> = (0..classes).map(|c| class_score(points.class_members(c), &scores)).collect();
        let weigh = |of: &dyn Fn(usize, &ClassScore) -> Interval| {
            let terms = classes.iter().enumerate().zip(&shares);
            interval::sum(&terms.map(|((c, score), share)| of(c, score) * *share).collect::<Vec<_>>())
        };
        let right = |c: usize, score: &ClassScore| {
            let count = points.class_members(c).len() as f64;
            Interval::new(score.right as f64, (score.right + score.tied) as f64) / count
        };
        let accuracy = weigh(&right);
        Ok(HeadScore {
            loss: weigh(&|_, score| score.loss.interval()).into(),
            accuracy: Interval::new(accuracy.lo().max(0.0), accuracy.hi().min(1.0)).into(),
            classes,
        })
    }
}

fn class_score(members: &[usize], scores: &[PointScore]) -> ClassScore {
    let own = || members.iter().filter_map(|&i| scores.get(i));
    let total = interval::sum(&own().map(|score| score.loss).collect::<Vec<_>>());
    ClassScore {
        loss: (total / members.len() as f64).into(),
        right: own().filter(|score| score.right).count() as u64,
        tied: own().filter(|score| score.tied).count() as u64,
    }
}

/// From the logits of one point, which are overwritten; each is off by at most `error`.
pub(crate) fn point_score(set: InstructionSet, logits: &mut [f64], label: usize, error: f64) -> PointScore {
    let own = logits.get(label).copied().unwrap_or(f64::NAN);
    let (mut best_other, mut largest) = (f64::NEG_INFINITY, 0.0f64);
    for (c, logit) in logits.iter_mut().enumerate() {
        *logit -= own;
        largest = largest.max(logit.abs());
        if c != label {
            best_other = best_other.max(*logit);
        }
    }
    let off = (2.0 * error + U * largest) * (1.0 + 8.0 * U);
    let loss = log_sum_exp_on(set, logits).max(0.0);
    let count = logits.len() as f64;
    let relative = (16.0 + count * U) * U;
    let tiny = count * 1e-323;
    let factor = if off < 0.5 { off + off * off } else { f64::INFINITY };
    let room = (loss * (factor + relative) * (1.0 + 8.0 * U)).min(off + loss * relative * (1.0 + 8.0 * U)) + tiny;
    PointScore {
        loss: Interval::new((loss - room).next_down().max(0.0), (loss + room).next_up()),
        right: best_other < -off,
        tied: best_other.abs() <= off,
    }
}

/// An upper bound of a Euclidean norm.
pub(crate) fn norm_above(vector: &[f64]) -> f64 {
    let d = vector.len() as f64;
    (inner_product(vector, vector) * (1.0 + (d + 4.0) * 2.0 * U) + d * 1e-300).sqrt() * (1.0 + 4.0 * U)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_that_of_a_plain_loop() {
        let points: Vec<f64> = (0..60).map(|i| f64::from(i * i % 23) / 11.0 - 1.0).collect();
        let labels: Vec<u32> = (0..20).map(|i| i % 3).collect();
        let points = LabelledPoints::new(points, 3, labels).unwrap();
        let head = vec![0.5, -1.0, 0.25, 1.5, 0.125, -0.75, -0.5, 0.5, 2.0];
        let score = LinearHead::new(head.clone(), 3, 0.0).unwrap().score(&points, &[7.0, 7.0, 6.0]).unwrap();
        let (mut loss, mut right) = (0.0, 0);
        for i in 0..20 {
            let logit = |c: usize| (0..3).map(|k| points.point(i)[k] * head[3 * c + k]).sum::<f64>();
            let logits = [logit(0), logit(1), logit(2)];
            let own = logits[points.label(i)];
            loss += logits.iter().map(|a| core_math::exp(a - own)).sum::<f64>().ln_of() / 20.0;
            right += usize::from(logits.iter().all(|a| *a <= own));
        }
        assert!((score.loss.midpoint() - loss).abs() < 1e-13 && score.loss.width() < 1e-13);
        assert!(score.loss.lo() <= loss + 1e-15 && loss - 1e-15 <= score.loss.hi());
        assert!((score.accuracy.midpoint() - right as f64 / 20.0).abs() < 1e-12);
        let wide = LinearHead::new(head, 3, 0.1).unwrap().score(&points, &[7.0, 7.0, 6.0]).unwrap();
        assert!(wide.loss.lo() < score.loss.lo() && wide.loss.hi() > score.loss.hi());
    }

    #[test]
    fn small_losses_keep_their_digits() {
        let points = LabelledPoints::new(vec![30.0, -30.0], 1, vec![0, 1]).unwrap();
        let score = LinearHead::new(vec![1.0, -1.0], 1, 0.0).unwrap().score(&points, &[1.0, 1.0]).unwrap();
        let exact = core_math::log1p(core_math::exp(-60.0));
        assert!(score.loss.lo() <= exact && exact <= score.loss.hi());
        assert!(score.loss.width() < 1e-12 * exact);
    }

    trait NaturalLogarithm {
        fn ln_of(self) -> f64;
    }

    impl NaturalLogarithm for f64 {
        fn ln_of(self) -> f64 {
            core_math::log(self)
        }
    }
}
