//! A linear head of small loss, found in plain floating point; its loss is enclosed afterwards.
//!
//! The limited-memory BFGS method (Nocedal and Wright, *Numerical Optimization*, algorithm 7.4) from the mean classifier or zero,
//! whichever is better. Gradients are sums over a fixed number of parts of the points, each in the order of the points, so that the head
//! is the same for any number of threads.

use std::collections::VecDeque;

use contrastive::data::LabelledPoints;
use enclosures::kernels::{Function, InstructionSet, PackedRows, inner_product};
use enclosures::work::shared;
use rayon::prelude::*;

use super::{EmbeddingsError, LinearHead, Watcher};

/// Pieces that the points are cut into.
const PARTS: usize = 16;
/// Points that are multiplied with the head at a time.
const PIECE: usize = 64;
/// How many past steps make up the picture of the curvature.
const MEMORY: usize = 10;
/// Steps at the most, and the relative gain over the last ten below which no more are made.
const STEPS: usize = 300;
const GAIN: f64 = 1e-5;

/// Multiplications of one step, about.
pub(crate) fn step_work(points: &LabelledPoints) -> f64 {
    2.0 * points.len() as f64 * points.classes() as f64 * points.dimension() as f64
}

struct Fit<'a> {
    points: &'a LabelledPoints,
    /// Probability of each point.
    weights: Vec<f64>,
}

/// A head with its loss and the gradient of that.
struct Place {
    head: Vec<f64>,
    loss: f64,
    gradient: Vec<f64>,
}

/// A head of small loss, after as many steps as the work allows.
pub(crate) fn fitted_head(
    points: &LabelledPoints,
    class_weights: &[f64],
    start: &LinearHead,
    work: f64,
    watcher: &dyn Watcher,
) -> Result<LinearHead, EmbeddingsError> {
    let total: f64 = class_weights.iter().sum();
    let weight = |&class: &usize| class_weights[class] / total / points.class_members(class).len() as f64;
    let fit = Fit {
        points,
        weights: points.labels().iter().map(weight).collect(),
    };
    let steps = ((work / step_work(points)) as usize).clamp(5, STEPS);
    watcher.begin("best linear head", steps as f64 * step_work(points));
    let head = fit.minimise(start.rows(), steps, watcher)?;
    LinearHead::new(head, points.dimension(), 0.0)
}

impl Fit<'_> {
    fn minimise(&self, start: &[f64], steps: usize, watcher: &dyn Watcher) -> Result<Vec<f64>, EmbeddingsError> {
        let zero = vec![0.0; start.len()];
        let (mut head, (mut loss, mut gradient)) = (zero.clone(), self.slope(&zero)?);
        let (at_start, slope) = self.slope(start)?;
        if at_start < loss {
            (head, loss, gradient) = (start.to_vec(), at_start, slope);
        }
        let mut memory = Memory::default();
        let mut losses = vec![loss];
        // The first step, of a length that changes logits by about one.
        let largest = (0..self.points.len())
            .map(|i| inner_product(self.points.point(i), self.points.point(i)))
            .fold(f64::MIN_POSITIVE, f64::max);
        for step in 0..steps {
            let direction = memory.direction(&gradient, 1.0 / largest);
            let slope = inner_product(&direction, &gradient);
            let Some(next) = self.search(&head, loss, &direction, slope)? else {
                break;
            };
            memory.remember(&head, &next.head, &gradient, &next.gradient);
            (head, loss, gradient) = (next.head, next.loss, next.gradient);
            losses.push(loss);
            watcher.advance((step + 1) as f64 / steps as f64, &format!("loss {loss:.6}"));
            if losses.len() > 10 && losses[losses.len() - 11] - loss <= GAIN * loss || loss < 1e-12 {
                break;
            }
        }
        Ok(head)
    }

    /// Halves the step until the loss falls by a ten-thousandth of what the slope promises.
    fn search(&self, head: &[f64], loss: f64, direction: &[f64], slope: f64) -> Result<Option<Place>, EmbeddingsError> {
        let mut step = 1.0;
        for _ in 0..40 {
            let next: Vec<f64> = head.iter().zip(direction).map(|(w, p)| w + step * p).collect();
            let (value, gradient) = self.slope(&next)?;
            if value < loss && value <= loss + 1e-4 * step * slope {
                return Ok(Some(Place {
                    head: next,
                    loss: value,
                    gradient,
                }));
            }
            step *= 0.5;
        }
        Ok(None)
    }

    /// Loss and gradient of a head.
    fn slope(&self, head: &[f64]) -> Result<(f64, Vec<f64>), EmbeddingsError> {
        let packed = PackedRows::new(head, self.points.dimension())?;
        let length = self.points.len().div_ceil(PARTS).max(1);
        let parts: Result<Vec<(f64, Vec<f64>)>, EmbeddingsError> = shared(step_work(self.points) as u64, || {
            (0..self.points.len())
                .into_par_iter()
                .step_by(length)
                .map(|first| self.part(&packed, first, (first + length).min(self.points.len())))
                .collect()
        });
        let mut total = (0.0, vec![0.0; head.len()]);
        for (loss, gradient) in parts? {
            total.0 += loss;
            total.1.iter_mut().zip(gradient).for_each(|(t, g)| *t += g);
        }
        Ok(total)
    }

    /// The same of some points.
    fn part(&self, packed: &PackedRows, first: usize, end: usize) -> Result<(f64, Vec<f64>), EmbeddingsError> {
        let (d, classes) = (self.points.dimension(), self.points.classes());
        let set = InstructionSet::best();
        let (mut loss, mut gradient) = (0.0, vec![0.0; classes * d]);
        let mut logits = vec![0.0; PIECE * classes];
        for begin in (first..end).step_by(PIECE) {
            let stop = (begin + PIECE).min(end);
            let logits = &mut logits[..(stop - begin) * classes];
            packed.products_on(set, &self.points.points()[begin * d..stop * d], logits)?;
            for (row, i) in logits.chunks_exact_mut(classes).zip(begin..stop) {
                let label = self.points.label(i);
                let own = row[label];
                let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                row.iter_mut().for_each(|a| *a -= top);
                Function::Exp.apply_on(set, row);
                let sum: f64 = row.iter().sum();
                loss += self.weights[i] * (core_math::log(sum) + (top - own));
                let x = self.points.point(i);
                for (c, power) in row.iter().enumerate() {
                    let q = power / sum - if c == label { 1.0 } else { 0.0 };
                    let factor = self.weights[i] * q;
                    // What changes no digit of the sum is left out: most classes, once the head is good.
                    if factor.abs() > 1e-25 {
                        let place = &mut gradient[c * d..(c + 1) * d];
                        place.iter_mut().zip(x).for_each(|(g, x)| *g += factor * x);
                    }
                }
            }
        }
        Ok((loss, gradient))
    }
}

/// The last steps and the changes of the gradient along them.
#[derive(Default)]
struct Memory {
    pairs: VecDeque<(Vec<f64>, Vec<f64>, f64)>,
}

impl Memory {
    fn remember(&mut self, from: &[f64], to: &[f64], before: &[f64], after: &[f64]) {
        let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x - y).collect::<Vec<f64>>();
        let (step, change) = (minus(to, from), minus(after, before));
        let product = inner_product(&step, &change);
        if product > 1e-300 {
            self.pairs.push_back((step, change, product));
        }
        if self.pairs.len() > MEMORY {
            self.pairs.pop_front();
        }
    }

    /// Downhill by the curvature remembered, by `scale` times the gradient without any.
    fn direction(&self, gradient: &[f64], scale: f64) -> Vec<f64> {
        let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let add = |direction: &mut Vec<f64>, factor: f64, other: &[f64]| {
            direction.iter_mut().zip(other).for_each(|(d, o)| *d += factor * o);
        };
        let mut shares = Vec::with_capacity(self.pairs.len());
        for (step, change, product) in self.pairs.iter().rev() {
            let share = inner_product(step, &direction) / product;
            add(&mut direction, -share, change);
            shares.push(share);
        }
        let scale = self.pairs.back().map_or(scale, |(_, change, product)| {
            product / inner_product(change, change).max(f64::MIN_POSITIVE)
        });
        direction.iter_mut().for_each(|d| *d *= scale);
        for ((step, change, product), share) in self.pairs.iter().zip(shares.iter().rev()) {
            let other = inner_product(change, &direction) / product;
            add(&mut direction, share - other, step);
        }
        direction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use crate::mean_head::{class_means, mean_head};
    use contrastive::{LatentClassModel, best_head_loss_all};

    #[test]
    fn the_head_found_is_nearly_the_best() {
        let points: Vec<f64> = (0..180).map(|i| f64::from(i * i % 41) / 20.0 - 1.0).collect();
        let labels: Vec<u32> = (0..60).map(|i| i * 7 % 3).collect();
        let model = LatentClassModel::from_labelled(&points, 3, &labels).unwrap();
        let data = LabelledPoints::new(points, 3, labels).unwrap();
        let start = mean_head(&class_means(&data), 1.0).unwrap();
        let head = fitted_head(&data, model.class_weights(), &start, 1e9, &Unwatched).unwrap();
        let score = head.score(&data, model.class_weights()).unwrap();
        let best = best_head_loss_all(&model).unwrap();
        assert!(
            score.loss.hi() >= best.lo(),
            "below the best: {:?} {best:?}",
            score.loss
        );
        assert!(score.loss.lo() <= best.hi() * 1.001, "{:?} {best:?}", score.loss);
    }
}
