//! The adversarial search for an instance that violates a check.
//!
//! It ends after an amount of counted work, so that a cheap statement is looked at tens of thousands of times and a costly one as often
//! as it must be. A larger budget first repeats what the smaller ones do, look for look, so that it never loses what they find.

mod axes;
mod effort;
mod encoding;
mod evolution;
mod hop;
mod moves;
mod portfolio;
mod problem;
mod quasi_newton;
mod separable;
mod simplex;
mod space;
mod trend;

use std::collections::BTreeSet;

pub(crate) use effort::Effort;
pub(crate) use portfolio::{climb, height};
pub(crate) use problem::{Height, Slopes};

use super::evaluate::{Judging, guarded, violation};
use super::shrink::confirm;
use super::{Context, Counts};
use crate::budget::Budget;
use crate::claim::{Comparison, FamilyKind, Relation, Subject, Trial};
use crate::judge::{Judgement, is_decided_by_scale};
use crate::verdict::{Outcome, Record};
use enclosures::enclosure::Grade;
use enclosures::formula::recorded;
use enclosures::work;

/// How close an outcome is to violation, by two measures, the larger the closer: as a fraction of its scale, and in its own units. What
/// counts is the end of the margin that is certain: a margin that contains zero and is wide is as far from violation as its upper end,
/// so that nobody climbs where nothing can be decided.
pub(crate) fn closeness(outcome: &Outcome) -> Option<[f64; 2]> {
    let Outcome::Judged { comparison, .. } = outcome else {
        return None;
    };
    let margin = comparison.margin;
    let certain = if margin.grade().is_sampled() {
        margin.midpoint()
    } else {
        margin.hi()
    };
    // An unbounded enclosure comes close to everything, and leads nowhere.
    (certain.is_finite()).then(|| [-relative(comparison, certain), -certain])
}

/// The margin as a fraction of the larger side where both have the same sign. Where they have not, that fraction is near one whatever
/// the margin, and says nothing; the margin itself does.
fn relative(comparison: &Comparison, margin: f64) -> f64 {
    let scale = comparison.scale;
    let stated = comparison.relation == Relation::Equal || scale != comparison.natural_scale();
    let (left, right) = (comparison.lhs.midpoint(), comparison.rhs.midpoint());
    if stated || (left != 0.0 && right != 0.0 && left.signum() == right.signum()) {
        let fraction = margin / scale;
        return if fraction.is_nan() { 0.0 } else { fraction };
    }
    1.0 + core_math::log1p(margin.max(0.0))
}

/// What a search brings back.
pub(crate) struct Found {
    /// The evaluations that are worth keeping: the closest, the violation, the first doubtful one, the first of every kind of trouble.
    pub(crate) records: Vec<Record>,
    /// All the others, counted.
    pub(crate) counts: Counts,
    /// The instance that violates the check, if there is one; the last record is its own.
    pub(crate) violating: Option<Subject>,
    /// The instance that came closest without violating it, and the number of its record.
    pub(crate) closest: Option<(usize, Subject)>,
    /// The first instance that was left in doubt, and the number of its record.
    pub(crate) doubtful: Option<(usize, Subject)>,
}

/// An instance from which to search: the smallest budget that draws it, itself, and its outcome.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub(crate) since: Budget,
    pub(crate) instance: &'a Subject,
    pub(crate) outcome: &'a Outcome,
}

/// Searches from `starts`, and ends at the first violation that is one from its stored digits too. A start that could not be judged
/// counts as being `otherwise` close, or not at all. `part` of the budget is spent: one in so many.
pub(crate) fn search(
    judging: Judging<'_>,
    starts: &[Start<'_>],
    otherwise: Option<f64>,
    part: usize,
    context: &Context<'_>,
) -> Found {
    let mut seen = Seen {
        judging,
        context,
        kept: Vec::new(),
        counts: Counts::default(),
        looks: 0,
        violating: None,
        closest: None,
        doubtful: None,
        told: BTreeSet::new(),
    };
    let costly = starts.iter().any(|start| is_costly(start.outcome));
    let free = judging.setting.plain;
    for stage in context.budget.stages() {
        // Where the stage before came closest, this one goes on.
        let closest = seen
            .closest
            .as_ref()
            .map(|(close, _, instance)| (*close, instance.clone()));
        let mut starts: Vec<(f64, &Subject)> = starts
            .iter()
            .filter(|start| start.since <= *stage)
            .filter_map(|start| Some((closeness(start.outcome).map(|c| c[0]).or(otherwise)?, start.instance)))
            .collect();
        starts.extend(closest.iter().map(|(close, instance)| (*close, instance)));
        let mut effort = if costly {
            Effort::new(
                stage.search_work(),
                stage.search_evaluations(),
                stage.search_evaluations(),
            )
        } else {
            Effort::new(
                stage.search_work(),
                stage.search_evaluations(),
                stage.most_evaluations(),
            )
        };
        effort = effort.part(part);
        let name = stage.to_string();
        let key = judging.key();
        let stream = |turn: &str| context.stream(&["search", &key, &name, turn]);
        let mut trials = Trials::new(|| context.trial(&["search", &key, &name]));
        let admits = |instance: &Subject| judging.admits(instance);
        let mut look = |instance: &Subject, slopes: Option<&mut Slopes>| seen.look(instance, trials.next(), slopes);
        climb(&starts, &mut effort, free, &stream, &admits, &mut look);
        if seen.violating.is_some() {
            break;
        }
    }
    seen.found()
}

/// Whether what a look costs is not counted: plain floating-point arithmetic, a simulation.
fn is_costly(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Judged { comparison, .. } => {
            comparison.trend || comparison.margin.grade() == Grade::Measured || comparison.margin.grade().is_sampled()
        }
        _ => false,
    }
}

/// Trials that all draw the same numbers: a sampled quantity is then the same function from look to look. A violation is confirmed
/// by other draws.
pub(crate) struct Trials<F> {
    make: F,
    next: Trial,
    drawn: u128,
}

impl<F: Fn() -> Trial> Trials<F> {
    pub(crate) fn new(make: F) -> Self {
        let mut next = make();
        Trials {
            drawn: next.rng().get_word_pos(),
            next,
            make,
        }
    }

    /// A trial from which nothing has been drawn.
    pub(crate) fn next(&mut self) -> &mut Trial {
        if self.next.rng().get_word_pos() != self.drawn {
            self.next = (self.make)();
        }
        &mut self.next
    }
}

/// Operations of one look that are recorded where slopes are asked for.
const STEPS: usize = 1 << 18;

/// What has been looked at.
struct Seen<'a> {
    judging: Judging<'a>,
    context: &'a Context<'a>,
    kept: Vec<Record>,
    counts: Counts,
    looks: usize,
    violating: Option<(Record, Subject)>,
    closest: Option<(f64, Record, Subject)>,
    doubtful: Option<(usize, Subject)>,
    /// Troubles and reasons of which a record is kept.
    told: BTreeSet<String>,
}

impl Seen<'_> {
    fn look(&mut self, instance: &Subject, trial: &mut Trial, slopes: Option<&mut Slopes>) -> Height {
        let from = trial.rng().get_word_pos();
        let outcome = match slopes {
            None => self.judging.outcome(instance, trial),
            Some(slopes) => self.sloped(instance, trial, slopes),
        };
        let outcome = match outcome {
            // Where nothing is given, nothing is promised: only what the families hold must not break a check down.
            Outcome::Panicked { message } => Outcome::Failed {
                message: format!("panicked: {message}"),
            },
            outcome => outcome,
        };
        work::spend(2 * trial.rng().get_word_pos().saturating_sub(from) as u64);
        let close = closeness(&outcome);
        self.looks += 1;
        let number = self.looks;
        let name = || format!("search {number}");
        if violation(&outcome).is_some() {
            // A violation that does not repeat is noise of the draws, and the search goes on.
            if confirm(self.judging, instance, self.context).is_some() {
                let record = record(name(), outcome);
                self.violating = Some((record, instance.clone()));
                return Height::Found;
            }
            self.counts.unrepeated += 1;
            *self.counts.by_family.entry(FamilyKind::Search).or_default() += 1;
            return Height::Nothing;
        }
        if self.is_news(&outcome) {
            if is_doubtful(&outcome) {
                self.doubtful = Some((self.kept.len(), instance.clone()));
            }
            let record = record(name(), outcome);
            self.kept.push(record);
        } else {
            self.counts.count(FamilyKind::Search, &outcome);
            if let Some([close, _]) = close
                && self.closest.as_ref().is_none_or(|(most, ..)| close > *most)
            {
                // Its own record counts it; the one that it takes the place of is counted with the others.
                self.closest = Some((close, record(name(), outcome), instance.clone()));
            }
        }
        close.map_or(Height::Nothing, Height::At)
    }

    /// The outcome, and the slopes of its margin along the numbers that enter it.
    fn sloped(&self, instance: &Subject, trial: &mut Trial, slopes: &mut Slopes) -> Outcome {
        let (outcome, formula) = recorded(STEPS, || self.judging.outcome(instance, trial));
        if let Outcome::Judged { comparison, .. } = &outcome {
            *slopes = formula.slopes(comparison.margin).unwrap_or_default();
        }
        // The way back through the operations costs about twice what the way there does.
        work::spend(2 * formula.len() as u64);
        outcome
    }

    /// Whether the record says something that no other one said.
    fn is_news(&mut self, outcome: &Outcome) -> bool {
        let words = match outcome {
            Outcome::Vacuous { reason } => reason.clone(),
            Outcome::Failed { message } => {
                // Messages may name numbers; one of each kind is enough.
                message.chars().filter(|c| !c.is_ascii_digit()).take(40).collect()
            }
            outcome if is_doubtful(outcome) => "in doubt".to_owned(),
            Outcome::Judged { comparison, .. } if !comparison.left_out.is_empty() => comparison.left_out.concat(),
            Outcome::Judged { comparison, .. } if is_decided_by_scale(comparison) => "by scale".to_owned(),
            _ => return false,
        };
        self.told.len() < 32 && self.told.insert(words)
    }

    fn found(self) -> Found {
        let (mut records, mut counts) = (self.kept, self.counts);
        let closest = self.closest.map(|(_, record, instance)| {
            counts.uncount(FamilyKind::Search, &record.outcome);
            records.push(record);
            (records.len() - 1, instance)
        });
        let violating = self.violating.map(|(record, instance)| {
            records.push(record);
            instance
        });
        Found {
            records,
            counts,
            violating,
            closest,
            doubtful: self.doubtful,
        }
    }
}

/// Whether a look ended in doubt that says something: an unbounded margin only says that the numbers were too large.
fn is_doubtful(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Judged {
            judgement: Judgement::Undecided,
            comparison,
        } => comparison.margin.interval().is_finite(),
        _ => false,
    }
}

fn record(instance: String, outcome: Outcome) -> Record {
    Record {
        family: FamilyKind::Search,
        instance,
        outcome,
    }
}

impl Judging<'_> {
    /// Whether an instance is valid and meets the hypotheses, and misses the one that is left out.
    fn admits(&self, instance: &Subject) -> bool {
        if instance.validate().is_err() {
            return false;
        }
        let check = &self.setting.checks[self.check];
        let mut every = self.setting.hypotheses.iter().chain(&check.when);
        let met = || match self.without {
            None => every.all(|h| (h.met)(instance)),
            Some(name) => every.all(|h| (h.met)(instance) != (h.name == name)),
        };
        guarded(met).unwrap_or(false)
    }
}
