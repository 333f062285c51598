//! Section 4, after Lemma 4.5: at the start the condition number is not close to one, so that a stage that lowers it is needed.
//!
//! The first half is true at every width. cond(K_A) is at least the ratio of any two lengths of columns, and at the start [K_A]_p = W_A a_p has the squared
//! length σ_p²χ²_m/m: cond² ≥ s X/Y with s = σ_max²/σ_min² and independent X, Y of the law χ²_m, which tends to s. (Orthonormality is not the
//! point: columns of A of one length other than one give s = 1.) With probability 9/10 cond² ≥ s/2 from m = 100 on, but not at every
//! width. At m = 1 the condition number is infinite. For m = r = 2 and s ≥ 2, cond² ≥ s/2 has the probability (1 + (s − 2)²/(2(s + 1)²))^{−1/2}, which tends to
//! 1.5^{−1/2} = 0.816… as s → ∞. Proof: the singular values of K_A are |z| + |w| and ||z| − |w||, with the complex normal numbers
//! z = (a + d + i(c − b))/2 and w = (a − d + i(c + b))/2 of K_A = (a, b; c, d). Their variances are equal and their correlation is ρ = (s − 1)/(s + 1), so
//! that P(|w|² ≤ t|z|²) = 1/2 + (t − 1)/(2√((1 + t)² − 4ρ²t)), and cond ≥ C says that |w|/|z| lies between q and 1/q,
//! q = (C − 1)/(C + 1), here with C² = s/2.
//!
//! "In other words" needs data that the words leave out. Lemma 4.5 is sufficient only. Without noise tr Σ/‖Σ‖_2 = Σ_p s_p²/s_1², and one weak signal costs at
//! most one of r: with κ² = (4, 4, 4, 4, 1) the condition number is 2 and ρ_B is 4.06, 4.25 or 4.45 of 5 in the three meanings, and so
//! for a weakest signal of any size. What a condition number costs is a number, not a share: tr Σ/‖Σ‖_2 ≤ r − 1 + 1/cond². Where most signals are weak,
//! κ² = (4, 1, …, 1), the sentence is true in the meanings R1 and R2.

use enclosures::probability::{chi_square_lower_tail, chi_square_upper_tail};
use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{Balance, View};

use crate::shared::feature_pairs::FeaturePair;
use crate::shared::notation::{BALANCE, EXTREME_STRENGTHS, FEATURES, SIZES, SPREAD, WIDTH};

/// The width of a start.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
struct StartWidth {
    #[instance(range = "1..=900")]
    width: u32,
    /// s of two signals; none: any signals.
    #[instance(range = "2.0..=1e6", scale = "logarithmic")]
    spread_of_two: Option<f64>,
}

impl StartWidth {
    fn any_signals(width: u32) -> Self {
        StartWidth { width, spread_of_two: None }
    }

    fn in_words(&self) -> String {
        match self.spread_of_two {
            Some(spread) => format!("m = {}, r = 2, s = {spread}", self.width),
            None => format!("m = {}", self.width),
        }
    }

    /// P(X < 7m/10) + P(Y > 14m/10), so that P(X/Y ≥ 1/2) is at least one minus that.
    fn tails(&self) -> Interval {
        let level = |share: f64| Interval::point(f64::from(self.width)) * Interval::point(share);
        chi_square_lower_tail(self.width, level(0.7)) + chi_square_upper_tail(self.width, level(1.4))
    }

    /// P(cond(K_A)² ≥ s/2), as far as it is known: a bound from below that is small refutes nothing, since the probability may be larger.
    fn of_half(&self) -> Interval {
        match (self.width, self.spread_of_two) {
            // One row has no second singular value: the condition number is infinite.
            (1, _) => Interval::ONE,
            (2, Some(s)) => {
                let share = (Interval::point(s) - 2.0) / (Interval::point(s) + 1.0);
                1.0 / (1.0 + share.square() / 2.0).sqrt()
            }
            _ => Interval::new((1.0 - self.tails()).lo().max(0.0), 1.0),
        }
    }
}

/// P(X < 7m/10) + P(Y > 14m/10), and P(cond(K_A)² ≥ s/2) as far as it is known.
struct Chances {
    tails: Enclosure,
    of_half: Enclosure,
}

/// The lengths of the columns of K_A, which are orthogonal, without noise.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "κ = {lengths:?}", stored)]
struct Lengths {
    #[instance(length = "2..=8", range = "1e-3..=1e3", scale = "logarithmic")]
    lengths: Vec<f64>,
}

impl Lengths {
    /// (κ_p/κ_max)² for the second largest κ_p, or for the least.
    fn share(&self, second: bool) -> Enclosure {
        let mut sorted = self.lengths.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        (exact(sorted[if second { 1 } else { sorted.len() - 1 }]) / sorted[0]).square()
    }
}

/// Condition and balance.
struct Scores {
    /// 1/cond(K_A)².
    weakest: Enclosure,
    /// R1, R2, R3.
    balance: [Enclosure; 3],
    signals: Enclosure,
}

fn scores(l: &Lengths) -> Result<Scores, MeasureError> {
    let pair = FeaturePair::diagonal(l.lengths.len(), &l.lengths);
    let balance = Balance::of(&pair.state()?, View::A)?;
    Ok(Scores { weakest: l.share(false), balance: balance.meanings().map(Into::into), signals: l.lengths.len().into() })
}

const ILL_CONDITIONED: Hypothesis<Lengths> = Hypothesis::new("cond(K_A) ≥ 2", |l| l.share(false).hi() <= 0.25);

const ONE_STRONG: Hypothesis<Lengths> =
    Hypothesis::new("s_1 ≥ 2s_2 for the singular values of K_A", |l| l.share(true).hi() <= 0.25);

pub fn claim() -> Claim {
    Claim::new("ren2023.start-condition", "the condition number at the start, and what it costs", Kind::Observation)
        .statement(
            "as the columns of A are not orthonormal, even at initialisation the condition number of K_A is not close to 1; \
             in other words, a stage that reduces it is necessary for the model to learn balanced representations",
        )
        .source("Section 4, after Lemma 4.5", &[])
        .symbols([SIZES, WIDTH, FEATURES, EXTREME_STRENGTHS, SPREAD, BALANCE])
        .symbol("cond(K_A)", "s_1/s_r, s_1 ≥ … ≥ s_r the singular values of K_A (0 beyond min(m, r)); cond stands for it alone")
        .symbol("X/Y", "X, Y independent with the law χ²_m, the sum of the squares of m independent standard normal variables")
        .reconstructed("the matrix whose condition number is meant")
        .sense("every", "necessary whatever the strengths are, as soon as the condition number is 2 or more")
        .sense("some", "necessary for strengths such as one strong signal among weak ones")
        .remark("Lemma 4.5 says that a condition number close to 1 suffices. The sentence takes it to be needed.")
        .setting(starts())
        .setting(balances())
}

fn starts() -> Setting<StartWidth, Chances> {
    Setting::measuring(|s: &StartWidth, _| Ok(Chances { tails: s.tails().into(), of_half: s.of_half().into() }))
        .given("r ≥ 2, AᵀA = diag(σ_1², …, σ_r²), the entries of W_A independent with the law N(0, 1/m)")
        .family(edge_over("widths", "m", [1, 2, 10, 25, 50, 100, 400, 900], StartWidth::any_signals))
        .family(random("drawn", || (1..=900u32).prop_map(StartWidth::any_signals)))
        .family(outside("two signals, two rows", || {
            described([100.0, 1e4].map(|s| StartWidth { width: 2, spread_of_two: Some(s) }))
        }))
        .without_search()
        .part(
            "start",
            "cond(K_A)² ≥ s/2 with probability at least 9/10, as cond(K_A)² ≥ s X/Y and P(X/Y ≥ 1/2) ≥ 1 − P(X < 7m/10) − P(Y > \
             14m/10)",
            holds(),
            |_, c| at_least(c.of_half, exact(0.9)),
        )
        .sides(
            "P(cond(K_A)² ≥ s/2): exact for m = 1 and for m = r = 2, else from 1 − P(X < 7m/10) − P(Y > 14m/10) to 1",
            "9/10",
        )
        .assume(Hypothesis::new("m ≥ 100", |s| s.width >= 100))
        .in_sense("every")
        .in_sense("some")
        .our_constant("the half of s, the probability and the width")
        .sharpening(
            "rate",
            "P(X < 7m/10) + P(Y > 14m/10) ≤ 2e^{−m/36}: cond(K_A)² ≥ s/2 but for so small a probability",
            holds(),
            |s, c| at_most(c.tails, 2.0 * (-(Enclosure::from(s.width) / 36.0)).exp()),
        )
        .control("a", "1 − P(X < 7m/10) − P(Y > 14m/10) ≥ 9/10 at every width", |_, c| at_least(1.0 - c.tails, exact(0.9)))
        .control("b", "P(X < 7m/10) + P(Y > 14m/10) ≤ 2e^{−m/15}", |s, c| {
            at_most(c.tails, 2.0 * (-(Enclosure::from(s.width) / 15.0)).exp())
        })
}

fn balances() -> Setting<Lengths, Scores> {
    Setting::measuring(|l: &Lengths, _| scores(l))
        .given(
            "r ≥ 2, q = 0, and orthogonal columns of K_A of lengths κ_1, …, κ_r > 0, as at a start of infinite width with σ_p = \
             κ_p; ρ_B depends on K_A by its singular values alone",
        )
        .family(edge("lengths", || {
            let all: [&[f64]; 8] = [
                &[2.0, 2.0, 2.0, 2.0, 1.0],
                &[2.0, 2.0, 2.0, 2.0, 0.01],
                &[4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 1.0],
                &[2.0, 1.0],
                &[2.0, 1.0, 1.0, 1.0, 1.0],
                &[8.0, 4.0, 2.0, 1.0],
                &[1.0, 1.0, 1.0],
                &[3.0; 8],
            ];
            described(all.map(|lengths| Lengths { lengths: lengths.to_vec() }))
        }))
        .family(random("drawn", || {
            (2usize..=8).prop_flat_map(|r| vec(0.05..3.0f64, r).prop_map(|lengths| Lengths { lengths }))
        }))
        .family(random("one strong", || {
            (2.0..6.0f64, 1usize..=7).prop_flat_map(|(strong, weak)| {
                vec(0.05..1.0f64, weak).prop_map(move |weak| Lengths { lengths: [vec![strong], weak].concat() })
            })
        }))
        .part(
            "every",
            "the representation is not balanced: ρ_B < (3/4)r in the meaning R1, the least of the three",
            fails("one weak signal of five costs at most one of five"),
            |_, s| less_than(s.balance[0], 0.75 * s.signals),
        )
        .assume(ILL_CONDITIONED)
        .our_constant("\"not close to 1\" and \"balanced\": 2 and a quarter")
        .sides("‖Σ‖_F²/‖Σ‖_2²", "(3/4)r")
        .in_sense("every")
        .part(
            "some",
            "the representation is not balanced: ρ_B < (3/4)r in the meanings R1 and R2",
            holds(),
            |_, s| all_of([0, 1].map(|k| (["R1", "R2"][k], less_than(s.balance[k], 0.75 * s.signals)))),
        )
        .assume(ONE_STRONG)
        .our_constant("a strong signal is twice as strong as the next; a quarter is missing to balance")
        .in_sense("some")
        .amendment(
            "deficit",
            "a condition number costs a number and not a share of r: tr Σ/‖Σ‖_2 ≤ r − 1 + 1/cond² and ‖Σ‖_F²/‖Σ‖_2² ≤ r − 1 + \
             1/cond⁴",
            holds(),
            |_, s| {
                let most = |cost: Enclosure| s.signals - 1.0 + cost;
                all_of([
                    ("R1", at_most(s.balance[0], most(s.weakest.square()))),
                    ("R2", at_most(s.balance[1], most(s.weakest))),
                ])
            },
        )
        .control("c", "tr Σ/‖Σ‖_2 ≤ r/cond²", |_, s| at_most(s.balance[1], s.signals * s.weakest))
        .control("d", "tr Σ/‖Σ‖_2 ≤ r − 1 where cond(K_A) < 2", |_, s| at_most(s.balance[1], s.signals - 1.0))
        .assume(Hypothesis::new("cond(K_A) < 2", |l| l.share(false).lo() > 0.25))
        .control("e", "ρ_B < (3/4)r in the meaning R3, whatever the condition number", |_, s| {
            less_than(s.balance[2], 0.75 * s.signals)
        })
}
