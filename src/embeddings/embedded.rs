//! Labelled embeddings with the names of their classes, and what is done to them before anything is computed.

use std::borrow::Cow;

use contrastive::data::{DataError, LabelledPoints, NumberTable};
use enclosures::kernels::inner_product;
use rayon::prelude::*;

use super::{EmbeddingsError, Settings, pixels};

/// Labelled points, and the names of their classes in order.
#[derive(Clone, Debug)]
pub struct Embeddings {
    points: LabelledPoints,
    names: Vec<String>,
    suspect: Option<String>,
    reading: Vec<String>,
}

impl Embeddings {
    /// From coordinates, point by point, and one label each; classes are named by their labels.
    ///
    /// # Errors
    /// As [`LabelledPoints::new`].
    pub fn new(coordinates: Vec<f64>, dimension: usize, labels: &[u32]) -> Result<Self, EmbeddingsError> {
        Ok(LabelledPoints::new(coordinates, dimension, labels.to_vec())?.into())
    }

    /// The class of every point by its number, and a name for every number that occurs, in their order.
    ///
    /// # Errors
    /// [`DataError::CountMismatch`](contrastive::data::DataError::CountMismatch) unless there are as many numbers as points and as many
    /// names as classes.
    pub fn with_names(points: NumberTable, codes: Vec<u32>, names: Vec<String>) -> Result<Self, EmbeddingsError> {
        let points = LabelledPoints::from_table("y", "X", points, codes)?;
        if names.len() != points.classes() {
            return Err(DataError::CountMismatch {
                input: "names".to_owned(),
                of: "classes".to_owned(),
                points: points.classes(),
                labels: names.len(),
            }
            .into());
        }
        Ok(Embeddings::named(points, names))
    }

    /// Points whose classes have other names than their labels, one for each in their order.
    pub(crate) fn named(points: LabelledPoints, names: Vec<String>) -> Self {
        Embeddings { points, names, suspect: None, reading: Vec::new() }
    }

    /// The same with a coordinate that is called like labels, and with what was understood of their file.
    pub(crate) fn read_with(mut self, suspect: Option<String>, reading: Vec<String>) -> Self {
        (self.suspect, self.reading) = (suspect, reading);
        self
    }

    /// What was understood of the file that they are from, where that is not all that stands in it: a sentence each.
    #[must_use]
    pub fn reading(&self) -> &[String] {
        &self.reading
    }

    /// The name of a column that was taken as a coordinate and is called like labels.
    #[must_use]
    pub fn suspect(&self) -> Option<&str> {
        self.suspect.as_deref()
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &LabelledPoints {
        &self.points
    }

    /// The name of every class.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The weights whose shares are the class probabilities.
    pub(crate) fn class_weights(&self, equal: bool) -> Vec<f64> {
        let size = |c| {
            if equal { 1.0 } else { self.points.class_members(c).len() as f64 }
        };
        (0..self.points.classes()).map(size).collect()
    }

    /// The embeddings scaled, centred and normalized as the settings ask, each step rounded to doubles: what follows is exact about these.
    pub(crate) fn prepared(&self, settings: &Settings) -> Result<Cow<'_, LabelledPoints>, EmbeddingsError> {
        if !settings.pixels && !settings.center && !settings.normalize {
            return Ok(Cow::Borrowed(&self.points));
        }
        let (n, d) = (self.points.len(), self.points.dimension());
        let mut values = self.points.points().to_vec();
        if settings.pixels {
            pixels::scale(&mut values, d)?;
        }
        if settings.center {
            let mean = mean(&values, d);
            values.par_chunks_exact_mut(d).for_each(|row| {
                row.iter_mut().zip(&mean).for_each(|(x, m)| *x -= m);
            });
        }
        if settings.normalize {
            let zero = values.par_chunks_exact(d).position_first(|row| row.iter().all(|x| *x == 0.0));
            if let Some(row) = zero {
                return Err(EmbeddingsError::ZeroRow { row, second: false });
            }
            values.par_chunks_exact_mut(d).for_each(normalize);
        }
        Ok(Cow::Owned(self.points.with_points(NumberTable::new("embeddings", values, n, d)?)?))
    }
}

/// Compensated sums in the order of the points, divided by their number.
fn mean(values: &[f64], d: usize) -> Vec<f64> {
    let (mut sums, mut lost) = (vec![0.0f64; d], vec![0.0f64; d]);
    for row in values.chunks_exact(d) {
        for ((sum, lost), &x) in sums.iter_mut().zip(&mut lost).zip(row) {
            let next = *sum + x;
            let part = next - *sum;
            *lost += (*sum - (next - part)) + (x - part);
            *sum = next;
        }
    }
    let n = values.len() / d;
    sums.iter().zip(&lost).map(|(sum, lost)| (sum + lost) / n as f64).collect()
}

/// Divides a row that is not zero by its norm; the largest entry is divided out first, so that no square is lost.
pub(crate) fn normalize(row: &mut [f64]) {
    let largest = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    row.iter_mut().for_each(|x| *x /= largest);
    let norm = inner_product(row, row).sqrt();
    row.iter_mut().for_each(|x| *x /= norm);
}

impl From<LabelledPoints> for Embeddings {
    fn from(points: LabelledPoints) -> Self {
        let names = points.original_labels().iter().map(u32::to_string).collect();
        Embeddings::named(points, names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Embeddings {
        Embeddings::new(vec![1.0, 2.0, 3.0, 6.0, 5.0, 1.0], 2, &[4, 9, 4]).unwrap()
    }

    #[test]
    fn centred_rows_have_mean_zero_and_normalized_ones_length_one() {
        let settings = Settings { center: true, normalize: true, ..Settings::default() };
        let three = three();
        let only_centred = Settings { normalize: false, ..settings.clone() };
        let centred = three.prepared(&only_centred).unwrap();
        assert_eq!(centred.points(), [-2.0, -1.0, 0.0, 3.0, 2.0, -2.0]);
        let unit = three.prepared(&settings).unwrap();
        for i in 0..3 {
            assert!((inner_product(unit.point(i), unit.point(i)) - 1.0).abs() < 1e-15);
        }
        assert_eq!(unit.point(1), [0.0, 1.0]);
        assert_eq!(three.names(), ["4", "9"]);
    }

    #[test]
    fn a_row_without_direction_is_named() {
        let zero = Embeddings::new(vec![1.0, 0.0], 1, &[0, 1]).unwrap();
        let settings = Settings { normalize: true, ..Settings::default() };
        assert!(matches!(zero.prepared(&settings), Err(EmbeddingsError::ZeroRow { row: 1, .. })));
    }
}
