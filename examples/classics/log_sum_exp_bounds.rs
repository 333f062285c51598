//! Log-sum-exp between the maximum and the maximum plus log n, and what a temperature does to it.

use contrapositive::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

/// Numbers, and a temperature.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "x = {x:?}, τ = {tau}", simpler = Self::shorter, stored)]
struct Numbers {
    #[instance(length = "1..", range = "-1e6..=1e6")]
    x: Vec<f64>,
    #[instance(range = "0.01..=100")]
    tau: f64,
}

struct SoftMaximum {
    /// τ log Σ e^(x_i/τ).
    soft: Enclosure,
    max: Enclosure,
    log_n: Enclosure,
    tau: Enclosure,
}

fn sides(numbers: &Numbers) -> SoftMaximum {
    let tau = exact(numbers.tau);
    let scaled: Vec<Enclosure> = numbers.x.iter().map(|&x| exact(x) / tau).collect();
    SoftMaximum {
        soft: tau * log_sum_exp(&scaled),
        max: exact(numbers.x.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        log_n: Enclosure::from(numbers.x.len()).ln(),
        tau,
    }
}

impl Numbers {
    fn shorter(&self) -> Vec<Self> {
        let without = |i: usize| {
            let mut fewer = self.clone();
            fewer.x.remove(i);
            fewer
        };
        (0..self.x.len()).filter(|_| self.x.len() > 1).map(without).collect()
    }
}

fn named() -> Vec<(&'static str, Numbers)> {
    let of = |x: &[f64], tau| Numbers { x: x.to_vec(), tau };
    vec![
        ("two equal", of(&[0.0, 0.0], 1.0)),
        ("eight equal, hot", of(&[1.0; 8], 4.0)),
        ("eight equal, cold", of(&[1.0; 8], 0.125)),
        ("one dominates", of(&[50.0, 0.0, -50.0], 1.0)),
        ("beyond the exponential", of(&[1e4, 9999.0], 1.0)),
        ("one number", of(&[-3.0], 2.0)),
    ]
}

fn drawn() -> impl Strategy<Value = Numbers> {
    (vec(-5.0..5.0f64, 1..=8), 0.25..4.0f64).prop_map(|(x, tau)| Numbers { x, tau })
}

fn setting() -> Setting<Numbers, SoftMaximum> {
    Setting::measuring(|numbers: &Numbers, _| Ok(sides(numbers)))
        .given("x_1, …, x_n finite, n ≥ 1, 0.01 ≤ τ ≤ 100")
        .family(edge("named", named))
        .family(random("drawn", drawn))
}

/// As it is quoted, with the temperature where it belongs.
pub fn claim() -> Claim {
    Claim::new("classics.log-sum-exp", "Log-sum-exp and the maximum", Kind::Inequality)
        .statement("max_i x_i ≤ τ log Σ_i e^(x_i/τ) ≤ max_i x_i + τ log n")
        .source("folklore", &["Boyd and Vandenberghe 2004, section 3.1.5, for τ = 1"])
        .setting(
            setting()
                .part("below", "max x ≤ τ log Σ e^(x_i/τ)", holds(), |_, s| at_most(s.max, s.soft))
                .part("above", "τ log Σ e^(x_i/τ) ≤ max x + τ log n", holds(), |_, s| {
                    at_most(s.soft, s.max + s.tau * s.log_n)
                })
                .control("a", "τ log Σ e^(x_i/τ) ≤ max x + ½ τ log n", |_, s| {
                    at_most(s.soft, s.max + 0.5 * s.tau * s.log_n)
                })
                .control("b", "max x ≤ τ log((1/n) Σ e^(x_i/τ)): the mean in place of the sum", |_, s| {
                    at_most(s.max, s.soft - s.tau * s.log_n)
                }),
        )
}

/// The temperature forgotten in the bound.
pub fn misquoted() -> Claim {
    Claim::new("classics.log-sum-exp-temperature", "Log-sum-exp with a temperature, misquoted", Kind::Inequality)
        .statement("τ log Σ_i e^(x_i/τ) ≤ max_i x_i + log n for every temperature τ")
        .source("a misquotation", &["the bound for τ = 1, carried over"])
        .setting(
            setting()
                .part("printed", "τ log Σ e^(x_i/τ) ≤ max x + log n", fails("τ > 1"), |_, s| {
                    at_most(s.soft, s.max + s.log_n)
                })
                .amendment("corrected", "τ log Σ e^(x_i/τ) ≤ max x + τ log n", holds(), |_, s| {
                    at_most(s.soft, s.max + s.tau * s.log_n)
                })
                .amendment("cold", "τ log Σ e^(x_i/τ) ≤ max x + log n for τ ≤ 1", holds(), |_, s| {
                    at_most(s.soft, s.max + s.log_n)
                })
                .assume(Hypothesis::new("τ ≤ 1", |numbers| numbers.tau <= 1.0))
                .control("a", "τ log Σ e^(x_i/τ) ≤ max x + ¾ τ log n", |_, s| {
                    at_most(s.soft, s.max + 0.75 * s.tau * s.log_n)
                }),
        )
}
