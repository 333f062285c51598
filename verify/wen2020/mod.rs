//! Z. Wen, Convergence of end-to-end training in deep unsupervised contrastive learning.

mod hidden_norm_sizes;
mod neuron_pair;
mod one_layer;

claims! {
    lemma_b1,
    lemma_b8,
    lemma_b10,
    lemma_d1,
}
