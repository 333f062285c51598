//! The slopes of one anchor by the straightforward path, for logits beyond the reach of the tables, and to compare with.

use super::options::{Aggregation, LossOptions};
use super::powers;
use super::quadrature::STEP;
use super::reference;
use super::sample::Sample;
use super::slopes::Chances;
use enclosures::interval::{self, Interval};

/// Largest range of logits for which every exponential is evaluated at every node.
const RANGE: f64 = 3000.0;
const U: f64 = f64::EPSILON / 2.0;

/// A derivative with respect to a logit and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LogitSlope {
    pub(super) value: f64,
    pub(super) error: f64,
}

/// The derivatives of the loss of one anchor, in nats, with respect to its logits with all sorted points.
///
/// As in [`super::slopes`], but with plain exponentials instead of tables. Where the logits are too large or too uncertain,
/// the slopes are zero, and their error is what a slope can be at most.
pub(super) fn anchor_slopes(sample: &Sample<'_>, anchor: usize, number: u64, options: &LossOptions) -> Vec<LogitSlope> {
    let law = LogitLaw::new(sample, anchor, number, options);
    law.slopes(number, options.positive_in_denominator).unwrap_or_else(|| law.crude())
}

/// Every point with its logit and its chances to be the positive or a negative.
struct LogitLaw {
    logits: Vec<Interval>,
    /// What is added to the logits of positives.
    shift: f64,
    positive: Vec<f64>,
    negative: Vec<f64>,
}

impl LogitLaw {
    fn new(sample: &Sample<'_>, anchor: usize, number: u64, options: &LossOptions) -> Self {
        let x = sample.point(anchor);
        let (start, end) = sample.members(sample.class(anchor));
        let mean = options.aggregation == Aggregation::Mean && options.positive_in_denominator;
        let count = (end - start - usize::from(!options.self_positive)) as f64;
        let others =
            if options.same_class_negatives { 1.0 } else { sample.without_class(sample.class(anchor), options.shares) };
        let probability = |y| reference::probability(sample, options.shares, y).midpoint();
        let own = |y| (start..end).contains(&y);
        LogitLaw {
            logits: (0..sample.len()).map(|y| interval::dot(x, sample.point(y)) / options.temperature).collect(),
            shift: if mean { core_math::log(number as f64) } else { 0.0 },
            positive: (0..sample.len())
                .map(|y| if own(y) && (options.self_positive || y != anchor) { 1.0 / count } else { 0.0 })
                .collect(),
            negative: (0..sample.len())
                .map(|y| if options.same_class_negatives || !own(y) { probability(y) * others } else { 0.0 })
                .collect(),
        }
    }

    /// Nothing is known, but that slopes are derivatives of a logarithm of a sum of exponentials.
    fn crude(&self) -> Vec<LogitSlope> {
        let some = |x: f64| if x > 0.0 { 1.0 } else { 0.0 };
        (self.positive.iter().zip(&self.negative))
            .map(|(p, n)| LogitSlope { value: 0.0, error: 1.01 * p + some(*n) })
            .collect()
    }

    fn slopes(&self, number: u64, coupled: bool) -> Option<Vec<LogitSlope>> {
        let points = self.logits.len();
        let exponent = number - 1;
        let log = core_math::log((if coupled { number } else { exponent.max(1) }) as f64);
        let all = || self.logits.iter().zip(self.positive.iter().zip(&self.negative));
        let (mut top, mut low, mut uncertainty) = (f64::NEG_INFINITY, f64::INFINITY, 0.0f64);
        let mut top_negative = f64::NEG_INFINITY;
        for (a, (&p, &n)) in all() {
            let middle = a.midpoint();
            if n > 0.0 {
                top = top.max(middle + log);
                top_negative = top_negative.max(middle);
            }
            if p > 0.0 && coupled {
                top = top.max(middle + self.shift);
            }
            if if coupled { p > 0.0 } else { n > 0.0 } {
                low = low.min(middle + if coupled { self.shift } else { 0.0 });
            }
            uncertainty = uncertainty.max(a.width());
        }
        if !(top - low < RANGE && uncertainty < 1e-3) {
            return None;
        }
        let first = ((-top - 16.7) / STEP).floor() as i64;
        let last = ((3.72 - low) / STEP).ceil() as i64;
        let nodes: Vec<f64> = (first..=last).map(|k| k as f64 * STEP).collect();
        let (mut s, mut psi) = (vec![0.0; nodes.len()], vec![0.0; nodes.len()]);
        for (k, u) in nodes.iter().enumerate() {
            for (a, (p, n)) in all() {
                if *n > 0.0 {
                    s[k] -= n * core_math::expm1(-core_math::exp(u + a.midpoint()));
                }
                if *p > 0.0 {
                    psi[k] += p * core_math::exp(-core_math::exp(u + (a.midpoint() + self.shift)));
                }
            }
        }
        let rates = powers::log_complements(&s);
        // The exponents are rounded three times; their size where exponentials do not vanish is that of the nodes.
        let of_v = 4.0 * U * (top.abs() + low.abs() + log + 800.0);
        let of_s = of_v + (points as f64 + 16.0) * U;
        let first = first as f64 * STEP + top_negative;
        let factors = (&s[..], &rates[..], coupled.then_some(&psi[..]));
        let chances = Chances::new(factors, (number, exponent), of_s, first);
        let of_slope = 2.0 * of_v + (nodes.len() as f64 + 16.0) * U;
        let errors = chances.errors(number, of_s, 2.02 * of_s, of_slope);
        let of_logits = 1.01 * core_math::expm1(2.02 * uncertainty);
        let kernel = |v: f64| {
            let x = core_math::exp(v);
            if x < 800.0 { x * core_math::exp(-x) } else { 0.0 }
        };
        let integral = |weights: &[f64], a: f64| -> f64 {
            let terms = nodes.iter().zip(weights).map(|(u, w)| w * kernel(u + a));
            STEP * terms.sum::<f64>()
        };
        let gains = powers::gains(&rates, number);
        let slope = |(a, (&p, &n)): (&Interval, (&f64, &f64))| {
            let (mut value, mut error) = (0.0, 0.0);
            if n > 0.0 {
                let alone = !coupled && exponent == 0;
                let slope = n * if alone { 1.0 } else { integral(&chances.weights, a.midpoint()) };
                value += slope;
                error += if alone {
                    slope * 8.0 * U
                } else {
                    slope * (errors.negative + of_logits + 8.0 * U) + n * errors.absolute
                };
            }
            if p > 0.0 {
                let slope = p * if coupled { integral(&gains, a.midpoint() + self.shift) } else { 1.0 };
                value -= slope;
                error += slope * if coupled { errors.positive + of_logits + 8.0 * U } else { 8.0 * U };
            }
            LogitSlope { value, error }
        };
        Some(all().map(slope).collect())
    }
}
