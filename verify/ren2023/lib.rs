//! Y. Ren, Y. Li, On the importance of contrastive loss in multimodal learning.
//!
//! The source text has lost most of its formulas; statements are reconstructions, and each claim says how far the text
//! determines its own.
//!
//! No claim: Section 6 and Figure 2 are one run of networks on top of a pre-trained ResNet101 and a pre-trained RoBERTa on MSCOCO. Neither the images nor
//! these models come with the project. The two stages at one temperature are tried on the linear model (`constant_temperature`).

mod best_model;
mod constant_temperature;
mod cor_a4;
mod cor_b7;
mod cor_b8;
mod cor_c20;
mod cor_c9;
mod def_4_1;
mod def_4_2;
mod dimensions;
mod eq_5;
mod eq_6;
mod eq_7;
mod eq_8;
mod example_4;
mod footnote_3;
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
mod start_condition;
mod start_size;
mod thm_4_3a;
mod thm_4_3b;

/// What is wrong in the paper as printed, as a file of errata.
pub const ERRATA: &str = include_str!("errata.toml");

/// Which statements of the paper use which, as a file of dependences.
pub const DEPENDENCES: &str = include_str!("dependences.toml");

// The paper's claims, in its own order.
evidence::catalogue! {
    tested elsewhere;
    best_model,
    dimensions,
    setup_norm,
    start_size,
    footnote_3,
    def_4_1,
    def_4_2,
    example_4,
    thm_4_3a in "thm_4_3a/mod.rs",
    thm_4_3b in "thm_4_3b/mod.rs",
    lemma_4_4,
    lemma_4_5,
    start_condition,
    eq_5,
    eq_6,
    gram_closure,
    eq_7 in "eq_7/mod.rs",
    eq_8,
    lemma_5_1 in "lemma_5_1/mod.rs",
    lemma_5_2,
    lemma_5_3 in "lemma_5_3/mod.rs",
    constant_temperature,
    lemma_a1,
    lemma_a2,
    lemma_a3,
    cor_a4,
    lemma_a5,
    lemma_a6,
    lemma_a7,
    lemma_b1 in "lemma_b1/mod.rs",
    lemma_b2,
    lemma_b3,
    lemma_b4,
    lemma_b5,
    lemma_b6,
    cor_b7,
    cor_b8,
    lemma_b9,
    lemma_b10,
    lemma_b11,
    lemma_b12,
    lemma_b13,
    lemma_b14,
    lemma_b15 in "lemma_b15/mod.rs",
    lemma_b16,
    lemma_b17 in "lemma_b17/mod.rs",
    lemma_c1 in "lemma_c1/mod.rs",
    lemma_c2,
    lemma_c3,
    lemma_c4,
    lemma_c5,
    lemma_c6,
    lemma_c7,
    lemma_c8,
    cor_c9,
    lemma_c10,
    lemma_c11,
    lemma_c12 in "lemma_c12/mod.rs",
    lemma_c13,
    lemma_c14,
    lemma_c15,
    lemma_c16,
    lemma_c17,
    lemma_c18,
    lemma_c19,
    cor_c20,
    remark_d in "remark_d/mod.rs",
}
