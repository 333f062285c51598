//! The quadratic forms of the last layer of a network, and what is gained when its rows collapse.

use contrastive::network::Activation;
use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError};
use enclosures::vectors::{points, sum_of_products, sum_of_squares};
use evidence::prelude::*;
use linear_ssl::self_supervised::TripletData;
use serde::{Deserialize, Serialize};

use crate::shared::linear_data::Loss;
use crate::shared::linear_model::LinearModelOn;

/// Triples under a two-layer network with an activation.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "φ = {activation}, {model}",
    valid = Self::has_moderate_weights,
    simpler = Self::linear_or_smaller,
    stored
)]
pub struct Network {
    pub activation: Activation,
    #[instance(nested)]
    pub model: LinearModelOn<TripletData>,
}

impl Network {
    fn has_moderate_weights(&self) -> Result<(), String> {
        let mut all = self.model.first.entries().iter().chain(self.model.second.entries());
        match all.find(|x| x.abs() > 50.0) {
            Some(_) => Err("a weight beyond 50".into()),
            None => Ok(()),
        }
    }

    fn linear_or_smaller(&self) -> Vec<Self> {
        let activation = Activation::Identity;
        let linear = (self.activation != activation).then(|| Network { activation, ..self.clone() });
        let smaller = self.model.simpler().into_iter();
        let smaller = smaller.map(|model| Network { model, ..self.clone() });
        linear.into_iter().chain(smaller).collect()
    }
}

/// F of both losses.
pub struct Forms {
    contrastive: IntervalMatrix,
    non_contrastive: IntervalMatrix,
    /// ‖φ(W₁X)‖(‖φ(W₁X⁺)‖ + ‖φ(W₁X⁻)‖), against which F is measured.
    pub size: f64,
}

impl Network {
    pub fn hidden(&self, points: &[Vec<f64>]) -> Result<IntervalMatrix, MatrixError> {
        let points = IntervalMatrix::from(Matrix::from_rows(points.to_vec())?);
        let sums = points.product(&IntervalMatrix::from(&self.model.first).transpose())?;
        let value = |i, k| self.activation.over(sums.at(i, k));
        IntervalMatrix::from_fn(sums.rows(), sums.columns(), value)
    }

    pub fn forms(&self) -> Result<Forms, MeasureError> {
        let data = &self.model.data;
        let anchors = self.hidden(&data.anchors)?.transpose();
        let (positives, negatives) = (self.hidden(&data.positives)?, self.hidden(&data.negatives)?);
        let size = anchors.frobenius_norm() * (positives.frobenius_norm() + negatives.frobenius_norm());
        Ok(Forms {
            size: size.hi(),
            contrastive: anchors.product(&negatives.minus(&positives)?)?,
            non_contrastive: anchors.product(&positives)?.scaled(-1.0),
        })
    }

    pub fn second(&self) -> IntervalMatrix {
        (&self.model.second).into()
    }

    /// The loss with other output weights, from its definition.
    pub fn loss(&self, which: Loss, second: &IntervalMatrix) -> Result<Enclosure, MeasureError> {
        let outputs = |points: &[Vec<f64>]| self.hidden(points)?.product(second);
        let data = &self.model.data;
        let (x, plus) = (outputs(&data.anchors)?, outputs(&data.positives)?);
        let partner = match which {
            Loss::Contrastive => outputs(&data.negatives)?.minus(&plus)?,
            Loss::NonContrastive => plus.scaled(-1.0),
        };
        let total = sum_of_products(x.entries(), partner.entries());
        Ok(total.into())
    }
}

impl Forms {
    pub fn of(&self, which: Loss) -> &IntervalMatrix {
        match which {
            Loss::Contrastive => &self.contrastive,
            Loss::NonContrastive => &self.non_contrastive,
        }
    }

    /// Against which losses with these output weights are measured.
    pub fn scale(&self, second: &IntervalMatrix) -> f64 {
        (second.frobenius_norm_squared() * self.size).hi()
    }
}

/// The column with the least Rayleigh quotient, stretched to the norm of all of W₂, and zeros.
pub fn collapsed(form: &IntervalMatrix, second: &Matrix) -> Result<Option<IntervalMatrix>, MatrixError> {
    let columns = second.transpose();
    let quotient = |w: &[f64]| -> Result<f64, MatrixError> {
        let w = points(w);
        let image = form.times_vector(&w)?;
        Ok((sum_of_products(&w, &image) / sum_of_squares(&w)).midpoint())
    };
    let mut best: Option<(f64, &[f64])> = None;
    for w in columns.row_iter().filter(|w| w.iter().any(|x| *x != 0.0)) {
        let found = quotient(w)?;
        if best.is_none_or(|(least, _)| found < least) {
            best = Some((found, w));
        }
    }
    let Some((_, w)) = best else { return Ok(None) };
    let square = sum_of_squares(&points(w));
    let factor = (IntervalMatrix::from(second).frobenius_norm_squared() / square).sqrt();
    let entry = |k: usize, j: usize| {
        if j == 0 { Interval::point(w[k]) * factor } else { Interval::ZERO }
    };
    IntervalMatrix::from_fn(second.rows(), second.columns(), entry).map(Some)
}
