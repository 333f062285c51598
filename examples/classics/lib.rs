//! Well-known inequalities of learning theory, as commonly quoted, with their sharp constants, and the misquotations that circulate.
//!
//! A catalogue of its own: it uses the public face of `contrapositive` and nothing else, and `cargo test -p classics` tries it in
//! seconds, one test for each claim. Every file holds an inequality (`claim`) and a misquotation of it (`misquoted`), whose printed
//! words fail and whose amendment holds.

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
mod union_bound;

contrapositive::catalogue! {
    // Distances between laws.
    bretagnolle_huber,
    bretagnolle_huber_without_half: bretagnolle_huber::misquoted,
    data_processing,
    data_processing_in_a_norm: data_processing::misquoted,
    pinsker,
    pinsker_for_the_l1_norm: pinsker::misquoted,

    // Moments and tails.
    bernstein,
    bernstein_without_linear_term: bernstein::misquoted,
    birthday,
    birthday_with_the_square: birthday::misquoted,
    gaussian_tail,
    mills_ratio_for_both_sides: gaussian_tail::misquoted,
    hoeffding_inequality,
    hoeffding_for_signs: hoeffding_inequality::misquoted,
    hoeffding_lemma,
    variance_as_proxy: hoeffding_lemma::misquoted,
    jensen_log,
    jensen_gap_by_delta_method: jensen_log::misquoted,
    johnson_lindenstrauss,
    johnson_lindenstrauss_without_cubic_term: johnson_lindenstrauss::misquoted,
    popoviciu,
    popoviciu_for_samples: popoviciu::misquoted,
    union_bound,
    union_bound_exponential: union_bound::misquoted,

    // Softmax and contrastive losses.
    alignment_uniformity,
    uniformity_with_log_outside: alignment_uniformity::misquoted,
    infonce,
    infonce_without_positive: infonce::misquoted,
    log_sum_exp_bounds,
    log_sum_exp_without_temperature: log_sum_exp_bounds::misquoted,
    softmax_lipschitz,
    softmax_with_a_quarter: softmax_lipschitz::misquoted,
}
