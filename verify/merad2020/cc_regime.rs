//! Section 3.1, after the Chebyshev display: N = Ω(N_C log N_C) draws make the coverage probability "reasonably high".
//!
//! It depends on the constant. For N = κ N_C log N_C and uniform ρ about N_C^{1−κ} classes are missed: with κ < 1 their
//! number grows and p_cc falls faster than any power of N_C; with κ = 1 it tends to 1/e; with κ > 1 it tends to 1. If ρ
//! is within a factor 1 ± r of uniform, the limit 1 needs κ(1 − r) > 1, not κ > 1. All this follows from
//!
//!   1 − Σ_c (1 − ρ(c))^N ≤ p_cc(N) ≤ Π_c (1 − (1 − ρ(c))^N).
//!
//! Left: union bound. Right: to know that class c is never drawn makes every other class more likely in each draw, so
//! that the events "class c is drawn" are pairwise and successively negatively correlated.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, all_of, at_least, at_most, consistent, edge, fails, greater_than,
    holds, random, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::probability::{coverage_probability, probabilities_of};
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::class_weights::{Draws, drawn, named_draws};
use super::families::log_uniform;

/// The constant κ of N = ⌈κ N_C log N_C⌉ and the spread r: every second class has probability (1 − r)/N_C, the others
/// (1 + r)/N_C.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Regime {
    kappa: f64,
    spread: f64,
}

impl Instance for Regime {
    fn describe(&self) -> String {
        format!("κ = {}, r = {}", self.kappa, self.spread)
    }

    fn validate(&self) -> Result<(), String> {
        if (0.01..=8.0).contains(&self.kappa) && (0.0..1.0).contains(&self.spread) {
            Ok(())
        } else {
            Err(format!(
                "κ = {}, r = {}: 0.01 ≤ κ ≤ 8 and 0 ≤ r < 1 are expected",
                self.kappa, self.spread
            ))
        }
    }
}

/// The two sizes that are compared, a decade apart.
const SIZES: [usize; 2] = [26, 260];

struct Coverage {
    /// p_cc(⌈κ N_C log N_C⌉) at the two sizes.
    covered: [Enclosure; 2],
    /// p_cc(2 N_C).
    linear: [Enclosure; 2],
}

impl Regime {
    fn covered(&self, classes: usize, draws: usize) -> Result<Enclosure, MeasureError> {
        let weight = |c: usize| {
            if c.is_multiple_of(2) {
                1.0 - self.spread
            } else {
                1.0 + self.spread
            }
        };
        let rho = probabilities_of(&(0..classes).map(weight).collect::<Vec<_>>())?;
        Ok(coverage_probability(&rho, draws as u64)?.into())
    }

    fn draws(&self, classes: usize) -> usize {
        let n = Enclosure::from(classes);
        (self.kappa * n * n.ln()).hi().ceil() as usize
    }

    fn coverage(&self) -> Result<Coverage, MeasureError> {
        let [small, large] = SIZES;
        Ok(Coverage {
            covered: [
                self.covered(small, self.draws(small))?,
                self.covered(large, self.draws(large))?,
            ],
            linear: [self.covered(small, 2 * small)?, self.covered(large, 2 * large)?],
        })
    }

    /// κ(1 − r), which decides.
    fn effective(&self) -> f64 {
        self.kappa * (1.0 - self.spread)
    }
}

/// "Bounded below": positive, and not ten times smaller with ten times as many classes.
fn stays_up(covered: &[Enclosure; 2]) -> Evaluation {
    let [small, large] = *covered;
    all_of([
        ("positive", greater_than(small, 0.0)),
        ("a decade further", at_least(large, small / 10.0)),
    ])
    .as_trend()
}

/// "Tends to one": 1 − p_cc loses a twentieth at least with ten times as many classes.
fn tends_to_one(covered: &[Enclosure; 2]) -> Evaluation {
    let [small, large] = *covered;
    at_most(1.0 - large, 0.95 * (1.0 - small))
        .as_trend()
        .noting(format!("p_cc = {small:.3} and {large:.3}"))
}

fn regimes() -> Vec<(String, Regime)> {
    let constants = [0.25, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 4.0];
    let spreads = [0.0, 0.1, 0.3, 0.5, 0.9];
    let all = constants
        .into_iter()
        .flat_map(|kappa| spreads.map(|spread| Regime { kappa, spread }));
    all.map(|r| (r.describe(), r)).collect()
}

/// The sizes of the paper's experiments, with what is known of them.
fn experiments() -> Vec<(String, Draws)> {
    let of = |draws| named_draws(&[10], &[draws]).into_iter().take(1);
    [15, 25, 35].into_iter().flat_map(of).collect()
}

/// (1 − ρ(c))^N for every class.
fn missed(i: &Draws) -> Vec<Enclosure> {
    let power = |p: Enclosure| (i.draws as f64 * (-p).ln_1p()).exp();
    i.classes.probabilities().into_iter().map(power).collect()
}

pub fn claim() -> Claim {
    Claim::new(
        "merad2020.cc-regime",
        "when the coverage probability is reasonably high",
        Kind::Asymptotic,
    )
    .statement("if ρ is sufficiently close to uniform and N = Ω(N_C log N_C), then p_cc(N) is reasonably high")
    .source("section 3.1, after the display on the tail of T_cc", &[])
    .remark(
        "Neither Ω nor \"sufficiently close\" is quantified. For every constant in Ω, as the word says, it is false; for \
         some constant, the charitable sense, it is not. What is true for all sizes is the pair of bounds of the amendments, and what the lower one gives where every \
         ρ(c) ≥ (1 − r)/N_C.",
    )
    .remark(
        "Proof of the upper bound: P(c_1, …, c_j drawn) = P(c_1, …, c_{j−1} drawn)·P(c_j drawn | those drawn), and the \
         last factor is at most P(c_j drawn), because given that c_j is never drawn the N draws are independent from \
         ρ(c)/(1 − ρ(c_j)) ≥ ρ(c) and show the others at least as often. With 1 − x ≤ e^{−x} it gives `vanishes`: (1 − \
         1/N_C)^N is at least of the order of N_C^{−κ}, so that the exponent is of the order of N_C^{1−κ}.",
    )
    .setting(
        Setting::measuring(|r: &Regime, _| r.coverage())
            .assume("κ > 0, 0 ≤ r < 1", |r| {
                r.kappa > 0.0 && (0.0..1.0).contains(&r.spread)
            })
            .family(edge("registered", regimes))
            .family(
                random("any constant", || {
                    (log_uniform(0.2, 4.0), 0.0..0.95f64).prop_map(|(kappa, spread)| Regime { kappa, spread })
                })
                .taking(0.1),
            )
            .without_search()
            .sense(
                "every-constant",
                "for every κ > 0 and uniform ρ, p_cc stays bounded below",
                fails("for κ < 1 about N_C^{1−κ} classes are missed and p_cc tends to 0"),
                |_, c| stays_up(&c.covered),
            )
            .when("r = 0", |r| r.spread == 0.0)
            .sense(
                "some-constant",
                "for some constant: for κ ≥ 1 and uniform ρ, p_cc stays bounded below",
                consistent(),
                |_, c| stays_up(&c.covered),
            )
            .when("r = 0 and κ ≥ 1", |r| r.spread == 0.0 && r.kappa >= 1.0)
            .because("Ω grants some constant; that it is 1, and what \"reasonably high\" means, is ours")
            .ours(
                "above-one",
                "for κ > 1 and uniform ρ, p_cc → 1",
                consistent(),
                |_, c| tends_to_one(&c.covered),
            )
            .when("r = 0 and κ ≥ 1.1", |r| r.spread == 0.0 && r.kappa >= 1.1)
            .because("\"reasonably high\" does not say that the limit is 1")
            .ours(
                "every-spread",
                "for κ > 1 and ρ within 1 ± r of uniform, any fixed r < 1, p_cc → 1",
                fails("the classes of probability (1 − r)/N_C are missed unless κ(1 − r) > 1"),
                |_, c| tends_to_one(&c.covered),
            )
            .when("κ ≥ 1.1", |r| r.kappa >= 1.1)
            .because("\"sufficiently close to uniform\" does not grant every fixed distance")
            .amendment(
                "close-enough",
                "for κ(1 − r) > 1, p_cc → 1",
                consistent(),
                |_, c| tends_to_one(&c.covered),
            )
            .when("κ(1 − r) ≥ 1.1", |r| r.effective() >= 1.1)
            .amendment(
                "bounded",
                "for κ(1 − r) ≥ 1, p_cc stays bounded below",
                consistent(),
                |_, c| stays_up(&c.covered),
            )
            .when("κ(1 − r) ≥ 1", |r| r.effective() >= 1.0)
            .amendment(
                "explicit",
                "p_cc(N) ≥ 1 − N_C^{1−κ(1−r)} for N ≥ κ N_C log N_C and every ρ(c) ≥ (1 − r)/N_C",
                holds(),
                |r, c| {
                    let rate = 1.0 - r.kappa * (1.0 - Enclosure::from(r.spread));
                    let at = |(classes, covered): (usize, Enclosure)| {
                        let bound = -(rate * Enclosure::from(classes).ln()).exp_m1();
                        if bound.hi() <= 0.0 {
                            return ("small", vacuous("κ(1 − r) ≤ 1"));
                        }
                        ("bound", at_least(covered, bound).on_scale(1.0))
                    };
                    all_of(SIZES.into_iter().zip(c.covered).map(at))
                },
            )
            .amendment(
                "vanishes",
                "for uniform ρ, p_cc(N) ≤ exp(−N_C (1 − 1/N_C)^N), which at N = ⌈κ N_C log N_C⌉ tends to 0 for every κ \
                 < 1",
                holds(),
                |r, c| {
                    let at = |(classes, covered): (usize, Enclosure)| {
                        let n = Enclosure::from(classes);
                        let missed = n * (r.draws(classes) as f64 * (-1.0 / n).ln_1p()).exp();
                        ("bound", at_most(covered, (-missed).exp()))
                    };
                    all_of(SIZES.into_iter().zip(c.covered).map(at))
                },
            )
            .when("r = 0 and κ < 1", |r| r.spread == 0.0 && r.kappa < 1.0)
            .control("a", "N = 2N_C is enough: p_cc(2N_C) stays bounded below", |_, c| {
                stays_up(&c.linear)
            }),
    )
    .setting(
        Setting::measuring(|i: &Draws, _| {
            let rho: Vec<_> = i.classes.probabilities().iter().map(|p| p.interval()).collect();
            Ok((Enclosure::from(coverage_probability(&rho, i.draws)?), missed(i)))
        })
        .assume("ρ(c) > 0, Σ ρ = 1", |i| i.classes.weights.iter().all(|&w| w > 0.0))
        .family(edge("experiments", experiments))
        .family(edge("named", || {
            named_draws(&[1, 2, 3, 5, 10], &[1, 2, 3, 5, 10, 25, 100, 1000])
        }))
        .family(random("drawn weights", || {
            (drawn(10), 1u64..=200).prop_map(|(classes, draws)| Draws { draws, classes })
        }))
        .amendment(
            "bounds",
            "1 − Σ_c (1 − ρ(c))^N ≤ p_cc(N) ≤ Π_c (1 − (1 − ρ(c))^N)",
            holds(),
            |_, (covered, missed)| {
                let sum: Enclosure = missed.iter().copied().sum();
                let product = missed.iter().fold(Enclosure::ONE, |product, &m| product * (1.0 - m));
                // Both sides are differences from one.
                all_of([
                    ("lower", at_least(*covered, 1.0 - sum).on_scale(1.0)),
                    ("upper", at_most(*covered, product).on_scale(1.0)),
                ])
                .noting(format!("p_cc = {covered:.6}"))
            },
        )
        .control(
            "b",
            "p_cc(N) ≥ Π_c (1 − (1 − ρ(c))^N), as if the classes were drawn independently",
            |_, (covered, missed)| {
                let product = missed.iter().fold(Enclosure::ONE, |product, &m| product * (1.0 - m));
                at_least(*covered, product)
            },
        )
        .control("c", "p_cc(N) ≤ 1 − Σ_c (1 − ρ(c))^N", |_, (covered, missed)| {
            at_most(*covered, 1.0 - missed.iter().copied().sum::<Enclosure>())
        }),
    )
}
