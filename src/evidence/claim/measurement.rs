//! What was measured is kept as long as a claim is tried: violations are confirmed, hypotheses left out and searches begun at the same
//! instances, check by check, and a sweep of trained networks takes as long each time.
//!
//! Nothing depends on whether a measurement is recalled or made: it is recalled only for the same digits of the instance, in a trial that
//! would draw the same numbers, and it leaves behind the count of work and the state of the stream that making it would.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::question::Measured;
use super::subject::Subject;
use super::trial::{MeasureError, Trial};
use crate::budget::Budget;
use enclosures::{formula, work};

/// Measurements of less work than this are sooner made than recalled.
const COSTLY: u64 = 20_000;

/// So many measurements of a setting are kept, the first ones: the families' own instances, to which everything comes back.
const MOST: usize = 512;

/// The quantities of an instance, and what measuring them took.
pub(crate) struct Measurement {
    pub(crate) quantities: Measured,
    /// Counted work.
    pub(crate) work: u64,
    /// Whether random numbers were drawn.
    pub(crate) drew: bool,
}

/// What a measurement may depend on beside the instance.
#[derive(PartialEq)]
struct Circumstances {
    budget: Budget,
    multiple: usize,
    fixtures: PathBuf,
    /// The state of the stream before, unless nothing was drawn.
    stream: Option<StreamState>,
}

#[derive(PartialEq)]
struct StreamState {
    seed: [u8; 32],
    position: u128,
}

struct Kept {
    circumstances: Circumstances,
    quantities: Measured,
    work: u64,
    /// Where the stream stood afterwards, if anything was drawn.
    position: Option<u128>,
}

/// The measurements of one setting.
#[derive(Default)]
pub(crate) struct Measurements {
    /// Whether one of them was so much work that keeping them pays.
    costly: AtomicBool,
    kept: Mutex<HashMap<String, Vec<Kept>>>,
}

impl Measurements {
    /// The quantities of an instance, recalled or made by `measure`. `few` says that there are few instances, so that all are kept
    /// whatever they cost.
    pub(crate) fn recalled_or(
        &self,
        few: bool,
        instance: &Subject,
        trial: &mut Trial,
        measure: impl FnOnce(&mut Trial) -> Result<Measured, MeasureError>,
    ) -> Result<Measurement, MeasureError> {
        let before = state(trial);
        // A recording wants every operation made again.
        let worth_keeping = (few || self.costly.load(Ordering::Relaxed)) && !formula::is_recording();
        let key = worth_keeping.then(|| instance.text().ok()).flatten();
        if let Some(found) = key.as_ref().and_then(|key| self.recall(key, trial, &before)) {
            work::spend(found.work);
            return Ok(found);
        }
        let (quantities, work) = work::counted(|| measure(trial));
        work::spend(work);
        let after = state(trial);
        let drew = after != before;
        let quantities = quantities?;
        if work >= COSTLY {
            self.costly.store(true, Ordering::Relaxed);
        }
        if let Some(key) = key {
            let position = drew.then_some(after.position);
            let circumstances = Circumstances { stream: drew.then_some(before), ..circumstances(trial) };
            let quantities = quantities.clone();
            let kept = Kept { circumstances, quantities, work, position };
            self.keep(key, kept);
        }
        Ok(Measurement { quantities, work, drew })
    }

    fn recall(&self, key: &str, trial: &mut Trial, before: &StreamState) -> Option<Measurement> {
        let all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = circumstances(trial);
        let is_same = |kept: &&Kept| {
            let then = &kept.circumstances;
            then.stream.as_ref().is_none_or(|stream| stream == before)
                && (then.budget, then.multiple, &then.fixtures) == (now.budget, now.multiple, &now.fixtures)
        };
        let kept = all.get(key)?.iter().find(is_same)?;
        if let Some(position) = kept.position {
            trial.rng().set_word_pos(position);
        }
        Some(Measurement { quantities: kept.quantities.clone(), work: kept.work, drew: kept.position.is_some() })
    }

    fn keep(&self, key: String, measurement: Kept) {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MOST || all.contains_key(&key) {
            all.entry(key).or_default().push(measurement);
        }
    }

    /// Forgets all measurements.
    pub(crate) fn forget(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = HashMap::new();
    }
}

/// All but the stream.
fn circumstances(trial: &Trial) -> Circumstances {
    let (budget, multiple) = trial.size();
    Circumstances { budget, multiple, fixtures: trial.fixtures().root().to_owned(), stream: None }
}

fn state(trial: &mut Trial) -> StreamState {
    StreamState { seed: trial.rng().get_seed(), position: trial.rng().get_word_pos() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::claim::Fixtures;
    use crate::toy::Point;
    use enclosures::stream::stream;
    use rand::Rng;

    fn trial(seed: u64, budget: Budget) -> Trial {
        Trial::new(stream(seed, &["measurements"]), budget, Fixtures::at("none"))
    }

    /// What is measured in two trials one after the other, and how often it was made.
    fn made(x: [f64; 2], seeds: [u64; 2], budgets: [Budget; 2], draws: usize) -> usize {
        let (kept, times) = (Measurements::default(), AtomicUsize::new(0));
        let mut found = Vec::new();
        for i in 0..2 {
            let instance = Subject::of(Point { x: x[i] });
            let measure = |trial: &mut Trial| -> Result<Measured, MeasureError> {
                times.fetch_add(1, Ordering::Relaxed);
                work::spend(7);
                let sum = (0..draws).fold(trial.samples(10) as u64, |s, _| s.wrapping_add(trial.rng().next_u64()));
                Ok(Arc::new((x[i], sum)))
            };
            let (recalled, mut apart) = (&mut trial(seeds[i], budgets[i]), trial(seeds[i], budgets[i]));
            let ((quantities, drew), work) = work::counted(|| {
                let found = kept.recalled_or(true, &instance, recalled, measure).unwrap();
                (found.quantities, found.drew)
            });
            let quantities = *quantities.downcast_ref::<(f64, u64)>().unwrap();
            let times_before = times.load(Ordering::Relaxed);
            let expected = *measure(&mut apart).unwrap().downcast_ref::<(f64, u64)>().unwrap();
            times.store(times_before, Ordering::Relaxed);
            assert_eq!((quantities, drew, work), (expected, draws > 0, 7));
            assert_eq!(recalled.rng().next_u64(), apart.rng().next_u64(), "the stream goes on alike");
            found.push(quantities);
        }
        times.into_inner()
    }

    #[test]
    fn a_measurement_is_recalled_where_it_would_be_the_same() {
        let (standard, quick) = ([Budget::Standard; 2], [Budget::Standard, Budget::Quick]);
        assert_eq!(made([1.0, 1.0], [3, 3], standard, 5), 1);
        assert_eq!(made([1.0, 1.0], [3, 4], standard, 5), 2, "other draws");
        assert_eq!(made([1.0, 1.0], [3, 4], standard, 0), 1, "nothing is drawn");
        assert_eq!(made([1.0, 1.5], [3, 3], standard, 0), 2, "another instance");
        assert_eq!(made([1.0, 1.0], [3, 3], quick, 0), 2, "another budget");
    }

    #[test]
    fn what_is_recorded_or_costs_little_is_measured_again() {
        let instance = Subject::of(Point { x: 1.0 });
        let again = |kept: &Measurements, few: bool, cost: u64| {
            let times = AtomicUsize::new(0);
            for _ in 0..3 {
                let measure = |_: &mut Trial| -> Result<Measured, MeasureError> {
                    times.fetch_add(1, Ordering::Relaxed);
                    work::spend(cost);
                    Ok(Arc::new(()))
                };
                let trial = &mut trial(1, Budget::Quick);
                kept.recalled_or(few, &instance, trial, measure).unwrap();
            }
            times.into_inner()
        };
        assert_eq!(again(&Measurements::default(), false, COSTLY - 1), 3);
        assert_eq!(again(&Measurements::default(), false, COSTLY), 2, "from the first costly one on");
        let kept = Measurements::default();
        assert_eq!(again(&kept, true, 0), 1);
        assert_eq!(formula::recorded(9, || again(&kept, true, 0)).0, 3);
        kept.forget();
        assert_eq!(again(&kept, true, 0), 1);
    }
}
