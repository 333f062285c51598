//! The outputs of two encoders on n points.

use serde::{Deserialize, Serialize};

use super::enumeration::{key_logits, subset_loss, subset_weights};
use crate::ContrastiveError;
use enclosures::interval::{Dual, Interval};
use enclosures::linear_algebra::quarter_turn;
use evidence::instance::Instance;

/// The most points for which sums over all sets of negatives are taken.
const MOST_POINTS: usize = 20;

/// Queries `q_1 .. q_n` and keys `k_1 .. k_n` in R^d and the number `k` of negatives, with `2 <= n <= 20` and `1 <= k <= n - 1`.
///
/// ```
/// use contrapositive_contrastive::QueriesAndKeys;
/// let zero = QueriesAndKeys::new(2, vec![vec![0.0]; 3], vec![vec![1.0], vec![2.0], vec![4.0]])?;
/// assert!(zero.loss().contains(core_math::log(3.0)));
/// assert!(zero.weights()[0][1].contains(1.0 / 3.0));
/// # Ok::<(), contrapositive_contrastive::ContrastiveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedOutputs")]
pub struct QueriesAndKeys {
    negatives: usize,
    queries: Vec<Vec<f64>>,
    keys: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedOutputs {
    negatives: usize,
    queries: Vec<Vec<f64>>,
    keys: Vec<Vec<f64>>,
}

impl TryFrom<UncheckedOutputs> for QueriesAndKeys {
    type Error = ContrastiveError;
    fn try_from(raw: UncheckedOutputs) -> Result<Self, ContrastiveError> {
        Self::new(raw.negatives, raw.queries, raw.keys)
    }
}

impl QueriesAndKeys {
    /// Rows of one dimension, as many queries as keys.
    ///
    /// # Errors
    /// Fewer than two or more than twenty points, no negatives or more than `n - 1`, different dimensions, coordinates that are
    /// not finite.
    pub fn new(negatives: usize, queries: Vec<Vec<f64>>, keys: Vec<Vec<f64>>) -> Result<Self, ContrastiveError> {
        let (count, expected) = (queries.len(), queries.first().map_or(0, Vec::len));
        if keys.len() != count {
            let (what, found) = ("the list of keys".to_owned(), keys.len());
            return Err(ContrastiveError::Dimension { what, found, expected: count });
        }
        if expected == 0 {
            return Err(ContrastiveError::NoCoordinates);
        }
        if !(2..=MOST_POINTS).contains(&count) || !(1..count).contains(&negatives) {
            return Err(ContrastiveError::TaskSize { k: negatives, classes: count });
        }
        for (kind, rows) in [("query", &queries), ("key", &keys)] {
            for (i, row) in rows.iter().enumerate() {
                let (what, found) = (format!("{kind} {i}"), row.len());
                if found != expected {
                    return Err(ContrastiveError::Dimension { what, found, expected });
                }
                if let Some(&value) = row.iter().find(|x| !x.is_finite()) {
                    return Err(ContrastiveError::NotFinite { what, value });
                }
            }
        }
        Ok(QueriesAndKeys { negatives, queries, keys })
    }

    /// Number n of points.
    #[must_use]
    pub fn count(&self) -> usize {
        self.queries.len()
    }

    /// Dimension d of the outputs.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.queries[0].len()
    }

    /// Number k of negatives.
    #[must_use]
    pub fn negatives(&self) -> usize {
        self.negatives
    }

    /// The queries, n rows of d.
    #[must_use]
    pub fn queries(&self) -> &[Vec<f64>] {
        &self.queries
    }

    /// The keys, n rows of d.
    #[must_use]
    pub fn keys(&self) -> &[Vec<f64>] {
        &self.keys
    }

    /// Queries and keys as numbers without derivatives.
    #[must_use]
    pub fn constants<const K: usize>(&self) -> [Vec<Vec<Dual<K>>>; 2] {
        let constant =
            |rows: &[Vec<f64>]| rows.iter().map(|r| r.iter().map(|&x| Dual::constant(x)).collect()).collect();
        [constant(&self.queries), constant(&self.keys)]
    }

    /// The logits `s_ij = q_i . (k_j - k_i)`, n rows of n.
    #[must_use]
    pub fn logits(&self) -> Vec<Vec<Interval>> {
        let [queries, keys] = self.constants::<0>();
        let rows = key_logits(&queries, &keys).into_iter();
        rows.map(|row| row.into_iter().map(|s| s.value).collect()).collect()
    }

    /// `L_S`, in nats, by the sum over all sets.
    #[must_use]
    pub fn loss(&self) -> Interval {
        let [queries, keys] = self.constants::<0>();
        subset_loss(&queries, &keys, self.negatives).value
    }

    /// The weights `P_ij`, n rows of n, by the sum over all sets.
    #[must_use]
    pub fn weights(&self) -> Vec<Vec<Interval>> {
        subset_weights(&self.logits(), self.negatives)
    }

    /// `sum_j P_ij (k_j - k_i)`, which is `n` times the derivative of `L_S` with respect to `q_i`: n rows of d.
    #[must_use]
    pub fn query_loss_vectors(&self) -> Vec<Vec<Interval>> {
        let row = |(i, weights): (usize, &Vec<Interval>)| {
            let entry = |c: usize| {
                let terms = weights.iter().zip(&self.keys);
                terms.map(|(&p, k)| p * (Interval::point(k[c]) - self.keys[i][c])).sum()
            };
            (0..self.dimension()).map(entry).collect()
        };
        self.weights().iter().enumerate().map(row).collect()
    }

    /// `sum_j (P_ji q_j - P_ij q_i)`, which is `n` times the derivative of `L_S` with respect to `k_i`: n rows of d.
    #[must_use]
    pub fn key_loss_vectors(&self) -> Vec<Vec<Interval>> {
        let weights = self.weights();
        let row = |i: usize| {
            let entry = |c: usize| {
                let pair = |j: usize| weights[j][i] * self.queries[j][c] - weights[i][j] * self.queries[i][c];
                (0..self.count()).map(pair).sum()
            };
            (0..self.dimension()).map(entry).collect()
        };
        (0..self.count()).map(row).collect()
    }

    /// The derivatives of `L_S` with respect to all queries and to all keys, n rows of d each, by exact differentiation of its
    /// definition as a sum over all sets: nothing here knows of the weights.
    #[must_use]
    pub fn derivatives(&self) -> [Vec<Vec<Interval>>; 2] {
        [0, 1].map(|side| {
            let one = |i: usize, c: usize| {
                let mut outputs = self.constants::<1>();
                outputs[side][i][c].slopes = [Interval::ONE];
                subset_loss(&outputs[0], &outputs[1], self.negatives).slopes[0]
            };
            let row = |i: usize| (0..self.dimension()).map(|c| one(i, c)).collect();
            (0..self.count()).map(row).collect()
        })
    }
}

/// One vector for each point.
type Rows = Vec<Vec<f64>>;

impl Instance for QueriesAndKeys {
    fn describe(&self) -> String {
        format!(
            "n = {}, k = {}, d = {}, queries {:?}, keys {:?}",
            self.count(),
            self.negatives,
            self.dimension(),
            self.queries,
            self.keys
        )
    }

    fn simpler(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut offer = |negatives: usize, queries: Vec<Vec<f64>>, keys: Vec<Vec<f64>>| {
            found.extend(Self::new(negatives, queries, keys).ok());
        };
        let without = |rows: &[Vec<f64>], i: usize| {
            let kept = rows.iter().enumerate().filter(|(j, _)| *j != i);
            kept.map(|(_, r)| r.clone()).collect::<Vec<_>>()
        };
        for i in 0..self.count() {
            let (queries, keys) = (without(&self.queries, i), without(&self.keys, i));
            offer(self.negatives.min(self.count() - 2), queries.clone(), keys.clone());
            offer(self.negatives.saturating_sub(1), queries, keys);
        }
        offer(1, self.queries.clone(), self.keys.clone());
        offer(self.negatives - 1, self.queries.clone(), self.keys.clone());
        for c in 0..self.dimension() {
            let narrowed = |rows: &[Vec<f64>]| {
                let row = |r: &Vec<f64>| {
                    let kept = r.iter().enumerate().filter(|(j, _)| *j != c);
                    kept.map(|(_, &x)| x).collect()
                };
                rows.iter().map(row).collect()
            };
            offer(self.negatives, narrowed(&self.queries), narrowed(&self.keys));
        }
        found.retain(|smaller| smaller != self);
        found
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let of = |change: fn(&[Vec<f64>]) -> Rows| QueriesAndKeys {
            negatives: self.negatives,
            queries: change(&self.queries),
            keys: change(&self.keys),
        };
        vec![
            ("points in another order", of(|rows| rows.iter().rev().cloned().collect())),
            ("points turned", of(|rows| rows.iter().map(|row| quarter_turn(row)).collect())),
        ]
    }
}
