//! Averages over all sets of negatives, one after the other, in intervals that may carry derivatives.

use enclosures::interval::{Dual, Interval};

/// Logits above this are shifted before they are exponentiated.
const LARGEST_EXPONENT: f64 = 300.0;

/// All subsets of `{0, ..., n - 1}` with `k` elements, each in increasing order; for `n` up to 63.
pub fn subsets(n: usize, k: usize) -> impl Iterator<Item = Vec<usize>> {
    let first = if k <= n && n < 64 { Some((1u64 << k) - 1) } else { None };
    // The next larger number with as many bits set.
    let next = move |&bits: &u64| {
        if bits == 0 {
            return None;
        }
        let (lowest, ripple) = (bits & bits.wrapping_neg(), bits + (bits & bits.wrapping_neg()));
        let larger = (((bits ^ ripple) >> 2) / lowest) | ripple;
        (larger < 1 << n).then_some(larger)
    };
    std::iter::successors(first, next).map(move |bits| (0..n).filter(|i| bits >> i & 1 == 1).collect())
}

/// The mean of `of(A)` over all subsets `A` of `items` with `k` elements.
pub fn mean_over_subsets<const K: usize>(
    items: &[usize],
    k: usize,
    mut of: impl FnMut(&[usize]) -> Dual<K>,
) -> Dual<K> {
    let (mut sum, mut count) = (Dual::constant(0.0), 0.0);
    for places in subsets(items.len(), k) {
        let chosen: Vec<usize> = places.into_iter().map(|place| items[place]).collect();
        sum = sum + of(&chosen);
        count += 1.0;
    }
    sum / count
}

/// `s_ij = q_i . (k_j - k_i)` for all `i` and `j`, zero on the diagonal.
pub fn key_logits<const K: usize>(queries: &[Vec<Dual<K>>], keys: &[Vec<Dual<K>>]) -> Vec<Vec<Dual<K>>> {
    let one = |(q, own): (&Vec<Dual<K>>, &Vec<Dual<K>>)| {
        let logit = |key: &Vec<Dual<K>>| {
            let terms = q.iter().zip(key.iter().zip(own));
            terms.map(|(&q, (&key, &own))| q * (key - own)).sum()
        };
        keys.iter().map(logit).collect()
    };
    queries.iter().zip(keys).map(one).collect()
}

/// Exponentials `e^{s_j - c}` of the logits of one anchor and the common shift `c >= 0`, zero for ordinary logits.
struct Exponentials<const K: usize> {
    values: Vec<Dual<K>>,
    shift: f64,
}

impl<const K: usize> Exponentials<K> {
    fn of(logits: &[Dual<K>]) -> Self {
        let largest = logits.iter().map(|s| s.value.hi()).fold(0.0, f64::max);
        let shift = if largest > LARGEST_EXPONENT && largest.is_finite() { largest - LARGEST_EXPONENT } else { 0.0 };
        Exponentials { values: logits.iter().map(|&s| (s - shift).exp()).collect(), shift }
    }

    fn sum(&self, set: &[usize]) -> Dual<K> {
        set.iter().map(|&j| self.values[j]).sum()
    }

    /// `log(1 + sum over the set of e^{s_j})`.
    fn loss(&self, set: &[usize]) -> Dual<K> {
        if self.shift == 0.0 {
            self.sum(set).ln_1p()
        } else {
            (self.sum(set) + (-Interval::point(self.shift)).exp()).ln() + self.shift
        }
    }
}

fn others(count: usize, anchor: usize) -> Vec<usize> {
    (0..count).filter(|&j| j != anchor).collect()
}

/// `L_S` as the mean of `log(1 + sum_{j in A} e^{s_ij})` over all points and all sets of `negatives` other points. The queries and
/// the keys are n rows of one dimension; for `negatives` outside `1 ..= n - 1` there are no sets and nothing is known.
pub fn subset_loss<const K: usize>(queries: &[Vec<Dual<K>>], keys: &[Vec<Dual<K>>], negatives: usize) -> Dual<K> {
    let count = queries.len();
    let of_anchor = |(i, logits): (usize, &Vec<Dual<K>>)| {
        let exponentials = Exponentials::of(logits);
        mean_over_subsets(&others(count, i), negatives, |set| exponentials.loss(set))
    };
    let total: Dual<K> = key_logits(queries, keys).iter().enumerate().map(of_anchor).sum();
    total / count as f64
}

/// The weights `P_ij`: n rows of n, zero on the diagonal, for logits as [`key_logits`] gives them.
pub fn subset_weights(logits: &[Vec<Interval>], negatives: usize) -> Vec<Vec<Interval>> {
    let count = logits.len();
    let of_anchor = |(i, row): (usize, &Vec<Interval>)| {
        let row: Vec<Dual<0>> = row.iter().map(|&s| Dual::constant(s)).collect();
        let exponentials = Exponentials::of(&row);
        let one = (-Interval::point(exponentials.shift)).exp();
        let mut weights = vec![Interval::ZERO; count];
        let mut sets = 0.0;
        let places = others(count, i);
        for set in subsets(places.len(), negatives) {
            let set: Vec<usize> = set.into_iter().map(|place| places[place]).collect();
            let total = exponentials.sum(&set).value + one;
            for &j in &set {
                weights[j] += exponentials.values[j].value / total;
            }
            sets += 1.0;
        }
        weights.into_iter().map(|w| w / sets).collect()
    };
    logits.iter().enumerate().map(of_anchor).collect()
}
