//! `replay`: stored witnesses, judged again from their digits.

use std::path::Path;

use enclosures::enclosure::{Enclosure, Grade};
use evidence::budget::Budget;
use evidence::claim::{Claim, Comparison, Fixtures};
use evidence::judge::Judgement;
use evidence::run::{Context, Sides, Silent, Witness, WitnessStore};
use evidence::verdict::Outcome;

use super::arguments::Replay;
use super::catalogue::Catalogue;
use super::console::say;
use super::select::closest;
use super::status::{Status, Trouble};

/// Prints both sides of each witness with their enclosures; the status is 0 if every one still refutes its check and says of it what is
/// so, 1 if not.
pub fn replay(catalogue: &Catalogue, options: &Replay) -> Result<Status, Trouble> {
    let claims = catalogue.claims();
    if options.witness.exists() {
        let witness = Witness::load(&options.witness)?;
        let id = witness.claim.clone();
        let claim = claims.iter().find(|c| c.id() == id);
        let claim = claim.ok_or_else(|| Trouble::Unjudgeable {
            path: options.witness.clone(),
            reason: format!("the catalogue has no claim {id:?}"),
        })?;
        let fixtures = catalogue.fixtures(options.fixtures.as_ref())?;
        return again(claim, &witness, &options.witness, &fixtures, options.seed);
    }
    let fixtures = catalogue.fixtures(options.fixtures.as_ref())?;
    let store = WitnessStore::load(&fixtures.path("witnesses"))?;
    let (claim, witnesses) = named(catalogue, &store, &options.witness.to_string_lossy())?;
    let mut status = Status::AsExpected;
    for (at, witness) in witnesses.into_iter().enumerate() {
        if at > 0 {
            say!("")?;
        }
        let path = fixtures.path("witnesses").join(witness.file_name());
        if again(claim, witness, &path, &fixtures, options.seed)? == Status::Changed {
            status = Status::Changed;
        }
    }
    Ok(status)
}

/// The stored witnesses of a claim, those that make its headline first; or the one of a check, named behind the claim and a dot.
fn named<'a>(
    catalogue: &'a Catalogue,
    store: &'a WitnessStore,
    name: &str,
) -> Result<(&'a Claim, Vec<&'a Witness>), Trouble> {
    let claims = catalogue.claims();
    let owners = claims.iter().filter(|c| {
        let rest = name.strip_prefix(c.id());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    // A name may continue another one behind a dot ("lemma-4.3"): the longest is meant.
    let claim = owners.max_by_key(|c| c.id().len());
    let claim = claim.ok_or_else(|| Trouble::NoWitness {
        name: name.to_owned(),
        hint: closest(name, claims.iter().map(Claim::id)),
    })?;
    let check = name[claim.id().len()..].strip_prefix('.');
    let expected = claim.expected();
    let decisive: Vec<&str> = expected.decisive().collect();
    let mut checks = claim.checks();
    checks.sort_by_key(|c| !decisive.contains(&c.id));
    let witnesses: Vec<&Witness> = checks
        .iter()
        .filter(|c| check.is_none_or(|wanted| wanted == c.id))
        .filter_map(|c| store.get(claim.id(), c.id))
        .collect();
    if witnesses.is_empty() {
        let stored: Vec<String> = checks
            .iter()
            .filter(|c| store.get(claim.id(), c.id).is_some())
            .map(|c| format!("{}.{}", claim.id(), c.id))
            .collect();
        return Err(Trouble::NoWitness {
            name: name.to_owned(),
            hint: match stored.as_slice() {
                [] => format!(
                    "\nhint: nothing of {} is refuted; `{} explain {}`",
                    claim.id(),
                    catalogue.name(),
                    claim.id()
                ),
                some => format!("\nhint: there are {}", some.join(", ")),
            },
        });
    }
    Ok((claim, witnesses))
}

/// Judges one stored witness again.
fn again(claim: &Claim, witness: &Witness, path: &Path, fixtures: &Fixtures, seed: u64) -> Result<Status, Trouble> {
    let unjudgeable = |reason: String| Trouble::Unjudgeable {
        path: path.to_owned(),
        reason,
    };
    let context = Context {
        seed,
        budget: Budget::Standard,
        fixtures,
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
