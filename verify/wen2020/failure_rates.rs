//! Probabilities of failure e^{−Ω(X)} with an unknown constant c in the exponent: how they fall as X grows.
//!
//! For every size of a sweep a number of encoders is drawn, and of each the least constant C is kept for which the
//! statement holds; the share of the draws that need more than a given C is P, with its Clopper-Pearson interval.
//! Whatever c is, P ≤ e^{−cX} needs c ≤ −log P/X, the room that one size leaves. Nothing finite can show that this
//! stays away from zero; what a sweep can show is how −log P grows.
//!
//! * P ≈ Ae^{−cX} has equal secants of −log P, whatever A; a power of X, and e^{−X^a} with small a, has secants that fall. With secants that never
//!   fall to half of the first, s, the room stays above the smaller of its first value and s/2.
//! * A P that does not fall along a growing X has a slope that is not clearly positive.
//!
//! What it cannot see: e^{−X^a} with a near one; a change of behaviour beyond the sweep; sizes at which fewer than twenty
//! draws fail, which only bound P from above. It also says nothing where X cannot grow: δ ≤ 2, or s at a fixed m.
//! There the room itself is compared with a number ([`FailureRates::leaves_room_for`]).

use contrapositive::claim::{Evaluation, MeasureError, Trial, all_of, at_least, at_most, less_than, vacuous};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::probability::{clopper_pearson, fit_power_law};
use contrapositive::stream::Stream;
use serde::{Deserialize, Serialize};

use super::drawn_encoders::{DrawnSizes, SizeSweep, Varied};

/// Sizes, each drawn as many times as the sweep says, and the constant C of the bound that may fail.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FailureSweep {
    pub sizes: SizeSweep,
    /// C.
    pub factor: f64,
}

impl Instance for FailureSweep {
    fn describe(&self) -> String {
        format!("C = {}, {}", self.factor, self.sizes.describe())
    }

    fn validate(&self) -> Result<(), String> {
        self.sizes.validate()?;
        let sound = self.sizes.values.len() >= 4 && self.sizes.networks <= 100_000;
        if sound && (0.1..=100.0).contains(&self.factor) {
            Ok(())
        } else {
            Err("fewer than four sizes, or a number is out of range".into())
        }
    }
}

/// A sweep with its constant C and the number of draws of every size.
pub fn failures(varied: Varied, values: &[f64], others: DrawnSizes, factor: f64, runs: u32) -> FailureSweep {
    let sizes = SizeSweep::of(varied, values, others, runs);
    FailureSweep { sizes, factor }
}

/// At least so many draws of every size at the standard budget.
const STANDARD_RUNS: usize = 4000;
/// At least so many whatever the budget.
const FEWEST_RUNS: usize = 3000;
/// From so many failures on, the logarithm of their share is known to about a fifth, and enters the fit.
const ENOUGH_FAILURES: u64 = 20;
/// Constants C at which the same draws are judged: that of the sweep, and one that is too small.
const CONSTANTS: usize = 2;
/// An allowed probability below this is not resolved by the fewest runs without a failure.
const RESOLVED: f64 = 0.03;

/// The constants that the draws of every size need, and the chance of a miss for the interval of one probability.
pub struct NeededConstants<S = DrawnSizes> {
    sizes: Vec<(S, Vec<f64>)>,
    alpha: f64,
}

impl<S> NeededConstants<S> {
    /// `needs` draws anew for every run and answers the least C for which the statement holds.
    pub fn of(
        sizes: impl IntoIterator<Item = S>,
        runs: u32,
        trial: &mut Trial,
        needs: impl Fn(&S, &mut Stream) -> f64,
    ) -> Self {
        let standard = STANDARD_RUNS.max(runs as usize);
        // What took more to tell two exponents apart is not halved twice.
        let runs = trial.samples(standard).max(FEWEST_RUNS).max(standard / 2);
        let mut measured = Vec::new();
        for size in sizes {
            let needed = (0..runs).map(|_| needs(&size, trial.rng())).collect();
            measured.push((size, needed));
        }
        let alpha = trial.alpha(CONSTANTS * measured.len());
        NeededConstants { sizes: measured, alpha }
    }

    /// The shares that need more than C, against X.
    pub fn beyond(&self, factor: f64, exponent: impl Fn(&S) -> f64) -> Result<FailureRates, MeasureError> {
        let at = |(size, needed): &(S, Vec<f64>)| {
            let failed = needed.iter().filter(|&&needs| needs > factor).count() as u64;
            let runs = needed.len() as u64;
            Ok(Point {
                exponent: exponent(size),
                failed,
                share: failed as f64 / runs as f64,
                probability: clopper_pearson(failed, runs, self.alpha)?,
            })
        };
        let mut points = self.sizes.iter().map(at).collect::<Result<Vec<_>, MeasureError>>()?;
        points.sort_by(|a, b| a.exponent.total_cmp(&b.exponent));
        Ok(FailureRates { points })
    }

    /// P(more than C is needed) against X, judged by [`FailureRates::fall_exponentially`].
    pub fn fall_exponentially(&self, factor: f64, exponent: impl Fn(&S) -> f64) -> Evaluation {
        Evaluation::from(self.beyond(factor, exponent).map(|rates| rates.fall_exponentially()))
    }
}

impl FailureSweep {
    pub fn draw(&self, trial: &mut Trial, needs: impl Fn(&DrawnSizes, &mut Stream) -> f64) -> NeededConstants {
        let sizes = self.sizes.points().into_iter().map(|(_, sizes)| sizes);
        NeededConstants::of(sizes, self.sizes.networks, trial, needs)
    }
}

/// X, how many draws failed, and the probability of that.
struct Point {
    exponent: f64,
    failed: u64,
    share: f64,
    probability: Enclosure,
}

impl Point {
    /// The upper bound for c, −log P/X at the lower end of P; none without a failure.
    fn room(&self) -> Option<f64> {
        let low = self.probability.lo();
        (low > 0.0).then(|| -core_math::log(low) / self.exponent)
    }

    fn decay(&self) -> f64 {
        -core_math::log(self.share)
    }
}

/// Failure probabilities, in the order of growing X.
pub struct FailureRates {
    points: Vec<Point>,
}

impl FailureRates {
    /// Three demands. The 95 % interval of the slope of −log P against X lies above zero. The slope of the second half
    /// of the sweep is at least half of that of the first half. The room for c is nowhere below half of the lower end
    /// of the fitted slope, as it must not be if there is no large prefactor.
    pub fn fall_exponentially(&self) -> Evaluation {
        let used: Vec<&Point> = self.points.iter().filter(|p| p.failed >= ENOUGH_FAILURES).collect();
        let [first, .., last] = used[..] else {
            return vacuous("fewer than four sizes at which twenty draws fail");
        };
        let range = last.exponent - first.exponent;
        if used.len() < 4 || range <= 0.0 {
            return vacuous("fewer than four sizes at which twenty draws fail");
        }
        // The slope of log(1/P) against X is that of a power law of 1/P in e^X.
        let scaled = |p: &&Point| (core_math::exp((p.exponent - first.exponent) / range), 1.0 / p.share);
        let fitted = match fit_power_law(&used.iter().map(scaled).collect::<Vec<_>>(), 0.05) {
            Ok(fit) => fit.exponent / range,
            Err(error) => return Evaluation::Failed(error.to_string()),
        };
        let middle = used[used.len() / 2];
        let secant = |a: &Point, b: &Point| (b.decay() - a.decay()) / (b.exponent - a.exponent);
        let [early, late] = [secant(first, middle), secant(middle, last)];
        let least = self.points.iter().filter_map(Point::room).fold(f64::INFINITY, f64::min);
        let parts = [
            ("slope above zero", less_than(0.0, fitted.lo())),
            ("late secant", at_least(late, early / 2.0)),
            ("room for c", at_least(least, fitted.lo() / 2.0)),
        ];
        let note = format!(
            "{}; fitted rate [{:.2e}, {:.2e}], secants {early:.2e}, {late:.2e}",
            self.shown(),
            fitted.lo(),
            fitted.hi()
        );
        all_of(parts).as_trend().noting(note)
    }

    /// P ≤ e^{−cX} at every size, for a given c.
    pub fn leaves_room_for(&self, rate: f64) -> Evaluation {
        let at = |p: &Point| {
            let allowed = (-(rate * Enclosure::from(p.exponent))).exp();
            let part = if allowed.lo() < RESOLVED || allowed.hi() >= 1.0 {
                vacuous("the allowed probability is not resolved, or one")
            } else {
                at_most(p.probability, allowed)
            };
            (format!("X = {:.3}", p.exponent), part)
        };
        all_of(self.points.iter().map(at)).as_trend().noting(self.shown())
    }

    fn shown(&self) -> String {
        let list: Vec<String> = self
            .points
            .iter()
            .map(|p| {
                let (low, high) = (p.probability.lo(), p.probability.hi());
                let room = p.room().map_or("any".into(), |c| format!("{c:.2}"));
                format!("X = {:.1}: P in [{low:.4}, {high:.4}], c ≤ {room}", p.exponent)
            })
            .collect();
        list.join("; ")
    }
}

/// What failure probabilities leave of the constant c in A e^{−cX}, X the exponent of a width, falls no faster than
/// m^{−1/4}.
pub fn room_remains(
    failures: &[Enclosure],
    widths: &[u32],
    prefactor: f64,
    exponent: impl Fn(u32) -> Enclosure,
) -> Evaluation {
    let room = |at: usize| (prefactor / failures[at]).ln() / exponent(widths[at]);
    let last = failures.len() - 1;
    let growth = Enclosure::from(widths[last]) / f64::from(widths[0]);
    let shown: Vec<String> = failures
        .iter()
        .map(|p| format!("[{:.2}, {:.2}]", p.lo(), p.hi()))
        .collect();
    at_least(room(last), room(0) / growth.sqrt().sqrt())
        .as_trend()
        .noting(format!("failure probabilities {}", shown.join(", ")))
}
