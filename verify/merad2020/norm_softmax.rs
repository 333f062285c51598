//! Section 8, proof of Lemma 5: the norm of the Jacobian of the softmax.
//!
//! True for probability vectors of any length: the absolute row sums of diag(v) − vvᵀ are 2v_i(1−v_i) ≤ ½, and they
//! bound the norm of a symmetric matrix. Also uᵀ(diag(v) − vvᵀ)u is the variance of u_Y for Y ∼ v, at most Σ v_i u_i² ≤
//! max v. For two outcomes the norm is exactly 2v_1v_2, and ½ − 2v_1v_2 = ½(v_1 − v_2)²; ½ is attained by two entries ½
//! among any number.

use enclosures::linear_algebra::IntervalMatrix;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use crate::shared::blocks::spectral_norm;
use crate::shared::factored::at_most_by;
use crate::shared::families::log_uniform;
use crate::shared::notation::NORM;

/// Non-negative weights, not all zero, whose shares are the probability vector.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "v proportional to \
                       {weights:?}", valid = Self::is_some, simpler = Self::of_fewer_outcomes, stored)]
struct Shares {
    #[instance(length = "1..", range = "0..=1e100")]
    weights: Vec<f64>,
}

impl Shares {
    fn outcomes(&self) -> usize {
        self.weights.len()
    }

    fn total(&self) -> Enclosure {
        self.weights.iter().map(|&w| exact(w)).sum()
    }

    fn probabilities(&self) -> Vec<Enclosure> {
        let total = self.total();
        self.weights.iter().map(|&w| w / total).collect()
    }

    /// 1 − v_i as a sum of the other shares.
    fn rest(&self, i: usize) -> Enclosure {
        let others = self.weights.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, &w)| exact(w)).sum::<Enclosure>() / self.total()
    }
}

impl Shares {
    fn is_some(&self) -> Result<(), String> {
        if self.weights.iter().any(|&w| w != 0.0) { Ok(()) } else { Err("no positive weight".into()) }
    }

    fn of_fewer_outcomes(&self) -> Vec<Self> {
        let without = |i: usize| {
            let mut weights = self.weights.clone();
            weights.remove(i);
            Shares { weights }
        };
        (0..self.outcomes()).filter(|_| self.outcomes() > 1).map(without).collect()
    }
}

struct Jacobian {
    norm: Enclosure,
    /// max_i 2v_i(1 − v_i).
    row_sum: Enclosure,
    largest: Enclosure,
    v: Vec<Enclosure>,
}

fn jacobian(shares: &Shares) -> Result<Jacobian, MeasureError> {
    let v = shares.probabilities();
    let rest: Vec<Enclosure> = (0..v.len()).map(|i| shares.rest(i)).collect();
    let matrix = IntervalMatrix::from_fn(v.len(), v.len(), |i, j| {
        let entry = if i == j { v[i] * rest[i] } else { -(v[i] * v[j]) };
        entry.interval()
    })?;
    let row_sums = v.iter().zip(&rest).map(|(&p, &q)| 2.0 * p * q);
    Ok(Jacobian {
        norm: if v.len() == 2 { two_outcomes(v[0], v[1]) } else { spectral_norm(&matrix)?.into() },
        row_sum: row_sums.fold(Enclosure::ZERO, Enclosure::max),
        largest: v.iter().copied().fold(Enclosure::ZERO, Enclosure::max),
        v,
    })
}

/// ‖diag(v) − vvᵀ‖ = 2v_1v_2 for two outcomes: the matrix is v_1v_2 (1, −1)(1, −1)ᵀ.
fn two_outcomes(p: Enclosure, q: Enclosure) -> Enclosure {
    2.0 * p * q
}

/// bound − 2v_1v_2 = (bound − ½) + ½(v_1 − v_2)².
fn below(bound: f64, p: Enclosure, q: Enclosure) -> Enclosure {
    (exact(bound) - 0.5) + 0.5 * (p - q).square()
}

fn named() -> Vec<(String, Shares)> {
    let mut list = Vec::new();
    let mut add = |name: &str, weights: &[f64]| list.push((name.to_owned(), Shares { weights: weights.to_vec() }));
    for t in [0.0, 1e-300, 1e-16, 1e-8, 1e-3, 0.25, 1.0 / 3.0, 0.4999999, 0.5] {
        add(&format!("({t}, 1 − {t})"), &[t, 1.0 - t]);
    }
    add("two equal", &[1.0, 1.0]);
    add("certain", &[1.0]);
    add("certain among five", &[0.0, 0.0, 1.0, 0.0, 0.0]);
    for outcomes in [3usize, 4, 10, 20] {
        add(&format!("{outcomes} equal"), &vec![1.0; outcomes]);
        let mut two = vec![0.0; outcomes];
        (two[0], two[outcomes - 1]) = (1.0, 1.0);
        add(&format!("two entries ½ among {outcomes}"), &two);
        two[1] = 1e-9;
        add(&format!("nearly two entries ½ among {outcomes}"), &two);
        let mut one = vec![1e-6; outcomes];
        one[0] = 1.0;
        add(&format!("one dominates {outcomes}"), &one);
    }
    list
}

fn drawn(most: usize) -> impl Strategy<Value = Shares> {
    let flat = (2..=most).prop_flat_map(|n| vec(0.01..1.0f64, n));
    let peaked = (2..=most).prop_flat_map(|n| vec(log_uniform(1e-8, 1.0), n));
    let with_zeros = (2..=most).prop_flat_map(|n| vec(prop_oneof![Just(0.0), 0.1..1.0f64], n));
    let of = prop_oneof![flat, peaked, with_zeros];
    of.prop_filter_map("all zero", |weights| weights.iter().any(|&w| w > 0.0).then_some(Shares { weights }))
}

pub fn claim() -> Claim {
    Claim::new("merad2020.norm-softmax", "norm of the softmax Jacobian", Kind::Inequality)
        .statement("‖diag(v) − vvᵀ‖ ≤ ½ for every probability vector v ∈ ℝ²")
        .symbols([NORM])
        .symbol("diag(v)", "the diagonal matrix with the entries of v")
        .source("section 8, proof of Lemma 5", &["proof of Lemma 4.1 of the earlier version"])
        .setting(printed())
        .setting(closed_form())
}

fn printed() -> Setting<Shares, Jacobian> {
    Setting::measuring(|s: &Shares, _| jacobian(s))
        .given("v has n ≥ 1 entries (outcomes), v_i ≥ 0, Σ_i v_i = 1: the shares of weights that are not negative")
        .family(edge("named", named))
        .family(random("two outcomes", || drawn(2)))
        .family(random("up to twenty outcomes", || drawn(20)).taking(0.5))
        .part("printed", "‖diag(v) − vvᵀ‖ ≤ ½", holds(), |_, j| match j.v[..] {
            [p, q] => at_most_by(j.norm, exact(0.5), below(0.5, p, q)),
            _ => at_most(j.norm, exact(0.5)),
        })
        .checked("merad2020.Softmax.norm_softmax_printed")
        .assume(Hypothesis::new("two outcomes", |s| s.outcomes() == 2))
        .proved_by(
            Proof::covering("v = (t, 1 − t)", [(0.0, 1.0)], |[t]| 2.0 * (t - 0.5).square())
                .control("0.499 in place of ½", |[t]| 0.499 - 2.0 * t * (1.0 - t)),
            |s| (s.outcomes() == 2).then(|| [s.probabilities()[0]]),
            |[t]| Shares { weights: vec![t, 1.0 - t] },
        )
        .ours("any-length", "‖diag(v) − vvᵀ‖ ≤ ½ for any number of outcomes", holds(), |_, j| {
            at_most(j.norm, exact(0.5))
        })
        .checked("merad2020.Softmax.norm_softmax_any_length")
        .because("the paper has two outcomes")
        .sharpening(
            "row-sums",
            "‖diag(v) − vvᵀ‖ ≤ max_i 2v_i(1−v_i) ≤ ½; for two outcomes the first is an equality",
            holds(),
            |s, j| {
                let attained = equal(j.norm, j.row_sum);
                let parts = [("bound", at_most(j.norm, j.row_sum)), ("half", at_most(j.row_sum, exact(0.5)))];
                all_of(parts.into_iter().chain((s.outcomes() == 2).then_some(("equality", attained))))
            },
        )
        .checked_in_part("merad2020.Softmax.norm_softmax_row_sums")
        .sharpening("largest", "‖diag(v) − vvᵀ‖ ≤ max_i v_i", holds(), |_, j| at_most(j.norm, j.largest))
        .control("a", "‖diag(v) − vvᵀ‖ ≤ ¼", |_, j| {
            at_most_by(j.norm, exact(0.25), below(0.25, j.v[0], j.v[1]))
        })
        .assume(Hypothesis::new("two outcomes", |s| s.outcomes() == 2))
        .control("b", "‖diag(v) − vvᵀ‖ ≤ 0.499", |_, j| at_most(j.norm, exact(0.499)))
        .assume(Hypothesis::new("three outcomes and more", |s| s.outcomes() >= 3))
        .control("c", "‖diag(v) − vvᵀ‖ ≤ max_i v_i(1−v_i), the largest diagonal entry", |_, j| {
            at_most(j.norm, 0.5 * j.row_sum)
        })
}

fn closed_form() -> Setting<Shares, (Enclosure, Enclosure)> {
    Setting::measuring(|s: &Shares, _| {
        let (v, rest) = (s.probabilities(), [s.rest(0), s.rest(1)]);
        let entries: Vec<Interval> =
            [v[0] * rest[0], -(v[0] * v[1]), -(v[1] * v[0]), v[1] * rest[1]].iter().map(|x| x.interval()).collect();
        let dense = spectral_norm(&IntervalMatrix::new(2, 2, entries)?)?;
        Ok((two_outcomes(v[0], v[1]), Enclosure::from(dense)))
    })
    .given("v has n ≥ 1 entries (outcomes), v_i ≥ 0, Σ_i v_i = 1: the shares of weights that are not negative")
    .assume(Hypothesis::new("two outcomes", |s| s.outcomes() == 2))
    .family(edge("named", named))
    .family(random("two outcomes", || drawn(2)))
    .without_search()
    .sharpening(
        "closed-form",
        "‖diag(v) − vvᵀ‖ = 2v_1v_2, the left side from verified eigenvalues of the matrix",
        holds(),
        |_, (closed, dense)| equal(*closed, *dense),
    )
    .checked("merad2020.Softmax.norm_softmax_closed_form")
}
