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
    key_logits(queries, keys)
        .iter()
        .enumerate()
        .map(of_point)
        .sum::<Dual<K>>()
        / count as f64
}
