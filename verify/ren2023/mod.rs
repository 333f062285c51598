//! Y. Ren, Y. Li, On the importance of contrastive loss in multimodal learning.
//!
//! The source text has lost most of its formulas; statements are reconstructions, and each claim says how far the text
//! determines its own.

mod aligned_cosines;
mod aligned_states;
mod balancing_path;
mod balancing_sweeps;
mod clock_solution;
mod comparison;
mod comparison_checks;
mod cosines;
mod courses;
mod diagonal_motion;
mod diagonal_points;
mod diagonal_starts;
mod equal_norms;
mod feature_pairs;
mod features;
mod figure_1;
mod finite_columns;
mod finite_training;
mod finite_width;
mod first_order;
mod first_orders;
mod four_cosines;
mod gaussian_start;
mod gradient_steps;
mod growing_dimension;
mod high_temperature;
mod hypotheses;
mod learning_motion;
mod learning_states;
mod linear_system;
mod long_training;
mod manifold_directions;
mod near_manifold;
mod near_states;
mod norm_rates;
mod notation;
mod schedules;
mod signal_pairs;
mod stage_one_flows;
mod stage_one_rates;
mod stage_one_time;
mod stage_two;
mod starts;
mod strength_sweeps;
mod temperature_schedule;
mod trained;
mod two_levels;
mod two_stages;
mod two_view_sides;
mod two_views;
mod view_gaps;
mod wide_starts;

claims! {
    setup_norm,
    def_4_1,
    def_4_2,
    example_4,
    thm_4_3a,
    thm_4_3b,
    lemma_4_4,
    lemma_4_5,
    eq_5,
    eq_6,
    gram_closure,
    eq_7,
    eq_8,
    lemma_5_1,
    lemma_5_2,
    lemma_5_3,
    lemma_a1,
    lemma_a2,
    lemma_a3,
    cor_a4,
    lemma_a5,
    lemma_a6,
    lemma_a7,
    lemma_b1,
    lemma_b2,
    lemma_b3,
    lemma_b4,
    lemma_b5,
    lemma_b6,
    cor_b7,
    cor_b8,
    lemma_b9,
    lemma_b10,
    lemma_b11,
    lemma_b12,
    lemma_b13,
    lemma_b14,
    lemma_b15,
    lemma_b16,
    lemma_b17,
    lemma_c1,
    lemma_c2,
    lemma_c3,
    lemma_c4,
    lemma_c5,
    lemma_c6,
    lemma_c7,
    lemma_c8,
    cor_c9,
    lemma_c10,
    lemma_c11,
    lemma_c12,
    lemma_c13,
    lemma_c14,
    lemma_c15,
    lemma_c16,
    lemma_c17,
    lemma_c18,
    lemma_c19,
    cor_c20,
    remark_d,
}
