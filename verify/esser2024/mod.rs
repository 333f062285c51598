//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod counted_steps;
mod data_families;
mod flows;
mod kernel_machine;
mod linear_data;
mod linear_flows;
mod linear_model;
mod optima;
mod orthonormal_network;
mod solved;
mod spectra;

claims! {
    prop_1a,
    prop_1b,
    prop_1c,
    prop_1d,
    prop_1e,
    prop_3a,
    prop_3b,
    prop_3c,
    prop_3d,
    prop_3e,
    prop_3f,
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
    eq_11_12,
    eq_12,
    runtime,
}
