//! InfoNCE as an estimate of mutual information, exactly: every draw of a finite joint law is enumerated.
//!
//! One positive and K − 1 negatives, all K in the denominator: log K − L is at most I(X; Y), whatever the scores, and at most
//! log K. Two habits spoil it. With the positive left out of the denominator ("decoupled") the estimate exceeds both. And where N
//! counts the negatives, the ceiling is log(N + 1): log N belongs to N = K samples.

use contrapositive::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use crate::shared::{divergence, refused, shares};

/// A joint law of X and Y on m × m outcomes, the scores f(x, y), and the number of samples.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "P(x, y) ∝ {joint:?}, f = {scores:?}, K = \
                       {samples}", valid = Self::is_square, simpler = Self::smaller, stored)]
struct Contrast {
    #[instance(length = "m in 1..=4, 1..=4")]
    joint: Vec<Vec<f64>>,
    #[instance(length = "m, 1..=4", range = "-1e3..=1e3")]
    scores: Vec<Vec<f64>>,
    #[instance(range = "2..=4")]
    samples: usize,
}

struct ContrastiveEstimate {
    /// E log(e^f(x,y⁺)/Σ of all K samples) + log K.
    estimate: Enclosure,
    /// The same with the K − 1 negatives alone in the denominator.
    decoupled: Enclosure,
    /// I(X; Y) in nats.
    information: Enclosure,
    samples: Enclosure,
}

impl Contrast {
    fn outcomes(&self) -> usize {
        self.joint.len()
    }

    fn law(&self) -> Vec<Vec<Enclosure>> {
        let flat = shares(&self.joint.concat());
        flat.chunks(self.outcomes()).map(<[Enclosure]>::to_vec).collect()
    }

    fn sides(&self) -> ContrastiveEstimate {
        let (law, m) = (self.law(), self.outcomes());
        let of_x: Vec<Enclosure> = law.iter().map(|row| row.iter().copied().sum()).collect();
        let of_y: Vec<Enclosure> = (0..m).map(|y| law.iter().map(|row| row[y]).sum()).collect();
        let product: Vec<Enclosure> = of_x.iter().flat_map(|&p| of_y.iter().map(move |&q| p * q)).collect();
        let (mut coupled, mut decoupled) = (Enclosure::ZERO, Enclosure::ZERO);
        let draws = m.pow(self.samples as u32 - 1);
        for (scores, row) in self.scores.iter().zip(&law) {
            for draw in 0..draws {
                // The digits of `draw` in base m are the negatives.
                let negatives: Vec<usize> = (0..self.samples as u32 - 1).map(|i| draw / m.pow(i) % m).collect();
                let chance = negatives.iter().fold(Enclosure::ONE, |chance, &y| chance * of_y[y]);
                let others: Vec<Enclosure> = negatives.iter().map(|&y| exact(scores[y])).collect();
                let others = log_sum_exp(&others);
                for (&p, &score) in row.iter().zip(scores) {
                    // log(e^f/(e^f + Σ)) = −softplus(log Σ − f).
                    let gap = others - score;
                    coupled += p * chance * -gap.softplus();
                    decoupled += p * chance * -gap;
                }
            }
        }
        let samples = Enclosure::from(self.samples);
        ContrastiveEstimate {
            estimate: coupled + samples.ln(),
            decoupled: decoupled + (samples - 1.0).ln(),
            information: divergence(&law.concat(), &product),
            samples,
        }
    }
}

impl Contrast {
    fn is_square(&self) -> Result<(), String> {
        let m = self.outcomes();
        if self.joint.iter().chain(&self.scores).any(|row| row.len() != m) {
            return Err(format!("the law and the scores are not {m} by {m}"));
        }
        refused(&self.joint.concat())
    }

    fn smaller(&self) -> Vec<Self> {
        let with = |samples| Contrast { samples, ..self.clone() };
        let without = |i: usize| {
            let mut fewer = self.clone();
            for matrix in [&mut fewer.joint, &mut fewer.scores] {
                matrix.remove(i);
                for row in matrix {
                    row.remove(i);
                }
            }
            fewer
        };
        let fewer_outcomes = (0..self.outcomes()).filter(|_| self.outcomes() > 1).map(without);
        std::iter::once(with(self.samples - 1)).chain(fewer_outcomes).collect()
    }
}

/// The diagonal has one entry, all others another.
fn diagonal(m: usize, on: f64, off: f64) -> Vec<Vec<f64>> {
    (0..m).map(|i| (0..m).map(|j| if i == j { on } else { off }).collect()).collect()
}

fn named() -> Vec<(&'static str, Contrast)> {
    let of = |joint, scores, samples| Contrast { joint, scores, samples };
    vec![
        ("four classes, Y = X, sharp scores", of(diagonal(4, 1.0, 0.0), diagonal(4, 20.0, 0.0), 4)),
        ("two classes, Y = X", of(diagonal(2, 1.0, 0.0), diagonal(2, 3.0, 0.0), 2)),
        ("three classes, Y = X, two samples", of(diagonal(3, 1.0, 0.0), diagonal(3, 3.0, 0.0), 2)),
        ("independent", of(diagonal(3, 1.0, 1.0), diagonal(3, 1.0, 0.0), 3)),
        // f = log p(y|x)/p(y): ¾ and ¼ against ½.
        ("the best scores", of(diagonal(2, 3.0, 1.0), diagonal(2, 1.0986, 0.0), 4)),
        ("wrong scores", of(diagonal(3, 4.0, 1.0), diagonal(3, -2.0, 2.0), 3)),
        ("one class", of(diagonal(1, 1.0, 0.0), diagonal(1, 1.0, 0.0), 2)),
    ]
}

fn drawn() -> impl Strategy<Value = Contrast> {
    (2usize..=3, 2usize..=4).prop_flat_map(|(m, samples)| {
        let joint = vec(vec(prop_oneof![1 => Just(0.01), 3 => 0.01..1.0f64], m), m);
        (joint, vec(vec(-3.0..3.0f64, m), m)).prop_map(move |(joint, scores)| Contrast { joint, scores, samples })
    })
}

fn setting() -> Setting<Contrast, ContrastiveEstimate> {
    Setting::measuring(|c: &Contrast, _| Ok(c.sides()))
        .given("X and Y have m ≤ 4 outcomes each; f is any table of scores; 2 ≤ K ≤ 4")
        .family(edge("named", named))
        .family(random("drawn", drawn))
}

fn symbols(claim: Claim) -> Claim {
    claim
        .symbol("y_1", "(x, y_1) is a draw of the joint law; y_2, …, y_K are independent draws of the law of Y")
        .symbol("I(X; Y)", "mutual information, natural logarithm")
        .symbol("L", "−E log(e^f(x,y_1)/Σ_{j=1..K} e^f(x,y_j)): the positive stands in the denominator")
}

/// As it is quoted.
pub fn claim() -> Claim {
    symbols(Claim::new("classics.infonce", "InfoNCE as a lower bound of mutual information", Kind::Inequality))
        .statement("log K − L ≤ I(X; Y) and log K − L ≤ log K, for every score f")
        .source("van den Oord, Li, Vinyals 2018, section 2.3", &["Poole et al. 2019, section 2.3"])
        .setting(
            setting()
                .part("information", "log K − L ≤ I(X; Y)", holds(), |_, s| {
                    at_most(s.estimate, s.information).on_scale_of("log K", s.samples.ln().hi())
                })
                .part("ceiling", "log K − L ≤ log K", holds(), |_, s| at_most(s.estimate, s.samples.ln()))
                .control("a", "log K − L ≤ log(K − 1): the negatives counted alone", |_, s| {
                    at_most(s.estimate, (s.samples - 1.0).ln())
                })
                .control("b", "log K − L ≤ ½ I(X; Y)", |_, s| at_most(s.estimate, s.information / 2.0))
                .control("c", "log K − L ≥ 0: it is no estimate of I for a bad score", |_, s| {
                    at_least(s.estimate, 0)
                }),
        )
}

/// The positive left out of the denominator.
pub fn misquoted() -> Claim {
    symbols(Claim::new("classics.infonce-decoupled", "InfoNCE with negatives alone, misquoted", Kind::Inequality))
        .symbol("N", "K − 1, the number of negatives")
        .symbol("L′", "−E log(e^f(x,y_1)/Σ_{j=2..K} e^f(x,y_j)): only negatives stand in the denominator")
        .statement("log N − L′ ≤ I(X; Y) and log N − L′ ≤ log N")
        .source("a misquotation", &["the bound of InfoNCE, for losses without the positive in the denominator"])
        .setting(
            setting()
                .part(
                    "information",
                    "log N − L′ ≤ I(X; Y)",
                    fails("the estimate grows without bound with the scores"),
                    |_, s| at_most(s.decoupled, s.information),
                )
                .part(
                    "ceiling",
                    "log N − L′ ≤ log N",
                    fails("the estimate grows without bound with the scores"),
                    |_, s| at_most(s.decoupled, (s.samples - 1.0).ln()),
                )
                .amendment("coupled", "log(N + 1) − L ≤ min(I(X; Y), log(N + 1))", holds(), |_, s| {
                    at_most(s.estimate, s.information.min(s.samples.ln())).on_scale_of("log K", s.samples.ln().hi())
                })
                .amendment(
                    "order",
                    "L′ ≤ L: the decoupled estimate log N − L′ is at least log N − L",
                    holds(),
                    |_, s| at_least(s.decoupled - (s.samples - 1.0).ln(), s.estimate - s.samples.ln()),
                )
                .control("a", "log(N + 1) − L ≤ log N", |_, s| at_most(s.estimate, (s.samples - 1.0).ln())),
        )
}
