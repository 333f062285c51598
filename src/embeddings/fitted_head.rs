//! A linear head of small loss, found in plain floating point; its loss is enclosed afterwards.
//!
//! The limited-memory BFGS method (Nocedal and Wright, *Numerical Optimization*, algorithm 7.4) from the mean classifier or zero,
//! whichever is better. Points are treated in pieces, all classes at once: logits and gradient are two matrix products. Few classes have a
//! gradient for every one of some parts of the points, many share one, so that memory is at most that of the points; both depend on
//! the sizes only, and every sum has one order, so that the head is the same for any number of threads.

use std::collections::VecDeque;

use contrastive::data::LabelledPoints;
use enclosures::kernels::{ElementwiseFunction, InstructionSet, PackedRows, inner_product};
use enclosures::work::shared;
use rayon::prelude::*;

use super::{EmbeddingsError, LinearHead, Watcher};

/// Parts that the points are cut into, at the most.
const PARTS: usize = 16;
/// Points that are multiplied with the head at a time, at the most, and logits.
const PIECE: usize = 512;
const LOGITS: usize = 1 << 20;
/// Classes that are treated together.
const CLASSES: usize = 64;
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
    /// How often loss and gradient may still be computed.
    left: usize,
}

/// A head with its loss and the gradient of that.
struct Place {
    head: Vec<f64>,
    loss: f64,
    gradient: Vec<f64>,
}

/// A head of small loss, after as many steps as the work allows; none where it allows no step. `start` is a head to begin with,
/// and about what it loses.
pub(crate) fn fitted_head(
    points: &LabelledPoints,
    class_weights: &[f64],
    start: (&LinearHead, f64),
    work: f64,
    watcher: &dyn Watcher,
) -> Result<Option<LinearHead>, EmbeddingsError> {
    let steps = ((work / step_work(points)) as usize).min(STEPS);
    if steps < 2 {
        return Ok(None);
    }
    let total: f64 = class_weights.iter().sum();
    let weight = |&class: &usize| class_weights[class] / total / points.class_members(class).len() as f64;
    let mut fit = Fit { points, weights: points.labels().iter().map(weight).collect(), left: steps };
    watcher.begin("best linear head", steps as f64 * step_work(points));
    let (head, loss) = start;
    let head = if loss < core_math::log(points.classes() as f64) {
        head.rows().to_vec()
    } else {
        vec![0.0; head.rows().len()]
    };
    let head = fit.minimise(head, steps, watcher)?;
    LinearHead::new(head, points.dimension(), 0.0).map(Some)
}

impl Fit<'_> {
    fn minimise(
        &mut self,
        mut head: Vec<f64>,
        steps: usize,
        watcher: &dyn Watcher,
    ) -> Result<Vec<f64>, EmbeddingsError> {
        let (mut loss, mut gradient) = self.slope(&head)?;
        let mut memory = Memory::new((self.points.len() / self.points.classes()).clamp(2, MEMORY));
        let mut losses = vec![loss];
        // The first step, of a length that changes logits by about one.
        let largest = (0..self.points.len())
            .map(|i| inner_product(self.points.point(i), self.points.point(i)))
            .fold(f64::MIN_POSITIVE, f64::max);
        while self.left > 0 {
            let direction = memory.direction(&gradient, 1.0 / largest);
            let slope = inner_product(&direction, &gradient);
            let Some(next) = self.search(&head, loss, &direction, slope)? else {
                break;
            };
            memory.remember(&head, &next.head, &gradient, &next.gradient);
            (head, loss, gradient) = (next.head, next.loss, next.gradient);
            losses.push(loss);
            watcher.advance(1.0 - self.left as f64 / steps as f64, &format!("loss {loss:.6}"));
            if losses.len() > 10 && losses[losses.len() - 11] - loss <= GAIN * loss || loss < 1e-12 {
                break;
            }
        }
        Ok(head)
    }

    /// Halves the step until the loss falls by a ten-thousandth of what the slope promises.
    fn search(
        &mut self,
        head: &[f64],
        loss: f64,
        direction: &[f64],
        slope: f64,
    ) -> Result<Option<Place>, EmbeddingsError> {
        let mut step = 1.0;
        for _ in 0..40.min(self.left) {
            let next: Vec<f64> = head.iter().zip(direction).map(|(w, p)| w + step * p).collect();
            let (value, gradient) = self.slope(&next)?;
            if value < loss && value <= loss + 1e-4 * step * slope {
                return Ok(Some(Place { head: next, loss: value, gradient }));
            }
            step *= 0.5;
        }
        Ok(None)
    }

    /// Loss and gradient of a head.
    fn slope(&mut self, head: &[f64]) -> Result<(f64, Vec<f64>), EmbeddingsError> {
        self.left = self.left.saturating_sub(1);
        let (n, classes) = (self.points.len(), self.points.classes());
        let parts = (n / (4 * classes)).clamp(1, PARTS);
        let length = n.div_ceil(parts).max(1);
        let parts: Result<Vec<(f64, Vec<f64>)>, EmbeddingsError> = shared(step_work(self.points) as u64, || {
            (0..n)
                .into_par_iter()
                .step_by(length)
                .map(|first| self.part(head, first, (first + length).min(n)))
                .collect()
        });
        let mut parts = parts?.into_iter();
        let mut total = parts.next().unwrap_or((0.0, vec![0.0; head.len()]));
        for (loss, gradient) in parts {
            total.0 += loss;
            total.1.iter_mut().zip(gradient).for_each(|(t, g)| *t += g);
        }
        Ok(total)
    }

    /// The same of some points.
    fn part(&self, head: &[f64], first: usize, end: usize) -> Result<(f64, Vec<f64>), EmbeddingsError> {
        let classes = self.points.classes();
        let piece = (LOGITS / classes).clamp(16, PIECE);
        let (mut loss, mut gradient) = (0.0, vec![0.0; head.len()]);
        let mut logits = vec![0.0; classes * piece];
        for begin in (first..end).step_by(piece) {
            let stop = (begin + piece).min(end);
            let logits = &mut logits[..classes * (stop - begin)];
            loss += self.errors(head, begin, stop, logits)?;
            self.add_gradient(begin, stop, logits, &mut gradient)?;
        }
        Ok((loss, gradient))
    }

    /// The loss of the points `begin .. end`; `q - [own class]` times the probability of the point, for the probabilities `q` that the head
    /// gives, is written `[class][point]`.
    fn errors(&self, head: &[f64], begin: usize, end: usize, out: &mut [f64]) -> Result<f64, EmbeddingsError> {
        let (d, count) = (self.points.dimension(), end - begin);
        let set = InstructionSet::best();
        let packed = PackedRows::new(&self.points.points()[begin * d..end * d], d)?;
        let labels = &self.points.labels()[begin..end];
        let tops: Result<Vec<Vec<f64>>, EmbeddingsError> = (out.par_chunks_mut(CLASSES * count))
            .zip(head.par_chunks(CLASSES * d))
            .map(|(out, head)| {
                packed.products_on(set, head, out)?;
                let mut top = vec![f64::NEG_INFINITY; count];
                for row in out.chunks_exact(count) {
                    top.iter_mut().zip(row).for_each(|(t, a)| *t = if *a > *t { *a } else { *t });
                }
                Ok(top)
            })
            .collect();
        let mut top = vec![f64::NEG_INFINITY; count];
        for some in tops? {
            top.iter_mut().zip(&some).for_each(|(t, a)| *t = t.max(*a));
        }
        let own: Vec<f64> = (labels.iter().enumerate()).map(|(i, label)| out[label * count + i] - top[i]).collect();
        let sums: Vec<Vec<f64>> = (out.par_chunks_mut(CLASSES * count))
            .map(|out| {
                let mut sum = vec![0.0; count];
                for row in out.chunks_exact_mut(count) {
                    row.iter_mut().zip(&top).for_each(|(a, t)| *a -= t);
                    ElementwiseFunction::Exp.apply_on(set, row);
                    sum.iter_mut().zip(&*row).for_each(|(s, e)| *s += e);
                }
                sum
            })
            .collect();
        let mut sum = vec![0.0; count];
        for some in sums {
            sum.iter_mut().zip(&some).for_each(|(s, e)| *s += e);
        }
        let weights = &self.weights[begin..end];
        let factors: Vec<f64> = weights.iter().zip(&sum).map(|(w, s)| w / s).collect();
        out.par_chunks_mut(CLASSES * count)
            .flat_map_iter(|out| out.chunks_exact_mut(count))
            .for_each(|row| row.iter_mut().zip(&factors).for_each(|(e, f)| *e *= f));
        let mut loss = 0.0;
        for (i, label) in labels.iter().enumerate() {
            loss += weights[i] * (core_math::log(sum[i]) - own[i]);
            out[label * count + i] -= weights[i];
        }
        Ok(loss)
    }

    /// Adds the products of these errors with the points.
    fn add_gradient(
        &self,
        begin: usize,
        end: usize,
        errors: &[f64],
        gradient: &mut [f64],
    ) -> Result<(), EmbeddingsError> {
        let (d, count) = (self.points.dimension(), end - begin);
        let set = InstructionSet::best();
        let columns = PackedRows::of_columns(&self.points.points()[begin * d..end * d], d, 0..d)?;
        (gradient.par_chunks_mut(CLASSES * d)).zip(errors.par_chunks(CLASSES * count)).try_for_each(
            |(gradient, errors)| {
                let mut products = vec![0.0; gradient.len()];
                columns.products_on(set, errors, &mut products)?;
                gradient.iter_mut().zip(&products).for_each(|(g, p)| *g += p);
                Ok(())
            },
        )
    }
}

/// The last steps and the changes of the gradient along them.
struct Memory {
    pairs: VecDeque<(Vec<f64>, Vec<f64>, f64)>,
    most: usize,
}

impl Memory {
    fn new(most: usize) -> Self {
        Memory { pairs: VecDeque::new(), most }
    }

    fn remember(&mut self, from: &[f64], to: &[f64], before: &[f64], after: &[f64]) {
        let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x - y).collect::<Vec<f64>>();
        let (step, change) = (minus(to, from), minus(after, before));
        let product = inner_product(&step, &change);
        if product > 1e-300 {
            self.pairs.push_back((step, change, product));
        }
        if self.pairs.len() > self.most {
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
        let scale = self
            .pairs
            .back()
            .map_or(scale, |(_, change, product)| product / inner_product(change, change).max(f64::MIN_POSITIVE));
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
    use crate::mean_head::ClassMeans;
    use contrastive::{LatentClassModel, best_head_loss_all};

    #[test]
    fn the_head_found_is_nearly_the_best() {
        let points: Vec<f64> = (0..180).map(|i| f64::from(i * i % 41) / 20.0 - 1.0).collect();
        let labels: Vec<u32> = (0..60).map(|i| i * 7 % 3).collect();
        let model = LatentClassModel::from_labelled(&points, 3, &labels).unwrap();
        let data = LabelledPoints::new(points, 3, labels).unwrap();
        let start = ClassMeans::of(&data).into_head(1.0).unwrap();
        let head = fitted_head(&data, model.class_weights(), (&start, 1.0), 1e9, &Unwatched).unwrap();
        let head = head.expect("a few steps");
        let score = head.score(&data, model.class_weights()).unwrap();
        let best = best_head_loss_all(&model).unwrap();
        assert!(score.loss.hi() >= best.lo(), "below the best: {:?} {best:?}", score.loss);
        assert!(score.loss.lo() <= best.hi() * 1.001, "{:?} {best:?}", score.loss);
    }
}
