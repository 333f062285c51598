//! What several claims of the paper share.

pub mod aligned_step;
pub mod displaced_encoder;
pub mod drawn_encoders;
pub mod encoder_pair;
pub mod failure_events;
pub mod failure_rates;
pub mod first_order_errors;
pub mod gaussian_events;
pub mod gradient_sweeps;
pub mod growing_norms;
pub mod hidden_norm_sizes;
pub mod hypotheses;
pub mod loss_of_share;
pub mod monomials;
pub mod neuron_pair;
pub mod perturbation_range;
pub mod perturbed_products;
pub mod proof_exponents;
pub mod query_key_outputs;
pub mod regime_points;
pub mod replacement;
pub mod signs;
pub mod training_runs;
pub mod trainings;
pub mod unit_points;
pub mod wide_limits;
