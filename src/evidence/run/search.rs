//! The adversarial search for an instance that violates a check.
//!
//! It ends after an amount of counted work, so that a cheap statement is looked at tens of thousands of times and a costly one as often
//! as it must be. A larger budget first repeats what the smaller ones do, look for look, so that it never loses what they find.

mod axes;
mod boundary;
mod closeness;
mod effort;
mod encoding;
mod evolution;
mod exchange;
mod hop;
mod moves;
mod portfolio;
mod problem;
mod quasi_newton;
mod separable;
mod simplex;
mod space;
mod spectrum;
mod trend;
mod whole;

use std::collections::BTreeSet;

use closeness::{closeness, closeness_of, quotient_slopes};
pub(crate) use effort::Effort;
pub(crate) use portfolio::{climb, height};
pub(crate) use problem::{Height, Slopes};

use super::evaluate::{Judging, MOST_SAMPLES, guarded, samples_wanted, violation};
use super::second_look::wants_digits;
use super::shrink::confirm;
use super::{Context, Counts};
use crate::budget::Budget;
use crate::claim::{Evaluation, FamilyKind, Subject, Trial};
use crate::judge::{Judgement, is_decided_by_scale};
use crate::verdict::{Outcome, Record};
use enclosures::enclosure::Grade;
use enclosures::formula::recorded;
use enclosures::work;

/// What a search brings back.
pub(crate) struct SearchResult {
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
) -> SearchResult {
    let mut seen = Inspected {
        judging,
        context,
        kept: Vec::new(),
        counts: Counts::default(),
        looks: 0,
        work: 0,
        digits: 0,
        violating: None,
        closest: None,
        doubtful: None,
        contenders: Vec::new(),
        told: BTreeSet::new(),
    };
    let costly = starts.iter().any(|start| is_costly(start.outcome));
    let free = judging.setting.plain;
    for stage in context.budget.stages() {
        // Where the stage before came closest, this one goes on.
        let closest = seen.closest.as_ref().map(|(close, _, instance)| (*close, instance.clone()));
        let mut starts: Vec<(f64, &Subject)> = starts
            .iter()
            .filter(|start| start.since <= *stage)
            .filter_map(|start| Some((closeness(start.outcome).map(|c| c[0]).or(otherwise)?, start.instance)))
            .collect();
        starts.extend(closest.iter().map(|(close, instance)| (*close, instance)));
        let mut effort = if costly {
            Effort::new(stage.search_work(), stage.search_evaluations(), stage.search_evaluations())
        } else {
            Effort::new(stage.search_work(), stage.search_evaluations(), stage.most_evaluations())
        };
        effort = effort.part(part);
        let name = stage.to_string();
        let key = judging.key();
        let stream = |turn: &str| context.stream(&["search", &key, &name, turn]);
        let mut trials = Trials::new(|| context.trial(&["search", &key, &name]));
        let admits = |instance: &Subject| judging.admits(instance);
        let mut look = |instance: &Subject, slopes: Option<&mut Slopes>| seen.look(instance, trials.next(), slopes);
        climb(&starts, &mut effort, free, &stream, &admits, &mut look);
        seen.settle_contenders(&|multiple: usize| {
            context.trial(&["search", &key, &name, "contenders"]).with_samples(multiple)
        });
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
        Trials { drawn: next.rng().get_word_pos(), next, make }
    }

    /// A trial from which nothing has been drawn.
    pub(crate) fn next(&mut self) -> &mut Trial {
        if self.next.rng().get_word_pos() != self.drawn {
            self.next = (self.make)();
        }
        &mut self.next
    }
}

/// Instances that are kept for a look with more samples.
const CONTENDERS: usize = 16;

/// Operations of one look that are recorded where slopes are asked for.
const STEPS: usize = 1 << 18;

/// Work that looks with more digits may take whatever the others took.
const PATIENCE: u64 = 300_000;

/// Beyond that they may take one part in so many of what the others took.
const DIGITS_SHARE: u64 = 3;

/// Closer than this, as a fraction of the sides, floating point is not asked.
const DOUBT: f64 = 1e-9;

/// The outcome, and the slopes of its margin along the numbers that enter it.
fn sloped(judging: Judging<'_>, instance: &Subject, trial: &mut Trial, slopes: &mut Slopes) -> Outcome {
    let (outcome, formula) = recorded(STEPS, || judging.outcome(instance, trial));
    if let Outcome::Judged { comparison, .. } = &outcome {
        slopes.along = match slopes.measure {
            0 => quotient_slopes(comparison, &formula),
            _ => formula.slopes(comparison.margin).unwrap_or_default(),
        };
    }
    // The way back through the operations costs about twice what the way there does.
    work::spend(2 * formula.len() as u64);
    outcome
}

/// What has been looked at.
struct Inspected<'a> {
    judging: Judging<'a>,
    context: &'a Context<'a>,
    kept: Vec<Record>,
    counts: Counts,
    looks: usize,
    /// Work of the looks in doubles, and of those with more digits.
    work: u64,
    digits: u64,
    violating: Option<(Record, Subject)>,
    closest: Option<(f64, Record, Subject)>,
    doubtful: Option<(usize, Subject)>,
    /// Instances that seem to violate the check, which more samples could tell; those that want fewest first.
    contenders: Vec<(f64, Subject)>,
    /// Troubles and reasons of which a record is kept.
    told: BTreeSet<String>,
}

impl Inspected<'_> {
    fn look(&mut self, instance: &Subject, trial: &mut Trial, slopes: Option<&mut Slopes>) -> Height {
        if slopes.is_none()
            && let Some(height) = self.glance(instance)
        {
            return height;
        }
        self.look_closely(instance, trial, slopes)
    }

    /// A look in plain floating point, where the check has one and it leaves no doubt that this is neither a violation nor the closest
    /// instance so far.
    fn glance(&self, instance: &Subject) -> Option<Height> {
        let Judging { setting, check, .. } = self.judging;
        let guide = setting.checks[check].guide.as_ref()?;
        if self.judging.without.is_some() || self.judging.changed.is_some() {
            return None;
        }
        if !self.judging.admits(instance) {
            return Some(Height::Nothing);
        }
        let Ok(Evaluation::Compared(comparison)) = guarded(|| guide.ask(instance)) else {
            return None;
        };
        let close = closeness_of(&comparison)?;
        let (closest, ..) = self.closest.as_ref()?;
        (close[0] <= *closest && close[0] < -DOUBT).then_some(Height::At(close))
    }

    fn look_closely(&mut self, instance: &Subject, trial: &mut Trial, slopes: Option<&mut Slopes>) -> Height {
        let from = trial.rng().get_word_pos();
        let outcome = self.judged(instance, trial, slopes);
        let outcome = match outcome {
            // Without one of its hypotheses nothing is promised: a check may break down there, and only there.
            Outcome::Panicked { message } if self.judging.without.is_some() => {
                Outcome::Failed { message: format!("panicked: {message}") }
            }
            outcome => outcome,
        };
        work::spend(2 * trial.rng().get_word_pos().saturating_sub(from) as u64);
        let close = closeness(&outcome);
        if let Outcome::Judged { comparison, .. } = &outcome
            && comparison.margin.midpoint() < 0.0
            && let Some(wanted) = samples_wanted(&outcome, MOST_SAMPLES)
        {
            self.contend(wanted, instance);
        }
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

    /// The outcome, in doubles first. A second look with more digits is dear: where doubt is common, all of them together take no more than
    /// a part of the work.
    fn judged(&mut self, instance: &Subject, trial: &mut Trial, slopes: Option<&mut Slopes>) -> Outcome {
        let coarse = Judging { twice: false, ..self.judging };
        let drawn = trial.rng().get_word_pos();
        let (outcome, work) = work::counted(|| match slopes {
            None => coarse.outcome(instance, trial),
            Some(slopes) => sloped(coarse, instance, trial, slopes),
        });
        work::spend(work);
        self.work += work;
        let patient = self.digits <= PATIENCE + self.work / DIGITS_SHARE;
        if !(patient && self.judging.twice && wants_digits(&outcome) && trial.rng().get_word_pos() == drawn) {
            return outcome;
        }
        let (outcome, work) = work::counted(|| self.judging.outcome(instance, trial));
        work::spend(work);
        self.digits += work;
        outcome
    }

    fn contend(&mut self, wanted: f64, instance: &Subject) {
        let at = self.contenders.partition_point(|(other, _)| *other <= wanted);
        if at < CONTENDERS {
            self.contenders.insert(at, (wanted, instance.clone()));
            self.contenders.truncate(CONTENDERS);
        }
    }

    /// Successive halving: all contenders with four times the samples, the better quarter of them with four times as many again, and
    /// so on, until one violates the check from other draws as well.
    fn settle_contenders(&mut self, trial: &dyn Fn(usize) -> Trial) {
        let mut contenders = std::mem::take(&mut self.contenders);
        let mut multiple = 4;
        while self.violating.is_none() && !contenders.is_empty() {
            let round = std::mem::take(&mut contenders);
            let kept = round.len().div_ceil(4);
            for (_, instance) in round {
                if self.look(&instance, &mut trial(multiple), None) == Height::Found {
                    return;
                }
            }
            // The looks have put those that still seem to violate it back, in their new order.
            contenders = std::mem::take(&mut self.contenders);
            contenders.truncate(kept);
            multiple *= 4;
            if multiple > MOST_SAMPLES {
                return;
            }
        }
    }

    /// Whether the record says something that no other one said.
    fn is_news(&mut self, outcome: &Outcome) -> bool {
        if let Outcome::Panicked { .. } = outcome {
            // However much else was told: a verdict rests on the records, and one breakdown prevents a pass.
            return self.told.insert("panicked".to_owned());
        }
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

    fn found(self) -> SearchResult {
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
        SearchResult { records, counts, violating, closest, doubtful: self.doubtful }
    }
}

/// Whether a look ended in doubt that says something: an unbounded margin only says that the numbers were too large.
fn is_doubtful(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Judged { judgement: Judgement::Undecided, comparison } => comparison.margin.interval().is_finite(),
        _ => false,
    }
}

fn record(instance: String, outcome: Outcome) -> Record {
    Record { family: FamilyKind::Search, instance, outcome }
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
            None => every.all(|h| h.is_met(instance)),
            Some(name) => every.all(|h| h.is_met(instance) != (h.name == name)),
        };
        guarded(met).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::toy::Point;

    #[test]
    fn without_a_hypothesis_only_what_misses_that_one_alone_is_admitted() {
        let setting = Setting::of()
            .assume(Hypothesis::new("x > 0", |p: &Point| p.x > 0.0))
            .assume(Hypothesis::new("x < 1", |p: &Point| p.x < 1.0))
            .part("printed", "1 ≤ 2", holds(), |_, ()| at_most(1, 2))
            .assume(Hypothesis::new("x ≠ 1/2", |p: &Point| p.x != 0.5));
        let claim = Claim::new("mine.point", "a point", Kind::Inequality).setting(setting);
        let whole = Judging::of(&claim.settings()[0], 0);
        let cases = [
            (None, [0.25].as_slice()),
            (Some("x > 0"), &[0.0, -3.0]),
            (Some("x < 1"), &[1.0, 2.0]),
            (Some("x ≠ 1/2"), &[0.5]),
        ];
        let all = [0.25, 0.0, -3.0, 1.0, 2.0, 0.5, f64::INFINITY];
        for (without, admitted) in cases {
            let judging = Judging { without, ..whole };
            let found: Vec<f64> = all.into_iter().filter(|&x| judging.admits(&Subject::of(Point { x }))).collect();
            assert_eq!(found, admitted, "{without:?}");
        }
    }
}
