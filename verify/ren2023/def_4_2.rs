//! Definition 4.2: the balance score.
//!
//! All three senses of "stable rank of the covariance matrix" lie between 1 and the rank, in the order R1 ≤ R2 ≤
//! R3, and each has its own sufficient condition in λ_1/λ_r. R3's bound is the Kantorovich inequality for the first
//! r eigenvalues; a tail below λ_r only helps: (S+t)²/(P+t²) ≥ S²/P for t ≤ S/r, P ≥ S²/r.

use enclosures::vectors::scaled;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use two_view::{Balance, View};

use crate::shared::feature_pairs::FeaturePair;
use crate::shared::hypotheses::over_features;
use crate::shared::notation::{BALANCE, COMMON_MAP, COVARIANCE, SIZES, WIDTH};

const NO_RATIO: &str = "λ_r ≤ 10⁻¹²";

struct BalanceScores {
    balance: Balance,
    /// R1, R2, R3.
    own: [Enclosure; 3],
    /// After a common orthogonal map and a scaling by three.
    image: [Enclosure; 3],
    /// R2 of K_A diag(2, 1, …, 1).
    stretched: Enclosure,
    /// λ_1/λ_r; none if λ_r may be zero.
    spread: Option<Enclosure>,
}

fn ranks(b: &Balance) -> [Enclosure; 3] {
    b.meanings().map(Into::into)
}

fn scores(p: &FeaturePair) -> Result<BalanceScores, MeasureError> {
    let balance = Balance::of(&p.state()?, View::A)?;
    let image = |rows: &Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        let sign = |i: usize| if i.is_multiple_of(2) { 3.0 } else { -3.0 };
        rows.iter().rev().enumerate().map(|(i, row)| scaled(row, sign(i))).collect()
    };
    let moved = FeaturePair { rows: [image(&p.rows[0]), image(&p.rows[1])], ..p.clone() };
    let stretch = |row: &Vec<f64>| row.iter().enumerate().map(|(j, x)| if j == 0 { 2.0 * x } else { *x }).collect();
    let stretched = FeaturePair { rows: [p.rows[0].iter().map(stretch).collect(), p.rows[1].clone()], ..p.clone() };
    let (top, low) = (balance.largest(), balance.eigenvalues.get(p.signal - 1).copied().unwrap_or(Interval::ZERO));
    Ok(BalanceScores {
        own: ranks(&balance),
        image: ranks(&Balance::of(&moved.state()?, View::A)?),
        stretched: Balance::of(&stretched.state()?, View::A)?.trace_over_largest().into(),
        spread: (low.lo() > 1e-12).then(|| if p.signal == 1 { Enclosure::ONE } else { (top / low).into() }),
        balance,
    })
}

pub fn claim() -> Claim {
    Claim::new("ren2023.def-4.2", "balance score", Kind::Definition)
        .statement(
            "ρ_B := the stable rank of Σ_A = E[f_Af_Aᵀ]; balanced if ρ_B ≥ (1−δ)r; it is enough that λ_1/λ_r ≤ 1 + δ",
        )
        .source("Definition 4.2", &["Section 4"])
        .symbols([SIZES, WIDTH, COVARIANCE, BALANCE, COMMON_MAP])
        .symbol("δ", "λ_1/λ_r − 1, whatever that is")
        .reconstructed("the formula; what is left are the words \"stable rank of the covariance matrix\"")
        .sense("R1", "the stable rank is ‖Σ‖_F²/‖Σ‖_2²")
        .sense("R2", "the stable rank is tr Σ/‖Σ‖_2")
        .sense("R3", "the stable rank is (tr Σ)²/‖Σ‖_F²")
        .remark(
            "Only the text's sufficient condition (c3) depends on which stable rank is meant, through its constant.",
        )
        .remark(
            "Proof of the sharpening: λ_k ≥ λ_1/(1+δ) for 2 ≤ k ≤ r, summed; it exceeds (c3) because 1 + (r−1)y ≥ ry \
             for y ≤ 1.",
        )
        .setting(inequalities())
}

fn inequalities() -> Setting<FeaturePair, BalanceScores> {
    over_features(Setting::measuring(|p: &FeaturePair, _| scores(p)))
        .family(edge("registered", || {
            let noisy = |s: f64, n: f64| FeaturePair::diagonal(2, &[s, s, n, n, n]);
            vec![
                ("σ small, noise of three directions", noisy(0.1, 1.0)),
                ("λ = (4, 1, 1)", FeaturePair::diagonal(3, &[2.0, 1.0, 1.0])),
                ("λ = (4, 4, 1)", FeaturePair::diagonal(3, &[2.0, 2.0, 1.0])),
                ("a tail at λ_r", FeaturePair::diagonal(2, &[2.0, 1.0, 0.5, 0.5])),
                ("eight directions", FeaturePair::diagonal(8, &[1.0; 8])),
            ]
        }))
        .family(random("orthogonal columns", || {
            (1usize..=4, 0usize..=1)
                .prop_flat_map(|(r, q)| vec(0.1..3.0f64, r + q).prop_map(move |n| FeaturePair::diagonal(r, &n)))
        }))
        .ours(
            "c1",
            "1 ≤ ‖Σ‖_F²/‖Σ‖_2² ≤ tr Σ/‖Σ‖_2 ≤ (tr Σ)²/‖Σ‖_F² ≤ min(m, d)",
            holds(),
            |p, s| {
                let most = p.rows[0].len().min(p.signal + p.noise);
                let [one, two, three] = s.own;
                ascending([1.into(), one, two, three, most.into()])
            },
        )
        .ours("c2", "all three stable ranks are unchanged by a common orthogonal map and a scaling", holds(), |_, s| {
            all_of(["R1", "R2", "R3"].into_iter().zip(0..3).map(|(n, k)| (n, equal(s.own[k], s.image[k]))))
        })
        .part("c3-R1", "λ_1/λ_r = 1 + δ gives ‖Σ‖_F²/‖Σ‖_2² ≥ r/(1+δ)²", holds(), |p, s| {
            s.spread.map_or_else(|| vacuous(NO_RATIO), |x| at_least(s.own[0], Enclosure::from(p.signal) / x.square()))
        })
        .checked_in_part("ren2023.StableRanks.def_4_2_c3_R1")
        .except(NO_RATIO)
        .in_sense("R1")
        .part("c3-R2", "λ_1/λ_r = 1 + δ gives tr Σ/‖Σ‖_2 ≥ r/(1+δ)", holds(), |p, s| {
            s.spread.map_or_else(|| vacuous(NO_RATIO), |x| at_least(s.own[1], Enclosure::from(p.signal) / x))
        })
        .checked_in_part("ren2023.StableRanks.def_4_2_c3_R2")
        .except(NO_RATIO)
        .in_sense("R2")
        .part("c3-R3", "λ_1/λ_r = 1 + δ gives (tr Σ)²/‖Σ‖_F² ≥ 4r(1+δ)/(2+δ)²", holds(), |p, s| {
            let bound = |x: Enclosure| 4.0 * Enclosure::from(p.signal) * x / (1.0 + x).square();
            s.spread.map_or_else(|| vacuous(NO_RATIO), |x| at_least(s.own[2], bound(x)))
        })
        .checked_in_part("ren2023.StableRanks.def_4_2_c3_R3")
        .except(NO_RATIO)
        .in_sense("R3")
        .part("c4", "K_{A,ξ} = 0: the rank of Σ_A, and so each stable rank, is at most r", holds(), |p, s| {
            // A rank is at least the number of eigenvalues that are positive for certain.
            let least = s.balance.eigenvalues.iter().filter(|e| e.lo() > 0.0).count();
            let rank = Enclosure::between(least as f64, s.balance.rank_at_most as f64);
            all_of([("rank", at_most(rank, p.signal)), ("R3", at_most(s.own[2], p.signal))])
        })
        .assume(Hypothesis::new("K_{A,ξ} = 0", |p| {
            p.rows[0].iter().all(|row| row[p.signal..].iter().all(|&x| x == 0.0))
        }))
        .sharpening(
            "c3-best",
            "λ_1/λ_r = 1 + δ gives tr Σ/‖Σ‖_2 ≥ 1 + (r−1)/(1+δ) and ‖Σ‖_F²/‖Σ‖_2² ≥ 1 + (r−1)/(1+δ)², attained by λ \
             proportional to (1+δ, 1, …, 1)",
            holds(),
            |p, s| {
                let rest = Enclosure::from(p.signal - 1);
                s.spread.map_or_else(
                    || vacuous(NO_RATIO),
                    |x| {
                        all_of([
                            ("R2", at_least(s.own[1], 1.0 + rest / x)),
                            ("R1", at_least(s.own[0], 1.0 + rest / x.square())),
                        ])
                    },
                )
            },
        )
        .checked_in_part("ren2023.StableRanks.def_4_2_c3_best")
        .except(NO_RATIO)
        .step("s1", "tr Σ_A = 1", holds(), |_, s| equal(s.balance.eigenvalues.iter().copied().sum::<Interval>(), 1))
        .checked("ren2023.Balance.def_4_2_s1")
        .control("n1", "ρ_B ≥ r always (R2)", |p, s| at_least(s.own[1], p.signal))
        .control("n2", "ρ_B ≤ r for every model (R2)", |p, s| at_most(s.own[1], p.signal))
        .control("n3", "ρ_B is unchanged by K_A → K_A diag(2, 1, …) (R2)", |_, s| equal(s.own[1], s.stretched))
        .control("n4", "λ_1/λ_r = 1 + δ gives ρ_B ≥ r/(1+δ) for R1 too", |p, s| {
            s.spread.map_or_else(|| vacuous(NO_RATIO), |x| at_least(s.own[0], Enclosure::from(p.signal) / x))
        })
        .except(NO_RATIO)
}
