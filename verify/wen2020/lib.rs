//! Z. Wen, Convergence of end-to-end training in deep unsupervised contrastive learning.
//!
//! Appendix B states its lemmas for the query parameters. The key parameters θ^{(0)} have the same law and are independent of
//! them, so that the same statements, with τ for ω, have the same instances: a drawn encoder stands for either.

mod algorithm_1;
mod aligned_step;
mod assumption_1;
mod assumption_2;
mod backprop_5_2;
mod backward_telescope;
mod bad_points;
mod bookkeeping;
mod cor_b9;
mod dead_layers;
mod deep_limit;
mod def_3_1;
mod def_3_2;
mod def_3_3;
mod def_4_1;
mod def_activation;
mod displaced_encoder;
mod drawn_encoders;
mod drawn_layer;
mod encoder_pair;
mod eq_1_1;
mod eq_a3;
mod eq_a4;
mod eq_d1;
mod eq_d4;
mod eq_d8;
mod exact_displacement;
mod fact_1;
mod fact_2;
mod failure_events;
mod failure_rates;
mod first_order_errors;
mod gaussian_events;
mod gradient_ratios;
mod gradient_sweeps;
mod gram_depths;
mod growing_norms;
mod hexagon_limit;
mod hidden_norm_families;
mod hidden_norm_sizes;
mod hypotheses;
mod initial_loss;
mod key_first_order_errors;
mod keys_moved_apart;
mod large_outputs;
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
mod monomials;
mod moved_vectors;
mod neuron_pair;
mod notation;
mod one_layer;
mod one_unit;
mod output_norm_law;
mod output_steps;
mod outputs;
mod outputs_wide;
mod perturbation_range;
mod perturbed_products;
mod prob_exponents;
mod proof_events;
mod proof_exponents;
mod regime_points;
mod remainders;
mod remark_ntk;
mod replacement;
mod runs;
mod sec_c1;
mod separation_failures;
mod shares;
mod signs;
mod sketch_5_2;
mod sketch_5_3;
mod tail_sums;
mod theorem_4_2;
mod training_sweep;
mod trainings;
mod unit_points;
mod wide_limits;
mod zero_queries;

/// What is wrong in the paper as printed, as a file of errata.
pub const ERRATA: &str = include_str!("errata.toml");

/// Which statements of the paper use which, as a file of dependences.
pub const DEPENDENCES: &str = include_str!("dependences.toml");

/// The paper's claims, in its own order.
#[must_use]
pub fn claims() -> Vec<evidence::claim::Claim> {
    evidence::contents![
        notation,
        eq_1_1,
        def_3_1,
        def_3_2,
        def_3_3,
        algorithm_1,
        assumption_1,
        assumption_2,
        remark_ntk,
        def_4_1,
        theorem_4_2,
        lemma_4_3,
        lemma_4_4,
        fact_1,
        fact_2,
        def_activation,
        backprop_5_2,
        sketch_5_2,
        sketch_5_3,
        initial_loss,
        eq_a3,
        eq_a4,
        bookkeeping,
        lemma_b1,
        lemma_b2,
        lemma_b3,
        lemma_b4,
        lemma_b5,
        lemma_b6,
        lemma_b7,
        lemma_b8,
        cor_b9,
        lemma_b10,
        sec_c1,
        lemma_c1,
        lemma_c2,
        lemma_c3,
        lemma_c4,
        lemma_d1,
        eq_d1,
        lemma_d2,
        eq_d4,
        eq_d8,
        prob_exponents,
    ]
}
