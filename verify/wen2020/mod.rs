//! Z. Wen, Convergence of end-to-end training in deep unsupervised contrastive learning.

claims! {
    lemma_d1,
}
