//! Several positive and negative samples: the two readings of the remark after (7).

use serde::{Deserialize, Serialize};

use super::SelfSupervisedError;
use super::triplet_data::{checked_dimension, image, inner, without, without_coordinate};
use enclosures::interval::Interval;
use enclosures::linear_algebra::IntervalMatrix;
use evidence::instance::Instance;

/// Anchors `x_i` with positives `x_ij^+` and negatives `x_ij^-` of their own (the index i is suppressed in print).
///
/// Numbers of positives and of negatives may differ, also between anchors, and may be zero. Sums, not means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnchoredSamples {
    /// `x_i`, at least one.
    pub anchors: Vec<Vec<f64>>,
    /// For each anchor the list of its positives.
    pub positives: Vec<Vec<Vec<f64>>>,
    /// For each anchor the list of its negatives.
    pub negatives: Vec<Vec<Vec<f64>>>,
}

/// Anchors `x_i` with one set of positives `x_j^+` and one of negatives `x_j^-` for all of them: the printed formula, literally.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedSamples {
    /// `x_i`, at least one.
    pub anchors: Vec<Vec<f64>>,
    /// `x_j^+`.
    pub positives: Vec<Vec<f64>>,
    /// `x_j^-`.
    pub negatives: Vec<Vec<f64>>,
}

/// `sum of negatives - sum of positives`, coordinate by coordinate.
fn pull(positives: &[Vec<f64>], negatives: &[Vec<f64>], d: usize) -> Vec<Interval> {
    let sum = |points: &[Vec<f64>], b: usize| points.iter().map(|x| Interval::point(x[b])).sum::<Interval>();
    (0..d).map(|b| sum(negatives, b) - sum(positives, b)).collect()
}

/// `u(x)^T (sum of u(negatives) - sum of u(positives))`, sample by sample.
fn loss_of_anchor(
    map: &IntervalMatrix,
    anchor: &[f64],
    positives: &[Vec<f64>],
    negatives: &[Vec<f64>],
) -> Result<Interval, SelfSupervisedError> {
    let own = image(map, anchor)?;
    let mut total = Interval::ZERO;
    for x in negatives {
        total += inner(&own, &image(map, x)?);
    }
    for x in positives {
        total -= inner(&own, &image(map, x)?);
    }
    Ok(total)
}

/// `sum over i of x_i y_i^T`.
fn outer_products(
    anchors: &[Vec<f64>],
    pulls: &[Vec<Interval>],
    d: usize,
) -> Result<IntervalMatrix, SelfSupervisedError> {
    let entry = |a: usize, b: usize| anchors.iter().zip(pulls).map(|(x, y)| y[b] * x[a]).sum();
    Ok(IntervalMatrix::from_fn(d, d, entry)?)
}

impl AnchoredSamples {
    fn check(&self) -> Result<usize, SelfSupervisedError> {
        let positives = self.positives.iter().map(|list| ("positive", &list[..]));
        let negatives = self.negatives.iter().map(|list| ("negative", &list[..]));
        let d = checked_dimension(&self.anchors, positives.chain(negatives))?;
        let expected = self.anchors.len();
        for (role, found) in
            [("lists of positives", self.positives.len()), ("lists of negatives", self.negatives.len())]
        {
            if found != expected {
                return Err(SelfSupervisedError::Count { role, found, expected });
            }
        }
        Ok(d)
    }

    /// The loss `sum over i of u(x_i)^T (sum over j of u(x_ij^-) - sum over j of u(x_ij^+))` of `u(x) = A x`, `A` of shape `z x d`.
    ///
    /// # Errors
    /// Data that do not fit together, or a map of another dimension.
    pub fn loss(&self, map: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
        self.check()?;
        let mut total = Interval::ZERO;
        for (i, x) in self.anchors.iter().enumerate() {
            total += loss_of_anchor(map, x, &self.positives[i], &self.negatives[i])?;
        }
        Ok(total)
    }

    /// The matrix `sum over i of x_i (sum over j of x_ij^- - sum over j of x_ij^+)^T` (`d x d`).
    ///
    /// # Errors
    /// Data that do not fit together.
    pub fn matrix(&self) -> Result<IntervalMatrix, SelfSupervisedError> {
        let d = self.check()?;
        let pulls: Vec<Vec<Interval>> =
            (0..self.anchors.len()).map(|i| pull(&self.positives[i], &self.negatives[i], d)).collect();
        outer_products(&self.anchors, &pulls, d)
    }
}

impl SharedSamples {
    fn check(&self) -> Result<usize, SelfSupervisedError> {
        let others = [("positive", &self.positives[..]), ("negative", &self.negatives[..])];
        checked_dimension(&self.anchors, others)
    }

    /// The loss `sum over i of u(x_i)^T (sum over j of u(x_j^-) - sum over j of u(x_j^+))` of `u(x) = A x`, `A` of shape `z x d`.
    ///
    /// # Errors
    /// Data that do not fit together, or a map of another dimension.
    pub fn loss(&self, map: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
        self.check()?;
        let mut total = Interval::ZERO;
        for x in &self.anchors {
            total += loss_of_anchor(map, x, &self.positives, &self.negatives)?;
        }
        Ok(total)
    }

    /// The matrix `sum over i of (sum over j of x_i (x_j^-)^T - sum over j of x_i (x_j^+)^T)` (`d x d`).
    ///
    /// # Errors
    /// Data that do not fit together.
    pub fn matrix(&self) -> Result<IntervalMatrix, SelfSupervisedError> {
        let d = self.check()?;
        let pulls = vec![pull(&self.positives, &self.negatives, d); self.anchors.len()];
        outer_products(&self.anchors, &pulls, d)
    }
}

impl Instance for AnchoredSamples {
    fn describe(&self) -> String {
        let most = |lists: &[Vec<Vec<f64>>]| lists.iter().map(Vec::len).max().unwrap_or(0);
        let d = self.anchors.first().map_or(0, Vec::len);
        let (n, p, q) = (self.anchors.len(), most(&self.positives), most(&self.negatives));
        format!("n = {n}, d = {d}, p = {p}, q = {q}, samples of their own")
    }

    fn validate(&self) -> Result<(), String> {
        self.check().map(drop).map_err(|error| error.to_string())
    }

    fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if self.anchors.len() > 1 {
            all.extend((0..self.anchors.len()).map(|k| AnchoredSamples {
                anchors: without(&self.anchors, k),
                positives: without(&self.positives, k),
                negatives: without(&self.negatives, k),
            }));
        }
        for i in 0..self.anchors.len() {
            for j in 0..self.positives.get(i).map_or(0, Vec::len) {
                let mut fewer = self.clone();
                fewer.positives[i].remove(j);
                all.push(fewer);
            }
            for j in 0..self.negatives.get(i).map_or(0, Vec::len) {
                let mut fewer = self.clone();
                fewer.negatives[i].remove(j);
                all.push(fewer);
            }
        }
        let d = self.anchors.first().map_or(0, Vec::len);
        if d > 1 {
            let lists = |all: &[Vec<Vec<f64>>], k| all.iter().map(|list| without_coordinate(list, k)).collect();
            all.extend((0..d).map(|k| AnchoredSamples {
                anchors: without_coordinate(&self.anchors, k),
                positives: lists(&self.positives, k),
                negatives: lists(&self.negatives, k),
            }));
        }
        all
    }
}

impl Instance for SharedSamples {
    fn describe(&self) -> String {
        let d = self.anchors.first().map_or(0, Vec::len);
        let (n, p, q) = (self.anchors.len(), self.positives.len(), self.negatives.len());
        format!("n = {n}, d = {d}, p = {p}, q = {q}, shared samples")
    }

    fn validate(&self) -> Result<(), String> {
        self.check().map(drop).map_err(|error| error.to_string())
    }

    fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        let with = |anchors: &[Vec<f64>], positives: &[Vec<f64>], negatives: &[Vec<f64>]| SharedSamples {
            anchors: anchors.to_vec(),
            positives: positives.to_vec(),
            negatives: negatives.to_vec(),
        };
        let (x, plus, minus) = (&self.anchors, &self.positives, &self.negatives);
        if x.len() > 1 {
            all.extend((0..x.len()).map(|k| with(&without(x, k), plus, minus)));
        }
        all.extend((0..plus.len()).map(|k| with(x, &without(plus, k), minus)));
        all.extend((0..minus.len()).map(|k| with(x, plus, &without(minus, k))));
        let d = x.first().map_or(0, Vec::len);
        if d > 1 {
            let but = without_coordinate;
            all.extend((0..d).map(|k| with(&but(x, k), &but(plus, k), &but(minus, k))));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::self_supervised::trace_loss;
    use enclosures::linear_algebra::Matrix;

    fn points(entries: &[i8]) -> Vec<Vec<f64>> {
        entries.chunks_exact(2).map(|c| c.iter().map(|&x| f64::from(x)).collect()).collect()
    }

    proptest! {
        #[test]
        fn both_readings_are_identities(
            e in prop::collection::vec(-8..=8i8, 4), plus in prop::collection::vec(-8..=8i8, 0..8),
            minus in prop::collection::vec(-8..=8i8, 0..8), m in prop::collection::vec(-3..=3i8, 2),
        ) {
            let (x, plus, minus) = (points(&e), points(&plus), points(&minus));
            let map: IntervalMatrix = Matrix::new(1, 2, m.into_iter().map(f64::from).collect()).unwrap().into();
            let shared = SharedSamples { anchors: x.clone(), positives: plus.clone(), negatives: minus.clone() };
            prop_assert_eq!(trace_loss(&map, &shared.matrix().unwrap()).unwrap(), shared.loss(&map).unwrap());
            let own = AnchoredSamples { anchors: x, positives: vec![plus, vec![]], negatives: vec![vec![], minus] };
            prop_assert_eq!(trace_loss(&map, &own.matrix().unwrap()).unwrap(), own.loss(&map).unwrap());
            prop_assert!(own.simpler().iter().all(|s| s.validate().is_ok()));
            prop_assert!(shared.simpler().iter().all(|s| s.validate().is_ok()));
        }
    }

    #[test]
    fn missing_lists_are_refused() {
        let own = AnchoredSamples { anchors: vec![vec![1.0]], positives: vec![], negatives: vec![vec![]] };
        assert!(own.validate().is_err() && own.matrix().is_err() && own.simpler().is_empty());
    }
}
