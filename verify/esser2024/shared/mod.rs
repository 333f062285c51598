//! What several claims of the paper share.

pub mod counted_steps;
pub mod coupled_losses;
pub mod data_families;
pub mod decoupled_outputs;
pub mod equal_optima;
pub mod flows;
pub mod gradient_models;
pub mod hypotheses;
pub mod initial_differences;
pub mod kernel_machine;
pub mod linear_data;
pub mod linear_flows;
pub mod linear_model;
pub mod model_activations;
pub mod model_families;
pub mod model_instances;
pub mod moons_data;
pub mod notation;
pub mod optima;
pub mod orthonormal_network;
pub mod second_integration;
pub mod solved;
pub mod spectra;
