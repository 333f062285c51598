//! I. Merad, Y. Yu, E. Bacry, S. Gaïffas, About contrastive unsupervised representation learning for classification and
//! its convergence.
//!
//! Numbers are those of the complete version; an earlier version of the appendix numbers Lemma 1 as 3.1, Lemma 2 as
//! 3.2, Propositions 1 and 2 as 3.3, Lemma 3 as 4.1, Lemma 4 as 4.2 and Lemma 6 as B.1.
//!
//! No claim: "the architecture can also include residual connections and convolutions, as explained in Allen-Zhu et al." (section 4) is about proofs of another
//! paper. Convolutions are tried where they are dense networks with repeated weights (`chain_rule`). Figures 1 to 3 on FashionMNIST and CIFAR-10 need their
//! files, on which `contrapositive figures --data` trains (docs/figures/contrastive.md).

mod assumption_1;
mod assumption_2;
mod cc_chebyshev;
mod cc_mean;
mod cc_regime;
mod cc_variance;
mod chain_rule;
mod cited_l2;
mod eq_11;
mod eq_12;
mod eq_12_global;
mod eq_6;
mod fact_bounded;
mod fact_conditional;
mod fact_distinct_tuples;
mod fact_lse_max;
mod fact_lse_nonneg;
mod fact_lse_pairing;
mod fact_lse_restrict;
mod fact_neglog;
mod fact_softplus;
mod fact_sum_log;
mod fact_tau;
mod far_class;
mod free_outputs;
mod lemma_1;
mod lemma_2;
mod lemma_3;
mod lemma_4;
mod lemma_6;
mod long_descent;
mod loss_vectors;
mod norm_d2cos;
mod norm_dcos;
mod norm_hessian;
mod norm_rank_term;
mod norm_softmax;
mod obs_fig_1;
mod obs_fig_2;
mod obs_fig_3;
mod pmin;
mod prop_1;
mod prop_2_1;
mod prop_2_2;
mod proxy_descent;
mod regression_run;
mod remark_critical_point;
mod remark_lemma_2;
mod remark_n_factor;
mod several_negatives;
mod shared;
mod shared_outputs;
mod sup_le_mu;
mod theorem_1;
mod theorem_1_proof;
mod tuple_draws;

/// What is wrong in the paper as printed, as a file of errata.
pub const ERRATA: &str = include_str!("errata.toml");

/// Which statements of the paper use which, as a file of dependences.
pub const DEPENDENCES: &str = include_str!("dependences.toml");

// The paper's claims, in its own order.
evidence::catalogue! {
    tested elsewhere;
    eq_6,
    pmin,
    sup_le_mu,
    lemma_1,
    tuple_draws,
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
    several_negatives,
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
