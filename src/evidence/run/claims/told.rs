//! A claim tried on the spot, and its result in words: what a first program prints.

use std::fmt;

use super::claim_result::ClaimResult;
use super::whole::run_claim;
use crate::budget::Budget;
use crate::claim::{Claim, Fixtures};
use crate::run::conclusion::CheckResult;
use crate::run::context::{Plan, Silent};
use crate::run::witness::WitnessStore;

impl Claim {
    /// The evidence at the budget of seconds, with the first seed and no stored witnesses; data sets are looked for in `fixtures`.
    ///
    /// ```
    /// use contrapositive::prelude::*;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Clone, Debug, Serialize, Deserialize)]
    /// # struct Point { x: f64 }
    /// # impl Instance for Point { fn describe(&self) -> String { format!("x = {}", self.x) } }
    /// let claim = Claim::new("mine.square", "squares", Kind::Inequality).statement("x ≤ x² for all real x").setting(
    ///     Setting::of()
    ///         .given("x real")
    ///         .family(edge("named", || vec![("half", Point { x: 0.5 }), ("two", Point { x: 2.0 })]))
    ///         .part("printed", "x ≤ x²", fails("between zero and one"), |p: &Point, ()| {
    ///             at_most(exact(p.x), exact(p.x).square())
    ///         }),
    /// );
    /// let shown = claim.tried().to_string();
    /// assert!(shown.contains("part printed: fails (exact)") && shown.contains("refuted by x = 0."), "{shown}");
    /// ```
    #[must_use]
    pub fn tried(&self) -> ClaimResult {
        let plan = Plan { seed: 1, budget: Budget::Quick };
        run_claim(self, plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent)
    }
}

impl fmt::Display for ClaimResult {
    /// Title, statement and headline, then each check: its verdict and grade, and the instance that refutes it or comes closest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.statement.is_empty() {
            writeln!(f, "{}: {}\n", self.title, self.verdict())?;
        } else {
            writeln!(f, "{}\n{}: {}\n", self.title, self.statement, self.verdict())?;
        }
        for check in &self.checks {
            check.told(f)?;
        }
        Ok(())
    }
}

impl CheckResult {
    fn told(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grade = self.grade.map_or(String::new(), |grade| format!(" ({grade})"));
        writeln!(f, "{} {}: {}{grade}\n    {}", self.role, self.id, self.verdict, self.statement)?;
        if let Some(witness) = &self.witness {
            writeln!(f, "    refuted by {}", witness.description)?;
        } else if let Some(tightest) = &self.tightest {
            let c = &tightest.comparison;
            writeln!(f, "    closest at {}: {} {} {}", tightest.instance, c.lhs, c.relation, c.rhs)?;
        }
        match self.tightest.as_ref().and_then(|t| Some((t, t.comparison.note.as_ref()?))) {
            // A refuted check is tightest where it holds.
            Some((seen, note)) if self.witness.is_some() => writeln!(f, "    holds at {}: {note}", seen.instance),
            Some((_, note)) => writeln!(f, "    {note}"),
            None => Ok(()),
        }
    }
}
