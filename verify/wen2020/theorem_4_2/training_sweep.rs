//! Trainings of which one size is doubled again and again.

use std::fmt;

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::training_runs::Run;
use crate::shared::trainings::{Inputs, Training, training};

/// n, L, m and d.
pub fn numbers(s: &Training) -> [f64; 4] {
    let s = &s.sizes;
    [s.points, s.layers, s.width, s.output].map(|x| x as f64)
}

/// A(T)√(Tηmδ/(n³d)).
pub fn product(s: &Training, r: &Run) -> f64 {
    let [n, _, m, d] = numbers(s);
    let time = r.length() as f64 * r.rate;
    r.average_until(r.length()) * (time * m * r.separation / (n * n * n * d)).sqrt()
}

/// What grows along a sweep; the time Tηm/d stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
#[instance(describe = Self::to_string, stored)]
pub enum Grown {
    Width,
    Points,
    Negatives,
    Closeness,
}

impl fmt::Display for Grown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grown::Width => "m doubled",
            Grown::Points => "n doubled",
            Grown::Negatives => "k doubled",
            Grown::Closeness => "the angle halved",
        })
    }
}

/// A training and what grows, doubled so many times.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{grown} {doublings} times from: {start}", valid = Self::fits, stored)]
pub struct TrainingSweep {
    pub grown: Grown,
    #[instance(range = "2..=5")]
    pub doublings: usize,
    pub start: Training,
}

impl TrainingSweep {
    fn fits(&self) -> Result<(), String> {
        self.trainings().iter().try_for_each(|(_, s)| s.validate())
    }

    pub fn trainings(&self) -> Vec<(f64, Training)> {
        let at = |i: usize| {
            let mut s = self.start.clone();
            let size = match self.grown {
                Grown::Width => &mut s.sizes.width,
                Grown::Points => &mut s.sizes.points,
                Grown::Negatives => &mut s.sizes.negatives,
                Grown::Closeness => {
                    if let Inputs::Close { angle } = &mut s.inputs {
                        *angle /= (1u64 << i) as f64;
                    }
                    return ((1u64 << i) as f64, s);
                }
            };
            *size <<= i;
            (*size as f64, s)
        };
        (0..=self.doublings).map(at).collect()
    }

    pub fn products(&self, trial: &Trial) -> Result<Vec<(f64, f64)>, MeasureError> {
        let one = |(size, s): &(f64, Training)| Ok((*size, product(s, &s.run(trial.fixtures())?)));
        self.trainings().iter().map(one).collect()
    }
}

pub fn sweeps() -> Vec<(String, TrainingSweep)> {
    let of = |grown, doublings, start| TrainingSweep { grown, doublings, start };
    let apart = |least, sizes, seed| training(Inputs::Separated { least }, sizes, 100, seed);
    described([
        of(Grown::Width, 4, apart(0.8, [4, 2, 4, 12, 1, 4, 200], 1)),
        of(Grown::Points, 3, apart(0.8, [2, 1, 16, 60, 1, 8, 200], 2)),
        of(Grown::Negatives, 3, apart(0.8, [9, 1, 16, 60, 1, 8, 150], 3)),
        of(Grown::Negatives, 3, apart(0.6, [12, 1, 16, 40, 2, 8, 120], 6)),
        of(Grown::Closeness, 4, training(Inputs::Close { angle: 1.0 }, [2, 1, 2, 100, 1, 4, 300], 100, 4)),
        of(Grown::Closeness, 4, training(Inputs::Close { angle: 1.0 }, [4, 2, 4, 100, 1, 4, 300], 100, 5)),
    ])
}
