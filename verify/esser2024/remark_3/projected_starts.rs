//! Starts of the linear model behind a fixed projection.

use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError, matrix_exponential};
use evidence::prelude::*;
use linear_ssl::self_supervised::SelfSupervisedError;
use serde::{Deserialize, Serialize};

use crate::shared::flows::without;
use crate::shared::linear_data::Loss;
use crate::shared::linear_flows::LinearStart;

/// A (r×z, r ≤ z), a start Θ₀ (z×d) and the spectrum of C, in the eigenbasis of C.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "A = {projection:?}, Θ₀ = {start:?}, C = diag {spectrum:?}",
    valid = Self::fits,
    simpler = Self::with_fewer, stored)]
pub struct Projected {
    #[instance(length = "r in 1.., z in 1..", range = "-100..=100")]
    pub projection: Vec<Vec<f64>>,
    #[instance(length = "z, d in 1..", range = "-100..=100")]
    pub start: Vec<Vec<f64>>,
    #[instance(length = "d", range = "-100..=100")]
    pub spectrum: Vec<f64>,
}

impl Projected {
    pub fn new(projection: &[&[f64]], start: &[&[f64]], spectrum: &[f64]) -> Self {
        let rows = |m: &[&[f64]]| m.iter().map(|r| r.to_vec()).collect();
        Projected { projection: rows(projection), start: rows(start), spectrum: spectrum.to_vec() }
    }

    pub fn projection(&self) -> Result<IntervalMatrix, MatrixError> {
        Ok(Matrix::from_rows(self.projection.clone())?.into())
    }

    pub fn start(&self) -> Result<IntervalMatrix, MatrixError> {
        Ok(Matrix::from_rows(self.start.clone())?.into())
    }

    /// Y(0) = AΘ₀.
    pub fn outputs(&self) -> Result<IntervalMatrix, MatrixError> {
        self.projection()?.product(&self.start()?)
    }

    /// AAᵀ.
    pub fn gram(&self) -> Result<IntervalMatrix, MatrixError> {
        self.projection()?.product(&self.projection()?.transpose())
    }

    /// AAᵀ where it is known to be diagonal: its diagonal, exactly known.
    pub fn weights(&self) -> Option<Vec<f64>> {
        let gram = self.gram().ok()?;
        let r = gram.rows();
        let is_diagonal = (0..r * r).all(|k| k / r == k % r || gram.get(k / r, k % r) == Some(Interval::ZERO));
        let exact = |k: usize| gram.get(k, k).filter(|x| x.lo() == x.hi()).map(Interval::lo);
        (0..r).filter(|_| is_diagonal).map(exact).collect::<Option<Vec<f64>>>().filter(|w| !w.is_empty())
    }

    /// Whether AAᵀ is known to be diagonal.
    pub fn has_orthogonal_rows(&self) -> bool {
        self.weights().is_some()
    }

    /// Whether AAᵀ = αI, α > 0.
    pub fn is_balanced(&self) -> bool {
        self.weights().is_some_and(|w| w[0] > 0.0 && w.iter().all(|x| *x == w[0]))
    }

    /// Y(t), column by column: y_j(t) = e^{−2λ_jt AAᵀ}y_j(0).
    pub fn outputs_at(&self, t: f64) -> Result<IntervalMatrix, MatrixError> {
        let (gram, start) = (self.gram()?, self.outputs()?.transpose());
        let mut columns = Vec::new();
        for (j, &lambda) in self.spectrum.iter().enumerate() {
            let growth = matrix_exponential(&gram.scaled(Interval::point(lambda) * (-2.0 * t)))?;
            let column: Vec<Interval> = (0..start.columns()).map(|i| start.at(j, i)).collect();
            columns.push(growth.times_vector(&column)?);
        }
        IntervalMatrix::from_fn(gram.rows(), self.spectrum.len(), |i, j| columns[j][i])
    }

    /// Y′ at the start from values of the loss alone: Θ′ = −∇_ΘL by exact differences of a quadratic form, and then AΘ′.
    pub fn velocity(&self, loss: Loss) -> Result<IntervalMatrix, SelfSupervisedError> {
        let data = LinearStart::new(&self.spectrum, &[]).data();
        let (projection, start) = (self.projection()?, self.start()?);
        let value = |row: usize, column: usize, step: f64| -> Result<Interval, SelfSupervisedError> {
            let moved = IntervalMatrix::from_fn(start.rows(), start.columns(), |i, j| {
                let here = start.at(i, j);
                if (i, j) == (row, column) { here + step } else { here }
            })?;
            loss.value(&data, &projection.product(&moved)?)
        };
        let mut downhill = Vec::new();
        for (i, j) in pairs(0..start.rows(), 0..start.columns()) {
            downhill.push((value(i, j, -1.0)? - value(i, j, 1.0)?) * 0.5);
        }
        let downhill = IntervalMatrix::new(start.rows(), start.columns(), downhill)?;
        Ok(projection.product(&downhill)?)
    }

    /// M·Y(0)Λ·(−2).
    pub fn predicted(&self, coupling: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
        let spread = IntervalMatrix::from(Matrix::diagonal(&self.spectrum)?);
        Ok(coupling.product(&self.outputs()?)?.product(&spread)?.scaled(-2.0))
    }

    /// What the entries of Y′ add up to in absolute value.
    pub fn scale(&self) -> f64 {
        let largest = |x: f64, y: &f64| x.max(y.abs());
        let square = |m: &[Vec<f64>]| m.iter().flatten().map(|x| x * x).sum::<f64>().max(1.0);
        4.0 * square(&self.projection)
            * square(&self.projection)
            * square(&self.start)
            * self.spectrum.iter().fold(1.0, largest)
    }
}

impl Projected {
    fn fits(&self) -> Result<(), String> {
        if self.start.len() < self.projection.len() {
            return Err("A is not r×z with r ≤ z".into());
        }
        let mut numbers = self.projection.iter().chain(&self.start).flatten().chain(&self.spectrum);
        match numbers.find(|x| **x != 0.0 && x.abs() < 1e-6) {
            Some(x) => Err(format!("{x} is not zero, but below 1e-6")),
            None => Ok(()),
        }
    }

    fn with_fewer(&self) -> Vec<Self> {
        let (r, z, d) = (self.projection.len(), self.start.len(), self.spectrum.len());
        let rows =
            (0..r).filter(|_| r > 1).map(|i| Projected { projection: without(&self.projection, i), ..self.clone() });
        let inner = (0..z).filter(|_| z > r).map(|l| Projected {
            projection: self.projection.iter().map(|a| without(a, l)).collect(),
            start: without(&self.start, l),
            spectrum: self.spectrum.clone(),
        });
        let columns = (0..d).filter(|_| d > 1).map(|j| Projected {
            projection: self.projection.clone(),
            start: self.start.iter().map(|t| without(t, j)).collect(),
            spectrum: without(&self.spectrum, j),
        });
        rows.chain(inner).chain(columns).collect()
    }
}
