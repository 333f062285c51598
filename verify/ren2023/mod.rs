//! Y. Ren, Y. Li, On the importance of contrastive loss in multimodal learning.
//!
//! The source text has lost most of its formulas; statements are reconstructions, and each claim says how far the text
//! determines its own.

mod aligned_cosines;
mod balancing_path;
mod balancing_sweeps;
mod first_orders;
mod near_manifold;

claims! {
    lemma_b2,
    lemma_c1,
    lemma_c2,
    lemma_c3,
    lemma_c4,
    lemma_c5,
    lemma_c6,
    lemma_c7,
    lemma_c8,
    cor_c9,
}
