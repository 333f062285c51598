//! Induction over a whole number, as if it had no end. A sum up to it, a product, a power or a factorial is a number of its own, of which one step is
//! known; that the statement holds after the step is shown of real numbers by the methods that look at formulas. Where no step does, sums of 1/k are
//! taken by their expansions.

use evidence::claim::Relation;
use std::sync::Arc;

use evidence::budget::Budget;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::algebra::expression::Formula;
use super::algebra::goal::{Goal, Says, bounds, compared};
use super::algebra::normal::{Fraction, Indeterminates, names, written};
use super::algebra::numbers::number_of;
use super::algebra::roots::{Bounds, Sign};
use super::case::Tried;
use super::harmonic::{HarmonicSum, without_sums};
use super::reading::TermReader;
use super::reasoning::{Reasoning, relaxed, shown, shown_in_one_variable};
use crate::formulas::domain::Domain;
use crate::formulas::evaluate::Evaluator;
use crate::formulas::term::{Node, Term, Terms, inside, uses};
use crate::instances::assignment::Raw;
use crate::instances::statement::Statement;
use crate::numbers::number::{Enclosed, Number};
use crate::text::words::Fold;

/// Values of the whole number that are looked at one by one before the first step.
const BEFORE: [i64; 3] = [0, 2, 6];
/// The most that a bound of a sum moves by in one step, and the most terms by which bounds differ.
const FARTHEST: i64 = 8;

/// What is added up or multiplied, in an index.
#[derive(Clone, Debug, PartialEq)]
enum Body {
    Read(Formula),
    /// What can be read where the index is known only, such as a power of it.
    Written(Term),
}

/// What a number stands for.
#[derive(Clone, Debug, PartialEq)]
enum Kept {
    /// From one formula in the whole number to another.
    Sum(Formula, Formula, Body),
    Product(Formula, Formula, Body),
    Binomial(Formula, Formula),
}

/// A number that stands for it, and how it goes on: what is added in a step, and by what it is multiplied.
struct Accumulated {
    kept: Kept,
    place: usize,
    added: Formula,
    factor: Formula,
}

/// The formulas of a statement at the whole number, or one further.
struct Steps {
    goal: Goal,
    values: Vec<Option<Formula>>,
    /// The whole number, as a declaration and as a variable, and a variable that stands for indices.
    declared: usize,
    n: usize,
    index: usize,
    tracked: Vec<Accumulated>,
    indices: Vec<Formula>,
    is_next: bool,
}

/// Shows a statement by induction over a whole number, for all values from its first on.
pub(super) fn by_induction(statement: &Arc<Statement>, budget: Budget, tried: &mut Tried) -> Option<Reasoning> {
    let declarations = &statement.declarations;
    (0..declarations.variables.len()).find_map(|place| {
        let Domain::Whole { from: Some(from), .. } = &declarations.variables[place].domain else { return None };
        let from = Evaluator::<f64>::new(&[]).whole(&from.term).ok()?;
        if declarations.shaping[place] {
            return None;
        }
        // A base that vanishes at the first value is looked at from the second on.
        (from..=from + 1).find_map(|first| {
            let mut found = Reasoning { by: "by induction".into(), lines: Vec::new(), cases: 0 };
            for relation in 0..statement.chain.relations.len() {
                let lines = inducted(statement, place, first, relation, (budget, tried))?;
                let holds = (from..first).all(|n| holds_at(statement, place, n, relation, budget));
                let told = (first > from).then(|| format!("it holds at {from}"));
                found.lines.extend(told.into_iter().filter(|_| holds).chain(lines));
                holds.then_some(())?;
                found.cases += 1;
            }
            Some(found)
        })
    })
}

/// Shows a statement of one whole number without an end at few values, and of all real numbers beyond.
pub(super) fn by_tails(statement: &Arc<Statement>, budget: Budget, tried: &mut Tried) -> Option<Reasoning> {
    let [variable] = &statement.declarations.variables[..] else { return None };
    let Domain::Whole { from, to: None } = &variable.domain else { return None };
    let from = from.as_ref().map(|f| Evaluator::<f64>::new(&[]).whole(&f.term)).transpose().ok()?;
    let name = &variable.name;
    let last = from.unwrap_or(0).max(0).checked_add(FARTHEST)?;
    let first = from.unwrap_or(-last);
    let mut found =
        Reasoning { by: "at single values, and for real numbers beyond".into(), lines: Vec::new(), cases: 0 };
    for relation in 0..statement.chain.relations.len() {
        let mut beyond = |range: Bounds| {
            let case = relaxed(statement)?;
            let mut goal = Goal::of(statement, &case.wholes, &case.shapes, relation)?;
            goal.ranges[0] = range;
            tried.note("single values, and real numbers beyond");
            shown(&goal, budget)
        };
        let above = beyond(Bounds::from(last, false))?;
        let low = Some((BigRational::from_integer((-last).into()), false));
        let below = if from.is_none() { Some(beyond(Bounds { low: None, high: low })?) } else { None };
        if !(first..=last).all(|n| holds_at(statement, 0, n, relation, budget)) {
            return None;
        }
        found.lines.push(format!("it holds at {name} = {first}, …, {last}; beyond, of real numbers:"));
        found.lines.extend(above.lines.into_iter().chain(below.into_iter().flat_map(|b| b.lines)));
        found.cases += 1;
    }
    Some(found)
}

/// The lines of a proof of one relation.
fn inducted(
    statement: &Arc<Statement>,
    place: usize,
    from: i64,
    relation: usize,
    (budget, tried): (Budget, &mut Tried),
) -> Option<Vec<String>> {
    let (mut steps, first) = Steps::of(statement, place, from)?;
    let chain = &statement.chain;
    let relates = chain.relations[relation];
    let mut difference = |is_next: bool| {
        steps.is_next = is_next;
        let (left, right) = (steps.read(&chain.sides[relation])?, steps.read(&chain.sides[relation + 1])?);
        Some(match relates {
            Relation::AtLeast | Relation::GreaterThan => left.minus(right),
            _ => right.minus(left),
        })
    };
    let here = difference(false)?;
    let next = difference(true)?;
    tried.note("induction");
    if steps.tracked.is_empty() {
        return steps.at_once(&here, relates, budget);
    }
    let name = steps.goal.names[steps.n].clone();
    for before in BEFORE {
        let start = first.checked_add(before)?;
        let Some(mut lines) = steps.step(&here, &next, start, relates, budget) else { continue };
        if !(first..=start).all(|n| holds_at(statement, place, n, relation, budget)) {
            return None;
        }
        let shown_at =
            if before == 0 { format!("{name} = {first}") } else { format!("{name} = {first}, …, {start}") };
        lines.insert(0, format!("it holds at {shown_at}, and from {name} >= {start} on to {name} + 1:"));
        return Some(lines);
    }
    for before in BEFORE {
        let start = first.checked_add(before)?;
        let Some(lines) = steps.by_expansion(&here, start, relates, budget) else { continue };
        let told = format!(
            "from {name} = {start} on, with H(m) = log m + gamma + 1/(2m) - 1/(12m^2) + e/(120m^4), 0 < e < 1:"
        );
        let is_shown = (first..start).all(|n| holds_at(statement, place, n, relation, budget));
        return is_shown.then(|| std::iter::once(told).chain(lines).collect());
    }
    None
}

/// Whether a relation holds at one value of the whole number, whatever else varies.
fn holds_at(statement: &Arc<Statement>, place: usize, n: i64, relation: usize, budget: Budget) -> bool {
    let declarations = &statement.declarations;
    let at = |v: usize| if v == place { Raw::Whole(n) } else { Raw::Real(0.0) };
    let wholes: Vec<Raw> = (0..declarations.variables.len()).map(at).collect();
    let Ok(shapes) = declarations.shapes(&wholes) else { return false };
    if statement.chain.relations[relation] != Relation::Equal {
        return Goal::of(statement, &wholes, &shapes, relation).is_some_and(|goal| shown(&goal, budget).is_some());
    }
    let as_two = [Relation::AtMost, Relation::AtLeast].map(|one| {
        let mut weak = Statement::clone(statement);
        weak.chain.relations[relation] = one;
        Goal::of(&weak, &wholes, &shapes, relation).is_some_and(|goal| shown(&goal, budget).is_some())
    });
    as_two == [true, true]
}

impl Steps {
    /// With the first value of the whole number that conditions leave.
    fn of(statement: &Statement, place: usize, from: i64) -> Option<(Self, i64)> {
        let mut steps = Steps {
            goal: Goal::nothing(),
            values: Vec::new(),
            declared: place,
            n: 0,
            index: 0,
            tracked: Vec::new(),
            indices: Vec::new(),
            is_next: false,
        };
        for (at, variable) in statement.declarations.variables.iter().enumerate() {
            let range = match &variable.domain {
                Domain::Real(range) => bounds(range),
                Domain::Whole { .. } if at == place => Bounds::from(from, false),
                _ => return None,
            };
            if at == place {
                steps.n = steps.goal.names.len();
            }
            let value = steps.goal.new_variable(variable.name.clone(), range);
            steps.values.push(Some(value));
        }
        steps.index = steps.goal.names.len();
        steps.goal.new_variable("k".into(), Bounds::default());
        for condition in &statement.conditions {
            let given = compared(condition, &mut |term| steps.read(term))?;
            steps.goal.given.extend(given);
        }
        if !steps.tracked.is_empty() {
            return None;
        }
        steps.goal = steps.goal.narrowed();
        let n = steps.n;
        if steps.goal.ranges[n].high.is_some() || steps.goal.given.iter().any(|(e, _)| e.uses(n)) {
            return None;
        }
        let (low, excluded) = steps.goal.ranges[n].low.clone()?;
        let least = low.ceil();
        let first = least.to_integer().to_i64()? + i64::from(excluded && least == low);
        Some((steps, first.max(from)))
    }

    fn n(&self) -> Formula {
        Formula::variable(self.n)
    }

    /// Where every sum has a closed form, without induction.
    fn at_once(&self, here: &Formula, relation: Relation, budget: Budget) -> Option<Vec<String>> {
        if relation == Relation::Equal {
            let is_zero = Indeterminates::of(&self.goal.ranges).fraction(here)?.above.is_zero();
            return is_zero.then(|| vec!["with every sum in closed form, the sides are the same".into()]);
        }
        let strict = matches!(relation, Relation::LessThan | Relation::GreaterThan);
        let goal = Goal { wanted: here.clone(), strict, ..self.goal.clone() };
        Some(shown(&goal, budget)?.lines)
    }

    /// What is to be shown of a step, from the difference of the sides before it and after it.
    fn step(
        &self,
        here: &Formula,
        next: &Formula,
        start: i64,
        relation: Relation,
        budget: Budget,
    ) -> Option<Vec<String>> {
        let mut goal = self.goal.clone();
        goal.ranges[self.n] = Bounds::from(start, false);
        // Where a side is not defined the statement says nothing, and a step from there shows nothing.
        if !goal.is_defined(here, &[]) || !goal.is_defined(next, &[]) {
            return None;
        }
        let mut factors = vec![Formula::whole(1)];
        let quotients = self.tracked.iter().filter_map(|t| quotient_along(&goal, here, next, t.place));
        factors.extend(quotients.filter(|factor| goal.is_defined(factor, &[])));
        let is_equation = relation == Relation::Equal;
        let is_strict = matches!(relation, Relation::LessThan | Relation::GreaterThan);
        let mut is_hopeless = false;
        for factor in factors {
            let rest = next.clone().minus(factor.clone().times(here.clone()));
            let rest = self.without_tracked(&goal, rest);
            if is_equation {
                if rest.as_number().is_some_and(Zero::is_zero) {
                    let factor = in_words(&goal, &factor)?;
                    return Some(vec![format!("the difference of the sides becomes itself times {factor}")]);
                }
                continue;
            }
            if self.is_negative_somewhere(&goal, &rest, start) {
                is_hopeless = true;
                continue;
            }
            let part = |wanted: &Formula, strict: bool| {
                let mut part = goal.clone();
                (part.wanted, part.strict) = (wanted.clone(), strict);
                shown(&part, budget)
            };
            let (Some(first), Some(second)) = (part(&factor, is_strict), part(&rest, false)) else { continue };
            let told = in_words(&goal, &factor)?;
            let mut lines = vec![format!(
                "the difference of the sides becomes at least itself times {told}, a number that is not negative"
            )];
            lines.extend(first.lines.into_iter().chain(second.lines));
            return Some(lines);
        }
        if is_equation || is_hopeless {
            return None;
        }
        let says = if is_strict { Says::Positive } else { Says::NotNegative };
        goal.given.push((here.clone(), says));
        (goal.wanted, goal.strict) = (next.clone(), is_strict);
        Some(shown(&goal, budget)?.lines)
    }

    /// With sums of 1/k by their expansions, from a value of the whole number on.
    fn by_expansion(&self, here: &Formula, start: i64, relation: Relation, budget: Budget) -> Option<Vec<String>> {
        if relation == Relation::Equal {
            return None;
        }
        let strict = matches!(relation, Relation::LessThan | Relation::GreaterThan);
        let mut goal = Goal { wanted: here.clone(), strict, ..self.goal.clone() };
        goal.ranges[self.n] = Bounds::from(start, false);
        let index = Formula::variable(self.index);
        let sum = |t: &Accumulated| {
            let Kept::Sum(from, to, Body::Read(body)) = &t.kept else { return None };
            let factor = Indeterminates::of(&goal.ranges).fraction(&body.clone().times(index.clone()))?.as_number()?;
            let (factor, from, to) = (Formula::number(factor), from.clone(), to.clone());
            Some(HarmonicSum { place: t.place, factor, from, to })
        };
        let sums: Vec<HarmonicSum> = self.tracked.iter().map(sum).collect::<Option<_>>()?;
        Some(shown_in_one_variable(&without_sums(&goal, &sums)?, budget)?.lines)
    }

    /// Whether a formula without sums is negative at one of a few values.
    fn is_negative_somewhere(&self, goal: &Goal, of: &Formula, start: i64) -> bool {
        if self.tracked.iter().any(|t| of.uses(t.place)) {
            return false;
        }
        [start, start + 1, start + 5, 1_000, 1_000_000].into_iter().filter(|n| *n >= start).any(|n| {
            let at = |v: usize| if v == self.n { Enclosed::whole(n) } else { number_of(&goal.ranges[v].inner()) };
            let at: Vec<Enclosed> = (0..goal.names.len()).map(at).collect();
            of.on(&at).is_ok_and(|x| x.defined && x.value.hi() < 0.0)
        })
    }

    /// The same without the numbers that stand for sums, where they cancel, and zero where everything does.
    fn without_tracked(&self, goal: &Goal, of: Formula) -> Formula {
        let mut atoms = Indeterminates::of(&goal.ranges);
        let Some(fraction) = atoms.fraction(&of) else { return of };
        if fraction.above.is_zero() {
            return Formula::whole(0);
        }
        let places: Vec<usize> = self.tracked.iter().map(|t| t.place).collect();
        if places.iter().any(|&p| fraction.uses(p) || atoms.is_inside_an_atom(p)) {
            return of;
        }
        places.iter().fold(of, |of, &p| of.with_variable(p, &Formula::whole(0)))
    }

    /// A whole number as `c n + d`.
    fn linear(&self, of: &Formula) -> Option<(i64, i64)> {
        let fraction = Indeterminates::of(&self.goal.ranges).fraction(of)?;
        let whole = |x: BigRational| x.is_integer().then(|| x.to_integer().to_i64()).flatten();
        if !fraction.below.is_empty() || fraction.above.degree() > 1 {
            return None;
        }
        if fraction.above.variables().iter().any(|&v| v != self.n) {
            return None;
        }
        let along = fraction.above.along(self.n);
        let d = along.first().map_or(Some(0), |p| whole(p.as_number()?))?;
        let c = along.get(1).map_or(Some(0), |p| whole(p.as_number()?))?;
        Some((c, d))
    }

    /// A number that stands for something, at the whole number or one further.
    fn tracked(&mut self, kept: Kept, added: Formula, factor: Formula, range: Bounds) -> Formula {
        let found = self.tracked.iter().position(|t| t.kept == kept);
        let found = found.unwrap_or_else(|| {
            let name = format!("s{}", self.tracked.len() + 1);
            self.goal.new_variable(name, range);
            let place = self.goal.names.len() - 1;
            self.tracked.push(Accumulated { kept, place, added, factor });
            self.tracked.len() - 1
        });
        let Accumulated { place, added, factor, .. } = &self.tracked[found];
        let here = Formula::variable(*place);
        if self.is_next { here.times(factor.clone()).plus(added.clone()) } else { here }
    }

    /// With everything read at the whole number itself.
    fn here<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let was = std::mem::replace(&mut self.is_next, false);
        let found = read(self);
        self.is_next = was;
        found
    }

    /// A sum or a product of a body in the index.
    fn folded(&mut self, is_sum: bool, from: &Term, to: &Term, body: &Term) -> Option<Formula> {
        // One variable stands for the index; that of a sum around this one would be the same.
        if self.indices.iter().any(|outer| outer.uses(self.index)) {
            return None;
        }
        let (from, to) = self.here(|steps| Some((steps.read(from)?, steps.read(to)?)))?;
        let read = self.here(|steps| steps.at_index(&Body::Written(body.clone()), Formula::variable(steps.index)));
        match read {
            Some(body) => self.added_up(is_sum, from, to, Body::Read(body)),
            // What is kept under such a body would be another sum for another value of an index around it.
            None if uses(body).contains(&self.declared) || names_index_below(body, self.indices.len()) => None,
            None => self.added_up(is_sum, from, to, Body::Written(body.clone())),
        }
    }

    /// A body at a value of its index, as long as the whole number has not moved on.
    fn at_index(&mut self, body: &Body, index: Formula) -> Option<Formula> {
        match body {
            Body::Read(body) => Some(body.with_variable(self.index, &index)).filter(Formula::is_known),
            Body::Written(body) => {
                self.indices.push(index);
                let found = self.here(|steps| steps.read(body));
                self.indices.pop();
                found
            }
        }
    }

    fn added_up(&mut self, is_sum: bool, from: Formula, to: Formula, body: Body) -> Option<Formula> {
        let (from, to, body) = self.shifted(from, to, body)?;
        let ((a, b), (c, d)) = (self.linear(&from)?, self.linear(&to)?);
        if !(0..=FARTHEST).contains(&a) || !(0..=FARTHEST).contains(&c) || d.abs() > FARTHEST || b.abs() > FARTHEST {
            return None;
        }
        // Where it has no terms it must have one less than none at most, so that a further one is the first.
        let least = self.least()?;
        if c < a || c.checked_mul(least)?.checked_add(d)? < a.checked_mul(least)?.checked_add(b)? - 1 {
            return None;
        }
        if let (true, Body::Read(body)) = (is_sum, &body)
            && let Some(found) = self.in_closed_form(body, &from, &to)
        {
            // Its ends were read at the whole number itself.
            let next = self.n().plus(Formula::whole(1));
            return Some(if self.is_next { found.with_variable(self.n, &next) } else { found });
        }
        let end = |steps: &Self, c: i64, d: i64| Formula::whole(c).times(steps.n()).plus(Formula::whole(d));
        let mut at = |c: i64, d: i64| self.at_index(&body, end(self, c, d));
        let beyond: Vec<Formula> = (1..=c).map(|k| at(c, d + k)).collect::<Option<_>>()?;
        let before: Vec<Formula> = (0..a).map(|k| at(a, b + k)).collect::<Option<_>>()?;
        let range = self.range_of_terms(is_sum, &body, a.checked_mul(least)?.checked_add(b)?);
        let (all, none): (fn(Formula, Formula) -> Formula, i64) =
            if is_sum { (Number::plus, 0) } else { (Number::times, 1) };
        let beyond = beyond.into_iter().fold(Formula::whole(none), all);
        let before = before.into_iter().fold(Formula::whole(none), all);
        if is_sum {
            Some(self.tracked(Kept::Sum(from, to, body), beyond.minus(before), Formula::whole(1), range))
        } else {
            let factor = beyond.over(before).ok()?;
            Some(self.tracked(Kept::Product(from, to, body), Formula::whole(0), factor, range))
        }
    }

    /// The first value of the whole number.
    fn least(&self) -> Option<i64> {
        self.goal.ranges[self.n].low.as_ref()?.0.ceil().to_integer().to_i64()
    }

    /// With an index from which the whole number vanishes that occurs in the body: `1/(n + k)` for k from 1 is `1/k` for k from n + 1.
    fn shifted(&self, from: Formula, to: Formula, body: Body) -> Option<(Formula, Formula, Body)> {
        let Body::Read(read) = &body else { return Some((from, to, body)) };
        if self.tracked.iter().any(|t| read.uses(t.place)) {
            return None;
        }
        if !read.uses(self.n) {
            return Some((from, to, body));
        }
        let (index, n) = (Formula::variable(self.index), self.n());
        [1, -1].into_iter().find_map(|sign| {
            let by = n.clone().times(Formula::whole(sign));
            let moved = read.with_variable(self.index, &index.clone().minus(by.clone()));
            let free = moved.with_variable(self.n, &Formula::whole(0));
            let rest = Indeterminates::of(&self.goal.ranges).fraction(&moved.minus(free.clone()))?;
            rest.above.is_zero().then(|| (from.clone().plus(by.clone()), to.clone().plus(by), Body::Read(free)))
        })
    }

    /// The sum of a polynomial in the index, by its differences at zero.
    fn in_closed_form(&self, body: &Formula, from: &Formula, to: &Formula) -> Option<Formula> {
        let mut atoms = Indeterminates::of(&self.goal.ranges);
        let fraction = atoms.fraction(body)?;
        let degree = fraction.above.degree_in(self.index);
        let is_outside = fraction.below.keys().all(|p| p.degree_in(self.index) == 0);
        if degree > 6 || !is_outside || atoms.is_inside_an_atom(self.index) {
            return None;
        }
        let mut values: Vec<Formula> =
            (0..=degree).map(|k| body.with_variable(self.index, &Formula::whole(i64::from(k)))).collect();
        let upper = to.clone().plus(Formula::whole(1));
        let mut total = Formula::whole(0);
        // binom(k, j) for j one more than the order of the difference.
        let (mut high, mut low) = (Formula::whole(1), Formula::whole(1));
        for j in 0..=i64::from(degree) {
            let next =
                |of: Formula, at: &Formula| of.times(at.clone().minus(Formula::whole(j))).over(Formula::whole(j + 1));
            (high, low) = (next(high, &upper).ok()?, next(low, from).ok()?);
            let first = values.first()?.clone();
            total = total.plus(first.times(high.clone().minus(low.clone())));
            values = values.windows(2).map(|pair| pair[1].clone().minus(pair[0].clone())).collect();
        }
        Some(total)
    }

    /// What is known of a sum or a product from the signs of its terms.
    fn range_of_terms(&self, is_sum: bool, body: &Body, first: i64) -> Bounds {
        let Body::Read(body) = body else { return Bounds::default() };
        let mut ranges = self.goal.ranges.clone();
        ranges[self.index] = Bounds::from(first, false);
        match Indeterminates::sign_within(&ranges, body) {
            Some(Sign::Positive) => Bounds::from(0, !is_sum),
            Some(Sign::NotNegative | Sign::Zero) => Bounds::from(0, false),
            _ => Bounds::default(),
        }
    }

    /// `a^(c n + d)`: the power c of `a^n`, and d further factors.
    fn power(&mut self, base: Formula, exponent: &Formula) -> Option<Formula> {
        let (c, d) = self.linear(exponent)?;
        if base.uses(self.n) || self.tracked.iter().any(|t| base.uses(t.place)) {
            return None;
        }
        if c == 0 {
            return base.whole_power(d).ok();
        }
        let sign = Indeterminates::sign_within(&self.goal.ranges, &base);
        // A power of zero with a negative exponent is not defined, and with the exponent zero is one, from which no step leads on.
        if (c < 0 || d < 0 || self.least()? < 0) && sign != Some(Sign::Positive) {
            return None;
        }
        let range = match sign {
            Some(Sign::Positive) => Bounds::from(0, true),
            Some(Sign::NotNegative | Sign::Zero) => Bounds::from(0, false),
            _ => Bounds::default(),
        };
        let kept = Kept::Product(Formula::whole(1), self.n(), Body::Read(base.clone()));
        let power = self.tracked(kept, Formula::whole(0), base.clone(), range);
        Some(power.whole_power(c).ok()?.times(base.whole_power(d).ok()?))
    }

    /// A power of real numbers, of a base that goes along with the whole number.
    fn real_power(&mut self, base: &Term, exponent: &Term) -> Option<Formula> {
        let (base, exponent) = (self.read(base)?, self.read(exponent)?);
        let is_positive = Indeterminates::sign_within(&self.goal.ranges, &base) == Some(Sign::Positive);
        is_positive.then(|| base.real_power(exponent).ok()).flatten()
    }

    /// `(c n + d)!`, as `(c n)!` with factors.
    fn factorial(&mut self, of: &Formula) -> Option<Formula> {
        let (c, d) = self.linear(of)?;
        let least = self.least()?;
        if d.abs() > FARTHEST || c.checked_mul(least)?.checked_add(d)? < 0 || c.checked_mul(least)? < 0 {
            return None;
        }
        let to = Formula::whole(c).times(self.n());
        let whole = self.added_up(false, Formula::whole(1), to, Body::Read(Formula::variable(self.index)))?;
        let n = if self.is_next { self.n().plus(Formula::whole(1)) } else { self.n() };
        let factor = |k: i64| Formula::whole(c).times(n.clone()).plus(Formula::whole(k));
        let above = (1..=d).map(factor).fold(Formula::whole(1), Number::times);
        let below = (d + 1..=0).map(factor).fold(Formula::whole(1), Number::times);
        whole.times(above).over(below).ok()
    }

    /// `binom(c n + d, a n + b)`, whose next is a multiple of it.
    fn binomial(&mut self, n: &Formula, k: &Formula) -> Option<Formula> {
        let ((c, d), (a, b)) = (self.linear(n)?, self.linear(k)?);
        let small = |x: i64| (0..=4).contains(&x);
        let least = self.least()?;
        let inside = a * least + b >= 0 && c * least + d >= a * least + b;
        if !(small(c) && small(a) && c >= a && inside && d.abs() <= FARTHEST && b.abs() <= FARTHEST) {
            return None;
        }
        let rising = |c: i64, d: i64| {
            let factor = |k: i64| Formula::whole(c).times(self.n()).plus(Formula::whole(d + k));
            (1..=c).map(factor).fold(Formula::whole(1), Number::times)
        };
        let factor = rising(c, d).over(rising(a, b).times(rising(c - a, d - b))).ok()?;
        let kept = Kept::Binomial(n.clone(), k.clone());
        Some(self.tracked(kept, Formula::whole(0), factor, Bounds::from(0, true)))
    }
}

impl TermReader for Steps {
    fn read(&mut self, term: &Term) -> Option<Formula> {
        match &term.node {
            Node::Variable(place) if *place == self.declared => {
                let n = self.n();
                Some(if self.is_next { n.plus(Formula::whole(1)) } else { n })
            }
            Node::Variable(place) => self.values.get(*place).cloned().flatten(),
            Node::Index(depth) => self.indices.get(*depth).cloned(),
            Node::Fold(fold @ (Fold::Sum | Fold::Product), Terms::Over { from, to, body }) => {
                self.folded(*fold == Fold::Sum, from, to, body)
            }
            Node::Harmonic(to) => {
                let index = Formula::variable(self.index);
                let to = self.here(|s| s.read(to))?;
                self.added_up(true, Formula::whole(1), to, Body::Read(Formula::whole(1).over(index).ok()?))
            }
            Node::Factorial(of) => {
                let of = self.here(|s| s.read(of))?;
                self.factorial(&of)
            }
            Node::Binomial(n, k) => {
                let (n, k) = self.here(|s| Some((s.read(n)?, s.read(k)?)))?;
                self.binomial(&n, &k)
            }
            Node::WholePower(base, to) => {
                let exponent = self.here(|s| s.read(to));
                if exponent.as_ref().is_some_and(|e| e.as_number().is_some()) {
                    return self.read_as_usual(term);
                }
                let (written, base) = (base, self.here(|s| s.read(base)));
                if base.as_ref().is_some_and(|base| base.uses(self.n)) {
                    return self.real_power(written, to);
                }
                let exponent = exponent.filter(|e| !e.uses(self.index))?;
                self.power(base?, &exponent)
            }
            _ => self.read_as_usual(term),
        }
    }
}

/// Whether a term names an index of a sum or a product around it.
fn names_index_below(term: &Term, depth: usize) -> bool {
    matches!(term.node, Node::Index(level) if level < depth)
        || inside(term).into_iter().any(|part| names_index_below(part, depth))
}

/// The quotient of the factors of a number in two formulas, both of the first degree in it.
fn quotient_along(goal: &Goal, here: &Formula, next: &Formula, place: usize) -> Option<Formula> {
    let slope = |of: &Formula| {
        let mut atoms = Indeterminates::of(&goal.ranges);
        let Fraction { above, below } = atoms.fraction(of)?;
        let is_linear = above.degree_in(place) == 1 && below.keys().all(|p| p.degree_in(place) == 0);
        let inside = atoms.is_inside_an_atom(place);
        (is_linear && !inside).then(|| {
            let at = |x: i64| of.with_variable(place, &Formula::whole(x));
            at(1).minus(at(0))
        })
    };
    let (before, after) = (slope(here)?, slope(next)?);
    let quotient = after.over(before).ok()?;
    let mut atoms = Indeterminates::of(&goal.ranges);
    let fraction = atoms.fraction(&quotient)?;
    // One that is a number is written as one.
    match fraction.as_number() {
        Some(x) => x.is_positive().then(|| Formula::number(x)),
        None => Some(quotient),
    }
}

fn in_words(goal: &Goal, of: &Formula) -> Option<String> {
    let mut atoms = Indeterminates::of(&goal.ranges);
    let of = atoms.fraction(of)?;
    Some(written(&of, &names(&atoms, &goal.names)))
}
