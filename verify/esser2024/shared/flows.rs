//! Starts of the one-output flow (10), and spectra.

use enclosures::vectors::{norm, points, sum_of_products};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, SphereFlow};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// Eigenvalues and coordinates beyond this are refused.
const LARGEST: f64 = 1e6;

pub fn check_numbers(what: &str, values: &[f64]) -> Result<(), String> {
    match values.iter().find(|x| x.is_nan() || x.abs() > LARGEST) {
        Some(x) => Err(format!("{what} {x} is beyond {LARGEST:e}")),
        None => Ok(()),
    }
}

/// The list without entry `k`.
pub fn without<T: Clone>(list: &[T], k: usize) -> Vec<T> {
    list.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, x)| x.clone()).collect()
}

/// A start of the flow (10) in the eigenbasis of C: `√squared_norm · direction/‖direction‖`, for a network of width h.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = Self::in_words, valid = Self::fits, simpler = Self::with_fewer, equivalents = Self::relabelled, stored
)]
pub struct SphereStart {
    pub width: usize,
    #[instance(length = "d in 1..", range = "-1e6..=1e6")]
    pub spectrum: Vec<f64>,
    #[instance(length = "d", range = "-1e6..=1e6")]
    pub direction: Vec<f64>,
    #[instance(symbol = "‖q₀‖²", range = "0..=1")]
    pub squared_norm: f64,
}

impl SphereStart {
    pub fn new(width: usize, spectrum: &[f64], direction: &[f64], squared_norm: f64) -> Self {
        SphereStart { width, spectrum: spectrum.to_vec(), direction: direction.to_vec(), squared_norm }
    }

    /// The same start in another order and with other signs of the eigenvectors.
    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let back = |list: &[f64]| list.iter().rev().copied().collect::<Vec<_>>();
        let of = |spectrum: Vec<f64>, direction: Vec<f64>| SphereStart { spectrum, direction, ..self.clone() };
        let direction = |factor: f64| self.direction.iter().map(|x| factor * x).collect();
        vec![
            ("eigenvalues in another order", of(back(&self.spectrum), back(&self.direction))),
            ("eigenvectors negated", of(self.spectrum.clone(), direction(-1.0))),
            ("direction doubled", of(self.spectrum.clone(), direction(2.0))),
        ]
    }

    /// With orthonormal weights, d columns and one column of `ℝ^h`: every norm up to one if h > d, the norm one if h = d.
    pub fn is_attainable(&self) -> bool {
        let d = self.spectrum.len();
        self.width > d || (self.width == d && self.squared_norm == 1.0)
    }

    pub fn flow(&self) -> Result<SphereFlow, FlowError> {
        SphereFlow::new(self.spectrum.clone(), self.direction.clone(), self.squared_norm)
    }

    pub fn smallest(&self) -> f64 {
        self.spectrum.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn largest(&self) -> f64 {
        self.spectrum.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether coordinate j of the start is not zero.
    pub fn touches(&self, j: usize) -> bool {
        self.squared_norm > 0.0 && self.direction[j] != 0.0
    }

    /// The smallest eigenvalue with a non-zero coordinate.
    pub fn lowest_touched(&self) -> Option<f64> {
        let touched = (0..self.spectrum.len()).filter(|&j| self.touches(j));
        touched.map(|j| self.spectrum[j]).reduce(f64::min)
    }

    /// The start projected on the eigenspace of `eigenvalue` and normalised; zero if the projection is.
    pub fn normalised_part(&self, eigenvalue: f64) -> Vec<Interval> {
        let part: Vec<Interval> = (0..self.spectrum.len())
            .map(|j| match self.touches(j) && self.spectrum[j] == eigenvalue {
                true => Interval::point(self.direction[j]),
                false => Interval::ZERO,
            })
            .collect();
        let norm = norm(&part);
        part.into_iter().map(|x| if x == Interval::ZERO { x } else { x / norm }).collect()
    }

    /// The coordinates of the start.
    pub fn position(&self) -> Vec<Interval> {
        let direction = points(&self.direction);
        let factor = Interval::point(self.squared_norm).sqrt() / norm(&direction);
        let coordinate = |&x: &Interval| {
            if x == Interval::ZERO || self.squared_norm == 0.0 { Interval::ZERO } else { x * factor }
        };
        direction.iter().map(coordinate).collect()
    }

    /// `qᵀΛq/qᵀq` at the start.
    pub fn quotient(&self) -> Interval {
        let squares: Vec<Interval> = self.direction.iter().map(|&x| Interval::point(x).square()).collect();
        let weighted = sum_of_products(&squares, &self.spectrum);
        weighted / squares.iter().copied().sum::<Interval>()
    }

    /// 1 − ‖q₀‖².
    pub fn slack(&self) -> Interval {
        Interval::ONE - self.squared_norm
    }
}

impl SphereStart {
    fn in_words(&self) -> String {
        let d = self.spectrum.len();
        let (h, spectrum, direction, rho) = (self.width, &self.spectrum, &self.direction, self.squared_norm);
        if rho == 0.0 {
            return format!("d = {d}, h = {h}, Λ = diag {spectrum:?}, q₀ = 0");
        }
        format!("d = {d}, h = {h}, Λ = diag {spectrum:?}, q₀ along {direction:?}, ‖q₀‖² = {rho}")
    }

    fn fits(&self) -> Result<(), String> {
        let d = self.spectrum.len();
        if self.width < d {
            return Err(format!("d = {d}, h = {}", self.width));
        }
        if self.direction.iter().any(|x| *x != 0.0 && x.abs() < 1e-100) {
            return Err("a coordinate below 1e-100".into());
        }
        match self.direction.iter().all(|x| *x == 0.0) {
            true => Err("no direction".into()),
            false => Ok(()),
        }
    }

    fn with_fewer(&self) -> Vec<Self> {
        let d = self.spectrum.len();
        let fewer = (0..d).filter(|_| d > 1).map(|k| SphereStart {
            width: self.width - 1,
            spectrum: without(&self.spectrum, k),
            direction: without(&self.direction, k),
            squared_norm: self.squared_norm,
        });
        let narrower =
            [d, d + 1].into_iter().filter(|&h| h < self.width).map(|width| SphereStart { width, ..self.clone() });
        fewer.chain(narrower).collect()
    }
}

/// Starts over spectra from a strategy: some coordinates zero, norms 0, 1, close to them and between, widths d, d + 1, 2d and 50.
pub fn starts(spectra: impl Strategy<Value = Vec<f64>>) -> impl Strategy<Value = SphereStart> {
    let norm = (select(vec![0.0, 1.0, 1.0, 1e-12, 1.0 - 1e-12, 2.0, 2.0, 2.0, 2.0, 2.0]), 0.0..1.0f64)
        .prop_map(|(named, drawn)| if named > 1.0 { drawn } else { named });
    (spectra, norm, 0..4usize).prop_flat_map(|(spectrum, norm, breadth)| {
        let d = spectrum.len();
        let coordinate = (-1.0..1.0f64, 0..5u8).prop_map(|(x, keep)| if keep == 0 || x.abs() < 1e-9 { 0.0 } else { x });
        vec(coordinate, d).prop_map(move |mut direction| {
            if direction.iter().all(|x| *x == 0.0) {
                direction[0] = 1.0;
            }
            SphereStart {
                width: [d, d + 1, 2 * d, 50][breadth],
                spectrum: spectrum.clone(),
                direction,
                squared_norm: if breadth == 0 || (breadth == 2 && d == 1 && norm == 0.0) { 1.0 } else { norm },
            }
        })
    })
}

/// Spectra of size up to five: from the grid of halves, continuous, with repetitions.
pub fn spectra(lo: f64, hi: f64) -> impl Strategy<Value = Vec<f64>> {
    let grid: Vec<f64> = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0].into_iter().filter(|x| (lo..=hi).contains(x)).collect();
    (1..=5usize, 0..3u8).prop_flat_map(move |(d, kind)| {
        let grid = grid.clone();
        vec((select(grid), lo..hi), d).prop_map(move |pairs| {
            let mut spectrum: Vec<f64> = pairs.iter().map(|&(g, x)| if kind == 0 { g } else { x }).collect();
            if kind == 2 && spectrum.len() > 1 {
                spectrum[1] = spectrum[0];
            }
            spectrum
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_lies_on_its_sphere_in_its_direction() {
        let start = SphereStart::new(4, &[-2.0, 0.0, 1.0], &[3.0, 0.0, -4.0], 0.25);
        for (found, expected) in start.position().iter().zip([0.3, 0.0, -0.4]) {
            assert!((*found - expected).abs().hi() < 1e-15, "{found:?}");
        }
        // (−2 · 9 + 1 · 16)/25.
        assert!((start.quotient() + 0.08).abs().hi() < 1e-15);
        assert_eq!((start.touches(1), start.lowest_touched()), (false, Some(-2.0)));
        assert_eq!((start.smallest(), start.largest()), (-2.0, 1.0));
        assert!(start.is_attainable());
        let narrow = SphereStart { width: 3, ..start };
        assert!(!narrow.is_attainable(), "a square matrix keeps the norm one");
    }
}
