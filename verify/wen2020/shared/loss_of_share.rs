//! The loss as Definition 3.3 prints it, −log of the share of the positive among k + 1 exponentials of inner products.

use contrastive::mean_over_subsets;
use enclosures::interval::{Dual, Interval};
use enclosures::vectors::sum_of_products;

/// −log( e^{q·k_i} / (e^{q·k_i} + Σ_{j∈A} e^{q·k_j}) ), every exponential divided by that of the largest product.
pub fn loss_of_share<const K: usize>(query: &[Dual<K>], keys: &[Vec<Dual<K>>], own: usize, set: &[usize]) -> Dual<K> {
    let product = |j: usize| -> Dual<K> { sum_of_products(query, &keys[j]) };
    let largest = set.iter().chain([&own]).map(|&j| product(j).value.hi()).fold(f64::NEG_INFINITY, f64::max);
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

#[cfg(test)]
mod tests {
    use contrastive::QueriesAndKeys;

    use super::*;

    fn outputs(shift: f64, by: [f64; 2]) -> QueriesAndKeys {
        let queries = vec![vec![0.5, -1.0], vec![1.5, 0.25], vec![-0.75, 0.5], vec![2.0, 1.0]];
        let keys = [[1.0, 0.5], [-0.5, 1.25], [0.25, -1.0], [1.5, 0.0]];
        let mut keys: Vec<Vec<f64>> = keys.iter().map(|k| vec![k[0] + shift, k[1] - 2.0 * shift]).collect();
        (keys[2][0], keys[2][1]) = (keys[2][0] + by[0], keys[2][1] + by[1]);
        QueriesAndKeys::new(2, queries, keys).unwrap()
    }

    fn value(o: &QueriesAndKeys) -> Interval {
        let [queries, keys] = o.constants::<0>();
        loss_of_shares(&queries, &keys, o.negatives()).value
    }

    /// With two points the share is e^{q·k_0}/(e^{q·k_0} + e^{q·k_1}): logarithms of 1/4 and of 9/10.
    #[test]
    fn two_points_have_the_shares_that_are_worked_by_hand() {
        let log = |x: f64| core_math::log(x);
        let query = |q: f64| vec![Dual::<0>::constant(q)];
        let keys = [query(log(2.0)), query(log(6.0))];
        let share = |q: f64, own: usize| loss_of_share(&query(q), &keys, own, &[1 - own]).value;
        assert!((share(1.0, 0) - Interval::point(4.0).ln()).abs().hi() < 1e-14);
        // 2² against 6².
        assert!((share(2.0, 1) - (Interval::point(10.0) / 9.0).ln()).abs().hi() < 1e-14);
        let both = loss_of_shares(&[query(1.0), query(2.0)], &keys, 1).value;
        assert!((both - (Interval::point(40.0) / 9.0).ln() / 2.0).abs().hi() < 1e-14);
    }

    /// Only differences of products count; and the form without shares has the same value.
    #[test]
    fn the_loss_does_not_change_with_a_shift_of_all_keys() {
        let at_rest = value(&outputs(0.0, [0.0; 2]));
        for shift in [0.5, -3.0, 150.0] {
            let shifted = value(&outputs(shift, [0.0; 2]));
            assert!((shifted - at_rest).abs().hi() < 1e-11, "{shift}: {shifted:?}, {at_rest:?}");
        }
        assert!((at_rest - outputs(0.0, [0.0; 2]).loss()).abs().hi() < 1e-13);
    }

    #[test]
    fn derivatives_are_difference_quotients() {
        let [queries, mut keys] = outputs(0.0, [0.0; 2]).constants::<2>();
        keys[2][0].slopes[0] = Interval::ONE;
        keys[2][1].slopes[1] = Interval::ONE;
        let slopes = loss_of_shares(&queries, &keys, 2).slopes;
        for (c, slope) in slopes.into_iter().enumerate() {
            let at = |t: f64| {
                let by = if c == 0 { [t, 0.0] } else { [0.0, t] };
                value(&outputs(0.0, by)).midpoint()
            };
            let quotient = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((slope - quotient).abs().hi() < 1e-8, "{c}: {slope:?}, {quotient}");
        }
    }
}
