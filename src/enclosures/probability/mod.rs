//! Laws that the claims speak of, interval valued where they are computed and bit-deterministic where they are sampled.

mod binomial;
mod clopper_pearson;
mod collector_moments;
mod coupon_collector;
mod coverage;
mod distinct_classes;
mod gaussian_matrix_norm;
mod gaussian_tails;
mod gram_chain;
mod hidden_norms;
mod norm_concentration;
mod power_law;
mod relu_gaussian;
mod sphere_tails;
mod standard_normal;
mod student;

pub use binomial::{Binomial, BinomialError, ln_factorial};
pub use clopper_pearson::{IntervalError, clopper_pearson, lower_bound, upper_bound};
pub use collector_moments::{collector_mean, collector_variance, harmonic};
pub use coupon_collector::{CollectorError, CoverageLaw};
pub use coverage::{Coverage, coverage_probability, probabilities_of};
pub use gaussian_matrix_norm::gaussian_norm;
pub use gaussian_tails::{chi_square_lower_tail, chi_square_upper_tail, normal_two_sided_tail};
pub use gram_chain::{GramChain, GramError};

pub use hidden_norms::{IncrementLaw, all_positive, chi_square, chi_squares, hidden_norms};
pub use norm_concentration::{ConcentrationError, concentration, concentration_upper_bound};
pub use power_law::{FitError, FittedLine, fit_line, fit_power_law};
pub use relu_gaussian::{
    angle_chain, angle_of_chord, arc_cosine_kernel, both_active, chord_of_angle, difference_moment, first_layer_below,
    next_angle, one_active, square_when_both_active, square_when_only_first_active,
    squared_difference_when_both_active,
};
pub use sphere_tails::{orthonormal_row_tail, sphere_coordinate_tail};
pub use standard_normal::{
    fair_binomial, fill_standard_normal, list_of_standard_normals, standard_normal, standard_normal_pair,
    standard_normals, uniform,
};
pub use student::{StudentError, two_sided_quantile, two_sided_tail};
