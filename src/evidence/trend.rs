//! The one way to judge growth: a sweep of sizes, a fitted exponent with its interval, and three answers by one rule.
//!
//! A statement about growth without a constant says that a quantity grows at most, at least, or exactly like a power of a
//! size. A finite sweep estimates the exponent; what it says of the statement is
//! - *refuted*: the whole interval lies outside the claimed exponent and its slack;
//! - *consistent*: the whole interval lies inside;
//! - *inconclusive*: neither. The sweep is too short or too noisy, and that is not a pass.
//!
//! **Level.** The interval is the t-interval of the least-squares slope at [`LEVEL`], under independent normal errors of
//! equal variance. That model is a convention, so every answer has the grade `measured`. A violation must repeat in a
//! second, independent draw, as every violation must.
//!
//! **Slack.** At the sizes that can be tried, a quantity `x^e (1 + O(1/x))` or `x^e log x` has a local exponent
//! `e + 1/log x` or so: 0.1 to 0.3 for x between 32 and 10 000. [`SLACK`] is a quarter of a unit, so that lower-order terms
//! are not taken for growth, while an exponent that is wrong by half a unit, the least by which the statements at hand
//! differ from what competes with them, lies a quarter of a unit outside.
//!
//! **Power.** Multiplying every value by `x^{1/2}` moves the fitted exponent by exactly one half and leaves its interval as
//! wide as it was. A sweep whose half-width is below a quarter of a unit therefore refutes a planted exponent half a unit
//! worse than the claimed one; the note of every answer states the half-width, and marks a sweep that lacks this power.

use crate::comparison::{Evaluation, at_least, at_most};
use enclosures::enclosure::{Enclosure, Grade};
use enclosures::interval::Interval;
use enclosures::probability::{FitError, FittedLine, fit_line, fit_power_law};

/// Chance that the interval of an exponent misses, under the model of the fit.
pub const LEVEL: f64 = 0.05;

/// How far beyond the claimed exponent a fitted one may lie, in units of the exponent.
pub const SLACK: f64 = 0.25;

/// How much worse than claimed an exponent has to be for a sweep to be asked to refute it.
const PLANTED: f64 = 0.5;

/// What is fitted to a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// log value against log size: the slope is the exponent of a power.
    Power,
    /// The value against the size.
    Straight,
}

/// A sweep of sizes and the quantity measured at each, waiting to be compared with a claimed growth.
///
/// ```
/// use contrapositive::claim::Evaluation;
/// use contrapositive::judge::{Judgement, judge};
/// use contrapositive::trend::Trend;
///
/// let squares: Vec<(f64, f64)> = (1..=6).map(|k| (f64::from(1 << k), f64::from(3 << (2 * k)))).collect();
/// let answer = |evaluation| match evaluation {
///     Evaluation::Compared(c) => judge(&c),
///     other => panic!("{other:?}"),
/// };
/// assert_eq!(answer(Trend::through(&squares).grows_at_most(2.0)), Judgement::Holds);
/// assert_eq!(answer(Trend::through(&squares).grows_at_most(1.5)), Judgement::Violated);
/// assert_eq!(answer(Trend::through(&squares).grows_like(2.0)), Judgement::Holds);
/// ```
#[derive(Clone, Debug)]
pub struct Trend {
    points: Vec<(f64, f64)>,
    size: &'static str,
    slack: f64,
    fit: Fit,
}

impl Trend {
    /// The growth of a positive quantity along positive sizes, as a power: points are `(size, value)`.
    #[must_use]
    pub fn through(points: &[(f64, f64)]) -> Self {
        Trend { points: points.to_vec(), size: "size", slack: SLACK, fit: Fit::Power }
    }

    /// The slope of a quantity itself along its sizes; without slack unless one is given.
    #[must_use]
    pub fn line(points: &[(f64, f64)]) -> Self {
        Trend { slack: 0.0, fit: Fit::Straight, ..Trend::through(points) }
    }

    /// Names the size for the reader ("m").
    #[must_use]
    pub fn named(mut self, size: &'static str) -> Self {
        self.size = size;
        self
    }

    /// Another slack than [`SLACK`], in units of the exponent or slope; its derivation belongs beside the call.
    #[must_use]
    pub fn within(mut self, slack: f64) -> Self {
        self.slack = slack;
        self
    }

    fn fitted(&self) -> Result<FittedLine, FitError> {
        match self.fit {
            Fit::Power => fit_power_law(&self.points, LEVEL),
            Fit::Straight => fit_line(&self.points, LEVEL),
        }
    }

    fn judged(&self, compare: impl Fn(Enclosure) -> Evaluation) -> Evaluation {
        let fit = match self.fitted() {
            Ok(fit) => fit,
            Err(error) => return Evaluation::Failed(error.to_string()),
        };
        let slope = Enclosure::graded(fit.interval, Grade::Measured);
        match compare(slope).on_scale(1.0).as_trend().noting(self.in_words(&fit)) {
            Evaluation::Compared(c) => Evaluation::Compared(c.with_power(self.lacks_power(&fit))),
            answer => answer,
        }
    }

    /// Whether a planted exponent [`PLANTED`] worse than the claimed one would not be refuted.
    fn lacks_power(&self, fit: &FittedLine) -> bool {
        self.fit == Fit::Power && fit.interval.width() / 2.0 >= PLANTED - self.slack
    }

    /// Exponent, interval, sizes, slack and power, for the reader.
    fn in_words(&self, fit: &FittedLine) -> String {
        let sizes: Vec<f64> = self.points.iter().map(|p| p.0).collect();
        let (least, most) =
            (sizes.iter().copied().fold(f64::INFINITY, f64::min), sizes.iter().copied().fold(0.0, f64::max));
        let what = match self.fit {
            Fit::Power => "exponent",
            Fit::Straight => "slope",
        };
        let mut text = format!(
            "{what} {:.2} in [{:.2}, {:.2}] over {} points, {} from {} to {}, slack {}",
            fit.slope.midpoint(),
            fit.interval.lo(),
            fit.interval.hi(),
            self.points.len(),
            self.size,
            short(least),
            short(most),
            self.slack,
        );
        if self.fit == Fit::Power {
            let largest = self.points.iter().map(|p| p.1).fold(0.0, f64::max);
            text.push_str(&format!(", largest value {largest:.1e}"));
            if self.lacks_power(fit) {
                text.push_str(", too wide to refute an exponent half a unit worse");
            }
        }
        text
    }

    /// `O(size^exponent)`.
    #[must_use]
    pub fn grows_at_most(self, exponent: f64) -> Evaluation {
        let bound = exponent + self.slack;
        self.judged(|slope| at_most(slope, Enclosure::from(Interval::point(bound))))
    }

    /// `Ω(size^exponent)`.
    #[must_use]
    pub fn grows_at_least(self, exponent: f64) -> Evaluation {
        let bound = exponent - self.slack;
        self.judged(|slope| at_least(slope, Enclosure::from(Interval::point(bound))))
    }

    /// `Θ(size^exponent)`.
    #[must_use]
    pub fn grows_like(self, exponent: f64) -> Evaluation {
        let slack = Interval::point(self.slack);
        self.judged(|slope| at_most((slope - exponent).abs(), Enclosure::from(slack)))
    }

    /// `O(1)`.
    #[must_use]
    pub fn is_bounded(self) -> Evaluation {
        self.grows_at_most(0.0)
    }

    /// `Ω(1)`.
    #[must_use]
    pub fn stays_above_zero(self) -> Evaluation {
        self.grows_at_least(0.0)
    }

    /// The fitted slope is at least `slope` minus the slack: of a [`Trend::line`] in units of value per size.
    #[must_use]
    pub fn slope_at_least(self, slope: f64) -> Evaluation {
        self.grows_at_least(slope)
    }
}

/// A size as a reader writes it: whole numbers in full, others to three digits.
fn short(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e7 { format!("{x}") } else { format!("{x:.2e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Judgement, judge};
    use enclosures::probability::standard_normal_pair;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn answer(evaluation: Evaluation) -> Judgement {
        match evaluation {
            Evaluation::Compared(c) => judge(&c),
            other => panic!("not a comparison: {other:?}"),
        }
    }

    /// Twelve sizes from 8 to 16384, values `size^exponent` times log-normal noise.
    fn sweep(exponent: f64, noise: f64, seed: u64) -> Vec<(f64, f64)> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        (3..15)
            .map(|k| {
                let size = f64::from(1 << k);
                let error = noise * standard_normal_pair(&mut rng).0;
                (size, core_math::exp(exponent * core_math::log(size) + error))
            })
            .collect()
    }

    #[test]
    fn three_answers_by_one_rule() {
        for (exponent, expected) in
            [(0.0, Judgement::Holds), (0.2, Judgement::Holds), (0.3, Judgement::Violated), (0.5, Judgement::Violated)]
        {
            assert_eq!(answer(Trend::through(&sweep(exponent, 0.0, 1)).is_bounded()), expected, "{exponent}");
        }
        // A wide interval around the limit says nothing, whichever way its middle leans.
        let noisy = [(10.0, 1.0), (20.0, 3.0), (40.0, 1.0), (80.0, 4.0)];
        assert_eq!(answer(Trend::through(&noisy).is_bounded()), Judgement::Undecided);
        assert_eq!(answer(Trend::through(&noisy).stays_above_zero()), Judgement::Undecided);
    }

    /// Every value multiplied by `size^power`.
    fn steeper(points: &[(f64, f64)], power: f64) -> Vec<(f64, f64)> {
        points.iter().map(|&(size, value)| (size, value * core_math::pow(size, power))).collect()
    }

    #[test]
    fn every_form_refutes_a_planted_exponent_half_a_unit_worse() {
        for seed in 0..20 {
            let points = sweep(-1.0, 0.3, seed);
            let trend = || Trend::through(&points);
            for (asked, worse) in [
                (Trend::grows_at_most as fn(Trend, f64) -> Evaluation, PLANTED),
                (Trend::grows_at_least, -PLANTED),
                (Trend::grows_like, PLANTED),
                (Trend::grows_like, -PLANTED),
            ] {
                assert_eq!(answer(asked(trend(), -1.0)), Judgement::Holds, "seed {seed}");
                assert_eq!(
                    answer(asked(Trend::through(&steeper(&points, worse)), -1.0)),
                    Judgement::Violated,
                    "seed {seed}"
                );
            }
        }
    }

    #[test]
    fn a_sweep_without_power_says_so() {
        let note = |points: &[(f64, f64)]| match Trend::through(points).named("m").is_bounded() {
            Evaluation::Compared(c) => c.note.clone().expect("a note"),
            other => panic!("{other:?}"),
        };
        assert!(note(&[(10.0, 1.0), (20.0, 3.0), (40.0, 1.0), (80.0, 4.0)]).contains("too wide"));
        let sharp = note(&sweep(0.0, 0.05, 3));
        assert!(sharp.contains("m from 8 to 16384") && !sharp.contains("too wide"), "{sharp}");
    }

    #[test]
    fn a_line_has_the_slope_of_its_points() {
        let points: Vec<(f64, f64)> = (0..6).map(|k| (f64::from(k), 2.0 * f64::from(k) - 1.0)).collect();
        assert_eq!(answer(Trend::line(&points).slope_at_least(1.9)), Judgement::Holds);
        assert_eq!(answer(Trend::line(&points).slope_at_least(2.3)), Judgement::Violated);
    }

    #[test]
    fn what_cannot_be_fitted_is_no_verdict() {
        let short = Trend::through(&[(1.0, 1.0), (2.0, 2.0)]).is_bounded();
        assert!(matches!(short, Evaluation::Failed(message) if message.contains("too few")));
    }
}
