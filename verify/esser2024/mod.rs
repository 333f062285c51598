//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod data_families;
mod flows;
mod gaussian_columns;
mod initial_differences;
mod kernel_machine;
mod linear_data;
mod linear_flows;
mod linear_model;
mod moons_data;
mod moons_descent;
mod optima;
mod solved;
mod spectra;

claims! {
    prop_1a,
    prop_1b,
    prop_1c,
    prop_1d,
    prop_1e,
    reg_equiv,
    prop_2,
    prop_3a,
    prop_3b,
    prop_3c,
    prop_3d,
    prop_3e,
    prop_3f,
    example_1,
    thm_1a,
    thm_1b,
    conj_1,
    fig_2,
    eq_7,
    eq_7pq,
    eq_7nc,
    eq_10,
    thm_3a,
    thm_3b,
    eq_13,
    eq_14,
    lemma_2,
}
