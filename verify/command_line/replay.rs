//! `replay`: a stored witness, judged again from its digits.

use contrapositive::budget::Budget;
use contrapositive::judge::Judgement;
use contrapositive::run::{Context, Silent, Witness, WitnessStore};
use contrapositive::verdict::Outcome;

use super::arguments::Replay;
use super::select::fixtures;
use super::status::{Status, Trouble};
use crate::catalogue;

/// Prints both sides with their enclosures; the status is 0 if the witness still refutes its check, 1 if not.
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
        .ok_or_else(|| unjudgeable(format!("the catalogue has no claim {}", witness.claim)))?;
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let context = Context {
        seed: options.seed,
        budget: Budget::Standard,
        fixtures: &fixtures,
        witnesses: &WitnessStore::default(),
        observer: &Silent,
        claim: claim.id(),
    };
    let rejudged = claim
        .rejudge(&witness.check, &witness.instance, &context)
        .map_err(unjudgeable)?;
    println!("{}  {}", claim.id(), claim.title());
    println!("  check     {}: {}", witness.check, witness.statement);
    println!("  instance  {}", rejudged.instance);
    match rejudged.outcome {
        Outcome::Judged { judgement, comparison } => {
            let show = |name: &str, x: contrapositive::enclosure::Enclosure| {
                println!("  {name}  {x}   in [{:e}, {:e}], {}", x.lo(), x.hi(), x.grade());
            };
            show("left    ", comparison.lhs);
            println!("  asked     left {} right", comparison.relation);
            show("right   ", comparison.rhs);
            show("margin  ", comparison.margin);
            if let Some(note) = &comparison.note {
                println!("  note      {note}");
            }
            println!("  judged    {}", format!("{judgement:?}").to_lowercase());
            Ok(if judgement == Judgement::Violated {
                Status::AsExpected
            } else {
                Status::Changed
            })
        }
        Outcome::Discarded { hypothesis } => {
            println!("  judged    outside the hypotheses: {hypothesis}");
            Ok(Status::Changed)
        }
        Outcome::Vacuous { reason } => {
            println!("  judged    says nothing here: {reason}");
            Ok(Status::Changed)
        }
        Outcome::Failed { message } | Outcome::Panicked { message } => Err(unjudgeable(message)),
        Outcome::Unrepeated | Outcome::Redrawn { .. } => Ok(Status::Changed),
    }
}
