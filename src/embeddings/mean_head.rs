//! The mean classifier: the head whose rows are the class means, divided by the temperature.
//!
//! # Error
//! Adding one vector to all rows changes no softmax, so the mean of the class means is taken off first: whatever the embeddings have in
//! common costs no digits. Sums are compensated (Ogita, Rump and Oishi, *Accurate sum and dot product*, SIAM J. Sci. Comput. 26, 2005):
//! a sum of `n` terms is off by at most `u |sum| + ((n u)/(1 - n u))^2 sum |terms|`. The division by `n`, the subtraction and the division by the
//! temperature round once each. A row is off by at most the norm of the errors of its coordinates.

use contrastive::data::LabelledPoints;
use rayon::prelude::*;

use super::linear_head::norm_above;
use super::{EmbeddingsError, LinearHead};

const U: f64 = f64::EPSILON / 2.0;

/// The means of all classes, each with a bound of its Euclidean distance from the true one.
pub(crate) struct ClassMeans {
    rows: Vec<f64>,
    dimension: usize,
    errors: Vec<f64>,
}

impl ClassMeans {
    /// Of labelled points.
    pub(crate) fn of(points: &LabelledPoints) -> Self {
        let d = points.dimension();
        let mut rows = vec![0.0; points.classes() * d];
        let errors =
            rows.par_chunks_exact_mut(d).enumerate().map(|(class, row)| class_mean(points, class, row)).collect();
        ClassMeans { rows, dimension: d, errors }
    }

    /// The mean of a class; empty beyond the last.
    pub(crate) fn mean(&self, class: usize) -> &[f64] {
        let begin = class * self.dimension;
        self.rows.get(begin..begin + self.dimension).unwrap_or(&[])
    }

    /// All means, one after the other.
    pub(crate) fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Number of coordinates.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// The mean classifier at a temperature, in the place of the means.
    pub(crate) fn into_head(self, temperature: f64) -> Result<LinearHead, EmbeddingsError> {
        let ClassMeans { mut rows, dimension: d, errors } = self;
        let mut common = vec![0.0; d];
        for mean in rows.chunks_exact(d) {
            common.iter_mut().zip(mean).for_each(|(sum, m)| *sum += m);
        }
        common.iter_mut().for_each(|sum| *sum /= errors.len() as f64);
        let mut radius = 0.0f64;
        for (row, error) in rows.chunks_exact_mut(d).zip(&errors) {
            row.iter_mut().zip(&common).for_each(|(m, g)| *m = (*m - g) / temperature);
            let rounding = 2.0 * U * norm_above(row) + d as f64 * f64::MIN_POSITIVE;
            radius = radius.max((error / temperature + rounding) * (1.0 + 8.0 * U));
        }
        LinearHead::new(rows, d, radius)
    }
}

/// Writes the mean of a class, and answers with a bound of its distance from the true one.
fn class_mean(points: &LabelledPoints, class: usize, mean: &mut [f64]) -> f64 {
    let d = points.dimension();
    let members = points.class_members(class);
    let (mut sum, mut lost, mut size) = (vec![0.0f64; d], vec![0.0f64; d], vec![0.0f64; d]);
    for &i in members {
        for (k, &x) in points.point(i).iter().enumerate() {
            let next = sum[k] + x;
            let part = next - sum[k];
            lost[k] += (sum[k] - (next - part)) + (x - part);
            sum[k] = next;
            size[k] += x.abs();
        }
    }
    let n = members.len() as f64;
    let gamma = n * U / (1.0 - n * U);
    let mut errors = size;
    for (((mean, error), sum), lost) in mean.iter_mut().zip(&mut errors).zip(&sum).zip(&lost) {
        *mean = (sum + lost) / n;
        let terms = *error * (1.0 + 2.0 * gamma) / n;
        *error = 2.0 * U * mean.abs() * (1.0 + 8.0 * U) + gamma * gamma * terms * 1.01 + f64::MIN_POSITIVE;
    }
    norm_above(&errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contrastive::{LatentClassModel, sup_mean_all};

    #[test]
    fn the_mean_classifier_loses_what_intervals_say() {
        for offset in [0.0, 1e6] {
            let points: Vec<f64> = (0..96).map(|i| f64::from(i * i % 31) / 17.0 + offset).collect();
            let labels: Vec<u32> = (0..24).map(|i| i * i % 4).collect();
            let model = LatentClassModel::from_labelled(&points, 4, &labels).unwrap();
            let data = LabelledPoints::new(points, 4, labels).unwrap();
            let head = ClassMeans::of(&data).into_head(1.0).unwrap();
            let score = head.score(&data, model.class_weights()).unwrap();
            let exact = sup_mean_all(&model);
            assert!(score.loss.interval().intersection(exact).is_some(), "{:?} {exact:?}", score.loss);
            assert!(score.loss.width() < 1e-12 * (1.0 + offset) * score.loss.hi());
        }
    }
}
