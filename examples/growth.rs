//! A statement about growth without a constant, judged by the one rule there is for it: `cargo run --example growth`.
//!
//! How far is the mean of n fair coins from ½? "Of order 1/n", one sometimes reads; it is 1/√n. A [`Trend`] fits the exponent along a sweep
//! of sizes with its interval: outside the claimed exponent and its slack is refuted, inside is consistent, anything else is inconclusive.

use contrapositive::prelude::*;
use serde::{Deserialize, Serialize};

/// A sweep of eight sizes n, each twice the one before.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
struct Doublings {
    #[instance(range = "1..=64")]
    first: u32,
}

impl Doublings {
    fn in_words(&self) -> String {
        format!("n from {} to {}", self.first, self.first << 7)
    }
}

/// Pairs of n and the mean distance from ½ over repeated draws of n coins.
fn distances(sweep: &Doublings, trial: &mut Trial) -> Result<Vec<(f64, f64)>, MeasureError> {
    let repeats = trial.samples(1600);
    let sizes = (0..8).map(|k| sweep.first << k);
    let distance = |n: u32| {
        let mut total = 0.0;
        for _ in 0..repeats {
            let heads = (0..n).filter(|_| uniform(trial.rng()) <= 0.5).count();
            total += (heads as f64 / f64::from(n) - 0.5).abs();
        }
        (f64::from(n), total / repeats as f64)
    };
    Ok(sizes.map(distance).collect())
}

fn main() {
    let named = |first: u32| (format!("n from {first}"), Doublings { first });
    let claim = Claim::new("mine.coins", "How fast the mean of coins settles", Kind::Asymptotic)
        .statement("E|X̄_n − ½| = O(1/n)")
        .symbol("X̄_n", "the mean of n independent fair coins, each 0 or 1")
        .setting(
            Setting::measuring(distances)
                .given("eight sizes n, each twice the one before")
                .family(edge("sweeps", move || [4, 8, 16].map(named).into()))
                .without_search()
                .part("printed", "E|X̄_n − ½| = O(1/n)", fails("it decays like 1/√n"), |_, points| {
                    Trend::through(points).named("n").grows_at_most(-1.0)
                })
                .amendment("root", "E|X̄_n − ½| = Θ(1/√n)", consistent(), |_, points| {
                    Trend::through(points).named("n").grows_like(-0.5)
                })
                .control("a", "E|X̄_n − ½| = Ω(1)", |_, points| {
                    Trend::through(points).named("n").stays_above_zero()
                }),
        );
    println!("{}", claim.tried());
}
