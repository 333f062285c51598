//! Section 5 and Figure 1: the stages at one temperature throughout.
//!
//! They can be seen, as the paper says. At a constant τ² of at most r/5 the condition number first grows, while the views align, and then falls to one, and it
//! is back at its start only when all signals are aligned. That is (8): the pull on signal p is proportional to 1 −
//! tanh x_p, x_p = τ²κ_p²ρ_p/(rN_A²). While the x_p are small all pulls are about the same and strong signals grow
//! faster; once the x_p differ, weak signals are pulled more and catch up.
//!
//! At larger τ² the stages interlace: the condition number is back before the views are aligned. At much larger ones
//! it grows by less than 2 %.
//!
//! The flow is that from infinite width on the diagonal manifold, solved with error control; no bound is proved, and the grade says so.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::notation::{
    AGREEMENT, CONDITION, DATA, FEATURES, H_ORTH, KAPPA, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NOISE_RATIO, NORMALISER,
    OUTPUTS, RHO, SIZES,
};
use crate::shared::two_stages::{Summary, TwoStages, runs};

/// So many states after the start.
const STEPS: u32 = 400;

/// A run at the second of its temperatures, for both of its times.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct OneTemperature(TwoStages);

impl OneTemperature {
    fn tau_squared(&self) -> f64 {
        self.0.tau_squared[1]
    }

    fn time(&self) -> f64 {
        self.0.times.iter().sum()
    }

    fn has_unequal_strengths(&self) -> bool {
        self.0.signals.iter().any(|s| s.0 != self.0.signals[0].0)
    }

    /// τ² ≤ r times a factor.
    fn is_at_most_share(&self, factor: f64) -> bool {
        self.tau_squared() <= factor * self.0.signals.iter().map(|s| f64::from(s.1)).sum::<f64>()
    }
}

impl Instance for OneTemperature {
    fn describe(&self) -> String {
        format!("{}, τ² = {}, until t = {}", self.0.directions_in_words(), self.tau_squared(), self.time())
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }
}

/// The states of a run at one temperature.
struct CourseAtOneTemperature {
    states: Vec<Summary>,
    /// Where cond(κ²) is largest.
    peak: usize,
}

impl CourseAtOneTemperature {
    fn of(run: &OneTemperature) -> Result<Self, MeasureError> {
        let states = run.0.at_one_temperature(STEPS)?;
        let conditions = states.iter().map(|s| s.condition).enumerate();
        let (peak, _) = conditions.fold((0, 0.0), |most, now| if now.1 > most.1 { now } else { most });
        Ok(CourseAtOneTemperature { states, peak })
    }

    fn condition(&self, at: usize) -> Enclosure {
        Enclosure::measured(self.states[at].condition)
    }

    fn end(&self) -> usize {
        self.states.len() - 1
    }

    /// cond(κ²) grows by 2 % or more.
    fn grows(&self) -> Evaluation {
        at_least(self.condition(self.peak), 1.02 * self.condition(0))
    }

    /// cond(κ²) does not fall before its peak and does not rise after it.
    fn one_peak(&self) -> Evaluation {
        let step = |k: usize| {
            let (now, next) = (self.condition(k), self.condition(k + 1));
            let order = if k < self.peak { at_least(next, now) } else { at_most(next, now) };
            (format!("step {k}"), order)
        };
        all_of((0..self.end()).map(step))
    }

    /// min ρ where cond(κ²) is first back at its start, and at the end where it is not.
    fn alignment_when_back(&self) -> Enclosure {
        let back = (self.peak + 1..=self.end()).find(|&k| self.states[k].condition <= self.states[0].condition);
        Enclosure::measured(self.states[back.unwrap_or(self.end())].correlation)
    }

    fn aligned_when_back(&self) -> Evaluation {
        at_least(self.alignment_when_back(), exact(0.9))
    }

    fn stages(&self) -> Evaluation {
        all_of([
            ("cond(κ²) grows at first", self.grows()),
            ("then falls", self.one_peak()),
            ("after the alignment", self.aligned_when_back()),
            ("to balance", at_most(self.condition(self.end()), exact(1.1))),
            ("aligned at the end", self.states[self.end()].aligned()),
        ])
    }
}

/// The runs of the two stages at the second of their τ² times a factor, throughout.
fn at(factor: f64) -> Vec<(String, OneTemperature)> {
    let one = |(name, run): (String, TwoStages)| {
        let tau_squared = [factor * run.tau_squared[1]; 2];
        (format!("{name}, τ² = {}", tau_squared[0]), OneTemperature(TwoStages { tau_squared, ..run }))
    };
    runs().into_iter().map(one).collect()
}

const UNEQUAL: Hypothesis<OneTemperature> =
    Hypothesis::new("the strengths σ_p² are not all equal", OneTemperature::has_unequal_strengths);
const MODERATE: Hypothesis<OneTemperature> = Hypothesis::new("τ² ≤ r/5", |run| run.is_at_most_share(0.2));
const LONG: Hypothesis<OneTemperature> =
    Hypothesis::new("the flow is followed until t ≥ 90", |run| run.time() >= 90.0);

pub fn claim() -> Claim {
    Claim::new("ren2023.constant-temperature", "the stages at one temperature", Kind::Dynamics)
        .statement(
            "similar stage-wise behaviour can still be observed with a uniform τ: first the views align and the condition \
             number grows, then it falls to about one",
        )
        .source("Section 5, first paragraph", &["Figure 1", "Algorithm 3.1"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT, KAPPA, RHO,
            CONDITION, NOISE_RATIO,
        ])
        .symbol("the flow", MOTION)
        .reconstructed("the temperatures; that the behaviour is that of the two stages survives in words")
        .remark(
            "\"Can be observed\" is read as: there are temperatures at which it is, for all strengths tried. At large τ² the \
             condition number grows by less than 2 % (`hot`).",
        )
        .setting(courses())
}

fn courses() -> Setting<OneTemperature, CourseAtOneTemperature> {
    Setting::measuring(|run: &OneTemperature, _| CourseAtOneTemperature::of(run))
        .given(
            "H-orth; the flow of L on the diagonal manifold (K_AᵀK_A = K_BᵀK_B = diag(κ²), K_AᵀK_B = diag(κ_p²ρ_p), \
             noise columns of one norm in both views, all other products of columns 0) from infinite width, κ_p² = \
             σ_p², ρ_p = 0, squared noise norms σ_ξ², at one τ² for the whole time, at 400 equal steps of it",
        )
        .assume(LONG)
        .family(outside("a short time", || {
            let short = |(name, OneTemperature(run)): (String, OneTemperature)| {
                (name, OneTemperature(TwoStages { times: [1.0, 1.0], ..run }))
            };
            at(0.1).into_iter().take(2).map(short).collect::<Vec<_>>()
        }))
        .family(edge("the temperature of the second stage", || at(1.0)))
        .family(edge("three tenths of its τ²", || at(0.3)))
        .family(edge("a tenth of its τ²", || at(0.1)))
        .family(edge("eight times its τ²", || at(8.0)))
        .without_search()
        .part(
            "stages",
            "cond(κ²) grows by at least 2 %, without a fall before its largest value, and then falls without a rise, \
             to at most 1.1 at the end; it is back at its start only where min ρ ≥ 0.9; at the end min ρ ≥ 0.999 and \
             the noise ratio is at most 0.05",
            consistent(),
            |_, c| c.stages(),
        )
        .assume(UNEQUAL)
        .assume(MODERATE)
        .our_constant("the thresholds, and which temperatures are small enough")
        .ours(
            "hot",
            "at every τ² cond(κ²) grows by at least 2 % at first",
            fails("at large τ² strong signals are held back early"),
            |_, c| c.grows(),
        )
        .assume(UNEQUAL)
        .sides("the largest cond(κ²)", "1.02 times that of the start")
        .because("the sentence does not say at which temperatures")
        .control("interlaced", "τ² ≤ r: cond(κ²) is back at its start only where min ρ ≥ 0.9", |_, c| {
            c.aligned_when_back()
        })
        .assume(UNEQUAL)
        .assume(Hypothesis::new("τ² ≤ r", |run| run.is_at_most_share(1.0)))
        .control("a", "cond(κ²) never grows by 2 %", |_, c| at_most(c.condition(c.peak), 1.02 * c.condition(0)))
        .assume(UNEQUAL)
        .control("b", "cond(κ²) ends above 1.1", |_, c| greater_than(c.condition(c.end()), exact(1.1)))
        .control("c", "cond(κ²) is largest at the end", |_, c| at_least(c.condition(c.end()), c.condition(c.peak)))
        .assume(UNEQUAL)
}
