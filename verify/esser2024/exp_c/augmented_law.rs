//! Finite laws of anchors, positives and negatives whose moments are known exactly.

use enclosures::linear_algebra::{IntervalMatrix, rank_by_elimination};
use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, TripletData};
use serde::{Deserialize, Serialize};

use crate::shared::flows::without;

pub fn zero(d: usize) -> Result<IntervalMatrix, SelfSupervisedError> {
    Ok(IntervalMatrix::from_fn(d, d, |_, _| Interval::ZERO)?)
}

/// A distribution with finite support, the number n of anchors, and the variance σ of the noise.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, simpler = Self::with_fewer, stored)]
pub struct Law {
    #[instance(range = "1..")]
    pub anchors: usize,
    #[instance(range = "0..=1e6")]
    pub noise: f64,
    #[instance(length = "m in 1.., d in 1..", range = "-1e6..=1e6")]
    pub points: Vec<Vec<f64>>,
    /// Weights of the points, positive, not normalised.
    #[instance(length = "m", range = "1e-6..=1e6")]
    pub weights: Vec<f64>,
}

impl Law {
    fn in_words(&self) -> String {
        let d = self.points.first().map_or(0, Vec::len);
        let (n, sigma, points, weights) = (self.anchors, self.noise, &self.points, &self.weights);
        if points.len() * d > 8 {
            return format!("n = {n}, d = {d}, {} points, σ = {sigma}", points.len());
        }
        format!("n = {n}, d = {d}, x in {points:?} with weights {weights:?}, σ = {sigma}")
    }

    fn with_fewer(&self) -> Vec<Self> {
        let (m, d) = (self.points.len(), self.points[0].len());
        let fewer = (0..m).filter(|_| m > 1).map(|k| Law {
            points: without(&self.points, k),
            weights: without(&self.weights, k),
            ..self.clone()
        });
        let lower = (0..d)
            .filter(|_| d > 1)
            .map(|k| Law { points: self.points.iter().map(|p| without(p, k)).collect(), ..self.clone() });
        let single = (self.anchors > 1).then(|| Law { anchors: 1, ..self.clone() });
        single.into_iter().chain(fewer).chain(lower).collect()
    }
}

impl Law {
    pub fn d(&self) -> usize {
        self.points[0].len()
    }

    pub fn probability(&self, k: usize) -> Interval {
        let total: Interval = self.weights.iter().map(|&w| Interval::point(w)).sum();
        Interval::point(self.weights[k]) / total
    }

    /// E over x, x′ and ε of a matrix: ε = ±√(σd) e_j with all 2d values equally likely has mean zero and covariance σI.
    pub fn expectation(
        &self,
        f: impl Fn(&TripletData) -> Result<IntervalMatrix, SelfSupervisedError>,
    ) -> Result<IntervalMatrix, SelfSupervisedError> {
        let d = self.d();
        let size = (self.noise * d as f64).sqrt();
        let mut total = zero(d)?;
        for (i, x) in self.points.iter().enumerate() {
            for (k, other) in self.points.iter().enumerate() {
                let chance = self.probability(i) * self.probability(k) / (2 * d) as f64;
                for j in 0..2 * d {
                    let mut noise = vec![0.0; d];
                    noise[j / 2] = if j % 2 == 0 { size } else { -size };
                    let triple = |positive: &[f64]| TripletData {
                        anchors: vec![x.clone()],
                        positives: vec![positive.to_vec()],
                        negatives: vec![other.clone()],
                    };
                    // The matrices are linear in x⁺, so that x + ε needs no rounded sum: f(x + ε) = f(x) + f(ε) − f(0).
                    let value = f(&triple(x))?.plus(&f(&triple(&noise))?)?.minus(&f(&triple(&vec![0.0; d]))?)?;
                    total = total.plus(&value.scaled(chance))?;
                }
            }
        }
        Ok(total)
    }

    pub fn moment(&self, f: impl Fn(&[f64], usize, usize) -> Interval) -> Result<IntervalMatrix, SelfSupervisedError> {
        let term = |a, b| (0..self.points.len()).map(|k| self.probability(k) * f(&self.points[k], a, b)).sum();
        Ok(IntervalMatrix::from_fn(self.d(), self.d(), term)?)
    }

    /// E[x]E[x]ᵀ.
    pub fn mean_square(&self) -> Result<IntervalMatrix, SelfSupervisedError> {
        let mean =
            |a: usize| -> Interval { (0..self.points.len()).map(|k| self.probability(k) * self.points[k][a]).sum() };
        Ok(IntervalMatrix::from_fn(self.d(), self.d(), |a, b| mean(a) * mean(b))?)
    }

    /// Whether the points span ℝ^d affinely; none if rounding hides it.
    pub fn spans(&self) -> Option<bool> {
        let (m, d) = (self.points.len(), self.d());
        if m <= d {
            return Some(false);
        }
        let difference = |i: usize, j: usize| Interval::point(self.points[i + 1][j]) - self.points[0][j];
        let rank = rank_by_elimination(&IntervalMatrix::from_fn(m - 1, d, difference).ok()?).exact()?;
        Some(rank == d)
    }
}
