//! Y. Ren, Y. Li, On the importance of contrastive loss in multimodal learning.
//!
//! The source text has lost most of its formulas; statements are reconstructions, and each claim says how far the text
//! determines its own.

claims! {
    lemma_b2,
}
