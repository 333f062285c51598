//! Outputs before and after a step, and the sums into which Lemma D.2 splits the change of the loss.

use contrastive::{QueriesAndKeys, subset_weights, subsets};
use enclosures::vectors::{minus, norm, plus, points, sum_of_products};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Just;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::displaced_encoder::Vector;
use crate::shared::query_key_outputs::{drawn, outputs};

/// Outputs before and after a step.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "from {old} to {new}", valid = Self::is_of_one_shape, simpler = Self::with_fewer, stored)]
pub struct OutputStep {
    #[instance(nested)]
    pub old: QueriesAndKeys,
    #[instance(nested)]
    pub new: QueriesAndKeys,
}

impl OutputStep {
    fn is_of_one_shape(&self) -> Result<(), String> {
        let shape = |o: &QueriesAndKeys| (o.count(), o.dimension(), o.negatives());
        if shape(&self.old) == shape(&self.new) {
            Ok(())
        } else {
            Err("the outputs before and after have different shapes".into())
        }
    }

    fn with_fewer(&self) -> Vec<Self> {
        let pairs = self.old.simpler().into_iter().zip(self.new.simpler());
        pairs.map(|(old, new)| OutputStep { old, new }).collect()
    }
}

/// All sums of the expansion, times n.
pub struct Sums {
    pub count: f64,
    /// n (L_S(new) − L_S(old)).
    pub change: Enclosure,
    /// Σ⟨l̃oss_i, q̃_i − q_i⟩ + Σ⟨l̂oss_i, k̃_i − k_i⟩.
    pub linear: Enclosure,
    /// The same with l̃oss and l̂oss exchanged.
    pub exchanged: Enclosure,
    /// Σ_ij P_ij (q̃_i − q_i)·(z̃_ij − z_ij).
    pub crossed: Enclosure,
    /// (k/(n−1)) Σ_{i≠j} (q̃_i·z̃_ij − q_i·z_ij)².
    pub squares: Enclosure,
    /// Σ_i E (max Δ − min Δ)² over A and the positive, whose Δ is zero, Δ_j = q̃_i·z̃_ij − q_i·z_ij.
    pub ranges: Enclosure,
    /// Σ_ij P_ij q_i·(z̃_ij − z_ij) and Σ⟨l̂oss_i, k̃_i − k_i⟩.
    pub key_part: [Enclosure; 2],
    /// Σ_i E Σ_{j∈A} p_j z_ij·(q̃_i − q_i), set by set, and Σ⟨l̃oss_i, q̃_i − q_i⟩.
    pub query_part: [Enclosure; 2],
    /// For every i and every set A: Ψ_3, Σ_j p_j ‖q̃_i − q_i‖‖z̃_ij − z_ij‖, and ‖q̃_i − q_i‖ max_j ‖z̃_ij − z_ij‖.
    pub cross_terms: Vec<[Enclosure; 3]>,
    /// k.
    pub negatives: f64,
    pub size: f64,
}

fn rows(list: &[Vec<f64>]) -> Vec<Vector> {
    list.iter().map(|r| points(r)).collect()
}

/// What is summed over the points and averaged over the sets of negatives.
struct OverSets {
    /// Σ_i E^{Neg(i)}[Ψ_1].
    first: Interval,
    ranges: Interval,
    /// Ψ_3 with its two bounds for every i and every set.
    cross: Vec<[Enclosure; 3]>,
}

fn over_sets(before: &[Vec<Vector>; 2], after: &[Vec<Vector>; 2], negatives: usize) -> OverSets {
    let n = before[0].len();
    let (mut first, mut ranges, mut cross) = (Interval::ZERO, Interval::ZERO, Vec::new());
    for i in 0..n {
        let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        let sets: Vec<Vec<usize>> = subsets(others.len(), negatives).collect();
        let dq = minus(&after[0][i], &before[0][i]);
        for set in &sets {
            let z = |keys: &[Vector], place: usize| minus(&keys[others[place]], &keys[i]);
            let old: Vec<Vector> = set.iter().map(|&place| z(&before[1], place)).collect();
            let exponentials: Vec<Interval> = old.iter().map(|z| sum_of_products(&before[0][i], z).exp()).collect();
            let total = exponentials.iter().copied().sum::<Interval>() + 1.0;
            let (mut term, mut product, mut largest) = (Interval::ZERO, Interval::ZERO, Interval::ZERO);
            let (mut most, mut least) = (Interval::ZERO, Interval::ZERO);
            for ((&place, old), &e) in set.iter().zip(&old).zip(&exponentials) {
                let new = z(&after[1], place);
                let dz = minus(&new, old);
                let change = sum_of_products(&after[0][i], &new) - sum_of_products(&before[0][i], old);
                (most, least) = (most.max(change), least.min(change));
                first += e / total * sum_of_products(&dq, old) / sets.len() as f64;
                term += e / total * sum_of_products(&dq, &dz);
                product += e / total * norm(&dq) * norm(&dz);
                largest = largest.max(norm(&dz));
            }
            ranges += (most - least).square() / sets.len() as f64;
            cross.push([term, product, norm(&dq) * largest].map(Enclosure::from));
        }
    }
    OverSets { first, ranges, cross }
}

pub fn sums(s: &OutputStep) -> Sums {
    let n = s.old.count();
    let (q, k) = (rows(s.old.queries()), rows(s.old.keys()));
    let (new_q, new_k) = (rows(s.new.queries()), rows(s.new.keys()));
    let weights = subset_weights(&s.old.logits(), s.old.negatives());
    let (query, key) = (s.old.query_loss_vectors(), s.old.key_loss_vectors());
    let (old_logits, new_logits) = (s.old.logits(), s.new.logits());
    let (mut crossed, mut key_side, mut squares) = (Interval::ZERO, Interval::ZERO, Interval::ZERO);
    for i in 0..n {
        for j in (0..n).filter(|&j| j != i) {
            let dz = minus(&minus(&new_k[j], &new_k[i]), &minus(&k[j], &k[i]));
            crossed += weights[i][j] * sum_of_products(&minus(&new_q[i], &q[i]), &dz);
            key_side += weights[i][j] * sum_of_products(&q[i], &dz);
            squares += (new_logits[i][j] - old_logits[i][j]).square();
        }
    }
    let pair = |v: &[Vector], new: &[Vector], old: &[Vector]| -> Interval {
        (0..n).map(|i| sum_of_products(&v[i], &minus(&new[i], &old[i]))).sum()
    };
    let key_pair = pair(&key, &new_k, &k);
    let exchanged = pair(&key, &new_q, &q) + pair(&query, &new_k, &k);
    let query_pair = pair(&query, &new_q, &q);
    let linear = query_pair + key_pair;
    let sets = over_sets(&[q, k], &[new_q.clone(), new_k.clone()], s.old.negatives());
    let (old, new) = (s.old.loss() * n as f64, s.new.loss() * n as f64);
    Sums {
        count: n as f64,
        change: (new - old).into(),
        linear: linear.into(),
        exchanged: exchanged.into(),
        crossed: crossed.into(),
        squares: (squares * s.old.negatives() as f64 / (n as f64 - 1.0)).into(),
        key_part: [key_side.into(), key_pair.into()],
        ranges: sets.ranges.into(),
        query_part: [sets.first.into(), query_pair.into()],
        cross_terms: sets.cross,
        negatives: s.old.negatives() as f64,
        size: old.magnitude() + new.magnitude() + linear.magnitude() + crossed.magnitude(),
    }
}

impl Sums {
    /// Ψ_3 against its bounds, for every point and every set; `factor` times the last one.
    pub fn crossed_bounded(&self, factor: f64) -> Evaluation {
        let parts = self.cross_terms.iter().map(|&[term, product, largest]| {
            let both = [
                ("Cauchy and Schwarz", at_most(term, product).on_scale_of("the terms before they cancel", self.size)),
                (
                    "the largest",
                    at_most(product, factor * largest).on_scale_of("the terms before they cancel", self.size),
                ),
            ];
            ("a set", all_of(both))
        });
        all_of(parts)
    }

    /// n (change − linear terms) against the cross term and `factor` times the squares.
    pub fn bounded(&self, linear: Enclosure, factor: f64) -> Evaluation {
        at_most(self.change - linear, self.crossed + factor * self.squares)
            .on_scale_of("the terms before they cancel", self.size)
    }

    /// The same against `factor` times the squared ranges.
    pub fn bounded_by_range(&self, factor: f64) -> Evaluation {
        at_most(self.change - self.linear, self.crossed + factor * self.ranges)
            .on_scale_of("the terms before they cancel", self.size)
    }
}

/// Logits of which the exponentials are beyond what the sums can hold.
pub fn large_logits() -> Vec<(&'static str, OutputStep)> {
    let outputs = QueriesAndKeys::new(1, vec![vec![20.0], vec![1.0]], vec![vec![-20.0], vec![20.0]]);
    let step = outputs.map(|old| OutputStep { new: old.clone(), old });
    step.into_iter().map(|step| ("a logit of 800", step)).collect()
}

pub fn steps() -> Vec<(&'static str, OutputStep)> {
    let of = |old: QueriesAndKeys, new: QueriesAndKeys| OutputStep { old, new };
    let keys: [&[f64]; 2] = [&[0.0], &[1.0]];
    vec![
        ("one query moves", of(outputs(1, &[&[0.0], &[0.0]], &keys), outputs(1, &[&[1.0], &[0.0]], &keys))),
        ("one query moves a little", of(outputs(1, &[&[1.0], &[0.0]], &keys), outputs(1, &[&[1.0625], &[0.0]], &keys))),
        ("nothing moves", of(outputs(1, &[&[1.0], &[0.0]], &keys), outputs(1, &[&[1.0], &[0.0]], &keys))),
        (
            "keys moved apart, then the query along them",
            of(
                outputs(2, &[&[1.0, 0.0], &[0.0, 0.0], &[0.0, 0.0]], &[&[0.0, 0.0], &[0.0, 1.0], &[0.0, -1.0]]),
                outputs(2, &[&[1.0, 0.5], &[0.0, 0.0], &[0.0, 0.0]], &[&[0.0, 0.0], &[0.0, 1.0], &[0.0, -1.0]]),
            ),
        ),
    ]
}

pub fn drawn_steps() -> impl Strategy<Value = OutputStep> {
    drawn(4).prop_flat_map(|old| {
        let (n, d) = (old.count(), old.dimension());
        let change = || vec(vec(-0.5..0.5f64, d), n);
        (Just(old), change(), change()).prop_map(|(old, dq, dk)| {
            let moved = |rows: &[Vec<f64>], by: &[Vec<f64>]| -> Vec<Vec<f64>> {
                rows.iter().zip(by).map(|(r, b)| plus(r, b)).collect()
            };
            let (queries, keys) = (moved(old.queries(), &dq), moved(old.keys(), &dk));
            let new = QueriesAndKeys::new(old.negatives(), queries, keys).expect("a finite change of valid outputs");
            OutputStep { old, new }
        })
    })
}
