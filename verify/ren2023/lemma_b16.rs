//! Lemma B.16: signals stay nearly orthogonal to noises, and noises to noises. With a, b the cosines of [K_A]_p,
//! [K_B]_p with a noise column n of either view: ȧ = c_{A,p}(b − ρ_pa), ḃ = c_{B,p}(a − ρ_pb) at τ = 0, so that for
//! equal norms d(a²+b²)/dt ≤ 2c_p(1−ρ_p)(a²+b²) and the root of a² + b² grows at most by √((1+ρ_p(t))/(1+ρ_p(0))).
//! Cosines between noise columns are constant at τ = 0. For τ > 0: + O(τ²).
//!
//! True at every width, the identities for unequal norms too. With equal norms (a+b)²/(1+ρ_p) and (a−b)²/(1−ρ_p) are
//! conserved (the directions of [K_A]_p ± [K_B]_p and of n do not move): the bound is attained by a = b, and in the end
//! √(a²+b²) = |a+b|/√(1+ρ_p(0)).

use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::View;

use crate::shared::hypotheses::{over_learning_states, over_orthogonal_learning_states};
use crate::shared::learning_motion::{Column, LearningMotion};
use crate::shared::learning_states::LearningState;
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, H_ORTH, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORMALISER, NORMALISER_BOTH, OUTPUTS,
    PULL_OF_STAGE_ONE, PULLS_OF_STAGE_ONE, REMAINDER, RHO, SIZES, SPEED, TANGENTIAL_REMAINDER,
};

/// What the sides are differences of.
const SUMMANDS: &str = "the largest summands of the rate";

/// One signal p and one noise column n.
struct Contact {
    name: String,
    /// cos([K_A]_p, n) and cos([K_B]_p, n).
    values: [Interval; 2],
    rates: [Interval; 2],
    /// c_{A,p} and c_{B,p}.
    on: [Interval; 2],
    pull: Interval,
    rho: Interval,
    scale: f64,
    error: Interval,
}

/// A pair of noise columns: the rate of its cosine, and a bound of what τ may add.
struct NoisePair {
    name: String,
    rate: Interval,
    scale: f64,
    error: Interval,
    across: bool,
}

struct Contacts {
    signals: Vec<Contact>,
    noises: Vec<NoisePair>,
}

fn contacts(m: &LearningMotion, tau_squared: f64) -> Contacts {
    let noise_columns = m.noise_columns();
    let contact = |p: usize, n: Column| {
        let ends = [(View::A, p), (View::B, p)];
        Contact {
            name: format!("p = {}, noise column {} of view {:?}", p + 1, n.1 + 1, n.0),
            values: ends.map(|x| m.cosine(x, n)),
            rates: ends.map(|x| m.cosine_rate(x, n)),
            on: ends.map(|x| m.pull_on(x)),
            pull: m.pull(p),
            rho: m.correlation(p),
            scale: m.pace(ends[0]) + m.pace(ends[1]) + m.pace(n),
            error: ends.map(|x| m.tangential_error(x, tau_squared)).into_iter().sum::<Interval>()
                + m.tangential_error(n, tau_squared),
        }
    };
    let pair = |x: Column, y: Column| NoisePair {
        name: format!("noise columns {} of {:?} and {} of {:?}", x.1 + 1, x.0, y.1 + 1, y.0),
        rate: m.cosine_rate(x, y),
        scale: m.pace(x) + m.pace(y),
        error: m.tangential_error(x, tau_squared) + m.tangential_error(y, tau_squared),
        across: x.0 != y.0,
    };
    let ahead = |i: usize| noise_columns[i + 1..].iter().map(move |&y| (i, y)).collect::<Vec<_>>();
    Contacts {
        signals: (0..m.signal())
            .flat_map(|p| noise_columns.iter().map(move |&n| (p, n)))
            .map(|(p, n)| contact(p, n))
            .collect(),
        noises: (0..noise_columns.len()).flat_map(ahead).map(|(i, y)| pair(noise_columns[i], y)).collect(),
    }
}

impl Contact {
    fn predicted(&self) -> [Interval; 2] {
        let [a, b] = self.values;
        [self.on[0] * (b - self.rho * a), self.on[1] * (a - self.rho * b)]
    }

    /// a² + b².
    fn size(&self) -> Interval {
        sum_of_squares(&self.values)
    }

    fn size_rate(&self) -> Interval {
        self.values.iter().zip(&self.rates).map(|(&x, &v)| 2.0 * x * v).sum()
    }

    fn grows_at_most(&self, rate: Interval) -> Evaluation {
        at_most(self.size_rate(), 2.0 * rate * self.size())
            .on_scale_of(SUMMANDS, self.scale * self.size().magnitude().max(1e-12))
    }
}

fn each(c: &Contacts, check: impl Fn(&Contact) -> Evaluation) -> Evaluation {
    all_of(c.signals.iter().map(|x| (x.name.clone(), check(x))))
}

/// Both cosines at time 0, ρ(0), and x = σ_p²θ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
struct CosinePair {
    #[instance(symbol = "(a, b)", range = "-1..=1")]
    cosines: [f64; 2],
    #[instance(range = "(-1, 1)")]
    rho: f64,
    #[instance(symbol = "σ_p²θ", range = "0..=1e3")]
    clock: f64,
}

/// √(a²+b²) at the start and at the clock, and √((1+ρ(t))/(1+ρ(0))).
fn solved(start: &CosinePair) -> [Enclosure; 3] {
    let [a, b] = start.cosines.map(exact);
    let rho = exact(start.rho);
    let decay = (exact(-2.0) * start.clock).exp();
    // (1 + ρ(t))/(1 + ρ(0)), and (1 − ρ(t))/(1 − ρ(0)) is the same times the decay.
    let common = 2.0 / ((1.0 + rho) + (1.0 - rho) * decay);
    let after = ((a + b).square() * common + (a - b).square() * common * decay) / 2.0;
    [(a.square() + b.square()).sqrt(), after.sqrt(), common.sqrt()]
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b16", "orthogonality of signals and noises", Kind::Dynamics)
        .statement(
            "a, b = cosines of [K_A]_p, [K_B]_p with a noise column: ȧ = c_{A,p}(b−ρ_pa), ḃ = c_{B,p}(a−ρ_pb) at τ = \
             0, d(a²+b²)/dt ≤ 2c_p(1−ρ_p)(a²+b²) for equal norms, and noise–noise cosines are constant; for τ > 0 + \
             O(τ²)",
        )
        .reconstructed("the displayed rates")
        .source("Lemma B.16", &["Section B.3, and its use in (16)"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES,
            AGREEMENT, RHO, SPEED,
        ])
        .symbol("ȧ", MOTION)
        .symbols([PULL_OF_STAGE_ONE, PULLS_OF_STAGE_ONE, TANGENTIAL_REMAINDER, REMAINDER])
        .symbol("a", "cos([K_A]_p, n), b = cos([K_B]_p, n), n any noise column of either view")
        .remark(
            "True at every width. For equal norms (a+b)²/(1+ρ_p) and (a−b)²/(1−ρ_p) are conserved at τ = 0, so that \
             √(a²+b²) tends to |a+b|/√(1+ρ_p(0)), and a = b attains the bound. The remainder is at most the sum of \
             tangential remainders of Corollary B.8.",
        )
        .setting(printed())
        .setting(rate())
        .setting(warm())
        .setting(growth())
}

fn printed() -> Setting<LearningState, Contacts> {
    over_learning_states(Setting::measuring(|s: &LearningState, _| Ok(contacts(&LearningMotion::cold(s)?, 0.0))))
        .given("τ = 0, whatever the τ² of the instance")
        .assume(Hypothesis::new("q ≥ 1", |s| s.latents() > s.signal))
        .without_search()
        .part(
            "printed",
            "ȧ = c_{A,p}(b−ρ_pa), ḃ = c_{B,p}(a−ρ_pb) at τ = 0, c_{A,p} = c_Kσ_p²‖[K_B]_p‖/(‖[K_A]_p‖N_AN_B), also for \
             unequal norms",
            holds(),
            |_, c| {
                each(c, |x| {
                    let sides = x.rates.into_iter().zip(x.predicted()).zip(["a", "b"]);
                    all_of(sides.map(|((left, right), name)| (name, equal(left, right).on_scale_of(SUMMANDS, x.scale))))
                })
            },
        )
        .checked("ren2023.ColdFlow.lemma_b16_printed")
        .part("noises", "noise–noise cosines, within a view and across, are constant at τ = 0", holds(), |_, c| {
            all_of(c.noises.iter().map(|n| (n.name.clone(), equal(n.rate, 0).on_scale_of(SUMMANDS, n.scale))))
        })
        .checked("ren2023.ColdFlow.lemma_b16_noises")
        .tested_by("n2")
        .control("factor", "the equations with one per cent more", |_, c| {
            each(c, |x| {
                let sides = x.rates.into_iter().zip(x.predicted());
                all_of(sides.map(|(left, right)| ("a or b", equal(left, 1.01 * right).on_scale_of(SUMMANDS, x.scale))))
            })
        })
        .control("unequal", "the rate 2c_p(1−ρ_p) also for unequal norms", |_, c| {
            each(c, |x| x.grows_at_most(x.pull * (1.0 - x.rho)))
        })
}

fn rate() -> Setting<LearningState, Contacts> {
    over_learning_states(Setting::measuring(|s: &LearningState, _| Ok(contacts(&LearningMotion::equalised(s)?, 0.0))))
        .given("τ = 0; every column of view B has been given the norm of its partner in view A")
        .assume(Hypothesis::new("q ≥ 1", |s| s.latents() > s.signal))
        .without_search()
        .part("rate", "d(a²+b²)/dt ≤ 2c_p(1−ρ_p)(a²+b²) at τ = 0 for equal norms", holds(), |_, c| {
            each(c, |x| x.grows_at_most(x.pull * (1.0 - x.rho)))
        })
        .checked("ren2023.ColdFlow.lemma_b16_rate")
        .step(
            "s2",
            "at τ = 0 for equal norms d(a ± b)/dt = (±c_p − c_pρ_p)(a ± b): the eigenvalues of the 2×2 system",
            holds(),
            |_, c| {
                each(c, |x| {
                    all_of([1.0, -1.0].map(|sign| {
                        let (y, rate) = (x.values[0] + sign * x.values[1], x.rates[0] + sign * x.rates[1]);
                        (
                            format!("sign {sign}"),
                            equal(rate, x.pull * (sign - x.rho) * y).on_scale_of(SUMMANDS, x.scale),
                        )
                    }))
                })
            },
        )
        .checked("ren2023.ColdFlow.lemma_b16_s2")
        .sharpening(
            "conserved",
            "for equal norms and |ρ_p| < 1, (a+b)²/(1+ρ_p) and (a−b)²/(1−ρ_p) are conserved at τ = 0",
            holds(),
            |_, c| {
                each(c, |x| {
                    all_of([1.0, -1.0].map(|sign| {
                        // Times (1 + ερ)/y²: 2ẏ/y = ερ̇/(1 + ερ), with dρ/dt = 2c(1−ρ²).
                        let (y, rate) = (x.values[0] + sign * x.values[1], x.rates[0] + sign * x.rates[1]);
                        let share = 1.0 + sign * x.rho;
                        let moved = 2.0 * y * rate * share - y.square() * sign * 2.0 * x.pull * (1.0 - x.rho.square());
                        (format!("sign {sign}"), equal(moved, 0).on_scale_of(SUMMANDS, 4.0 * x.scale))
                    }))
                })
            },
        )
        .checked("ren2023.ColdFlow.lemma_b16_conserved")
        .tested_by("undivided")
        .control("undivided", "for equal norms (a+b)² and (a−b)² themselves are conserved at τ = 0", |_, c| {
            each(c, |x| {
                all_of([1.0, -1.0].map(|sign| {
                    let (y, rate) = (x.values[0] + sign * x.values[1], x.rates[0] + sign * x.rates[1]);
                    (format!("sign {sign}"), equal(2.0 * y * rate, 0).on_scale_of(SUMMANDS, 4.0 * x.scale))
                }))
            })
        })
        .control("n1", "a² + b² never increases", |_, c| each(c, |x| at_most(x.size_rate(), 0)))
        .control("slower", "the rate two per cent smaller", |_, c| {
            each(c, |x| x.grows_at_most(0.98 * x.pull * (1.0 - x.rho)))
        })
}

fn warm() -> Setting<LearningState, Contacts> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| {
        Ok(contacts(&LearningMotion::warm(s)?, s.tau_squared))
    }))
    .assume(Hypothesis::new("q ≥ 1", |s| s.latents() > s.signal))
    .without_search()
    .part(
        "warm",
        "at every temperature |ȧ − c_{A,p}(b−ρ_pa)| and |ḃ − c_{B,p}(a−ρ_pb)| are at most the sum of t over [K_A]_p, \
         [K_B]_p and n, and the rate of a noise–noise cosine at most the sum of t over its two columns",
        holds(),
        |_, c| {
            let signals = c.signals.iter().flat_map(|x| {
                let sides = x.rates.into_iter().zip(x.predicted());
                sides
                    .map(|(left, right)| {
                        (x.name.clone(), at_most((left - right).abs(), x.error).on_scale_of(SUMMANDS, x.scale))
                    })
                    .collect::<Vec<_>>()
            });
            let noises = c
                .noises
                .iter()
                .map(|n| (n.name.clone(), at_most(n.rate.abs(), n.error).on_scale_of(SUMMANDS, n.scale)));
            all_of(signals.chain(noises))
        },
    )
    .our_constant("the explicit multiple: the words name an order only")
    .control("n2", "noise–noise cosines across views are constant at every temperature", |_, c| {
        let across = c.noises.iter().filter(|n| n.across);
        all_of(across.map(|n| (n.name.clone(), equal(n.rate, 0).on_scale_of(SUMMANDS, n.scale))))
    })
}

fn growth() -> Setting<CosinePair, [Enclosure; 3]> {
    Setting::measuring(|s: &CosinePair, _| Ok(solved(s)))
        .given(
            "H-orth; one signal and one noise column of the flow with equal norms in both views, N_A = N_B; τ = 0; dθ \
             = (2c_K/N²)dt; a and b by (a+b)²/(1+ρ_p) and (a−b)²/(1−ρ_p) conserved, artanh ρ_p = artanh ρ_p(0) + \
             σ_p²θ, −1 < ρ_p(0) < 1",
        )
        .assume(Hypothesis::new("a or b is not zero", |s| s.cosines != [0.0, 0.0]))
        .family(outside("a noise column at right angles", || {
            let start = CosinePair { cosines: [0.0, 0.0], rho: 0.5, clock: 1.0 };
            vec![("a = b = 0", start)]
        }))
        .family(edge("named starts", || {
            let of = |cosines, rho, clock| CosinePair { cosines, rho, clock };
            vec![
                ("a = b, ρ = 0", of([0.01, 0.01], 0.0, 1.0)),
                ("a = b, ρ = 0, late", of([0.01, 0.01], 0.0, 50.0)),
                ("a = −b", of([0.01, -0.01], 0.0, 1.0)),
                ("a alone, ρ = −0.9", of([0.1, 0.0], -0.9, 3.0)),
                ("ρ = 0.9", of([0.1, 0.05], 0.9, 0.5)),
                ("at the start", of([0.1, 0.05], 0.5, 0.0)),
            ]
        }))
        .family(random("random starts", || {
            (-0.5..0.5f64, -0.5..0.5f64, -0.99..0.99f64, 0.0..6.0f64).prop_map(|(a, b, rho, clock)| CosinePair {
                cosines: [a, b],
                rho,
                clock,
            })
        }))
        .part(
            "growth",
            "√(a²+b²) at t is at most √((1+ρ_p(t))/(1+ρ_p(0))) ≤ √(2/(1+ρ_p(0))) times what it is at 0, at τ = 0",
            holds(),
            |s, [before, after, factor]| {
                let limit = (2.0 / (1.0 + exact(s.rho))).sqrt();
                all_of([("growth", at_most(*after, *before * *factor)), ("limit", at_most(*factor, limit))])
            },
        )
        .control("tighter", "√(a²+b²) grows at most by √(1.9/(1+ρ_p(0)))", |s, [before, after, _]| {
            at_most(*after, *before * (1.9 / (1.0 + exact(s.rho))).sqrt())
        })
}
