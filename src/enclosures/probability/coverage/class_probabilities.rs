//! Class probabilities in twice the working precision, from below.

use crate::interval::{DoubleDouble, Interval, power_of_two};

/// The probability of a class: at least `low`, at most `low + slack`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub(super) low: DoubleDouble,
    pub(super) slack: f64,
}

impl Share {
    pub(super) fn enclosure(self) -> Interval {
        self.low.widened_by(0.0) + Interval::new(0.0, self.slack)
    }
}

/// The lower ends add up to at most one whatever the true probabilities are, which do add up to one. What is missing
/// counts as a class that need not be seen.
pub(super) struct Shares {
    each: Vec<Share>,
}

/// Relative distance from a computed share down to its lower end: far above the error of one division and a sum.
const STEP: f64 = 2e-27;
/// Shares below this are taken for zero from below: their second words would underflow.
const NEGLIGIBLE: f64 = 1e-270;

impl Shares {
    /// The shares of positive finite weights.
    pub(super) fn of_weights(weights: &[f64]) -> Self {
        let largest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        // Powers of two do not round; two steps, as one might overflow.
        let exponent = (largest.to_bits() >> 52) as i32 - 1023;
        let (first, second) = (power_of_two(-exponent / 2), power_of_two(-exponent - -exponent / 2));
        let scaled = |w: f64| DoubleDouble::from(w * first * second);
        let total = weights.iter().fold(DoubleDouble::ZERO, |sum, &w| sum + scaled(w));
        let share = |&w: &f64| {
            let share = scaled(w) / total;
            if share.hi() < NEGLIGIBLE {
                return Share { low: DoubleDouble::ZERO, slack: 2.0 * NEGLIGIBLE };
            }
            Share { low: share - share * STEP, slack: 3.0 * STEP * share.hi() }
        };
        Shares { each: weights.iter().map(share).collect() }
    }

    /// Enclosed probabilities; equal enclosures throughout mean equally likely classes.
    pub(super) fn of_intervals(probabilities: &[Interval]) -> Self {
        if probabilities.windows(2).all(|pair| pair[0] == pair[1]) {
            return Self::of_weights(&vec![1.0; probabilities.len()]);
        }
        let share = |rho: &Interval| Share {
            low: DoubleDouble::from(if rho.lo() < NEGLIGIBLE { 0.0 } else { rho.lo() }),
            slack: rho.width().max(if rho.lo() < NEGLIGIBLE { rho.hi() } else { 0.0 }),
        };
        Shares { each: probabilities.iter().map(share).collect() }
    }

    pub(super) fn each(&self) -> &[Share] {
        &self.each
    }

    /// Equal shares once, with how often they occur.
    pub(super) fn groups(&self) -> Vec<(DoubleDouble, u64)> {
        let mut sorted: Vec<DoubleDouble> = self.each.iter().map(|share| share.low).collect();
        sorted.sort_by(|a, b| (*a - *b).hi().total_cmp(&0.0));
        let mut groups: Vec<(DoubleDouble, u64)> = Vec::new();
        for low in sorted {
            match groups.last_mut() {
                Some((same, count)) if *same == low => *count += 1,
                _ => groups.push((low, 1)),
            }
        }
        groups
    }
}
