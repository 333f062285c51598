//! Y. Ren, Y. Li, On the importance of contrastive loss in multimodal learning.
//!
//! The source text has lost most of its formulas; statements are reconstructions, and each claim says how far the text
//! determines its own.

mod first_order;
mod gradient_steps;
mod linear_system;
mod manifold_directions;
mod mismatch;
mod near_states;
mod signal_pairs;
mod two_levels;

claims! {
    lemma_b2,
    lemma_c10,
    lemma_c11,
    lemma_c12,
    lemma_c13,
    lemma_c14,
    lemma_c15,
    lemma_c16,
    lemma_c17,
    lemma_c18,
    lemma_c19,
    cor_c20,
    remark_d,
}
