//! Section 5.2, "Semi-smoothness": the expansion of the loss in the outputs.
//!
//! (e1) to (e3) are right, with the loss vectors of Facts 1 and 2 (n times the derivatives). (e4) prints l̃oss_i, the query-side vector,
//! where the key side belongs; Appendix D has l̂oss_i, and that is right. (e1) is Lemma D.1 at y_j = q_i·z_ij and y′_j = the
//! change; since the Hessian of log(1 + Σ e^{y_j}) has norm at most ½, the factor ½ in front of the squares can be ¼.

use contrastive::{QueriesAndKeys, subset_weights, subsets};
use enclosures::vectors::{largest_magnitude, minus, plus, points, scaled, sum_of_products, sum_of_squares};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use crate::shared::hypotheses::{LOGITS, large_logits, moderate_logits};
use crate::shared::query_key_outputs;
use crate::shared::signs::{DIFFERENCE, KEY, LOSS, NEGATIVES, POINTS, QUERY, SETS, SHARE};

/// Old outputs and the changes of all of them.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{old}, changed by {queries:?} and \
                       {keys:?}", valid = Self::fits, simpler = Self::with_one_less, stored)]
struct Change {
    #[instance(nested)]
    old: QueriesAndKeys,
    queries: Vec<Vec<f64>>,
    keys: Vec<Vec<f64>>,
}

impl Change {
    fn fits(&self) -> Result<(), String> {
        let (n, d) = (self.old.count(), self.old.dimension());
        let fits = |rows: &[Vec<f64>]| rows.len() == n && rows.iter().all(|r| r.len() == d);
        if fits(&self.queries) && fits(&self.keys) {
            Ok(())
        } else {
            Err("the changes do not have the shape of the outputs".into())
        }
    }

    fn with_one_less(&self) -> Vec<Self> {
        let without = |rows: &[Vec<f64>], i: usize| {
            let kept = rows.iter().enumerate().filter(|(j, _)| *j != i);
            kept.map(|(_, r)| r.clone()).collect::<Vec<_>>()
        };
        let one_less = |i: usize| {
            let (queries, keys) = (without(self.old.queries(), i), without(self.old.keys(), i));
            let negatives = self.old.negatives().min(self.old.count() - 2);
            Some(Change {
                old: QueriesAndKeys::new(negatives, queries, keys).ok()?,
                queries: without(&self.queries, i),
                keys: without(&self.keys, i),
            })
        };
        (0..self.old.count()).filter_map(one_less).collect()
    }
}

/// All that the expansion compares, for one change.
struct Expansion {
    old_logits: Vec<Vec<Interval>>,
    new_logits: Vec<Vec<Interval>>,
    /// (q̃_i − q_i)·z_ij, q_i·(z̃_ij − z_ij), (q̃_i − q_i)·(z̃_ij − z_ij).
    parts: [Vec<Vec<Interval>>; 3],
    weights: Vec<Vec<Interval>>,
    /// Σ_i ⟨l̃oss_i, q̃_i − q_i⟩, Σ_i ⟨l̂oss_i, k̃_i − k_i⟩ and, as printed, Σ_i ⟨l̃oss_i, k̃_i − k_i⟩.
    paired: [Interval; 3],
    /// A size for what was added up.
    scale: f64,
}

fn expand(c: &Change) -> Expansion {
    let enclosed = |rows: &[Vec<f64>]| -> Vec<Vec<Interval>> { rows.iter().map(|r| points(r)).collect() };
    let moved = |rows: &[Vec<Interval>], by: &[Vec<Interval>]| -> Vec<Vec<Interval>> {
        rows.iter().zip(by).map(|(r, b)| plus(r, b)).collect()
    };
    let (q, k) = (enclosed(c.old.queries()), enclosed(c.old.keys()));
    let (dq, dk) = (enclosed(&c.queries), enclosed(&c.keys));
    let (new_q, new_k) = (moved(&q, &dq), moved(&k, &dk));
    let table = |left: &[Vec<Interval>], right: &[Vec<Interval>]| -> Vec<Vec<Interval>> {
        let row = |(l, own): (&Vec<Interval>, &Vec<Interval>)| {
            right.iter().map(|r| sum_of_products(l, &minus(r, own))).collect()
        };
        left.iter().zip(right).map(row).collect()
    };
    let old_logits = table(&q, &k);
    let weights = subset_weights(&old_logits, c.old.negatives());
    let (query_side, key_side) = (c.old.query_loss_vectors(), c.old.key_loss_vectors());
    let pair = |v: &[Vec<Interval>], change: &[Vec<Interval>]| sum_of_products(&v.concat(), &change.concat());
    let size = |rows: &[Vec<Interval>]| rows.iter().flatten().map(|x| x.magnitude()).sum::<f64>();
    let parts = [table(&dq, &k), table(&q, &dk), table(&dq, &dk)];
    Expansion {
        new_logits: table(&new_q, &new_k),
        paired: [pair(&query_side, &dq), pair(&key_side, &dk), pair(&query_side, &dk)],
        scale: parts.iter().map(|p| size(p)).sum(),
        parts,
        weights,
        old_logits,
    }
}

impl Expansion {
    /// (e2): the change of every logit is the sum of its parts, the last of which counts `last` times.
    fn logits_split(&self, last: f64) -> Evaluation {
        let count = self.old_logits.len();
        let entry = |(i, j): (usize, usize)| {
            let change = self.new_logits[i][j] - self.old_logits[i][j];
            let [three, four, five] = [0, 1, 2].map(|p| self.parts[p][i][j]);
            let size = [self.new_logits[i][j], self.old_logits[i][j], three, four, five];
            let scale = largest_magnitude(&size);
            let sum = three + four + five * last;
            (format!("i = {i}, j = {j}"), equal(change, sum).on_scale_of("the largest of the terms", scale))
        };
        all_of(pairs(0..count, 0..count).filter(|(i, j)| i != j).map(entry))
    }

    /// (1/n) Σ_ij P_ij times one part of the change of the logits, against (1/n) times a pairing.
    fn expected(&self, part: usize, pairing: Interval) -> Evaluation {
        let n = self.old_logits.len() as f64;
        let terms = self.weights.iter().zip(&self.parts[part]);
        let sum: Interval = terms.map(|(p, change)| sum_of_products(p, change)).sum();
        equal(sum / n, pairing / n).on_scale_of("the terms before they cancel", self.scale / n)
    }

    /// (e1) for every point and every set, with `factor` in front of the squares.
    fn second_order(&self, negatives: usize, factor: f64) -> Evaluation {
        let count = self.old_logits.len();
        let mut parts = Vec::new();
        for i in 0..count {
            let others: Vec<usize> = (0..count).filter(|&j| j != i).collect();
            for places in subsets(others.len(), negatives) {
                let set: Vec<usize> = places.iter().map(|&place| others[place]).collect();
                parts.push((format!("i = {i}, A = {set:?}"), self.second_order_of(i, &set, factor)));
            }
        }
        all_of(parts)
    }

    /// ℓ(new) − ℓ(old) − ① against the squares; ℓ(new) − ℓ(old) − ① = log Σ_j p_j e^{y_j − mean}, which does not cancel.
    fn second_order_of(&self, i: usize, set: &[usize], factor: f64) -> Evaluation {
        let exponentials: Vec<Interval> = set.iter().map(|&j| self.old_logits[i][j].exp()).collect();
        let total: Interval = exponentials.iter().copied().sum::<Interval>() + 1.0;
        let shares: Vec<Interval> = exponentials.iter().map(|&e| e / total).collect();
        let change = |j: usize| (0..3).map(|p| self.parts[p][i][j]).sum::<Interval>();
        let changes: Vec<Interval> = set.iter().map(|&j| change(j)).collect();
        let mean = sum_of_products(&shares, &changes);
        let centred = |y: Interval| (y - mean).exp_m1() - (y - mean);
        let spread: Interval = shares.iter().zip(&changes).map(|(&p, &y)| p * centred(y)).sum();
        let remainder = (spread + centred(Interval::ZERO) / total).ln_1p();
        let squares: Interval = sum_of_squares(&changes);
        at_most(remainder, squares * factor)
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.sketch-5.2", "expansion of the loss in the outputs", Kind::Identity)
        .statement(
            "(e1) ℓ(new) ≤ ℓ(old) + Σ p_j (q̃·z̃_j − q·z_j) + ½ Σ (q̃·z̃_j − q·z_j)²; (e2) q̃·z̃ − q·z = (q̃−q)·z + q·(z̃−z) + \
             (q̃−q)·(z̃−z); (e3), (e4) the expectations of the first-order terms are (1/n) Σ ⟨l̃oss_i, q̃_i − q_i⟩ and \
             (1/n) Σ ⟨l̃oss_i, k̃_i − k_i⟩",
        )
        .source("Section 5.2, \"Semi-smoothness\"", &["Appendix D.2, (D.1) to (D.3)"])
        .symbols([POINTS, NEGATIVES, QUERY, KEY, DIFFERENCE, SETS, LOSS, SHARE])
        .symbol(
            "q̃",
            "the queries after the change; k̃ and z̃ the keys and their differences; a line without indices holds for \
             all i and j",
        )
        .symbol("Σ_j ", "over the n − 1 indices j ≠ i")
        .symbol("l̃oss_i", "Σ_{j≠i} P_ij z_ij, or the derivative that the check names")
        .sense("facts", "the loss vectors are the expressions of Facts 1 and 2, as Appendix C.1 defines them")
        .sense("definition-4.1", "the loss vectors are the derivatives of Definition 4.1")
        .remark(
            "l̃oss_i and l̂oss_i stand for the expressions of Facts 1 and 2. With the derivatives of Definition 4.1 the \
             right sides of (e3) and (e4) lack the factor n.",
        )
        .remark(
            "Proof of the sharpening: as for Lemma D.1, the second derivative along a direction is the variance of a \
             variable with the values y′_j and 0, at most a quarter of its squared range, and the range is at most \
             √2‖y′‖.",
        )
        .setting(steps())
}

fn steps() -> Setting<Change, Expansion> {
    Setting::measuring(|c: &Change, _| Ok(expand(c)))
        .given("n points, 1 ≤ k ≤ n − 1; q, k, q̃ − q and k̃ − k are lists of n vectors of one dimension")
        .degenerate(query_key_outputs::DEGENERATE, |c: &Change| query_key_outputs::degenerate(&c.old))
        .assume(Hypothesis::new(LOGITS, |c| moderate_logits(&c.old)))
        .family(outside("large logits", || {
            let still = |(name, old): (&'static str, QueriesAndKeys)| {
                let zeros = vec![vec![0.0; old.dimension()]; old.count()];
                let (queries, keys) = (zeros.clone(), zeros);
                (name, Change { old, queries, keys })
            };
            large_logits().into_iter().map(still).collect()
        }))
        .family(edge("named", changes))
        .family(random("drawn", drawn))
        .without_search()
        .part(
            "definition-4.1",
            "(e3) with l̃oss_i = ∂L_S/∂q_i: (1/n) Σ_i Σ_j P_ij (q̃_i − q_i)·z_ij = (1/n) Σ_i ⟨∂L_S/∂q_i, q̃_i − q_i⟩",
            fails("the derivative lacks the factor n"),
            |c, e| e.expected(0, e.paired[0] / c.old.count() as f64),
        )
        .sides("(1/n) Σ_i Σ_j P_ij (q̃_i − q_i)·z_ij", "(1/n) Σ_i ⟨∂L_S/∂q_i, q̃_i − q_i⟩")
        .in_sense("definition-4.1")
        .part(
            "s1",
            "(e1) log(1 + Σ_{j∈A} e^{ỹ_j}) ≤ log(1 + Σ_{j∈A} e^{y_j}) + Σ_{j∈A} p_j (ỹ_j − y_j) + ½ Σ_{j∈A} (ỹ_j − \
             y_j)², y_j = q_i·z_ij, ỹ_j = q̃_i·z̃_ij, p_j = e^{y_j}/(1 + Σ_{s∈A} e^{y_s}), for all i and A",
            holds(),
            |c, e| e.second_order(c.old.negatives(), 0.5),
        )
        .part(
            "s2",
            "(e2) q̃_i·z̃_ij − q_i·z_ij = (q̃_i − q_i)·z_ij + q_i·(z̃_ij − z_ij) + (q̃_i − q_i)·(z̃_ij − z_ij) for all i ≠ j",
            holds(),
            |_, e| e.logits_split(1.0),
        )
        .part(
            "s3",
            "(e3) (1/n) Σ_i Σ_j P_ij (q̃_i − q_i)·z_ij = (1/n) Σ_i ⟨l̃oss_i, q̃_i − q_i⟩, l̃oss_i = Σ_j P_ij z_ij",
            holds(),
            |_, e| e.expected(0, e.paired[0]),
        )
        .in_sense("facts")
        .part(
            "s4",
            "(e4) (1/n) Σ_i Σ_j P_ij q_i·(z̃_ij − z_ij) = (1/n) Σ_i ⟨l̃oss_i, k̃_i − k_i⟩, l̃oss_i = Σ_j P_ij z_ij, as \
             Section 5.2 prints it",
            fails("the key side belongs there"),
            |_, e| e.expected(1, e.paired[2]),
        )
        .sides("(1/n) Σ_i Σ_j P_ij q_i·(z̃_ij − z_ij)", "(1/n) Σ_i ⟨l̃oss_i, k̃_i − k_i⟩")
        .meant(
            "hat",
            "(e4) (1/n) Σ_i Σ_j P_ij q_i·(z̃_ij − z_ij) = (1/n) Σ_i ⟨l̂oss_i, k̃_i − k_i⟩, l̂oss_i = Σ_j (P_ji q_j − P_ij \
             q_i), as Appendix D prints it",
            holds(),
            |_, e| e.expected(1, e.paired[1]),
        )
        .because("Appendix D prints l̂oss_i there")
        .sharpening(
            "quarter",
            "(e1) log(1 + Σ_{j∈A} e^{ỹ_j}) ≤ log(1 + Σ_{j∈A} e^{y_j}) + Σ_{j∈A} p_j (ỹ_j − y_j) + ¼ Σ_{j∈A} (ỹ_j − \
             y_j)², y_j = q_i·z_ij, ỹ_j = q̃_i·z̃_ij, p_j = e^{y_j}/(1 + Σ_{s∈A} e^{y_s}), for all i and A",
            holds(),
            |c, e| e.second_order(c.old.negatives(), 0.25),
        )
        .control(
            "a",
            "(e1) without the squares: log(1 + Σ_{j∈A} e^{ỹ_j}) ≤ log(1 + Σ_{j∈A} e^{y_j}) + Σ_{j∈A} p_j (ỹ_j − y_j), \
             y_j = q_i·z_ij, ỹ_j = q̃_i·z̃_ij, p_j = e^{y_j}/(1 + Σ_{s∈A} e^{y_s})",
            |c, e| e.second_order(c.old.negatives(), 0.0),
        )
        .control("b", "(e2) without (q̃−q)·(z̃−z)", |_, e| e.logits_split(0.0))
}

fn changes() -> Vec<(String, Change)> {
    let mut list = Vec::new();
    for (name, old) in query_key_outputs::named() {
        for (size, by) in [("unit", 1.0), ("small", 1e-3)] {
            let row = |i: usize, sign: f64| -> Vec<f64> {
                (0..old.dimension()).map(|c| by * (0.5 + sign * i as f64 - 0.75 * c as f64)).collect()
            };
            let rows = |sign: f64| (0..old.count()).map(|i| row(i, sign)).collect::<Vec<_>>();
            let change = Change { old: old.clone(), queries: rows(0.5), keys: rows(-1.0) };
            list.push((format!("{name}, {size} change"), change));
        }
    }
    // Two negatives that share everything, moved apart: the second derivative along the change is nearly ½.
    let shared = query_key_outputs::outputs(2, &[&[1.0], &[0.0], &[0.0]], &[&[0.0], &[20.0], &[20.0]]);
    let apart =
        Change { old: shared, queries: vec![vec![0.0]; 3], keys: vec![vec![0.0], vec![0.015625], vec![-0.015625]] };
    list.push(("two negatives share everything and move apart".into(), apart));
    list
}

fn drawn() -> impl Strategy<Value = Change> {
    let size = prop_oneof![Just(1.0), Just(1e-3), Just(5.0)];
    (query_key_outputs::drawn(5), size).prop_flat_map(|(old, size)| {
        let rows = vec(vec(-1.0..1.0f64, old.dimension()), old.count());
        let shrunk = move |rows: Vec<Vec<f64>>| rows.iter().map(|r| scaled(r, size)).collect();
        (Just(old), rows.clone(), rows).prop_map(move |(old, queries, keys)| Change {
            old,
            queries: shrunk(queries),
            keys: shrunk(keys),
        })
    })
}
