//! Symmetric matrices with prescribed spectra, the sizes of a two-layer model, and weights that probe its constrained problems.

use enclosures::linear_algebra::{Matrix, PlaneRotation, SymmetricMatrix};
use enclosures::vectors::points;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use crate::shared::data_families::patterned;
use crate::shared::linear_model::{rows_reversed, without_column, without_row};
use crate::shared::optima::orthonormal;

/// C = V diag(spectrum) Vᵀ with sizes d, z, h, and a point to try in each of the problems.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinearProblem {
    /// The eigenvalues of C, in any order.
    pub spectrum: Vec<f64>,
    /// The factors of the orthogonal matrix V.
    pub rotations: Vec<PlaneRotation>,
    /// The factors of an orthogonal matrix O of ℝ^h; the first z columns of O and the rows [Vᵀ; 0] are feasible for problem 4.
    pub turns: Vec<PlaneRotation>,
    /// W₁, of shape h×d: any weights, to be scaled.
    pub first: Matrix,
    /// W₂, of shape h×z: any weights, to be scaled.
    pub second: Matrix,
}

impl LinearProblem {
    pub fn d(&self) -> usize {
        self.spectrum.len()
    }

    pub fn z(&self) -> usize {
        self.second.columns()
    }

    pub fn h(&self) -> usize {
        self.second.rows()
    }

    /// min(d, z, h), the largest rank of M.
    pub fn room(&self) -> usize {
        self.d().min(self.z()).min(self.h())
    }

    /// ν₋.
    pub fn negative(&self) -> usize {
        self.spectrum.iter().filter(|l| **l < 0.0).count()
    }

    /// min(d, z, ν₋), the printed number of eigenvectors.
    pub fn printed_rank(&self) -> usize {
        self.d().min(self.z()).min(self.negative())
    }

    /// ν₋ + ν₀.
    pub fn at_most_zero(&self) -> usize {
        self.spectrum.iter().filter(|l| **l <= 0.0).count()
    }

    /// The eigenvalues of C as points.
    pub fn eigenvalues(&self) -> Vec<Interval> {
        points(&self.spectrum)
    }

    /// The eigenvalues from the lowest.
    pub fn ascending(&self) -> Vec<f64> {
        let mut sorted = self.spectrum.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    /// The places of the k lowest eigenvalues in the spectrum.
    pub fn lowest(&self, k: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.d()).collect();
        places.sort_by(|&a, &b| self.spectrum[a].total_cmp(&self.spectrum[b]));
        places.truncate(k);
        places.sort_unstable();
        places
    }

    /// k₀ = max(0, d + z − h), or none if problem 4 is infeasible.
    pub fn forced(&self) -> Option<usize> {
        orthonormal(self.d(), self.z(), self.h()).map(|sizes| sizes.least)
    }
}

impl Instance for LinearProblem {
    fn describe(&self) -> String {
        let (d, z, h) = (self.d(), self.z(), self.h());
        let turned = if self.rotations.is_empty() { "" } else { ", rotated" };
        format!("d = {d}, z = {z}, h = {h}, C = diag{:?}{turned}", self.spectrum)
    }

    fn validate(&self) -> Result<(), String> {
        let (d, h) = (self.d(), self.h());
        if self.first.columns() != d || self.first.rows() != h {
            return Err("the weights do not fit the spectrum or each other".into());
        }
        if d > 8 || self.spectrum.iter().chain(self.first.entries()).chain(self.second.entries()).any(|x| x.abs() > 1e6)
        {
            return Err("more than eight eigenvalues, or a number beyond 1e6".into());
        }
        let matrix = SymmetricMatrix::Spectral { spectrum: self.spectrum.clone(), rotations: self.rotations.clone() };
        matrix.validate()?;
        PlaneRotation::product_of(h, &self.turns).map(drop).map_err(|e| e.to_string())
    }

    fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if !self.rotations.is_empty() {
            all.push(LinearProblem { rotations: Vec::new(), ..self.clone() });
        }
        if !self.turns.is_empty() {
            all.push(LinearProblem { turns: Vec::new(), ..self.clone() });
        }
        if self.rotations.is_empty() {
            for k in 0..self.d() {
                if let Some(first) = without_column(&self.first, k) {
                    let mut spectrum = self.spectrum.clone();
                    spectrum.remove(k);
                    all.push(LinearProblem { spectrum, first, ..self.clone() });
                }
            }
        }
        for k in 0..self.z() {
            if let Some(second) = without_column(&self.second, k) {
                all.push(LinearProblem { second, ..self.clone() });
            }
        }
        if self.turns.is_empty() {
            for k in 0..self.h() {
                if let (Some(first), Some(second)) = (without_row(&self.first, k), without_row(&self.second, k)) {
                    all.push(LinearProblem { first, second, ..self.clone() });
                }
            }
        }
        all
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let mut all = Vec::new();
        // A rotation names its plane, and would have to be named anew.
        if self.turns.is_empty()
            && let (Ok(first), Ok(second)) = (rows_reversed(&self.first), rows_reversed(&self.second))
        {
            let hidden = LinearProblem { first, second, ..self.clone() };
            all.push(("hidden units in another order", hidden));
        }
        if self.rotations.is_empty()
            && let Ok(columns) = rows_reversed(&self.first.transpose())
        {
            let eigenvalues = LinearProblem {
                spectrum: self.spectrum.iter().rev().copied().collect(),
                first: columns.transpose(),
                ..self.clone()
            };
            all.push(("eigenvalues in another order", eigenvalues));
        }
        all
    }
}

/// The diagonal problem with these sizes, with patterned weights.
pub fn diagonal(spectrum: &[f64], z: usize, h: usize) -> LinearProblem {
    LinearProblem {
        spectrum: spectrum.to_vec(),
        rotations: Vec::new(),
        turns: Vec::new(),
        first: patterned(h, spectrum.len(), 0),
        second: patterned(h, z, 4),
    }
}

/// Spectra by dimension: definite, indefinite, with zeros, repeated, nearly repeated, widely spread.
const SPECTRA: [&[f64]; 22] = [
    &[-1.0],
    &[0.0],
    &[1.0],
    &[-1.0, -1.0],
    &[-2.0, 1.0],
    &[-1.0, 0.0],
    &[1.0, 1.0],
    &[-3.0, -2.0, -1.0],
    &[2.0, -1.0, -1.0],
    &[-1.0, 0.0, 1.0],
    &[-1.0, 1.0, 2.0],
    &[-1.0, -1.0, -1.0],
    &[-1.0, -0.999999, 0.5],
    &[0.0, 1.0, 2.0],
    &[0.0, 0.0, 0.0],
    &[-4.0, -3.0, -2.0, -1.0],
    &[-1.0, 1.0, 2.0, 3.0],
    &[-2.0, -1.0, 0.0, 1.0],
    &[-1.0, -1.0, -1.0, 2.0],
    &[-10000.0, -1.0, 0.0, 10000.0],
    &[-2.0, -1.0, 1.0, 1.0],
    &[1.0, 2.0, 3.0, 4.0],
];

/// Every size up to d = z = 4 and h = d + z + 2 with these spectra; every 2×2 matrix with entries from {−2, …, 2} at z = 2.
pub fn grid() -> Vec<(String, LinearProblem)> {
    let mut all = Vec::new();
    let mut add = |spectrum: &[f64], z: usize, h: usize| {
        let name = format!("diag{spectrum:?}, z = {z}, h = {h}");
        all.push((name, diagonal(spectrum, z, h)));
    };
    const ENTRIES: [f64; 7] = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0];
    for (i, &a) in ENTRIES.iter().enumerate() {
        for &b in &ENTRIES[i..] {
            for h in 1..=4 {
                add(&[a, b], 2, h);
            }
        }
    }
    for spectrum in SPECTRA {
        for z in 1..=4 {
            for h in 1..=spectrum.len() + z + 2 {
                add(spectrum, z, h);
            }
        }
    }
    all
}

pub fn rotations(size: usize, most: usize) -> impl Strategy<Value = Vec<PlaneRotation>> {
    let plane = (0..size, 1..size.max(2), -1.5..1.5f64).prop_map(move |(first, step, half_tangent)| PlaneRotation {
        first,
        second: (first + step) % size,
        half_tangent,
    });
    vec(plane, 0..=if size > 1 { most } else { 0 })
}

/// A spectrum that is generic, or has zeros and repetitions, or is widely spread.
fn spectrum(d: usize) -> impl Strategy<Value = Vec<f64>> {
    let size = (-4.0..4.0f64, -1.0..1.0f64).prop_map(|(log, x)| core_math::exp(log) * x);
    let coarse = (-3i8..=3).prop_map(|x| f64::from(x) / 2.0);
    let any = prop_oneof![2 => vec(-2.0..2.0f64, d), 2 => vec(coarse, d), 1 => vec(size, d)];
    // Mostly with a negative eigenvalue, as the hypotheses ask.
    (any, 0..8u8).prop_map(|(mut spectrum, keep)| {
        if keep > 0 && spectrum.iter().all(|l| *l >= 0.0) {
            spectrum[0] = -spectrum[0].abs().max(0.5);
        }
        spectrum
    })
}

/// The families of problems: the grid of sizes and spectra, and random rotated ones.
pub fn problems() -> Vec<Family<LinearProblem>> {
    vec![edge("sizes and spectra", grid), random("rotated matrices", drawn)]
}

pub fn drawn() -> impl Strategy<Value = LinearProblem> {
    (1usize..=4, 1usize..=4, 0usize..10).prop_map(|(d, z, h)| (d, z, 1 + h % (d + z + 2))).prop_flat_map(|(d, z, h)| {
        let entries = |columns: usize| vec(-1.0..1.0f64, h * columns);
        let parts = (spectrum(d), rotations(d, 3), rotations(h, 6), entries(d), entries(z));
        parts.prop_map(move |(spectrum, rotations, turns, first, second)| LinearProblem {
            spectrum,
            rotations,
            turns,
            first: Matrix::new(h, d, first).expect("h d entries"),
            second: Matrix::new(h, z, second).expect("h z entries"),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_counted_and_placed() {
        let problem = diagonal(&[1.0, -2.0, 0.0, -3.0], 2, 5);
        assert_eq!(problem.ascending(), [-3.0, -2.0, 0.0, 1.0]);
        assert_eq!(problem.lowest(2), [1, 3]);
        assert_eq!((problem.negative(), problem.at_most_zero(), problem.room()), (2, 3, 2));
        assert_eq!(problem.forced(), Some(1), "d + z − h");
        assert_eq!(diagonal(&[1.0, -2.0, 0.0, -3.0], 2, 3).forced(), None, "three rows hold no four columns");
    }
}
