//! Well-known inequalities of learning theory, as commonly quoted, with their sharp constants, and the misquotations that circulate.
//!
//! A catalogue of its own: it uses the public face of `contrapositive` and nothing else, and `cargo test -p classics` tries it in
//! seconds, one test for each claim. Every file holds an inequality (`claim`) and a misquotation of it (`misquoted`), whose printed
//! words fail and whose amendment holds.

use contrapositive::prelude::*;

mod alignment_uniformity;
mod bernstein;
mod birthday;
mod bretagnolle_huber;
mod data_processing;
mod gaussian_tail;
mod hoeffding_inequality;
mod hoeffding_lemma;
mod infonce;
mod jensen_log;
mod johnson_lindenstrauss;
mod log_sum_exp_bounds;
mod pinsker;
mod popoviciu;
mod shared;
mod softmax_lipschitz;

// Distances between laws.
pub use bretagnolle_huber::{claim as bretagnolle_huber, misquoted as bretagnolle_huber_without_half};
pub use data_processing::{claim as data_processing, misquoted as data_processing_in_a_norm};
pub use pinsker::{claim as pinsker, misquoted as pinsker_for_the_l1_norm};

// Moments and tails.
pub use bernstein::{claim as bernstein, misquoted as bernstein_without_linear_term};
pub use birthday::{claim as birthday, misquoted as birthday_with_the_square};
pub use gaussian_tail::{claim as gaussian_tail, misquoted as mills_ratio_for_both_sides};
pub use hoeffding_inequality::{claim as hoeffding_inequality, misquoted as hoeffding_for_signs};
pub use hoeffding_lemma::{claim as hoeffding_lemma, misquoted as variance_as_proxy};
pub use jensen_log::{claim as jensen_log, misquoted as jensen_gap_by_delta_method};
pub use johnson_lindenstrauss::{
    claim as johnson_lindenstrauss, misquoted as johnson_lindenstrauss_without_cubic_term,
};
pub use popoviciu::{claim as popoviciu, misquoted as popoviciu_for_samples};

// Softmax and contrastive losses.
pub use alignment_uniformity::{claim as alignment_uniformity, misquoted as uniformity_with_log_outside};
pub use infonce::{claim as infonce, misquoted as infonce_without_positive};
pub use log_sum_exp_bounds::{claim as log_sum_exp, misquoted as log_sum_exp_without_temperature};
pub use softmax_lipschitz::{claim as softmax_lipschitz, misquoted as softmax_with_a_quarter};

/// The claims in order, and a test for each of them.
macro_rules! catalogue {
    ($($claim:ident),+ $(,)?) => {
        /// Every claim, in the order of this page.
        #[must_use]
        pub fn claims() -> Vec<Claim> {
            vec![$($claim()),+]
        }

        contrapositive::catalogue_tests!($($claim),+);
    };
}

catalogue!(
    bretagnolle_huber,
    bretagnolle_huber_without_half,
    data_processing,
    data_processing_in_a_norm,
    pinsker,
    pinsker_for_the_l1_norm,
    bernstein,
    bernstein_without_linear_term,
    birthday,
    birthday_with_the_square,
    gaussian_tail,
    mills_ratio_for_both_sides,
    hoeffding_inequality,
    hoeffding_for_signs,
    hoeffding_lemma,
    variance_as_proxy,
    jensen_log,
    jensen_gap_by_delta_method,
    johnson_lindenstrauss,
    johnson_lindenstrauss_without_cubic_term,
    popoviciu,
    popoviciu_for_samples,
    alignment_uniformity,
    uniformity_with_log_outside,
    infonce,
    infonce_without_positive,
    log_sum_exp,
    log_sum_exp_without_temperature,
    softmax_lipschitz,
    softmax_with_a_quarter,
);
