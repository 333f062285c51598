//! Labelled embeddings as a latent-class model: the empirical distribution.

use std::collections::BTreeMap;

use super::{Atom, ContrastiveError, LatentClassModel};

impl LatentClassModel {
    /// The empirical distribution of labelled embeddings: `points` holds one row of `dimension` numbers per label, `rho` is
    /// the share of each class and the atoms of a class are equally likely. Classes are ordered by label; labels need not
    /// be consecutive.
    ///
    /// # Errors
    /// A length that does not match, no rows, numbers that are not finite.
    pub fn from_labelled(points: &[f64], dimension: usize, labels: &[u32]) -> Result<Self, ContrastiveError> {
        let groups = grouped(points, dimension, labels)?;
        let weights = groups.iter().map(|atoms| atoms.len() as f64).collect();
        Self::new(weights, groups)
    }

    /// As [`LatentClassModel::from_labelled`], but with equally likely classes whatever their share of the rows.
    ///
    /// # Errors
    /// As there.
    pub fn from_labelled_uniform(points: &[f64], dimension: usize, labels: &[u32]) -> Result<Self, ContrastiveError> {
        let groups = grouped(points, dimension, labels)?;
        Self::new(vec![1.0; groups.len()], groups)
    }
}

/// Rows by label, in the order of the labels' values.
fn grouped(points: &[f64], dimension: usize, labels: &[u32]) -> Result<Vec<Vec<Atom>>, ContrastiveError> {
    if dimension == 0 {
        return Err(ContrastiveError::NoCoordinates);
    }
    if labels.len().checked_mul(dimension) != Some(points.len()) {
        return Err(ContrastiveError::Shape { values: points.len(), labels: labels.len(), dimension });
    }
    let mut groups = BTreeMap::<u32, Vec<Atom>>::new();
    for (row, label) in points.chunks_exact(dimension).zip(labels) {
        groups.entry(*label).or_default().push(Atom { weight: 1.0, at: row.to_vec() });
    }
    Ok(groups.into_values().collect())
}
