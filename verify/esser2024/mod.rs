//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod augmented_law;
mod counted_steps;
mod coupled_losses;
mod cross_output_slopes;
mod data_families;
mod decoupled_outputs;
mod digits_matrix;
mod drawn_matrices;
mod equal_optima;
mod euler_iterates;
mod figure_3;
mod flows;
mod gaussian_columns;
mod gradient_models;
mod hypotheses;
mod infonce_columns;
mod initial_differences;
mod kept_modes;
mod kernel_machine;
mod kernel_paths;
mod linear_data;
mod linear_flows;
mod linear_model;
mod model_activations;
mod model_families;
mod model_instances;
mod moons_data;
mod moons_descent;
mod moons_starts;
mod near_linear_start;
mod norm_forms;
mod notation;
mod optima;
mod orthonormal_network;
mod projected_starts;
mod reachable_products;
mod scalar_machine;
mod second_integration;
mod settling_runs;
mod shifted_units;
mod solved;
mod spectra;
mod two_schemes;
mod wide_moments;

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
    remark_2,
    remark_3,
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
    eq_13,
    eq_14,
    lemma_2,
}
