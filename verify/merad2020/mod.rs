//! J. Merad, Y. Yu, E. Bacry, S. Gaïffas, About contrastive unsupervised representation learning for classification and its
//! convergence.
//!
//! Numbers are those of the complete version; an earlier version of the appendix numbers Lemma 1 as 3.1, Lemma 2 as 3.2,
//! Propositions 1 and 2 as 3.3, Lemma 3 as 4.1, Lemma 4 as 4.2 and Lemma 6 as B.1.

mod ball_maximum;
mod blocks;
mod displacements;
mod families;
mod negatives;
mod network_point;
mod outputs;
mod shared_outputs;
mod task_average;
mod triples;
mod window;

claims! {
    lemma_1,
    lemma_2,
    cc_variance,
    cc_chebyshev,
    remark_lemma_2,
    prop_1,
    assumption_1,
    assumption_2,
    eq_12_global,
    eq_12,
    lemma_3,
    norm_rank_term,
    norm_hessian,
    lemma_4,
    remark_critical_point,
    prop_2_1,
    prop_2_2,
}
