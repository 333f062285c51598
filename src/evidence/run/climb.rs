//! A climb: from many starts towards larger values of an objective, by local moves and by the Nelder-Mead simplex.
//!
//! An instance is moved through its JSON form (see [`Instance`]): every floating-point number is a coordinate. The climb may be
//! as wild as it likes; only the judge decides. It uses no function of the platform, so the same seed climbs the same way
//! everywhere.

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Executor};
use argmin::solver::neldermead::NelderMead;
use rand::RngExt;
use serde_json::Value;

use super::coordinates::{coordinates, vectors, with_coordinates};
use crate::claim::{AnySetting, Subject, Trial};
use enclosures::stream::Stream;

/// How many starts are climbed from.
const STARTS: usize = 4;

/// A simplex has one vertex more than there are coordinates: beyond this it would spend its budget on its first round.
const LARGEST_SIMPLEX: usize = 24;

/// What a climb learns of one instance.
pub(crate) enum Height {
    /// Outside the domain, or without a value there.
    Nothing,
    /// The objective.
    At(f64),
    /// What was looked for.
    Found,
}

/// The highest starts, those of different size first: a statement may give way at a size where nothing random came close.
fn chosen(mut ranked: Vec<(f64, Value)>) -> Vec<(f64, Value)> {
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut sizes = Vec::new();
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for (height, value) in ranked {
        let size = coordinates(&value).len();
        if size == 0 {
            continue;
        }
        if sizes.contains(&size) {
            later.push((height, value));
        } else {
            sizes.push(size);
            first.push((height, value));
        }
    }
    // The closest of all sizes, then the closest whatever their size.
    first.truncate(STARTS / 2);
    first.extend(later);
    first.truncate(STARTS);
    first
}

type Look<'a> = &'a mut dyn FnMut(&Subject, &mut Trial, (usize, usize)) -> Height;

/// Climbs from the highest of `starts` with so many evaluations in all. `look` is asked for the height of each instance, with the
/// number of the start and of the evaluation; the climb ends when it says [`Height::Found`]. `trial` gives each start its own trial.
pub(crate) fn climb(
    setting: &AnySetting,
    starts: &[(f64, &Subject)],
    evaluations: usize,
    trial: &dyn Fn(usize) -> Trial,
    look: Look<'_>,
) {
    let mut ranked: Vec<&(f64, &Subject)> = starts.iter().filter(|(height, _)| !height.is_nan()).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let highest = ranked.into_iter().take(16 * STARTS);
    let values = highest.filter_map(|(height, instance)| Some((*height, instance.value().ok()?)));
    climb_values(
        values.collect(),
        evaluations,
        trial,
        &mut |value, trial, place| match (setting.read)(value) {
            Ok(instance) => look(&instance, trial, place),
            Err(_) => Height::Nothing,
        },
    );
}

type LookAtValue<'a> = &'a mut dyn FnMut(&Value, &mut Trial, (usize, usize)) -> Height;

fn climb_values(starts: Vec<(f64, Value)>, evaluations: usize, trial: &dyn Fn(usize) -> Trial, look: LookAtValue<'_>) {
    let starts = chosen(starts);
    let per_start = evaluations / starts.len().max(1);
    for (number, (height, value)) in starts.into_iter().enumerate() {
        let mut trial = trial(number);
        let dimensions = coordinates(&value).len();
        let simplex = if (2..=LARGEST_SIMPLEX).contains(&dimensions) {
            per_start / 3
        } else {
            0
        };
        let mut ascent = Ascent {
            best: (height, value),
            spent: 0,
            found: false,
        };
        // A move may be refused before it costs anything, so the number of proposals is limited as well.
        for _ in 0..per_start - simplex {
            if let Some(moved) = propose(&ascent.best.1, trial.rng()) {
                ascent.see(&moved, |place| look(&moved, &mut trial, (number, place)));
            }
            if ascent.found {
                return;
            }
        }
        if simplex > 0 {
            let limit = ascent.spent + simplex;
            descend(ascent.best.clone(), simplex as u64, &mut |value| {
                if ascent.found || ascent.spent >= limit {
                    return None;
                }
                ascent.see(value, |place| look(value, &mut trial, (number, place)))
            });
            if ascent.found {
                return;
            }
        }
    }
}

/// One start and what became of it.
struct Ascent {
    best: (f64, Value),
    spent: usize,
    found: bool,
}

impl Ascent {
    /// Looks at one value and remembers it if it is the highest.
    fn see(&mut self, value: &Value, look: impl FnOnce(usize) -> Height) -> Option<f64> {
        self.spent += 1;
        match look(self.spent) {
            Height::Nothing => None,
            Height::Found => {
                self.found = true;
                None
            }
            Height::At(height) => {
                if height > self.best.0 {
                    self.best = (height, value.clone());
                }
                Some(height)
            }
        }
    }
}

type Heights<'a> = &'a mut dyn FnMut(&Value) -> Option<f64>;

/// Nelder and Mead's simplex around the best point, in coordinates `asinh x`, so that a step is relative for large numbers and
/// absolute near zero. `height` says `None` where there is none.
fn descend(best: (f64, Value), iterations: u64, height: Heights<'_>) {
    struct Negative<'a> {
        form: Value,
        height: RefCell<Heights<'a>>,
    }
    impl CostFunction for Negative<'_> {
        type Param = Vec<f64>;
        type Output = f64;
        fn cost(&self, at: &Vec<f64>) -> Result<f64, Error> {
            let numbers: Vec<f64> = at.iter().map(|&y| core_math::sinh(y)).collect();
            let Some(value) = with_coordinates(&self.form, &numbers) else {
                return Ok(f64::MAX);
            };
            Ok((self.height.borrow_mut())(&value).map_or(f64::MAX, |h| -h))
        }
    }
    let centre: Vec<f64> = coordinates(&best.1).into_iter().map(core_math::asinh).collect();
    let mut vertices = vec![centre.clone()];
    for index in 0..centre.len() {
        let mut vertex = centre.clone();
        vertex[index] += if index % 2 == 0 { 0.2 } else { -0.2 };
        vertices.push(vertex);
    }
    let problem = Negative {
        form: best.1,
        height: RefCell::new(height),
    };
    // What was seen has been recorded; how the simplex ended says nothing more.
    let _ = Executor::new(problem, NelderMead::new(vertices))
        .configure(|state| state.max_iters(iterations))
        .run();
}

/// One random move: a number or a whole vector is scaled, shifted, copied, flipped, rounded or set to zero.
fn propose(value: &Value, rng: &mut Stream) -> Option<Value> {
    let mut numbers = coordinates(value);
    let groups = vectors(value);
    let one = rng.random_range(0..numbers.len());
    let group = match groups.len() {
        0 => one..one + 1,
        n => groups[rng.random_range(0..n)].clone(),
    };
    // Long and short steps alike: the size is log-uniform over three decades.
    let step = core_math::exp10(0.5 - 3.0 * rng.random::<f64>());
    let spread = |rng: &mut Stream| 2.0 * rng.random::<f64>() - 1.0;
    match rng.random_range(0..9u32) {
        0 | 1 => numbers[one] *= core_math::exp(step * spread(rng)),
        2 => numbers[one] += step * spread(rng),
        3 => {
            let factor = core_math::exp(2.0 * step * spread(rng));
            numbers[group].iter_mut().for_each(|x| *x *= factor);
        }
        4 => {
            for x in &mut numbers[group] {
                *x += step * spread(rng) * x.abs().max(0.1);
            }
        }
        5 => numbers[one] = -numbers[one],
        6 => {
            numbers[one] = if rng.random::<bool>() {
                0.0
            } else {
                numbers[one].round()
            }
        }
        7 => {
            let from = rng.random_range(0..numbers.len());
            numbers[one] = numbers[from];
        }
        _ => {
            let source = groups.get(rng.random_range(0..groups.len().max(1)))?.clone();
            if source.len() == group.len() {
                let copied: Vec<f64> = numbers[source].to_vec();
                numbers[group].copy_from_slice(&copied);
            }
        }
    }
    with_coordinates(value, &numbers)
}
