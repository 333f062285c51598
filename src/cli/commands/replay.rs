//! `replay`: stored witnesses, judged again from their digits.

use std::path::{Path, PathBuf};

use enclosures::enclosure::{Enclosure, Grade};
use evidence::budget::Budget;
use evidence::claim::{Claim, Comparison, Fixtures};
use evidence::judge::Judgement;
use evidence::run::{Context, Sides, Silent, Witness, WitnessStore};
use evidence::verdict::Outcome;
use serde_json::{Value, json};

use crate::catalogue::Catalogue;
use crate::outcome::status::{Status, Trouble};
use crate::terminal::console::say;
use crate::words::arguments::{Replay, TextFormat};
use crate::words::likeness::closest;

/// Version of the JSON form.
const SCHEMA: u32 = 1;

/// Prints both sides of each witness with their enclosures; the status is 0 if every one still refutes its check and says of it what is
/// so, 1 if not.
pub fn replay(catalogue: &Catalogue, options: &Replay) -> Result<Status, Trouble> {
    let claims = catalogue.claims();
    let replayed = if options.witness.exists() {
        let witness = Witness::load(&options.witness)?;
        let id = witness.claim.clone();
        let claim = claims.iter().find(|c| c.id == id);
        let claim = claim.ok_or_else(|| Trouble::Unjudgeable {
            path: options.witness.clone(),
            reason: format!("the catalogue has no claim {id:?}"),
        })?;
        let fixtures = catalogue.fixtures_to_read(options.fixtures.as_ref())?;
        vec![Replayed::of(claim, &witness, &options.witness, &fixtures, options.seed)?]
    } else {
        let fixtures = catalogue.fixtures_to_read(options.fixtures.as_ref())?;
        let store = WitnessStore::load(&fixtures.path("witnesses"))?;
        let (claim, witnesses) = named(catalogue, &store, &options.witness.to_string_lossy())?;
        let again = |witness: &Witness| {
            let path = fixtures.path("witnesses").join(witness.file_name());
            Replayed::of(claim, witness, &path, &fixtures, options.seed)
        };
        witnesses.into_iter().map(again).collect::<Result<_, _>>()?
    };
    match options.format {
        TextFormat::Text => {
            for (at, one) in replayed.iter().enumerate() {
                if at > 0 {
                    say!("")?;
                }
                one.show()?;
            }
        }
        TextFormat::Json => {
            let witnesses: Vec<Value> = replayed.iter().map(Replayed::as_json).collect();
            say!("{:#}", json!({"schema": SCHEMA, "seed": options.seed, "witnesses": witnesses}))?;
        }
    }
    Ok(if replayed.iter().all(Replayed::still_refutes) { Status::AsExpected } else { Status::Changed })
}

/// The stored witnesses of a claim, those that make its headline first; or the one of a check, named behind the claim and a dot.
fn named<'c, 's>(
    catalogue: &'c Catalogue,
    store: &'s WitnessStore,
    name: &str,
) -> Result<(&'c Claim, Vec<&'s Witness>), Trouble> {
    let claims = catalogue.claims();
    let owners = claims.iter().filter(|c| {
        let rest = name.strip_prefix(c.id);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    // A name may continue another one behind a dot ("lemma-4.3"): the longest is meant.
    let claim = owners.max_by_key(|c| c.id.len());
    let claim = claim.ok_or_else(|| Trouble::NoWitness {
        name: name.to_owned(),
        hint: closest(name, claims.iter().map(|c| c.id)),
    })?;
    let check = name[claim.id.len()..].strip_prefix('.');
    let expected = claim.expected();
    let decisive: Vec<&str> = expected.decisive().collect();
    let mut checks = claim.checks();
    checks.sort_by_key(|c| !decisive.contains(&c.id));
    let witnesses: Vec<&Witness> = checks
        .iter()
        .filter(|c| check.is_none_or(|wanted| wanted == c.id))
        .filter_map(|c| store.get(claim.id, c.id))
        .collect();
    if witnesses.is_empty() {
        let stored: Vec<String> = checks
            .iter()
            .filter(|c| store.get(claim.id, c.id).is_some())
            .map(|c| format!("{}.{}", claim.id, c.id))
            .collect();
        return Err(Trouble::NoWitness {
            name: name.to_owned(),
            hint: match stored.as_slice() {
                [] => {
                    format!("\nhint: nothing of {} is refuted; `{} explain {}`", claim.id, catalogue.name(), claim.id)
                }
                some => format!("\nhint: there are {}", some.join(", ")),
            },
        });
    }
    Ok((claim, witnesses))
}

/// A stored witness and what it says today.
struct Replayed<'a> {
    claim: &'a Claim,
    check: &'static str,
    statement: &'static str,
    /// What the claim calls its two sides.
    sides: Option<[&'static str; 2]>,
    file: PathBuf,
    /// The statement that it was stored with, where that is another one.
    stored_statement: Option<String>,
    /// Its instance, and a convincing one where the smallest is degenerate.
    instances: Vec<Rejudged>,
}

/// An instance and what it says today.
struct Rejudged {
    instance: String,
    stored: Sides,
    outcome: Today,
}

enum Today {
    Judged(Judgement, Box<Comparison>),
    Discarded(String),
    Vacuous(String),
    /// Judged, and not so when judged once more.
    Unrepeated,
}

impl<'a> Replayed<'a> {
    /// Judges one stored witness again.
    fn of(claim: &'a Claim, witness: &Witness, path: &Path, fixtures: &Fixtures, seed: u64) -> Result<Self, Trouble> {
        let unjudgeable = |reason: String| Trouble::Unjudgeable { path: path.to_owned(), reason };
        let context = Context {
            seed,
            budget: Budget::Standard,
            fixtures,
            witnesses: &WitnessStore::default(),
            observer: &Silent,
            claim: claim.id,
        };
        let checks = claim.checks();
        let check = checks.iter().find(|c| c.id == witness.check);
        let check = check.ok_or_else(|| unjudgeable(format!("claim {} has no check {:?}", claim.id, witness.check)))?;
        let second = witness.convincing.as_ref().map(|c| (&c.instance, &c.sides));
        let mut instances = Vec::new();
        for (instance, stored) in std::iter::once((&witness.instance, &witness.sides)).chain(second) {
            let rejudged = claim.rejudge(&witness.check, instance, &context).map_err(unjudgeable)?;
            instances.push(Rejudged {
                instance: rejudged.instance,
                stored: stored.clone(),
                outcome: match rejudged.outcome {
                    Outcome::Judged { judgement, comparison } => Today::Judged(judgement, comparison),
                    Outcome::Discarded { hypothesis } => Today::Discarded(hypothesis),
                    Outcome::Vacuous { reason } => Today::Vacuous(reason),
                    Outcome::Failed { message } | Outcome::Panicked { message } => return Err(unjudgeable(message)),
                    Outcome::Unrepeated | Outcome::Redrawn { .. } => Today::Unrepeated,
                },
            });
        }
        Ok(Replayed {
            claim,
            check: check.id,
            statement: check.statement,
            sides: check.classification.sides,
            file: path.to_owned(),
            stored_statement: (witness.statement != check.statement).then(|| witness.statement.clone()),
            instances,
        })
    }

    /// Whether it says of its check what was stored, and refutes it.
    fn still_refutes(&self) -> bool {
        self.stored_statement.is_none() && self.instances.iter().all(Rejudged::still_refutes)
    }

    fn show(&self) -> Result<(), Trouble> {
        say!("{}  {}", self.claim.id, self.claim.title)?;
        say!("  check     {}: {}", self.check, self.statement)?;
        if let Some(statement) = &self.stored_statement {
            say!("  stored    with another statement: {statement:?}")?;
        }
        self.instances.iter().try_for_each(|one| one.show(self.sides))
    }

    fn as_json(&self) -> Value {
        json!({
            "claim": self.claim.id,
            "title": self.claim.title,
            "check": self.check,
            "statement": self.statement,
            "side_names": self.sides,
            "file": self.file.display().to_string(),
            "stored_statement": self.stored_statement,
            "still_refutes": self.still_refutes(),
            "instances": self.instances.iter().map(Rejudged::as_json).collect::<Vec<_>>(),
        })
    }
}

impl Rejudged {
    /// Draws and trainings differ from seed to seed; what is enclosed does not.
    fn agrees(&self) -> bool {
        let enclosed = |x: Enclosure| matches!(x.grade(), Grade::Exact | Grade::Proved);
        match &self.outcome {
            Today::Judged(_, c) => self.stored.agrees_with(&Sides::of(c)) || !enclosed(c.lhs) || !enclosed(c.rhs),
            _ => true,
        }
    }

    fn still_refutes(&self) -> bool {
        matches!(&self.outcome, Today::Judged(Judgement::Violated, _)) && self.agrees()
    }

    /// Prints both sides and the judgement, or why the instance refutes nothing.
    fn show(&self, names: Option<[&str; 2]>) -> Result<(), Trouble> {
        say!("  instance  {}", self.instance)?;
        let (judgement, comparison) = match &self.outcome {
            Today::Judged(judgement, comparison) => (judgement, comparison),
            Today::Discarded(hypothesis) => return say!("  judged    outside the hypotheses: {hypothesis}"),
            Today::Vacuous(reason) => return say!("  judged    says nothing here: {reason}"),
            Today::Unrepeated => return Ok(()),
        };
        let side = |name: &str, x: Enclosure| say!("  {name}  {x}   in [{:e}, {:e}], {}", x.lo(), x.hi(), x.grade());
        let [left, right] = names.unwrap_or(["left", "right"]);
        side("left    ", comparison.lhs)?;
        say!("  asked     {left} {} {right}", comparison.relation)?;
        side("right   ", comparison.rhs)?;
        side("margin  ", comparison.margin)?;
        if let Some(note) = &comparison.note {
            say!("  note      {note}")?;
        }
        say!("  judged    {}", format!("{judgement:?}").to_lowercase())?;
        if !self.agrees() {
            let ends = |side: [Option<f64>; 2]| {
                side.map(|end| end.map_or("unbounded".to_owned(), |x| format!("{x:e}"))).join(", ")
            };
            let (left, right) = (ends(self.stored.left), ends(self.stored.right));
            say!("  stored    with other sides: [{left}] {} [{right}]", self.stored.relation)?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let (judged, sides, grade, reason) = match &self.outcome {
            Today::Judged(judgement, comparison) => (
                format!("{judgement:?}").to_lowercase(),
                Some(Sides::of(comparison)),
                Some(comparison.margin.grade().to_string()),
                comparison.note.clone(),
            ),
            Today::Discarded(hypothesis) => ("discarded".to_owned(), None, None, Some(hypothesis.clone())),
            Today::Vacuous(reason) => ("vacuous".to_owned(), None, None, Some(reason.clone())),
            Today::Unrepeated => ("unrepeated".to_owned(), None, None, None),
        };
        json!({
            "instance": self.instance,
            "judged": judged,
            "sides": sides,
            "grade": grade,
            "note": reason,
            "stored_sides": self.stored,
            "agrees": self.agrees(),
        })
    }
}
