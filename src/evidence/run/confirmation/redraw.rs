//! A trend that one draw violates and the next does not: drawn again, before it leaves a statement in doubt.
//!
//! A trend is judged at a level of confidence, so that a true statement is violated by one draw in twenty or so, and a
//! catalogue with hundreds of trends would be left in doubt somewhere under almost every seed. A violation that repeats
//! refutes, as everywhere. One that does not repeat is drawn twice more: if neither violates, one draw of four did, and
//! the instance counts as met; otherwise it stays in doubt.

use super::confirm::{CONFIRMING, as_stored, stored_trial};
use crate::claim::Subject;
use crate::judge::Judgement;
use crate::run::context::Context;
use crate::run::trials::{Judging, violation};
use crate::verdict::Outcome;

/// The draws after the family's own; the first of them is the one that confirms.
const DRAWS: [&str; 3] = [CONFIRMING, "third draw", "fourth draw"];

/// What becomes of an instance that violated the check in its family's draw, and did not when it was confirmed.
pub(crate) fn unrepeated(judging: Judging<'_>, instance: &Subject, first: &Outcome, context: &Context<'_>) -> Outcome {
    if !violation(first).is_some_and(|c| c.trend) {
        return Outcome::Unrepeated;
    }
    let Some((instance, json)) = as_stored(judging, instance) else {
        return Outcome::Unrepeated;
    };
    let mut last = Outcome::Unrepeated;
    for draw in DRAWS {
        match judging.outcome(&instance, &mut stored_trial(draw, &json, context)) {
            Outcome::Judged { judgement: Judgement::Holds | Judgement::Touches, comparison } => {
                last = Outcome::Redrawn { comparison }
            }
            _ => return Outcome::Unrepeated,
        }
    }
    last
}
