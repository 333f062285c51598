//! Section 7, end of the proof of Lemma 1: the log-sum-exp taken in pairs.
//!
//! True: e^{LSE(x_1, x_2)} = e^{x_1} + e^{x_2}, so that grouping the sum changes nothing, and the rest is the bound of
//! log-sum-exp by the maximum (fact-lse-max) for the n values of the pairs; log n is attained for equal pairs. The use made of it, for the
//! logits a_1..a_n with a zero put before each, holds too; but the zeros only cost: LSE(a) ≤ max a + log n directly,
//! and max a < max ζ(a).

use enclosures::interval::Dual;
use evidence::prelude::*;

use crate::shared::factored::at_most_by;
use crate::shared::lse::{below_maximum_plus_log, maximum};
use crate::shared::notation::{LOG_SUM_EXP, LOGARITHM, SOFTPLUS};
use crate::shared::reals::{Reals, families};

/// LSE(x_1, x_2), LSE(x_3, x_4), …
fn pairs(x: &[Enclosure]) -> Vec<Enclosure> {
    x.chunks(2).map(log_sum_exp).collect()
}

/// LSE(x) ≤ max_j LSE(x_{2j−1}, x_{2j}) + log m.
fn bounded_by_pairs(x: &[Enclosure], m: f64) -> evidence::claim::Evaluation {
    let pairs = pairs(x);
    let right = maximum(&pairs) + exact(m).ln();
    at_most_by(log_sum_exp(x), right, below_maximum_plus_log(&pairs, m)).on_scale_of("1", 1.0)
}

/// 0, a_1, 0, a_2, …, 0, a_n.
fn after_zeros(a: &[Enclosure]) -> Vec<Enclosure> {
    a.iter().flat_map(|&a| [Enclosure::ZERO, a]).collect()
}

fn is_even(list: &Reals) -> bool {
    list.len().is_multiple_of(2)
}

/// For two pairs whose values differ by d: log 2 − log(1 + e^{−d}), exponentiated.
fn two_pairs() -> Proof<1> {
    let room = |m: f64| move |[d]: [Dual<1>; 1]| m - 1.0 - (-d).exp();
    Proof::covering("n = 2, the difference of the pairs' values", [(0.0, f64::INFINITY)], room(2.0))
        .in_other_form("the identity only groups a sum; the inequality is exponentiated")
        .control("log 1.98 in place of log 2", room(1.98))
}

fn difference_of_pairs(list: &Reals) -> Option<[Enclosure; 1]> {
    let values = pairs(&list.enclosures());
    let finite = list.x.iter().all(Option::is_some);
    (finite && list.len() == 4).then(|| [(values[0] - values[1]).abs()])
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-lse-pairing", "log-sum-exp in pairs", Kind::Inequality)
        .statement(
            "LSE(x) = LSE(LSE(x_1,x_2), …, LSE(x_{2n−1},x_{2n})) ≤ max_j LSE(x_{2j−1},x_{2j}) + log n for all x ∈ \
             ℝ^{2n}, n ≥ 1",
        )
        .symbols([LOG_SUM_EXP, SOFTPLUS, LOGARITHM])
        .source("section 7, end of the proof of Lemma 1", &["section A of the earlier version, proof of Lemma 3.1"])
        .setting(printed())
}

fn printed() -> Setting<Reals, Vec<Enclosure>> {
    Setting::measuring(|list: &Reals, _| Ok(list.enclosures()))
        .given(
            "a list of one entry or more, each a real number or −∞, one of them finite, named x_1, …, x_{2n} if their \
             number is even, and a_1, …, a_n whether it is or not",
        )
        .family(families())
        .part(
            "printed",
            "LSE(x) = LSE(LSE(x_1,x_2), …, LSE(x_{2n−1},x_{2n})) ≤ max_j LSE(x_{2j−1},x_{2j}) + log n",
            holds(),
            |_, x| {
                all_of([
                    ("identity", equal(log_sum_exp(x), log_sum_exp(&pairs(x))).on_scale_of("1", 1.0)),
                    ("inequality", bounded_by_pairs(x, 0.5 * x.len() as f64)),
                ])
            },
        )
        .checked("merad2020.LogSumExp.fact_lse_pairing_printed")
        // Of an odd number the statement does not speak.
        .assume(Hypothesis::own(is_even))
        .proved_by(two_pairs(), difference_of_pairs, |[d]| Reals::of(&[0.0, 0.0, -d, -d]))
        .step("s1", "LSE(a_1..a_n) ≤ LSE(0,a_1,0,a_2,…,0,a_n) ≤ max_j ζ(a_j) + log n", holds(), |_, a| {
            let spaced = after_zeros(a);
            let softpluses: Vec<Enclosure> = a.iter().map(|a| a.softplus()).collect();
            let right = maximum(&softpluses) + Enclosure::from(a.len()).ln();
            let above = below_maximum_plus_log(&softpluses, a.len() as f64);
            all_of([
                ("zeros", at_most(log_sum_exp(a), log_sum_exp(&spaced))),
                ("pairs", at_most_by(log_sum_exp(&spaced), right, above).on_scale_of("1", 1.0)),
            ])
        })
        .sharpening(
            "without-zeros",
            "LSE(a) ≤ max a + log n < max_j ζ(a_j) + log n: the zeros are not needed",
            holds(),
            |_, a| {
                let (top, log) = (maximum(a), Enclosure::from(a.len()).ln());
                // ζ(x) − x = ζ(−x) > 0.
                all_of([
                    ("bound", at_most_by(log_sum_exp(a), top + log, below_maximum_plus_log(a, a.len() as f64))),
                    ("better", less_than(0, (-top).softplus())),
                ])
            },
        )
        .checked("merad2020.LogSumExp.fact_lse_pairing_without_zeros")
        .assume(Hypothesis::new("max a ≤ 700", |list| maximum(&list.enclosures()).hi() <= 700.0))
        .control("a", "LSE(x) ≤ max_j LSE(x_{2j−1},x_{2j}) + log(n − 1)", |_, x| {
            bounded_by_pairs(x, 0.5 * x.len() as f64 - 1.0)
        })
        .assume(Hypothesis::new("an even number of entries, at least 4", |list| is_even(list) && list.len() >= 4))
        .control("b", "LSE(x) = LSE(LSE(x_1,x_2), …, LSE(x_{2n−3},x_{2n−2})), the last pair left out", |_, x| {
            equal(log_sum_exp(x), log_sum_exp(&pairs(&x[..x.len() - 2]))).on_scale_of("1", 1.0)
        })
        .assume(Hypothesis::new("an even number of entries, at least 4", |list| is_even(list) && list.len() >= 4))
}
