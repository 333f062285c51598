//! Inequalities in several variables along one of them. Where the difference of the sides rises from an end of the range, or from another variable that a
//! condition puts below, it is least there; where it is convex, it is least where its slope vanishes. What is left has one variable less.

use evidence::budget::Budget;
use num_traits::Signed;

use super::algebra::expression::Formula;
use super::algebra::goal::{Goal, Says};
use super::algebra::inequality::{Shown, numerator};
use super::algebra::normal::{Indeterminate, Indeterminates, names, written};
use super::algebra::polynomial::Polynomial;
use super::algebra::roots::{Bounds, Endpoint, Sign};
use super::case::Tried;
use super::reasoning::shown;
use crate::numbers::number::Number;
use crate::text::words::Function;

/// The most variables.
const MOST: usize = 6;
/// How often functions are undone where an equation is solved.
const DEPTH: usize = 4;

/// Shows a goal, part by part.
pub(super) fn along_one_variable(goal: &Goal, budget: Budget, tried: &mut Tried) -> Option<Shown> {
    tried.note("the least value along one variable");
    let mut lines = Vec::new();
    let parts = goal.clone().narrowed().split();
    let is_whole = parts.len() == 1;
    for part in parts {
        let part = part.narrowed().propagated().compacted();
        if part.names.len() > MOST {
            return None;
        }
        let at_once = if is_whole { None } else { shown(&part, Budget::Quick).map(|shown| shown.lines) };
        let more = at_once.or_else(|| {
            let ways = || ways(&part).into_iter().flat_map(|way| (0..part.names.len()).map(move |v| (way.clone(), v)));
            let least = || ways().find_map(|(part, v)| from_the_least(&part, v, budget));
            // In one variable that is monotonicity, which was tried.
            let is_single = part.names.len() == 1;
            let ends = || ways().filter(|_| !is_single).find_map(|(part, v)| from_an_end(&part, v, budget));
            least().or_else(ends)
        })?;
        lines.extend(part.steps.into_iter().chain(more));
    }
    Some(Shown { by: "by the least value along one variable", lines })
}

/// The goal as it is, and where it is a difference of two positive products, divided by either.
fn ways(goal: &Goal) -> Vec<Goal> {
    let mut atoms = Indeterminates::of(&goal.ranges);
    let above = atoms.fraction(&goal.wanted).map(|of| numerator(&atoms, &of));
    let mut found = vec![goal.clone()];
    let Some(above) = above.filter(|above| above.len() == 2) else { return found };
    for (m, c) in &above.0 {
        let term = Polynomial::single(m.clone(), c.abs());
        let parts = [&above, &term].map(|p| atoms.polynomial_as_formula(p));
        if let ([Some(all), Some(one)], Some(Sign::Positive)) = (parts, atoms.sign(&term)) {
            found.extend(all.over(one).ok().map(|wanted| Goal { wanted, ..goal.clone() }));
        }
    }
    found
}

/// Where a variable starts from, or ends.
struct Start {
    at: Formula,
    told: String,
    is_lower: bool,
    /// Whether the variable never takes that value.
    is_apart: bool,
    /// What holds of all values between.
    domain: Goal,
}

impl Start {
    /// The domain with the start in it.
    fn closed(&self, v: usize) -> Goal {
        let mut closed = self.domain.clone();
        let Bounds { low, high } = &mut closed.ranges[v];
        for (x, is_apart) in [low, high].into_iter().flatten() {
            *is_apart &= self.at.as_number() != Some(x);
        }
        closed
    }
}

/// Whether the difference is continuous, and has slopes along a variable wherever all variables lie inside of their ranges. What is shown of those
/// holds at the ends of the other ranges, too, by continuity: of a weak inequality, and as long as conditions leave points inside next to every one.
fn is_continued(goal: &Goal, v: usize) -> bool {
    let is_open = |range: &Bounds| [&range.low, &range.high].into_iter().flatten().all(|end| end.1);
    let is_inside = goal.ranges.iter().enumerate().all(|(u, range)| u == v || is_open(range));
    let is_free = !goal.strict && goal.given.iter().all(|(e, _)| e.uses(v));
    (is_inside || is_free) && goal.is_defined(&goal.wanted, &[]) && goal.is_smooth(&goal.wanted)
}

/// Where the difference rises along a variable from where it starts, or falls to where it ends.
fn from_an_end(goal: &Goal, v: usize, budget: Budget) -> Option<Vec<String>> {
    starts(goal, v).into_iter().find_map(|start| {
        if !is_continued(&start.closed(v), v) {
            return None;
        }
        let mut first = at(&start.domain, v, &start.at)?;
        first.strict &= !start.is_apart;
        let mut slope = start.domain.clone();
        let rises = derivative(&slope, v)?;
        slope.wanted = if start.is_lower { rises } else { rises.negated() };
        slope.strict &= start.is_apart;
        let (first, more) = (holds(&first, budget)?, shown(&slope, budget)?);
        let [name, word] = [goal.names[v].as_str(), if start.is_lower { "rises" } else { "falls" }];
        let told = format!("the difference of the sides {word} with {name}, and at {name} = {} it holds:", start.told);
        Some(std::iter::once(told).chain(more.lines).chain(first).collect())
    })
}

/// The ends of a variable's range, and other variables that are its ends by a condition.
fn starts(goal: &Goal, v: usize) -> Vec<Start> {
    let free: Vec<(Formula, Says)> = goal.given.iter().filter(|(e, _)| !e.uses(v)).cloned().collect();
    let mut found = Vec::new();
    for (condition, says) in &goal.given {
        let mut atoms = Indeterminates::of(&goal.ranges);
        let Some(of) = atoms.fraction(condition).filter(|of| of.below.is_empty()) else { continue };
        for u in (0..goal.names.len()).filter(|&u| u != v) {
            let apart = Polynomial::variable(v).minus(&Polynomial::variable(u));
            let Some(factor) = of.above.divided(&apart).and_then(|factor| factor.as_number()) else { continue };
            let is_lower = factor.is_positive();
            if *says == Says::Zero || !reaches(&goal.ranges[v], &goal.ranges[u], is_lower) {
                continue;
            }
            let given = free.iter().cloned().chain([(condition.clone(), *says)]).collect();
            let domain = Goal { given, ..goal.clone() };
            let (at, told) = (Formula::variable(u), goal.names[u].clone());
            found.push(Start { at, told, is_lower, is_apart: *says == Says::Positive, domain });
        }
    }
    for (end, is_lower) in [(&goal.ranges[v].low, true), (&goal.ranges[v].high, false)] {
        if let Some((x, is_apart)) = end {
            let domain = Goal { given: free.clone(), ..goal.clone() };
            let (at, told) = (Formula::number(x.clone()), x.to_string());
            found.push(Start { at, told, is_lower, is_apart: *is_apart, domain });
        }
    }
    found
}

/// Whether a range reaches as far to one side as another one.
fn reaches(range: &Bounds, other: &Bounds, is_lower: bool) -> bool {
    let (end, its) = if is_lower { (&range.low, &other.low) } else { (&range.high, &other.high) };
    match (end, its) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(end), Some(its)) if end.0 == its.0 => its.1 || !end.1,
        (Some(end), Some(its)) => (its.0 > end.0) == is_lower,
    }
}

/// Where the difference is convex along a variable, and its slope vanishes at a formula in the others.
fn from_the_least(goal: &Goal, v: usize, budget: Budget) -> Option<Vec<String>> {
    let mut domain = goal.clone();
    domain.given.retain(|(e, _)| !e.uses(v));
    let is_positive = goal.ranges[v].low.as_ref().is_some_and(|low| low.1 && !low.0.is_negative());
    let wider = [goal.ranges[v].clone(), if is_positive { Bounds::from(0, true) } else { Bounds::default() }];
    wider.into_iter().find_map(|range| {
        domain.ranges[v] = range;
        if !is_continued(&domain, v) {
            return None;
        }
        let slope = Goal { wanted: derivative(&domain, v)?, ..domain.clone() };
        let least = critical(&slope, v).into_iter().find(|c| is_inside(&domain, v, c) && vanishes(&slope, v, c))?;
        let first = holds(&at(&domain, v, &least)?, budget)?;
        let bend = Goal { wanted: derivative(&slope, v)?, strict: false, ..domain.clone() };
        let more = shown(&bend, budget)?;
        let mut atoms = Indeterminates::of(&goal.ranges);
        let told = atoms.fraction(&least).map(|c| written(&c, &names(&atoms, &goal.names)))?;
        let name = &goal.names[v];
        let told = format!("the difference of the sides is convex along {name}, and least at {name} = {told}:");
        Some(std::iter::once(told).chain(more.lines).chain(first).collect())
    })
}

/// What is wanted, along a variable.
fn derivative(goal: &Goal, v: usize) -> Option<Formula> {
    let mut atoms = Indeterminates::of(&goal.ranges);
    let of = atoms.fraction(&goal.wanted)?;
    let slope = atoms.derivative(&of, v)?;
    atoms.formula(&slope)
}

/// The goal with a formula in place of a variable on which no condition depends, if it is defined there.
fn at(domain: &Goal, v: usize, by: &Formula) -> Option<Goal> {
    let mut found = domain.clone();
    found.given.retain(|(e, _)| !e.uses(v));
    found = found.with(v, by, Bounds::default());
    found.wanted = found.tidied(&found.wanted);
    found.is_defined(&found.wanted, &[]).then(|| found.compacted())
}

/// Shows a goal whose sides may be the same.
fn holds(goal: &Goal, budget: Budget) -> Option<Vec<String>> {
    let is_zero = Indeterminates::of(&goal.ranges).fraction(&goal.wanted).is_some_and(|of| of.above.is_zero());
    if is_zero {
        (!goal.strict).then(|| vec!["the sides are the same".into()])
    } else {
        Some(shown(goal, budget)?.lines)
    }
}

fn vanishes(goal: &Goal, v: usize, by: &Formula) -> bool {
    at(goal, v, by).is_some_and(|there| {
        Indeterminates::of(&there.ranges).fraction(&there.wanted).is_some_and(|of| of.above.is_zero())
    })
}

/// Whether a formula in the other variables lies inside of the range of one.
fn is_inside(goal: &Goal, v: usize, of: &Formula) -> bool {
    let is_positive = |wanted: Formula| {
        Indeterminates::sign_within(&goal.ranges, &wanted) == Some(Sign::Positive)
            || shown(&Goal { wanted, strict: true, ..goal.clone() }, Budget::Quick).is_some()
    };
    let Bounds { low, high } = &goal.ranges[v];
    let end = |end: &Option<Endpoint>| end.as_ref().map(|end| Formula::number(end.0.clone()));
    end(low).is_none_or(|low| is_positive(of.clone().minus(low)))
        && end(high).is_none_or(|high| is_positive(high.minus(of.clone())))
}

/// Where the slope, which is wanted, may vanish along a variable: where its equation can be solved, and at plain numbers and other variables.
fn critical(slope: &Goal, v: usize) -> Vec<Formula> {
    let mut atoms = Indeterminates::of(&slope.ranges);
    let of = atoms.fraction(&slope.wanted);
    let solved = of.and_then(|of| solved(&mut atoms, &of.above, v, DEPTH));
    let others = (0..slope.names.len()).filter(|&u| u != v).map(Formula::variable);
    solved.into_iter().chain([0, 1].map(Formula::whole)).chain(others).collect()
}

/// The variable as what makes a polynomial in atoms zero, if that can be read off.
fn solved(atoms: &mut Indeterminates, p: &Polynomial, v: usize, depth: usize) -> Option<Formula> {
    let (_, p) = p.content();
    let depends: Vec<usize> = p.variables().into_iter().filter(|&place| atoms.depends(place, v)).collect();
    let again = |atoms: &mut Indeterminates, of: Formula| {
        let of = atoms.fraction(&of).filter(|_| depth > 0)?;
        solved(atoms, &of.above, v, depth - 1)
    };
    if let [place] = depends[..]
        && p.degree_in(place) == 1
    {
        let parts = p.along(place);
        let (rest, factor) = (atoms.polynomial_as_formula(&parts[0])?, atoms.polynomial_as_formula(&parts[1])?);
        let value = rest.negated().over(factor).ok()?;
        return match atoms.all[place].clone() {
            Indeterminate::Variable(_) => Some(value),
            Indeterminate::Applied(Function::Exp, of) => {
                let undone = atoms.formula(&of)?.minus(value.apply(Function::Log).ok()?);
                again(atoms, undone)
            }
            Indeterminate::Applied(Function::Log, of) => {
                let undone = atoms.formula(&of)?.minus(value.apply(Function::Exp).ok()?);
                again(atoms, undone)
            }
            Indeterminate::Root(of, order) => {
                let undone = atoms.polynomial_as_formula(&of)?.minus(value.whole_power(order.into()).ok()?);
                again(atoms, undone)
            }
            _ => None,
        };
    }
    // Multiples of logarithms, alike but for their signs, and what does not depend on the variable.
    let (mut above, mut below, mut rest) = (Formula::whole(1), Formula::whole(1), p.clone());
    let mut size = None;
    for &place in &depends {
        let Indeterminate::Applied(Function::Log, of) = atoms.all[place].clone() else { return None };
        let factor = p.along(place).get(1)?.as_number().filter(|_| p.degree_in(place) == 1)?;
        if *size.get_or_insert_with(|| factor.abs()) != factor.abs() {
            return None;
        }
        let of = atoms.formula(&of)?;
        (above, below) = if factor.is_positive() { (above.times(of), below) } else { (above, below.times(of)) };
        rest = rest.substituted(place, &Polynomial::default());
    }
    let rest = atoms.polynomial_as_formula(&rest.scaled(&size?.recip()))?;
    let product = above.times(rest.apply(Function::Exp).ok()?);
    again(atoms, product.minus(below))
}
