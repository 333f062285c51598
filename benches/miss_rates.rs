//! How often intervals with a stated chance of a miss do miss: confidence sequences looked at after every observation or chunk, and limits of
//! Clopper and Pearson. Above zero, or they are too wide; at most alpha, or they are wrong.
//!
//! `cargo bench --bench miss_rates` prints the table; `-- --runs 1000` makes fewer runs, `-- --write` puts it into `docs/miss-rates.md`.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use enclosures::enclosure::Enclosure;
use enclosures::probability::{clopper_pearson, uniform};
use enclosures::stream::{Stream, stream};
use estimators::monte_carlo::{Betting, EmpiricalBernstein, Moments, MonteCarloError, ObservationRange};
use rayon::prelude::*;

const SEED: u64 = 20_261_123;
const ALPHAS: [f64; 4] = [0.5, 0.2, 0.05, 0.01];
/// Trials of one interval for a probability.
const TRIALS: u64 = 200;
/// The chance that a row is blamed though it keeps its promise.
const BLAME: f64 = 1e-6;

/// A law on `[0, 1]` with its mean.
struct Law {
    name: &'static str,
    mean: f64,
    of: fn(f64) -> f64,
}

/// Two-point laws first: for them there are limits of Clopper and Pearson.
const LAWS: [Law; 5] = [
    Law { name: "coin, p = 1/2", mean: 0.5, of: |u| f64::from(u <= 0.5) },
    Law { name: "coin, p = 0.03", mean: 0.03, of: |u| f64::from(u <= 0.03) },
    Law { name: "coin, p = 0.9", mean: 0.9, of: |u| f64::from(u <= 0.9) },
    Law { name: "uniform", mean: 0.5, of: |u| u },
    Law { name: "cube of a uniform", mean: 0.25, of: |u| u * u * u },
];
const COINS: usize = 3;

/// A run: whether it ever misses the mean.
type Run = fn(&Law, f64, &mut Stream) -> Result<bool, MonteCarloError>;

fn draws(law: &Law, rng: &mut Stream, count: usize) -> Vec<f64> {
    (0..count).map(|_| (law.of)(uniform(rng))).collect()
}

fn misses(law: &Law, enclosure: &Enclosure) -> bool {
    !enclosure.interval().contains(law.mean)
}

fn bernstein(law: &Law, alpha: f64, rng: &mut Stream, chunk: usize, chunks: usize) -> Result<bool, MonteCarloError> {
    let mut sequence = EmpiricalBernstein::new(ObservationRange::new(0.0, 1.0)?, alpha)?;
    for _ in 0..chunks {
        sequence.push(&Moments::of(&draws(law, rng, chunk))?);
        if misses(law, &sequence.enclosure()) {
            return Ok(true);
        }
    }
    Ok(false)
}

const SEQUENCES: [(&str, Run); 3] = [
    ("empirical Bernstein, 1000 looks at one more observation each", |law, alpha, rng| {
        bernstein(law, alpha, rng, 1, 1000)
    }),
    ("empirical Bernstein, 100 looks at sixteen more each", |law, alpha, rng| bernstein(law, alpha, rng, 16, 100)),
    ("betting, 1000 looks at one more observation each", |law, alpha, rng| {
        let mut sequence = Betting::new(ObservationRange::new(0.0, 1.0)?, alpha)?;
        for x in draws(law, rng, 1000) {
            sequence.push(x)?;
        }
        // A mean that was excluded once stays excluded: the last look sees all.
        Ok(misses(law, &sequence.enclosure()))
    }),
];

/// One row of the table: how many of the runs on each law miss.
struct Row {
    name: String,
    alpha: f64,
    missed: Vec<Option<u64>>,
}

fn key(row: &str, law: &Law, alpha: f64, run: u64) -> Stream {
    stream(SEED, &["miss rates", row, law.name, &alpha.to_string(), &run.to_string()])
}

fn sequences(runs: u64) -> Result<Vec<Row>, MonteCarloError> {
    let mut rows = Vec::new();
    for (name, run) in SEQUENCES {
        for alpha in ALPHAS {
            let of = |law: &Law| -> Result<Option<u64>, MonteCarloError> {
                let one = |i: u64| Ok(u64::from(run(law, alpha, &mut key(name, law, alpha, i))?));
                (0..runs).into_par_iter().map(one).sum::<Result<u64, _>>().map(Some)
            };
            rows.push(Row { name: name.into(), alpha, missed: LAWS.iter().map(of).collect::<Result<_, _>>()? });
        }
    }
    Ok(rows)
}

fn limits(runs: u64) -> Result<Vec<Row>, Box<dyn std::error::Error + Send + Sync>> {
    let name = format!("Clopper and Pearson, {TRIALS} trials");
    let mut rows = Vec::new();
    for alpha in ALPHAS {
        let limits: Result<Vec<Enclosure>, _> = (0..=TRIALS).map(|x| clopper_pearson(x, TRIALS, alpha)).collect();
        let limits = limits?;
        let of = |law: &Law| {
            let one = |i: &u64| {
                let seen = draws(law, &mut key(&name, law, alpha, *i), TRIALS as usize);
                misses(law, &limits[seen.iter().filter(|x| **x > 0.5).count()])
            };
            Some((0..runs).into_par_iter().filter(one).count() as u64)
        };
        let coins = LAWS[..COINS].iter().map(of);
        rows.push(Row { name: name.clone(), alpha, missed: coins.chain(LAWS[COINS..].iter().map(|_| None)).collect() });
    }
    Ok(rows)
}

/// What speaks against a row: it never misses, or more often than it may.
fn fault(row: &Row, runs: u64) -> Option<String> {
    let told = |what: String| Some(format!("{}, alpha {}: {what}", row.name, row.alpha));
    if row.missed.iter().flatten().sum::<u64>() == 0 {
        return told("never misses".into());
    }
    row.missed.iter().zip(&LAWS).find_map(|(missed, law)| {
        let least = clopper_pearson((*missed)?, runs, BLAME).ok()?.lo();
        (least > row.alpha).then(|| told(format!("misses on {} with probability {least} at least", law.name)))?
    })
}

fn table(rows: &[Row], runs: u64) -> String {
    let mut text = format!(
        "\
# How often intervals miss

Intervals with a stated chance of a miss, alpha, tried {runs} times each on laws whose mean is known. A confidence \
sequence counts as missing if it misses
at any of its looks; its promise is for all of them together. The share of runs that miss must be above zero, or the \
interval would be too wide, and at
most alpha, or it would be wrong: the lower confidence limit of every share, at a level of 1 − 10⁻⁶, lies at or below \
alpha, or the program that
writes this page ends with an error. Written by `cargo bench --bench miss_rates -- --write`; a short form is among the \
tests of `estimators`.

| interval | alpha"
    );
    for law in &LAWS {
        let _ = write!(text, " | {}", law.name);
    }
    text += " |\n|---|---|---|---|---|---|---|\n";
    for row in rows {
        let _ = write!(text, "| {} | {}", row.name, row.alpha);
        for missed in &row.missed {
            let share = missed.map_or("".to_owned(), |missed| format!("{:.4}", missed as f64 / runs as f64));
            let _ = write!(text, " | {share}");
        }
        text += " |\n";
    }
    text
}

fn measured(runs: u64) -> Result<Vec<Row>, Box<dyn std::error::Error + Send + Sync>> {
    let mut rows = sequences(runs)?;
    rows.extend(limits(runs)?);
    Ok(rows)
}

fn main() -> ExitCode {
    let (mut runs, mut write) = (10_000, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--runs" => match words.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0) {
                Some(number) => runs = number,
                None => {
                    eprintln!("--runs wants a number of runs");
                    return ExitCode::from(2);
                }
            },
            "--write" => write = true,
            // What `cargo bench` says to every benchmark.
            "--bench" => {}
            other => {
                eprintln!("{other} is not an option");
                return ExitCode::from(2);
            }
        }
    }
    let rows = match measured(runs) {
        Ok(rows) => rows,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let text = table(&rows, runs);
    print!("{text}");
    let faults: Vec<String> = rows.iter().filter_map(|row| fault(row, runs)).collect();
    if !faults.is_empty() {
        eprintln!("{}", faults.join("\n"));
        return ExitCode::FAILURE;
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/miss-rates.md");
    if write && let Err(error) = evidence::writing::write(&page, text.as_bytes()) {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
