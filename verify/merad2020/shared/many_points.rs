//! L_un^N of any model: where many points are equally likely by the fast estimator of the library, which takes the whole of a data
//! set in the time of a few of its points; else by quadrature, which is tighter and takes any weights.

use contrastive::data::LabelledPoints;
use contrastive::{LatentClassModel, unsupervised_loss};
use enclosures::enclosure::Enclosure;
use estimators::exact::{LossOptions, exact_unsupervised_losses};

/// From this many points on the estimator is faster by far; its relative width is 1e-12 for any number of them.
const MANY: usize = 100;

pub fn unsupervised(
    model: &LatentClassModel,
    negatives: u64,
) -> Result<Enclosure, Box<dyn std::error::Error + Send + Sync>> {
    match equally_likely(model) {
        Some(points) => Ok(exact_unsupervised_losses(&points, &[negatives], &LossOptions::default())?[0]),
        None => Ok(unsupervised_loss(model, negatives)?.into()),
    }
}

/// The points of a model that is the empirical distribution of many: all weights in a class equal, a class as likely as it is
/// large.
fn equally_likely(model: &LatentClassModel) -> Option<LabelledPoints> {
    let classes = model.classes();
    let even = model.n_atoms() >= MANY
        && classes.iter().flatten().all(|atom| atom.weight == 1.0)
        && classes.iter().zip(model.class_weights()).all(|(class, &weight)| class.len() as f64 == weight);
    if !even {
        return None;
    }
    let labels = classes.iter().enumerate().flat_map(|(c, class)| vec![c as u32; class.len()]).collect();
    let points = classes.iter().flatten().flat_map(|atom| atom.at.iter().copied()).collect();
    LabelledPoints::new(points, model.dimension(), labels).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways see the same number; uneven weights are left to quadrature.
    #[test]
    fn the_estimator_and_quadrature_agree() {
        let points: Vec<f64> = (0..240).map(|i| f64::from(i * i % 37) / 19.0 - 0.9).collect();
        let labels: Vec<u32> = (0..120).map(|i| i % 5 / 2).collect();
        let model = LatentClassModel::from_labelled(&points, 2, &labels).unwrap();
        assert!(equally_likely(&model).is_some());
        for negatives in [1, 15] {
            let (fast, slow) = (
                unsupervised(&model, negatives).unwrap(),
                Enclosure::from(unsupervised_loss(&model, negatives).unwrap()),
            );
            assert!(fast.interval().intersection(slow.interval()).is_some(), "{fast} {slow}");
            assert!((fast.hi() - fast.lo()) < 2e-12 * fast.lo());
        }
        let uneven = LatentClassModel::from_labelled_uniform(&points, 2, &labels).unwrap();
        assert!(equally_likely(&uneven).is_none());
    }
}
