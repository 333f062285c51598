//! Verdicts: a pure function of the recorded trials.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::comparison::Comparison;
use crate::family_kind::FamilyKind;
use crate::judge::Judgement;
use enclosures::enclosure::Grade;

/// What the evidence says of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No instance that met the hypotheses violates it.
    Holds,
    /// An instance violates it, and did so again when it was re-read from its digits.
    Fails,
    /// A statement about growth, whose constant is not given, agrees with the measured trend, or with a constant of ours on
    /// instances that were drawn or measured.
    Consistent,
    /// Every sense of the printed words fails, and what was evidently meant, the same statement but for a slip of the pen, holds or is
    /// consistent. Only a headline is a misprint, never a check.
    Misprint,
    /// Some senses of the printed words fail and others do not. Only a headline is mixed, never a check.
    Mixed,
    /// Some instance could not be judged, or the sides could not be computed.
    Undecided,
    /// A measured trend neither agrees with the claimed growth nor excludes it: the sweep is too short or too noisy.
    Inconclusive,
    /// The hypotheses were (nearly) never met, or the statement says nothing where they were.
    Vacuous,
    /// Listed in a register, not yet in the catalogue.
    NotYet,
}

const NAMES: [(Verdict, &str); 9] = [
    (Verdict::Holds, "holds"),
    (Verdict::Fails, "fails"),
    (Verdict::Consistent, "consistent"),
    (Verdict::Misprint, "misprint"),
    (Verdict::Mixed, "mixed"),
    (Verdict::Undecided, "undecided"),
    (Verdict::Inconclusive, "inconclusive"),
    (Verdict::Vacuous, "vacuous"),
    (Verdict::NotYet, "not-yet"),
];

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES.iter().find(|(v, _)| v == self).map_or("", |(_, name)| name))
    }
}

impl FromStr for Verdict {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        NAMES.iter().find(|(_, name)| *name == text).map(|(verdict, _)| *verdict).ok_or_else(|| {
            let known: Vec<&str> = NAMES.iter().map(|(_, name)| *name).collect();
            format!("unknown verdict \"{text}\": use one of {}", known.join(", "))
        })
    }
}

/// What became of one instance under one check.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A hypothesis was not met; the instance does not count.
    Discarded {
        /// Name of the hypothesis.
        hypothesis: String,
    },
    /// The statement says nothing on this instance.
    Vacuous {
        /// Why.
        reason: String,
    },
    /// Both sides were enclosed and judged.
    Judged {
        /// The judge's word.
        judgement: Judgement,
        /// Both sides.
        comparison: Box<Comparison>,
    },
    /// A violation that did not repeat when the instance was re-read from its digits.
    Unrepeated,
    /// A trend that the first of four independent draws violated, at its level of confidence, and the other three did not.
    Redrawn {
        /// Both sides in the last draw.
        comparison: Box<Comparison>,
    },
    /// The sides could not be computed.
    Failed {
        /// What went wrong.
        message: String,
    },
    /// The check itself broke down: a fault of the catalogue.
    Panicked {
        /// The panic's message.
        message: String,
    },
}

/// One trial: where its instance came from, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Kind of family the instance came from.
    pub family: FamilyKind,
    /// Name of the instance.
    pub instance: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// The smallest share of tried instances that must meet the hypotheses; below it a claim says next to nothing.
const LEAST_SHARE_MET: f64 = 0.01;

/// The verdict that the recorded trials support.
///
/// One confirmed violation refutes. A pass needs instances that met the hypotheses and no instance of a family left in doubt;
/// instances that attain equality to within what doubles resolve count as met. Search may wander where it likes, outside the
/// hypotheses and to the edge of the numeric range: what it discards does not make a claim vacuous, and what it cannot
/// decide there is counted and shown, but only what it refutes is held against a claim.
#[must_use]
pub fn verdict(records: &[Record]) -> Verdict {
    let mut judged = 0usize;
    let mut given = 0usize;
    let mut given_and_judged = 0usize;
    let mut doubt = false;
    let mut trend = false;
    let mut inconclusive = false;
    for record in records {
        // What was picked to miss a hypothesis, and does, is no sign that the hypotheses are never met.
        let discarded = matches!(record.outcome, Outcome::Discarded { .. });
        let meant_to_miss = record.family == FamilyKind::Outside && discarded;
        let is_given = record.family != FamilyKind::Search && !meant_to_miss;
        given += usize::from(is_given);
        match &record.outcome {
            Outcome::Judged { judgement, comparison } => {
                judged += 1;
                given_and_judged += usize::from(is_given);
                trend |= comparison.trend;
                match judgement {
                    Judgement::Violated => return Verdict::Fails,
                    Judgement::Undecided if comparison.trend => inconclusive |= is_given,
                    Judgement::Undecided => doubt |= is_given,
                    Judgement::Holds | Judgement::Touches => {}
                }
            }
            Outcome::Redrawn { .. } => {
                judged += 1;
                given_and_judged += usize::from(is_given);
                trend = true;
            }
            Outcome::Failed { .. } => doubt |= is_given,
            Outcome::Unrepeated | Outcome::Panicked { .. } => doubt = true,
            Outcome::Discarded { .. } | Outcome::Vacuous { .. } => {}
        }
    }
    if doubt {
        Verdict::Undecided
    } else if judged == 0 || (given_and_judged as f64) < LEAST_SHARE_MET * given as f64 {
        Verdict::Vacuous
    } else if inconclusive {
        Verdict::Inconclusive
    } else if trend {
        Verdict::Consistent
    } else {
        Verdict::Holds
    }
}

impl Verdict {
    /// The verdict on a statement whose constant the printed words leave open, judged with a constant of ours: sides that were
    /// only drawn or measured agree with it and do not establish it.
    #[must_use]
    pub(crate) fn with_our_constant(self, grade: Option<Grade>) -> Self {
        match (self, grade) {
            (Verdict::Holds, Some(Grade::Measured | Grade::Sampled { .. })) => Verdict::Consistent,
            (other, _) => other,
        }
    }
}

/// The grade of what the verdict rests on: of a pass the weakest among all comparisons, of a failure the strongest among the
/// violations, since one of them is enough.
#[must_use]
pub fn grade(records: &[Record]) -> Option<Grade> {
    let violations = records.iter().filter_map(|r| match &r.outcome {
        Outcome::Judged { judgement: Judgement::Violated, comparison } => Some(comparison.margin.grade()),
        _ => None,
    });
    let all = records.iter().filter_map(|r| match &r.outcome {
        Outcome::Judged { comparison, .. } | Outcome::Redrawn { comparison } => Some(comparison.margin.grade()),
        _ => None,
    });
    violations.reduce(Grade::or).or_else(|| all.reduce(Grade::and))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{Evaluation, at_most};
    use crate::judge::judge;
    use enclosures::enclosure::{Enclosure, exact};

    fn record(family: FamilyKind, outcome: Outcome) -> Record {
        Record { family, instance: "x".into(), outcome }
    }

    fn judged(lhs: f64, rhs: f64) -> Outcome {
        let Evaluation::Compared(c) = at_most(exact(lhs), exact(rhs)) else { unreachable!("a comparison") };
        Outcome::Judged { judgement: judge(&c), comparison: Box::new(c) }
    }

    fn discarded() -> Outcome {
        Outcome::Discarded { hypothesis: "h".into() }
    }

    #[test]
    fn one_violation_refutes_whatever_else_happened() {
        let failed = Outcome::Failed { message: "no".into() };
        let records = [failed, judged(0.0, 1.0), judged(1.0, 0.0)].map(|o| record(FamilyKind::Edge, o));
        assert_eq!(verdict(&records), Verdict::Fails);
    }

    #[test]
    fn nothing_passes_by_default() {
        assert_eq!(verdict(&[]), Verdict::Vacuous);
        assert_eq!(verdict(&[record(FamilyKind::Edge, discarded())]), Verdict::Vacuous);
        let mut records = vec![record(FamilyKind::Random, judged(0.0, 1.0))];
        assert_eq!(verdict(&records), Verdict::Holds);
        records.extend((0..200).map(|_| record(FamilyKind::Random, discarded())));
        assert_eq!(verdict(&records), Verdict::Vacuous);
    }

    #[test]
    fn instances_that_are_to_miss_a_hypothesis_make_no_claim_vacuous() {
        let mut records = vec![record(FamilyKind::Edge, judged(0.0, 1.0))];
        records.extend((0..200).map(|_| record(FamilyKind::Outside, discarded())));
        assert_eq!(verdict(&records), Verdict::Holds);
        records.push(record(FamilyKind::Outside, judged(1.0, 0.0)));
        assert_eq!(verdict(&records), Verdict::Fails, "one that meets them counts like any other");
    }

    #[test]
    fn an_instance_in_doubt_prevents_a_pass() {
        let records = [judged(0.0, 1.0), Outcome::Unrepeated].map(|o| record(FamilyKind::Edge, o));
        assert_eq!(verdict(&records), Verdict::Undecided);
    }

    #[test]
    fn a_trend_that_three_further_draws_support_is_consistent() {
        let Outcome::Judged { comparison, .. } = judged(0.0, 1.0) else { unreachable!("a judgement") };
        let records = [judged(0.0, 1.0), Outcome::Redrawn { comparison }].map(|o| record(FamilyKind::Edge, o));
        assert_eq!(verdict(&records), Verdict::Consistent);
    }

    #[test]
    fn a_refutation_is_as_good_as_its_best_violation_and_a_pass_as_its_weakest_comparison() {
        let compared = |lhs: Enclosure| {
            let Evaluation::Compared(comparison) = at_most(lhs, 1) else { panic!("not compared") };
            Outcome::Judged { judgement: judge(&comparison), comparison: Box::new(comparison) }
        };
        let of = |outcomes: Vec<Outcome>| {
            let records: Vec<Record> = outcomes.into_iter().map(|o| record(FamilyKind::Edge, o)).collect();
            grade(&records)
        };
        let (held, broken) = (Enclosure::measured(0.5), Enclosure::measured(2.0));
        assert_eq!(of(vec![compared(held), compared(exact(2.0))]), Some(Grade::Exact));
        assert_eq!(of(vec![compared(broken), compared(exact(2.0))]), Some(Grade::Exact));
        assert_eq!(of(vec![compared(broken), compared(exact(0.5))]), Some(Grade::Measured));
        assert_eq!(of(vec![compared(held), compared(exact(0.5))]), Some(Grade::Measured));
    }

    #[test]
    fn drawn_instances_do_not_establish_a_statement_whose_constant_is_ours() {
        for (grade, expected) in [
            (Grade::Measured, Verdict::Consistent),
            (Grade::Sampled { alpha: 1e-12 }, Verdict::Consistent),
            (Grade::Exact, Verdict::Holds),
            (Grade::Proved, Verdict::Holds),
        ] {
            assert_eq!(Verdict::Holds.with_our_constant(Some(grade)), expected);
            assert_eq!(Verdict::Fails.with_our_constant(Some(grade)), Verdict::Fails);
            assert_eq!(Verdict::Undecided.with_our_constant(Some(grade)), Verdict::Undecided);
        }
    }

    #[test]
    fn a_trend_that_cannot_be_told_is_inconclusive_and_not_a_pass() {
        let Outcome::Judged { comparison, .. } = judged(0.0, 1.0) else { unreachable!("a judgement") };
        let comparison = Box::new(comparison.of_trend());
        let trend = |judgement| Outcome::Judged { judgement, comparison: comparison.clone() };
        let of = |outcomes: Vec<Outcome>| {
            let records: Vec<Record> = outcomes.into_iter().map(|o| record(FamilyKind::Edge, o)).collect();
            verdict(&records)
        };
        let (agrees, unclear) = (trend(Judgement::Holds), trend(Judgement::Undecided));
        assert_eq!(of(vec![agrees.clone()]), Verdict::Consistent);
        assert_eq!(of(vec![agrees.clone(), unclear.clone()]), Verdict::Inconclusive);
        assert_eq!(of(vec![unclear, trend(Judgement::Violated)]), Verdict::Fails);
    }

    #[test]
    fn a_breakdown_in_the_search_prevents_a_pass_and_what_it_cannot_compute_does_not() {
        let with = |outcome: Outcome| {
            let given = record(FamilyKind::Edge, judged(0.0, 1.0));
            verdict(&[given, record(FamilyKind::Search, outcome)])
        };
        assert_eq!(with(Outcome::Panicked { message: "oh".into() }), Verdict::Undecided);
        assert_eq!(with(Outcome::Unrepeated), Verdict::Undecided);
        assert_eq!(with(Outcome::Failed { message: "no".into() }), Verdict::Holds);
        assert_eq!(with(Outcome::Vacuous { reason: "empty".into() }), Verdict::Holds);
    }

    #[test]
    fn too_few_of_the_given_instances_make_a_claim_vacuous_at_one_in_a_hundred() {
        let of = |discards: usize| {
            let mut records = vec![record(FamilyKind::Random, judged(0.0, 1.0))];
            records.extend((0..discards).map(|_| record(FamilyKind::Random, discarded())));
            // What the search meets counts neither way.
            records.extend((0..5).map(|_| record(FamilyKind::Search, judged(0.0, 1.0))));
            verdict(&records)
        };
        assert_eq!((of(99), of(100)), (Verdict::Holds, Verdict::Vacuous));
        assert_eq!(verdict(&[record(FamilyKind::Search, judged(0.0, 1.0))]), Verdict::Holds);
    }

    #[test]
    fn names_are_read_back() {
        for (verdict, name) in NAMES {
            assert_eq!((verdict.to_string().as_str(), name.parse()), (name, Ok(verdict)));
        }
        assert!("perhaps".parse::<Verdict>().is_err_and(|e| e.contains("not-yet")));
    }

    #[test]
    fn what_search_discards_does_not_make_a_claim_vacuous() {
        let mut records = vec![record(FamilyKind::Edge, judged(0.0, 1.0))];
        records.extend((0..1000).map(|_| record(FamilyKind::Search, discarded())));
        assert_eq!(verdict(&records), Verdict::Holds);
        records.push(record(FamilyKind::Search, judged(f64::NAN, 1.0)));
        assert_eq!(verdict(&records), Verdict::Holds);
        records.push(record(FamilyKind::Search, judged(2.0, 1.0)));
        assert_eq!(verdict(&records), Verdict::Fails);
    }
}
