//! What both prints of the comparison lemma, in the main text and in the appendix, are checked by: the version with
//! inequalities, the exact slack, and the false bounds that must be refuted.

use enclosures::enclosure::exact;
use evidence::claim::{Evaluation, Setting, at_least, at_most, equal};

use super::comparison::{Process, Solution};

/// log Y_T ≤ log Y_0 + C X_0 of the version with inequalities.
pub fn bounded_with_slack(p: &Process, s: &Solution) -> Evaluation {
    at_most(s.slack_growth, exact(p.coupling) * p.x0)
        .on_scale_of("the terms before they cancel", s.slack_growth.magnitude().max(1e-300))
}

/// log Y_T = log Y_0 + X_0(1 − e^{−∫A}).
pub fn exact_growth(p: &Process, s: &Solution) -> Evaluation {
    equal(s.growth, p.x0 * -(-s.integral).exp_m1()).on_scale_of("the terms before they cancel", s.travel)
}

/// The setting with its controls n1, n3 and n4; n2 needs a start below zero, which only the appendix is asked for.
pub fn with_false_bounds(setting: Setting<Process, Solution>) -> Setting<Process, Solution> {
    setting
        .control("n1", "log Y_T ≤ log Y_0 + X_0/2", |p, s| {
            at_most(s.growth, exact(p.x0) / 2.0)
        })
        .control("n3", "coupling dropped: Y' = A Y", |p, s| {
            at_most(s.uncoupled, exact(p.x0))
        })
        .control("n4", "log Y_T ≥ log Y_0 + X_0", |p, s| {
            at_least(s.growth, exact(p.x0))
        })
}
