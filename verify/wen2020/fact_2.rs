//! Fact 2: the key-side loss vector.
//!
//! With the hats that are missing in print, Σ_{j≠i} (l̂oss(x_j, x_i) − l̂oss(x_i, x_j)) = Σ_j (P_ji q_j − P_ij q_i) is n ∂L_S/∂k_i: key i is
//! the positive of query i and a negative of the others. The factor n is that of Fact 1. The binomial coefficient settles that the
//! negatives are drawn without replacement: for draws with replacement the derivative is another one as soon as k ≥ 2.

use contrastive::{QueriesAndKeys, subset_weights, subsets};
use enclosures::interval::Dual;
use evidence::prelude::*;

use crate::shared::hypotheses::{LOGITS, large_logits, moderate_logits};
use crate::shared::query_key_outputs::{adds_up_to_zero, families, same_vectors, scaled, size, times_n};
use crate::shared::replacement::loss_with_replacement;
use crate::shared::signs::{DIFFERENCE, KEY, LOSS, NEGATIVES, POINTS, QUERY, SETS, SHARE};

struct KeyFormulas {
    /// ∂L_S/∂k_i.
    derivative: Vec<Vec<Interval>>,
    /// ∂/∂k_i of the loss for draws with replacement.
    with_replacement: Vec<Vec<Interval>>,
    /// n ∂L_S/∂q_i.
    query: Vec<Vec<Interval>>,
    /// The weights P.
    weights: Vec<Vec<Interval>>,
    /// Weights summed over all sets A, whether or not j belongs to them.
    all_sets: Vec<Vec<Interval>>,
}

impl KeyFormulas {
    fn of(o: &QueriesAndKeys) -> Self {
        let [query, derivative] = o.derivatives();
        KeyFormulas {
            derivative,
            with_replacement: derivative_with_replacement(o),
            query: scaled(&query, o.count() as f64),
            weights: subset_weights(&o.logits(), o.negatives()),
            all_sets: weights_over_all_sets(o),
        }
    }
}

fn derivative_with_replacement(o: &QueriesAndKeys) -> Vec<Vec<Interval>> {
    let slope = |i: usize, c: usize| {
        let mut numbers = o.constants::<1>();
        numbers[1][i][c].slopes = [Interval::ONE];
        let loss: Dual<1> = loss_with_replacement(&numbers[0], &numbers[1], o.negatives());
        loss.slopes[0]
    };
    let row = |i: usize| (0..o.dimension()).map(|c| slope(i, c)).collect();
    (0..o.count()).map(row).collect()
}

fn weights_over_all_sets(o: &QueriesAndKeys) -> Vec<Vec<Interval>> {
    let logits = o.logits();
    let entry = |i: usize, j: usize| {
        if i == j {
            return Interval::ZERO;
        }
        let others: Vec<usize> = (0..o.count()).filter(|&s| s != i).collect();
        let (mut sum, mut sets) = (Interval::ZERO, 0.0);
        for places in subsets(others.len(), o.negatives()) {
            let total: Interval = places.iter().map(|&place| logits[i][others[place]].exp()).sum();
            sum += logits[i][j].exp() / (total + 1.0);
            sets += 1.0;
        }
        sum / sets
    };
    (0..o.count()).map(|i| (0..o.count()).map(|j| entry(i, j)).collect()).collect()
}

/// Σ_{j≠i} (P_ji q_j − P_ij q_i).
fn key_vectors(o: &QueriesAndKeys, weights: &[Vec<Interval>]) -> Vec<Vec<Interval>> {
    let entry = |i: usize, c: usize| {
        let pair = |j: usize| weights[j][i] * o.queries()[j][c] - weights[i][j] * o.queries()[i][c];
        (0..o.count()).filter(|&j| j != i).map(pair).sum()
    };
    (0..o.count()).map(|i| (0..o.dimension()).map(|c| entry(i, c)).collect()).collect()
}

/// Σ_{j≠i} P_ji q_j.
fn received(o: &QueriesAndKeys, weights: &[Vec<Interval>]) -> Vec<Vec<Interval>> {
    let entry = |i: usize, c: usize| {
        let from = |j: usize| weights[j][i] * o.queries()[j][c];
        (0..o.count()).filter(|&j| j != i).map(from).sum()
    };
    (0..o.count()).map(|i| (0..o.dimension()).map(|c| entry(i, c)).collect()).collect()
}

/// Σ_j P_ij (k_j − k_i).
fn query_vectors(o: &QueriesAndKeys, weights: &[Vec<Interval>]) -> Vec<Vec<Interval>> {
    let entry = |i: usize, c: usize| {
        let term = |j: usize| weights[i][j] * (Interval::point(o.keys()[j][c]) - o.keys()[i][c]);
        (0..o.count()).map(term).sum()
    };
    (0..o.count()).map(|i| (0..o.dimension()).map(|c| entry(i, c)).collect()).collect()
}

pub fn claim() -> Claim {
    Claim::new("wen2020.fact-2", "key-side loss vector", Kind::Identity)
        .statement(
            "∂L_S/∂k_i = Σ_{j≠i} (l̂oss(x_j, x_i) − l̂oss(x_i, x_j)) with l̂oss(x_i, x_j) = C(n−1,k)^{−1} Σ_{A∋j} \
             e^{q_i·z_ij}/(1 + Σ_{s∈A} e^{q_i·z_is}) q_i",
        )
        .source("Fact 2 (Section 5.1)", &["(C.1)", "after (C.2)"])
        .symbols([POINTS, NEGATIVES, QUERY, KEY, DIFFERENCE, SETS, LOSS, SHARE])
        .symbol(
            "S∖i",
            "all inputs but the i-th; independent draws from it are uniform, and one drawn twice counts twice",
        )
        .symbol("l̂oss(x_i, x_j)", "P_ij q_i")
        .remark("Fact 2 prints the last two symbols without hats; they are read with them.")
        .setting(printed())
}

fn printed() -> Setting<QueriesAndKeys, KeyFormulas> {
    Setting::measuring(|o: &QueriesAndKeys, _| Ok(KeyFormulas::of(o)))
        .given("n points, 1 ≤ k ≤ n − 1; their queries q_i and keys k_i are any vectors of one dimension")
        .degenerate(crate::shared::query_key_outputs::DEGENERATE, crate::shared::query_key_outputs::degenerate)
        .assume(Hypothesis::new(LOGITS, moderate_logits))
        .family(outside("large logits", large_logits))
        .family(families(5))
        .without_search()
        .part(
            "printed",
            "∂L_S/∂k_i = Σ_{j≠i} (P_ji q_j − P_ij q_i), P_ij = C(n−1,k)^{−1} Σ_{A∋j} e^{q_i·z_ij}/(1 + Σ_{s∈A} \
             e^{q_i·z_is})",
            fails("the expression is n times the derivative"),
            |o, s| same_vectors(&s.derivative, &key_vectors(o, &s.weights), size(o)),
        )
        .checked("wen2020.QueryLoss.fact_2_printed_refuted")
        .sides("an entry of ∂L_S/∂k_i", "that entry of the expression")
        .ours(
            "with-replacement",
            "n ∂L_S/∂k_i = Σ_{j≠i} (P_ji q_j − P_ij q_i), P_ij = C(n−1,k)^{−1} Σ_{A∋j} e^{q_i·z_ij}/(1 + Σ_{s∈A} \
             e^{q_i·z_is}), L_S for k independent draws from S∖i",
            fails("the binomial coefficient belongs to sets: right for k = 1 only"),
            |o, s| same_vectors(&times_n(o, &s.with_replacement), &key_vectors(o, &s.weights), size(o)),
        )
        .sides("an entry of n ∂L_S/∂k_i", "that entry of the expression")
        .because("the sum is over sets, divided by C(n−1,k): no printed word asks for replacement")
        .meant(
            "n-times",
            "n ∂L_S/∂k_i = Σ_{j≠i} (P_ji q_j − P_ij q_i), P_ij = C(n−1,k)^{−1} Σ_{A∋j} e^{q_i·z_ij}/(1 + Σ_{s∈A} \
             e^{q_i·z_is}), L_S for sets A",
            holds(),
            |o, s| same_vectors(&times_n(o, &s.derivative), &key_vectors(o, &s.weights), size(o)),
        )
        .checked("wen2020.QueryLoss.fact_2_n_times")
        .because("the factor n is missing: the proofs compute with n times the derivative")
        .step("s1", "Σ_i l̂oss_i = 0 for l̂oss_i = Σ_{j≠i} (P_ji q_j − P_ij q_i)", holds(), |o, s| {
            adds_up_to_zero(&key_vectors(o, &s.weights), size(o))
        })
        .checked("wen2020.LossVectors.fact_2_s1")
        .tested_by("d")
        .step(
            "s2",
            "l̃oss_i = n ∂L_S/∂q_i = Σ_j P_ij z_ij, so that l̂oss(x_i, x_j) = P_ij q_i has the weights of the query: \
             P_ij = C(n−1,k)^{−1} Σ_{A∋j} e^{q_i·z_ij}/(1 + Σ_{s∈A} e^{q_i·z_is})",
            holds(),
            |o, s| same_vectors(&s.query, &query_vectors(o, &s.weights), size(o)),
        )
        .checked("wen2020.QueryLoss.fact_2_s2")
        .control("d", "Σ_i Σ_{j≠i} l̂oss(x_j, x_i) = 0, without what is subtracted", |o, s| {
            adds_up_to_zero(&received(o, &s.weights), size(o))
        })
        .control("a", "n ∂L_S/∂k_i = Σ_{j≠i} (P_ij q_i − P_ji q_j), the difference reversed", |o, s| {
            same_vectors(&times_n(o, &s.derivative), &scaled(&key_vectors(o, &s.weights), -1.0), size(o))
        })
        .control(
            "b",
            "n ∂L_S/∂k_i = Σ_{j≠i} (P_ji q_j − P_ij q_i) with the sum in P_ij over all sets A, not only those that \
             contain j",
            |o, s| same_vectors(&times_n(o, &s.derivative), &key_vectors(o, &s.all_sets), size(o)),
        )
        .control(
            "c",
            "n ∂L_S/∂k_i = Σ_{j≠i} (P_ji q_j − P_ij q_i) with C(n−2,k−1) in place of C(n−1,k) in P_ij",
            |o, s| {
                let factor = (o.count() - 1) as f64 / o.negatives() as f64;
                same_vectors(&times_n(o, &s.derivative), &scaled(&key_vectors(o, &s.weights), factor), size(o))
            },
        )
}
