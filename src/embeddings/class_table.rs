//! Class by class: how many, how spread, how near to the next one, and how well told apart.

use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use enclosures::kernels::{InstructionSet, PackedRows, inner_product};
use enclosures::work::shared;
use rayon::prelude::*;
use serde::Serialize;

use super::mean_head::ClassMeans;
use super::{ClassScore, EmbeddingsError, HeadScore, Watcher};

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
    /// Points that the mean classifier gets right by more than rounding.
    pub right: u64,
    /// Points that two classes share up to rounding.
    pub tied: u64,
    /// Share of its points that the mean classifier gets right; ties up to rounding make an interval.
    pub accuracy: Enclosure,
}

/// Inner products of means that are held at a time.
const PRODUCTS: usize = 1 << 20;

/// What is known of the classes from their points and means alone.
pub(crate) struct ClassShapes {
    spread: Vec<f64>,
    /// The nearest other class, the first of equally near ones, and the distance of the means.
    nearest: Vec<Option<(usize, f64)>>,
}

impl ClassShapes {
    /// Of all classes.
    pub(crate) fn new(
        points: &LabelledPoints,
        means: &ClassMeans,
        watcher: &dyn Watcher,
    ) -> Result<Self, EmbeddingsError> {
        let classes = points.classes() as f64;
        watcher.begin("nearest classes", classes * classes * points.dimension() as f64);
        let spread = |class: usize| {
            let members = points.class_members(class);
            let squares: f64 = members.iter().map(|&i| distance(points.point(i), means.mean(class))).sum();
            (squares / members.len() as f64).sqrt()
        };
        Ok(ClassShapes {
            spread: (0..points.classes()).into_par_iter().map(spread).collect(),
            nearest: nearest(means)?,
        })
    }

    /// One row for every class, in the order of the classes.
    pub(crate) fn table(
        &self,
        points: &LabelledPoints,
        names: &[String],
        class_weights: &[f64],
        score: &HeadScore,
    ) -> Vec<ClassRow> {
        let total: f64 = class_weights.iter().sum();
        let row = |(c, own): (usize, &ClassScore)| {
            let members = points.class_members(c);
            let near = self.nearest.get(c).copied().flatten();
            ClassRow {
                name: names.get(c).cloned().unwrap_or_default(),
                points: members.len(),
                share: class_weights[c] / total,
                spread: self.spread[c],
                nearest: near.and_then(|(other, _)| names.get(other).cloned()),
                distance: near.map(|(_, distance)| distance),
                loss: own.loss,
                right: own.right,
                tied: own.tied,
                accuracy: Enclosure::between(own.right as f64, (own.right + own.tied) as f64)
                    / Enclosure::from(members.len()),
            }
        };
        score.classes.iter().enumerate().map(row).collect()
    }
}

/// The squared Euclidean distance.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// For every mean the nearest other one, the first of equally near ones, and its distance.
fn nearest(means: &ClassMeans) -> Result<Vec<Option<(usize, f64)>>, EmbeddingsError> {
    let d = means.dimension();
    let packed = PackedRows::new(means.rows(), d)?;
    let set = InstructionSet::best();
    let squares: Vec<f64> = means.rows().par_chunks_exact(d).map(|mean| inner_product(mean, mean)).collect();
    let together = (PRODUCTS / squares.len()).clamp(1, 64);
    let some = |(first, rows): (usize, &[f64])| -> Result<Vec<Option<(usize, f64)>>, EmbeddingsError> {
        let mut products = vec![0.0; rows.len() / d * squares.len()];
        packed.products_on(set, rows, &mut products)?;
        let each = products.chunks_exact(squares.len()).enumerate();
        Ok(each
            .map(|(at, products)| {
                let class = first * together + at;
                let mut best: Option<(usize, f64)> = None;
                for (other, product) in products.iter().enumerate().filter(|(other, _)| *other != class) {
                    let square = squares[class] + squares[other] - 2.0 * product;
                    if best.is_none_or(|(_, least)| square < least) {
                        best = Some((other, square));
                    }
                }
                // The winner's distance without cancellation.
                best.map(|(other, _)| (other, distance(means.mean(class), means.mean(other)).sqrt()))
            })
            .collect())
    };
    let amount = (squares.len() * squares.len()) as u64;
    let pieces: Result<Vec<_>, EmbeddingsError> =
        shared(amount, || means.rows().par_chunks(together * d).enumerate().map(some).collect());
    Ok(pieces?.into_iter().flatten().collect())
}
