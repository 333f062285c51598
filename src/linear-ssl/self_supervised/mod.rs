//! The two losses of linear self-supervised models, their data matrices, and what the constrained problems can attain.

mod attainable_products;
mod error;
mod product_descent;
mod quadratic_loss;
mod several_samples;
mod triplet_data;

pub use attainable_products::{
    RankRange, excess_of_problem_4, forced_unit_singular_values, optimal_ranks_of_problem_3,
    optimal_ranks_of_problem_4, value_of_problem_1, value_of_problem_2, value_of_problem_4,
};
pub use error::SelfSupervisedError;
pub use product_descent::{Descent, DescentEffort, descent_on_problem_2, descent_on_problem_4};
pub use quadratic_loss::{norm_loss, trace_loss};
pub use several_samples::{AnchoredSamples, SharedSamples};
pub use triplet_data::TripletData;
