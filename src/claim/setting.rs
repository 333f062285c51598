//! A setting: the instances a statement quantifies over, what is measured on each, and the checks that compare it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::evaluation::Evaluation;
use super::expectation::{Expectation, fails};
use super::family::{Family, FamilyKind};
use super::reduction::{ProofInfo, Reduced, Reduction};
use super::trial::{MeasureError, Trial};
use crate::enclosure::Enclosure;
use crate::instance::Instance;
use crate::proof::Proof;
use crate::run::{CheckMutants, Context, ProofResult, Rejudged, SettingResult};

/// What part a check plays in its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A reading of the statement; the first is the statement as printed.
    Reading,
    /// A step of the printed proof.
    Step,
    /// A deliberately false variant, which must be refuted.
    Control,
    /// The corrected statement of a claim that fails as printed.
    Amendment,
    /// A stronger statement that holds.
    Sharpening,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Reading => "reading",
            Role::Step => "step",
            Role::Control => "control",
            Role::Amendment => "amendment",
            Role::Sharpening => "sharpening",
        })
    }
}

/// A named predicate on instances.
pub(crate) struct Hypothesis<I> {
    pub(crate) name: &'static str,
    pub(crate) met: Box<dyn Fn(&I) -> bool + Send + Sync>,
}

type Test<I, Q> = Box<dyn Fn(&I, &Q) -> Evaluation + Send + Sync>;
type Measure<I, Q> = Box<dyn Fn(&I, &mut Trial) -> Result<Q, MeasureError> + Send + Sync>;

/// One comparison that is made on every instance.
pub(crate) struct Check<I, Q> {
    pub(crate) id: &'static str,
    pub(crate) role: Role,
    pub(crate) statement: &'static str,
    pub(crate) expectation: Expectation,
    pub(crate) when: Vec<Hypothesis<I>>,
    pub(crate) test: Test<I, Q>,
    pub(crate) proofs: Vec<Box<dyn Reduction<I>>>,
}

type Grouping<I> = Box<dyn Fn(&I) -> Option<String> + Send + Sync>;
type Needed<I, Q> = Box<dyn Fn(&I, &Q) -> Option<Enclosure> + Send + Sync>;

/// A constant of the statement, and what an instance asks of it.
pub(crate) struct Constant<I, Q> {
    pub(crate) id: &'static str,
    pub(crate) statement: &'static str,
    pub(crate) printed: &'static str,
    pub(crate) group: Grouping<I>,
    pub(crate) needed: Needed<I, Q>,
}

/// What a reader can know of a check without running it.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// The id within the claim ("printed", "s1", "a").
    pub id: &'static str,
    /// Its part in the claim.
    pub role: Role,
    /// What it compares, in plain mathematics.
    pub statement: &'static str,
    /// What the catalogue expects.
    pub expectation: Expectation,
    /// Hypotheses of this check beyond those of the setting.
    pub when: Vec<&'static str>,
    /// Its proofs by subdivision.
    pub proofs: Vec<ProofInfo>,
}

impl<I, Q> Check<I, Q> {
    pub(crate) fn info(&self) -> CheckInfo {
        CheckInfo {
            id: self.id,
            role: self.role,
            statement: self.statement,
            expectation: self.expectation.clone(),
            when: self.when.iter().map(|h| h.name).collect(),
            proofs: self.proofs.iter().map(|p| p.info()).collect(),
        }
    }
}

/// Instances of type `I`, the quantities `Q` measured once on each, and the checks that compare them.
pub struct Setting<I, Q> {
    pub(crate) hypotheses: Vec<Hypothesis<I>>,
    pub(crate) families: Vec<Family<I>>,
    pub(crate) measure: Measure<I, Q>,
    pub(crate) checks: Vec<Check<I, Q>>,
    pub(crate) constants: Vec<Constant<I, Q>>,
    pub(crate) searched: bool,
}

/// The ways to declare a check with an expectation; they differ in the part that the check plays.
macro_rules! declared_as {
    ($($(#[$doc:meta])* $name:ident => $role:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(
            self,
            id: &'static str,
            statement: &'static str,
            expectation: Expectation,
            test: impl Fn(&I, &Q) -> Evaluation + Send + Sync + 'static,
        ) -> Self {
            self.check(Role::$role, id, statement, expectation, test)
        }
    )*};
}

impl<I: Instance> Setting<I, ()> {
    /// A setting in which every check computes what it needs from the instance itself.
    #[must_use]
    pub fn of() -> Self {
        Self::measuring(|_, _| Ok(()))
    }
}

impl<I: Instance, Q: 'static> Setting<I, Q> {
    /// A setting in which `measure` computes the quantities that its checks compare, once for each instance.
    #[must_use]
    pub fn measuring(measure: impl Fn(&I, &mut Trial) -> Result<Q, MeasureError> + Send + Sync + 'static) -> Self {
        Setting {
            hypotheses: Vec::new(),
            families: Vec::new(),
            measure: Box::new(measure),
            checks: Vec::new(),
            constants: Vec::new(),
            searched: true,
        }
    }

    /// A hypothesis of the statement. Instances that miss it are discarded and counted.
    #[must_use]
    pub fn assume(mut self, name: &'static str, met: impl Fn(&I) -> bool + Send + Sync + 'static) -> Self {
        self.hypotheses.push(Hypothesis {
            name,
            met: Box::new(met),
        });
        self
    }

    /// A source of instances.
    #[must_use]
    pub fn family(mut self, family: Family<I>) -> Self {
        self.families.push(family);
        self
    }

    /// Several sources of instances, for families that claims share.
    #[must_use]
    pub fn families(mut self, families: impl IntoIterator<Item = Family<I>>) -> Self {
        self.families.extend(families);
        self
    }

    /// Leaves out the adversarial search: the instances are finite in number, or a trial is a simulation.
    #[must_use]
    pub fn without_search(mut self) -> Self {
        self.searched = false;
        self
    }

    fn check(
        mut self,
        role: Role,
        id: &'static str,
        statement: &'static str,
        expectation: Expectation,
        test: impl Fn(&I, &Q) -> Evaluation + Send + Sync + 'static,
    ) -> Self {
        self.checks.push(Check {
            id,
            role,
            statement,
            expectation,
            when: Vec::new(),
            test: Box::new(test),
            proofs: Vec::new(),
        });
        self
    }

    declared_as! {
        /// A reading of the statement. The first reading of a claim is the statement as printed.
        reading => Reading,
        /// A step of the printed proof.
        step => Step,
        /// The corrected form of a statement that fails as printed.
        amendment => Amendment,
        /// A stronger form that holds.
        sharpening => Sharpening,
    }

    /// A deliberately false variant: the families must refute it.
    #[must_use]
    pub fn control(
        self,
        id: &'static str,
        statement: &'static str,
        test: impl Fn(&I, &Q) -> Evaluation + Send + Sync + 'static,
    ) -> Self {
        self.check(
            Role::Control,
            id,
            statement,
            fails("a deliberately false variant"),
            test,
        )
    }

    /// A constant of the statement for the tightness ledger: `needed` is the smallest value with which the statement holds on an
    /// instance (none if any value will do), `group` the size that the constant may depend on ("N_C = 3"; none leaves the instance out), `printed`
    /// what the statement grants. The families and a search of their own raise the largest value found in each group.
    #[must_use]
    pub fn constant(
        mut self,
        id: &'static str,
        statement: &'static str,
        printed: &'static str,
        group: impl Fn(&I) -> Option<String> + Send + Sync + 'static,
        needed: impl Fn(&I, &Q) -> Option<Enclosure> + Send + Sync + 'static,
    ) -> Self {
        self.constants.push(Constant {
            id,
            statement,
            printed,
            group: Box::new(group),
            needed: Box::new(needed),
        });
        self
    }

    /// Restricts the check declared last to instances with a further property.
    #[must_use]
    pub fn when(mut self, name: &'static str, met: impl Fn(&I) -> bool + Send + Sync + 'static) -> Self {
        if let Some(check) = self.checks.last_mut() {
            check.when.push(Hypothesis {
                name,
                met: Box::new(met),
            });
        }
        self
    }

    /// Adds a proof by subdivision to the check declared last.
    ///
    /// `parameters` gives the parameters of an instance (none if the proof does not speak of it), `instance` an instance with
    /// given parameters. On every judged instance the margin of the proof is compared with that of the check; a point
    /// at which the proof is refuted is tried as an instance. If all proofs succeed, and every judged instance of the families lies in
    /// the domain of one of them, a check that holds has the grade `proved`.
    #[must_use]
    pub fn proved_by<const K: usize>(
        mut self,
        proof: Proof<K>,
        parameters: impl Fn(&I) -> Option<[Enclosure; K]> + Send + Sync + 'static,
        instance: impl Fn([f64; K]) -> I + Send + Sync + 'static,
    ) -> Self {
        if let Some(check) = self.checks.last_mut() {
            check.proofs.push(Box::new(Reduced {
                proof,
                parameters,
                instance,
            }));
        }
        self
    }
}

/// A setting whose types are forgotten, so that claims of every kind stand in one list.
pub(crate) trait AnySetting: Send + Sync {
    fn checks(&self) -> Vec<CheckInfo>;
    fn hypotheses(&self) -> Vec<&'static str>;
    fn families(&self) -> Vec<(FamilyKind, &'static str)>;
    fn run(&self, context: &Context<'_>) -> SettingResult;
    fn prove(&self) -> Vec<(&'static str, ProofResult)>;
    fn mutate(&self, claim: &'static str, context: &Context<'_>) -> Vec<CheckMutants>;
    fn rejudge(&self, check: &str, instance: &Value, context: &Context<'_>) -> Result<Rejudged, String>;
}

impl<I: Instance, Q: 'static> AnySetting for Setting<I, Q> {
    fn checks(&self) -> Vec<CheckInfo> {
        self.checks.iter().map(Check::info).collect()
    }

    fn hypotheses(&self) -> Vec<&'static str> {
        self.hypotheses.iter().map(|h| h.name).collect()
    }

    fn families(&self) -> Vec<(FamilyKind, &'static str)> {
        self.families.iter().map(|f| (f.kind(), f.name())).collect()
    }

    fn run(&self, context: &Context<'_>) -> SettingResult {
        crate::run::run_setting(self, context)
    }

    fn prove(&self) -> Vec<(&'static str, ProofResult)> {
        let of = |check: &Check<I, Q>| -> Vec<(&'static str, ProofResult)> {
            check
                .proofs
                .iter()
                .map(|p| (check.id, crate::run::prove_alone(p.as_ref())))
                .collect()
        };
        self.checks.iter().flat_map(of).collect()
    }

    fn mutate(&self, claim: &'static str, context: &Context<'_>) -> Vec<CheckMutants> {
        crate::run::mutate_setting(self, claim, context)
    }

    fn rejudge(&self, check: &str, instance: &Value, context: &Context<'_>) -> Result<Rejudged, String> {
        crate::run::rejudge(self, check, instance, context)
    }
}
