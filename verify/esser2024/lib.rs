//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod augmented_law;
mod conj_1;
mod counted_steps;
mod coupled_losses;
mod cross_output_slopes;
mod data_families;
mod decoupled_outputs;
mod def_1;
mod digits_matrix;
mod drawn_matrices;
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
mod equal_optima;
mod euler_iterates;
mod example_1;
mod exp_c;
mod fig_2;
mod figure_3;
mod flows;
mod gaussian_columns;
mod grad_nc;
mod gradient_models;
mod hypotheses;
mod infonce_columns;
mod initial_differences;
mod kept_modes;
mod kernel_machine;
mod kernel_paths;
mod lemma_1a;
mod lemma_1b;
mod lemma_1c;
mod lemma_2;
mod linear_data;
mod linear_flows;
mod linear_model;
mod loss_defs;
mod model_activations;
mod model_families;
mod model_instances;
mod moons_data;
mod moons_descent;
mod moons_starts;
mod near_linear_start;
mod newpoint;
mod norm_forms;
mod notation;
mod optima;
mod orthonormal_network;
mod projected_starts;
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
mod reachable_products;
mod reg_equiv;
mod remark_1;
mod remark_2;
mod remark_3;
mod riccati;
mod runtime;
mod scalar_machine;
mod second_integration;
mod settling_runs;
mod shifted_units;
mod solved;
mod spectra;
mod thm_1a;
mod thm_1b;
mod thm_2a;
mod thm_2b;
mod thm_3a;
mod thm_3b;
mod two_schemes;
mod wide_moments;
mod width;

/// What is wrong in the paper as printed, as a file of errata.
pub const ERRATA: &str = include_str!("errata.toml");

/// Which statements of the paper use which, as a file of dependences.
pub const DEPENDENCES: &str = include_str!("dependences.toml");

/// The paper's claims, in its own order.
#[must_use]
pub fn claims() -> Vec<evidence::claim::Claim> {
    evidence::contents![
        loss_defs, eq_3, lemma_1a, lemma_1b, lemma_1c, remark_1, grad_nc, eq_4, eq_5, prop_1a, prop_1b, prop_1c,
        prop_1d, prop_1e, remark_2, remark_3, reg_equiv, prop_2, prop_3a, prop_3b, prop_3c, prop_3d, prop_3e, prop_3f,
        example_1, thm_1a, thm_1b, conj_1, fig_2, eq_7, eq_7pq, eq_7nc, def_1, thm_2a, thm_2b, width, riccati, eq_10,
        thm_3a, thm_3b, exp_c, newpoint, eq_11, eq_11_12, eq_12, runtime, eq_13, eq_14, lemma_2,
    ]
}
