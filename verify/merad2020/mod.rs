//! I. Merad, Y. Yu, E. Bacry, S. Gaïffas, About contrastive unsupervised representation learning for classification and
//! its convergence.
//!
//! Numbers are those of the complete version; an earlier version of the appendix numbers Lemma 1 as 3.1, Lemma 2 as
//! 3.2, Propositions 1 and 2 as 3.3, Lemma 3 as 4.1, Lemma 4 as 4.2 and Lemma 6 as B.1.

mod ball_maximum;
mod blocks;
mod class_weights;
mod collector_time;
mod displacements;
mod experiments;
mod factored;
mod families;
mod far_class;
mod free_outputs;
mod hypotheses;
mod long_descent;
mod lse;
mod many_points;
mod negatives;
mod network_gradients;
mod network_point;
mod notation;
mod outputs;
mod proxy_descent;
mod reals;
mod regression_run;
mod scaled_hessian;
mod separation_and_width;
mod shared_data;
mod shared_outputs;
mod subsets;
mod task_average;
mod theorem_1_proof;
mod training_families;
mod training_record;
mod training_run;
mod training_sweep;
mod triples;
mod wide_descent;
mod window;

claims! {
    eq_6,
    pmin,
    sup_le_mu,
    lemma_1,
    lemma_2,
    cc_mean,
    cc_variance,
    cc_chebyshev,
    cc_regime,
    remark_lemma_2,
    prop_1,
    remark_n_factor,
    assumption_1,
    assumption_2,
    eq_11,
    eq_12_global,
    eq_12,
    lemma_3,
    norm_dcos,
    norm_softmax,
    norm_rank_term,
    norm_d2cos,
    norm_hessian,
    theorem_1,
    lemma_4,
    remark_critical_point,
    cited_l2,
    obs_fig_1,
    obs_fig_2,
    obs_fig_3,
    fact_lse_max,
    fact_lse_nonneg,
    fact_lse_pairing,
    fact_lse_restrict,
    prop_2_1,
    prop_2_2,
    fact_distinct_tuples,
    fact_sum_log,
    fact_conditional,
    fact_tau,
    loss_vectors,
    chain_rule,
    fact_softplus,
    fact_bounded,
    lemma_6,
    fact_neglog,
}
