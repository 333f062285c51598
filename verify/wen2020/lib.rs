//! Z. Wen, Convergence of end-to-end training in deep unsupervised contrastive learning.
//!
//! Appendix B states its lemmas for the query parameters. The key parameters θ^{(0)} have the same law and are independent of
//! them, so that the same statements, with τ for ω, have the same instances: a drawn encoder stands for either.
//!
//! No claim: that equal architectures are "not essential" (after Definition 3.1) announces a result that the paper does not carry out. That Theorem 4.2 "cannot be derived
//! from the classical theory" compares proofs. "Applying ε-net argument" at the end of the proof of Lemma C.1 names no net; `lemma_c1` has the least
//! eigenvalue, which is the bound for all v at once.

mod algorithm_1;
mod assumption_1;
mod assumption_2;
mod backprop_5_2;
mod bookkeeping;
mod cor_b9;
mod def_3_1;
mod def_3_2;
mod def_3_3;
mod def_4_1;
mod def_activation;
mod eq_1_1;
mod eq_a3;
mod eq_a4;
mod eq_d1;
mod eq_d4;
mod eq_d8;
mod fact_1;
mod fact_2;
mod initial_loss;
mod lemma_4_3;
mod lemma_4_4;
mod lemma_b1;
mod lemma_b10;
mod lemma_b2;
mod lemma_b3;
mod lemma_b4;
mod lemma_b5;
mod lemma_b6;
mod lemma_b7;
mod lemma_b8;
mod lemma_c1;
mod lemma_c2;
mod lemma_c3;
mod lemma_c4;
mod lemma_d1;
mod lemma_d2;
mod no_optimum;
mod notation;
mod output_dimension;
mod prob_exponents;
mod remark_ntk;
mod sec_c1;
mod shared;
mod sketch_5_2;
mod sketch_5_3;
mod theorem_4_2;

/// What is wrong in the paper as printed, as a file of errata.
pub const ERRATA: &str = include_str!("errata.toml");

/// Which statements of the paper use which, as a file of dependences.
pub const DEPENDENCES: &str = include_str!("dependences.toml");

// The paper's claims, in its own order.
evidence::catalogue! {
    tested elsewhere;
    notation,
    eq_1_1,
    def_3_1,
    def_3_2,
    def_3_3,
    no_optimum,
    algorithm_1,
    assumption_1,
    assumption_2,
    remark_ntk,
    def_4_1,
    theorem_4_2 in "theorem_4_2/mod.rs",
    output_dimension,
    lemma_4_3 in "lemma_4_3/mod.rs",
    lemma_4_4 in "lemma_4_4/mod.rs",
    fact_1,
    fact_2,
    def_activation,
    backprop_5_2,
    sketch_5_2,
    sketch_5_3,
    initial_loss in "initial_loss/mod.rs",
    eq_a3,
    eq_a4,
    bookkeeping,
    lemma_b1 in "lemma_b1/mod.rs",
    lemma_b2,
    lemma_b3,
    lemma_b4 in "lemma_b4/mod.rs",
    lemma_b5,
    lemma_b6 in "lemma_b6/mod.rs",
    lemma_b7 in "lemma_b7/mod.rs",
    lemma_b8,
    cor_b9,
    lemma_b10 in "lemma_b10/mod.rs",
    sec_c1,
    lemma_c1 in "lemma_c1/mod.rs",
    lemma_c2,
    lemma_c3,
    lemma_c4 in "lemma_c4/mod.rs",
    lemma_d1,
    eq_d1,
    lemma_d2 in "lemma_d2/mod.rs",
    eq_d4,
    eq_d8 in "eq_d8/mod.rs",
    prob_exponents,
}
