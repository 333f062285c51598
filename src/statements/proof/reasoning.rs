//! Proofs by methods that look at the formulas: tried in order on every case and every relation, each shows a goal or leaves it to the next.

use std::fmt;
use std::sync::Arc;

use enclosures::work;
use evidence::budget::Budget;

use super::algebra;
use super::algebra::goal::Goal;
use super::algebra::inequality::Shown;
use super::case::{Case, Tried};
use crate::formulas::domain::Domain;
use crate::instances::assignment::Raw;
use crate::instances::statement::Statement;

/// How a statement was proved, with what a reader needs to check it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The method that needs most explanation.
    pub by: String,
    /// What was put in place of what, and why the rest is not negative.
    pub lines: Vec<String>,
    /// Values of the whole numbers, times the relations of a chain.
    pub cases: usize,
}

impl fmt::Display for Reasoning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.by)?;
        if self.cases > 1 {
            write!(f, ", in {} cases", self.cases)?;
        }
        Ok(())
    }
}

/// Counted work of one method on one case, round after round: what is shown soon by some method is not looked for at length by others.
const ROUNDS: [u64; 3] = [150_000, 1_200_000, 12_000_000];

/// What a method makes of a goal as it is, which comes first, and in other units, within an amount of work.
type Show = fn(&[Goal], u64) -> Option<Shown>;

/// The methods, in the order in which they are tried; the first two are for goals in one variable.
const METHODS: &[Show] =
    &[algebra::by_monotonicity, algebra::by_expansions, algebra::by_polynomials, algebra::by_exclusion];

/// Counted work that a budget allows.
pub(super) struct Allowed {
    /// Of one method on one case, round after round.
    rounds: &'static [u64],
    /// Of the methods of one kind, together on a statement.
    pub(super) kind: u64,
    /// Of one method for sums over the entries of vectors of any length.
    pub(super) entries: u64,
}

impl Allowed {
    pub(super) fn by(budget: Budget) -> Self {
        match budget {
            Budget::Quick => Self { rounds: &ROUNDS[..1], kind: 1_000_000, entries: 400_000 },
            Budget::Standard => Self { rounds: &ROUNDS[..2], kind: 5_000_000, entries: 1_500_000 },
            Budget::Deep => Self { rounds: &ROUNDS, kind: 60_000_000, entries: 15_000_000 },
        }
    }
}

/// Shows one goal, in all rounds that a budget allows.
pub(crate) fn shown(goal: &Goal, budget: Budget) -> Option<Shown> {
    shown_by(METHODS, goal, budget)
}

/// The same by those methods alone that are for goals in one variable.
pub(crate) fn shown_in_one_variable(goal: &Goal, budget: Budget) -> Option<Shown> {
    shown_by(&METHODS[..2], goal, budget)
}

fn shown_by(methods: &[Show], goal: &Goal, budget: Budget) -> Option<Shown> {
    let goal = goal.clone().compacted();
    if goal.names.is_empty() && goal.holds_as_it_stands() {
        return Some(Shown { by: "both sides enclosed", lines: Vec::new() });
    }
    if goal.fails_at_a_sample() {
        return None;
    }
    let goals = algebra::in_units(goal);
    Allowed::by(budget).rounds.iter().find_map(|&round| methods.iter().find_map(|method| method(&goals, round)))
}

/// Shows a statement in all these cases, if the methods do.
pub(crate) fn argued(statement: &Statement, cases: &[Case], budget: Budget, tried: &mut Tried) -> Option<Reasoning> {
    let mut found = Reasoning { by: String::new(), lines: Vec::new(), cases: 0 };
    // What is left for all cases of the work of a round, of which each may take a quarter.
    let mut rounds: Vec<(u64, u64)> = Allowed::by(budget).rounds.iter().map(|&round| (round, 4 * round)).collect();
    // The largest case first: it is the one that fails.
    for case in cases.iter().rev() {
        for relation in 0..statement.chain.relations.len() {
            let goal = Goal::of(statement, &case.wholes, &case.shapes, relation)?.without_floors();
            if goal.names.len() == 1 {
                tried.note("monotonicity");
                tried.note("expansions where the sides touch");
            }
            tried.note("polynomials in exact arithmetic (signs, roots, difference substitution, sums of squares)");
            tried.note("excluding boxes on which the statement fails");
            let steps = goal.steps.clone();
            let goals = algebra::in_units(goal);
            let shown = rounds.iter_mut().find_map(|(round, left)| {
                let share = (*round).min(*left);
                let (shown, spent) = work::counted(|| METHODS.iter().find_map(|method| method(&goals, share)));
                *left = left.saturating_sub(spent);
                shown
            })?;
            // The largest case is told.
            if found.by.is_empty() {
                found.by = shown.by.to_owned();
            }
            found.cases += 1;
            if found.cases > statement.chain.relations.len() {
                continue;
            }
            for line in steps.into_iter().chain(shown.lines) {
                // What several parts rest on is said once.
                if !found.lines.contains(&line) {
                    found.lines.push(line);
                }
            }
        }
    }
    if cases.len() > 1 {
        found
            .lines
            .push(format!("shown here for the largest of {} cases; try a narrower range to see another", cases.len()));
    }
    (found.cases > 0).then_some(found)
}

/// The one case in which whole numbers without an end are taken as real ones; none if there are others, or sizes depend on them.
pub(crate) fn relaxed(statement: &Arc<Statement>) -> Option<Case> {
    let declarations = &statement.declarations;
    let is_endless = |domain: &Domain| !matches!(domain, Domain::Whole { to: Some(_), .. });
    let fits = declarations
        .variables
        .iter()
        .zip(&declarations.shaping)
        .all(|(v, shaping)| !matches!(v.domain, Domain::Whole { .. }) || is_endless(&v.domain) && !shaping);
    let wholes: Vec<Raw> = declarations.variables.iter().map(|_| Raw::Real(0.0)).collect();
    let shapes = declarations.shapes(&wholes).ok()?;
    fits.then(|| Case { statement: Arc::clone(statement), wholes, shapes, ranges: Vec::new() })
}
