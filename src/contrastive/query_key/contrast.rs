//! The loss over all sets of negatives in plain doubles, with its loss vectors, for any number of points.

use super::anchor::{AnchorLoss, anchor_loss};
use crate::ContrastiveError;
use enclosures::kernels::inner_product;

/// Logits beyond this would need too many nodes.
const LARGEST_LOGIT: f64 = 1e4;

/// The loss `L_S` and the vectors that its gradient is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct SubsetContrast {
    /// `L_S`, in nats.
    pub loss: f64,
    /// The weights `P_ij`: n rows of n, zero on the diagonal.
    pub weights: Vec<f64>,
    /// `sum_j P_ij (k_j - k_i)`: n rows of d. The derivative of `L_S` with respect to `q_i` is 1/n of row `i`.
    pub query_loss_vectors: Vec<f64>,
    /// `sum_j (P_ji q_j - P_ij q_i)`: n rows of d. The derivative of `L_S` with respect to `k_i` is 1/n of row `i`.
    pub key_loss_vectors: Vec<f64>,
}

/// `L_S` for n >= 2 rows of queries and of keys of one `dimension` and `1 <= negatives <= n - 1`, to about `1e-13` relatively; sums run in
/// a fixed order. The cost is that of the `n` choose `negatives` sets where these are few, and of about `200 n^2 negatives`
/// multiplications otherwise.
///
/// ```
/// use contrapositive_contrastive::subset_contrast;
/// let contrast = subset_contrast(&[0.0; 4], &[1.0, 2.0, 3.0, 4.0], 1, 3)?;
/// assert!((contrast.loss - core_math::log(4.0)).abs() < 1e-15);
/// assert!((contrast.query_loss_vectors[0] - 1.5).abs() < 1e-15);
/// # Ok::<(), contrapositive_contrastive::ContrastiveError>(())
/// ```
///
/// # Errors
/// [`ContrastiveError::Shape`] for lists that are not n rows each, [`ContrastiveError::TaskSize`] for a wrong number of negatives,
/// [`ContrastiveError::NotFinite`] for a logit that is not finite or beyond 1e4.
pub fn subset_contrast(
    queries: &[f64],
    keys: &[f64],
    dimension: usize,
    negatives: usize,
) -> Result<SubsetContrast, ContrastiveError> {
    let count = queries.len().checked_div(dimension).ok_or(ContrastiveError::NoCoordinates)?;
    if queries.len() != keys.len() || count * dimension != queries.len() {
        let (values, labels) = (keys.len(), count);
        return Err(ContrastiveError::Shape { values, labels, dimension });
    }
    if !(1..count).contains(&negatives) {
        return Err(ContrastiveError::TaskSize { k: negatives, classes: count });
    }
    let key = |j: usize| &keys[j * dimension..(j + 1) * dimension];
    let mut found = SubsetContrast {
        loss: 0.0,
        weights: vec![0.0; count * count],
        query_loss_vectors: vec![0.0; queries.len()],
        key_loss_vectors: vec![0.0; queries.len()],
    };
    let mut logits = vec![0.0; count - 1];
    for (i, q) in queries.chunks_exact(dimension).enumerate() {
        let others = || (0..count).filter(move |&j| j != i);
        let difference = |j: usize| -> Vec<f64> { key(j).iter().zip(key(i)).map(|(a, b)| a - b).collect() };
        for (logit, j) in logits.iter_mut().zip(others()) {
            *logit = inner_product(q, &difference(j));
            if logit.is_nan() || logit.abs() > LARGEST_LOGIT {
                let what = format!("the list of logits of point {i}");
                return Err(ContrastiveError::NotFinite { what, value: *logit });
            }
        }
        let AnchorLoss { value, weights } = anchor_loss(&logits, negatives);
        found.loss += value / count as f64;
        for (weight, j) in weights.into_iter().zip(others()) {
            found.weights[i * count + j] = weight;
            let z = difference(j);
            for c in 0..dimension {
                found.query_loss_vectors[i * dimension + c] += weight * z[c];
                found.key_loss_vectors[j * dimension + c] += weight * q[c];
                found.key_loss_vectors[i * dimension + c] -= weight * q[c];
            }
        }
    }
    Ok(found)
}
