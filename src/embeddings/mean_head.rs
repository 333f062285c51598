//! The mean classifier: the head whose rows are the class means, divided by the temperature.
//!
//! # Error
//! Adding one vector to all rows changes no softmax, so the mean of the class means is taken off first: whatever the embeddings have in
//! common costs no digits. Sums are compensated (Ogita, Rump and Oishi, *Accurate sum and dot product*, SIAM J. Sci. Comput. 26, 2005):
//! a sum of `n` terms is off by at most `u |sum| + ((n u)/(1 - n u))^2 sum |terms|`. The division by `n`, the subtraction and the division by the
//! temperature round once each.

use contrastive::data::LabelledPoints;
use rayon::prelude::*;

use super::linear_head::norm_above;
use super::{EmbeddingsError, LinearHead};

const U: f64 = f64::EPSILON / 2.0;

/// A class mean and, coordinate by coordinate, how far off it may be.
pub(crate) struct ClassMean {
    pub(crate) at: Vec<f64>,
    error: Vec<f64>,
}

/// The mean of every class.
pub(crate) fn class_means(points: &LabelledPoints) -> Vec<ClassMean> {
    let mean = |class: usize| {
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
        let at: Vec<f64> = sum.iter().zip(&lost).map(|(s, l)| (s + l) / n).collect();
        let error = at.iter().zip(&size).map(|(m, size)| {
            let terms = size * (1.0 + 2.0 * gamma) / n;
            2.0 * U * m.abs() * (1.0 + 8.0 * U) + gamma * gamma * terms * 1.01 + f64::MIN_POSITIVE
        });
        ClassMean {
            error: error.collect(),
            at,
        }
    };
    (0..points.classes()).into_par_iter().map(mean).collect()
}

/// The mean classifier at a temperature.
pub(crate) fn mean_head(means: &[ClassMean], temperature: f64) -> Result<LinearHead, EmbeddingsError> {
    let d = means.first().map_or(0, |mean| mean.at.len());
    let common: Vec<f64> = (0..d)
        .map(|k| means.iter().map(|mean| mean.at[k]).sum::<f64>() / means.len() as f64)
        .collect();
    let (mut rows, mut radius) = (Vec::with_capacity(means.len() * d), 0.0f64);
    for mean in means {
        let mut errors = Vec::with_capacity(d);
        for ((m, e), g) in mean.at.iter().zip(&mean.error).zip(&common) {
            let way = (m - g) / temperature;
            errors.push((e / temperature + 2.0 * U * way.abs()) * (1.0 + 8.0 * U) + f64::MIN_POSITIVE);
            rows.push(way);
        }
        radius = radius.max(norm_above(&errors));
    }
    LinearHead::new(rows, d, radius)
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
            let head = mean_head(&class_means(&data), 1.0).unwrap();
            let score = head.score(&data, model.class_weights()).unwrap();
            let exact = sup_mean_all(&model).interval();
            assert!(
                score.loss.interval().intersection(exact).is_some(),
                "{:?} {exact:?}",
                score.loss
            );
            assert!(score.loss.width() < 1e-12 * (1.0 + offset) * score.loss.hi());
        }
    }
}
