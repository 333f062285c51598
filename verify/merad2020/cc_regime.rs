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

use enclosures::probability::{coverage_probability, probabilities_of};
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::class_weights::{Draws, drawn, named_draws};
use crate::shared::families::log_uniform;
use crate::shared::notation::{CLASS_COUNT, COVERAGE, LOGARITHM, RHO};

const NO_SPREAD: Hypothesis<Regime> = Hypothesis::new("r = 0", |r| r.spread == 0.0);
const EFFECTIVE: Hypothesis<Regime> = Hypothesis::new("κ(1 − r) > 1", |r| r.effective().lo() > 1.0);

/// A number of classes, the constant κ of N = ⌈κ N_C log N_C⌉ and the spread r: every second class has probability
/// (1 − r)/N_C, the others (1 + r)/N_C; with an odd number of classes all are a little larger, so as to add up to one.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, simpler = Self::of_fewer_classes, stored)]
struct Regime {
    #[instance(range = "2..=300")]
    classes: usize,
    #[instance(range = "0.01..=8")]
    kappa: f64,
    #[instance(range = "0..1")]
    spread: f64,
}

impl Regime {
    fn in_words(&self) -> String {
        let Regime { classes, kappa, spread } = self;
        format!("N_C = {classes}, κ = {kappa}, N = {}, r = {spread}", self.draws())
    }

    fn of_fewer_classes(&self) -> Vec<Self> {
        let fewer = [2, self.classes / 2, self.classes - 1];
        let fewer = fewer.into_iter().filter(|n| (2..self.classes).contains(n));
        fewer.map(|classes| Regime { classes, ..*self }).collect()
    }
}

impl Regime {
    fn covered(&self, draws: usize) -> Result<Enclosure, MeasureError> {
        let weight = |c: usize| {
            if c.is_multiple_of(2) { 1.0 - self.spread } else { 1.0 + self.spread }
        };
        let rho = probabilities_of(&(0..self.classes).map(weight).collect::<Vec<_>>())?;
        Ok(coverage_probability(&rho, draws as u64)?.into())
    }

    /// ⌈κ N_C log N_C⌉.
    fn draws(&self) -> usize {
        let n = Enclosure::from(self.classes);
        (self.kappa * n * n.ln()).hi().ceil() as usize
    }

    /// κ(1 − r), which decides.
    fn effective(&self) -> Enclosure {
        self.kappa * (1.0 - exact(self.spread))
    }

    /// 1 − N_C^{1−rate}.
    fn all_but_a_power(&self, rate: Enclosure) -> Enclosure {
        -((1.0 - rate) * Enclosure::from(self.classes).ln()).exp_m1()
    }
}

/// The level below which a probability is not "reasonably high".
const LOW: f64 = 0.01;

fn regimes() -> Vec<(String, Regime)> {
    let sizes = [2, 3, 10, 26, 260];
    let constants = [0.25, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 4.0];
    let spreads = [0.0, 0.1, 0.25, 0.5, 0.9];
    let pairs = constants.into_iter().flat_map(|kappa| spreads.map(|spread| (kappa, spread)));
    let all = pairs.flat_map(|(kappa, spread)| sizes.map(|classes| Regime { classes, kappa, spread }));
    described(all)
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
    Claim::new("merad2020.cc-regime", "when the coverage probability is reasonably high", Kind::Asymptotic)
        .statement("if ρ is sufficiently close to uniform and N = Ω(N_C log N_C), then p_cc(N) is reasonably high")
        .symbols([CLASS_COUNT, RHO, COVERAGE, LOGARITHM])
        .source("section 3.1, after the display on the tail of T_cc", &[])
        .sense("every-constant", "p_cc(N) ≥ 1/100 for uniform ρ, N = ⌈κ N_C log N_C⌉ and every κ > 0")
        .sense("some-constant", "p_cc(N) ≥ 1 − N_C^{−1/2} for N = ⌈κ N_C log N_C⌉, κ ≥ 2 and r ≤ 1/4")
        .remark(
            "Neither Ω nor \"sufficiently close\" is quantified. For every constant in Ω, as the word says, it is \
             false; for some constant, the charitable sense, it is not. What is true for all sizes is the pair of \
             bounds of the amendments, and what the lower one gives where every ρ(c) ≥ (1 − r)/N_C.",
        )
        .remark(
            "Proof of the upper bound: P(c_1, …, c_j drawn) = P(c_1, …, c_{j−1} drawn)·P(c_j drawn | those drawn), and \
             the last factor is at most P(c_j drawn), because given that c_j is never drawn the N draws are \
             independent from ρ(c)/(1 − ρ(c_j)) ≥ ρ(c) and show the others at least as often. With 1 − x ≤ e^{−x} it \
             gives `vanishes`: (1 − 1/N_C)^N is at least of the order of N_C^{−κ}, so that the exponent is of the \
             order of N_C^{1−κ}.",
        )
        .setting(every_constant())
        .setting(bounds())
}

fn every_constant() -> Setting<Regime, (Enclosure, Enclosure)> {
    Setting::measuring(|r: &Regime, _| Ok((r.covered(r.draws())?, r.covered(2 * r.classes)?)))
        .given("N_C ≥ 2, κ > 0, 0 ≤ r < 1 and N = ⌈κ N_C log N_C⌉")
        .given("ρ is proportional to 1 − r on the classes 1, 3, 5, … and to 1 + r on 2, 4, 6, …")
        .family(edge("registered", regimes))
        .family(
            random("any constant", || {
                (2usize..=60, log_uniform(0.2, 4.0), 0.0..0.95f64).prop_map(|(classes, kappa, spread)| Regime {
                    classes,
                    kappa,
                    spread,
                })
            })
            .taking(0.5),
        )
        .without_search()
        .degenerate("N < N_C: the draws cannot show every class", |r| r.draws() < r.classes)
        .part(
            "every-constant",
            "p_cc(N) ≥ 1/100 for uniform ρ, N = ⌈κ N_C log N_C⌉ and every κ > 0",
            fails("for κ < 1 about N_C^{1−κ} classes are missed and p_cc tends to 0"),
            |_, (covered, _)| at_least(*covered, exact(LOW)),
        )
        .checked("merad2020.UnionBound.cc_regime_every_constant_refuted")
        .in_sense("every-constant")
        .sides("p_cc(N)", "1/100")
        .assume(NO_SPREAD)
        .our_constant("the level 1/100 for \"reasonably high\"; no other would do, as `vanishes` shows")
        .part("some-constant", "p_cc(N) ≥ 1 − N_C^{−1/2}", holds(), |r, (covered, _)| {
            at_least(*covered, r.all_but_a_power(exact(1.5)))
        })
        .in_sense("some-constant")
        .assume(Hypothesis::new("κ ≥ 2", |r| r.kappa >= 2.0))
        .assume(Hypothesis::new("r ≤ 1/4", |r| r.spread <= 0.25))
        .our_constant("the constant 2 of Ω, the distance 1/4 from uniform, and 1 − N_C^{−1/2} for \"reasonably high\"")
        .ours(
            "every-spread",
            "p_cc(N) ≥ 1 − N_C^{1−κ} for κ > 1 and every r < 1",
            fails("the classes of probability (1 − r)/N_C are missed unless κ(1 − r) > 1"),
            |r, (covered, _)| at_least(*covered, r.all_but_a_power(exact(r.kappa))),
        )
        .sides("p_cc(N)", "1 − N_C^{1−κ}")
        .assume(Hypothesis::new("κ > 1", |r| r.kappa > 1.0))
        .because("\"sufficiently close to uniform\" does not grant every fixed distance")
        .amendment(
            "explicit",
            "p_cc(N) ≥ 1 − N_C^{1−κ(1−r)}, which tends to 1 as N_C → ∞, for κ(1 − r) > 1",
            holds(),
            |r, (covered, _)| at_least(*covered, r.all_but_a_power(r.effective())).on_scale_of("1", 1.0),
        )
        .checked_in_part("merad2020.UnionBound.cc_regime_explicit")
        .assume(EFFECTIVE)
        .amendment(
            "vanishes",
            "for uniform ρ, p_cc(N) ≤ exp(−N_C (1 − 1/N_C)^N), which tends to 0 as N_C → ∞ for every κ < 1",
            holds(),
            |r, (covered, _)| {
                let n = Enclosure::from(r.classes);
                let missed = n * (r.draws() as f64 * (-1.0 / n).ln_1p()).exp();
                at_most(*covered, (-missed).exp())
            },
        )
        .checked_in_part("merad2020.UnionBound.cc_regime_vanishes")
        .assume(NO_SPREAD)
        .control("a", "N = 2N_C is enough: p_cc(2N_C) ≥ 1/100", |_, (_, linear)| at_least(*linear, exact(LOW)))
        .control("d", "p_cc(N) ≥ 1 − N_C^{1−1.1·κ(1−r)} for κ(1 − r) > 1", |r, (covered, _)| {
            at_least(*covered, r.all_but_a_power(1.1 * r.effective()))
        })
        .assume(EFFECTIVE)
        .control("e", "for uniform ρ, p_cc(N) ≤ exp(−2N_C (1 − 1/N_C)^N)", |r, (covered, _)| {
            let n = Enclosure::from(r.classes);
            let missed = n * (r.draws() as f64 * (-1.0 / n).ln_1p()).exp();
            at_most(*covered, (-2.0 * missed).exp())
        })
        .assume(NO_SPREAD)
}

fn bounds() -> Setting<Draws, (Enclosure, Vec<Enclosure>)> {
    Setting::measuring(|i: &Draws, _| {
        let rho: Vec<_> = i.classes.probabilities().iter().map(|p| p.interval()).collect();
        Ok((Enclosure::from(coverage_probability(&rho, i.draws)?), missed(i)))
    })
    .given("ρ(c) > 0 for every class, Σ ρ = 1, and N ≥ 1")
    .family(edge("experiments", experiments))
    .family(edge("named", || named_draws(&[1, 2, 3, 5, 10], &[1, 2, 3, 5, 10, 25, 100, 1000])))
    .family(random("drawn weights", || (drawn(10), 1u64..=200).prop_map(|(classes, draws)| Draws { draws, classes })))
    .amendment(
        "bounds",
        "1 − Σ_c (1 − ρ(c))^N ≤ p_cc(N) ≤ Π_c (1 − (1 − ρ(c))^N)",
        holds(),
        |_, (covered, missed)| {
            let sum: Enclosure = missed.iter().copied().sum();
            let product = missed.iter().fold(Enclosure::ONE, |product, &m| product * (1.0 - m));
            // Both sides are differences from one.
            all_of([
                ("lower", at_least(*covered, 1.0 - sum).on_scale_of("1", 1.0)),
                ("upper", at_most(*covered, product).on_scale_of("1", 1.0)),
            ])
            .noting(format!("p_cc = {covered:.6}"))
        },
    )
    .checked("merad2020.UnionBound.cc_regime_bounds")
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
    })
}
