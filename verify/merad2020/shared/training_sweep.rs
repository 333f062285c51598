//! The same training over growing widths or shrinking distances: how the number of steps to one accuracy changes.
//! Distances are halved at a fixed width, and in the limit of infinite width, which is the one that the theorems speak
//! of: they let m grow with 1/δ as it likes.

use contrastive::network::Trained;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::training_record::{Goal, record};
use super::training_run::{Data, TrainingRun};
use super::wide_descent::updates_in_the_limit;

/// What changes along a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[instance(stored)]
#[serde(rename_all = "kebab-case")]
pub enum Varied {
    /// δ is halved, and with it the step: ν ∝ δ. The width stays, and has to be large against 1/δ: with too few units
    /// between x⁺ and x⁻ the network is linear there, and its kernel falls like δ² instead of δ.
    Separation,
    /// The same in the limit m → ∞, which the hypothesis m ≥ Ω(poly(1/δ)) allows at every δ. The width of the run is
    /// not used.
    SeparationInTheLimit,
    /// m is doubled, and the step halved: ν ∝ 1/m.
    Width,
}

/// A sweep from its first training.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, stored)]
pub struct TrainingSweep {
    pub varied: Varied,
    /// How often the size is halved or doubled; twice more at the deep budget where the width allows it.
    #[instance(range = "2..=8")]
    pub halvings: usize,
    /// So many starts, of which the median counts.
    #[instance(range = "1..=32")]
    pub starts: usize,
    pub start: TrainingRun,
    /// ε.
    #[instance(range = "(0, ∞)")]
    pub accuracy: f64,
}

impl TrainingSweep {
    fn in_words(&self) -> String {
        let (times, start) = (self.halvings, &self.start);
        let varied = match (self.varied, start.data) {
            (Varied::Separation, _) => "δ halved",
            (Varied::Width, _) => "m doubled",
            (Varied::SeparationInTheLimit, data) => {
                let trained = match start.trained {
                    Trained::All => "",
                    Trained::Hidden => ", only W trained",
                };
                let (n, l, d) = (start.triplets, start.depth, start.output);
                let first = match data {
                    Data::Apart { separation } => format!("δ = {separation}"),
                    Data::Random { .. } => "random inputs".into(),
                };
                return format!(
                    "m → ∞, δ halved {times} times, ε = {}, from {first}, n = {n}, L = {l}, d = {d}{trained}",
                    self.accuracy
                );
            }
        };
        format!("{varied} {times} times, ε = {}, from {}", self.accuracy, start.describe())
    }

    fn fits(&self) -> Result<(), String> {
        self.runs(self.halvings).last().map_or(Ok(()), Instance::validate)
    }
}

impl TrainingSweep {
    fn runs(&self, halvings: usize) -> Vec<TrainingRun> {
        let at = |k: usize| {
            let mut run = self.start.clone();
            match (self.varied, &mut run.data) {
                (Varied::Width, _) => run.width <<= k,
                (_, Data::Apart { separation }) => *separation /= (1u64 << k) as f64,
                (_, Data::Random { .. }) => {}
            }
            run
        };
        (0..=halvings).map(at).collect()
    }

    /// The steps along the sweep, the size growing: m, or 1/δ.
    pub fn measure(&self, goal: Goal, trial: &Trial) -> Result<SweepRecord, MeasureError> {
        let more = trial.samples(1).min(3) - 1;
        let widest = |r: &TrainingRun| r.width <= 1024;
        // The long sweeps of δ are followed from fewer starts at the quick budget; the others are cheap, and need all.
        let starts = match self.varied {
            Varied::Separation => trial.samples(self.starts).min(self.starts),
            Varied::Width | Varied::SeparationInTheLimit => self.starts,
        };
        let mut points = Vec::new();
        for run in self.runs(self.halvings + more).iter().filter(|r| widest(r)) {
            let steps = match self.varied {
                Varied::SeparationInTheLimit => updates_in_the_limit(run, goal, self.accuracy, starts)?,
                Varied::Separation | Varied::Width => self.updates(run, goal, starts)?,
            };
            let size = match self.varied {
                Varied::Width => run.width as f64,
                Varied::Separation | Varied::SeparationInTheLimit => 1.0 / run.smallest_distance()?,
            };
            points.push((size, median(steps) as f64));
        }
        let limit = match self.varied {
            Varied::Width => Some(median(updates_in_the_limit(&self.start, goal, self.accuracy, LIMIT_STARTS)?)),
            Varied::Separation | Varied::SeparationInTheLimit => None,
        };
        Ok(SweepRecord { points, limit })
    }

    /// The first step with ε of every start.
    fn updates(&self, run: &TrainingRun, goal: Goal, starts: usize) -> Result<Vec<usize>, MeasureError> {
        let one = |start: usize| {
            let seed = run.seed + start as u64;
            let run = TrainingRun { seed, ..run.clone() };
            let found = record(&run, goal, &[self.accuracy])?;
            let Some(passage) = found.passages.first() else {
                return Err(format!("{} did not reach ε in {} steps", run.describe(), run.steps).into());
            };
            if passage.norms.is_bounded_away() != Some(true) {
                return Err(format!("{}: an output vanished", run.describe()).into());
            }
            Ok(passage.step + 1)
        };
        (0..starts).map(one).collect()
    }
}

/// Starts in the limit of infinite width.
const LIMIT_STARTS: usize = 41;

/// A median: a few starts near the saddle at 0 take much longer than most.
fn median(mut steps: Vec<usize>) -> usize {
    steps.sort_unstable();
    steps.get(steps.len() / 2).copied().unwrap_or(0)
}

/// How the number of steps grows along a sweep.
pub struct SweepRecord {
    /// (m or 1/δ, steps).
    points: Vec<(f64, f64)>,
    /// The steps for m → ∞, of a sweep over the width.
    limit: Option<usize>,
}

impl SweepRecord {
    /// T along the sweep: all of it, or the last five sizes, which are the small δ.
    fn trend(points: &[(f64, f64)]) -> Trend {
        Trend::through(points).named("1/δ")
    }

    fn end(&self) -> &[(f64, f64)] {
        &self.points[self.points.len().saturating_sub(5)..]
    }

    /// T grows with at most this exponent over all sizes.
    pub fn growth(&self, limit: f64) -> Evaluation {
        Self::trend(&self.points).grows_at_most(limit)
    }

    /// The same over the last five sizes.
    pub fn growth_at_the_end(&self, limit: f64) -> Evaluation {
        Self::trend(self.end()).grows_at_most(limit)
    }

    /// T/log(1/δ) grows with at most this exponent over the last five sizes.
    pub fn growth_up_to_a_logarithm(&self, limit: f64) -> Evaluation {
        let divided = |&(size, steps): &(f64, f64)| (size, steps / exact(size).ln().midpoint());
        let points: Vec<(f64, f64)> = self.end().iter().map(divided).collect();
        Self::trend(&points).grows_at_most(limit)
    }

    /// At every size T is at most so many times what it is for m → ∞.
    pub fn bounded_by_the_limit(&self, times: f64) -> Evaluation {
        let Some(limit) = self.limit else {
            return Evaluation::Failed("the width does not vary".into());
        };
        let each = self.points.iter().map(|&(m, steps)| {
            let compared = at_most(Enclosure::measured(steps), Enclosure::measured(times * limit as f64));
            (format!("m = {m}"), compared.noting(format!("{limit} for m → ∞")))
        });
        all_of(each)
    }
}

/// Sweeps of the separation and of the width.
pub fn sweeps() -> Vec<Family<TrainingSweep>> {
    vec![edge("registered", registered).restricted(
        "inputs orthonormal but for x_i⁻ at distance δ from x_i⁺; δ varies: κ = 4; m → ∞ 9 starts each, (n, L, d, ε) = \
         (1, 1, 2, 0.3), (1, 2, 4, 0.3), (2, 1, 4, 0.6), and W alone (1, 1, 2, 0.4); m fixed: the same with m = 256, \
         192, 192, 192 and 5, 3, 3, 3 starts; m varies: κ = 1, δ = 1.4, (n, L, d, ε) = (1, 1, 2, 0.01), (2, 2, 4, \
         0.1), and W alone (1, 1, 2, 0.1), with 15, 5, 9 starts",
    )]
}

fn registered() -> Vec<(&'static str, TrainingSweep)> {
    let of = |varied, halvings, starts, start, accuracy| TrainingSweep { varied, halvings, starts, start, accuracy };
    let hidden = |run| TrainingRun { trained: Trained::Hidden, ..run };
    let wide = |n, sizes| TrainingRun::new(n, Data::Apart { separation: 1.4 }, sizes, 7);
    let close = |n, sizes| TrainingRun { pace: 4.0, ..TrainingRun::new(n, Data::Apart { separation: 0.5 }, sizes, 7) };
    let (delta, limit, m) = (Varied::Separation, Varied::SeparationInTheLimit, Varied::Width);
    vec![
        ("δ from 1/2, L = 1", of(delta, 3, 5, close(1, (256, 1, 2)), 0.3)),
        ("δ from 1/2, L = 2, d = 4", of(delta, 3, 3, close(1, (192, 2, 4)), 0.3)),
        ("δ from 1/2, two triplets", of(delta, 3, 3, close(2, (192, 1, 4)), 0.6)),
        ("δ from 1/2, only W", of(delta, 3, 3, hidden(close(1, (192, 1, 2))), 0.4)),
        ("m → ∞, δ from 1/2, L = 1", of(limit, 6, 9, close(1, (1, 1, 2)), 0.3)),
        ("m → ∞, δ from 1/2, L = 2, d = 4", of(limit, 6, 9, close(1, (1, 2, 4)), 0.3)),
        ("m → ∞, δ from 1/2, two triplets", of(limit, 6, 9, close(2, (1, 1, 4)), 0.6)),
        ("m → ∞, δ from 1/2, only W", of(limit, 6, 9, hidden(close(1, (1, 1, 2))), 0.4)),
        ("m from 32, n = 1, L = 1", of(m, 3, 15, wide(1, (32, 1, 2)), 0.01)),
        ("m from 32, n = 2, L = 2", of(m, 3, 5, wide(2, (32, 2, 4)), 0.1)),
        ("m from 32, only W", of(m, 3, 9, hidden(wide(1, (32, 1, 2))), 0.1)),
    ]
}

#[cfg(test)]
mod tests {
    use evidence::judge::Judgement;
    use evidence::testing::judged;

    use super::*;

    /// Sizes 2, 4, …, 128, and what a law makes of them.
    fn swept(law: impl Fn(f64) -> f64) -> SweepRecord {
        let points = (1..=7).map(|k| f64::from(1u32 << k)).map(|size| (size, law(size)));
        SweepRecord { points: points.collect(), limit: Some(50) }
    }

    #[test]
    fn planted_powers_and_logarithms_are_told_apart() {
        let square = swept(|x| 5.0 * x * x);
        assert_eq!(judged(square.growth(2.0)), Judgement::Holds);
        assert_eq!(judged(square.growth(1.5)), Judgement::Violated);
        // δ^{−3/2} log(1/δ).
        let logarithm = swept(|x| x * x.sqrt() * exact(x).ln().midpoint());
        assert_eq!(judged(logarithm.growth_up_to_a_logarithm(1.4)), Judgement::Holds);
        assert_eq!(judged(logarithm.growth_up_to_a_logarithm(1.0)), Judgement::Violated);
        assert_eq!(judged(logarithm.growth_at_the_end(1.4)), Judgement::Violated);
        // Two wild sizes at the beginning are not among the last five.
        let wild = swept(|x| if x < 8.0 { 1e9 } else { x });
        assert_eq!(judged(wild.growth_at_the_end(1.0)), Judgement::Holds);
        assert_eq!(judged(wild.growth_at_the_end(0.5)), Judgement::Violated);
        let bounded = swept(|_| 99.0);
        assert_eq!(judged(bounded.bounded_by_the_limit(2.0)), Judgement::Holds);
        assert_eq!(judged(bounded.bounded_by_the_limit(1.9)), Judgement::Violated);
    }

    #[test]
    fn a_median_has_as_many_below_as_above() {
        let steps = vec![40, 7, 1000, 12, 9, 8, 11];
        let found = median(steps.clone());
        let count = |of: &dyn Fn(usize) -> bool| steps.iter().filter(|&&x| of(x)).count();
        assert_eq!((count(&|x| x < found), count(&|x| x > found)), (3, 3));
    }

    /// Halving δ halves the smallest distance; doubling m leaves the data alone. ν follows both.
    #[test]
    fn a_sweep_changes_what_its_name_says_and_the_step_with_it() {
        for (varied, width, distance) in
            [(Varied::Separation, 1.0, 0.5), (Varied::SeparationInTheLimit, 1.0, 0.5), (Varied::Width, 2.0, 1.0)]
        {
            let sweep = TrainingSweep {
                varied,
                halvings: 3,
                starts: 1,
                start: TrainingRun::new(2, Data::Apart { separation: 1.0 }, (32, 1, 2), 7),
                accuracy: 0.1,
            };
            let runs = sweep.runs(3);
            assert_eq!(runs.len(), 4);
            for pair in runs.windows(2) {
                assert_eq!(pair[1].width as f64 / pair[0].width as f64, width);
                let ratio = pair[1].smallest_distance().unwrap() / pair[0].smallest_distance().unwrap();
                assert!((ratio - distance).abs() < 1e-12, "{varied:?}: {ratio}");
                let rate = pair[1].rate().unwrap() / pair[0].rate().unwrap();
                assert!((rate - 0.5).abs() < 1e-12, "{varied:?}: {rate}");
            }
        }
    }
}
