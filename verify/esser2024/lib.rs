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

/// The paper's claims, in its own order.
#[must_use]
pub fn claims() -> Vec<evidence::claim::Claim> {
    vec![
        loss_defs::claim(),
        eq_3::claim(),
        lemma_1a::claim(),
        lemma_1b::claim(),
        lemma_1c::claim(),
        remark_1::claim(),
        grad_nc::claim(),
        eq_4::claim(),
        eq_5::claim(),
        prop_1a::claim(),
        prop_1b::claim(),
        prop_1c::claim(),
        prop_1d::claim(),
        prop_1e::claim(),
        remark_2::claim(),
        remark_3::claim(),
        reg_equiv::claim(),
        prop_2::claim(),
        prop_3a::claim(),
        prop_3b::claim(),
        prop_3c::claim(),
        prop_3d::claim(),
        prop_3e::claim(),
        prop_3f::claim(),
        example_1::claim(),
        thm_1a::claim(),
        thm_1b::claim(),
        conj_1::claim(),
        fig_2::claim(),
        eq_7::claim(),
        eq_7pq::claim(),
        eq_7nc::claim(),
        def_1::claim(),
        thm_2a::claim(),
        thm_2b::claim(),
        width::claim(),
        riccati::claim(),
        eq_10::claim(),
        thm_3a::claim(),
        thm_3b::claim(),
        exp_c::claim(),
        newpoint::claim(),
        eq_11::claim(),
        eq_11_12::claim(),
        eq_12::claim(),
        runtime::claim(),
        eq_13::claim(),
        eq_14::claim(),
        lemma_2::claim(),
    ]
}
