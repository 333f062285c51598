//! A statement with a probability, estimated with a confidence interval: `cargo run --example probability`.
//!
//! Two random unit vectors in d dimensions are nearly orthogonal: their inner product is "of order 1/√d". As an explicit statement "at
//! most 1/√d with probability at least 0.9" that is false; with 2/√d it is not refuted in any dimension that is tried. Sampling estimates
//! the probability, and the judge sees both ends of its confidence interval: what lies inside is undecided, never a pass.

use contrapositive::prelude::*;
use contrapositive::probability::clopper_pearson;
use contrapositive::probability::standard_normal;
use serde::{Deserialize, Serialize};

/// The dimension d. An integer is a size: the search moves floating-point numbers only.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
struct Dimension {
    #[instance(range = "1..=1000")]
    d: usize,
}

/// How likely |⟨u, v⟩| ≤ 1/√d and |⟨u, v⟩| ≤ 2/√d are.
struct Near {
    one: Enclosure,
    two: Enclosure,
}

fn estimated(dimension: &Dimension, trial: &mut Trial) -> Result<Near, MeasureError> {
    let samples = trial.samples(16_000);
    let (mut one, mut two) = (0, 0);
    for _ in 0..samples {
        // Turned so that u is the first axis, ⟨u, v⟩ is the first coordinate of v = g/‖g‖ for a Gaussian vector g.
        let g: Vec<f64> = (0..dimension.d).map(|_| standard_normal(trial.rng())).collect();
        let squared = g[0] * g[0] * dimension.d as f64 / g.iter().map(|x| x * x).sum::<f64>();
        one += u64::from(squared <= 1.0);
        two += u64::from(squared <= 4.0);
    }
    let alpha = trial.alpha(2);
    Ok(Near { one: clopper_pearson(one, samples as u64, alpha)?, two: clopper_pearson(two, samples as u64, alpha)? })
}

fn main() {
    let sizes = [1, 2, 3, 5, 16, 64, 256];
    let claim = Claim::new("mine.near-orthogonal", "Random directions are nearly orthogonal", Kind::ProbabilityBound)
        .statement("|⟨u, v⟩| ≤ 1/√d with probability at least 0.9, for all d ≥ 1")
        .symbol("u, v", "independent, uniform on the unit sphere of ℝ^d")
        .setting(
            Setting::measuring(estimated)
                .given("d a whole number from 1 to 1000")
                .family(edge("sizes", move || sizes.map(|d| (format!("d = {d}"), Dimension { d })).into()))
                .without_search()
                .part("printed", "P(|⟨u, v⟩| ≤ 1/√d) ≥ 0.9", fails("about 0.68 for large d"), |_, near| {
                    at_least(near.one, exact(0.9))
                })
                .amendment("two", "P(|⟨u, v⟩| ≤ 2/√d) ≥ 0.9", holds(), |_, near| {
                    at_least(near.two, exact(0.9))
                })
                .control("a", "P(|⟨u, v⟩| ≤ 2/√d) ≥ 0.99", |_, near| at_least(near.two, exact(0.99))),
        );
    println!("{}", claim.tried());
}
