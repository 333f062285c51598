//! Trials, counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::claim::FamilyKind;
use crate::judge::{Judgement, vanishes};
use crate::verdict::Outcome;

/// How many trials ended how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Judged: the hypotheses were met and both sides enclosed.
    pub met: usize,
    /// Of those, equality attained to within what doubles resolve.
    pub touching: usize,
    /// Of those, sides that agree only because both are below the smallest normal number: no equality is told from them.
    pub vanishing: usize,
    /// Of those, violated.
    pub violated: usize,
    /// The same by kind of family.
    pub violated_by: BTreeMap<FamilyKind, usize>,
    /// Of those, in doubt.
    pub undecided: usize,
    /// Discarded, by the name of the hypothesis that was not met.
    pub discarded: BTreeMap<String, usize>,
    /// The statement said nothing.
    pub vacuous: usize,
    /// Violations that did not repeat from stored digits.
    pub unrepeated: usize,
    /// Of those met, trends that the first of four draws violated and the other three did not.
    pub redrawn: usize,
    /// Sides that could not be computed.
    pub failed: usize,
    /// Faults of the catalogue.
    pub panicked: usize,
    /// Trials by kind of family.
    pub by_family: BTreeMap<FamilyKind, usize>,
}

/// What a value misses that is not a valid instance.
pub(super) const VALID: &str = "a valid instance";

impl Counts {
    /// Counts one trial more.
    pub(crate) fn count(&mut self, family: FamilyKind, outcome: &Outcome) {
        self.change(family, outcome, |n| *n += 1);
    }

    /// Takes one trial back that was counted.
    pub(crate) fn uncount(&mut self, family: FamilyKind, outcome: &Outcome) {
        self.change(family, outcome, |n| *n = n.saturating_sub(1));
    }

    fn change(&mut self, family: FamilyKind, outcome: &Outcome, change: impl Fn(&mut usize)) {
        change(self.by_family.entry(family).or_default());
        match outcome {
            Outcome::Discarded { hypothesis } => {
                // What an instance's own validation says names numbers; only the fact is counted.
                let name = hypothesis.split(" (").next().unwrap_or(hypothesis);
                match self.discarded.get_mut(name) {
                    Some(known) => change(known),
                    None => change(self.discarded.entry(name.to_owned()).or_default()),
                }
            }
            Outcome::Vacuous { .. } => change(&mut self.vacuous),
            Outcome::Unrepeated => change(&mut self.unrepeated),
            Outcome::Redrawn { .. } => {
                change(&mut self.met);
                change(&mut self.redrawn);
            }
            Outcome::Failed { .. } => change(&mut self.failed),
            Outcome::Panicked { .. } => change(&mut self.panicked),
            Outcome::Judged { judgement, comparison } => {
                change(&mut self.met);
                match judgement {
                    Judgement::Violated => {
                        change(&mut self.violated);
                        change(self.violated_by.entry(family).or_default());
                    }
                    Judgement::Undecided => change(&mut self.undecided),
                    Judgement::Touches if vanishes(comparison) => change(&mut self.vanishing),
                    Judgement::Touches => change(&mut self.touching),
                    Judgement::Holds => {}
                }
            }
        }
    }

    /// Adds trials that were counted elsewhere.
    pub(crate) fn add(&mut self, other: &Counts) {
        let sums = [
            (&mut self.met, other.met),
            (&mut self.touching, other.touching),
            (&mut self.vanishing, other.vanishing),
            (&mut self.violated, other.violated),
            (&mut self.undecided, other.undecided),
            (&mut self.vacuous, other.vacuous),
            (&mut self.unrepeated, other.unrepeated),
            (&mut self.redrawn, other.redrawn),
            (&mut self.failed, other.failed),
            (&mut self.panicked, other.panicked),
        ];
        for (sum, more) in sums {
            *sum += more;
        }
        for (name, more) in &other.discarded {
            *self.discarded.entry(name.clone()).or_default() += more;
        }
        let by_family = [(&mut self.violated_by, &other.violated_by), (&mut self.by_family, &other.by_family)];
        for (sums, others) in by_family {
            for (family, more) in others {
                *sums.entry(*family).or_default() += more;
            }
        }
    }

    /// Discarded trials of values that are not valid instances: a number out of its range, lists that do not fit.
    #[must_use]
    pub fn invalid(&self) -> usize {
        self.discarded.get(VALID).copied().unwrap_or(0)
    }

    /// All discarded trials together.
    #[must_use]
    pub fn discarded_total(&self) -> usize {
        self.discarded.values().sum()
    }

    /// All trials.
    #[must_use]
    pub fn tried(&self) -> usize {
        self.by_family.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{Evaluation, at_most};
    use crate::judge::judge;
    use enclosures::enclosure::Enclosure;

    fn judged(evaluation: Evaluation) -> Outcome {
        let Evaluation::Compared(comparison) = evaluation else { panic!("not a comparison: {evaluation:?}") };
        Outcome::Judged { judgement: judge(&comparison), comparison: Box::new(comparison) }
    }

    fn redrawn() -> Outcome {
        let Outcome::Judged { comparison, .. } = judged(at_most(1, 2)) else { panic!("it was judged") };
        Outcome::Redrawn { comparison }
    }

    /// e^{−2000} ≤ e^{−1000}, of which double precision knows that both are tiny.
    fn beyond_doubles() -> Evaluation {
        at_most(Enclosure::from(-2000).exp(), Enclosure::from(-1000).exp())
    }

    fn unclear() -> Outcome {
        judged(at_most(Enclosure::between(0.0, 2.0), 1))
    }

    /// One outcome of every kind.
    fn outcomes() -> Vec<Outcome> {
        let third = Enclosure::from(1) / 3.0;
        vec![
            judged(at_most(1, 2)),
            judged(at_most(third, third)),
            judged(beyond_doubles()),
            judged(at_most(2, 1)),
            unclear(),
            Outcome::Discarded { hypothesis: "a valid instance (x = 7)".into() },
            Outcome::Discarded { hypothesis: "a valid instance (x = 8)".into() },
            Outcome::Vacuous { reason: "empty".into() },
            Outcome::Unrepeated,
            redrawn(),
            Outcome::Failed { message: "no".into() },
            Outcome::Panicked { message: "oh".into() },
        ]
    }

    #[test]
    fn every_outcome_is_counted_once_and_can_be_taken_back() {
        let mut counts = Counts::default();
        let all = outcomes();
        all.iter().for_each(|outcome| counts.count(FamilyKind::Edge, outcome));
        let expected = Counts {
            met: 6,
            touching: 1,
            vanishing: 1,
            violated: 1,
            violated_by: BTreeMap::from([(FamilyKind::Edge, 1)]),
            undecided: 1,
            discarded: BTreeMap::from([("a valid instance".to_owned(), 2)]),
            vacuous: 1,
            unrepeated: 1,
            redrawn: 1,
            failed: 1,
            panicked: 1,
            by_family: BTreeMap::from([(FamilyKind::Edge, 12)]),
        };
        assert_eq!(counts, expected);
        assert_eq!((counts.tried(), counts.discarded_total()), (12, 2));
        let mut twice = counts.clone();
        twice.count(FamilyKind::Search, &redrawn());
        twice.add(&counts);
        assert_eq!((twice.met, twice.touching, twice.vanishing, twice.violated, twice.undecided), (13, 2, 2, 2, 2));
        assert_eq!((twice.vacuous, twice.unrepeated, twice.redrawn), (2, 2, 3));
        assert_eq!((twice.failed, twice.panicked, twice.discarded_total()), (2, 2, 4));
        assert_eq!(twice.by_family, BTreeMap::from([(FamilyKind::Edge, 24), (FamilyKind::Search, 1)]));
        all.iter().for_each(|outcome| counts.uncount(FamilyKind::Edge, outcome));
        assert_eq!((counts.tried(), counts.met, counts.discarded_total()), (0, 0, 0));
    }
}
