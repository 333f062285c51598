//! Section 7, end of the proof of Lemma 1: the log-sum-exp lies between the maximum and the maximum plus log n.
//!
//! True: with M = max x, LSE(x) − M = log Σ e^{x_i − M}, a sum of n numbers in (0, 1], one of which is 1. The left
//! bound is attained for n = 1 (or where all other entries are −∞), the right one for equal entries. What lies between
//! is governed by the second largest entry y and the smallest one m: log(1 + (n−1)e^{m−M}) ≤ LSE(x) − M ≤ log(1 +
//! (n−1)e^{y−M}).

use enclosures::interval::Dual;
use evidence::prelude::*;

use crate::shared::factored::at_most_by;
use crate::shared::lse::{above_maximum, below_maximum_plus_log, maximum};
use crate::shared::notation::{LOG_SUM_EXP, LOGARITHM};
use crate::shared::reals::{Reals, below_the_largest, families};

struct ListMaximum {
    x: Vec<Enclosure>,
    lse: Enclosure,
    maximum: Enclosure,
}

impl ListMaximum {
    fn of(list: &Reals) -> Self {
        let x = list.enclosures();
        ListMaximum { lse: log_sum_exp(&x), maximum: maximum(&x), x }
    }

    fn n(&self) -> f64 {
        self.x.len() as f64
    }

    /// log(1 + (n − 1) e^{entry − M}) for the entry of this rank, the largest having rank 0.
    fn as_if_all_were(&self, rank: usize) -> Enclosure {
        let mut sorted = self.x.clone();
        sorted.sort_by(|a, b| b.midpoint().total_cmp(&a.midpoint()));
        ((self.n() - 1.0) * (sorted[rank.min(sorted.len() - 1)] - self.maximum).exp()).ln_1p()
    }
}

/// Both bounds for n = K + 1 and log m in place of log n, exponentiated: with d_i = max x − x_i, S = Σ e^{−d_i} over the entries but one
/// largest, 0 ≤ S and 1 + S ≤ m.
fn between<const K: usize>(gaps: [Dual<K>; K], m: f64) -> Dual<K> {
    let sum = gaps.into_iter().map(|d| (-d).exp()).fold(Dual::constant(0.0), |s, e| s + e);
    sum.min(m - 1.0 - sum)
}

fn few<const K: usize>(domain: &'static str) -> Proof<K> {
    let n = (K + 1) as f64;
    Proof::covering(domain, [(0.0, f64::INFINITY); K], move |gaps| between(gaps, n))
        .in_other_form("both bounds are exponentiated and divided by e^{max x}")
        .control("1 % less than n", move |gaps| between(gaps, 0.99 * n))
}

const SEVERAL: Hypothesis<Reals> = Hypothesis::new("n ≥ 2", |list| list.len() >= 2);

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-lse-max", "log-sum-exp against the maximum", Kind::Inequality)
        .statement("max x ≤ LSE(x) ≤ max x + log n for all n ≥ 1 and x ∈ ℝ^n")
        .symbols([LOG_SUM_EXP, LOGARITHM])
        .source("section 7, end of the proof of Lemma 1", &["section A of the earlier version, proof of Lemma 3.1"])
        .setting(printed())
}

fn printed() -> Setting<Reals, ListMaximum> {
    Setting::measuring(|list: &Reals, _| Ok(ListMaximum::of(list)))
        .given("x has n ≥ 1 entries, each a real number or −∞, one of them finite")
        .family(families())
        .part("printed", "max x ≤ LSE(x) ≤ max x + log n", holds(), |_, s| {
            let upper = s.maximum + exact(s.n()).ln();
            all_of([
                ("lower", at_most_by(s.maximum, s.lse, above_maximum(&s.x))),
                ("upper", at_most_by(s.lse, upper, below_maximum_plus_log(&s.x, s.n()))),
            ])
        })
        .checked("merad2020.LogSumExp.fact_lse_max_printed")
        .proved_by(few::<1>("n = 2"), |list| Some(below_the_largest(list)?.1), |[d]| Reals::of(&[0.0, -d]))
        .proved_by(few::<2>("n = 3"), |list| Some(below_the_largest(list)?.1), |[d, e]| Reals::of(&[0.0, -d, -e]))
        .sharpening(
            "gaps",
            "log(1 + (n−1)e^{m−M}) ≤ LSE(x) − M ≤ log(1 + (n−1)e^{y−M}), M, y, m the largest, second largest (M too if \
             two entries are M) and smallest entry",
            holds(),
            |_, s| {
                let excess = above_maximum(&s.x);
                ascending([s.as_if_all_were(s.x.len() - 1), excess, s.as_if_all_were(1)])
            },
        )
        .checked("merad2020.LogSumExp.fact_lse_max_gaps")
        .assume(SEVERAL)
        .control("a", "LSE(x) ≤ max x + log(n − 1) for n ≥ 2", |_, s| {
            let upper = s.maximum + exact(s.n() - 1.0).ln();
            at_most_by(s.lse, upper, below_maximum_plus_log(&s.x, s.n() - 1.0))
        })
        .assume(SEVERAL)
        .control("b", "LSE(x) ≥ max x + log 2 for n ≥ 2", |_, s| at_least(above_maximum(&s.x), Enclosure::ln_2()))
        .assume(SEVERAL)
}
