//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.
//!
//! The paper writes its losses as sums over triplets and as traces with a matrix C; where the two disagree in sign, each claim says which
//! one it is about. Its numbers are kept: a proposition with several parts has a claim for each (`prop_1a` to `prop_1e`).
//!
//! No claim: Figure 4, right, on the accuracy of a linear SVM is about one run on two digits. That the outputs of (11) and (12) differ in general is `eq_11_12`. What
//! the abstract says of tangent kernels is `lemma_1c`: the kernel of a wide network moves.

mod conj_1;
mod def_1;
mod eq_10;
mod eq_11;
mod eq_11_12;
mod eq_12;
mod eq_13;
mod eq_14;
mod eq_3;
mod eq_4;
mod eq_5;
mod eq_7;
mod eq_7nc;
mod eq_7pq;
mod example_1;
mod exp_c;
mod fig_2;
mod figure_3;
mod grad_nc;
mod lemma_1a;
mod lemma_1b;
mod lemma_1c;
mod lemma_2;
mod loss_defs;
mod newpoint;
mod prop_1a;
mod prop_1b;
mod prop_1c;
mod prop_1d;
mod prop_1e;
mod prop_2;
mod prop_3a;
mod prop_3b;
mod prop_3c;
mod prop_3d;
mod prop_3e;
mod prop_3f;
mod reg_equiv;
mod remark_1;
mod remark_2;
mod remark_3;
mod riccati;
mod runtime;
mod scaled_loss;
mod shared;
mod thm_1a;
mod thm_1b;
mod thm_2a;
mod thm_2b;
mod thm_3a;
mod thm_3b;
mod width;

/// What is wrong in the paper as printed, as a file of errata.
pub const ERRATA: &str = include_str!("errata.toml");

/// Which statements of the paper use which, as a file of dependences.
pub const DEPENDENCES: &str = include_str!("dependences.toml");

// The paper's claims, in its own order.
evidence::catalogue! {
    tested elsewhere;
    loss_defs,
    eq_3,
    lemma_1a,
    lemma_1b in "lemma_1b/mod.rs",
    lemma_1c in "lemma_1c/mod.rs",
    remark_1,
    grad_nc,
    eq_4,
    eq_5,
    prop_1a,
    prop_1b,
    prop_1c,
    prop_1d,
    prop_1e,
    remark_2 in "remark_2/mod.rs",
    remark_3 in "remark_3/mod.rs",
    reg_equiv,
    prop_2 in "prop_2/mod.rs",
    prop_3a,
    prop_3b,
    prop_3c,
    prop_3d in "prop_3d/mod.rs",
    prop_3e,
    prop_3f,
    example_1 in "example_1/mod.rs",
    thm_1a in "thm_1a/mod.rs",
    thm_1b,
    conj_1,
    fig_2,
    eq_7,
    eq_7pq,
    eq_7nc,
    def_1,
    thm_2a,
    thm_2b,
    width,
    riccati,
    eq_10,
    thm_3a,
    thm_3b,
    exp_c in "exp_c/mod.rs",
    newpoint,
    eq_11,
    eq_11_12 in "eq_11_12/mod.rs",
    eq_12 in "eq_12/mod.rs",
    runtime,
    scaled_loss,
    eq_13,
    eq_14,
    lemma_2 in "lemma_2/mod.rs",
}
