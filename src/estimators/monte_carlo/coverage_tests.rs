//! The confidence sequences tried on laws with a known mean.

use super::*;
use enclosures::enclosure::Enclosure;
use enclosures::probability::{clopper_pearson, uniform};
use enclosures::stream::{Stream, stream};
use rayon::prelude::*;

/// Laws on `[0, 1]` with their means: two-point, skewed, uniform, rare.
fn draw(law: usize, rng: &mut Stream) -> f64 {
    let u = uniform(rng);
    match law {
        0 => f64::from(u <= 0.5),
        1 => u * u * u,
        2 => u,
        _ => f64::from(u <= 0.03),
    }
}
const MEANS: [f64; 4] = [0.5, 0.25, 0.5, 0.03];
const RUNS: usize = 400;

/// How many runs ever miss, over all times at which one may look.
fn misses(law: usize, alpha: f64, run: impl Fn(&mut Stream, f64) -> Vec<Enclosure> + Sync) -> usize {
    let missed = |i: &usize| {
        let mut rng = stream(11, &["coverage", &law.to_string(), &alpha.to_string(), &i.to_string()]);
        run(&mut rng, alpha).iter().any(|e| !e.interval().contains(MEANS[law]))
    };
    (0..RUNS).into_par_iter().filter(missed).count()
}

fn bernstein(law: usize, chunk: usize, chunks: usize) -> impl Fn(&mut Stream, f64) -> Vec<Enclosure> + Sync {
    move |rng, alpha| {
        let mut sequence = EmpiricalBernstein::new(ObservationRange::new(0.0, 1.0).unwrap(), alpha).unwrap();
        let look = |_| {
            let draws: Vec<f64> = (0..chunk).map(|_| draw(law, rng)).collect();
            sequence.push(&Moments::of(&draws).unwrap());
            sequence.enclosure()
        };
        (0..chunks).map(look).collect()
    }
}

fn betting(law: usize, times: usize) -> impl Fn(&mut Stream, f64) -> Vec<Enclosure> + Sync {
    move |rng, alpha| {
        let mut sequence = Betting::new(ObservationRange::new(0.0, 1.0).unwrap(), alpha).unwrap();
        for _ in 0..times {
            sequence.push(draw(law, rng)).unwrap();
        }
        // A mean that was excluded once stays excluded, so that the last look sees all.
        vec![sequence.enclosure()]
    }
}

/// The misses are compatible with `alpha`: the lower confidence limit for their probability does not exceed it.
fn compatible(misses: usize, alpha: f64) -> bool {
    clopper_pearson(misses as u64, RUNS as u64, 1e-6).unwrap().lo() <= alpha
}

#[test]
fn empirical_bernstein_misses_at_most_alpha() {
    let mut loose = 0;
    for law in 0..4 {
        for (chunk, chunks) in [(1, 1000), (16, 100)] {
            for alpha in [0.05, 0.5, 0.9] {
                let missed = misses(law, alpha, bernstein(law, chunk, chunks));
                assert!(compatible(missed, alpha), "law {law}, alpha {alpha}: {missed} of {RUNS}");
                println!("empirical Bernstein, law {law}, chunks of {chunk}, alpha {alpha}: {missed} of {RUNS} miss");
                loose += if alpha == 0.9 { missed } else { 0 };
            }
        }
    }
    // A sequence that never misses is too wide.
    assert!(loose > 0);
}

#[test]
fn betting_misses_at_most_alpha() {
    let mut loose = [0; 4];
    for (law, loose) in loose.iter_mut().enumerate() {
        for alpha in [0.05, 0.5, 0.9] {
            let missed = misses(law, alpha, betting(law, 1000));
            assert!(compatible(missed, alpha), "law {law}, alpha {alpha}: {missed} of {RUNS}");
            println!("betting, law {law}, alpha {alpha}: {missed} of {RUNS} miss");
            *loose += if alpha == 0.5 { missed } else { 0 };
        }
    }
    assert!(loose.iter().all(|&missed| missed > 0), "{loose:?}");
}

/// The table of widths in the module's documentation; `--nocapture` prints it.
#[test]
fn widths_against_the_fixed_time_normal_interval() {
    for (law, variance) in [(0, 0.25), (1, 1.0 / 7.0 - 1.0 / 16.0), (2, 1.0 / 12.0), (3, 0.0291)] {
        for times in [1000usize, 10_000, 100_000] {
            let normal = 2.0 * 1.959_964 * f64::sqrt(variance / times as f64);
            let width = |e: Vec<Enclosure>| e.last().map_or(f64::NAN, |e| e.width()) / normal;
            let fresh = || stream(5, &["width", &law.to_string(), &times.to_string()]);
            let eb = width(bernstein(law, times / 500, 500)(&mut fresh(), 0.05));
            let bet = width(betting(law, times)(&mut fresh(), 0.05));
            let mut tuned = EmpiricalBernstein::new(ObservationRange::new(0.0, 1.0).unwrap(), 0.05)
                .unwrap()
                .with_horizon(times as u64);
            let mut rng = fresh();
            for _ in 0..500 {
                let draws: Vec<f64> = (0..times / 500).map(|_| draw(law, &mut rng)).collect();
                tuned.push(&Moments::of(&draws).unwrap());
            }
            let horizon = width(vec![tuned.enclosure()]);
            println!("law {law}, {times}: empirical Bernstein {eb:.2}, with horizon {horizon:.2}, betting {bet:.2}");
            assert!(eb > 1.0 && eb < 5.0 && bet > 1.0 && bet < 4.0, "{law} {times} {eb} {bet}");
            assert!(horizon > 0.7 && horizon < 2.5, "{law} {times} {horizon}");
        }
    }
}

#[test]
fn requests_without_meaning_are_refused() {
    assert!(ObservationRange::new(1.0, 1.0).is_err() && ObservationRange::new(f64::NEG_INFINITY, 0.0).is_err());
    assert!(ObservationRange::new(-1e308, 1.7e308).is_err() && ObservationRange::new(f64::NAN, 0.0).is_err());
    let unit = ObservationRange::new(0.0, 1.0).unwrap();
    for alpha in [0.0, 1.0, f64::NAN, -0.5, f64::from_bits(1)] {
        assert!(EmpiricalBernstein::new(unit, alpha).is_err() && Betting::new(unit, alpha).is_err());
    }
    let mut sequence = Betting::new(unit, 0.1).unwrap();
    assert!(sequence.push(f64::NAN).is_err() && sequence.push(1.1).is_err());
    assert_eq!((sequence.enclosure().lo(), sequence.enclosure().hi()), (0.0, 1.0));
}
