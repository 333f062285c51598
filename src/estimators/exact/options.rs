//! The conventions on which papers disagree, each a named choice with a default.

use serde::{Deserialize, Serialize};

use crate::EstimatorError;
use contrastive::LogarithmBase;

/// How the negatives enter the denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aggregation {
    /// `sum_i e^{f(x).f(x_i)}`: Merad et al. (2020), van den Oord et al. (2018), Chen et al. (2020).
    Sum,
    /// `(1/N) sum_i e^{f(x).f(x_i)}`: the loss then converges as `N` grows.
    Mean,
}

/// The class probabilities `rho`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClassShares {
    /// The share of each class among the points.
    Empirical,
    /// Equally likely classes, whatever their sizes.
    Uniform,
}

/// One definition of the unsupervised loss with `N` negatives,
///
/// `E log( (e^{a_P} + sum_{i<=N} e^{a_{Y_i}}) / e^{a_P} )`, `a_y = f(x).f(y) / temperature`,
///
/// where the anchor `x` is drawn from `rho` and its class, the positive `P` from the class of `x`, and the negatives
/// `Y_1 .. Y_N` independently from `rho` and their classes. The default is the definition of Merad, Yu, Bacry and Gaiffas
/// (2020) on the empirical distribution of the points; [`contrastive::unsupervised_loss`] computes the same number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossOptions {
    /// Whether `e^{a_P}` stands in the denominator next to the negatives (default: yes). Without it (the decoupled loss of Yeh
    /// et al., 2022) the loss can be negative, and its error is bounded relative to its parts instead of to itself.
    pub positive_in_denominator: bool,
    /// What the inner products are divided by (default: 1).
    pub temperature: f64,
    /// Sum or mean over the negatives (default: sum).
    pub aggregation: Aggregation,
    /// Unit of the answer (default: nats).
    pub base: LogarithmBase,
    /// Whether negatives may be of the anchor's class, the anchor itself included (default: yes). If not, they are drawn from
    /// the other classes with the remaining probabilities rescaled to one (the debiased, or supervised, negatives).
    pub same_class_negatives: bool,
    /// Whether the positive may be the anchor itself (default: yes, an independent draw of the same class may be). This says
    /// nothing about negatives.
    pub self_positive: bool,
    /// Class probabilities (default: empirical).
    pub shares: ClassShares,
}

impl Default for LossOptions {
    fn default() -> Self {
        LossOptions {
            positive_in_denominator: true,
            temperature: 1.0,
            aggregation: Aggregation::Sum,
            base: LogarithmBase::Nats,
            same_class_negatives: true,
            self_positive: true,
            shares: ClassShares::Empirical,
        }
    }
}

impl LossOptions {
    /// Refuses a temperature that is not a positive number, or so small that logits would overflow.
    pub(super) fn check(&self) -> Result<(), EstimatorError> {
        let temperature = self.temperature;
        if temperature > 0.0 && temperature.is_finite() && (1.0 / temperature).is_finite() {
            Ok(())
        } else {
            Err(EstimatorError::Temperature { temperature })
        }
    }
}
