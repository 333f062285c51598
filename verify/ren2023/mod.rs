//! Y. Ren, Y. Li, On the importance of contrastive loss in multimodal learning.
//!
//! The source text has lost most of its formulas; statements are reconstructions, and each claim says how far the text
//! determines its own.

mod comparison;
mod cosines;
mod equal_norms;
mod features;
mod finite_width;
mod growing_dimension;
mod high_temperature;
mod schedules;
mod stage_one_rates;
mod stage_one_time;
mod starts;
mod trained;
mod two_stages;
mod view_gaps;

claims! {
    thm_4_3a,
    thm_4_3b,
    lemma_5_1,
    lemma_5_2,
    lemma_5_3,
    lemma_b1,
    lemma_b2,
    lemma_b3,
    lemma_b4,
    lemma_b5,
    lemma_b6,
}
