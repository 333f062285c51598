//! Symmetric matrices: by entries, or by a prescribed spectrum and plane rotations.

use serde::{Deserialize, Serialize};

use super::{IntervalMatrix, MatrixError, symmetric_eigenvalues};
use crate::interval::Interval;

/// The rotation by the angle φ in the plane of two coordinates, given by `half_tangent` `t = tan(φ/2)`:
/// `cos φ = (1 - t^2)/(1 + t^2)`, `sin φ = 2t/(1 + t^2)`.
///
/// Every finite `t` is a true rotation (all angles but the half turn), `t = 0` is the identity, and t = 1/2, 1/3, ... give the
/// Pythagorean angles, so a matrix built from rotations is exactly orthogonal and its entries are enclosed to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneRotation {
    /// First coordinate, from 0.
    pub first: usize,
    /// Second coordinate, from 0, different from the first.
    pub second: usize,
    /// Tangent of half the angle.
    pub half_tangent: f64,
}

impl PlaneRotation {
    /// Cosine and sine of the angle.
    #[must_use]
    pub fn cosine_and_sine(&self) -> (Interval, Interval) {
        let t = Interval::point(self.half_tangent);
        let unit = Interval::new(-1.0, 1.0);
        let within = |x: Interval| x.intersection(unit).unwrap_or(unit);
        // For t beyond one in u = 1/t, which cannot overflow: the cosine changes its sign, the sine stays.
        let small = self.half_tangent.abs() <= 1.0;
        let u = if small { t } else { Interval::ONE / t };
        let denominator = Interval::ONE + u.square();
        // Two forms of the cosine: the second keeps the last bits near one.
        let (far, near) = (2.0 / denominator - 1.0, 1.0 - 2.0 * u.square() / denominator);
        let cosine = within(far.intersection(near).unwrap_or(far));
        let sine = within(2.0 * u / denominator);
        (if small { cosine } else { -cosine }, sine)
    }

    fn check(&self, size: usize) -> Result<(), MatrixError> {
        if self.first == self.second || self.first >= size || self.second >= size {
            return Err(MatrixError::Plane { first: self.first, second: self.second, size });
        }
        if !self.half_tangent.is_finite() {
            return Err(MatrixError::NotFinite { row: self.first, column: self.second, value: self.half_tangent });
        }
        Ok(())
    }

    /// Enclosure of the exactly orthogonal `size x size` matrix `R_1 R_2 ... R_k`, where `R` maps the unit vector of `first` to
    /// `cos φ e_first + sin φ e_second`. Any of its columns are an exactly orthonormal system.
    ///
    /// # Errors
    /// Size zero, a rotation outside the space, or a half tangent that is not finite.
    pub fn product_of(size: usize, rotations: &[PlaneRotation]) -> Result<IntervalMatrix, MatrixError> {
        let mut rows: Vec<Vec<Interval>> = (0..size)
            .map(|i| {
                let unit = |j| if i == j { Interval::ONE } else { Interval::ZERO };
                (0..size).map(unit).collect()
            })
            .collect();
        for rotation in rotations {
            rotation.check(size)?;
            let (cosine, sine) = rotation.cosine_and_sine();
            for row in &mut rows {
                let (x, y) = (row[rotation.first], row[rotation.second]);
                row[rotation.first] = x * cosine + y * sine;
                row[rotation.second] = y * cosine - x * sine;
            }
        }
        IntervalMatrix::new(size, size, rows.into_iter().flatten().collect())
    }
}

/// A real symmetric `d x d` matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SymmetricMatrix {
    /// `V diag(spectrum) V^T` with `V` the product of the rotations: the eigenvalues are known exactly.
    Spectral {
        /// The eigenvalues, in any order; column j of V is the eigenvector of entry j.
        spectrum: Vec<f64>,
        /// The factors of V, from the left.
        rotations: Vec<PlaneRotation>,
    },
    /// The entries on and below the diagonal; row i (from 0) has `i + 1` of them.
    LowerTriangle(Vec<Vec<f64>>),
}

impl SymmetricMatrix {
    /// Number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            SymmetricMatrix::Spectral { spectrum, .. } => spectrum.len(),
            SymmetricMatrix::LowerTriangle(rows) => rows.len(),
        }
    }

    /// Refuses what is not a symmetric matrix.
    ///
    /// # Errors
    /// Ragged or empty rows, entries that are not finite, rotations outside the space.
    pub fn check(&self) -> Result<(), MatrixError> {
        let not_finite = |row, column, value: f64| MatrixError::NotFinite { row, column, value };
        let size = self.size();
        if size == 0 {
            return Err(MatrixError::Empty { rows: 0, columns: 0 });
        }
        match self {
            SymmetricMatrix::Spectral { spectrum, rotations } => {
                if let Some(k) = spectrum.iter().position(|l| !l.is_finite()) {
                    return Err(not_finite(k, k, spectrum[k]));
                }
                rotations.iter().try_for_each(|rotation| rotation.check(size))
            }
            SymmetricMatrix::LowerTriangle(rows) => {
                for (i, row) in rows.iter().enumerate() {
                    if row.len() != i + 1 {
                        return Err(MatrixError::Ragged { row: i, found: row.len(), expected: i + 1 });
                    }
                    if let Some(j) = row.iter().position(|x| !x.is_finite()) {
                        return Err(not_finite(i, j, row[j]));
                    }
                }
                Ok(())
            }
        }
    }

    /// The matrix itself (`d x d`): points for a triangle, tight enclosures for a spectral form.
    ///
    /// # Errors
    /// The value is not a symmetric matrix.
    pub fn entries(&self) -> Result<IntervalMatrix, MatrixError> {
        self.check()?;
        match self {
            SymmetricMatrix::Spectral { spectrum, rotations } => {
                let v = PlaneRotation::product_of(spectrum.len(), rotations)?;
                IntervalMatrix::from_fn(v.rows(), v.rows(), |i, j| {
                    let term = |(k, &l): (usize, &f64)| {
                        let square = if i == j { v.at(i, k).square() } else { v.at(i.min(j), k) * v.at(i.max(j), k) };
                        square * l
                    };
                    spectrum.iter().enumerate().map(term).sum()
                })
            }
            SymmetricMatrix::LowerTriangle(rows) => {
                IntervalMatrix::from_fn(rows.len(), rows.len(), |i, j| Interval::point(rows[i.max(j)][i.min(j)]))
            }
        }
    }

    /// The eigenvalues in increasing order, with multiplicity: points for a spectral form, verified enclosures for a triangle.
    ///
    /// # Errors
    /// The value is not a symmetric matrix.
    pub fn eigenvalues(&self) -> Result<Vec<Interval>, MatrixError> {
        self.check()?;
        match self {
            SymmetricMatrix::Spectral { spectrum, .. } => {
                let mut sorted = spectrum.clone();
                sorted.sort_by(f64::total_cmp);
                Ok(sorted.into_iter().map(Interval::point).collect())
            }
            SymmetricMatrix::LowerTriangle(_) => symmetric_eigenvalues(&self.entries()?),
        }
    }

    /// The orthogonal matrix whose column j belongs to entry j of the prescribed spectrum; a triangle has none to offer.
    ///
    /// # Errors
    /// The value is not a symmetric matrix.
    pub fn eigenvectors(&self) -> Result<Option<IntervalMatrix>, MatrixError> {
        self.check()?;
        match self {
            SymmetricMatrix::Spectral { spectrum, rotations } => {
                PlaneRotation::product_of(spectrum.len(), rotations).map(Some)
            }
            SymmetricMatrix::LowerTriangle(_) => Ok(None),
        }
    }

    /// The matrix without coordinate (or eigenvalue) `k`, counted from 0.
    #[must_use]
    pub fn without(&self, k: usize) -> Self {
        let but = |j: &usize| *j != k;
        match self {
            SymmetricMatrix::Spectral { spectrum, rotations } => SymmetricMatrix::Spectral {
                spectrum: (0..spectrum.len()).filter(but).map(|j| spectrum[j]).collect(),
                rotations: rotations
                    .iter()
                    .filter(|r| r.first != k && r.second != k)
                    .map(|r| PlaneRotation {
                        first: r.first - usize::from(r.first > k),
                        second: r.second - usize::from(r.second > k),
                        half_tangent: r.half_tangent,
                    })
                    .collect(),
            },
            SymmetricMatrix::LowerTriangle(rows) => SymmetricMatrix::LowerTriangle(
                (0..rows.len())
                    .filter(but)
                    .map(|i| (0..rows[i].len()).filter(but).map(|j| rows[i][j]).collect())
                    .collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned() -> SymmetricMatrix {
        let rotation = PlaneRotation { first: 0, second: 2, half_tangent: 0.5 };
        SymmetricMatrix::Spectral { spectrum: vec![25.0, 7.0, 0.0], rotations: vec![rotation] }
    }

    #[test]
    fn the_three_four_five_rotation() {
        // cos = 3/5, sin = 4/5: 25 v v^T with v = (3, 0, 4)/5 is [[9, 0, 12], [0, 7, 0], [12, 0, 16]].
        let entries = turned().entries().unwrap();
        for (e, exact) in entries.entries().iter().zip([9.0, 0.0, 12.0, 0.0, 7.0, 0.0, 12.0, 0.0, 16.0]) {
            assert!(e.contains(exact) && e.width() < 1e-13, "{e:?} {exact}");
        }
        assert_eq!(turned().eigenvalues().unwrap(), [0.0, 7.0, 25.0].map(Interval::point));
    }

    #[test]
    fn every_half_tangent_is_a_rotation() {
        for t in [0.0, 1.0, -1.0, 1e-200, 1e200, f64::MAX] {
            let rotation = PlaneRotation { first: 0, second: 1, half_tangent: t };
            let (c, s) = rotation.cosine_and_sine();
            let one = c.square() + s.square();
            assert!(one.contains(1.0) && one.width() < 1e-15, "{t}: {c:?} {s:?}");
        }
    }

    #[test]
    fn json_round_trip_and_refusals() {
        let json = serde_json::to_string(&turned()).unwrap();
        assert_eq!(serde_json::from_str::<SymmetricMatrix>(&json).unwrap(), turned());
        let bad: SymmetricMatrix = serde_json::from_str(r#"{"lower_triangle":[[1.0],[2.0]]}"#).unwrap();
        assert!(bad.check().is_err() && bad.entries().is_err() && bad.eigenvalues().is_err());
        let outside = PlaneRotation { first: 0, second: 3, half_tangent: 1.0 };
        assert!(PlaneRotation::product_of(3, &[outside]).is_err());
    }
}
