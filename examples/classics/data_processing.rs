//! The data-processing inequality: a channel brings laws closer together, in divergence and in total variation; not in every norm.

use contrapositive::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::{PairOfLaws, divergence, refused, shares};

/// Two laws and a channel: a row of weights of the outputs for every outcome.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{pair}, W ∝ {channel:?}", valid = Self::fits, stored)]
struct Processed {
    pair: PairOfLaws,
    channel: Vec<Vec<f64>>,
}

struct ProcessedDivergences {
    before: Enclosure,
    after: Enclosure,
    tv_before: Enclosure,
    tv_after: Enclosure,
    /// Squared Euclidean distances.
    euclidean_before: Enclosure,
    euclidean_after: Enclosure,
    /// The largest total variation distance between two rows of the channel.
    dobrushin: Enclosure,
}

fn l1(a: &[Enclosure], b: &[Enclosure]) -> Enclosure {
    a.iter().zip(b).map(|(&a, &b)| (a - b).abs()).sum()
}

fn euclidean(a: &[Enclosure], b: &[Enclosure]) -> Enclosure {
    a.iter().zip(b).map(|(&a, &b)| (a - b).square()).sum()
}

impl Processed {
    fn rows(&self) -> Vec<Vec<Enclosure>> {
        self.channel.iter().map(|row| shares(row)).collect()
    }

    fn sides(&self) -> ProcessedDivergences {
        let ((p, q), rows) = (self.pair.laws(), self.rows());
        let outputs = rows.first().map_or(0, Vec::len);
        let through = |law: &[Enclosure]| -> Vec<Enclosure> {
            let output = |z: usize| -> Enclosure { law.iter().zip(&rows).map(|(&p, row)| p * row[z]).sum() };
            (0..outputs).map(output).collect()
        };
        let (pw, qw) = (through(&p), through(&q));
        let pairs = rows.iter().flat_map(|a| rows.iter().map(move |b| l1(a, b) / 2.0));
        ProcessedDivergences {
            before: divergence(&p, &q),
            after: divergence(&pw, &qw),
            tv_before: l1(&p, &q) / 2.0,
            tv_after: l1(&pw, &qw) / 2.0,
            euclidean_before: euclidean(&p, &q),
            euclidean_after: euclidean(&pw, &qw),
            dobrushin: pairs.fold(Enclosure::ZERO, |most, tv| most.max(tv)),
        }
    }
}

impl Processed {
    fn fits(&self) -> Result<(), String> {
        let outcomes = self.pair.laws().0.len();
        if self.channel.len() != outcomes {
            return Err(format!("the channel has no {outcomes} rows"));
        }
        self.channel.iter().try_for_each(|row| refused(row))
    }
}

fn named() -> Vec<(&'static str, Processed)> {
    let of = |p: &[f64], q: &[f64], channel: &[&[f64]]| Processed {
        pair: PairOfLaws::of(p, q),
        channel: channel.iter().map(|row| row.to_vec()).collect(),
    };
    let (one, other): (&[f64], &[f64]) = (&[1.0, 0.0], &[0.0, 1.0]);
    vec![
        ("nothing happens", of(&[3.0, 1.0], &[1.0, 1.0], &[one, other])),
        ("all is forgotten", of(&[3.0, 1.0], &[1.0, 1.0], &[&[1.0, 2.0], &[1.0, 2.0]])),
        ("two outcomes become one", of(&[2.0, 2.0, 4.0], &[3.0, 3.0, 2.0], &[one, one, other])),
        ("two unlike outcomes become one", of(&[1.0, 5.0, 2.0], &[4.0, 2.0, 2.0], &[one, one, other])),
        ("a noisy bit", of(&[7.0, 1.0], &[1.0, 7.0], &[&[9.0, 1.0], &[1.0, 9.0]])),
        ("an erased bit", of(&[7.0, 1.0], &[1.0, 7.0], &[&[3.0, 0.0, 1.0], &[0.0, 3.0, 1.0]])),
        ("a Z-channel", of(&[1.0, 7.0], &[7.0, 1.0], &[&[1.0, 0.0], &[1.0, 1.0]])),
        ("a nearly clean bit", of(&[7.0, 1.0], &[1.0, 7.0], &[&[999.0, 1.0], &[1.0, 999.0]])),
    ]
}

fn drawn() -> impl Strategy<Value = Processed> {
    (2usize..=4, 2usize..=3).prop_flat_map(|(n, m)| {
        let weights = || vec(0.01..1.0f64, n);
        (weights(), weights(), vec(vec(0.01..1.0f64, m), n))
            .prop_map(|(p, q, channel)| Processed { pair: PairOfLaws::of(&p, &q), channel })
    })
}

fn setting() -> Setting<Processed, ProcessedDivergences> {
    Setting::measuring(|x: &Processed, _| Ok(x.sides()))
        .given("P and Q are laws on finitely many outcomes, W a channel to finitely many outputs")
        .family(edge("named", named))
        .family(random("drawn", drawn))
}

fn below(lhs: Enclosure, rhs: Enclosure) -> Evaluation {
    at_most(lhs, rhs).on_scale_of("the total mass 1", 1.0)
}

/// As it is quoted.
pub fn claim() -> Claim {
    Claim::new("classics.data-processing", "The data-processing inequality", Kind::Inequality)
        .statement("KL(PW‖QW) ≤ KL(P‖Q) for every channel W")
        .source("Cover and Thomas 2006, sections 2.8 and 4.4", &["Kullback and Leibler 1951, theorem 4.1"])
        .symbol("PW", "the law of the output when the input has the law P")
        .setting(
            setting()
                .assume(Hypothesis::new("Q(x) > 0 wherever P(x) > 0", |x| x.pair.is_dominated()))
                .outside("not dominated", || {
                    let channel = vec![vec![1.0, 1.0], vec![1.0, 3.0]];
                    vec![("disjoint", Processed { pair: PairOfLaws::of(&[1.0, 0.0], &[0.0, 1.0]), channel })]
                })
                .part("printed", "KL(PW‖QW) ≤ KL(P‖Q)", holds(), |_, s| below(s.after, s.before))
                .sharpening(
                    "dobrushin",
                    "KL(PW‖QW) ≤ η KL(P‖Q), η the largest TV between two rows of W",
                    holds(),
                    |_, s| below(s.after, s.dobrushin * s.before),
                )
                .control("a", "KL(PW‖QW) ≤ η² KL(P‖Q)", |_, s| below(s.after, s.dobrushin.square() * s.before))
                .control("b", "KL(PW‖QW) ≤ 0.9 KL(P‖Q): not every channel loses", |_, s| {
                    below(s.after, 0.9 * s.before)
                }),
        )
}

/// A distance that is no divergence.
pub fn misquoted() -> Claim {
    Claim::new(
        "classics.data-processing-norm",
        "Data processing for the Euclidean distance, misquoted",
        Kind::Inequality,
    )
    .statement("‖PW − QW‖₂ ≤ ‖P − Q‖₂ for every channel W: processing brings laws closer together")
    .source("a misquotation", &["of the data-processing inequality, for any distance between laws"])
    .symbol("PW", "the law of the output when the input has the law P")
    .setting(
        setting()
            .part(
                "printed",
                "‖PW − QW‖₂ ≤ ‖P − Q‖₂",
                fails("outcomes that become one add up"),
                |_, s| below(s.euclidean_after, s.euclidean_before),
            )
            .amendment("variation", "TV(PW, QW) ≤ TV(P, Q)", holds(), |_, s| below(s.tv_after, s.tv_before))
            .amendment(
                "dobrushin",
                "TV(PW, QW) ≤ η TV(P, Q), η the largest TV between two rows of W",
                holds(),
                |_, s| below(s.tv_after, s.dobrushin * s.tv_before),
            )
            .control("a", "TV(PW, QW) ≤ ¾ η TV(P, Q)", |_, s| below(s.tv_after, 0.75 * s.dobrushin * s.tv_before)),
    )
}
