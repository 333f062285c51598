//! The loss between its largest draw and `log(1 + N)` more, for logits so large that rounding alone exceeds the quadrature's care.
//!
//! Since `max(0, m) <= log(1 + sum_{i<=N} e^{a_i - a}) <= max(0, m) + log(1 + N)` with `m` the largest `a_i - a`, the expectation lies
//! between `E max(0, M - a_P)` and that plus `log(1 + N)`, `M` the largest of `N` independent draws. The distribution of `M` is a power,
//! so that this costs one sort; and where logits are ten billions, `log(1 + N)` is the eleventh digit.
//!
//! With the values `a_1 < a_2 < ...` of a draw and `g_k = P(M > a_k) = 1 - (1 - P(Y > a_k))^N`, for `a_j` the first value above `p`,
//! `E max(0, M - p) = g_{j-1} (a_j - p) + sum_{k >= j} g_k (a_{k+1} - a_k)`: no term is negative, and nothing cancels.

use super::WeightedLogit;
use enclosures::interval::Interval;

/// An enclosure of `E log(1 + sum_{i<=N} e^{a_{Y_i} - a_P})` that is `log(1 + N)` wide, and the widths of the logits more.
pub(super) fn around_largest(positives: &[WeightedLogit], negatives: &[WeightedLogit], draws: f64) -> Interval {
    // Larger negatives and smaller positives make the expectation larger.
    let low = Largest::new(negatives.iter().map(|w| (w.logit.lo(), w.probability)), draws);
    let high = Largest::new(negatives.iter().map(|w| (w.logit.hi(), w.probability)), draws);
    let mean = |law: &Largest, end: fn(Interval) -> f64| {
        let terms: Vec<Interval> = (positives.iter()).map(|w| law.excess(end(w.logit)) * w.probability).collect();
        enclosures::interval::sum(&terms)
    };
    let above = mean(&high, Interval::lo) + Interval::point(draws).ln_1p();
    Interval::new(mean(&low, Interval::hi).lo().max(0.0), above.hi().max(0.0))
}

/// The law of the largest of several draws.
struct Largest {
    /// The values of a draw, ascending.
    values: Vec<f64>,
    /// For each value, the probability that the largest draw lies at or above it.
    reached: Vec<Interval>,
    /// For each value, by how much the largest draw exceeds it on average.
    beyond: Vec<Interval>,
}

impl Largest {
    fn new(draw: impl Iterator<Item = (f64, Interval)>, draws: f64) -> Self {
        let mut law: Vec<(f64, Interval)> = draw.collect();
        law.sort_by(|a, b| a.0.total_cmp(&b.0));
        let certain = Interval::new(0.0, 1.0);
        let values: Vec<f64> = law.iter().map(|w| w.0).collect();
        let mut reached = vec![Interval::ONE; law.len()];
        let mut beyond = vec![Interval::ZERO; law.len()];
        // The probability of a draw at or above the value at hand.
        let mut tail = Interval::ZERO;
        for k in (1..law.len()).rev() {
            tail = (tail + law[k].1).intersection(certain).unwrap_or(certain);
            let none_above = (-tail).ln_1p() * draws;
            reached[k] = (-none_above.exp_m1()).intersection(certain).unwrap_or(certain);
            beyond[k - 1] = beyond[k] + reached[k] * (Interval::point(values[k]) - values[k - 1]);
        }
        Largest { values, reached, beyond }
    }

    /// `E max(0, M - p)`.
    fn excess(&self, p: f64) -> Interval {
        let first = self.values.partition_point(|&a| a <= p);
        match self.values.get(first) {
            None => Interval::ZERO,
            Some(&a) => self.beyond[first] + self.reached[first] * (Interval::point(a) - p),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(values: &[(f64, f64)]) -> Vec<WeightedLogit> {
        let logit = |&(probability, logit): &(f64, f64)| WeightedLogit {
            probability: Interval::point(probability),
            logit: Interval::point(logit),
        };
        values.iter().map(logit).collect()
    }

    #[test]
    fn the_largest_of_a_few_draws_is_enclosed() {
        // Of three draws from {1, 2, 4} with probabilities 1/4, 1/4, 1/2, the largest is 1, 2, 4 with 1/64, 7/64, 56/64.
        let largest =
            Largest::new([(4.0, 0.5), (1.0, 0.25), (2.0, 0.25)].map(|(a, p)| (a, Interval::point(p))).into_iter(), 3.0);
        for (p, truth) in
            [(0.0, 239.0 / 64.0), (1.0, 175.0 / 64.0), (1.5, 143.5 / 64.0), (2.0, 112.0 / 64.0), (4.0, 0.0), (9.0, 0.0)]
        {
            let found = largest.excess(p);
            assert!(found.contains(truth) && found.width() < 1e-14, "{p}: {found:?} {truth}");
        }
    }

    #[test]
    fn the_loss_of_small_logits_lies_inside() {
        let (positives, negatives) = (law(&[(0.5, 0.25), (0.5, -3.0)]), law(&[(0.25, -2.0), (0.5, 0.5), (0.25, 4.0)]));
        for draws in [1, 2, 50] {
            let around = around_largest(&positives, &negatives, draws as f64);
            let exact = super::super::expected_log_ratio(&positives, &negatives, &[draws]).unwrap()[0];
            assert!(around.lo() <= exact.lo() && exact.hi() <= around.hi(), "{draws}: {around:?} {exact:?}");
            assert!(around.width() <= 1.0001 * core_math::log1p(draws as f64));
        }
    }

    #[test]
    fn logits_without_an_end_are_enclosed_without_a_panic() {
        for end in [f64::MAX, 1e300, f64::INFINITY] {
            let around = around_largest(&law(&[(1.0, -end)]), &law(&[(0.5, end), (0.5, -end)]), 7.0);
            assert!(around.lo() >= 0.0 && around.hi() >= 1.9 * end.min(8e307), "{around:?}");
        }
    }
}
