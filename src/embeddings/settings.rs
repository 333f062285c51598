//! What is asked of some embeddings.

use serde::{Deserialize, Serialize};

use super::EmbeddingsError;

/// How a loss is to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Exactly where the work allows it, sampled with a confidence interval otherwise.
    Within,
    /// Exactly or not at all.
    Exact,
}

/// A request about labelled embeddings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Numbers `N` of negatives to look at; 1 is always among them.
    pub negatives: Vec<u64>,
    /// Sizes `k + 1` of tasks for the bounds on tasks.
    pub task_sizes: Vec<usize>,
    /// What inner products are divided by (default: 1).
    pub temperature: f64,
    /// Whether the coordinates are pixels from 0 to 255 that are to be divided by 255, before anything else.
    pub pixels: bool,
    /// Whether the mean of all embeddings is subtracted from each.
    pub center: bool,
    /// Whether every embedding is divided by its Euclidean norm, after centering.
    pub normalize: bool,
    /// Whether classes count as equally likely, whatever their sizes (default: their share of the points).
    pub equal_classes: bool,
    /// Whether negatives are drawn independently, with replacement (default: yes). If not, the loss of that convention is computed
    /// beside: neither the anchor nor its positive is among the negatives, and all of them differ. The bounds are about independent
    /// draws.
    pub replacement: bool,
    /// Whether the positive may be the anchor itself (default: yes). If not, the loss of that convention is computed beside.
    pub self_positive: bool,
    /// Exactly or as the work allows.
    pub effort: Effort,
    /// Multiplications that an exact loss may take, or a sampled one (default: 3e11, some fifteen seconds on two cores).
    pub work: f64,
    /// Chance that any of the sampled intervals misses (default: 1e-6).
    pub alpha: f64,
    /// Relative half-width at which sampling stops (default: 1e-3).
    pub half_width: f64,
    /// Master seed of the sampling.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            negatives: vec![1, 15, 255],
            task_sizes: Vec::new(),
            temperature: 1.0,
            pixels: false,
            center: false,
            normalize: false,
            equal_classes: false,
            replacement: true,
            self_positive: true,
            effort: Effort::Within,
            work: 3e11,
            alpha: 1e-6,
            half_width: 1e-3,
            seed: 0,
        }
    }
}

impl Settings {
    /// Refuses what makes no sense whatever the embeddings; temperatures and numbers of negatives are the estimators' to refuse.
    pub(crate) fn check(&self, classes: usize) -> Result<(), EmbeddingsError> {
        check_sampling(self.work, self.alpha, self.half_width)?;
        if self.negatives.is_empty() {
            return Err(EmbeddingsError::NoNegatives);
        }
        match self.task_sizes.iter().find(|size| !(2..=classes).contains(*size)) {
            Some(&size) => Err(EmbeddingsError::TaskSize { size, classes }),
            None => Ok(()),
        }
    }
}

/// Refuses an amount of work or a width that is no positive number, and a chance that is none.
pub(crate) fn check_sampling(work: f64, alpha: f64, half_width: f64) -> Result<(), EmbeddingsError> {
    for (name, value) in [("work", work), ("half-width", half_width)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(EmbeddingsError::NotPositive { name, value });
        }
    }
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(EmbeddingsError::Alpha { alpha });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_amount_of_work_and_no_width_is_refused_by_name() {
        for wrong in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
            for (settings, name) in [
                (Settings { work: wrong, ..Settings::default() }, "work = "),
                (Settings { half_width: wrong, ..Settings::default() }, "half-width = "),
            ] {
                let refused = settings.check(2).unwrap_err().to_string();
                assert!(refused.starts_with(name), "{refused}");
            }
        }
    }
}
