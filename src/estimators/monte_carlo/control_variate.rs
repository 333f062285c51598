//! `L_sup^mu` of a fixed task at known class means, by single anchors and a control variate.
//!
//! # Observation
//! Write `A(z) = log sum_{c' in T} e^{z.mu_{c'}}`, so that an anchor of class `c` loses `A(f(x)) - f(x).mu_c`. The first-order expansion of this loss
//! at `mu_c` has a known mean, since `E f(x) = mu_c`: it is a control variate. What remains is the Bregman divergence of `A`:
//!
//! `L_sup^mu = sum_c w_c (A(mu_c) - |mu_c|^2) + E [A(f(x)) - A(mu_c) - s_c.(f(x) - mu_c)]`, `s_c = grad A(mu_c)`, `w_c = rho(c)/rho(T)`.
//!
//! The first sum is computed once. An observation draws a class from `w` and one anchor of it, and is the first sum plus the divergence.
//!
//! # Range
//! `A` is convex: the divergence is not negative. With `delta_{c'} = (f(x) - mu_c).mu_{c'}` and the softmax weights `p` at `mu_c` it is
//! `log sum p e^delta - sum p delta`. All `delta` lie in an interval of length `s = r D`, for distances `r` of embeddings from the mean of their class and
//! distances `D` of class means. At a given mean of `delta` the first term is largest for a law on both ends of the interval, by
//! convexity; the largest value over such laws is `log((e^s - 1)/s) - 1 + s/(e^s - 1)`, which is at most `s^2/8` and at most `s`.
//!
//! # Rounding
//! `u = 2^-53`, `R` a bound on the norms of embeddings and means, `P = R^2`, `g = d u / (1 - d u)`, `L = log T`, `e` a bound on the error of the means.
//! - The loss moves by `2 R e` from the means, and the mean of the control variate by as much: `4 R e`.
//! - A product errs by `g P`. `A` at a point errs by `a = g P + (P + 16 L) u` (the error of [`log_sum_exp_rows`]).
//! - `A` enters three times, other products three times, a sum of numbers up to `2 P + L` seven times. The average over the task takes `T`
//!   weights and terms, `(2 T + 4) (2 P + L) u`. In all at most `6 g P + (2 T + 60)(2 P + L) u`.
//! - A weight of the softmax errs by `2 g P + (2 P + 20 L + 4) u` relatively, and the sum that makes `s_c` by `T u` more. This moves an observation by
//!   `2 P` times as much: it matters for the range, not for the mean.

use super::task::Task;
use super::unsupervised::{U, law_error};
use super::{ChunkStream, Estimator, IndexLaw, MonteCarloError, ObservationRange, Sampler};
use enclosures::interval::Interval;
use enclosures::kernels::{ElementwiseFunction, KernelError, PackedRows, inner_product, log_sum_exp_rows};

/// Anchors that meet all means together.
const TOGETHER: usize = 8;

/// `L_sup^mu` of one task: the loss of single anchors with its first-order expansion at the class mean as control variate; see the module's text.
#[derive(Clone, Debug)]
pub struct ControlVariateSupervised<'a, S: Sampler + ?Sized> {
    model: &'a S,
    task: Vec<usize>,
    /// The class of an anchor, by its place in the task.
    law: IndexLaw,
    means: PackedRows,
    /// `s_c`, class by class.
    slopes: Vec<f64>,
    /// The first sum, and what of the divergence does not depend on the anchor.
    offsets: Vec<f64>,
    range: Option<ObservationRange>,
    error: f64,
}

impl<'a, S: Sampler + ?Sized> ControlVariateSupervised<'a, S> {
    /// The task of all classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`]; [`MonteCarloError::Weight`] when a probability is subnormal.
    pub fn all(model: &'a S) -> Result<Self, MonteCarloError> {
        Self::new(model, (0..model.class_weights().len()).collect())
    }

    /// The task of the given classes.
    ///
    /// # Errors
    /// As [`ControlVariateSupervised::all`]; [`MonteCarloError::Task`] unless they are different classes of the model, at least one.
    pub fn of_task(model: &'a S, task: &[usize]) -> Result<Self, MonteCarloError> {
        Task::given(model, task)?;
        Self::new(model, task.to_vec())
    }

    fn new(model: &'a S, task: Vec<usize>) -> Result<Self, MonteCarloError> {
        let weights: Vec<f64> = task.iter().map(|&class| model.class_weights()[class]).collect();
        let law = IndexLaw::new(&weights)?;
        let mut means = Vec::with_capacity(task.len() * model.dimension());
        for &class in &task {
            means.extend(model.class_mean(class).ok_or(MonteCarloError::MeanUnknown { class })?);
        }
        let at = Expansions::new(&means, model.dimension())?;
        let total: f64 = weights.iter().sum();
        let first = weights.iter().zip(&at.losses).map(|(w, loss)| w / total * loss).sum::<f64>();
        let bound = model.radius().map(|radius| radius.max(at.largest_norm));
        let error = rounding(bound.unwrap_or(0.0), model, task.len());
        let range = bound.and_then(|bound| {
            let from_mean = model.class_radius().unwrap_or(bound + at.largest_norm) + model.mean_error();
            let divergence = largest_divergence(Interval::point(from_mean) * at.largest_distance);
            // The first sum is rounded, too. A range has a positive length.
            let lo = (first - error).max(0.0);
            let hi = (first.max(0.0) + divergence + error).next_up();
            ObservationRange::new(lo, hi.max(lo + f64::EPSILON * lo.max(1.0))).ok()
        });
        Ok(ControlVariateSupervised {
            error: error + law_error(range, 1, model.distance() + law.distance()),
            offsets: at.constants.iter().map(|constant| first + constant).collect(),
            model,
            task,
            law,
            means: at.means,
            slopes: at.slopes,
            range,
        })
    }
}

/// What rounding and the error of the means cost, derived in the module's text.
fn rounding<S: Sampler + ?Sized>(bound: f64, model: &S, classes: usize) -> f64 {
    let (d, t) = (model.dimension() as f64, classes as f64);
    let (square, log) = (bound * bound * (1.0 + 8.0 * U), core_math::log(t));
    let product = d * U / (1.0 - d * U) * square + d * f64::MIN_POSITIVE;
    let values = 6.0 * product + (2.0 * t + 60.0) * (2.0 * square + log) * U;
    let slope = 2.0 * product + (2.0 * square + 20.0 * log + 4.0 + t) * U;
    (values + 2.0 * square * slope + 4.0 * bound * model.mean_error()) * (1.0 + 1e-6)
}

/// A bound on the divergence at an interval of this length: see the module's text.
fn largest_divergence(length: Interval) -> f64 {
    let bounded = length.min(length.square() / 8.0);
    // The formula cancels where it is small, and overflows where it is large; the two simple bounds are close to it there.
    if !(0.5..=500.0).contains(&length.hi()) {
        return bounded.hi();
    }
    let grown = length.exp() - 1.0;
    (((grown / length).ln() - 1.0) + length / grown).hi().min(bounded.hi())
}

/// The loss and its first-order expansion at the means of all classes.
struct Expansions {
    means: PackedRows,
    /// `A(mu_c) - |mu_c|^2`.
    losses: Vec<f64>,
    /// `s_c.mu_c - A(mu_c)`.
    constants: Vec<f64>,
    slopes: Vec<f64>,
    /// Bounds on the norms of means and on their distances.
    largest_norm: f64,
    largest_distance: f64,
}

impl Expansions {
    fn new(vectors: &[f64], d: usize) -> Result<Self, KernelError> {
        let means = PackedRows::new(vectors, d)?;
        let columns = PackedRows::of_columns(vectors, d, 0..d)?;
        let classes = means.rows();
        let squares: Vec<f64> = vectors.chunks_exact(d).map(|mean| inner_product(mean, mean)).collect();
        let largest = squares.iter().copied().fold(0.0, f64::max);
        let (mut losses, mut constants) = (Vec::with_capacity(classes), Vec::with_capacity(classes));
        let mut slopes = vec![0.0; classes * d];
        let mut distance = 0.0f64;
        let mut logits = vec![0.0; TOGETHER * classes];
        for (own, slopes) in vectors.chunks(TOGETHER * d).zip(slopes.chunks_mut(TOGETHER * d)) {
            let logits = &mut logits[..own.len() / d * classes];
            means.products(own, logits)?;
            let mut values = [0.0; TOGETHER];
            let values = &mut values[..own.len() / d];
            log_sum_exp_rows(logits, values)?;
            for (row, value) in logits.chunks_exact_mut(classes).zip(values.iter()) {
                let square = squares[losses.len()];
                losses.push(value - square);
                for (logit, other) in row.iter_mut().zip(&squares) {
                    distance = distance.max(square + other - 2.0 * *logit);
                    *logit -= value;
                }
            }
            ElementwiseFunction::Exp.apply(logits);
            columns.products(logits, slopes)?;
            for ((slope, mean), value) in slopes.chunks_exact(d).zip(own.chunks_exact(d)).zip(values) {
                constants.push(inner_product(slope, mean) - *value);
            }
        }
        // Three products and two sums of numbers up to 4 |mu|^2.
        let slack = (4.0 * d as f64 + 16.0) * U;
        Ok(Expansions {
            means,
            losses,
            constants,
            slopes,
            largest_norm: (largest * (1.0 + slack)).sqrt().next_up(),
            largest_distance: (distance + largest * slack).sqrt().next_up(),
        })
    }
}

impl<S: Sampler + ?Sized> Estimator for ControlVariateSupervised<'_, S> {
    fn range(&self) -> Option<ObservationRange> {
        self.range
    }

    /// Derived in the module's text.
    fn error(&self) -> f64 {
        self.error
    }

    fn chunk_len(&self) -> usize {
        (16_384 / self.task.len().max(1)).clamp(16, 1024)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let (d, classes) = (self.model.dimension(), self.task.len());
        let (mut anchors, mut logits) = (vec![0.0; TOGETHER * d], vec![0.0; TOGETHER * classes]);
        for out in out.chunks_mut(TOGETHER) {
            let (anchors, logits) = (&mut anchors[..out.len() * d], &mut logits[..out.len() * classes]);
            let mut places = [0; TOGETHER];
            for (place, anchor) in places.iter_mut().zip(anchors.chunks_exact_mut(d)) {
                *place = self.law.draw(stream);
                self.model.draw_embedding(self.task[*place], stream, anchor);
            }
            let met = self.means.products(anchors, logits).and_then(|()| log_sum_exp_rows(logits, out));
            if met.is_err() {
                out.fill(f64::NAN);
            }
            for ((observation, &place), anchor) in out.iter_mut().zip(&places).zip(anchors.chunks_exact(d)) {
                let slope = &self.slopes[place * d..(place + 1) * d];
                *observation = self.offsets[place] + (*observation - inner_product(slope, anchor));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `log(1 - p + p e^s) - p s`, the divergence of a law on two ends.
    fn on_two_ends(p: f64, s: f64) -> f64 {
        core_math::log1p(p * core_math::expm1(s)) - p * s
    }

    #[test]
    fn the_largest_divergence_is_that_of_the_worst_law_on_two_ends() {
        for s in [1e-3, 0.1, 0.49, 0.51, 1.0, 4.0, 20.0, 300.0, 499.0] {
            let worst = (1..100_000).map(|i| on_two_ends(f64::from(i) * 1e-5, s)).fold(0.0, f64::max);
            let bound = largest_divergence(Interval::point(s));
            assert!(worst <= bound, "{s}: {worst} {bound}");
            assert!(bound <= worst * 1.01 + 0.01, "{s}: {worst} {bound}");
        }
        // Beyond what exponentials of doubles reach the simple bound stands.
        assert_eq!(largest_divergence(Interval::point(1e4)), 1e4);
        assert!(largest_divergence(Interval::point(0.0)).abs() < 1e-300);
    }
}
