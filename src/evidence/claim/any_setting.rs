//! A setting whose types are forgotten, so that claims of every kind stand in one list and one engine runs them all.

use std::any::TypeId;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::check::{Assumptions, CheckInfo, Classification};
use super::expectation::Expectation;
use super::family::FamilySource;
use super::measurement::{Measurement, Measurements};
use super::proof_result::ProofResult;
use super::question::{Measured, MeasuredQuestion, Question};
use super::reduction::Reduction;
use super::subject::Subject;
use super::theorem::{Cited, Theorems};
use super::trial::{MeasureError, Trial};
use crate::comparison::Evaluation;
use crate::family_kind::FamilyKind;
use crate::headline::Sense;
use crate::role::Role;
use enclosures::enclosure::Enclosure;

/// A [`Hypothesis`](super::Hypothesis) whose type is forgotten.
#[derive(Clone)]
pub(crate) struct AnyHypothesis {
    pub(crate) name: &'static str,
    /// Whether it only tells which of several statements an instance belongs to: no statement is left of it without.
    pub(crate) selects: bool,
    /// Whether the statement itself says which instances are its own, so that this assumes nothing beyond it.
    pub(crate) is_said: bool,
    pub(crate) met: Arc<dyn Question<bool>>,
}

impl AnyHypothesis {
    pub(crate) fn is_met(&self, instance: &Subject) -> bool {
        self.met.ask(instance)
    }
}

pub(crate) type Test = Box<dyn MeasuredQuestion<Evaluation>>;
type Measure = Box<dyn Fn(&Subject, &mut Trial) -> Result<Measured, MeasureError> + Send + Sync>;

pub(crate) type Guide = Box<dyn Question<Evaluation>>;

/// One comparison that is made on every instance.
pub(crate) struct Check {
    pub(crate) id: &'static str,
    pub(crate) role: Role,
    pub(crate) statement: &'static str,
    pub(crate) expectation: Expectation,
    pub(crate) when: Vec<AnyHypothesis>,
    pub(crate) classification: Classification,
    /// Where the check says nothing.
    pub(crate) exceptions: Vec<&'static str>,
    pub(crate) test: Test,
    /// The test in plain floating point, where there is one: it guides a search and decides nothing.
    pub(crate) guide: Option<Guide>,
    pub(crate) proofs: Vec<Box<dyn Reduction>>,
    /// The theorems that say so, too.
    pub(crate) theorems: Vec<Cited>,
}

impl Check {
    pub(crate) fn info(&self, setting: &AnySetting) -> CheckInfo {
        let shared = setting.hypotheses.iter();
        let (restrictions, restricted_throughout) = setting.restrictions();
        CheckInfo {
            assumes: Assumptions {
                givens: setting.givens.clone(),
                hypotheses: shared.chain(&self.when).filter(|h| !h.is_said).map(|h| h.name).collect(),
                exceptions: self.exceptions.clone(),
                restrictions,
                restricted_throughout,
            },
            id: self.id,
            role: self.role,
            statement: self.statement,
            expectation: self.expectation.clone(),
            when: self.when.iter().filter(|h| !h.is_said).map(|h| h.name).collect(),
            classification: self.classification.clone(),
            proofs: self.proofs.iter().map(|p| p.info()).collect(),
            theorems: self.theorems.clone(),
        }
    }
}

/// A constant of the statement, and what an instance asks of it.
pub(crate) struct Constant {
    pub(crate) id: &'static str,
    pub(crate) statement: &'static str,
    pub(crate) printed: &'static str,
    pub(crate) group: Box<dyn Question<Option<String>>>,
    pub(crate) needed: Box<dyn MeasuredQuestion<Option<Enclosure>>>,
}

/// A named source of instances.
pub(crate) struct AnyFamily {
    pub(crate) name: &'static str,
    pub(crate) source: FamilySource,
    /// What it restricts beyond the hypotheses, where numbers cannot show it.
    pub(crate) restriction: Option<&'static str>,
}

/// More instances than this are not told one by one.
const LISTED: usize = 12;

impl AnyFamily {
    /// The instances in words, where they were picked by hand; of many that no other words describe the number, the first and the last.
    fn picked(&self) -> Option<String> {
        match &self.source {
            FamilySource::Edge(list) => {
                let words: Vec<String> = list.instances().iter().map(|(_, instance)| instance.describe()).collect();
                match (words.len(), self.restriction) {
                    (0, _) => None,
                    (1..=LISTED, _) => Some(words.join("; ")),
                    (_, Some(_)) => None,
                    (more, None) => Some(format!(
                        "{more} instances, of which the first is {}, and the last {} ({})",
                        words[0],
                        words[more - 1],
                        self.name
                    )),
                }
            }
            FamilySource::Data(_) => Some(self.name.to_owned()),
            FamilySource::Outside(_) | FamilySource::Random { .. } => None,
        }
    }
}

/// Everything that a setting declares.
pub(crate) struct AnySetting {
    /// The type of the instances: settings that share it can try each other's.
    pub(crate) of: TypeId,
    /// What the type or the construction of the instances guarantees.
    pub(crate) givens: Vec<&'static str>,
    pub(crate) hypotheses: Vec<AnyHypothesis>,
    pub(crate) families: Vec<AnyFamily>,
    measure: Measure,
    measurements: Measurements,
    pub(crate) checks: Vec<Check>,
    /// Senses that consist of one check each.
    pub(crate) senses: Vec<Sense>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) searched: bool,
    /// Whether it is asked what the checks need each hypothesis for.
    pub(crate) asks_for_need: bool,
    /// Work that a search may spend beyond its budget, as long as it comes closer.
    pub(crate) further: u64,
    /// Whether counted work alone ends the search.
    pub(crate) is_sparing: bool,
    /// Whether checks compute what they compare from the instance alone, with nothing measured first.
    pub(crate) plain: bool,
    /// Which instances refute without convincing.
    pub(crate) degenerate: Option<AnyHypothesis>,
    /// [`AnySetting::restrictions`], once they were asked for.
    pub(crate) restrictions: OnceLock<(Vec<String>, bool)>,
    /// An instance from its stored form.
    pub(crate) read: fn(&Value) -> serde_json::Result<Subject>,
}

impl AnySetting {
    /// Nothing declared yet; what needs no type is compiled here, once, and not beside every claim.
    pub(crate) fn of(
        of: TypeId,
        plain: bool,
        measure: Measure,
        read: fn(&Value) -> serde_json::Result<Subject>,
    ) -> Box<Self> {
        Box::new(AnySetting {
            of,
            givens: Vec::new(),
            hypotheses: Vec::new(),
            families: Vec::new(),
            measure,
            measurements: Measurements::default(),
            checks: Vec::new(),
            senses: Vec::new(),
            constants: Vec::new(),
            searched: true,
            asks_for_need: true,
            further: 0,
            is_sparing: false,
            plain,
            degenerate: None,
            restrictions: OnceLock::new(),
            read,
        })
    }

    /// The quantities of an instance.
    pub(crate) fn measured(&self, instance: &Subject, trial: &mut Trial) -> Result<Measurement, MeasureError> {
        let measure = |trial: &mut Trial| (self.measure)(instance, trial);
        let few = !self.searched && !self.plain;
        self.measurements.recalled_or(few, instance, trial, measure)
    }

    /// Gives back what was measured.
    pub(crate) fn forget(&self) {
        self.measurements.forget();
    }

    pub(crate) fn declare(
        &mut self,
        role: Role,
        id: &'static str,
        statement: &'static str,
        expectation: Expectation,
        test: Test,
    ) {
        self.checks.push(Check {
            id,
            role,
            statement,
            expectation,
            when: Vec::new(),
            classification: Classification::default(),
            exceptions: Vec::new(),
            test,
            guide: None,
            proofs: Vec::new(),
            theorems: Vec::new(),
        });
    }

    pub(crate) fn draw_from(&mut self, name: &'static str, source: FamilySource, restriction: Option<&'static str>) {
        self.families.push(AnyFamily { name, source, restriction });
    }

    /// A hypothesis of the check declared last, or of all where none is declared yet.
    pub(crate) fn assume(&mut self, hypothesis: AnyHypothesis) {
        match self.checks.last_mut() {
            Some(check) => check.when.push(hypothesis),
            None => self.hypotheses.push(hypothesis),
        }
    }

    /// The check declared last. What is said of a check stands behind it; said before any, it would be lost.
    #[track_caller]
    pub(crate) fn last_check(&mut self) -> &mut Check {
        match self.checks.last_mut() {
            Some(check) => check,
            None => {
                panic!("this is said of the check declared last, and none is declared yet: put it behind the check")
            }
        }
    }

    /// Looks up the theorems that the checks cite.
    pub(crate) fn look_up(&mut self, record: &Theorems, claim: &str) {
        for check in &mut self.checks {
            let (id, role) = (check.id, check.role);
            check.theorems.iter_mut().for_each(|cited| *cited = cited.looked_up(record, claim, id, role));
        }
    }

    pub(crate) fn checks(&self) -> Vec<CheckInfo> {
        self.checks.iter().map(|check| check.info(self)).collect()
    }

    pub(crate) fn info(&self, check: usize) -> CheckInfo {
        self.checks[check].info(self)
    }

    /// What the families restrict beyond the hypotheses: in their own words, and where all that is tried was picked by hand, the instances
    /// themselves, or how many they are; and whether every family is restricted, so that nothing else is tried.
    pub(crate) fn restrictions(&self) -> (Vec<String>, bool) {
        let tried = || {
            let is_tried = |f: &&AnyFamily| !matches!(f.source, FamilySource::Outside(_));
            self.families.iter().filter(is_tried)
        };
        let is_picked = |f: &AnyFamily| !matches!(f.source, FamilySource::Random { .. });
        let all_picked = !self.searched && tried().all(is_picked);
        let told = |f: &AnyFamily| match (f.restriction, all_picked.then(|| f.picked()).flatten()) {
            (None, None) => None,
            (Some(words), None) => Some(format!("{words} ({})", f.name)),
            (None, Some(list)) => Some(list),
            (Some(words), Some(list)) => Some(format!("{words} ({}): {list}", f.name)),
        };
        let restrictions = || {
            let words: Vec<String> = tried().filter_map(told).collect();
            let throughout = !self.searched && words.len() == tried().count();
            (words, throughout)
        };
        self.restrictions.get_or_init(restrictions).clone()
    }

    pub(crate) fn families(&self) -> Vec<(FamilyKind, &'static str)> {
        self.families.iter().map(|f| (f.source.kind(), f.name)).collect()
    }

    pub(crate) fn prove(&self) -> Vec<(&'static str, ProofResult)> {
        let of = |check: &Check| -> Vec<(&'static str, ProofResult)> {
            let proofs = check.proofs.iter();
            proofs.map(|p| (check.id, ProofResult::alone(p.as_ref()))).collect()
        };
        self.checks.iter().flat_map(of).collect()
    }
}
