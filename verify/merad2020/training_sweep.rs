//! The same training over growing widths or shrinking distances: how the number of steps to one accuracy changes.

use contrapositive::claim::{Evaluation, Family, MeasureError, Trial, at_most, edge};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::network::Trained;
use contrapositive::probability::fit_power_law;
use serde::{Deserialize, Serialize};

use super::training_record::{Goal, record};
use super::training_run::{Data, TrainingRun};

/// What changes along a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Varied {
    /// δ is halved, and with it the step: ν ∝ δ. The width stays, and has to be large against 1/δ: with too few units
    /// between x⁺ and x⁻ the network is linear there, and its kernel falls like δ² instead of δ.
    Separation,
    /// m is doubled, and the step halved: ν ∝ 1/m.
    Width,
}

/// A sweep from its first training.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrainingSweep {
    pub varied: Varied,
    /// How often the size is halved or doubled; twice more at the deep budget where the width allows it.
    pub halvings: usize,
    /// So many starts, of which the median counts.
    pub starts: usize,
    pub start: TrainingRun,
    /// ε.
    pub accuracy: f64,
}

impl Instance for TrainingSweep {
    fn describe(&self) -> String {
        let varied = match self.varied {
            Varied::Separation => "δ halved",
            Varied::Width => "m doubled",
        };
        let (times, start) = (self.halvings, self.start.describe());
        format!("{varied} {times} times, ε = {}, from {start}", self.accuracy)
    }

    fn validate(&self) -> Result<(), String> {
        self.start.validate()?;
        if !(2..=8).contains(&self.halvings)
            || !(1..=32).contains(&self.starts)
            || self.accuracy.is_nan()
            || self.accuracy <= 0.0
        {
            return Err("two to eight halvings, one to 32 starts, ε > 0".into());
        }
        self.runs(self.halvings).last().map_or(Ok(()), Instance::validate)
    }
}

impl TrainingSweep {
    fn runs(&self, halvings: usize) -> Vec<TrainingRun> {
        let at = |k: usize| {
            let mut run = self.start.clone();
            match (self.varied, &mut run.data) {
                (Varied::Width, _) => run.width <<= k,
                (Varied::Separation, Data::Apart { separation }) => *separation /= (1u64 << k) as f64,
                (Varied::Separation, Data::Random { .. }) => {}
            }
            run
        };
        (0..=halvings).map(at).collect()
    }

    /// (size, steps) along the sweep, the size growing: m, or 1/δ.
    pub fn measure(&self, goal: Goal, trial: &Trial) -> Result<SweepRecord, MeasureError> {
        let more = trial.samples(1).min(3) - 1;
        let widest = |r: &TrainingRun| r.width <= 1024;
        // The long sweeps of δ are followed from fewer starts at the quick budget; those of m are cheap, and need all.
        let starts = match self.varied {
            Varied::Separation => trial.samples(self.starts).min(self.starts),
            Varied::Width => self.starts,
        };
        let mut points = Vec::new();
        for run in self.runs(self.halvings + more).iter().filter(|r| widest(r)) {
            let mut steps = Vec::new();
            for start in 0..starts {
                let seed = run.seed + start as u64;
                let run = TrainingRun { seed, ..run.clone() };
                let found = record(&run, goal, &[self.accuracy])?;
                let Some(passage) = found.passages.first() else {
                    return Err(format!("{} did not reach ε in {} steps", run.describe(), run.steps).into());
                };
                if passage.norms.is_bounded_away() != Some(true) {
                    return Err(format!("{}: an output vanished", run.describe()).into());
                }
                steps.push(passage.step + 1);
            }
            // A median: a few starts near the saddle at 0 take much longer than most.
            steps.sort_unstable();
            let size = match self.varied {
                Varied::Width => run.width as f64,
                Varied::Separation => 1.0 / run.smallest_distance()?,
            };
            points.push((size, steps[starts / 2] as f64));
        }
        let fit = fit_power_law(&points, 0.01)?;
        let steps: Vec<String> = points.iter().map(|(_, t)| format!("{}", t.round())).collect();
        Ok(SweepRecord {
            exponent: fit.slope.into(),
            interval: Enclosure::between(fit.exponent.lo(), fit.exponent.hi()),
            shown: format!(
                "exponent {:.2} in [{:.2}, {:.2}], steps {}",
                fit.slope.midpoint(),
                fit.exponent.lo(),
                fit.exponent.hi(),
                steps.join(", ")
            ),
        })
    }
}

/// How the number of steps grows along a sweep.
pub struct SweepRecord {
    /// The least-squares exponent in the growing size.
    pub exponent: Enclosure,
    /// Its 99 % interval.
    pub interval: Enclosure,
    /// Both, and the numbers of steps.
    pub shown: String,
}

impl SweepRecord {
    /// T grows with at most this exponent.
    pub fn growth(&self, limit: f64) -> Evaluation {
        at_most(self.exponent, limit).as_trend().noting(self.shown.clone())
    }
}

/// Sweeps of the separation and of the width.
pub fn sweeps() -> Vec<Family<TrainingSweep>> {
    vec![edge("registered", registered)]
}

fn registered() -> Vec<(&'static str, TrainingSweep)> {
    let of = |varied, halvings, starts, start, accuracy| TrainingSweep {
        varied,
        halvings,
        starts,
        start,
        accuracy,
    };
    let hidden = |run| TrainingRun {
        trained: Trained::Hidden,
        ..run
    };
    let wide = |n, sizes| TrainingRun::new(n, Data::Apart { separation: 1.4 }, sizes, 7);
    let close = |n, sizes| TrainingRun {
        pace: 4.0,
        ..TrainingRun::new(n, Data::Apart { separation: 0.5 }, sizes, 7)
    };
    let (delta, m) = (Varied::Separation, Varied::Width);
    vec![
        ("δ from 1/2, L = 1", of(delta, 3, 5, close(1, (256, 1, 2)), 0.3)),
        ("δ from 1/2, L = 2, d = 4", of(delta, 3, 3, close(1, (192, 2, 4)), 0.3)),
        ("δ from 1/2, two triplets", of(delta, 3, 3, close(2, (192, 1, 4)), 0.6)),
        (
            "δ from 1/2, only W",
            of(delta, 3, 3, hidden(close(1, (192, 1, 2))), 0.4),
        ),
        ("m from 32, n = 1, L = 1", of(m, 3, 15, wide(1, (32, 1, 2)), 0.01)),
        ("m from 32, n = 2, L = 2", of(m, 3, 5, wide(2, (32, 2, 4)), 0.1)),
        ("m from 32, only W", of(m, 3, 9, hidden(wide(1, (32, 1, 2))), 0.1)),
    ]
}
