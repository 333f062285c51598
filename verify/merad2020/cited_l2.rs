//! Section 4, cited from Allen-Zhu et al.: gradient descent on least squares converges linearly, T = O(log(1/ε)).
//!
//! Consistent: with W alone trained, the loss of every run falls by a constant factor per step down to 1e−8; T(ε)/log(1/ε)
//! at the end is at most twice what it is half-way (measured: about equal). δ > 0 is needed: one input with two targets
//! keeps the loss at ¼‖y − y'‖², because ½‖f − y‖² + ½‖f − y'‖² ≥ ¼‖y − y'‖².

use contrapositive::claim::{
    Claim, Evaluation, Kind, Setting, at_least, at_most, consistent, edge, holds, random, vacuous,
};
use contrapositive::enclosure::Enclosure;
use proptest::prelude::Strategy;
use proptest::sample::select;

use super::regression_run::{RegressionRecord, RegressionRun};

/// ε = 1, 1/10, …, 1e−8.
fn accuracies() -> Vec<f64> {
    vec![1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]
}

/// T(ε)/log(1/ε).
fn ratio(epochs: usize, accuracy: f64) -> Enclosure {
    Enclosure::from(epochs) / (1.0 / Enclosure::from(accuracy)).ln()
}

/// How much T(ε)/log(1/ε) grows from ε = 1e−4 to 1e−8, against a factor. A run that stops before 1e−8 is a violation if it
/// went on for longer than the factor allows, and says nothing if it did not.
fn ratio_grows(r: &RegressionRecord, factor: f64) -> Evaluation {
    let epochs = |accuracy: f64| r.passages.iter().find(|(e, _)| *e == accuracy).map(|(_, t)| *t);
    let Some(middle) = epochs(1e-4) else {
        return vacuous("1e−4 is not reached in these many steps");
    };
    let allowed = factor * ratio(middle, 1e-4);
    let steps: Vec<String> = r.passages.iter().map(|(_, t)| t.to_string()).collect();
    let compared = match epochs(1e-8) {
        Some(end) => at_most(ratio(end, 1e-8), allowed),
        None if ratio(r.steps, 1e-8).lo() > allowed.hi() => at_most(ratio(r.steps, 1e-8), allowed),
        None => return vacuous("too slow for these many steps"),
    };
    compared
        .as_trend()
        .noting(format!("T = {} for ε = 1, 1e−1, …", steps.join(", ")))
}

fn run(inputs: usize, dimension: usize, (width, depth, output): (usize, usize, usize), twins: bool) -> RegressionRun {
    RegressionRun {
        inputs,
        dimension,
        width,
        depth,
        output,
        twins,
        seed: 3,
        steps: 20_000,
    }
}

fn named() -> Vec<(String, RegressionRun)> {
    let mut list = Vec::new();
    for (n, k, sizes) in [
        (2, 2, (64, 1, 1)),
        (4, 8, (64, 1, 2)),
        (4, 8, (64, 2, 4)),
        (6, 8, (64, 3, 2)),
        (10, 16, (96, 1, 2)),
        (20, 32, (128, 1, 1)),
    ] {
        let of = run(n, k, sizes, false);
        list.push((format!("n = {n}, L = {}, d = {}", sizes.1, sizes.2), of));
    }
    list
}

fn twins() -> Vec<(String, RegressionRun)> {
    let of = |n, sizes| RegressionRun {
        steps: 300,
        ..run(n, 8, sizes, true)
    };
    vec![
        ("two equal inputs and another".into(), of(3, (16, 1, 2))),
        ("six inputs, two of them equal".into(), of(6, (32, 2, 1))),
    ]
}

pub fn claim() -> Claim {
    Claim::new(
        "merad2020.cited-l2",
        "linear convergence for least squares",
        Kind::Convergence,
    )
    .statement(
        "for δ-separated unit inputs and m = Ω(poly(n, L, 1/δ)·d), gradient descent on ½ Σ ‖f(x_i) − y_i‖² reaches ε \
         in T = O(log(1/ε)) epochs, with a constant poly(n, L, 1/δ)",
    )
    .source(
        "section 4, paragraph on deep neural network encoders",
        &["cited from Allen-Zhu et al., Theorem 1"],
    )
    .remark(
        "W alone is trained, with ν = dδ/(√n (L+1) m), targets on the unit sphere, a random start. The cited theorem \
         also fixes the last coordinate of every input.",
    )
    .setting(
        Setting::measuring(|r: &RegressionRun, _| r.measure(&accuracies()))
            .assume("unit inputs, pairwise apart", RegressionRun::is_separated)
            .family(edge("networks", named))
            .family(
                random("drawn networks", || {
                    let sizes = (select(vec![32usize, 64]), 1usize..=2, 1usize..=4);
                    (2usize..=5, sizes, 0u64..1000).prop_map(|(n, sizes, seed)| RegressionRun {
                        seed,
                        ..run(n, 12, sizes, false)
                    })
                })
                .taking(0.06),
            )
            .without_search()
            .part(
                "printed",
                "T(ε)/log(1/ε) is bounded: at ε = 1e−8 at most twice its value at 1e−4",
                consistent(),
                |_, r| ratio_grows(r, 2.0),
            )
            .control(
                "faster",
                "T(ε)/log(1/ε) falls to a half from ε = 1e−4 to 1e−8",
                |_, r| ratio_grows(r, 0.5),
            ),
    )
    .setting(
        Setting::measuring(|r: &RegressionRun, _| r.measure(&accuracies()))
            .assume("one input twice, with different targets", |r| r.twins)
            .family(edge("twins", twins))
            .without_search()
            .step(
                "floor",
                "the loss is at least ¼‖y − y'‖² at every step",
                holds(),
                |_, r| at_least(r.least, r.floor),
            )
            .control(
                "a",
                "δ = 0: two equal inputs with different targets reach 1e−2",
                |_, r| at_most(r.least, 1e-2),
            )
            .control("floor-higher", "the loss is at least ½‖y − y'‖²", |_, r| {
                at_least(r.least, 2.0 * r.floor)
            }),
    )
}
