//! Outputs of two encoders, for the statements that need no network, and how lists of numbers are compared.

use contrastive::QueriesAndKeys;
use enclosures::vectors;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};

/// Outputs from their rows.
pub fn outputs(negatives: usize, queries: &[&[f64]], keys: &[&[f64]]) -> QueriesAndKeys {
    let rows = |rows: &[&[f64]]| rows.iter().map(|r| r.to_vec()).collect();
    QueriesAndKeys::new(negatives, rows(queries), rows(keys)).expect("the families are made of valid parts")
}

/// The same number for every point.
fn line(negatives: usize, queries: &[f64], keys: &[f64]) -> QueriesAndKeys {
    let rows = |numbers: &[f64]| numbers.iter().map(|&x| vec![x]).collect();
    QueriesAndKeys::new(negatives, rows(queries), rows(keys)).expect("the families are made of valid parts")
}

/// Outputs with a name that says what is special about them.
pub fn named() -> Vec<(String, QueriesAndKeys)> {
    let mut list: Vec<(String, QueriesAndKeys)> = Vec::new();
    let mut add = |name: &str, o: QueriesAndKeys| list.push((name.to_owned(), o));
    add("n = 2, one query, one key", line(1, &[1.0, 0.0], &[0.0, 1.0]));
    add("n = 2, opposite", line(1, &[1.0, -1.0], &[1.0, -1.0]));
    add("n = 3, k = 2, one query", line(2, &[1.0, 0.0, 0.0], &[0.0, 1.0, 2.0]));
    add("n = 3, k = 1, one query", line(1, &[1.0, 0.0, 0.0], &[0.0, 1.0, 2.0]));
    add("all queries zero, distinct keys", line(3, &[0.0; 4], &[0.5, -1.0, 2.0, 4.0]));
    add("all queries zero, k = 1", line(1, &[0.0; 3], &[1.0, 2.0, 4.0]));
    add("all keys equal", line(2, &[1.0, -2.0, 0.5, 3.0], &[1.5; 4]));
    add("all queries and all keys equal", line(2, &[2.0; 4], &[1.0; 4]));
    add("everything zero", line(2, &[0.0; 3], &[0.0; 3]));
    add("a logit of 200", line(2, &[1.0, 0.0, -1.0], &[0.0, 200.0, 100.0]));
    add("logits of ±200", line(1, &[1.0, -1.0], &[0.0, 200.0]));
    add("unequal logits", line(2, &[3.0, -1.0, 0.5, 2.0], &[0.0, 1.0, -2.0, 3.0]));
    let square: [&[f64]; 4] = [&[1.0, 0.0], &[0.0, 1.0], &[-1.0, 0.0], &[0.0, -1.0]];
    add("queries and keys on a square", outputs(2, &square, &square));
    let turned: [&[f64]; 4] = [&[0.0, 1.0], &[-1.0, 0.0], &[0.0, -1.0], &[1.0, 0.0]];
    add("keys turned by a right angle", outputs(3, &square, &turned));
    list
}

/// Gaussian-like outputs of all scales with 2 ≤ n ≤ `most` points and all k.
pub fn drawn(most: usize) -> impl Strategy<Value = QueriesAndKeys> {
    let scale = prop_oneof![Just(1.0), Just(0.1), Just(3.0), Just(0.01)];
    (2..=most, 1usize..=3, scale).prop_flat_map(|(n, d, scale)| {
        let rows = || vec(vec(-1.0..1.0f64, d), n);
        (1..n, rows(), rows()).prop_map(move |(k, queries, keys)| {
            let scaled = |rows: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
                rows.into_iter().map(|r| r.into_iter().map(|x| 2.0 * scale * x).collect()).collect()
            };
            QueriesAndKeys::new(k, scaled(queries), scaled(keys)).expect("the families are made of valid parts")
        })
    })
}

/// The named and the drawn outputs.
pub fn families(most: usize) -> Vec<Family<QueriesAndKeys>> {
    vec![edge("named", named), random("drawn", move || drawn(most))]
}

/// All queries zero or all keys equal: every loss vector or every logit vanishes.
pub fn degenerate(o: &QueriesAndKeys) -> bool {
    o.queries().iter().flatten().all(|&x| x == 0.0) || o.keys().windows(2).all(|pair| pair[0] == pair[1])
}

/// The name of that property.
pub const DEGENERATE: &str = "all queries zero, or all keys equal";

/// The largest coordinate of the outputs, at least one.
pub fn size(o: &QueriesAndKeys) -> f64 {
    let all = o.queries().iter().chain(o.keys()).flatten();
    all.map(|x| x.abs()).fold(1.0, f64::max)
}

/// The statement that two lists of vectors that are sums of outputs of this size agree.
pub fn same_vectors(left: &[Vec<Interval>], right: &[Vec<Interval>], size: f64) -> Evaluation {
    same_sums_of(&left.concat(), &right.concat(), size)
}

/// The statement that two lists of numbers that are sums of numbers of about one agree.
pub fn same_numbers(left: &[Interval], right: &[Interval]) -> Evaluation {
    same_sums_of(left, right, 1.0)
}

/// The statement that two lists of sums agree, each on the scale of what was added up, `size`.
pub fn same_sums(left: &[Interval], right: &[Interval], size: f64) -> Evaluation {
    if left.len() != right.len() {
        return Evaluation::Failed(format!("{} and {} numbers", left.len(), right.len()));
    }
    let entry = |(i, (&a, &b)): (usize, (&Interval, &Interval))| {
        let compared = equal(a, b).on_scale_of("the terms before they cancel", size);
        (format!("entry {}", i + 1), compared)
    };
    all_of(left.iter().zip(right).enumerate().map(entry))
}

/// Sums that cancel down to this fraction of what was added up count as zero.
const CANCELLED: f64 = 1e-4;

/// The statement that two lists of sums of numbers of about `size` agree: every entry on the scale of the largest of all, or of what is left
/// of `size` where all cancel.
pub fn same_sums_of(left: &[Interval], right: &[Interval], size: f64) -> Evaluation {
    let entries = left.iter().chain(right).map(|x| x.magnitude());
    same_sums(left, right, entries.fold(CANCELLED * size, f64::max))
}

/// The statement that the vectors add up to zero, for sums of outputs of this size.
pub fn adds_up_to_zero(vectors: &[Vec<Interval>], size: f64) -> Evaluation {
    let length = vectors.first().map_or(0, Vec::len);
    let total = |c: usize| vectors.iter().map(|v| v[c]).sum::<Interval>();
    let totals: Vec<Interval> = (0..length).map(total).collect();
    let largest = vectors.iter().flatten().map(|x| x.magnitude()).fold(0.0, f64::max);
    same_sums_of(&totals, &vec![Interval::ZERO; length], size.max(largest / CANCELLED))
}

/// Every vector times a number.
pub fn scaled(rows: &[Vec<Interval>], factor: f64) -> Vec<Vec<Interval>> {
    rows.iter().map(|r| vectors::scaled(r, factor)).collect()
}

/// Every vector times the number of points.
pub fn times_n(o: &QueriesAndKeys, vectors: &[Vec<Interval>]) -> Vec<Vec<Interval>> {
    scaled(vectors, o.count() as f64)
}

#[cfg(test)]
mod tests {
    use enclosures::vectors::points;
    use evidence::judge::Judgement;
    use evidence::testing::judged;

    use super::*;

    /// Without queries all logits vanish, and with equal keys too: the loss is log(k + 1).
    #[test]
    fn degenerate_outputs_have_the_loss_of_a_guess() {
        let mut tried = 0;
        for (name, o) in named() {
            let guess = (Interval::point(o.negatives() as f64) + 1.0).ln();
            let guessed = (o.loss() - guess).abs().hi() < 1e-14;
            assert_eq!(guessed, degenerate(&o), "{name}");
            tried += usize::from(guessed);
        }
        assert_eq!(tried, 5);
    }

    /// The loss does not change with a shift of all keys, so that its derivatives by the keys add up to zero; those by
    /// the queries need not.
    #[test]
    fn key_vectors_add_up_to_zero_and_others_are_told_from_them() {
        for (name, o) in named().into_iter().filter(|(_, o)| !degenerate(o)) {
            let (keys, size) = (o.key_loss_vectors(), size(&o));
            assert!(judged(adds_up_to_zero(&keys, size)) >= Judgement::Touches, "{name}");
            let mut other = keys.clone();
            other[0][0] += Interval::point(1e-3 * size);
            assert_eq!(judged(adds_up_to_zero(&other, size)), Judgement::Violated, "{name}");
        }
    }

    #[test]
    fn sums_agree_on_the_scale_of_what_was_added_up() {
        let tiny = points(&[1e-18, -1e-18]);
        assert!(judged(same_numbers(&tiny, &points(&[0.0, 0.0]))) >= Judgement::Touches);
        // Against sums of that size they are no rounding.
        assert_eq!(judged(same_sums(&tiny, &points(&[0.0, 0.0]), 1e-18)), Judgement::Violated);
        let rows = [points(&[3.0, 4.0]), points(&[0.5, -1.0])];
        assert!(judged(same_vectors(&rows, &scaled(&rows, 1.0), 4.0)) >= Judgement::Touches);
        assert_eq!(judged(same_vectors(&rows, &scaled(&rows, 1.0 + 1e-6), 4.0)), Judgement::Violated);
        assert!(matches!(same_numbers(&rows[0], &tiny[..1]), Evaluation::Failed(_)));
    }
}
