//! Queries and keys of n points, and the contrastive loss averaged over all sets of k negatives.
//!
//! Source: Wen, *Convergence of end-to-end training in deep unsupervised contrastive learning*, definition 3.3. Point `i` has the
//! query `q_i` and is its own positive with the key `k_i`; its negatives are a set `A` of `k` other points, drawn uniformly. With the
//! logits `s_ij = q_i . (k_j - k_i)` the loss is `L_S = (1/n) sum_i E_A log(1 + sum_{j in A} e^{s_ij})`, and everything about its
//! gradient is in the weights `P_ij = E_A[ 1{j in A} e^{s_ij} / (1 + sum_{s in A} e^{s_is}) ]`.
//!
//! Two ways to it: sums over all sets ([`QueriesAndKeys`], [`subset_loss`]) in intervals, which may carry derivatives; and
//! [`subset_contrast`] in plain doubles for any `n` and `k`, for training.

mod anchor;
mod contrast;
mod enumeration;
mod queries_and_keys;
#[cfg(test)]
mod tests;

pub use contrast::{SubsetContrast, subset_contrast};
pub use enumeration::{key_logits, mean_over_subsets, subset_loss, subset_weights, subsets};
pub use queries_and_keys::QueriesAndKeys;
