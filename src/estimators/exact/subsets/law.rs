//! The candidates and positives of one anchor, and the integral over their gains.

use super::SubsetOptions;
use std::sync::OnceLock;

use super::gain::{self, Candidates, Gains, Shape};
use super::kernel::{self, LANES, PerNode};
use crate::exact::kernels::Instructions;
use crate::exact::logits::AccurateLogits;
use crate::exact::options::Aggregation;
use crate::exact::quadrature::{STEP, TRAPEZOID};
use crate::exact::sample::Sample;
use enclosures::interval::Interval;
use enclosures::kernels::ElementwiseFunction;

/// Largest logits for which the integral is evaluated.
const LARGEST: f64 = 1e4;
/// Logits within this range of each other have exponentials that are multiples of each other's.
const RANGE: f64 = 600.0;
/// Below this, the logarithm of the largest ratio of exponentials at the last node, gains may underflow.
const TINY: f64 = -600.0;
const U: f64 = f64::EPSILON / 2.0;

/// What one anchor is confronted with.
pub(super) struct SubsetLaw {
    /// Logits of the candidates: of those of every positive, then of the positives that are left out of their own negatives.
    candidates: Vec<f64>,
    /// Where the second part begins.
    common: usize,
    /// Logits of the positives that are left out of nothing.
    positives: Vec<f64>,
    /// Bounds of all logits, and of their errors.
    bound: f64,
    error: f64,
    mean: bool,
}

impl SubsetLaw {
    pub(super) fn new(set: Instructions, sample: &Sample<'_>, anchor: usize, options: &SubsetOptions) -> Self {
        let n = sample.len();
        let bound = sample.logit_bound(anchor);
        let mut logits = vec![0.0; n];
        if bound <= LARGEST {
            let (mut cells, mut rests) = (vec![0; n], vec![0.0; n]);
            AccurateLogits::new(options.temperature).split(set, sample, anchor, 0, 0, &mut cells, &mut rests);
            for (a, (cell, rest)) in logits.iter_mut().zip(cells.iter().zip(&rests)) {
                *a = (f64::from(*cell) + rest) / 16.0;
            }
        }
        let (start, end) = sample.members(sample.class(anchor));
        let is_positive = |y: usize| (start..end).contains(&y) && (options.self_positive || y != anchor);
        let is_candidate = |y: usize| {
            !(start..end).contains(&y)
                || (options.same_class_negatives && (options.anchor_among_negatives || y != anchor))
        };
        let is_left_out = |y: usize| is_positive(y) && is_candidate(y) && !options.positive_among_negatives;
        let pick = |keep: &dyn Fn(usize) -> bool| -> Vec<f64> {
            (0..n).filter(|&y| keep(y)).filter_map(|y| logits.get(y).copied()).collect()
        };
        let mut candidates = pick(&|y| is_candidate(y) && !is_left_out(y));
        let common = candidates.len();
        candidates.extend(pick(&is_left_out));
        SubsetLaw {
            candidates,
            common,
            positives: pick(&|y| is_positive(y) && !is_left_out(y)),
            bound,
            error: AccurateLogits::error(sample, anchor),
            mean: options.aggregation == Aggregation::Mean,
        }
    }

    /// The loss of the anchor in nats for subsets of a size that all its sets of candidates allow.
    pub(super) fn loss(&self, set: Instructions, size: usize, shape: &OnceLock<Shape>) -> Interval {
        let log = core_math::log(size as f64);
        let shift = if self.mean { log } else { 0.0 };
        let left_out = self.candidates.get(self.common..).unwrap_or(&[]);
        let positives: Vec<f64> = self.positives.iter().chain(left_out).map(|a| a + shift).collect();
        let low = positives.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.candidates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let top = positives.iter().copied().fold(most + log, f64::max);
        let crude = {
            let least = -self.bound - 1.0;
            let largest = if self.bound <= LARGEST { most - low } else { self.bound - least };
            Interval::new(0.0, (Interval::point(size as f64).ln() + (largest + 1e-3)).softplus().hi())
        };
        if self.bound > LARGEST || most - low < TINY {
            return crude;
        }
        // The first node t_0 with t_0 max(b_P, k b_Y) <= 2^-24, and the last one T with T b_P >= 41 for all positives.
        let first = ((-top - 16.64) / STEP).floor() as i64;
        let last = ((3.7136 - low) / STEP).ceil() as i64;
        let shape = shape.get_or_init(|| Shape::new(self.candidates.len(), size));
        let sum = self.sum(set, (size, shape), &positives, first, last);
        let count = positives.len() as f64;
        let nodes = (last - first) as f64 + 16.0;
        // The roundings of u + a, like errors of the logits; one of the shift.
        let of_logits = self.error + 2.0 * U * (top.abs() + low.abs() + log + 80.0);
        // Exponentials are off by a unit at most, so that t b, a product of two, and 1 - e^(-t b) are off by eight roundings.
        let of_gain = gain::error(self.candidates.len(), size) + 8.0 * U;
        let relative = 1.01 * (of_gain + 2.02 * 12.0 * U + (nodes + count + 16.0) * U + TRAPEZOID + 2.02 * of_logits);
        let body = Interval::point(sum.value * STEP / count);
        let body = body.widened_by(relative * body.hi());
        let below = sum.first_gain / count * STEP / core_math::expm1(STEP);
        let below = Interval::new(below * (1.0 - 2.5e-7), below * (1.0 + 2.5e-7));
        let total = body + below + Interval::new(0.0, 1.01 * sum.last_term / count / 41.0 + 1e-300);
        total.intersection(crude).unwrap_or(crude)
    }

    /// The sum over the nodes from `first` to `last` and some more, over all positives.
    fn sum(
        &self,
        set: Instructions,
        (size, shape): (usize, &Shape),
        positives: &[f64],
        first: i64,
        last: i64,
    ) -> PositiveSum {
        let mut sum = PositiveSum::default();
        let mut candidates = vec![([0.0; LANES], [0.0; LANES]); self.candidates.len()];
        let mut decays = vec![[0.0; LANES]; positives.len()];
        let (of_candidates, of_positives) = (Values::new(&self.candidates), Values::new(positives));
        let mut gains: Option<Gains> = None;
        for node in (first..=last).step_by(LANES) {
            let gains = match &mut gains {
                Some(gains) if gains.saturated => &*gains,
                gains => {
                    of_candidates.apply(set, node, ElementwiseFunction::ExpM1, |y, e| {
                        if let Some((a, b)) = candidates.get_mut(y) {
                            for l in 0..LANES {
                                (a[l], b[l]) = (1.0 + e[l], -e[l]);
                            }
                        }
                    });
                    let all = Candidates { set, all: &candidates, common: self.common, size, shape };
                    &*gains.insert(all.gains(!self.positives.is_empty()))
                }
            };
            of_positives.apply(set, node, ElementwiseFunction::Exp, |p, q| {
                if let Some(decay) = decays.get_mut(p) {
                    *decay = *q;
                }
            });
            let of_positive = |p: usize| match p.checked_sub(self.positives.len()) {
                None => gains.full,
                Some(at) => gains.without.get(at).copied().unwrap_or([0.0; LANES]),
            };
            sum.last_term = 0.0;
            for (p, decay) in decays.iter().enumerate() {
                let gain = of_positive(p);
                let mut terms = [0.0; LANES];
                for l in 0..LANES {
                    terms[l] = decay[l] * gain[l];
                }
                sum.value += terms.iter().sum::<f64>();
                sum.last_term += terms[LANES - 1];
                if node == first {
                    sum.first_gain += gain[0];
                }
            }
        }
        sum
    }
}

/// What the nodes add up to, over all positives.
#[derive(Default)]
struct PositiveSum {
    value: f64,
    /// Gains at the first node.
    first_gain: f64,
    /// Terms of the last node.
    last_term: f64,
}

/// Values `e^a` of logits, at whose multiples `t` functions are taken.
struct Values<'a> {
    logits: &'a [f64],
    /// `e^(a - top)`; none where they lie too far apart for doubles.
    values: Vec<f64>,
    top: f64,
}

impl<'a> Values<'a> {
    fn new(logits: &'a [f64]) -> Self {
        let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let low = logits.iter().copied().fold(f64::INFINITY, f64::min);
        let mut values = Vec::new();
        if top - low <= RANGE {
            values.extend(logits.iter().map(|a| a - top));
            ElementwiseFunction::Exp.apply(&mut values);
        }
        Values { logits, values, top }
    }

    /// A function of `-t e^a` at the nodes from `node` on, for every logit.
    fn apply(
        &self,
        set: Instructions,
        node: i64,
        function: ElementwiseFunction,
        mut write: impl FnMut(usize, &PerNode),
    ) {
        const AT_ONCE: usize = 32;
        let mut arguments = [[0.0; LANES]; AT_ONCE];
        let factors: PerNode = std::array::from_fn(|l| -core_math::exp((node + l as i64) as f64 * STEP + self.top));
        let scaled = !self.values.is_empty() && factors.iter().all(|t| t.is_finite());
        for first in (0..self.logits.len()).step_by(AT_ONCE) {
            let end = (first + AT_ONCE).min(self.logits.len());
            let arguments = &mut arguments[..end - first];
            if scaled {
                kernel::multiples(set, &self.values[first..end], &factors, arguments);
            } else {
                for (arguments, a) in arguments.iter_mut().zip(&self.logits[first..end]) {
                    for (l, argument) in arguments.iter_mut().enumerate() {
                        *argument = (node + l as i64) as f64 * STEP + a;
                    }
                }
                ElementwiseFunction::Exp.apply(arguments.as_flattened_mut());
                arguments.as_flattened_mut().iter_mut().for_each(|x| *x = -*x);
            }
            function.apply(arguments.as_flattened_mut());
            for (y, lanes) in arguments.iter().enumerate() {
                write(first + y, lanes);
            }
        }
    }
}
