//! Samples together with the weights of a two-layer linear model u(x) = W₂ᵀW₁x.

use std::fmt::Debug;

use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError};
use evidence::instance::Instance;
use linear_ssl::self_supervised::{AnchoredSamples, SharedSamples, TripletData};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Samples that lie in one space.
pub trait Samples: Instance {
    /// Dimension of that space.
    fn dimension(&self) -> usize;

    /// The samples themselves where they are few and the description leaves them out.
    fn few(&self) -> Option<String> {
        None
    }
}

/// Samples with more coordinates than this are too long for a line.
const FEW: usize = 12;

/// The samples, if they have few coordinates.
fn listed(count: usize, x: &impl Debug, plus: &impl Debug, minus: &impl Debug) -> Option<String> {
    (count <= FEW).then(|| format!("x = {x:?}, x⁺ = {plus:?}, x⁻ = {minus:?}"))
}

fn width(points: &[Vec<f64>]) -> usize {
    points.first().map_or(0, Vec::len)
}

impl Samples for TripletData {
    fn dimension(&self) -> usize {
        width(&self.anchors)
    }
}

impl Samples for AnchoredSamples {
    fn dimension(&self) -> usize {
        width(&self.anchors)
    }

    fn few(&self) -> Option<String> {
        let others = self.positives.iter().chain(&self.negatives).flatten();
        let count = self.anchors.iter().chain(others).flatten().count();
        listed(count, &self.anchors, &self.positives, &self.negatives)
    }
}

impl Samples for SharedSamples {
    fn dimension(&self) -> usize {
        width(&self.anchors)
    }

    fn few(&self) -> Option<String> {
        let count = self.anchors.iter().chain(&self.positives).chain(&self.negatives).flatten().count();
        listed(count, &self.anchors, &self.positives, &self.negatives)
    }
}

/// Data and the weights of u(x) = W₂ᵀW₁x.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "D: Serialize + DeserializeOwned")]
pub struct LinearModelOn<D> {
    /// The samples, in ℝ^d.
    pub data: D,
    /// W₁, of shape h×d.
    pub first: Matrix,
    /// W₂, of shape h×z.
    pub second: Matrix,
}

impl<D> LinearModelOn<D> {
    /// The matrix W₂ᵀW₁ of the map u, of shape z×d.
    pub fn map(&self) -> Result<IntervalMatrix, MatrixError> {
        let (first, second) = (IntervalMatrix::from(&self.first), IntervalMatrix::from(&self.second));
        second.transpose().product(&first)
    }

    /// ‖W₁‖_F² ‖W₂‖_F², by which a quadratic form of the map is measured.
    pub fn size(&self) -> f64 {
        let square = |m: &Matrix| IntervalMatrix::from(m).frobenius_norm_squared();
        (square(&self.first) * square(&self.second)).hi()
    }
}

/// The matrix with its rows in the other order.
pub fn rows_reversed(matrix: &Matrix) -> Result<Matrix, MatrixError> {
    Matrix::from_rows(matrix.to_rows().into_iter().rev().collect())
}

/// The matrix without row `k`, if that leaves one.
pub fn without_row(matrix: &Matrix, k: usize) -> Option<Matrix> {
    let mut rows = matrix.to_rows();
    rows.remove(k);
    Matrix::from_rows(rows).ok()
}

/// The matrix without column `k`, if that leaves one.
pub fn without_column(matrix: &Matrix, k: usize) -> Option<Matrix> {
    Some(without_row(&matrix.transpose(), k)?.transpose())
}

impl<D: Samples> Instance for LinearModelOn<D> {
    fn describe(&self) -> String {
        let data = match self.data.few() {
            Some(few) => format!("{}: {few}", self.data.describe()),
            None => self.data.describe(),
        };
        let (h, z) = (self.second.rows(), self.second.columns());
        if self.first.entries().len() + self.second.entries().len() > 12 {
            return format!("{data}; h = {h}, z = {z}");
        }
        let (first, second) = (self.first.to_rows(), self.second.to_rows());
        format!("{data}; h = {h}, z = {z}, W₁ = {first:?}, W₂ = {second:?}")
    }

    fn validate(&self) -> Result<(), String> {
        self.data.validate()?;
        let (h, d) = (self.first.rows(), self.data.dimension());
        if self.first.columns() != d || self.second.rows() != h {
            return Err("the weights do not fit the data or each other".into());
        }
        Ok(())
    }

    fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        // Samples that are simpler by one coordinate come last, in the order of the coordinates.
        let mut coordinate = 0;
        for data in self.data.simpler() {
            let mut smaller = self.clone();
            if data.dimension() < self.data.dimension() {
                let Some(first) = without_column(&self.first, coordinate) else {
                    continue;
                };
                smaller.first = first;
                coordinate += 1;
            }
            smaller.data = data;
            all.push(smaller);
        }
        for k in 0..self.first.rows() {
            if let (Some(first), Some(second)) = (without_row(&self.first, k), without_row(&self.second, k)) {
                all.push(LinearModelOn { data: self.data.clone(), first, second });
            }
        }
        for k in 0..self.second.columns() {
            if let Some(second) = without_column(&self.second, k) {
                all.push(LinearModelOn { data: self.data.clone(), first: self.first.clone(), second });
            }
        }
        all
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let of = |data| LinearModelOn { data, ..self.clone() };
        let all = self.data.equivalents().into_iter();
        let mut all: Vec<_> = all.map(|(change, data)| (change, of(data))).collect();
        if let (Ok(first), Ok(second)) = (rows_reversed(&self.first), rows_reversed(&self.second)) {
            let hidden = LinearModelOn { first, second, ..self.clone() };
            all.push(("hidden units in another order", hidden));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use enclosures::interval::Interval;

    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        Matrix::from_rows(rows.iter().map(|r| r.to_vec()).collect()).expect("rows of one length")
    }

    fn model() -> LinearModelOn<TripletData> {
        let points = |x: f64| vec![vec![x, 1.0, 0.0], vec![0.0, x, 2.0]];
        LinearModelOn {
            data: TripletData { anchors: points(1.0), positives: points(2.0), negatives: points(-1.0) },
            first: matrix(&[&[1.0, 2.0, 0.0], &[3.0, 4.0, -1.0]]),
            second: matrix(&[&[5.0, 0.0], &[6.0, 1.0]]),
        }
    }

    #[test]
    fn the_map_and_its_size_are_those_by_hand() {
        let map = model().map().expect("the sizes fit");
        let expected = matrix(&[&[23.0, 34.0, -6.0], &[3.0, 4.0, -1.0]]);
        assert!(map.contains(&expected) && map.width() == 0.0);
        // (1 + 4 + 9 + 16 + 1)(25 + 36 + 1).
        assert_eq!(model().size(), 31.0 * 62.0);
        assert!(map.frobenius_norm_squared().hi() <= model().size());
    }

    #[test]
    fn other_names_leave_the_loss_as_it_was() {
        let start = model();
        let loss =
            |m: &LinearModelOn<TripletData>| m.data.contrastive_loss(&m.map().expect("sizes fit")).expect("data fit");
        let others = start.equivalents();
        assert!(others.iter().any(|(change, _)| *change == "hidden units in another order"));
        for (change, other) in others {
            assert_eq!(other.validate(), Ok(()), "{change}");
            assert!((loss(&other) - loss(&start)).contains(0.0), "{change}");
        }
        assert_ne!(loss(&start), Interval::ZERO);
    }

    #[test]
    fn what_is_simpler_still_fits_and_is_smaller() {
        let start = model();
        let size = |m: &LinearModelOn<TripletData>| {
            (m.data.count() * m.data.dimension(), m.first.entries().len() + m.second.entries().len())
        };
        let smaller = start.simpler();
        for less in &smaller {
            assert_eq!(less.validate(), Ok(()), "{less:?}");
            let (data, weights) = (size(less), size(&start));
            assert!(data.0 <= weights.0 && data.1 <= weights.1 && data != weights);
        }
        // The second coordinate of the points goes with the second column of W₁.
        let flat = smaller.iter().filter(|m| m.data.dimension() == 2).nth(1).expect("one for each coordinate");
        assert_eq!(flat.data.anchors, [[1.0, 0.0], [0.0, 2.0]]);
        assert_eq!(flat.first.to_rows(), [[1.0, 0.0], [3.0, -1.0]]);
        assert!(without_row(&matrix(&[&[1.0, 2.0]]), 0).is_none(), "no row would be left");
    }
}
