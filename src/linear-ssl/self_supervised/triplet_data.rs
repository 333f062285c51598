//! Anchors with one positive and one negative sample each.

use serde::{Deserialize, Serialize};

use super::SelfSupervisedError;
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, MatrixError};
use evidence::instance::Instance;

/// `n` triples `(x_i, x_i^+, x_i^-)` of points of `R^d`, as three lists of rows of one shape, `n >= 1`, `d >= 1`.
///
/// The fields are open so that a search may move them; [`Instance::validate`] and every computation refuse what is not of one
/// shape or not finite. A map is a `z x d` matrix `A`, `u(x) = A x`; for the two-layer linear model `A = W_2^T W_1`.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, equations (1), (2) and (7).
///
/// ```
/// use enclosures::linear_algebra::IntervalMatrix;
/// use contrapositive_linear_ssl::self_supervised::{TripletData, trace_loss};
/// let data = TripletData { anchors: vec![vec![1.0]], positives: vec![vec![1.0]], negatives: vec![vec![0.0]] };
/// let map = IntervalMatrix::identity(1)?;
/// // The non-contrastive loss is -1; with the printed data matrix the trace form gives +1.
/// assert_eq!(data.non_contrastive_loss(&map)?.hi(), -1.0);
/// assert_eq!(trace_loss(&map, &data.printed_non_contrastive_matrix()?)?.lo(), 1.0);
/// # Ok::<(), contrapositive_linear_ssl::self_supervised::SelfSupervisedError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletData {
    /// `x_i`.
    pub anchors: Vec<Vec<f64>>,
    /// `x_i^+`.
    pub positives: Vec<Vec<f64>>,
    /// `x_i^-`.
    pub negatives: Vec<Vec<f64>>,
}

/// Dimension of the anchors; refuses none, empty ones, and any sample of another dimension or with a coordinate that is not finite.
pub(super) fn checked_dimension<'a>(
    anchors: &[Vec<f64>],
    others: impl IntoIterator<Item = (&'static str, &'a [Vec<f64>])>,
) -> Result<usize, SelfSupervisedError> {
    let expected = anchors.first().map_or(0, Vec::len);
    if expected == 0 {
        return Err(SelfSupervisedError::NoAnchor);
    }
    check_points("anchor", anchors, expected)?;
    for (role, points) in others {
        check_points(role, points, expected)?;
    }
    Ok(expected)
}

fn check_points(role: &'static str, points: &[Vec<f64>], expected: usize) -> Result<(), SelfSupervisedError> {
    for (index, point) in points.iter().enumerate() {
        let found = point.len();
        if found != expected {
            return Err(SelfSupervisedError::Dimension { role, index, found, expected });
        }
        if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
            return Err(SelfSupervisedError::NotFinite { role, index, value });
        }
    }
    Ok(())
}

/// `u(x) = A x`.
pub(super) fn image(map: &IntervalMatrix, x: &[f64]) -> Result<Vec<Interval>, MatrixError> {
    let x: Vec<Interval> = x.iter().map(|&t| Interval::point(t)).collect();
    map.times_vector(&x)
}

/// The inner product of two vectors of intervals.
pub(super) fn inner(a: &[Interval], b: &[Interval]) -> Interval {
    a.iter().zip(b).map(|(&x, &y)| x * y).sum()
}

impl TripletData {
    fn check(&self) -> Result<usize, SelfSupervisedError> {
        let others = [("positive", &self.positives[..]), ("negative", &self.negatives[..])];
        let d = checked_dimension(&self.anchors, others)?;
        let expected = self.anchors.len();
        for (role, found) in [("positives", self.positives.len()), ("negatives", self.negatives.len())] {
            if found != expected {
                return Err(SelfSupervisedError::Count { role, found, expected });
            }
        }
        Ok(d)
    }

    /// Number of triples.
    #[must_use]
    pub fn count(&self) -> usize {
        self.anchors.len()
    }

    /// Dimension of the points.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.anchors.first().map_or(0, Vec::len)
    }

    /// The contrastive loss (1) of `u(x) = A x`: `sum over i of u(x_i)^T (u(x_i^-) - u(x_i^+))`.
    ///
    /// # Errors
    /// Data that are not triples, or a map of another dimension.
    pub fn contrastive_loss(&self, map: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
        self.check()?;
        let mut total = Interval::ZERO;
        for ((x, plus), minus) in self.anchors.iter().zip(&self.positives).zip(&self.negatives) {
            let (plus, minus) = (image(map, plus)?, image(map, minus)?);
            let difference: Vec<Interval> = minus.iter().zip(&plus).map(|(&a, &b)| a - b).collect();
            total += inner(&image(map, x)?, &difference);
        }
        Ok(total)
    }

    /// The non-contrastive loss (2) of `u(x) = A x`: `- sum over i of u(x_i)^T u(x_i^+)`. The negatives play no part.
    ///
    /// # Errors
    /// Data that are not triples, or a map of another dimension.
    pub fn non_contrastive_loss(&self, map: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
        self.check()?;
        let mut total = Interval::ZERO;
        for (x, plus) in self.anchors.iter().zip(&self.positives) {
            total -= inner(&image(map, x)?, &image(map, plus)?);
        }
        Ok(total)
    }

    /// The matrix of (7) before symmetrisation, `sum over i of x_i (x_i^- - x_i^+)^T` (`d x d`). Its
    /// [`IntervalMatrix::symmetric_part`] is the data matrix `C` of the contrastive loss.
    ///
    /// # Errors
    /// Data that are not triples.
    pub fn contrastive_matrix(&self) -> Result<IntervalMatrix, SelfSupervisedError> {
        self.outer_products(|i, b| Interval::point(self.negatives[i][b]) - self.positives[i][b])
    }

    /// What the text after (7) prints for the non-contrastive loss, `sum over i of x_i (x_i^+)^T`. It has the wrong
    /// sign: its trace form is *minus* the loss (2).
    ///
    /// # Errors
    /// Data that are not triples.
    pub fn printed_non_contrastive_matrix(&self) -> Result<IntervalMatrix, SelfSupervisedError> {
        self.outer_products(|i, b| Interval::point(self.positives[i][b]))
    }

    /// The matrix that reproduces the non-contrastive loss (2), `- sum over i of x_i (x_i^+)^T`.
    ///
    /// # Errors
    /// Data that are not triples.
    pub fn non_contrastive_matrix(&self) -> Result<IntervalMatrix, SelfSupervisedError> {
        self.outer_products(|i, b| -Interval::point(self.positives[i][b]))
    }

    /// `sum over i of x_i y_i^T`, `y(i, b)` coordinate b of `y_i`.
    fn outer_products(&self, y: impl Fn(usize, usize) -> Interval) -> Result<IntervalMatrix, SelfSupervisedError> {
        let d = self.check()?;
        let entry = |a: usize, b: usize| {
            let terms = self.anchors.iter().enumerate();
            terms.map(|(i, x)| y(i, b) * x[a]).sum()
        };
        Ok(IntervalMatrix::from_fn(d, d, entry)?)
    }

    fn mapped(&self, f: impl Fn(&[Vec<f64>]) -> Vec<Vec<f64>>) -> Self {
        TripletData { anchors: f(&self.anchors), positives: f(&self.positives), negatives: f(&self.negatives) }
    }
}

/// The list without entry `k`.
pub(super) fn without<T: Clone>(list: &[T], k: usize) -> Vec<T> {
    let kept = list.iter().enumerate().filter(|(i, _)| *i != k);
    kept.map(|(_, x)| x.clone()).collect()
}

/// Each point without coordinate `k`.
pub(super) fn without_coordinate(points: &[Vec<f64>], k: usize) -> Vec<Vec<f64>> {
    points.iter().map(|x| without(x, k)).collect()
}

impl Instance for TripletData {
    fn describe(&self) -> String {
        let sizes = format!("n = {}, d = {}", self.count(), self.dimension());
        if self.count() * self.dimension() > 9 {
            return format!("{sizes} triples");
        }
        format!("{sizes}: x = {:?}, x⁺ = {:?}, x⁻ = {:?}", self.anchors, self.positives, self.negatives)
    }

    fn validate(&self) -> Result<(), String> {
        self.check().map(drop).map_err(|error| error.to_string())
    }

    fn simpler(&self) -> Vec<Self> {
        let (n, d) = (self.count(), self.dimension());
        let mut all = Vec::new();
        if n > 3 {
            all.push(self.mapped(|points| points.iter().take(n / 2).cloned().collect()));
        }
        if n > 1 {
            all.extend((0..n).map(|k| self.mapped(|points| without(points, k))));
        }
        if d > 1 {
            all.extend((0..d).map(|k| self.mapped(|points| without_coordinate(points, k))));
        }
        all
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let back = |points: &[Vec<f64>]| points.iter().rev().cloned().collect();
        let reordered = TripletData {
            anchors: back(&self.anchors),
            positives: back(&self.positives),
            negatives: back(&self.negatives),
        };
        vec![("triplets in another order", reordered)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::self_supervised::trace_loss;
    use enclosures::linear_algebra::Matrix;

    fn data() -> TripletData {
        TripletData {
            anchors: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
            positives: vec![vec![0.0, 1.0], vec![1.0, 0.0]],
            negatives: vec![vec![0.0, 2.0], vec![0.0, 0.0]],
        }
    }

    #[test]
    fn the_rotation_has_a_symmetric_part_of_zero() {
        // x_1 (e_2)^T - x_2 (e_1)^T is a quarter turn.
        let c = data().contrastive_matrix().unwrap();
        let quarter: IntervalMatrix = Matrix::from_rows(vec![vec![0.0, 1.0], vec![-1.0, 0.0]]).unwrap().into();
        assert_eq!(c, quarter);
        let zero = IntervalMatrix::new(2, 2, vec![Interval::ZERO; 4]).unwrap();
        assert_eq!(c.symmetric_part().unwrap(), zero);
    }

    #[test]
    fn what_is_not_triples_is_refused() {
        let mut short = data();
        short.negatives.pop();
        assert!(short.validate().unwrap_err().contains("negatives"));
        let mut ragged = data();
        ragged.positives[1].pop();
        assert!(ragged.validate().is_err() && ragged.contrastive_matrix().is_err());
        let mut infinite = data();
        infinite.anchors[0][1] = f64::INFINITY;
        assert!(infinite.non_contrastive_loss(&IntervalMatrix::identity(2).unwrap()).is_err());
        assert!(data().contrastive_loss(&IntervalMatrix::identity(3).unwrap()).is_err());
        let empty = TripletData { anchors: vec![], positives: vec![], negatives: vec![] };
        assert!(empty.validate().is_err() && empty.simpler().is_empty());
    }

    #[test]
    fn simpler_data_are_valid() {
        assert_eq!(data().simpler().len(), 4);
        assert!(data().simpler().iter().all(|s| s.validate().is_ok()));
    }

    proptest! {
        #[test]
        fn the_trace_forms_reproduce_the_losses(e in prop::collection::vec(-8..=8i8, 24), m in prop::collection::vec(-3..=3i8, 6)) {
            let rows = |from: usize| -> Vec<Vec<f64>> {
                (0..4).map(|i| (0..2).map(|j| f64::from(e[from + 2 * i + j])).collect()).collect()
            };
            let data = TripletData { anchors: rows(0), positives: rows(8), negatives: rows(16) };
            let map = Matrix::new(3, 2, m.into_iter().map(f64::from).collect()).unwrap().into();
            // Integers: every identity is exact.
            let loss = data.contrastive_loss(&map).unwrap();
            let matrix = data.contrastive_matrix().unwrap();
            prop_assert_eq!(trace_loss(&map, &matrix).unwrap(), loss);
            prop_assert_eq!(trace_loss(&map, &matrix.symmetric_part().unwrap()).unwrap(), loss);
            let loss = data.non_contrastive_loss(&map).unwrap();
            prop_assert_eq!(trace_loss(&map, &data.non_contrastive_matrix().unwrap()).unwrap(), loss);
            prop_assert_eq!(trace_loss(&map, &data.printed_non_contrastive_matrix().unwrap()).unwrap(), -loss);
        }
    }
}
