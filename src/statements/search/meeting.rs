//! Instances that meet conditions which draws hardly ever meet. Finding one is itself a search: the refuter is asked whether some condition
//! is always missed, and what it brings back to the contrary meets them all.

use std::sync::Arc;

use enclosures::enclosure::{Enclosure, exact};
use enclosures::stream;
use evidence::budget::Budget;
use evidence::claim::{Claim, Evaluation, Fixtures, Kind, Relation, Setting, edge, greater_than, holds, vacuous};
use evidence::run::{self, Plan, Silent, WitnessStore};
use rand_core::Rng;

use super::families::{drawn, excepted};
use crate::formulas::term::Chain;
use crate::instances::assignment::Assignment;
use crate::instances::compare::{DOUBTFUL, enclosed, is_met};
use crate::instances::draw::{Dice, STYLES, draw, edges};
use crate::instances::repaired::repaired;
use crate::instances::statement::Statement;

/// Assignments that are drawn to see whether the conditions are met often enough.
const DRAWN: usize = 400;
/// So many of them are enough.
const ENOUGH: usize = 8;
/// Assignments that are drawn to be moved to where the conditions hold.
const MOVED: usize = 240;
/// So many of those that were moved are enough.
const ENOUGH_MOVED: usize = 80;
/// Where none of so many could be moved, none can.
const HOPELESS: usize = 40;
/// Searches, each with a seed of its own.
const SEARCHES: u64 = 4;

/// A few assignments that meet all conditions of a statement, found by a search; none where draws meet them often enough, where whole
/// numbers are asked to be equal, which no search meets, and where none is found.
pub(crate) fn meeting(statement: &Arc<Statement>, seed: u64) -> Vec<(String, Assignment)> {
    let is_hopeless = |c: &Chain| c.relations.contains(&Relation::Equal) && !c.is_equation();
    if statement.conditions.is_empty() || statement.conditions.iter().any(is_hopeless) || is_met_often(statement, seed)
    {
        return Vec::new();
    }
    let moved = moved(statement, seed);
    let is_all_equations = statement.conditions.iter().all(|c| statement.declarations.asks_for(c));
    if moved.len() >= ENOUGH || is_all_equations {
        return named(moved);
    }
    let mut found: Vec<Assignment> = moved;
    for number in 0..SEARCHES {
        let one = searched(statement, seed.wrapping_add(number)).filter(|a| meets(statement, a));
        found.extend(one.filter(|a| !found.iter().any(|known| known.values == a.values)));
    }
    named(found)
}

fn named(found: Vec<Assignment>) -> Vec<(String, Assignment)> {
    let numbered = found.into_iter().enumerate();
    numbered.map(|(number, a)| (format!("#{}", number + 1), a)).collect()
}

/// Draws that were moved to where the conditions hold.
pub(crate) fn moved(statement: &Statement, seed: u64) -> Vec<Assignment> {
    let mut stream = stream::stream(seed, &["moved", &statement.texts.conditions]);
    let mut bits = || stream.next_u64();
    let mut dice = Dice::new(&mut bits);
    let mut found: Vec<Assignment> = Vec::new();
    for number in 0..MOVED {
        let drawn = draw(&statement.declarations, STYLES[number % STYLES.len()], &mut dice);
        let Some(moved) = drawn.and_then(|a| repaired(&statement.conditions, &a, &mut dice)) else { continue };
        if !found.iter().any(|known| known.values == moved.values) {
            found.push(moved);
        }
        if found.len() == ENOUGH_MOVED || number >= HOPELESS && found.is_empty() {
            break;
        }
    }
    found
}

fn meets(statement: &Statement, assignment: &Assignment) -> bool {
    statement.conditions.iter().all(|c| is_met(c, assignment))
}

fn is_met_often(statement: &Statement, seed: u64) -> bool {
    let mut stream = stream::stream(seed, &["conditions", &statement.texts.conditions]);
    let mut bits = || stream.next_u64();
    let mut dice = Dice::new(&mut bits);
    let drawn = (0..DRAWN).filter_map(|number| draw(&statement.declarations, STYLES[number % STYLES.len()], &mut dice));
    drawn.filter(|a| meets(statement, a)).take(ENOUGH).count() == ENOUGH
}

/// What refutes that some condition is always missed.
fn searched(statement: &Arc<Statement>, seed: u64) -> Option<Assignment> {
    let declared = Arc::clone(&statement.declarations);
    let setting = Setting::of().family(edge("plain values", move || edges(&declared)));
    let setting = setting.family(drawn(&statement.declarations, 1.0));
    let conditions = statement.conditions.clone();
    let test = move |a: &Assignment, (): &()| missed(&conditions, a);
    let setting = excepted(setting.part("missed", "some condition is missed", holds(), test));
    let claim = Claim::new("try.conditions", "conditions", Kind::Inequality)
        .statement("some condition is missed")
        .setting(setting);
    let plan = Plan { seed, budget: Budget::Standard };
    let (fixtures, store) = (Fixtures::at("fixtures"), WitnessStore::default());
    let result = run::run(&[&claim], plan, &fixtures, &store, &Silent);
    let witness = result.claims.first()?.checks.first()?.witness.as_ref()?;
    let stored: Assignment = serde_json::from_value(witness.instance.clone()).ok()?;
    Some(Assignment { declarations: Arc::clone(&statement.declarations), values: stored.values })
}

/// The largest amount by which a condition is missed is above zero.
fn missed(conditions: &[Chain], assignment: &Assignment) -> Evaluation {
    let mut most: Option<Enclosure> = None;
    for chain in conditions {
        // Instances are moved to where equations are met, or do not count.
        if assignment.declarations.asks_for(chain) {
            if !is_met(chain, assignment) {
                return vacuous(DOUBTFUL);
            }
            continue;
        }
        let sides = match enclosed(chain, assignment) {
            Ok(sides) => sides,
            Err(evaluation) => return *evaluation,
        };
        for (pair, relation) in sides.windows(2).zip(&chain.relations) {
            let (Some(left), Some(right)) = (pair[0], pair[1]) else {
                return vacuous(DOUBTFUL);
            };
            let by = match relation {
                Relation::AtMost | Relation::LessThan => left - right,
                _ => right - left,
            };
            most = Some(most.map_or(by, |m| m.max(by)));
        }
    }
    greater_than(most.unwrap_or(exact(-1.0)), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances::statement::Texts;

    fn found(ranges: &str, conditions: &str) -> Vec<(String, Assignment)> {
        let texts = Texts::of("0 <= 1").ranging(ranges).given(conditions);
        let statement = Arc::new(Statement::read(&texts).unwrap());
        let found = meeting(&statement, 1);
        assert!(found.iter().all(|(_, a)| meets(&statement, a)));
        found
    }

    #[test]
    fn a_small_part_of_the_domain_is_found() {
        assert!(!found("x, y, z in [-2, 2]", "x^4 + y^4 + z^4 <= 1, x*y*z >= 0.4").is_empty());
        assert!(!found("x, y in [-100, 100]", "x*y > 1, (x - 77)^2 + (y + 1/5 - x)^2 < 1e-6").is_empty());
    }

    #[test]
    fn nothing_is_sought_where_draws_do_or_nothing_is_there() {
        assert!(found("x in [0, 1]", "x^2 <= 1/2").is_empty());
        assert!(found("x in [0, 1]", "x^2 <= -1").is_empty());
        assert!(found("x, y in [0, 1]", "x == y^2").is_empty());
    }
}
