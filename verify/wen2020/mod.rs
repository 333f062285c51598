//! Z. Wen, Convergence of end-to-end training in deep unsupervised contrastive learning.

claims! {
    lemma_b8,
    lemma_d1,
}
