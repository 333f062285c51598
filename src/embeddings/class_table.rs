//! Class by class: how many, how spread, how near to the next one, and how well told apart.

use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use enclosures::kernels::{PackedRows, inner_product};
use rayon::prelude::*;
use serde::Serialize;

use super::mean_head::ClassMean;
use super::{EmbeddingsError, HeadScore};

/// One class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassRow {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: usize,
    /// Its probability.
    pub share: f64,
    /// Root mean square distance of its points from their mean, in floating point.
    pub spread: f64,
    /// The class whose mean is nearest to its own; none if there is no other.
    pub nearest: Option<String>,
    /// The distance of these means, in floating point.
    pub distance: Option<f64>,
    /// Loss of the mean classifier on its points, in nats.
    pub loss: Enclosure,
    /// Share of its points that the mean classifier gets right; ties up to rounding make an interval.
    pub accuracy: Enclosure,
}

/// One row for every class, in the order of the classes.
pub(crate) fn class_table(
    points: &LabelledPoints,
    names: &[String],
    class_weights: &[f64],
    means: &[ClassMean],
    score: &HeadScore,
) -> Result<Vec<ClassRow>, EmbeddingsError> {
    let total: f64 = class_weights.iter().sum();
    let near = nearest(means)?;
    let row = |c: usize| {
        let members = points.class_members(c);
        let square = |&i: &usize| {
            let way = points.point(i).iter().zip(&means[c].at).map(|(x, m)| (x - m) * (x - m));
            way.sum::<f64>()
        };
        let own = &score.classes[c];
        let count = Enclosure::from(members.len());
        ClassRow {
            name: names.get(c).cloned().unwrap_or_default(),
            points: members.len(),
            share: class_weights[c] / total,
            spread: (members.iter().map(square).sum::<f64>() / members.len() as f64).sqrt(),
            nearest: near[c].and_then(|(other, _)| names.get(other).cloned()),
            distance: near[c].map(|(_, distance)| distance),
            loss: own.loss,
            accuracy: Enclosure::between(own.right as f64, (own.right + own.tied) as f64) / count,
        }
    };
    Ok((0..points.classes()).into_par_iter().map(row).collect())
}

/// For every mean the nearest other one, the first of equally near ones, and its distance.
fn nearest(means: &[ClassMean]) -> Result<Vec<Option<(usize, f64)>>, EmbeddingsError> {
    let d = means.first().map_or(1, |mean| mean.at.len());
    let rows: Vec<f64> = means.iter().flat_map(|mean| mean.at.iter().copied()).collect();
    let packed = PackedRows::new(&rows, d)?;
    let squares: Vec<f64> = means.iter().map(|mean| inner_product(&mean.at, &mean.at)).collect();
    let one = |c: usize| {
        let mut products = vec![0.0; means.len()];
        packed.products(&means[c].at, &mut products)?;
        let mut best: Option<(usize, f64)> = None;
        for (other, product) in products.iter().enumerate().filter(|(other, _)| *other != c) {
            let square = squares[c] + squares[other] - 2.0 * product;
            if best.is_none_or(|(_, least)| square < least) {
                best = Some((other, square));
            }
        }
        // The winner's distance without cancellation.
        Ok(best.map(|(other, _)| {
            let way = means[c].at.iter().zip(&means[other].at).map(|(a, b)| (a - b) * (a - b));
            (other, way.sum::<f64>().sqrt())
        }))
    };
    (0..means.len()).into_par_iter().map(one).collect()
}
