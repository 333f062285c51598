//! A statement that fails only at a number that is no double, such as `sin(x) > 0` at π: the same statement with that number, in closed form, in
//! place of its only variable. Floating point proposes the numbers; the statement that is left has no variable and is decided in closed form,
//! and so are its conditions, the range of the variable among them.

use super::algebra;
use super::algebra::goal::Goal;
use crate::formulas::domain::{Domain, End};
use crate::formulas::scope::asked;
use crate::instances::assignment::Raw;
use crate::instances::statement::{Statement, Texts};
use evidence::claim::Relation;

/// The statement at every number that is proposed; none if its variable is not a single real number.
pub(crate) fn substituted(statement: &Statement) -> Vec<Texts> {
    let declarations = &statement.declarations;
    let [variable] = declarations.variables.as_slice() else { return Vec::new() };
    let Domain::Real(range) = &variable.domain else { return Vec::new() };
    // Conditions that the range asks for are not among those that are put together here.
    if asked(&statement.texts.ranges).is_ok_and(|asked| !asked.is_empty()) {
        return Vec::new();
    }
    let name = &variable.name;
    let is_end = |end: &&End| end.value.is_finite();
    let sign = |end: &End| if end.open { "<" } else { "<=" };
    let low = Some(&range.low).filter(is_end).map(|end| format!("{} {} {name}", end.text, sign(end)));
    let high = Some(&range.high).filter(is_end).map(|end| format!("{name} {} {}", sign(end), end.text));
    let given = Some(statement.texts.conditions.clone()).filter(|text| !text.trim().is_empty());
    let conditions: Vec<String> = given.into_iter().chain(low).chain(high).collect();
    let others = declarations.abbreviations.iter().map(|(name, formula)| format!(", let {name} = {formula}"));
    let others: String = others.collect();
    let at = |number: String| {
        let texts = Texts { ranges: format!("let {name} = {number}{others}"), ..statement.texts.clone() };
        texts.given(&conditions.join(", "))
    };
    numbers(statement).into_iter().map(at).collect()
}

fn numbers(statement: &Statement) -> Vec<String> {
    let chain = &statement.chain;
    let wholes = [Raw::Real(0.0)];
    let Ok(shapes) = statement.declarations.shapes(&wholes) else { return Vec::new() };
    let one = |relation: usize| Goal::of(statement, &wholes, &shapes, relation);
    let goals = (0..chain.relations.len()).filter(|&at| chain.relations[at] != Relation::Equal).filter_map(one);
    let mut found: Vec<String> = goals.flat_map(|goal| algebra::numbers_next_to_failure(&goal)).collect();
    found.dedup();
    found
}
