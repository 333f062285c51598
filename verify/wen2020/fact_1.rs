//! Fact 1: the query-side loss vector.
//!
//! Two slips: the inner sum runs to j in print, where Appendix C.1 has k, and the expression is n times the derivative. With the limit
//! k it is n ∂L_S/∂q_i for all n and k. With the limit j, averaged over the orders of the negatives, the j-th one competes with
//! a random set of j − 1 others, so that the expression is Σ_{r≤k} (1/r) l̃oss_i^{(r)}, with l̃oss^{(r)} the loss vector for r negatives
//! (the first r of k drawn are r drawn, and each of them is equally likely the last): right for k = 1 only. At zero queries it is
//! too long by the factor (k + 1)(H_{k+1} − 1)/k.

use contrastive::{QueriesAndKeys, subsets};
use enclosures::probability::harmonic;
use enclosures::vectors;
use evidence::prelude::*;

use crate::shared::hypotheses::{LOGITS, large_logits, moderate_logits};
use crate::shared::query_key_outputs::{families, same_vectors, scaled, size, times_n};
use crate::shared::signs::{KEY, LOSS, NEGATIVES, POINTS, QUERY};

struct QueryFormulas {
    /// ∂L_S/∂q_i.
    derivative: Vec<Vec<Interval>>,
    /// E Σ_j e^{s_j}/(1 + Σ_{s≤k} e^{s_s}) z_j.
    full: Vec<Vec<Interval>>,
    /// The same with the inner sum up to j, averaged over all orders.
    partial: Vec<Vec<Interval>>,
    /// Without the one in the denominator.
    without_one: Vec<Vec<Interval>>,
    /// With k_j in place of z_j.
    not_centred: Vec<Vec<Interval>>,
    /// Σ_{r≤k} (1/r) times the loss vector for r negatives.
    sum_over_sizes: Vec<Vec<Interval>>,
}

impl QueryFormulas {
    fn of(o: &QueriesAndKeys) -> Self {
        let full = o.query_loss_vectors();
        let fewer = |r: usize| QueriesAndKeys::new(r, o.queries().to_vec(), o.keys().to_vec());
        let mut sum_over_sizes = vec![vec![Interval::ZERO; o.dimension()]; o.count()];
        for r in 1..=o.negatives() {
            let vectors = fewer(r).map_or_else(|_| Vec::new(), |smaller| smaller.query_loss_vectors());
            for (total, vector) in sum_over_sizes.iter_mut().flatten().zip(vectors.iter().flatten()) {
                *total += *vector / r as f64;
            }
        }
        QueryFormulas {
            derivative: o.derivatives()[0].clone(),
            partial: expectation(o, partial_weights, true),
            without_one: expectation(o, |e| whole_weights(e, Interval::ZERO), true),
            not_centred: expectation(o, |e| whole_weights(e, Interval::ONE), false),
            full,
            sum_over_sizes,
        }
    }
}

/// The weights of the drawn negatives, given e^{s} for each of them: e^{s_j}/(one + Σ).
fn whole_weights(exponentials: &[Interval], one: Interval) -> Vec<Interval> {
    let total = one + exponentials.iter().copied().sum::<Interval>();
    exponentials.iter().map(|&e| e / total).collect()
}

/// e^{s_j}/(1 + Σ_{s≤j} e^{s_s}), averaged over all orders of the drawn negatives.
fn partial_weights(exponentials: &[Interval]) -> Vec<Interval> {
    let mut weights = vec![Interval::ZERO; exponentials.len()];
    let mut orders = 0.0;
    let mut order: Vec<usize> = (0..exponentials.len()).collect();
    loop {
        let mut total = Interval::ONE;
        for &j in &order {
            total += exponentials[j];
            weights[j] += exponentials[j] / total;
        }
        orders += 1.0;
        if !next_order(&mut order) {
            return weights.into_iter().map(|w| w / orders).collect();
        }
    }
}

/// The next order in the alphabet; false after the last.
fn next_order(order: &mut [usize]) -> bool {
    let Some(place) = (1..order.len()).rev().find(|&i| order[i - 1] < order[i]) else {
        return false;
    };
    let larger = (place..order.len()).rev().find(|&j| order[j] > order[place - 1]).unwrap_or(place);
    order.swap(place - 1, larger);
    order[place..].reverse();
    true
}

/// Σ over the points of a set of weight times k_j − k_i (or k_j), averaged over all sets.
fn expectation(
    o: &QueriesAndKeys,
    weights: impl Fn(&[Interval]) -> Vec<Interval>,
    centred: bool,
) -> Vec<Vec<Interval>> {
    let logits = o.logits();
    let row = |i: usize| {
        let others: Vec<usize> = (0..o.count()).filter(|&j| j != i).collect();
        let mut total = vec![Interval::ZERO; o.dimension()];
        let mut sets = 0.0;
        for places in subsets(others.len(), o.negatives()) {
            let set: Vec<usize> = places.iter().map(|&place| others[place]).collect();
            let exponentials: Vec<Interval> = set.iter().map(|&j| logits[i][j].exp()).collect();
            for (weight, &j) in weights(&exponentials).iter().zip(&set) {
                for (c, total) in total.iter_mut().enumerate() {
                    let origin = if centred { o.keys()[i][c] } else { 0.0 };
                    *total += *weight * (Interval::point(o.keys()[j][c]) - origin);
                }
            }
            sets += 1.0;
        }
        total.into_iter().map(|x| x / sets).collect()
    };
    (0..o.count()).map(row).collect()
}

/// At zero queries the expression with the limit j is (k + 1)(H_{k+1} − 1)/k times that with the limit k.
fn at_zero_queries(o: &QueriesAndKeys, s: &QueryFormulas) -> Evaluation {
    let k = o.negatives() as f64;
    let factor = (harmonic(o.negatives() as u64 + 1) - 1.0) * (k + 1.0) / k;
    let longer: Vec<Vec<Interval>> = s.full.iter().map(|v| vectors::scaled(v, factor)).collect();
    same_vectors(&s.partial, &longer, size(o)).noting(format!("factor {}", Enclosure::from(factor)))
}

pub fn claim() -> Claim {
    Claim::new("wen2020.fact-1", "query-side loss vector", Kind::Identity)
        .statement("∂L_S/∂q_i = E^{Neg(i)} Σ_{j≤k} e^{q_i·z_{i,j}}/(1 + Σ_{s≤j} e^{q_i·z_{i,s}}) z_{i,j} for all i")
        .source("Fact 1 (Section 5.1)", &["Appendix C.1", "(5.1)"])
        .symbols([POINTS, NEGATIVES, QUERY, KEY, LOSS])
        .symbol("z_j", "k_{i_j} − k_i for the j-th negative i_j of input i")
        .symbol("E Σ", "the mean over all ordered choices i_1, …, i_k of k different indices other than i")
        .symbol("H_{k+1}", "1 + 1/2 + ⋯ + 1/(k+1)")
        .remark(
            "Both sides are exact: the left one by forward differentiation of the sum over all sets, the right one by \
             listing all sets (and orders).",
        )
        .setting(printed())
}

fn printed() -> Setting<QueriesAndKeys, QueryFormulas> {
    Setting::measuring(|o: &QueriesAndKeys, _| Ok(QueryFormulas::of(o)))
        .given("n points, 1 ≤ k ≤ n − 1; their queries q_i and keys k_i are any vectors of one dimension")
        .degenerate(crate::shared::query_key_outputs::DEGENERATE, crate::shared::query_key_outputs::degenerate)
        .assume(Hypothesis::new(LOGITS, moderate_logits))
        .family(outside("large logits", large_logits))
        .family(families(5))
        .without_search()
        .part(
            "printed",
            "∂L_S/∂q_i = E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤j} e^{q_i·z_s}) z_j, the mean over all ordered choices of k \
             negatives",
            fails("the limit should be k, and the factor n is missing"),
            |o, s| same_vectors(&s.derivative, &s.partial, size(o)),
        )
        .sides("an entry of ∂L_S/∂q_i", "that entry of the expression")
        .ours(
            "up-to-j-n",
            "n ∂L_S/∂q_i = E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤j} e^{q_i·z_s}) z_j",
            fails("the limit should be k: right for k = 1 only"),
            |o, s| same_vectors(&times_n(o, &s.derivative), &s.partial, size(o)),
        )
        .sides("an entry of n ∂L_S/∂q_i", "that entry of the expression")
        .because("repairs the factor n alone")
        .ours(
            "up-to-k",
            "∂L_S/∂q_i = E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤k} e^{q_i·z_s}) z_j, as Appendix C.1 prints the sum",
            fails("the expression is n times the derivative"),
            |o, s| same_vectors(&s.derivative, &s.full, size(o)),
        )
        .sides("an entry of ∂L_S/∂q_i", "that entry of the expression")
        .because("repairs the limit alone")
        .meant(
            "up-to-k-n",
            "n ∂L_S/∂q_i = E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤k} e^{q_i·z_s}) z_j",
            holds(),
            |o, s| same_vectors(&times_n(o, &s.derivative), &s.full, size(o)),
        )
        .because("Appendix C.1 has the limit k, and the proofs compute with n times the derivative")
        .amendment(
            "one-negative",
            "n ∂L_S/∂q_i = E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤j} e^{q_i·z_s}) z_j for k = 1",
            holds(),
            |o, s| same_vectors(&times_n(o, &s.derivative), &s.partial, size(o)),
        )
        .assume(Hypothesis::new("k = 1", |o| o.negatives() == 1))
        .sharpening(
            "sizes",
            "E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤j} e^{q_i·z_s}) z_j = Σ_{r≤k} (1/r) n ∂L_S^{(r)}/∂q_i, L_S^{(r)} the loss \
             for r negatives",
            holds(),
            |o, s| same_vectors(&s.partial, &s.sum_over_sizes, size(o)),
        )
        .sharpening(
            "zero-queries",
            "with all queries zero E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤j} e^{q_i·z_s}) z_j is (k + 1)(H_{k+1} − 1)/k times \
             n ∂L_S/∂q_i",
            holds(),
            at_zero_queries,
        )
        .assume(Hypothesis::new("all queries zero", |o| o.queries().iter().flatten().all(|&x| x == 0.0)))
        .control("a", "−n ∂L_S/∂q_i = E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤k} e^{q_i·z_s}) z_j", |o, s| {
            same_vectors(&times_n(o, &s.derivative), &scaled(&s.full, -1.0), size(o))
        })
        .control(
            "b",
            "n ∂L_S/∂q_i = E Σ_{j≤k} e^{q_i·z_j}/(Σ_{s≤k} e^{q_i·z_s}) z_j, without the 1 in the denominator",
            |o, s| same_vectors(&times_n(o, &s.derivative), &s.without_one, size(o)),
        )
        .control(
            "c",
            "n ∂L_S/∂q_i = E Σ_{j≤k} e^{q_i·z_j}/(1 + Σ_{s≤k} e^{q_i·z_s}) k_{i_j}, the key in place of z_j",
            |o, s| same_vectors(&times_n(o, &s.derivative), &s.not_centred, size(o)),
        )
}
