//! `replay`: a stored witness, judged again from its digits.

use enclosures::enclosure::{Enclosure, Grade};
use evidence::budget::Budget;
use evidence::claim::Comparison;
use evidence::judge::Judgement;
use evidence::run::{Context, Sides, Silent, Witness, WitnessStore};
use evidence::verdict::Outcome;

use super::arguments::Replay;
use super::console::say;
use super::select::fixtures;
use super::status::{Status, Trouble};
use crate::catalogue;

/// Prints both sides with their enclosures; the status is 0 if the witness still refutes its check and says of it what is so, 1 if not.
pub fn replay(options: &Replay) -> Result<Status, Trouble> {
    let witness = Witness::load(&options.witness)?;
    let unjudgeable = |reason: String| Trouble::Unjudgeable {
        path: options.witness.clone(),
        reason,
    };
    let claims = catalogue::claims();
    let claim = claims
        .iter()
        .find(|c| c.id() == witness.claim)
        .ok_or_else(|| unjudgeable(format!("the catalogue has no claim {:?}", witness.claim)))?;
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let context = Context {
        seed: options.seed,
        budget: Budget::Standard,
        fixtures: &fixtures,
        witnesses: &WitnessStore::default(),
        observer: &Silent,
        claim: claim.id(),
    };
    let checks = claim.checks();
    let check = checks.iter().find(|c| c.id == witness.check);
    let check = check.ok_or_else(|| unjudgeable(format!("claim {} has no check {:?}", claim.id(), witness.check)))?;
    say!("{}  {}", claim.id(), claim.title())?;
    say!("  check     {}: {}", check.id, check.statement)?;
    let mut status = Status::AsExpected;
    if witness.statement != check.statement {
        say!("  stored    with another statement: {:?}", witness.statement)?;
        status = Status::Changed;
    }
    let second = witness.convincing.as_ref().map(|c| (&c.instance, &c.sides));
    for (instance, stored) in std::iter::once((&witness.instance, &witness.sides)).chain(second) {
        let rejudged = claim.rejudge(&witness.check, instance, &context).map_err(unjudgeable)?;
        say!("  instance  {}", rejudged.instance)?;
        let shown = match rejudged.outcome {
            Outcome::Judged { judgement, comparison } => show(judgement, &comparison, stored)?,
            other => unjudged(other, &unjudgeable)?,
        };
        if shown == Status::Changed {
            status = Status::Changed;
        }
    }
    Ok(status)
}

/// Prints both sides and the judgement; as expected if the instance still refutes, with the sides that were stored.
fn show(judgement: Judgement, comparison: &Comparison, stored: &Sides) -> Result<Status, Trouble> {
    let side = |name: &str, x: Enclosure| say!("  {name}  {x}   in [{:e}, {:e}], {}", x.lo(), x.hi(), x.grade());
    side("left    ", comparison.lhs)?;
    say!("  asked     left {} right", comparison.relation)?;
    side("right   ", comparison.rhs)?;
    side("margin  ", comparison.margin)?;
    if let Some(note) = &comparison.note {
        say!("  note      {note}")?;
    }
    say!("  judged    {}", format!("{judgement:?}").to_lowercase())?;
    // Draws and trainings differ from seed to seed; what is enclosed does not.
    let enclosed = |x: Enclosure| matches!(x.grade(), Grade::Exact | Grade::Proved);
    let agrees = stored.agrees_with(&Sides::of(comparison)) || !enclosed(comparison.lhs) || !enclosed(comparison.rhs);
    if !agrees {
        let ends = |side: [Option<f64>; 2]| {
            side.map(|end| end.map_or("unbounded".to_owned(), |x| format!("{x:e}")))
                .join(", ")
        };
        let (left, right) = (ends(stored.left), ends(stored.right));
        say!("  stored    with other sides: [{left}] {} [{right}]", stored.relation)?;
    }
    Ok(if judgement == Judgement::Violated && agrees {
        Status::AsExpected
    } else {
        Status::Changed
    })
}

/// Prints why an instance refutes nothing.
fn unjudged(outcome: Outcome, unjudgeable: &dyn Fn(String) -> Trouble) -> Result<Status, Trouble> {
    match outcome {
        Outcome::Discarded { hypothesis } => say!("  judged    outside the hypotheses: {hypothesis}")?,
        Outcome::Vacuous { reason } => say!("  judged    says nothing here: {reason}")?,
        Outcome::Failed { message } | Outcome::Panicked { message } => return Err(unjudgeable(message)),
        Outcome::Judged { .. } | Outcome::Unrepeated | Outcome::Redrawn { .. } => {}
    }
    Ok(Status::Changed)
}
