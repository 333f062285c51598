//! Y. Ren, Y. Li, On the importance of contrastive loss in multimodal learning.
//!
//! The source text has lost most of its formulas; statements are reconstructions, and each claim says how far the text
//! determines its own.

claims! {
    lemma_b2,
    cor_b7,
    cor_b8,
    lemma_b9,
    lemma_b10,
    lemma_b11,
    lemma_b12,
    lemma_b13,
    lemma_b14,
    lemma_b15,
    lemma_b16,
    lemma_b17,
}

mod courses;
mod diagonal_motion;
mod diagonal_points;
mod four_cosines;
mod learning_motion;
mod learning_states;
mod strength_sweeps;
