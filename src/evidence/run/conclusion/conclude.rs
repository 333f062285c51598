//! What is concluded of one check: what the families, its proofs and the search found is put together, the violation that repeats best is
//! shown, and all records make a verdict.

use super::check_result::{CheckResult, summarise};
use super::power::weaknesses;
use super::proofs::{Proofs, refuting};
use crate::claim::{AnySetting, FamilyKind, Role, Subject};
use crate::run::confirmation::{
    MOST_SAMPLES, Violating, as_stored, confirm, samples_wanted, shrink, shrink_among, stored_outcome, unrepeated,
};
use crate::run::context::{Context, Event};
use crate::run::search::{SearchResult, Start, search};
use crate::run::trials::{Candidate, Judging, guarded, violation};
use crate::run::witness::{Convincing, SCHEMA, Sides, Witness};
use crate::verdict::{Outcome, Record};
use enclosures::enclosure::Grade;

/// How many violating trials are re-read before a violation counts as one that does not repeat.
const CONFIRMATIONS: usize = 16;

/// The check of a setting, after all candidates were tried: `rows` has their outcomes, check by check.
pub(crate) fn conclude(
    setting: &AnySetting,
    check: usize,
    candidates: &[Candidate],
    rows: &[Vec<Outcome>],
    context: &Context<'_>,
) -> CheckResult {
    let judging = Judging::of(setting, check);
    let again = as_stored_witness(judging, candidates, rows, context);
    let rows = again.as_deref().unwrap_or(rows);
    let mut proofs = Proofs::run(&setting.checks[check].proofs, judged(check, candidates, rows));
    let points = refuting(setting, check, &mut proofs, context);
    let tried = Tried::of(check, candidates, rows).and_where_refuted(&points);
    let found = (tried.violating.is_empty() && setting.searched).then(|| {
        let starts = starts(check, candidates, rows);
        search(judging, &starts, None, 1, context)
    });
    let tried = tried.and_found(found.as_ref(), context).most_telling_first();
    let (tried, witness) = match tried.confirmed(judging, context) {
        None => (tried.unrepeated(judging, context), None),
        Some(confirmed) => {
            let witness = tried.witness(judging, confirmed, context);
            (tried, Some(witness))
        }
    };
    let offered = witness.as_ref().and_then(|witness| tried.shortest_offered(witness));
    let told = |at: usize| tried.in_words(at, candidates);
    let mut summed = summarise(setting.info(check), &tried.records, witness, &told);
    if let Some(found) = &found {
        summed.counts.add(&found.counts);
    }
    let mut result = summed.graded(proofs.everywhere);
    result.shortest_offered = offered;
    result.proofs = proofs.results;
    result.weaknesses =
        weaknesses(result.role, (result.verdict, result.grade_without_theorems), &tried.records, &tried.violating);
    result
}

/// The rows with the outcome of the stored witness that the usual number of samples leaves in doubt judged by as many as it was found
/// with; none where there is no such witness.
fn as_stored_witness(
    judging: Judging<'_>,
    candidates: &[Candidate],
    rows: &[Vec<Outcome>],
    context: &Context<'_>,
) -> Option<Vec<Vec<Outcome>>> {
    let check = judging.check;
    let wants = |(candidate, row): (&Candidate, &Vec<Outcome>)| {
        candidate.family == FamilyKind::Witness && samples_wanted(&row[check], MOST_SAMPLES).is_some()
    };
    let at = candidates.iter().zip(rows).position(wants)?;
    let (instance, json) = as_stored(judging, candidates[at].subject()?)?;
    let mut judged = rows.to_vec();
    judged[at][check] = stored_outcome(judging, &instance, &json, MOST_SAMPLES, context).0;
    Some(judged)
}

/// Candidates that could be made, with their names and what the check said of them.
fn judged<'a>(
    check: usize,
    candidates: &'a [Candidate],
    rows: &'a [Vec<Outcome>],
) -> impl Iterator<Item = (&'a str, &'a Subject, &'a Outcome)> {
    let tried = candidates.iter().zip(rows);
    tried.filter_map(move |(c, row)| Some((c.name.as_str(), c.subject()?, &row[check])))
}

/// Where the search may start: anywhere but at data, which are not to be moved.
fn starts<'a>(check: usize, candidates: &'a [Candidate], rows: &'a [Vec<Outcome>]) -> Vec<Start<'a>> {
    let free = candidates.iter().zip(rows).filter(|(c, _)| c.family != FamilyKind::Data);
    free.filter_map(|(c, row)| Some(Start { since: c.since, instance: c.subject()?, outcome: &row[check] })).collect()
}

/// All records of a check, with the instances that matter for what is shown of it, each with the place of its record.
struct Tried<'a> {
    records: Vec<Record>,
    violating: Vec<(usize, &'a Subject)>,
    /// Where the search came closest, and what it left in doubt.
    nearest: Vec<(usize, &'a Subject)>,
}

impl<'a> Tried<'a> {
    fn of(check: usize, candidates: &'a [Candidate], rows: &[Vec<Outcome>]) -> Self {
        let records = candidates.iter().zip(rows).map(|(c, row)| Record {
            family: c.family,
            instance: c.name.clone(),
            outcome: row[check].clone(),
        });
        let violating = candidates.iter().zip(rows).enumerate();
        let violating = violating.filter(|(_, (_, row))| violation(&row[check]).is_some());
        Tried {
            records: records.collect(),
            violating: violating.filter_map(|(at, (c, _))| Some((at, c.subject()?))).collect(),
            nearest: Vec::new(),
        }
    }

    /// Adds the points at which a proof was refuted.
    fn and_where_refuted(mut self, points: &'a [(String, Subject, Outcome)]) -> Self {
        for (name, instance, outcome) in points {
            if violation(outcome).is_some() {
                self.violating.push((self.records.len(), instance));
            }
            self.records.push(Record { family: FamilyKind::Proof, instance: name.clone(), outcome: outcome.clone() });
        }
        self
    }

    /// Adds what the search found, if there was one.
    fn and_found(mut self, found: Option<&'a SearchResult>, context: &Context<'_>) -> Self {
        let Some(found) = found else { return self };
        context.observer.event(Event::Tried { trials: found.records.len() + found.counts.tried() });
        let before = self.records.len();
        let worth = found.closest.iter().chain(&found.doubtful);
        self.nearest.extend(worth.map(|(at, instance)| (before + at, instance)));
        self.records.extend(found.records.iter().cloned());
        if let Some(instance) = &found.violating {
            self.violating.push((self.records.len() - 1, instance));
        }
        self
    }

    /// What is enclosed before what is only measured; then the stored witness, then the shortest to write down.
    fn most_telling_first(mut self) -> Self {
        let records = &self.records;
        self.violating.sort_by_cached_key(|(at, instance)| {
            let measured = violation(&records[*at].outcome).is_some_and(|c| c.margin.grade() == Grade::Measured);
            let stored = records[*at].family == FamilyKind::Witness;
            (measured, !stored, instance.length(), *at)
        });
        self
    }

    /// The first violation that repeats from the digits of its instance, and the place of its record.
    fn confirmed(&self, judging: Judging<'_>, context: &Context<'_>) -> Option<(usize, Violating)> {
        let mut first = self.violating.iter().take(CONFIRMATIONS);
        first.find_map(|(at, instance)| Some((*at, confirm(judging, instance, context)?)))
    }

    /// The same records with what became of violations of which none repeated.
    fn unrepeated(mut self, judging: Judging<'_>, context: &Context<'_>) -> Self {
        for (at, instance) in &self.violating {
            self.records[*at].outcome = unrepeated(judging, instance, &self.records[*at].outcome, context);
        }
        self
    }

    /// The witness of a confirmed violation.
    fn witness(&self, judging: Judging<'_>, (at, confirmed): (usize, Violating), context: &Context<'_>) -> Witness {
        let spec = &judging.setting.checks[judging.check];
        let stored = || context.witnesses.get(context.claim, spec.id);
        // A control needs no witness to show, and a stored one was shrunk when it was stored.
        let finished = spec.role == Role::Control
            || self.records[at].family == FamilyKind::Witness && stored().is_some_and(|w| w.instance == confirmed.json);
        let shown = if finished { confirmed } else { shrink(judging, confirmed, context) };
        let convincing = match spec.role {
            Role::Control => None,
            _ => convincing(judging, &shown.instance, &self.violating, context),
        };
        Witness {
            schema: SCHEMA,
            claim: context.claim.to_owned(),
            check: spec.id.to_owned(),
            statement: spec.statement.to_owned(),
            description: shown.instance.describe(),
            instance: shown.json,
            sides: Sides::of(&shown.comparison),
            convincing,
        }
    }

    /// The shortest violating instance that a family offered, in words, where the witness is shorter to write down.
    fn shortest_offered(&self, witness: &Witness) -> Option<String> {
        let offered = |at: usize| self.records[at].family.is_of_a_family();
        let of_families = self.violating.iter().filter(|(at, _)| offered(*at)).map(|(_, i)| i);
        let (length, shortest) = of_families.map(|i| (i.length(), i)).min_by_key(|(length, _)| *length)?;
        (witness.instance.to_string().len() < length).then(|| shortest.describe())
    }

    /// The instance of a record, where it is at hand.
    fn in_words(&self, at: usize, candidates: &[Candidate]) -> Option<String> {
        match candidates.get(at) {
            Some(candidate) => candidate.subject().map(Subject::describe),
            None => self.nearest.iter().find(|(n, _)| *n == at).map(|(_, i)| i.describe()),
        }
    }
}

/// Beside a degenerate witness: the one that was stored, or the shortest violating instance that is not degenerate, shrunk as far as it
/// stays so.
fn convincing(
    judging: Judging<'_>,
    shown: &Subject,
    violating: &[(usize, &Subject)],
    context: &Context<'_>,
) -> Option<Convincing> {
    let degenerate = judging.setting.degenerate.as_ref()?;
    let is_degenerate = |instance: &Subject| guarded(|| degenerate.is_met(instance)).unwrap_or(true);
    if !is_degenerate(shown) {
        return None;
    }
    let spec = &judging.setting.checks[judging.check];
    let stored = || {
        let stored = context.witnesses.get(context.claim, spec.id)?.convincing.as_ref()?;
        let instance = (judging.setting.read)(&stored.instance).ok()?;
        confirm(judging, &instance, context).filter(|v| !is_degenerate(&v.instance))
    };
    let found = stored().or_else(|| {
        let others = violating.iter().map(|(_, i)| *i).filter(|i| !is_degenerate(i));
        let first = others.take(CONFIRMATIONS).find_map(|i| confirm(judging, i, context))?;
        Some(shrink_among(judging, first, &|i| !is_degenerate(i), context))
    })?;
    Some(Convincing {
        degenerate: degenerate.name.to_owned(),
        description: found.instance.describe(),
        instance: found.json.clone(),
        sides: Sides::of(&found.comparison),
    })
}
