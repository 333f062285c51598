//! Inequalities in two variables of one range whose sides are equal where the variables are: along every line on which the sum of the variables stays,
//! the difference of the sides is convex, and touches zero in the middle. Such is what Jensen's inequality says of two numbers.

use evidence::budget::Budget;

use super::algebra::expression::Formula;
use super::algebra::goal::Goal;
use super::algebra::inequality::Shown;
use super::algebra::normal::{Fraction, Indeterminates};
use super::along::along_one_variable;
use super::case::{Case, Tried};
use super::reasoning::{Reasoning, shown};
use crate::instances::statement::Statement;

/// Shows a statement in all these cases.
pub(super) fn by_convexity(
    statement: &Statement,
    cases: &[Case],
    budget: Budget,
    tried: &mut Tried,
) -> Option<Reasoning> {
    let mut found = Reasoning { by: String::new(), lines: Vec::new(), cases: 0 };
    for case in cases {
        for relation in 0..statement.chain.relations.len() {
            let goal = Goal::of(statement, &case.wholes, &case.shapes, relation)?.compacted();
            let shown = from_a_curve(&goal, budget, tried)?;
            found.by = shown.by.to_owned();
            found.lines.extend(shown.lines);
            found.cases += 1;
        }
    }
    (found.cases > 0).then_some(found)
}

/// Shows a goal from where two variables are equal, or where it is least along one.
pub(super) fn from_a_curve(goal: &Goal, budget: Budget, tried: &mut Tried) -> Option<Shown> {
    // Of halves in exponents the doubles are taken, so that all exponents are whole multiples of the variables.
    let on_the_diagonal = from_the_diagonal(goal, budget, tried);
    let on_the_diagonal = on_the_diagonal.or_else(|| from_the_diagonal(&goal.doubled(), budget, tried));
    on_the_diagonal.or_else(|| along_one_variable(goal, budget, tried))
}

/// Shows a goal in two variables from where they are equal.
fn from_the_diagonal(goal: &Goal, budget: Budget, tried: &mut Tried) -> Option<Shown> {
    let [first, second] = &goal.ranges[..] else { return None };
    let fits = first == second && goal.given.is_empty() && !goal.strict;
    // A line from the diagonal to a point lies inside of the ranges but for the point itself, up to which the difference is continuous.
    if !fits || !goal.is_defined(&goal.wanted, &[]) || !goal.is_smooth(&goal.wanted) {
        return None;
    }
    let mut atoms = Indeterminates::of(&goal.ranges);
    let difference = atoms.fraction(&goal.wanted)?;
    let slope = across(&mut atoms, &difference)?;
    let bend = across(&mut atoms, &slope)?;
    if !vanishes_on_the_diagonal(goal, &mut atoms, &difference)? || !vanishes_on_the_diagonal(goal, &mut atoms, &slope)?
    {
        return None;
    }
    tried.note("convexity across the diagonal");
    let part = Goal { wanted: atoms.formula(&bend)?, ..goal.clone() };
    let found = shown(&part, budget)?;
    let [x, y] = [&goal.names[0], &goal.names[1]];
    let line = format!(
        "where {x} = {y} the sides are equal, and away from there, {x} + {y} kept, their difference is convex; its second derivative is not negative:"
    );
    Some(Shown {
        by: "by convexity across the diagonal",
        lines: goal.steps.iter().cloned().chain([line]).chain(found.lines).collect(),
    })
}

/// The derivative where the first variable rises as the second falls.
fn across(atoms: &mut Indeterminates, of: &Fraction) -> Option<Fraction> {
    let (first, second) = (atoms.derivative(of, 0)?, atoms.derivative(of, 1)?);
    Some(atoms.sum(&first, &atoms.product(&second, &Fraction::whole(-1))))
}

fn vanishes_on_the_diagonal(goal: &Goal, atoms: &mut Indeterminates, of: &Fraction) -> Option<bool> {
    let there = goal.tidied(&atoms.formula(of)?.with_variable(1, &Formula::variable(0)));
    Some(Indeterminates::of(&goal.ranges).fraction(&there)?.above.is_zero())
}
