//! (A.3): from a descent at every step to the average of the loss vectors.
//!
//! True: the losses fall by κ‖loss^{(t)}‖² each step and stay non-negative, so that κ Σ ‖loss^{(t)}‖² ≤ L_S(0), and the mean of numbers is at most their root mean
//! square. Nothing more is used, so the root mean square obeys the same bound, and L_S(0) − L_S(T) may stand for L_S(0). Equality for constant norms, a steady fall and
//! L_S(T) = 0. The last implication is trivial one way (a part is shorter than the whole); back, the whole is at most the sum of the two averages,
//! and no constant below 2 serves: let the parts take turns.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};

use crate::shared::signs::{NETWORKS, QUERIES_AND_KEYS, START, STEP};
use crate::shared::training_runs::{Run, RunSizes, run};
use crate::shared::trainings::total;

/// ‖l̃oss^{(t)}‖ and ‖l̂oss^{(t)}‖ for t < T, by how much more than κ‖loss^{(t)}‖² the loss falls, and where it ends.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "T = {n}, ‖l̃oss‖ = {query:?}, ‖l̂oss‖ = {key:?}, further descent {more:?}, L_S(T) = {last}, κ = {kappa}",
    simpler = Self::without_a_step, stored)]
struct Descent {
    #[instance(length = "n in 1..", range = "0..=1e9")]
    query: Vec<f64>,
    #[instance(length = "n", range = "0..=1e9")]
    key: Vec<f64>,
    #[instance(length = "n", range = "0..=1e9")]
    more: Vec<f64>,
    #[instance(range = "-1e9..=1e9")]
    last: f64,
    #[instance(range = "1e-9..=1e9", scale = "logarithmic")]
    kappa: f64,
}

impl Descent {
    fn without_a_step(&self) -> Vec<Self> {
        let without = |t: usize| {
            let mut fewer = self.clone();
            for list in [&mut fewer.query, &mut fewer.key, &mut fewer.more] {
                list.remove(t);
            }
            fewer
        };
        if self.query.len() == 1 { Vec::new() } else { (0..self.query.len()).map(without).collect() }
    }
}

impl Descent {
    fn squares(&self) -> impl Iterator<Item = Enclosure> + '_ {
        let pairs = self.query.iter().zip(&self.key);
        pairs.map(|(&a, &b)| exact(a).square() + exact(b).square())
    }

    fn steps(&self) -> Enclosure {
        self.query.len().into()
    }

    fn mean(&self, of: impl Iterator<Item = Enclosure>) -> Enclosure {
        of.sum::<Enclosure>() / self.steps()
    }

    /// (1/T) Σ ‖loss^{(t)}‖.
    fn average(&self) -> Enclosure {
        self.mean(self.squares().map(Enclosure::sqrt))
    }

    /// L_S(0), or L_S(0) − L_S(T).
    fn fall(&self, to_zero: bool) -> Enclosure {
        let more: Enclosure = self.more.iter().map(|&x| exact(x)).sum();
        let last = if to_zero { exact(self.last) } else { Enclosure::ZERO };
        last + more + self.kappa * self.squares().sum::<Enclosure>()
    }

    fn bound(&self, to_zero: bool) -> Enclosure {
        (self.fall(to_zero) / (self.kappa * self.steps())).sqrt()
    }

    fn at_most_bound(&self, left: Enclosure, to_zero: bool) -> Evaluation {
        at_most(left, self.bound(to_zero))
    }

    /// A steady fall of a constant norm to zero.
    fn is_steady(&self) -> bool {
        let same = |list: &[f64]| list.iter().all(|x| *x == list[0]);
        same(&self.query) && same(&self.key) && self.more.iter().all(|x| *x == 0.0) && self.last == 0.0
    }
}

fn named() -> Vec<(&'static str, Descent)> {
    let of = |query: &[f64], key: &[f64], more: &[f64], last, kappa| Descent {
        query: query.to_vec(),
        key: key.to_vec(),
        more: more.to_vec(),
        last,
        kappa,
    };
    vec![
        ("constant, T = 4", of(&[1.0; 4], &[0.0; 4], &[0.0; 4], 0.0, 0.5)),
        ("constant in both parts", of(&[3.0; 9], &[4.0; 9], &[0.0; 9], 0.0, 1e-3)),
        ("T = 1", of(&[2.0], &[1.0], &[0.0], 0.0, 1.0)),
        ("one spike", of(&[0.0, 0.0, 8.0, 0.0], &[0.0; 4], &[0.0; 4], 0.0, 1.0)),
        ("geometric decay", of(&[1.0, 0.5, 0.25, 0.125], &[1.0, 0.5, 0.25, 0.125], &[0.0; 4], 0.1, 0.1)),
        ("all zero", of(&[0.0; 3], &[0.0; 3], &[0.0; 3], 0.0, 1.0)),
        ("the parts take turns", of(&[1.0, 0.0], &[0.0, 1.0], &[0.0; 2], 0.0, 1.0)),
        ("a faster descent", of(&[1.0, 1.0], &[1.0, 1.0], &[5.0, 0.0], 2.0, 0.25)),
    ]
}

fn drawn() -> impl Strategy<Value = Descent> {
    let number = || prop_oneof![0.0..1.0f64, Just(0.0), 0.0..100.0f64];
    let kappa = prop_oneof![Just(1e-6), 1e-3..10.0f64];
    (1usize..=12, kappa, number()).prop_flat_map(move |(steps, kappa, last)| {
        let list = || vec(number(), steps);
        (list(), list(), prop_oneof![Just(vec![0.0; steps]), list()]).prop_map(move |(query, key, more)| Descent {
            query,
            key,
            more,
            last,
            kappa,
        })
    })
}

fn runs() -> Vec<(String, RunSizes)> {
    let of = |points, negatives, steps, rate_in_thousandths, seed| RunSizes {
        points,
        negatives,
        input: 4,
        width: 30,
        layers: 2,
        output: 4,
        steps,
        rate_in_thousandths,
        seed,
    };
    described([of(2, 1, 100, 100, 1), of(4, 2, 100, 100, 2), of(5, 4, 60, 20, 3), of(6, 1, 60, 100, 4)])
}

const RISES: &str = "the loss rises at some step";

/// The smallest κ of a run.
fn kappa(r: &Run) -> f64 {
    let ratio = |pair: &[crate::shared::training_runs::Progress]| (pair[0].loss - pair[1].loss) / total(&pair[0]);
    r.progress.windows(2).map(ratio).fold(f64::INFINITY, f64::min)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.eq-a3", "averaging step (A.3)", Kind::Inequality)
        .statement(
            "if L_S(t+1) − L_S(t) ≤ −κ‖loss^{(t)}‖² for all t < T, then (1/T) Σ ‖loss^{(t)}‖ ≤ √(L_S(0)/(κT)); and \
             (1/T) Σ ‖loss^{(t)}‖ ≤ ε implies the same for l̃oss and for l̂oss",
        )
        .source("(A.3)", &["the display after it", "Section 5.3"])
        .symbol("κ", "a positive number")
        .symbol("L_S(t)", "the loss after t ≤ T steps, T ≥ 1")
        .symbol("T", "the number of steps, T ≥ 1; Σ is the sum over t = 0, …, T − 1")
        .symbol(
            "‖loss^{(t)}‖",
            "the root of ‖l̃oss^{(t)}‖² + ‖l̂oss^{(t)}‖²; in a run of Algorithm 1 ‖l̃oss‖² = Σ_i ‖l̃oss_i‖², ‖l̂oss‖² = Σ_i \
             ‖l̂oss_i‖², after t steps",
        )
        .symbols(NETWORKS)
        .symbols(QUERIES_AND_KEYS)
        .symbols([STEP, START])
        .remark("In print κ is Ω(min(η,γ)δm/(n³d)). What follows ① and the value of T are exponents: bookkeeping.")
        .setting(printed())
        .setting(averages_of_runs())
}

fn printed() -> Setting<Descent, ()> {
    Setting::of()
        .given(
            "κ > 0, norms ‖l̃oss^{(t)}‖, ‖l̂oss^{(t)}‖ that are not negative, and L_S(t) − L_S(t+1) ≥ κ‖loss^{(t)}‖² for \
             all t < T",
        )
        .assume(Hypothesis::new("L_S(T) ≥ 0", |d: &Descent| d.last >= 0.0))
        .family(outside("a negative loss", || {
            let below = Descent { last: -1.0, ..named().swap_remove(0).1 };
            vec![("constant norms, L_S(T) = −1", below)]
        }))
        .family(edge("named", named))
        .family(random("drawn", drawn))
        .part(
            "printed",
            "(1/T) Σ ‖loss^{(t)}‖ ≤ √(L_S(0)/(κT)), and the averages of ‖l̃oss^{(t)}‖ and of ‖l̂oss^{(t)}‖ are at most \
             that of ‖loss^{(t)}‖",
            holds(),
            |d, ()| {
                let part = |list: &[f64]| d.mean(list.iter().map(|&x| exact(x)));
                let whole = d.average();
                all_of([
                    ("average", d.at_most_bound(whole, true)),
                    ("l̃oss", at_most(part(&d.query), whole)),
                    ("l̂oss", at_most(part(&d.key), whole)),
                ])
            },
        )
        .checked("wen2020.Averages.eq_a3_printed")
        .step("s1", "((1/T) Σ ‖loss^{(t)}‖)² ≤ (1/T) Σ ‖loss^{(t)}‖²", holds(), |d, ()| {
            at_most(d.average().square(), d.mean(d.squares()))
        })
        .step("s2", "‖l̃oss^{(t)}‖ ≤ ‖loss^{(t)}‖ at every t", holds(), |d, ()| {
            let pairs = d.query.iter().zip(d.squares()).enumerate();
            let below =
                |(t, (&a, whole)): (usize, (&f64, Enclosure))| (format!("t = {t}"), at_most(exact(a), whole.sqrt()));
            all_of(pairs.map(below))
        })
        .sharpening(
            "root-mean-square",
            "√((1/T) Σ ‖loss^{(t)}‖²) ≤ √((L_S(0) − L_S(T))/(κT))",
            holds(),
            |d, ()| d.at_most_bound(d.mean(d.squares()).sqrt(), false),
        )
        .checked("wen2020.Averages.eq_a3_root_mean_square")
        .sharpening("equality", "(1/T) Σ ‖loss^{(t)}‖ = √(L_S(0)/(κT))", holds(), |d, ()| {
            equal(d.average(), d.bound(true))
        })
        .assume(Hypothesis::new(
            "‖l̃oss^{(t)}‖ and ‖l̂oss^{(t)}‖ the same for all t, L_S(t) − L_S(t+1) = κ‖loss^{(t)}‖² for all t, L_S(T) = \
             0",
            Descent::is_steady,
        ))
        .sharpening(
            "converse",
            "(1/T) Σ ‖loss^{(t)}‖ ≤ (1/T) Σ ‖l̃oss^{(t)}‖ + (1/T) Σ ‖l̂oss^{(t)}‖",
            holds(),
            |d, ()| {
                let parts = d.mean(d.query.iter().chain(&d.key).map(|&x| exact(x)));
                at_most(d.average(), parts)
            },
        )
        .checked("wen2020.Averages.eq_a3_converse")
        .control("a", "(1/T) Σ ‖loss^{(t)}‖ ≤ √(L_S(0)/κ)/T, T in place of √T", |d, ()| {
            at_most(d.average(), (d.fall(true) / d.kappa).sqrt() / d.steps())
        })
        .control("b", "(1/T) Σ ‖loss^{(t)}‖² ≤ ((1/T) Σ ‖loss^{(t)}‖)²", |d, ()| {
            at_most(d.mean(d.squares()), d.average().square())
        })
        .control(
            "c",
            "(1/T) Σ ‖loss^{(t)}‖ is at most 3/2 times the larger of (1/T) Σ ‖l̃oss^{(t)}‖ and (1/T) Σ ‖l̂oss^{(t)}‖",
            |d, ()| {
                let part = |list: &[f64]| d.mean(list.iter().map(|&x| exact(x)));
                at_most(d.average(), 1.5 * part(&d.query).max(part(&d.key)))
            },
        )
}

fn averages_of_runs() -> Setting<RunSizes, Run> {
    Setting::measuring(|s: &RunSizes, _| run(s))
        .given(
            "Algorithm 1 with η = γ from a random start on n unit inputs drawn uniformly on the sphere, 1 ≤ k ≤ n − 1",
        )
        .family(edge("runs of Algorithm 1", runs).restricted("one random start of each size"))
        .without_search()
        .step(
            "runs",
            "(1/T) Σ ‖loss^{(t)}‖ ≤ √(L_S(0)/(κT)) with κ the smallest (L_S(t) − L_S(t+1))/‖loss^{(t)}‖² of the run",
            holds(),
            |_, r| {
                let least = kappa(r);
                if least <= 0.0 {
                    return vacuous(RISES);
                }
                let bound = (r.progress[0].loss / (least * r.length() as f64)).sqrt();
                at_most(Enclosure::measured(r.average_until(r.length())), Enclosure::measured(bound))
            },
        )
        .not_evidence("Jensen's inequality with a constant read off the run")
        .except(RISES)
        .control(
            "runs-tenth",
            "(1/T) Σ ‖loss^{(t)}‖ ≤ √(L_S(0)/(κT))/10 with κ the smallest (L_S(t) − L_S(t+1))/‖loss^{(t)}‖² of the run",
            |_, r| {
                let bound = (r.progress[0].loss / (kappa(r) * r.length() as f64)).sqrt();
                at_most(Enclosure::measured(r.average_until(r.length())), Enclosure::measured(0.1 * bound))
            },
        )
}
