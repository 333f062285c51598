//! Declared variables as the instances of a claim whose checks are written in a program, not in text.

use std::sync::Arc;

use evidence::claim::{Evaluation, Expectation, MeasureError, Role, Setting, Trial, edge};

use crate::formulas::domain::Declarations;
use crate::formulas::scope::{self, asked};
use crate::formulas::term::Chain;
use crate::instances::assignment::Assignment;
use crate::instances::draw::edges;
use crate::instances::statement::declarations;
use crate::search::families::{assuming, drawn, drawn_for, excepted, met};
use crate::search::interned::interned;
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
        all.extend(scope::conditions(ranges, conditions)?);
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
        let mut setting = assuming(Setting::measuring(measure), &self.declared, &self.conditions);
        let declared = Arc::clone(&self.declared);
        setting = setting.family(edge("plain values", move || edges(&declared)));
        setting = setting.family(drawn(&self.declared, 1.0));
        for check in checks {
            let restrictions = scope::conditions(&self.ranges, &check.conditions)?;
            setting = setting.family(drawn_for(&self.declared, &restrictions));
            setting = setting.check(
                check.role,
                interned(&check.id),
                interned(&check.statement),
                check.expectation,
                check.test,
            );
            setting = restrictions.into_iter().map(met).fold(setting, Setting::assume);
            setting = reasons.iter().copied().fold(excepted(setting), Setting::except);
        }
        Ok(setting)
    }
}
