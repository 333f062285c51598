//! The contrastive loss of embedded tuples and its gradient.

use super::NetworkError;
use super::dense::{add_scaled, dot};
use super::error::{all_finite, whole_rows};

/// The mean loss of a batch of tuples, and its derivatives with respect to their embeddings.
#[derive(Debug, Clone, PartialEq)]
pub struct LossAndGradient {
    /// The mean over the tuples.
    pub value: f64,
    /// The derivatives of the mean, laid out like the embeddings.
    pub gradient: Vec<f64>,
}

/// The mean of log(1 + sum_i exp(f(x) . (f(x⁻_i) - f(x⁺)))) over a batch of tuples with N = `negatives` negatives each
/// (Merad et al. 2020, equation (6), the fraction divided out).
///
/// `outputs` holds the embeddings of T >= 1 tuples one after the other, each as N + 2 rows of `dimension` values: f(x),
/// f(x⁺), f(x⁻_1), ..., f(x⁻_N). The largest exponent is taken out of the sum, so nothing overflows unless a score does.
///
/// # Errors
/// [`NetworkError::Setting`] if `negatives` or `dimension` is zero, [`NetworkError::Ragged`] if the last tuple is
/// incomplete or there is none, [`NetworkError::NotFinite`] for an embedding, a score or a derivative that is NaN or
/// infinite.
pub fn contrastive_loss(outputs: &[f64], dimension: usize, negatives: usize) -> Result<LossAndGradient, NetworkError> {
    for (name, value) in [("dimension", dimension), ("negatives", negatives)] {
        if value == 0 {
            return Err(NetworkError::Setting { name, value: value.to_string(), limit: "at least 1" });
        }
    }
    // A tuple too long for `usize` is longer than any array.
    let tuple = negatives.saturating_add(2).saturating_mul(dimension);
    let share = 1.0 / whole_rows("embeddings", outputs, tuple)? as f64;
    all_finite("embeddings", outputs)?;

    let mut value = 0.0;
    let mut gradient = vec![0.0; outputs.len()];
    let mut scores = Vec::with_capacity(negatives);
    for (embedded, slots) in outputs.chunks_exact(tuple).zip(gradient.chunks_exact_mut(tuple)) {
        let (anchor, others) = embedded.split_at(dimension);
        let (positive, negative) = others.split_at(dimension);
        scores.clear();
        let attraction = dot(anchor, positive);
        scores.extend(negative.chunks_exact(dimension).map(|f| dot(anchor, f) - attraction));
        all_finite("score", &scores)?;
        value += share * logistic_weights(&mut scores);

        let (anchor_slot, other_slots) = slots.split_at_mut(dimension);
        let (positive_slot, negative_slots) = other_slots.split_at_mut(dimension);
        let rows = negative.chunks_exact(dimension).zip(negative_slots.chunks_exact_mut(dimension));
        for (&weight, (f, slot)) in scores.iter().zip(rows) {
            let weight = share * weight;
            for (anchor_slot, (f, positive)) in anchor_slot.iter_mut().zip(f.iter().zip(positive)) {
                *anchor_slot += weight * (f - positive);
            }
            add_scaled(positive_slot, -weight, anchor);
            add_scaled(slot, weight, anchor);
        }
    }
    all_finite("derivative of the loss", &gradient)?;
    Ok(LossAndGradient { value, gradient })
}

/// Returns log(1 + sum_i e^{s_i}) and replaces each s_i by its derivative e^{s_i} / (1 + sum_j e^{s_j}).
fn logistic_weights(scores: &mut [f64]) -> f64 {
    // The one stands for a score of zero. The largest of all becomes 1 exactly, and the logarithm sees the rest only:
    // that keeps full relative accuracy when the loss is tiny.
    let mut largest = None;
    let mut shift = 0.0;
    for (index, &score) in scores.iter().enumerate() {
        if score > shift {
            (largest, shift) = (Some(index), score);
        }
    }
    let mut rest = if largest.is_some() { core_math::exp(-shift) } else { 0.0 };
    for (index, score) in scores.iter_mut().enumerate() {
        if Some(index) == largest {
            *score = 1.0;
        } else {
            *score = core_math::exp(*score - shift);
            rest += *score;
        }
    }
    scores.iter_mut().for_each(|score| *score /= 1.0 + rest);
    shift + core_math::log1p(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn zero_embeddings_cost_the_logarithm_of_the_tuple() {
        let loss = contrastive_loss(&[0.0; 24], 2, 4).unwrap();
        assert!((loss.value - core_math::log(5.0)).abs() < 1e-15);
        assert!(loss.gradient.iter().all(|&g| g == 0.0));
    }

    #[test]
    fn one_negative_costs_the_logistic_loss() {
        // The score is 2 * (1 - 3) = -4, in one dimension.
        let loss = contrastive_loss(&[2.0, 3.0, 1.0], 1, 1).unwrap();
        let weight = 1.0 / (1.0 + core_math::exp(4.0));
        assert!((loss.value - core_math::log1p(core_math::exp(-4.0))).abs() < 1e-16);
        for (found, expected) in loss.gradient.iter().zip([-2.0 * weight, -2.0 * weight, 2.0 * weight]) {
            assert!((found - expected).abs() < 1e-16);
        }
    }

    #[test]
    fn extreme_scores_neither_overflow_nor_vanish() {
        let high = contrastive_loss(&[1000.0, -1000.0, 1000.0, 0.0], 1, 2).unwrap();
        assert_eq!(high.value, 2e6);
        assert_eq!(high.gradient, [2000.0, -1000.0, 1000.0, 0.0]);
        // log(1 + e^-700) = e^-700 to the last bit.
        let low = contrastive_loss(&[1.0, 700.0, 0.0], 1, 1).unwrap();
        assert_eq!(low.value, core_math::exp(-700.0));
        assert_eq!(low.gradient[2], core_math::exp(-700.0));
    }

    #[test]
    fn malformed_batches_are_refused() {
        assert!(matches!(contrastive_loss(&[], 1, 1), Err(NetworkError::Ragged { .. })));
        assert!(matches!(contrastive_loss(&[1.0; 4], 1, 1), Err(NetworkError::Ragged { row: 3, found: 4, .. })));
        assert!(matches!(contrastive_loss(&[1.0; 4], 0, 1), Err(NetworkError::Setting { name: "dimension", .. })));
        assert!(matches!(contrastive_loss(&[1.0; 4], 1, 0), Err(NetworkError::Setting { name: "negatives", .. })));
        assert!(matches!(contrastive_loss(&[1.0; 4], 1, usize::MAX), Err(NetworkError::Ragged { .. })));
        let nan = contrastive_loss(&[1.0, 1.0, f64::NAN], 1, 1);
        assert!(matches!(nan, Err(NetworkError::NotFinite { name: "embeddings", index: 2, .. })));
        let overflow = contrastive_loss(&[1e200, 1e200, 1e200], 1, 1);
        assert!(matches!(overflow, Err(NetworkError::NotFinite { name: "score", .. })));
    }

    proptest! {
        #[test]
        fn the_weights_are_the_derivatives_of_the_sum(scores in prop::collection::vec(-30.0..30.0_f64, 1..6)) {
            let mut weights = scores.clone();
            let value = logistic_weights(&mut weights);
            let sum: f64 = scores.iter().map(|&s| core_math::exp(s)).sum();
            prop_assert!((value - core_math::log1p(sum)).abs() <= 1e-13 * value);
            for (&weight, &score) in weights.iter().zip(&scores) {
                let expected = core_math::exp(score) / (1.0 + sum);
                prop_assert!((weight - expected).abs() <= 1e-13 * expected);
            }
        }
    }
}
