//! Z. Wen, Convergence of end-to-end training in deep unsupervised contrastive learning.

mod backward_telescope;
mod drawn_encoders;
mod encoder_pair;
mod exact_displacement;
mod hidden_norm_sizes;
mod neuron_pair;
mod one_layer;
mod outputs;
mod outputs_wide;
mod perturbation_range;
mod perturbed_products;
mod replacement;
mod runs;
mod shares;
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
    fact_1,
    fact_2,
    def_activation,
    backprop_5_2,
    sketch_5_2,
    sketch_5_3,
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
    lemma_d1,
}
