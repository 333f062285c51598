//! Section 4, cited from Allen-Zhu et al.: gradient descent on least squares converges linearly, T = O(log(1/ε)).
//!
//! Consistent: with W alone trained, the loss of every run falls by a constant factor per step down to 1e−24, so that T(ε)
//! grows like log(1/ε). The networks are a few with starts of their own: where two of the kernel's directions shrink at close
//! rates, the local exponent stays above one for longer than doubles can follow. δ > 0 is needed: one input with two targets
//! keeps the loss at ¼‖y − y'‖², because ½‖f − y‖² + ½‖f − y'‖² ≥ ¼‖y − y'‖².

use evidence::prelude::*;
use proptest::prelude::Strategy;
use proptest::sample::select;

use super::regression_run::{RegressionRecord, RegressionRun};
use crate::shared::notation::{GROWTH, LOGARITHM, NETWORK, NORM, WIDTH};

const SETTING: &str = "n inputs in random directions of norm 1 in ℝ^{d_x}, n targets y_i in random directions of norm \
                       1 in ℝ^d; entries of A and W_l drawn from the normal law of mean 0 and variance 2/m, of B of \
                       variance 1/d; only W_1, …, W_L are trained, with ν = dδ/(√n (L+1) m); the loss is ½ Σ ‖f(x_i) − \
                       y_i‖²";

/// The networks of the family below.
const NETWORKS: &str = "one start each of (n, d_x, m, L, d) = (2, 2, 64, 1, 1), (4, 8, 64, 1, 2), (4, 8, 64, 2, 4), \
                        (6, 8, 64, 3, 2), (10, 16, 96, 1, 2), (20, 32, 128, 1, 1)";

/// ε = 1e−10, 1e−12, …, 1e−24, where residuals still keep four digits. Larger ε are passed while the fast directions of the
/// kernel still shrink.
fn accuracies() -> Vec<f64> {
    vec![1e-10, 1e-12, 1e-14, 1e-16, 1e-18, 1e-20, 1e-22, 1e-24]
}

/// T(ε) grows at most like this power of log(1/ε).
fn growth(r: &RegressionRecord, power: f64) -> Evaluation {
    if let Some(accuracy) = accuracies().get(r.passages.len()) {
        return Evaluation::Failed(format!("ε = {accuracy} is not reached in {} steps", r.steps));
    }
    // The first step is step 1.
    let point = |&(accuracy, epochs): &(f64, usize)| (-exact(accuracy).ln().midpoint(), (epochs + 1) as f64);
    let points: Vec<(f64, f64)> = r.passages.iter().map(point).collect();
    Trend::through(&points).named("log(1/ε)").grows_at_most(power)
}

fn run(inputs: usize, dimension: usize, (width, depth, output): (usize, usize, usize), twins: bool) -> RegressionRun {
    RegressionRun { inputs, dimension, width, depth, output, twins, seed: 3, steps: 20_000 }
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
    let of = |n, sizes| RegressionRun { steps: 300, ..run(n, 8, sizes, true) };
    vec![
        ("two equal inputs and another".into(), of(3, (16, 1, 2))),
        ("six inputs, two of them equal".into(), of(6, (32, 2, 1))),
    ]
}

fn drawn_twins() -> impl Strategy<Value = RegressionRun> {
    let sizes = (select(vec![16usize, 32]), 1usize..=2, 1usize..=4);
    (3usize..=6, sizes, 0u64..1000).prop_map(|(n, sizes, seed)| RegressionRun {
        seed,
        steps: 300,
        ..run(n, 8, sizes, true)
    })
}

pub fn claim() -> Claim {
    Claim::new("merad2020.cited-l2", "linear convergence for least squares", Kind::Convergence)
        .statement(
            "for δ-separated unit inputs and m = Ω(poly(n, L, 1/δ)·d), gradient descent on ½ Σ ‖f(x_i) − y_i‖² reaches \
             ε in T = O(log(1/ε)) epochs, with a constant poly(n, L, 1/δ)",
        )
        .symbols([NETWORK, WIDTH, NORM, LOGARITHM, GROWTH])
        .symbol("T(ε)", "the number of updates before the loss is first at most ε, plus one")
        .symbol("ν", "each update subtracts ν times the gradient of the loss in the trained matrices")
        .symbol("δ", "the smallest distance of two different inputs")
        .source("section 4, paragraph on deep neural network encoders", &["cited from Allen-Zhu et al., Theorem 1"])
        .remark(
            "W alone is trained, with ν = dδ/(√n (L+1) m), targets on the unit sphere, a random start. The cited \
             theorem also fixes the last coordinate of every input.",
        )
        .setting(printed())
        .setting(floor())
}

fn printed() -> Setting<RegressionRun, RegressionRecord> {
    Setting::measuring(|r: &RegressionRun, _| r.measure(&accuracies()))
        .given(SETTING)
        .assume(Hypothesis::new("‖x_i‖ = 1 to 10^{−12}, ‖x_i − x_j‖ ≥ 1/1000 for i ≠ j", RegressionRun::is_separated))
        .family(edge("networks", named).restricted(NETWORKS))
        .family(outside("one input twice", twins))
        .without_search()
        .part(
            "printed",
            "for each of six fixed networks ε = 10^{−10}, 10^{−12}, …, 10^{−24} are reached within 20 000 updates, and \
             over these T(ε) grows at most like the first power of log(1/ε)",
            consistent(),
            |_, r| growth(r, 1.0),
        )
        .control("faster", "over the same ε T(ε) grows at most like the root of log(1/ε)", |_, r| growth(r, 0.5))
}

fn floor() -> Setting<RegressionRun, RegressionRecord> {
    Setting::measuring(|r: &RegressionRun, _| r.measure(&accuracies()))
        .given(SETTING)
        .assume(Hypothesis::new("one input twice, with opposite targets y, y'", |r| r.twins))
        .family(edge("twins", twins))
        .family(random("drawn twins", drawn_twins).taking(0.06))
        .family(outside("no input twice", named))
        .without_search()
        .step(
            "floor",
            "the loss is at least ¼‖y − y'‖² before and after each of 300 updates",
            holds(),
            |_, r| at_least(r.least, r.floor),
        )
        .control("a", "the loss gets to 1/100", |_, r| at_most(r.least, exact(1e-2)))
        .control("floor-higher", "the loss is at least ½‖y − y'‖²", |_, r| at_least(r.least, 2.0 * r.floor))
}
