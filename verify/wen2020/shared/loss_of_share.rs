//! The loss as Definition 3.3 prints it, −log of the share of the positive among k + 1 exponentials of inner products.

use contrastive::mean_over_subsets;
use enclosures::interval::{Dual, Interval};

/// −log( e^{q·k_i} / (e^{q·k_i} + Σ_{j∈A} e^{q·k_j}) ), every exponential divided by that of the largest product.
pub fn loss_of_share<const K: usize>(query: &[Dual<K>], keys: &[Vec<Dual<K>>], own: usize, set: &[usize]) -> Dual<K> {
    let product = |j: usize| -> Dual<K> { query.iter().zip(&keys[j]).map(|(&q, &k)| q * k).sum() };
    let largest = set
        .iter()
        .chain([&own])
        .map(|&j| product(j).value.hi())
        .fold(f64::NEG_INFINITY, f64::max);
    let exponential = |j: usize| (product(j) - Interval::point(largest)).exp();
    let positive = exponential(own);
    let total = positive + set.iter().map(|&j| exponential(j)).sum::<Dual<K>>();
    -(positive / total).ln()
}

/// (3.2): its mean over all points and all sets of negatives.
pub fn loss_of_shares<const K: usize>(queries: &[Vec<Dual<K>>], keys: &[Vec<Dual<K>>], negatives: usize) -> Dual<K> {
    let count = queries.len();
    let of_point = |i: usize| {
        let others: Vec<usize> = (0..count).filter(|&j| j != i).collect();
        mean_over_subsets(&others, negatives, |set| loss_of_share(&queries[i], keys, i, set))
    };
    (0..count).map(of_point).sum::<Dual<K>>() / count as f64
}
