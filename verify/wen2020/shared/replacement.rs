//! The contrastive loss with k negatives drawn one by one from the other points, with replacement.

use contrastive::key_logits;
use enclosures::interval::Dual;

/// All sequences of `k` members of `items`.
fn sequences(items: &[usize], k: usize) -> Vec<Vec<usize>> {
    let longer = |lists: Vec<Vec<usize>>, _| {
        let extended = |list: Vec<usize>| items.iter().map(move |&j| [list.as_slice(), &[j]].concat());
        lists.into_iter().flat_map(extended).collect()
    };
    (0..k).fold(vec![Vec::new()], longer)
}

/// (1/n) Σ_i E log(1 + Σ_{r≤k} e^{s_{i,J_r}}) with independent J_1, …, J_k uniform on the points other than i.
pub fn loss_with_replacement<const K: usize>(queries: &[Vec<Dual<K>>], keys: &[Vec<Dual<K>>], k: usize) -> Dual<K> {
    let count = queries.len();
    let of_point = |(i, logits): (usize, &Vec<Dual<K>>)| {
        let others: Vec<usize> = (0..count).filter(|&j| j != i).collect();
        let drawn = sequences(&others, k);
        let loss = |list: &Vec<usize>| list.iter().map(|&j| logits[j].exp()).sum::<Dual<K>>().ln_1p();
        drawn.iter().map(loss).sum::<Dual<K>>() / drawn.len() as f64
    };
    key_logits(queries, keys).iter().enumerate().map(of_point).sum::<Dual<K>>() / count as f64
}

#[cfg(test)]
mod tests {
    use contrastive::QueriesAndKeys;

    use super::*;

    fn loss(o: &QueriesAndKeys, k: usize) -> Dual<0> {
        let [queries, keys] = o.constants::<0>();
        loss_with_replacement(&queries, &keys, k)
    }

    fn outputs(negatives: usize) -> QueriesAndKeys {
        let queries = vec![vec![0.5, -1.0], vec![1.5, 0.25], vec![-0.75, 0.5]];
        let keys = vec![vec![1.0, 0.5], vec![-0.5, 1.25], vec![0.25, -1.0]];
        QueriesAndKeys::new(negatives, queries, keys).unwrap()
    }

    /// Of three points two others, a and b: twice a, a and b in either order, twice b.
    #[test]
    fn two_draws_from_two_points_are_written_out() {
        let o = outputs(2);
        let logits = o.logits();
        let others = [(0, 1, 2), (1, 0, 2), (2, 0, 1)];
        let of_point = |(i, j, l): (usize, usize, usize)| {
            let (a, b) = (logits[i][j].exp(), logits[i][l].exp());
            ((a * 2.0).ln_1p() + (a + b).ln_1p() * 2.0 + (b * 2.0).ln_1p()) / 4.0
        };
        let expected = others.map(of_point).into_iter().sum::<enclosures::interval::Interval>() / 3.0;
        assert!((loss(&o, 2).value - expected).abs().hi() < 1e-14);
    }

    /// One draw is a set of one. With more, a repeated point takes the place of another: less is seen of the others on
    /// average, by concavity, so that the loss is smaller than with different points.
    #[test]
    fn one_draw_is_a_set_and_repetitions_lower_the_loss() {
        assert!((loss(&outputs(1), 1).value - outputs(1).loss()).abs().hi() < 1e-14);
        assert!(loss(&outputs(2), 2).value.hi() < outputs(2).loss().lo());
        // Two points leave one other: k draws of it.
        let two = QueriesAndKeys::new(1, vec![vec![1.0], vec![2.0]], vec![vec![0.5], vec![0.0]]).unwrap();
        let one = |logit: f64| (3.0 * enclosures::enclosure::exact(logit).exp()).ln_1p().interval();
        assert!((loss(&two, 3).value - (one(-0.5) + one(1.0)) / 2.0).abs().hi() < 1e-14);
    }
}
