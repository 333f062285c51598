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
    println!("{}  {}", claim.id(), claim.title());
    println!("  check     {}: {}", witness.check, witness.statement);
    let second = witness.convincing.as_ref();
    let mut status = Status::AsExpected;
    for instance in std::iter::once(&witness.instance).chain(second.map(|c| &c.instance)) {
        let rejudged = claim.rejudge(&witness.check, instance, &context).map_err(unjudgeable)?;
        println!("  instance  {}", rejudged.instance);
        if show(rejudged.outcome).map_err(unjudgeable)? == Status::Changed {
            status = Status::Changed;
        }
    }
    Ok(status)
}

/// Prints what became of an instance; as expected if it still refutes.
fn show(outcome: Outcome) -> Result<Status, String> {
    match outcome {
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
        Outcome::Failed { message } | Outcome::Panicked { message } => Err(message),
        Outcome::Unrepeated | Outcome::Redrawn { .. } => Ok(Status::Changed),
    }
}
