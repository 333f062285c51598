//! What is kept of a check's trials.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::advice::advice;
use super::power::Weakness;
use crate::claim::{
    Assumptions, CheckInfo, Cited, Classification, Comparison, Expectation, FamilyKind, ProofResult, Role, holds,
    settle,
};
use crate::judge::{Judgement, is_decided_by_scale, vanishes};
use crate::run::trials::Counts;
use crate::run::witness::Witness;
use crate::verdict::{Outcome, Record, Verdict, grade, verdict};
use enclosures::enclosure::Grade;

/// One instance worth showing, with both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// The instance's name.
    pub instance: String,
    /// The instance in words; empty if a search has not kept it.
    pub description: String,
    /// Both sides.
    pub comparison: Comparison,
}

/// The evidence on one check. What the claim declares of it is not written down with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    /// The check's id within its claim.
    #[serde(skip)]
    pub id: &'static str,
    /// Its part in the claim.
    pub role: Role,
    /// What it compares.
    #[serde(skip)]
    pub statement: &'static str,
    /// What the catalogue expects.
    #[serde(skip, default = "holds")]
    pub expectation: Expectation,
    /// How it counts among the readings.
    #[serde(skip)]
    pub classification: Classification,
    /// All that it assumes.
    #[serde(skip)]
    pub assumes: Assumptions,
    /// Reasons to say nothing that it gave without declaring them: a fault of the catalogue.
    pub undeclared: Vec<String>,
    /// Where a scale or a tolerance of its own decided.
    pub scaled: Option<Scaled>,
    /// What the trials say.
    pub verdict: Verdict,
    /// The weakest grade the verdict rests on; none if nothing was judged.
    pub grade: Option<Grade>,
    /// What the grade would be if no theorem were cited: that of the instances and of proofs by subdivision.
    pub grade_without_theorems: Option<Grade>,
    /// How the trials ended.
    pub counts: Counts,
    /// The instance with the least room to spare among those that hold.
    pub tightest: Option<Sighting>,
    /// Where the search found that one, the one with the least room before it.
    pub before_search: Option<Sighting>,
    /// The first instance left in doubt.
    pub doubtful: Option<Sighting>,
    /// What would decide it.
    pub advice: Option<String>,
    /// The first message of a trial that could not be judged.
    pub trouble: Option<String>,
    /// The instance that refutes the check, if there is one.
    #[serde(with = "as_json")]
    pub witness: Option<Witness>,
    /// The shortest instance of the families that violates it, in words, where the witness is shorter to write down.
    pub shortest_offered: Option<String>,
    /// Its proofs by subdivision.
    pub proofs: Vec<ProofResult>,
    /// The theorems that it cites.
    #[serde(skip)]
    pub theorems: Vec<Cited>,
    /// Why it shows little, as far as a machine can tell.
    pub weaknesses: Vec<Weakness>,
}

/// A witness as JSON text: the instance in it has no form that a reader of bytes knows before.
mod as_json {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Error as _, Serialize, Serializer};

    use crate::run::witness::Witness;

    pub fn serialize<S: Serializer>(witness: &Option<Witness>, serializer: S) -> Result<S::Ok, S::Error> {
        let text = witness.as_ref().map(serde_json::to_string).transpose().map_err(S::Error::custom)?;
        text.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Witness>, D::Error> {
        let text: Option<String> = Option::deserialize(deserializer)?;
        text.map(|text| serde_json::from_str(&text)).transpose().map_err(D::Error::custom)
    }
}

impl CheckResult {
    /// A result that was read, with what the claim declares of its check; none if that check has other proofs.
    pub(crate) fn declared_by(self, check: CheckInfo) -> Option<Self> {
        if self.proofs.len() != check.proofs.len() {
            return None;
        }
        let proofs = self.proofs.into_iter().zip(check.proofs).map(|(proof, info)| ProofResult { info, ..proof });
        Some(CheckResult {
            id: check.id,
            role: check.role,
            statement: check.statement,
            expectation: check.expectation,
            classification: check.classification,
            assumes: check.assumes,
            proofs: proofs.collect(),
            theorems: check.theorems,
            ..self
        })
    }

    /// With the grade that proofs by subdivision and theorems raise: the first if they cover every judged instance of the families, the second if
    /// they settle the check as its instances do.
    pub(crate) fn graded(mut self, is_covered: bool) -> Self {
        if self.verdict == Verdict::Holds && is_covered {
            self.grade = Some(Grade::Proved);
        }
        self.grade_without_theorems = self.grade;
        if settle(&self.theorems, self.verdict) {
            self.grade = Some(Grade::Checked);
        }
        self
    }

    /// The theorems that say of the whole check what its verdict contradicts.
    pub fn contradicted(&self) -> impl Iterator<Item = &Cited> {
        self.theorems.iter().filter(|cited| cited.contradicts(self.verdict))
    }

    /// Whether the verdict is the expected one, every proof ended as announced, and no theorem says otherwise.
    #[must_use]
    pub fn as_expected(&self) -> bool {
        self.verdict == self.expectation.verdict
            && self.undeclared.is_empty()
            && self.proofs.iter().all(ProofResult::succeeded)
            && self.contradicted().next().is_none()
    }
}

/// Where the scale or the tolerance of a comparison decided: on the larger side, and to within 2^-30, the judge would have said
/// something else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaled {
    /// On how many instances.
    pub instances: usize,
    /// What the scale is the size of, where the check names it.
    pub name: Option<Cow<'static, str>>,
    /// The largest fraction of the scale by which sides may differ and still count as equal.
    pub tolerance: f64,
    /// The largest difference of the two sides that was let pass, as a multiple of the larger side; of an identity only.
    pub most: f64,
}

fn scaled(records: &[Record]) -> Option<Scaled> {
    let mut found: Option<Scaled> = None;
    for record in records {
        let Outcome::Judged { comparison: c, .. } = &record.outcome else {
            continue;
        };
        if !is_decided_by_scale(c) {
            continue;
        }
        let allowed = c.tolerance * c.scale / c.natural_scale().max(f64::MIN_POSITIVE);
        let so_far = found.get_or_insert(Scaled { instances: 0, name: None, tolerance: 0.0, most: 0.0 });
        so_far.instances += 1;
        so_far.tolerance = so_far.tolerance.max(c.tolerance);
        so_far.name = so_far.name.take().or_else(|| c.scale_name.clone());
        so_far.most = so_far.most.max(allowed);
    }
    found
}

/// The reasons to say nothing that a check gave, on a whole instance or for a part of it, without having declared them.
fn undeclared(declared: &[&'static str], records: &[Record]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for record in records {
        let reasons = match &record.outcome {
            Outcome::Vacuous { reason } => std::slice::from_ref(reason),
            Outcome::Judged { comparison, .. } => comparison.left_out.as_slice(),
            _ => &[],
        };
        for reason in reasons {
            if !declared.contains(&reason.as_str()) && !found.contains(reason) {
                found.push(reason.clone());
            }
        }
    }
    found
}

/// The evidence that recorded trials hold.
pub(crate) fn summarise(
    check: CheckInfo,
    records: &[Record],
    witness: Option<Witness>,
    in_words: &dyn Fn(usize) -> Option<String>,
) -> CheckResult {
    let mut counts = Counts::default();
    let mut tightest: Option<(f64, usize, &Comparison)> = None;
    let mut before_search = None;
    let (mut doubtful, mut trouble) = (None, None);
    for (at, record) in records.iter().enumerate() {
        counts.count(record.family, &record.outcome);
        match &record.outcome {
            Outcome::Failed { message } | Outcome::Panicked { message } => {
                trouble.get_or_insert_with(|| format!("{}: {message}", record.instance));
            }
            Outcome::Judged { judgement: Judgement::Undecided, comparison } => {
                let sighting = || Sighting {
                    instance: record.instance.clone(),
                    description: in_words(at).unwrap_or_default(),
                    comparison: (**comparison).clone(),
                };
                // Only a given instance in doubt prevents a pass, so it is the one to show.
                if record.family != FamilyKind::Search || doubtful.is_none() {
                    doubtful.get_or_insert_with(sighting);
                }
            }
            // What agrees because double precision ends says nothing of how close a violation is.
            Outcome::Judged { judgement: judgement @ (Judgement::Touches | Judgement::Holds), comparison }
                if !vanishes(comparison) =>
            {
                let room = if *judgement == Judgement::Touches { 0.0 } else { comparison.relative_margin() };
                let closer = |than: Option<(f64, usize, &Comparison)>| than.is_none_or(|(least, _, _)| room < least);
                if record.family != FamilyKind::Search && closer(before_search) {
                    before_search = Some((room, at, &**comparison));
                }
                if closer(tightest) {
                    tightest = Some((room, at, comparison));
                }
            }
            _ => {}
        }
    }
    let (found, grade) = (verdict(records), grade(records));
    let sighting = |(_, at, comparison): (f64, usize, &Comparison)| Sighting {
        instance: records[at].instance.clone(),
        description: in_words(at).unwrap_or_default(),
        comparison: comparison.clone(),
    };
    let by_search = tightest.is_some_and(|(_, at, _)| records[at].family == FamilyKind::Search);
    CheckResult {
        id: check.id,
        role: check.role,
        statement: check.statement,
        expectation: check.expectation,
        undeclared: undeclared(&check.assumes.exceptions, records),
        assumes: check.assumes,
        scaled: scaled(records),
        verdict: match check.classification.our_constant {
            Some(_) => found.with_our_constant(grade),
            None => found,
        },
        classification: check.classification,
        grade,
        grade_without_theorems: grade,
        counts,
        tightest: tightest.map(sighting),
        before_search: before_search.filter(|_| by_search).map(sighting),
        advice: doubtful.as_ref().map(|sighting: &Sighting| advice(&sighting.comparison)),
        doubtful,
        trouble,
        witness,
        shortest_offered: None,
        proofs: Vec::new(),
        theorems: check.theorems,
        weaknesses: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::holds;
    use crate::comparison::{Evaluation, at_most, equal};
    use crate::judge::judge;
    use enclosures::enclosure::Enclosure;

    fn judged(evaluation: Evaluation) -> Outcome {
        let Evaluation::Compared(comparison) = evaluation else { panic!("not a comparison: {evaluation:?}") };
        Outcome::Judged { judgement: judge(&comparison), comparison: Box::new(comparison) }
    }

    fn record(family: FamilyKind, instance: &str, outcome: Outcome) -> Record {
        Record { family, instance: instance.into(), outcome }
    }

    fn check() -> CheckInfo {
        CheckInfo {
            id: "printed",
            role: Role::Part,
            statement: "what is compared",
            expectation: holds(),
            when: Vec::new(),
            assumes: Assumptions { exceptions: vec!["declared"], ..Assumptions::default() },
            classification: Classification::default(),
            proofs: Vec::new(),
            theorems: Vec::new(),
        }
    }

    fn summed(records: &[Record]) -> CheckResult {
        summarise(check(), records, None, &|at| Some(format!("instance {at}")))
    }

    /// e^{−2000} ≤ e^{−1000}, of which double precision knows that both are tiny.
    fn beyond_doubles() -> Evaluation {
        at_most(Enclosure::from(-2000).exp(), Enclosure::from(-1000).exp())
    }

    fn unclear() -> Outcome {
        judged(at_most(Enclosure::between(0.0, 2.0), 1))
    }

    #[test]
    fn the_instance_with_the_least_room_is_shown() {
        let third = Enclosure::from(1) / 3.0;
        let records = [
            record(FamilyKind::Edge, "roomy", judged(at_most(1, 10))),
            record(FamilyKind::Edge, "close", judged(at_most(9, 10))),
            record(FamilyKind::Edge, "also close", judged(at_most(9, 10))),
        ];
        let found = summed(&records);
        let tightest = found.tightest.expect("one that holds");
        assert_eq!((tightest.instance.as_str(), tightest.description.as_str()), ("close", "instance 1"));
        assert_eq!(found.before_search, None);
        let touching = record(FamilyKind::Search, "touching", judged(at_most(third, third)));
        let found = summed(&[&records[..], &[touching]].concat());
        assert_eq!(found.tightest.expect("one that holds").instance, "touching");
        assert_eq!(found.before_search.expect("one of a family").instance, "close");
        let unseen = record(FamilyKind::Edge, "beyond doubles", judged(beyond_doubles()));
        let shown = summed(&[&[unseen], &records[..]].concat());
        assert_eq!(shown.tightest.expect("one that holds").instance, "close");
        assert_eq!((found.verdict, found.grade), (Verdict::Holds, Some(Grade::Exact)));
    }

    #[test]
    fn an_instance_of_a_family_in_doubt_is_shown_before_one_of_the_search() {
        let searched = record(FamilyKind::Search, "searched", unclear());
        let given = record(FamilyKind::Edge, "given", unclear());
        let roomy = record(FamilyKind::Edge, "roomy", judged(at_most(1, 10)));
        let shown = |records: &[Record]| summed(records).doubtful.map(|s| s.instance);
        assert_eq!(shown(&[roomy.clone(), searched.clone()]).as_deref(), Some("searched"));
        assert_eq!(shown(&[given.clone(), searched]).as_deref(), Some("given"));
        assert_eq!(shown(std::slice::from_ref(&roomy)), None);
        let found = summed(&[roomy, given]);
        assert!(found.advice.is_some() && found.verdict == Verdict::Undecided);
    }

    #[test]
    fn the_first_trouble_and_what_was_not_declared_are_named() {
        let records = [
            record(FamilyKind::Edge, "one", Outcome::Failed { message: "no".into() }),
            record(FamilyKind::Edge, "two", Outcome::Panicked { message: "oh".into() }),
            record(FamilyKind::Edge, "three", Outcome::Vacuous { reason: "declared".into() }),
            record(FamilyKind::Edge, "four", Outcome::Vacuous { reason: "silent".into() }),
            record(FamilyKind::Edge, "five", Outcome::Vacuous { reason: "silent".into() }),
        ];
        let found = summed(&records);
        assert_eq!(found.trouble.as_deref(), Some("one: no"));
        assert_eq!(found.undeclared, ["silent"]);
        assert!(!found.as_expected());
    }

    #[test]
    fn where_a_scale_decides_it_is_counted_with_the_largest_difference() {
        let apart = |difference: f64| {
            let second = Enclosure::from(1) + difference;
            judged(equal(1, second).on_scale_of("the whole", 1024.0).within(1.0 / 1024.0))
        };
        let records = [
            record(FamilyKind::Edge, "the same", judged(equal(1, 1))),
            record(FamilyKind::Edge, "near", apart(0.25)),
            record(FamilyKind::Edge, "nearer", apart(0.125)),
        ];
        let scaled = summed(&records).scaled.expect("a scale decided");
        assert_eq!((scaled.instances, scaled.name.as_deref()), (2, Some("the whole")));
        assert_eq!(scaled.most, 1.0 / 1.125);
    }
}
