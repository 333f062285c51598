//! What a search has looked at, and one look more.

use std::collections::BTreeSet;

use super::closeness::{closeness, closeness_of, quotient_slopes};
use super::problem::{Height, Slopes};
use crate::claim::{Evaluation, FamilyKind, Subject, Trial};
use crate::judge::{Judgement, is_decided_by_scale};
use crate::run::confirmation::{MOST_SAMPLES, confirm, samples_wanted};
use crate::run::context::Context;
use crate::run::trials::{Counts, Judging, guarded, violation, wants_digits};
use crate::verdict::{Outcome, Record};
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
pub(super) struct Inspected<'a> {
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

impl<'a> Inspected<'a> {
    /// Nothing so far.
    pub(super) fn by(judging: Judging<'a>, context: &'a Context<'a>) -> Self {
        Inspected {
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
        }
    }

    /// The instance that came closest so far, and how close.
    pub(super) fn closest(&self) -> Option<(f64, &Subject)> {
        self.closest.as_ref().map(|(close, _, instance)| (*close, instance))
    }

    /// Whether a violation was found that repeats.
    pub(super) fn has_violating(&self) -> bool {
        self.violating.is_some()
    }

    pub(super) fn look(&mut self, instance: &Subject, trial: &mut Trial, slopes: Option<&mut Slopes>) -> Height {
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
    pub(super) fn settle_contenders(&mut self, trial: &dyn Fn(usize) -> Trial) {
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

    pub(super) fn found(self) -> SearchResult {
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
