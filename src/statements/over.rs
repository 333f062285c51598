//! Declared variables as the instances of a claim whose checks are written in a program, not in text.

use std::sync::Arc;

use evidence::claim::{Evaluation, Expectation, Hypothesis, MeasureError, Role, Setting, Trial, edge};

use crate::formulas::domain::Declarations;
use crate::formulas::scope::asked;
use crate::formulas::term::Chain;
use crate::instances::assignment::Assignment;
use crate::instances::compare::is_met;
use crate::instances::draw::edges;
use crate::instances::statement::{Statement, declarations};
use crate::search::families::{drawn, drawn_for, excepted};
use crate::search::kept::kept;
use crate::text::fault::Fault;

/// Everything that a statement in a program needs of the declarations: the instances, the conditions, and what says nothing.
pub struct Over {
    declared: Arc<Declarations>,
    ranges: String,
    conditions: Vec<Chain>,
}

/// Both sides of a check on an instance with what was measured of it.
pub type Test<Q> = Box<dyn Fn(&Assignment, &Q) -> Evaluation + Send + Sync>;

/// A check written in a program.
pub struct Written<Q> {
    /// What it is of its claim.
    pub role: Role,
    /// Its id.
    pub id: String,
    /// What it compares, in words.
    pub statement: String,
    /// Conditions on the variables beyond those of all checks; empty for none.
    pub conditions: String,
    /// What is expected of it; a control fails, whatever is said here.
    pub expectation: Expectation,
    /// Both sides.
    pub test: Test<Q>,
}

impl Over {
    /// Declared variables (`"x in [0, 1], n in 1..8"`) and conditions on them (`"x < y"`, or nothing).
    ///
    /// # Errors
    /// A text cannot be read, a name is unknown or used for something it is not, a range is empty.
    pub fn read(ranges: &str, conditions: &str) -> Result<Self, Fault> {
        let mut all = asked(ranges)?;
        all.extend(Statement::conditions_of(ranges, conditions)?);
        let conditions = all;
        Ok(Over { declared: Arc::new(declarations(ranges)?.under(&conditions)), conditions, ranges: ranges.to_owned() })
    }

    /// The names of the variables, in the order of their declarations.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.declared.variables.iter().map(|v| v.name.as_str()).collect()
    }

    /// The setting of a claim: the instances with what `measure` says of each, and the checks. Where these say nothing, they say why in the
    /// words of the language of statements, or in one of `reasons`.
    ///
    /// # Errors
    /// The conditions of a check cannot be read.
    pub fn setting<Q: Send + Sync + 'static>(
        &self,
        measure: impl Fn(&Assignment, &mut Trial) -> Result<Q, MeasureError> + Send + Sync + 'static,
        checks: Vec<Written<Q>>,
        reasons: &[&'static str],
    ) -> Result<Setting<Assignment, Q>, Fault> {
        let mut setting = Setting::measuring(measure);
        for variable in &self.declared.variables {
            setting = setting.given(kept(&format!("{} in {}", variable.name, variable.domain)));
        }
        for condition in &self.conditions {
            let chain = condition.clone();
            setting =
                setting.assume(Hypothesis::capturing(kept(&condition.text), move |a: &Assignment| is_met(&chain, a)));
        }
        let declared = Arc::clone(&self.declared);
        setting = setting.family(edge("plain values", move || edges(&declared)));
        setting = drawn(&self.declared, 1.0).into_iter().fold(setting, Setting::family);
        for check in checks {
            let restrictions = Statement::conditions_of(&self.ranges, &check.conditions)?;
            setting = drawn_for(&self.declared, &restrictions).into_iter().fold(setting, Setting::family);
            setting = check.declared_in(setting);
            for chain in restrictions {
                setting =
                    setting.assume(Hypothesis::capturing(kept(&chain.text), move |a: &Assignment| is_met(&chain, a)));
            }
            setting = reasons.iter().copied().fold(excepted(setting), Setting::except);
        }
        Ok(setting)
    }
}

impl<Q: Send + Sync + 'static> Written<Q> {
    fn declared_in(self, setting: Setting<Assignment, Q>) -> Setting<Assignment, Q> {
        let (id, statement, test) = (kept(&self.id), kept(&self.statement), self.test);
        let expectation = self.expectation;
        match self.role {
            Role::Part => setting.part(id, statement, expectation, test),
            Role::Meant => setting.meant(id, statement, expectation, test),
            Role::Ours => setting.ours(id, statement, expectation, test),
            Role::Step => setting.step(id, statement, expectation, test),
            Role::Amendment => setting.amendment(id, statement, expectation, test),
            Role::Sharpening => setting.sharpening(id, statement, expectation, test),
            Role::Control => setting.control(id, statement, test),
        }
    }
}
