//! Section 7, proof of Lemma 1: the log-sum-exp is not negative if one of its arguments is not.
//!
//! True: LSE(x) ≥ max x. The hypothesis can be weakened: the exponential is convex, so LSE(x) ≥ mean(x) + log n, and a
//! mean of at least −log n is enough, even where every entry is negative. A largest entry of −log n alone is not
//! enough: (−½, −5).

use evidence::prelude::*;

use crate::shared::lse::maximum;
use crate::shared::notation::{LOG_SUM_EXP, LOGARITHM};
use crate::shared::reals::{Reals, below_the_largest, families};

fn mean(list: &Reals) -> Enclosure {
    list.enclosures().into_iter().sum::<Enclosure>() / list.len() as f64
}

fn log_length(list: &Reals) -> Enclosure {
    Enclosure::from(list.len()).ln()
}

fn some_entry_is_not_negative(list: &Reals) -> bool {
    maximum(&list.enclosures()).lo() >= 0.0
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-lse-nonneg", "log-sum-exp is non-negative if one argument is", Kind::Inequality)
        .statement("LSE(x) ≥ 0 for all x with max x ≥ 0")
        .symbols([LOG_SUM_EXP, LOGARITHM])
        .symbol("mean(x)", "(1/n) Σ x_i")
        .source("section 7, proof of Lemma 1", &["section A of the earlier version, proof of Lemma 3.1"])
        .setting(printed())
}

fn printed() -> Setting<Reals, Enclosure> {
    Setting::measuring(|list: &Reals, _| Ok(log_sum_exp(&list.enclosures())))
        .given("x has n ≥ 1 entries, each a real number or −∞, one of them finite")
        .family(families())
        .part("printed", "LSE(x) ≥ 0 if max x ≥ 0", holds(), |_, &lse| at_least(lse, 0))
        .checked("merad2020.LogSumExp.fact_lse_nonneg_printed")
        .assume(Hypothesis::new("max x ≥ 0", some_entry_is_not_negative))
        .proved_by(
            Proof::covering("n = 2, max x ≥ 0", [(0.0, f64::INFINITY); 2], |[top, d]| top + (-d).exp().ln_1p())
                .control("LSE(x) ≥ 0.01", |[top, d]| top + (-d).exp().ln_1p() - 0.01),
            |list| below_the_largest(list).map(|(top, [d])| [top, d]),
            |[top, d]| Reals::of(&[top, top - d]),
        )
        .proved_by(
            Proof::covering("n = 3, max x ≥ 0", [(0.0, f64::INFINITY); 3], |[top, d, e]| {
                top + ((-d).exp() + (-e).exp()).ln_1p()
            })
            .control("LSE(x) ≥ 0.01", |[top, d, e]| top + ((-d).exp() + (-e).exp()).ln_1p() - 0.01),
            |list| below_the_largest(list).map(|(top, [d, e])| [top, d, e]),
            |[top, d, e]| Reals::of(&[top, top - d, top - e]),
        )
        .sharpening(
            "by-the-mean",
            "LSE(x) ≥ mean(x) + log n, so LSE(x) ≥ 0 if mean(x) ≥ −log n",
            holds(),
            |list, &lse| {
                // Equal entries attain this; their rounding is relative to log n and the entries.
                let bound = mean(list) + log_length(list);
                all_of([
                    ("convexity", at_least(lse, bound).on_scale_of("1", 1.0)),
                    ("sign", at_least(lse, 0).on_scale_of("1", 1.0)),
                ])
            },
        )
        .checked("merad2020.LogSumExp.fact_lse_nonneg_by_the_mean")
        .assume(Hypothesis::new("mean(x) ≥ −log n", |list| (mean(list) + log_length(list)).lo() >= 0.0))
        .control("a", "LSE(x) ≥ 0 for all x", |_, &lse| at_least(lse, 0))
        .control("b", "LSE(x) ≥ 0 if max x ≥ −log n", |_, &lse| at_least(lse, 0))
        .assume(Hypothesis::new("max x ≥ −log n", |list| {
            (maximum(&list.enclosures()) + log_length(list)).lo() >= 0.0
        }))
        .control("c", "LSE(x) ≥ 1 if max x ≥ 0", |_, &lse| at_least(lse, 1))
        .assume(Hypothesis::new("max x ≥ 0", some_entry_is_not_negative))
}
