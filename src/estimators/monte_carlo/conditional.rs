//! `L_un^N` of finite models with what can be averaged exactly averaged exactly.
//!
//! One observation is a sweep over all anchors. Each anchor draws its own `N` negatives; given their sum `S`, the loss is
//! averaged over all positives of the anchor's class (Rao and Blackwell), and the anchors are averaged with their own
//! probabilities (stratification). Both leave the mean as it is. What remains of the variance is that of the negatives alone,
//! divided by the number of anchors: `Var <= E Var(loss | anchor) / n` for equally likely anchors, where single draws have
//! `Var loss = Var E(loss | anchor) + E Var(loss | anchor)`. For `N = 1` the negatives could be summed over as well, which is the
//! exact loss; see [`contrastive::unsupervised_loss`].

use rayon::prelude::*;

use super::elementary::sum;
use super::tabulated::gather;
use super::unsupervised::check_negatives;
use super::{ChunkStream, Estimator, MonteCarloError, ObservationRange, PairTable};
use contrastive::LatentClassModel;
use enclosures::kernels::ElementwiseFunction;
use enclosures::work::shared;

/// Sweeps over all anchors and positives; see the module's text.
#[derive(Clone, Debug)]
pub struct ConditionalUnsupervised<'a> {
    table: &'a PairTable<'a>,
    negatives: usize,
    /// Probability of every atom, and of every atom inside its class.
    overall: Vec<f64>,
    within: Vec<f64>,
}

impl<'a> ConditionalUnsupervised<'a> {
    /// The estimator for `N = negatives`; `model` is the one whose sampler made the table.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] unless `1 <= N <= 2^26` and the model has as many atoms as the table.
    pub fn new(table: &'a PairTable<'a>, model: &LatentClassModel, negatives: usize) -> Result<Self, MonteCarloError> {
        check_negatives(negatives)?;
        let atoms = model.weighted_atoms();
        let expected = table.model().n_atoms();
        if atoms.len() != expected {
            return Err(MonteCarloError::Count {
                what: "number of atoms of the model",
                value: atoms.len() as u64,
                least: expected as u64,
                most: expected as u64,
            });
        }
        Ok(ConditionalUnsupervised {
            table,
            negatives,
            overall: atoms.iter().map(|a| a.overall.midpoint()).collect(),
            within: atoms.iter().map(|a| a.within.midpoint()).collect(),
        })
    }

    /// The loss of one anchor, averaged over its positives.
    fn anchor(&self, anchor: usize, stream: &mut ChunkStream, places: &mut [u32], losses: &mut Vec<f64>) -> f64 {
        let (model, row) = (self.table.model(), self.table.row(anchor));
        model.overall().fill(stream, places);
        let total = gather(row, places);
        let members = model.members(model.class_of(anchor));
        losses.clear();
        losses.extend(row.get(members.clone()).unwrap_or(&[]).iter().map(|own| total / own));
        ElementwiseFunction::Ln1p.apply(losses);
        let weights = self.within.get(members).unwrap_or(&[]);
        losses.iter_mut().zip(weights).for_each(|(loss, weight)| *loss *= weight);
        sum(losses)
    }
}

impl Estimator for ConditionalUnsupervised<'_> {
    fn range(&self) -> Option<ObservationRange> {
        self.table.range(self.negatives)
    }

    /// To the error of one loss come the weights and sums, relatively `2 (n + 8) u`.
    fn error(&self) -> f64 {
        let value = self.range().map_or(0.0, ObservationRange::hi);
        self.table.error(self.negatives) + (self.overall.len() + 8) as f64 * 2.0 * f64::EPSILON * value
    }

    fn chunk_len(&self) -> usize {
        1
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let (mut places, mut losses) = (vec![0u32; self.negatives], Vec::new());
        for observation in out {
            let each = self.overall.iter().enumerate();
            let terms: Vec<f64> =
                each.map(|(i, weight)| weight * self.anchor(i, stream, &mut places, &mut losses)).collect();
            *observation = sum(&terms);
        }
    }
}

/// The conditional loss of one anchor and one positive for `N = 1`, averaged exactly over all negatives; the mean over all pairs
/// is the exact loss up to rounding. It is what tests compare the sweeps with.
#[must_use]
pub fn one_negative_by_table(table: &PairTable<'_>, model: &LatentClassModel) -> f64 {
    let atoms = model.weighted_atoms();
    let of = |i: usize| {
        let (row, members) = (table.row(i), table.model().members(table.model().class_of(i)));
        let mut total = 0.0;
        for p in members {
            let own = row.get(p).copied().unwrap_or(1.0);
            let mut losses: Vec<f64> = row.iter().map(|other| other / own).collect();
            ElementwiseFunction::Ln1p.apply(&mut losses);
            losses.iter_mut().zip(&atoms).for_each(|(loss, y)| *loss *= y.overall.midpoint());
            total += sum(&losses) * atoms.get(p).map_or(0.0, |a| a.within.midpoint());
        }
        total * atoms.get(i).map_or(0.0, |a| a.overall.midpoint())
    };
    let parts = 500 * atoms.len() as u64;
    let terms: Vec<f64> = shared(parts, || (0..atoms.len()).into_par_iter().map(of).collect());
    sum(&terms)
}
