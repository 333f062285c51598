//! Z. Wen, Convergence of end-to-end training in deep unsupervised contrastive learning.
//!
//! Appendix B states its lemmas for the query parameters. The key parameters θ^{(0)} have the same law and are independent of
//! them, so that the same statements, with τ for ω, have the same instances: a drawn encoder stands for either.

mod aligned_step;
mod backward_telescope;
mod bad_points;
mod dead_layers;
mod deep_limit;
mod displaced_encoder;
mod drawn_encoders;
mod drawn_layer;
mod encoder_pair;
mod exact_displacement;
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
mod key_first_order_errors;
mod keys_moved_apart;
mod large_outputs;
mod monomials;
mod moved_vectors;
mod neuron_pair;
mod one_layer;
mod one_unit;
mod output_norm_law;
mod output_steps;
mod outputs;
mod outputs_wide;
mod perturbation_range;
mod perturbed_products;
mod proof_events;
mod proof_exponents;
mod regime_points;
mod remainders;
mod replacement;
mod runs;
mod separation_failures;
mod shares;
mod signs;
mod tail_sums;
mod training_sweep;
mod trainings;
mod unit_points;
mod wide_limits;
mod zero_queries;

claims! {
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
}
