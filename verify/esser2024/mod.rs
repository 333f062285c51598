//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod data_families;
mod flows;
mod gradient_models;
mod initial_differences;
mod kernel_machine;
mod linear_data;
mod linear_flows;
mod linear_model;
mod model_families;
mod model_instances;
mod optima;
mod orthonormal_network;
mod solved;
mod spectra;

claims! {
    loss_defs,
    eq_3,
    lemma_1a,
    lemma_1b,
    lemma_1c,
    remark_1,
    grad_nc,
    eq_4,
    eq_5,
    prop_1a,
    prop_1b,
    prop_1c,
    prop_1d,
    prop_1e,
    remark_3,
    reg_equiv,
    prop_3a,
    prop_3b,
    prop_3c,
    prop_3d,
    prop_3e,
    prop_3f,
    thm_1a,
    thm_1b,
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
    exp_c,
    newpoint,
    eq_11,
    eq_12,
    eq_13,
    eq_14,
    lemma_2,
}
