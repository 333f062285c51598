//! Every statement and its twin under every seed.

use std::time::{Duration, Instant};

use evidence::budget::Budget;
use evidence::claim::{Claim, Fixtures};
use evidence::run::{CheckResult, Plan, Silent, WitnessStore, run};
use evidence::verdict::Verdict;

use serde::{Deserialize, Serialize};

use crate::statement::{Class, Statement, Twin};

/// One statement, and what came of it.
pub struct Row {
    pub name: &'static str,
    pub words: &'static str,
    pub class: Class,
    pub dimension: usize,
    pub found: Found,
}

/// What came of one statement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// For every seed: the number of evaluations after which the statement fell, if it did.
    pub fell: Vec<Option<usize>>,
    /// For every seed: the time until the verdict.
    pub times: Vec<Duration>,
    /// How many seeds refuted the true twin.
    pub alarms: usize,
    /// Evaluations of the true twin, which uses up the whole budget.
    pub most: usize,
    /// The longest time that the true twin took.
    pub longest: Duration,
}

impl Row {
    pub fn of(statement: &Statement, found: Found) -> Self {
        Row {
            name: statement.name,
            words: statement.words,
            class: statement.class,
            dimension: statement.ranges.len(),
            found,
        }
    }
}

impl Found {
    pub fn refuted(&self) -> usize {
        self.fell.iter().flatten().count()
    }

    pub fn median_time(&self) -> Duration {
        median(self.times.clone()).unwrap_or_default()
    }

    pub fn median_evaluations(&self) -> Option<usize> {
        median(self.fell.iter().flatten().copied().collect())
    }
}

/// The middle one; of an even number, the upper of the two.
pub fn median<T: Ord + Copy>(mut values: Vec<T>) -> Option<T> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

fn judged(claim: &Claim, seed: u64, budget: Budget) -> (CheckResult, Duration) {
    let (fixtures, witnesses) = (Fixtures::at("fixtures"), WitnessStore::default());
    let start = Instant::now();
    let mut result = run(&[claim], Plan { seed, budget }, &fixtures, &witnesses, &Silent);
    let time = start.elapsed();
    (result.claims.swap_remove(0).checks.swap_remove(0), time)
}

/// What comes of one statement, on one thread so that times can be compared.
pub fn measure(statement: &Statement, budget: Budget, seeds: u64) -> Found {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    match pool {
        Ok(pool) => pool.install(|| found(statement, budget, seeds)),
        Err(_) => found(statement, budget, seeds),
    }
}

fn found(statement: &Statement, budget: Budget, seeds: u64) -> Found {
    let mut row = Found::default();
    for seed in 0..seeds {
        let (check, time) = judged(&statement.claim(Twin::False), seed, budget);
        let fell = check.verdict == Verdict::Fails;
        row.fell.push(fell.then(|| check.counts.tried()));
        row.times.push(time);
        let (twin, time) = judged(&statement.claim(Twin::True), seed, budget);
        row.alarms += usize::from(twin.verdict == Verdict::Fails);
        row.most = row.most.max(twin.counts.tried());
        row.longest = row.longest.max(time);
    }
    eprintln!("{:32} {}/{} alarms {}", statement.name, row.refuted(), seeds, row.alarms);
    row
}
