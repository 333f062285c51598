//! A setting whose types are forgotten, so that claims of every kind stand in one list and one engine runs them all.

use std::any::Any;

use serde_json::Value;

use super::evaluation::Evaluation;
use super::expectation::Expectation;
use super::family::{FamilyKind, FamilySource};
use super::reduction::Reduction;
use super::setting::{CheckInfo, Classification, Role};
use super::subject::Subject;
use super::trial::{MeasureError, Trial};
use crate::enclosure::Enclosure;
use crate::headline::Sense;
use crate::run::ProofResult;

/// The quantities of one instance.
pub(crate) type Measured = Box<dyn Any>;

/// A named predicate on instances.
pub(crate) struct Hypothesis {
    pub(crate) name: &'static str,
    pub(crate) met: Box<dyn Fn(&Subject) -> bool + Send + Sync>,
}

type Test = Box<dyn Fn(&Subject, &Measured) -> Evaluation + Send + Sync>;
type Measure = Box<dyn Fn(&Subject, &mut Trial) -> Result<Measured, MeasureError> + Send + Sync>;

/// One comparison that is made on every instance.
pub(crate) struct Check {
    pub(crate) id: &'static str,
    pub(crate) role: Role,
    pub(crate) statement: &'static str,
    pub(crate) expectation: Expectation,
    pub(crate) when: Vec<Hypothesis>,
    pub(crate) classification: Classification,
    pub(crate) test: Test,
    pub(crate) proofs: Vec<Box<dyn Reduction>>,
}

impl Check {
    pub(crate) fn info(&self) -> CheckInfo {
        CheckInfo {
            id: self.id,
            role: self.role,
            statement: self.statement,
            expectation: self.expectation.clone(),
            when: self.when.iter().map(|h| h.name).collect(),
            classification: self.classification.clone(),
            proofs: self.proofs.iter().map(|p| p.info()).collect(),
        }
    }
}

type Grouping = Box<dyn Fn(&Subject) -> Option<String> + Send + Sync>;
type Needed = Box<dyn Fn(&Subject, &Measured) -> Option<Enclosure> + Send + Sync>;

/// A constant of the statement, and what an instance asks of it.
pub(crate) struct Constant {
    pub(crate) id: &'static str,
    pub(crate) statement: &'static str,
    pub(crate) printed: &'static str,
    pub(crate) group: Grouping,
    pub(crate) needed: Needed,
}

/// A named source of instances.
pub(crate) struct AnyFamily {
    pub(crate) name: &'static str,
    pub(crate) source: FamilySource,
}

/// Everything that a setting declares.
pub(crate) struct AnySetting {
    pub(crate) hypotheses: Vec<Hypothesis>,
    pub(crate) families: Vec<AnyFamily>,
    pub(crate) measure: Measure,
    pub(crate) checks: Vec<Check>,
    /// Senses that consist of one check each.
    pub(crate) senses: Vec<Sense>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) searched: bool,
    /// An instance from its stored form.
    pub(crate) read: fn(&Value) -> serde_json::Result<Subject>,
}

impl AnySetting {
    pub(crate) fn checks(&self) -> Vec<CheckInfo> {
        self.checks.iter().map(Check::info).collect()
    }

    pub(crate) fn hypotheses(&self) -> Vec<&'static str> {
        self.hypotheses.iter().map(|h| h.name).collect()
    }

    pub(crate) fn families(&self) -> Vec<(FamilyKind, &'static str)> {
        self.families.iter().map(|f| (f.source.kind(), f.name)).collect()
    }

    pub(crate) fn prove(&self) -> Vec<(&'static str, ProofResult)> {
        let of = |check: &Check| -> Vec<(&'static str, ProofResult)> {
            let proofs = check.proofs.iter();
            proofs
                .map(|p| (check.id, crate::run::prove_alone(p.as_ref())))
                .collect()
        };
        self.checks.iter().flat_map(of).collect()
    }
}
