//! Y. Ren, Y. Li, On the importance of contrastive loss in multimodal learning.
//!
//! The source text has lost most of its formulas; statements are reconstructions, and each claim says how far the text
//! determines its own.

mod cor_a4;
mod cor_b7;
mod cor_b8;
mod cor_c20;
mod cor_c9;
mod def_4_1;
mod def_4_2;
mod eq_5;
mod eq_6;
mod eq_7;
mod eq_8;
mod example_4;
mod gram_closure;
mod lemma_4_4;
mod lemma_4_5;
mod lemma_5_1;
mod lemma_5_2;
mod lemma_5_3;
mod lemma_a1;
mod lemma_a2;
mod lemma_a3;
mod lemma_a5;
mod lemma_a6;
mod lemma_a7;
mod lemma_b1;
mod lemma_b10;
mod lemma_b11;
mod lemma_b12;
mod lemma_b13;
mod lemma_b14;
mod lemma_b15;
mod lemma_b16;
mod lemma_b17;
mod lemma_b2;
mod lemma_b3;
mod lemma_b4;
mod lemma_b5;
mod lemma_b6;
mod lemma_b9;
mod lemma_c1;
mod lemma_c10;
mod lemma_c11;
mod lemma_c12;
mod lemma_c13;
mod lemma_c14;
mod lemma_c15;
mod lemma_c16;
mod lemma_c17;
mod lemma_c18;
mod lemma_c19;
mod lemma_c2;
mod lemma_c3;
mod lemma_c4;
mod lemma_c5;
mod lemma_c6;
mod lemma_c7;
mod lemma_c8;
mod remark_d;
mod setup_norm;
mod shared;
mod thm_4_3a;
mod thm_4_3b;

/// The paper's claims, in its own order.
#[must_use]
pub fn claims() -> Vec<evidence::claim::Claim> {
    vec![
        setup_norm::claim(),
        def_4_1::claim(),
        def_4_2::claim(),
        example_4::claim(),
        thm_4_3a::claim(),
        thm_4_3b::claim(),
        lemma_4_4::claim(),
        lemma_4_5::claim(),
        eq_5::claim(),
        eq_6::claim(),
        gram_closure::claim(),
        eq_7::claim(),
        eq_8::claim(),
        lemma_5_1::claim(),
        lemma_5_2::claim(),
        lemma_5_3::claim(),
        lemma_a1::claim(),
        lemma_a2::claim(),
        lemma_a3::claim(),
        cor_a4::claim(),
        lemma_a5::claim(),
        lemma_a6::claim(),
        lemma_a7::claim(),
        lemma_b1::claim(),
        lemma_b2::claim(),
        lemma_b3::claim(),
        lemma_b4::claim(),
        lemma_b5::claim(),
        lemma_b6::claim(),
        cor_b7::claim(),
        cor_b8::claim(),
        lemma_b9::claim(),
        lemma_b10::claim(),
        lemma_b11::claim(),
        lemma_b12::claim(),
        lemma_b13::claim(),
        lemma_b14::claim(),
        lemma_b15::claim(),
        lemma_b16::claim(),
        lemma_b17::claim(),
        lemma_c1::claim(),
        lemma_c2::claim(),
        lemma_c3::claim(),
        lemma_c4::claim(),
        lemma_c5::claim(),
        lemma_c6::claim(),
        lemma_c7::claim(),
        lemma_c8::claim(),
        cor_c9::claim(),
        lemma_c10::claim(),
        lemma_c11::claim(),
        lemma_c12::claim(),
        lemma_c13::claim(),
        lemma_c14::claim(),
        lemma_c15::claim(),
        lemma_c16::claim(),
        lemma_c17::claim(),
        lemma_c18::claim(),
        lemma_c19::claim(),
        cor_c20::claim(),
        remark_d::claim(),
    ]
}
