//! Z. Wen, Convergence of end-to-end training in deep unsupervised contrastive learning.

mod bad_points;
mod encoder_pair;
mod gradient_sweeps;
mod hidden_norm_sizes;
mod monomials;
mod neuron_pair;
mod one_layer;
mod outputs;
mod proof_exponents;
mod remainders;
mod replacement;
mod runs;
mod shares;
mod trainings;
mod unit_points;

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
    lemma_b8,
    lemma_b10,
    lemma_d1,
}
