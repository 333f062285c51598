//! Section 7, proof of Proposition 1: the sum of softpluses is at least the softplus of the log-sum.
//!
//! True: Π(1 + e^{a_i}) expands into 1 + Σ e^{a_i} plus products of two and more factors, all positive. Equality for k
//! = 1 only. Keeping the products of two: Σ log(1 + e^{a_i}) − log(1 + Σ e^{a_i}) ≥ log(1 + Σ_{i<j} e^{a_i+a_j}/(1 + Σ
//! e^{a_i})), with equality for k ≤ 2.

use evidence::claim::pairs_below;
use evidence::prelude::*;

use crate::shared::factored::at_least_by;
use crate::shared::notation::LOGARITHM;
use crate::shared::reals::{Reals, families};
use crate::shared::task_average::softplus_of_sum;

/// Σ log(1 + e^{a_i}).
fn sum_of_softpluses(a: &[Enclosure]) -> Enclosure {
    a.iter().map(|a| a.softplus()).sum()
}

/// The difference of the two, one summand at a time and without cancellation. With s = log(1 + Σ_{j<i} e^{a_j}), the
/// i-th step adds s + ζ(a) − log(e^s + e^a) = log(1 + (e^s − 1)e^a/(e^s + e^a)), and the fraction is e^{min(a,s)} (1 −
/// e^{−s})/(1 + e^{−|a−s|}).
fn gap(a: &[Enclosure]) -> Enclosure {
    let Some((&first, others)) = a.split_first() else {
        return Enclosure::ZERO;
    };
    let mut s = first.softplus();
    let step = |&a: &Enclosure| {
        let factor = -(-s).exp_m1() / (1.0 + (-(a - s).abs()).exp());
        let added = (a.min(s) + factor.ln()).softplus();
        s = log_sum_exp(&[s, a]);
        added
    };
    others.iter().map(step).sum()
}

/// log(1 + Σ_{i<j} e^{a_i + a_j}/(1 + Σ e^{a_i})).
fn gap_to_second_order(a: &[Enclosure]) -> Enclosure {
    let logs: Vec<Enclosure> = pairs_below(a.len()).map(|(j, i)| a[i] + a[j]).collect();
    (log_sum_exp(&logs) - softplus_of_sum(a)).softplus()
}

/// e^{a_i} for a list of so many finite entries.
fn exponentials<const K: usize>(list: &Reals) -> Option<[Enclosure; K]> {
    let finite = list.x.iter().all(Option::is_some);
    let exponentials: Vec<Enclosure> = list.enclosures().into_iter().map(Enclosure::exp).collect();
    exponentials.try_into().ok().filter(|_| finite)
}

fn logarithms<const K: usize>(x: [f64; K]) -> [f64; K] {
    x.map(|x| exact(x).ln().midpoint())
}

const SEVERAL: Hypothesis<Reals> = Hypothesis::new("k ≥ 2", |list| list.len() >= 2);

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-sum-log", "sum of softplus against softplus of the sum", Kind::Inequality)
        .statement("Σ_{i≤k} log(1+e^{a_i}) ≥ log(1 + Σ_{i≤k} e^{a_i}) for all k ≥ 1 and a ∈ ℝ^k")
        .symbols([LOGARITHM])
        .source("section 7, proof of Proposition 1", &["section A of the earlier version, proof of Proposition 3.3"])
        .setting(printed())
}

fn printed() -> Setting<Reals, Vec<Enclosure>> {
    Setting::measuring(|list: &Reals, _| Ok(list.enclosures()))
        .given(
            "a_1, …, a_k for a k ≥ 1, each a real number or −∞ (with e^{−∞} = 0), one of them finite; sums run over i \
             ≤ k",
        )
        .family(families())
        .part("printed", "Σ log(1+e^{a_i}) ≥ log(1 + Σ e^{a_i})", holds(), |_, a| {
            at_least_by(sum_of_softpluses(a), softplus_of_sum(a), gap(a))
        })
        .checked("merad2020.LogSumExp.fact_sum_log_printed")
        .proved_by(
            Proof::covering("k = 2, x_i = e^{a_i}", [(0.0, f64::INFINITY); 2], |[x, y]| x * y)
                .in_other_form("Π(1 + x_i) − 1 − Σ x_i, multiplied out")
                .control("log(1.01 + Σ x_i) on the right", |[x, y]| x * y - 0.01),
            exponentials,
            |x| Reals::of(&logarithms(x)),
        )
        .proved_by(
            Proof::covering("k = 3, x_i = e^{a_i}", [(0.0, f64::INFINITY); 3], |[x, y, z]| {
                x * y + x * z + y * z + x * y * z
            })
            .in_other_form("Π(1 + x_i) − 1 − Σ x_i, multiplied out")
            .control("log(1.01 + Σ x_i) on the right", |[x, y, z]| x * y + x * z + y * z + x * y * z - 0.01),
            exponentials,
            |x| Reals::of(&logarithms(x)),
        )
        .sharpening(
            "second-order",
            "Σ log(1+e^{a_i}) − log(1 + Σ e^{a_i}) ≥ log(1 + Σ_{i<j≤k} e^{a_i+a_j}/(1 + Σ e^{a_i}))",
            holds(),
            |_, a| at_least(gap(a), gap_to_second_order(a)),
        )
        .checked("merad2020.LogSumExp.fact_sum_log_second_order")
        .assume(SEVERAL)
        .sharpening("strict", "Σ log(1+e^{a_i}) > log(1 + Σ e^{a_i})", holds(), |_, a| less_than(0, gap(a)))
        .checked("merad2020.LogSumExp.fact_sum_log_strict")
        .sides("0", "Σ log(1+e^{a_i}) − log(1 + Σ e^{a_i})")
        .assume(SEVERAL)
        .assume(Hypothesis::new("every a_i ≥ −300", |list| list.enclosures().iter().all(|a| a.lo() >= -300.0)))
        .control("a", "Σ log(1+e^{a_i}) ≤ log(1 + Σ e^{a_i})", |_, a| {
            at_least_by(softplus_of_sum(a), sum_of_softpluses(a), -gap(a))
        })
        .control("b", "Σ log(1+e^{a_i}) ≥ log(2 + Σ e^{a_i})", |_, a| {
            let mut terms = a.clone();
            terms.push(Enclosure::ln_2());
            at_least(sum_of_softpluses(a), log_sum_exp(&terms))
        })
}
