//! The mean classifier's loss where points, classes and coordinates are many: memory for the class means only.
//!
//! # The method
//! With any vector `m`, here the mean of the class means, rounded, `f(x).mu_c = f(x).m + (f(x) - m).(mu_c - m) + m.(mu_c - m)`; the first term is the same for
//! all classes and the last one for all points, so that what all classes and points have in common does not cancel. Every `mu_c - m` is a vector of
//! doubles and the norm of what it may be off by. The points go through blocked products with these vectors, a few rows at
//! a time, and through the log-sum-exp kernel, which keeps the relative accuracy of a small loss because `a_c = 0` exactly.
//!
//! # Errors
//! With pieces of [`PIECE`] coordinates, a product is off by at most `(PIECE + d/PIECE + 3) u |f(x) - m| |mu_c - m|` to first order, the differences
//! being rounded, and by `|f(x)| |r_c|` for means off by `r_c`. If all logits are off by at most `e`, the loss
//! `L = log(1 + sum e^{a_{c'}})` is off by at most `e`, and by at most `L (e^e - 1)`, because `x/(1 + x) <= log(1 + x)`.

use enclosures::interval::{self, Interval};
use enclosures::kernels::{PackedRows, log_sum_exp};
use enclosures::work;
use rayon::prelude::*;

/// Coordinates that are added up in one chain.
const PIECE: usize = 128;
/// Most points and logits of a block.
const ROWS: usize = 64;
const LOGITS: usize = 1 << 20;
const U: f64 = f64::EPSILON / 2.0;

/// A point, its class, and its probability.
pub(super) struct Weighted<'a> {
    pub(super) at: &'a [f64],
    pub(super) class: usize,
    pub(super) probability: Interval,
}

/// The class means, centred, and how far they may be off.
pub(super) struct Means {
    dimension: usize,
    classes: usize,
    /// What the means are centred at.
    centre: Vec<f64>,
    /// The centred means, by pieces of coordinates.
    pieces: Vec<PackedRows>,
    /// Their inner products with the centre, and the largest size of one and its error.
    shifts: Vec<f64>,
    shift: f64,
    /// Upper bounds of the norms of the centred means, and of their errors.
    norms: Vec<f64>,
    errors: Vec<f64>,
    /// The largest ones.
    norm: f64,
    error: f64,
}

/// The centred mean of one class, part by part.
struct Middle<'a>(Vec<&'a mut [f64]>);

impl Middle<'_> {
    fn numbers(&self) -> impl Iterator<Item = &f64> {
        self.0.iter().flat_map(|part| part.iter())
    }

    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.0.iter_mut().flat_map(|part| part.iter_mut())
    }
}

/// An upper bound of the Euclidean norm, where squares do not overflow.
fn norm(x: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0f64, 0.0f64);
    for x in x {
        sum += x * x;
        count += 1.0;
    }
    // Squares below the normal range are lost.
    ((sum * (1.0 + (count + 2.0) * 2.0 * U)) + count * 1e-300).sqrt() * (1.0 + 4.0 * U)
}

impl Means {
    /// From the enclosed mean of every class.
    pub(super) fn new(classes: usize, dimension: usize, mean: impl Fn(usize) -> Vec<Interval> + Sync) -> Self {
        // Where they are packed: together with the points, nothing takes more memory.
        let widths = (0..dimension).step_by(PIECE).map(|first| PIECE.min(dimension - first));
        let mut pieces: Vec<(usize, Vec<f64>)> = widths
            .map(|width| {
                let mut piece = Vec::with_capacity(PackedRows::room(classes, width));
                piece.resize(classes * width, 0.0);
                (width, piece)
            })
            .collect();
        let mut middles: Vec<Middle<'_>> = (0..classes).map(|_| Middle(Vec::with_capacity(pieces.len()))).collect();
        for (width, piece) in &mut pieces {
            let parts = piece.chunks_exact_mut(*width);
            middles.iter_mut().zip(parts).for_each(|(middle, part)| middle.0.push(part));
        }
        let mut errors: Vec<f64> = work::shared((classes * dimension) as u64, || {
            let rows = middles.par_iter_mut().enumerate();
            rows.map(|(class, middle)| {
                let mean = mean(class);
                for (to, from) in middle.numbers_mut().zip(&mean) {
                    *to = from.midpoint();
                }
                // A midpoint lies between the ends, and is exact where they meet.
                let radius = |x: &Interval| x.width().min(0.5 * x.width() + 2.0 * U * x.midpoint().abs());
                norm(mean.iter().map(|x| radius(x) * (1.0 + 4.0 * U)))
            })
            .collect()
        });
        let mut centre = vec![0.0; dimension];
        for middle in &middles {
            centre.iter_mut().zip(middle.numbers()).for_each(|(sum, x)| *sum += x / classes as f64);
        }
        let sizes: Vec<(f64, f64, f64)> = work::shared(0, || {
            let rows = middles.par_iter_mut().zip(&mut errors);
            rows.map(|(middle, error)| {
                middle.numbers_mut().zip(&centre).for_each(|(x, centre)| *x -= centre);
                let norm = norm(middle.numbers().copied());
                *error = (*error + U * norm) * (1.0 + 4.0 * U);
                let products = middle.numbers().zip(&centre).flat_map(|(&x, &y)| [x * y, x.mul_add(y, -(x * y))]);
                let (product, off) = compensated(products);
                (norm, product, off)
            })
            .collect()
        });
        let norms: Vec<f64> = sizes.iter().map(|size| size.0).collect();
        let shifts: Vec<f64> = sizes.iter().map(|size| size.1).collect();
        let (product, off) =
            sizes.iter().fold((0.0f64, 0.0f64), |most, size| (most.0.max(size.1.abs()), most.1.max(size.2)));
        let pieces = (pieces.into_iter()).filter_map(|(width, piece)| PackedRows::in_place(piece, width).ok());
        let largest = |x: &[f64]| x.iter().copied().fold(0.0, f64::max);
        Means {
            dimension,
            classes,
            pieces: pieces.collect(),
            shifts,
            shift: 2.0 * (U * product + off) + 1e-300,
            centre,
            norm: largest(&norms),
            error: largest(&errors),
            norms,
            errors,
        }
    }

    /// The average of `log sum_{c'} e^{a_{c'}(x)}` over points whose probabilities add up to one.
    pub(super) fn loss(&self, points: &[Weighted<'_>]) -> Interval {
        let rows = (LOGITS / self.classes).clamp(1, ROWS);
        let cost = points.len() as u64 * self.classes as u64;
        let blocks: Vec<Vec<Interval>> = work::shared(cost, || {
            (points.par_chunks(rows))
                .map_init(|| Memory::new(rows * self.classes), |memory, block| self.block(memory, block))
                .collect()
        });
        let losses: Vec<Interval> = blocks.into_iter().flatten().collect();
        let terms = losses.iter().zip(points).map(|(loss, point)| *loss * point.probability);
        let sum = sum(terms.collect());
        // An average, whatever the rounding of the probabilities.
        let range = losses.iter().copied().reduce(Interval::hull);
        range.and_then(|range| range.intersection(sum)).unwrap_or(sum)
    }

    /// The losses of a few points.
    fn block(&self, memory: &mut Memory, points: &[Weighted<'_>]) -> Vec<Interval> {
        let used = points.len() * self.classes;
        let Memory { logits, part, left } = memory;
        let logits = &mut logits[..used];
        logits.fill(0.0);
        for (piece, first) in self.pieces.iter().zip((0..self.dimension).step_by(PIECE)) {
            left.clear();
            for point in points {
                let range = first..first + piece.dimension();
                left.extend(point.at[range.clone()].iter().zip(&self.centre[range]).map(|(x, m)| x - m));
            }
            let part = &mut part[..used];
            if piece.products(left, part).is_err() {
                return vec![Interval::new(0.0, f64::INFINITY); points.len()];
            }
            logits.iter_mut().zip(part.iter()).for_each(|(sum, x)| *sum += x);
        }
        let one = |(point, logits): (&Weighted<'_>, &mut [f64])| {
            let mut largest = 0.0f64;
            for (logit, shift) in logits.iter_mut().zip(&self.shifts) {
                *logit += shift;
                largest = largest.max(logit.abs());
            }
            let own = logits.get(point.class).copied().unwrap_or(f64::NAN);
            logits.iter_mut().for_each(|logit| *logit -= own);
            let loss = log_sum_exp(logits);
            // Both sums and their difference.
            let error = self.error(point) + 4.04 * U * largest;
            if !(loss.is_finite() && error.is_finite()) {
                return Interval::new(0.0, f64::INFINITY);
            }
            let rounding = (18.0 + self.classes as f64 * U) * U;
            let of_logits = if error < 0.5 { (1.0 + error) * error * loss } else { error };
            // Subnormal terms are lost.
            let widened = Interval::point(loss).widened_by(1.01 * (rounding * loss + of_logits.min(error)) + 1e-300);
            Interval::new(widened.lo().max(0.0), widened.hi())
        };
        points.iter().zip(logits.chunks_exact_mut(self.classes)).map(one).collect()
    }

    /// What the logits of a point may be off by, but for the last sums.
    fn error(&self, point: &Weighted<'_>) -> f64 {
        let (norms, errors) = (self.norms.get(point.class), self.errors.get(point.class));
        let (Some(of_own), Some(own)) = (errors, norms) else {
            return f64::INFINITY;
        };
        let roundings = PIECE.min(self.dimension) + self.dimension.div_ceil(PIECE) + 3;
        let size = norm(point.at.iter().copied());
        let centred = norm(point.at.iter().zip(&self.centre).map(|(x, m)| x - m));
        let of_products = roundings as f64 * U * centred * (self.norm + own);
        // Products below the normal range are lost.
        1.01 * (size * (self.error + of_own) + of_products + self.shift) + self.dimension as f64 * 1e-300
    }
}

/// One thread's memory.
struct Memory {
    logits: Vec<f64>,
    part: Vec<f64>,
    left: Vec<f64>,
}

impl Memory {
    fn new(logits: usize) -> Self {
        Memory { logits: vec![0.0; logits], part: vec![0.0; logits], left: Vec::new() }
    }
}

/// A sum in blocks of 64, so that its error grows with the logarithm of the number of terms.
fn sum(mut terms: Vec<Interval>) -> Interval {
    while terms.len() > 1 {
        terms = terms.chunks(64).map(interval::sum).collect();
    }
    terms.first().copied().unwrap_or(Interval::ZERO)
}

/// A compensated sum and what it may be off by: `u |s| + (n u)^2 sum |x_i|` (Ogita, Rump and Oishi, 2005).
fn compensated(terms: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut sum, mut carry, mut size, mut count) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for x in terms {
        let next = sum + x;
        let back = next - sum;
        carry += (sum - (next - back)) + (x - back);
        sum = next;
        size += x.abs();
        count += 1.0;
    }
    let value = sum + carry;
    if count <= 1.0 {
        return (value, 0.0);
    }
    (value, U * value.abs() + 1.01 * (count * U) * (count * U) * size)
}

/// The mean of some numbers, enclosed.
pub(super) fn mean(values: impl ExactSizeIterator<Item = f64>) -> Interval {
    let count = values.len() as f64;
    let (sum, off) = compensated(values);
    Interval::point(sum).widened_by(off) / count
}

#[cfg(test)]
mod tests {
    use crate::data::LabelledPoints;
    use crate::mean_classifier::{anchor_logits, mean_classifier_loss, sup_mean_all, task_loss};
    use crate::{Atom, LatentClassModel};
    use enclosures::interval::Interval;
    use enclosures::probability::standard_normal_pair;
    use enclosures::stream::stream;

    fn points(n: usize, d: usize, scale: f64, offset: f64) -> Vec<f64> {
        let mut rng = stream(3, &["mean classifier", &format!("{n} {d} {scale}")]);
        (0..n * d).map(|_| offset + scale * standard_normal_pair(&mut rng).0).collect()
    }

    /// All classes, by the differences of all means.
    fn plainly(model: &LatentClassModel) -> Interval {
        let task: Vec<usize> = (0..model.n_classes()).collect();
        task_loss(&anchor_logits(model), &task, &model.task_probabilities(&task))
    }

    #[test]
    fn streamed_losses_are_those_of_all_differences_and_no_wider() {
        for (n, d, classes, scale, offset) in
            [(300, 200, 150, 0.2, 0.0), (600, 700, 20, 0.1, 3.0), (400, 32, 400, 1.5, 0.0)]
        {
            let coordinates = points(n, d, scale, offset);
            let labels: Vec<u32> = (0..n).map(|i| (i * i % classes) as u32).collect();
            let model = LatentClassModel::from_labelled(&coordinates, d, &labels).unwrap();
            assert!((model.n_classes() * n * d) as f64 > super::super::LARGE || n < 2100, "{n}");
            let plain = plainly(&model);
            let data = LabelledPoints::new(coordinates, d, labels).unwrap();
            let direct = mean_classifier_loss(&data);
            assert!(direct.intersection(plain).is_some(), "{direct:?} {plain:?}");
            assert!(direct.width() <= plain.width(), "{n} {direct:?} {plain:?}");
            let of_model = sup_mean_all(&model);
            assert!(of_model.intersection(direct).is_some(), "{of_model:?} {direct:?}");
            assert!(of_model.width() <= plain.width(), "{n} {of_model:?} {plain:?}");
        }
    }

    #[test]
    fn weights_of_atoms_and_classes_count() {
        let coordinates = points(500, 100, 0.3, 0.0);
        let atom = |(i, at): (usize, &[f64])| Atom { weight: 1.0 + (i % 7) as f64, at: at.to_vec() };
        let atoms: Vec<Atom> = coordinates.chunks_exact(100).enumerate().map(atom).collect();
        let classes: Vec<Vec<Atom>> = atoms.chunks(2).map(<[Atom]>::to_vec).collect();
        let weights = (0..classes.len()).map(|c| 1.0 + (c % 3) as f64).collect();
        let model = LatentClassModel::new(weights, classes).unwrap();
        let (streamed, plain) = (sup_mean_all(&model), plainly(&model));
        assert!(streamed.intersection(plain).is_some() && streamed.width() <= plain.width(), "{streamed:?} {plain:?}");
    }

    #[test]
    fn tiny_and_overflowing_losses_are_enclosed() {
        // Two classes on a line: log(1 + e^(-2 x^2)) each.
        for x in [5.0, 15.0, 1e4, 1e200] {
            let data = LabelledPoints::new(vec![x, -x], 1, vec![0, 1]).unwrap();
            let loss = mean_classifier_loss(&data);
            let value = core_math::log1p(core_math::exp(-2.0 * x * x));
            assert!(loss.lo() <= value.next_up() && value.next_down() <= loss.hi(), "{x} {loss:?}");
            assert!(x > 1e3 || loss.width() <= 1e-11 * value, "{x} {loss:?}");
        }
    }
}
