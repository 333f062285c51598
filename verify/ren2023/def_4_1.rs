//! Definition 4.1: the alignment score.
//!
//! Both scores, by distance and by inner product, are probabilities that no common orthogonal map or scaling
//! changes. The largest value over all linear models is 1 − 2^{−r−1} − 2^{−d−1}, so "ρ_A → 1" needs r → ∞ or the
//! event z⁻ ≠ z⁺. Proof: given z⁻ = z⁺ (probability 2^{−r}) the partners are exchangeable and coincide with
//! probability 2^{−q}, so a strict win has probability at most (1 − 2^{−q})/2. Attained: K_A = K_B = I and noise in
//! view B alone, weak, with different inner products.

use enclosures::vectors::{points, scaled};
use evidence::claim::{edge_over, none_of};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{AlignmentScore, Closeness, Outcomes, View, alignment_score};

use crate::shared::feature_pairs::{FeaturePair, half_to};
use crate::shared::hypotheses::over_features;
use crate::shared::notation::{ALIGNMENT, COMMON_MAP, OTHER_SIGNAL, OUTPUTS, SIZES};

/// Scores by distance and by inner product, of the pair, of its image under a common orthogonal map and a scaling,
/// and with f_B rotated alone.
struct AlignmentScores {
    own: [AlignmentScore; 2],
    image: [AlignmentScore; 2],
    opposed: [AlignmentScore; 2],
}

fn both(p: &FeaturePair) -> Result<[AlignmentScore; 2], MeasureError> {
    let state = p.state()?;
    Ok([alignment_score(&state, Closeness::Distance)?, alignment_score(&state, Closeness::InnerProduct)?])
}

fn scores(p: &FeaturePair) -> Result<AlignmentScores, MeasureError> {
    // Rows in reverse order with every second sign changed, and everything doubled: exact in doubles.
    let image = |rows: &Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        let sign = |i: usize| if i.is_multiple_of(2) { 2.0 } else { -2.0 };
        rows.iter().rev().enumerate().map(|(i, row)| scaled(row, sign(i))).collect()
    };
    let moved = FeaturePair { rows: [image(&p.rows[0]), image(&p.rows[1])], ..p.clone() };
    let turned = p.rows[1].iter().map(|row| row.iter().map(|x| -x).collect()).collect();
    let opposed = FeaturePair { rows: [p.rows[0].clone(), turned], ..p.clone() };
    Ok(AlignmentScores { own: both(p)?, image: both(&moved)?, opposed: both(&opposed)? })
}

fn probability_kept(own: &AlignmentScore, image: &AlignmentScore) -> Evaluation {
    let score = own.all.score();
    let apart = usize::from(score.intersection(image.all.score()).is_none());
    all_of([
        ("at least 0", at_least(score, 0)),
        ("at most 1", at_most(score, 1)),
        ("unchanged by a common orthogonal map and a scaling", none_of(apart)),
    ])
}

/// Given z⁻ = z⁺ (or given z⁻ ≠ z⁺), wins and losses are equally many, up to the draws that rounding leaves open.
fn exchangeable(score: &AlignmentScore, same_signal: bool) -> Evaluation {
    let counted = |f: fn(&Outcomes) -> u64| {
        let other = f(&score.other_signal);
        (if same_signal { f(&score.all) - other } else { other }) as f64
    };
    let (wins, losses) = (counted(|o| o.wins), counted(|o| o.losses));
    let unresolved = counted(|o| o.unresolved);
    at_most(exact((wins - losses).abs()), exact(unresolved))
}

fn largest_possible(p: &FeaturePair) -> Enclosure {
    exact(1.0 - half_to(p.signal + 1) - half_to(p.signal + p.noise + 1))
}

/// f_A = f_B = a constant vector, which no linear model without bias is.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "r = {signal}, q = {noise}, f = {value:?} everywhere", valid = Self::fits, stored)]
struct Constant {
    #[instance(range = "1..=3")]
    signal: usize,
    #[instance(range = "0..=2")]
    noise: usize,
    #[instance(range = "-1e6..=1e6")]
    value: Vec<f64>,
}

impl Constant {
    fn fits(&self) -> Result<(), String> {
        if self.signal + self.noise <= 3 { Ok(()) } else { Err("r + q is beyond 3".into()) }
    }
}

/// Every draw of a constant map: the lead of the positive partner, by distance.
fn outcomes(c: &Constant) -> Outcomes {
    let f = |_: usize| points(&c.value);
    let distance =
        |a: &[Interval], b: &[Interval]| -> Interval { a.iter().zip(b).map(|(&x, &y)| (x - y).square()).sum() };
    let (n, signal) = (1usize << (c.signal + c.noise), (1usize << c.signal) - 1);
    let mut counted = Outcomes::default();
    for i in 0..n {
        for j in (0..n).filter(|j| j & signal == i & signal) {
            for k in 0..n {
                counted.record(distance(&f(i), &f(k)) - distance(&f(i), &f(j)));
            }
        }
    }
    counted
}

const SAME_WITHOUT_NOISE: Hypothesis<FeaturePair> =
    Hypothesis::new("K_A = K_B, q = 0", |p| p.noise == 0 && p.rows[0] == p.rows[1]);
const INJECTIVE: Hypothesis<FeaturePair> = Hypothesis::new("σ_min(K_A)/N_A > 10⁻⁶", |p| {
    p.signal_values(View::A).is_ok_and(|v| v.last().is_some_and(|s| s.lo() > 1e-6))
});

pub fn claim() -> Claim {
    Claim::new("ren2023.def-4.1", "alignment score", Kind::Definition)
        .statement(
            "ρ_A := P(‖f_A⁺ − f_B⁺‖ < ‖f_A⁺ − f_B⁻‖) (or with ⟨f_A⁺,f_B⁺⟩ > ⟨f_A⁺,f_B⁻⟩); the representations are \
             aligned if ρ_A ≈ 1",
        )
        .source("Definition 4.1", &["Section 4"])
        .symbols([SIZES, OUTPUTS, ALIGNMENT, OTHER_SIGNAL, COMMON_MAP])
        .symbol("ties are halved", "P(strict win) + P(equality)/2")
        .symbol(
            "wins and losses",
            "draws on which the strict inequality holds, and those on which the opposite strict one does",
        )
        .symbol("σ_min", "the smallest singular value, of the r columns")
        .reconstructed(
            "the formula; what is left are the words (a classification accuracy, a strict inequality, distances \
             nearby)",
        )
        .sense("growing r", "aligned means ρ_A ≥ 1 − o(1) as the sizes grow")
        .sense("another signal", "aligned means that the score given z⁻ ≠ z⁺ is near 1, whatever the sizes")
        .remark(
            "R1 takes distances, R2 inner products. Where the columns of [K_B | K_{B,ξ}] are orthogonal, ‖f_B‖ is \
             constant and they agree; in general they do not.",
        )
        .remark(
            "Largest score over all linear models: 1 − 2^{−r−1} − 2^{−d−1} for both scores, attained. Without noise \
             this is 1 − 2^{−r}. So ρ_A ≥ 1 − o(1) can only be met as r grows; at a fixed r the score given z⁻ ≠ z⁺ is \
             the one that can reach 1.",
        )
        .setting(largest())
        .setting(constant_maps())
        .setting(identity_features())
        .setting(attained())
}

fn largest() -> Setting<FeaturePair, AlignmentScores> {
    over_features(Setting::measuring(|p: &FeaturePair, _| scores(p)))
        .without_search()
        .ours(
            "R1",
            "by distance: 0 ≤ ρ_A ≤ 1, unchanged by a common orthogonal map and a scaling",
            holds(),
            |_, s| probability_kept(&s.own[0], &s.image[0]),
        )
        .tested_by("n3")
        .ours(
            "R2",
            "by inner product: 0 ≤ ρ_A ≤ 1, unchanged by a common orthogonal map and a scaling",
            holds(),
            |_, s| probability_kept(&s.own[1], &s.image[1]),
        )
        .tested_by("n3")
        .step(
            "s1",
            "K_A = K_B injective, no noise: the score by distance equals P(z⁻ ≠ z⁺) = 1 − 2^{−r}",
            holds(),
            |p, s| {
                if s.own[0].all.unresolved > 0 {
                    return vacuous("the enclosures of two distances that are compared overlap");
                }
                equal(s.own[0].all.score(), exact(1.0 - half_to(p.signal)))
            },
        )
        .except("the enclosures of two distances that are compared overlap")
        .assume(SAME_WITHOUT_NOISE)
        .assume(INJECTIVE)
        .step(
            "s2",
            "given z⁻ = z⁺ wins and losses are equally likely, by distance and by inner product: their numbers of draws \
             differ by at most the draws that rounding leaves open",
            holds(),
            |_, s| all_of([("R1", exchangeable(&s.own[0], true)), ("R2", exchangeable(&s.own[1], true))]),
        )
        .tested_by("n7")
        .sharpening(
            "largest",
            "ρ_A ≤ 1 − 2^{−r−1} − 2^{−d−1} for every linear model, by distance and by inner product",
            holds(),
            |p, s| {
                // Draws that rounding leaves open cannot all be wins: only the resolved ones count.
                let resolved = |score: &AlignmentScore| at_most(exact(score.all.score().lo()), largest_possible(p));
                all_of([("R1", resolved(&s.own[0])), ("R2", resolved(&s.own[1]))])
            },
        )
        .control(
            "n7",
            "given z⁻ ≠ z⁺ wins and losses are equally likely: their numbers differ by at most the draws left open",
            |_, s| exchangeable(&s.own[0], false),
        )
        .control("n1", "without noise K_A = K_B has ρ_A ≥ 1 by distance", |_, s| at_least(s.own[0].all.score(), 1))
        .assume(SAME_WITHOUT_NOISE)
        .control("n3", "ρ_A does not change when f_B becomes −f_B and f_A stays", |_, s| {
            let kept = |k: usize| equal(s.own[k].all.score(), s.opposed[k].all.score());
            all_of([("by distance", kept(0)), ("by inner product", kept(1))])
        })
        .control("n4", "without injectivity, too, the score by distance is at least 1 − 2^{−r}", |p, s| {
            at_least(s.own[0].all.score(), exact(1.0 - half_to(p.signal)))
        })
        .assume(SAME_WITHOUT_NOISE)
        .control("n5", "the candidate 1 − 2^{−r} bounds the score by distance from above with noise, too", |p, s| {
            at_most(s.own[0].all.score(), exact(1.0 - half_to(p.signal)))
        })
        .control("n6", "injectivity makes the score by inner products exceed 0.9(1 − 2^{−r})", |p, s| {
            greater_than(s.own[1].all.score(), exact(0.9) * (1.0 - half_to(p.signal)))
        })
        .assume(INJECTIVE)
        .assume(SAME_WITHOUT_NOISE)
}

fn constant_maps() -> Setting<Constant, Outcomes> {
    Setting::measuring(|c: &Constant, _| Ok(outcomes(c)))
        .given("f_A = f_B constant; z, ξ_A, ξ_B independent and uniform on {±1/√r}^r, {±1/√q}^q, {±1/√q}^q")
        .family(edge("constants", || {
            let of = |signal, noise, value: &[f64]| Constant { signal, noise, value: value.to_vec() };
            vec![("one", of(1, 0, &[1.0])), ("a unit vector", of(2, 1, &[0.6, 0.8])), ("zero", of(1, 1, &[0.0]))]
        }))
        .family(
            random("constant vectors", || {
                (1usize..=2, 0usize..=1, vec(-2.0..2.0f64, 1..4)).prop_map(|(signal, noise, value)| Constant {
                    signal,
                    noise,
                    value,
                })
            })
            .taking(0.25),
        )
        .without_search()
        .part(
            "c2",
            "f_A = f_B constant: ρ_A = 0, which has the strict inequality, and 1/2 if ties are halved",
            holds(),
            |_, o| all_of([("strict", equal(o.score(), 0)), ("halved", equal(o.score_with_half_ties(), exact(0.5)))]),
        )
        .tested_by("n2")
        .control("n2", "the constant map scores 1/2 with the strict inequality", |_, o| equal(o.score(), exact(0.5)))
}

fn identity_features() -> Setting<FeaturePair, [AlignmentScore; 2]> {
    Setting::measuring(|p: &FeaturePair, _| both(p))
        .given("K_A = K_B = I, q = 0; z uniform on {±1/√r}^r, z⁻ independent of z⁺")
        .family(edge_over("K_A = K_B = I, no noise, r = 1 to 8", "r", 1..=8, |r| {
            FeaturePair::diagonal(r, &vec![1.0; r])
        }))
        .without_search()
        .part(
            "R-a",
            "K_A = K_B = I without noise: ρ_A = 1 − 2^{−r}, by distance and by inner product, which tends to 1 as r \
             grows",
            holds(),
            |p, s| all_of([0, 1].map(|k| (["R1", "R2"][k], equal(s[k].all.score(), exact(1.0 - half_to(p.signal)))))),
        )
        .in_sense("growing r")
        .part(
            "R-b",
            "K_A = K_B = I without noise: the score given z⁻ ≠ z⁺, by distance and by inner product, is 1 at every r",
            holds(),
            |_, s| {
                let given = |score: &AlignmentScore| equal(score.other_signal.score(), 1);
                all_of([("R1", given(&s[0])), ("R2", given(&s[1]))])
            },
        )
        .in_sense("another signal")
}

fn attained() -> Setting<FeaturePair, [AlignmentScore; 2]> {
    Setting::measuring(|p: &FeaturePair, _| both(p))
        .given(
            "K_A = K_B = I, z, ξ_A, ξ_B independent and uniform on {±1/√r}^r, {±1/√q}^q, {±1/√q}^q, q ≥ 1, noise in \
             view B alone, its columns so short and different that no two draws tie but those with equal partners",
        )
        .family(edge("K_A = K_B = I, weak noise in view B alone", || {
            [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2)]
                .map(|(r, q)| (format!("r = {r}, q = {q}"), attaining(r, q)))
                .to_vec()
        }))
        .without_search()
        .sharpening(
            "attained",
            "weak noise in view B alone, all inner products different: ρ_A = 1 − 2^{−r−1} − 2^{−d−1}, by distance and \
             by inner product",
            holds(),
            |p, s| {
                all_of([
                    ("R1", equal(s[0].all.score(), largest_possible(p))),
                    ("R2", equal(s[1].all.score(), largest_possible(p))),
                ])
            },
        )
}

/// K_A = K_B = I and noise columns of view B whose inner products with the signals' outputs are all different.
fn attaining(r: usize, q: usize) -> FeaturePair {
    let size = |i: usize, k: usize| 1.0 / ((64 * 3usize.pow(i as u32) * 8usize.pow(k as u32) + i * k) as f64);
    let rows = |noise: f64| -> Vec<Vec<f64>> {
        (0..r)
            .map(|i| {
                (0..r + q).map(|j| if j < r { f64::from(u8::from(i == j)) } else { noise * size(i, j - r) }).collect()
            })
            .collect()
    };
    FeaturePair { signal: r, noise: q, rows: [rows(0.0), rows(1.0)] }
}
