//! A statement with everything it assumes: the comparison, the variables, the conditions.

use evidence::claim::Relation;
use std::sync::Arc;

use enclosures::interval::Interval;

use super::compare::is_false;
use super::draw::unfit;
use crate::formulas::domain::{Declarations, Domain, End, RealRange, Variable};
use crate::formulas::evaluate::Evaluator;
pub use crate::formulas::scope::declarations;
use crate::formulas::scope::{Abbreviation, Scope, declared, value_of_closed};
use crate::formulas::term::{Chain, Node, Term, Terms, inside, uses};
use crate::formulas::undeclared::misread;
use crate::numbers::number::{Enclosed, Real, Value};
use crate::text::fault::{Fault, Misfit, Problem};
use crate::text::logic::Claimed;
use crate::text::syntax::{Assertion, Operation, Span};
use crate::text::words::Function;
use crate::text::{logic, parse};

/// The three texts of a statement, as they were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Texts {
    /// The comparison: `log(1 + x) <= x`.
    pub statement: String,
    /// What the variables range over: `x in [0, 1]`; real numbers where nothing is said.
    #[serde(default, rename = "for", skip_serializing_if = "String::is_empty")]
    pub ranges: String,
    /// Further conditions: `x < y`.
    #[serde(default, rename = "where", skip_serializing_if = "String::is_empty")]
    pub conditions: String,
}

impl Texts {
    /// A statement about real numbers, without conditions.
    #[must_use]
    pub fn of(statement: &str) -> Self {
        Texts { statement: statement.into(), ..Texts::default() }
    }

    /// The same with declarations of its variables.
    #[must_use]
    pub fn ranging(mut self, declarations: &str) -> Self {
        self.ranges = declarations.into();
        self
    }

    /// The same under each alternative of a condition that has equations and others among them, in place of the condition; none where there is none.
    pub(crate) fn alternatives(&self) -> Vec<Texts> {
        let text = &self.conditions;
        let Ok(asked) = parse::conditions(text) else { return Vec::new() };
        let Some((place, alternatives)) = asked.iter().enumerate().find_map(|(place, one)| {
            let alternatives = logic::mixed(one, text);
            (!alternatives.is_empty()).then_some((place, alternatives))
        }) else {
            return Vec::new();
        };
        let under = |alternative: String| {
            let told = |(at, one): (usize, &Assertion)| {
                if at == place { alternative.clone() } else { logic::told(one, text) }
            };
            let each: Vec<String> = asked.iter().enumerate().map(told).collect();
            Texts { conditions: each.join(", "), ..self.clone() }
        };
        alternatives.into_iter().map(under).collect()
    }

    /// The same under conditions.
    #[must_use]
    pub fn given(mut self, conditions: &str) -> Self {
        self.conditions = conditions.into();
        self
    }
}

/// What a statement is read for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Purpose {
    Stored,
    Typed,
    FirstOfSeveral,
    OneOfSeveral,
}

/// Takes what is asked among the conditions, or as a narrower range.
fn take(scope: &mut Scope, asked: Vec<Chain>, text: &str, conditions: &mut Vec<Chain>) -> Result<(), Misfit> {
    for condition in asked {
        let absorbed = absorb(scope, &condition, text)?;
        conditions.extend((!absorbed).then_some(condition));
    }
    Ok(())
}

/// A statement that has been read and checked.
#[derive(Clone, Debug)]
pub struct Statement {
    /// As it was typed.
    pub texts: Texts,
    /// The variables, their ranges made as narrow as the conditions say.
    pub declarations: Arc<Declarations>,
    /// What is compared.
    pub chain: Chain,
    /// The conditions that are not ranges of single variables.
    pub conditions: Vec<Chain>,
    /// The conditions that the statement itself states, where they are its own among several statements.
    pub implied: Vec<Chain>,
    /// Ranges that nobody wrote, because outside them a side is not defined ("x in (0, inf)").
    pub supplied: Vec<String>,
    /// Names that were taken as real numbers because nobody declared them.
    pub undeclared: Vec<String>,
    /// The numbers in the formulas that `let` names: where each is written in the ranges, and its value.
    pub(crate) named: Vec<(Span, f64)>,
    /// The number of the equivalent form, of a statement of alternatives.
    pub(crate) way: usize,
    /// What it was read for.
    pub(crate) purpose: Purpose,
}

impl Statement {
    /// Reads and checks the texts.
    ///
    /// # Errors
    /// A text cannot be read, a name is unknown or used for something it is not, a range is empty.
    pub fn read(texts: &Texts) -> Result<Self, Fault> {
        Self::understood(texts, Purpose::Stored, 0)
    }

    /// The same of what somebody typed: a declared variable that is not used, and an undeclared name that is a product of others, an entry of a
    /// vector, or like a declared one, are faults.
    ///
    /// # Errors
    /// As for [`Statement::read`], and what is likely not meant.
    pub fn typed(texts: &Texts) -> Result<Self, Fault> {
        Self::understood(texts, Purpose::Typed, 0)
    }

    /// The same statement in its next equivalent form. Where this one claims `b` where `a` is false, the next claims `a` where `b` is false. None if there
    /// is no other.
    pub(crate) fn otherwise(&self) -> Option<Self> {
        Self::understood(&self.texts, self.purpose, self.way + 1).ok()
    }

    /// The same of the first of several statements about the same variables: what it assumes by itself is not assumed by the others.
    ///
    /// # Errors
    /// As for [`Statement::typed`].
    pub(crate) fn first_of_several(texts: &Texts) -> Result<Self, Fault> {
        Self::understood(texts, Purpose::FirstOfSeveral, 0)
    }

    /// The same of another one of them.
    ///
    /// # Errors
    /// As for [`Statement::read`].
    pub(crate) fn one_of_several(texts: &Texts) -> Result<Self, Fault> {
        Self::understood(texts, Purpose::OneOfSeveral, 0)
    }

    /// In the first of the ways from this one on in which something is left to be judged.
    fn understood(texts: &Texts, purpose: Purpose, first: usize) -> Result<Self, Fault> {
        let (stated, given) = (&texts.statement, &texts.conditions);
        let within = |misfit: Misfit| misfit.within(stated, "the statement");
        let asked = parse::conditions(given)?;
        let ways = logic::claimed(&parse::statement(stated)?, stated).map_err(within)?;
        let last = ways.len().saturating_sub(1);
        for (way, claimed) in ways.iter().enumerate().skip(first) {
            if let Some(found) = Self::in_one_way(texts, purpose, &asked, (way, claimed), way < last)? {
                return Ok(found);
            }
        }
        Err(within(Misfit::at(&(0..stated.len()), Problem::Domain("there is no other way to understand it".into()))))
    }

    /// None if the contraries of its other alternatives leave nothing, where there is another way.
    fn in_one_way(
        texts: &Texts,
        purpose: Purpose,
        asked: &[Assertion],
        (way, claimed): (usize, &Claimed),
        is_optional: bool,
    ) -> Result<Option<Self>, Fault> {
        let (stated, ranges, given) = (&texts.statement, &texts.ranges, &texts.conditions);
        let mut scope = declared(&parse::declarations(ranges)?, ranges).map_err(|m| m.within(ranges, "--for"))?;
        // A range with a variable in its end is no use of the variable whose range it is.
        let ends = scope.asked.iter().zip(&scope.askers);
        let mut used: Vec<usize> = ends
            .flat_map(|(chain, asker)| {
                chain.sides.iter().flat_map(uses).filter(|place| place != asker).collect::<Vec<_>>()
            })
            .collect();
        let mut conditions = scope.asked.clone();
        for asked in asked.iter().flat_map(|read| logic::conditions(read, given)) {
            let within = |misfit: Misfit| misfit.within(given, "--where");
            let asked = scope.asked(&asked, given).map_err(within)?;
            used.extend(asked.iter().flat_map(|chain| &chain.sides).flat_map(uses));
            take(&mut scope, asked, given, &mut conditions).map_err(within)?;
        }
        let in_conditions = scope.undeclared.len();
        let within = |misfit: Misfit| misfit.within(stated, "the statement");
        // What it assumes by itself narrows no range that the others share.
        let is_one_of_several = matches!(purpose, Purpose::FirstOfSeveral | Purpose::OneOfSeveral);
        let (before, known, asked_of_all) = (scope.variables.clone(), scope.variables.len(), conditions.len());
        let mut implied = Vec::new();
        for (asked, is_given) in
            claimed.given.iter().map(|a| (a, true)).chain(claimed.otherwise.iter().map(|a| (a, false)))
        {
            let asked = scope.asked(asked, stated).map_err(within)?;
            used.extend(asked.iter().flat_map(|chain| &chain.sides).flat_map(uses));
            let may_leave_nothing = is_given || !is_optional;
            if !may_leave_nothing && asked.iter().any(|chain| is_never_met(&scope, chain)) {
                return Ok(None);
            }
            if is_one_of_several {
                implied.extend(asked.iter().cloned());
            }
            match take(&mut scope, asked, stated, &mut conditions) {
                Err(_) if !may_leave_nothing => return Ok(None),
                // Whether its own conditions leave something is seen by trying it.
                Err(_) if is_one_of_several => {}
                taken => taken.map_err(within)?,
            }
        }
        if is_one_of_several {
            conditions.truncate(asked_of_all);
            for (variable, before) in scope.variables.iter_mut().zip(before) {
                variable.domain = before.domain;
            }
            for variable in scope.variables.iter_mut().skip(known) {
                variable.domain = Domain::Real(RealRange::everything());
            }
        }
        let chain = scope.claimed(&claimed.stated, stated).map_err(within)?;
        used.extend(chain.sides.iter().flat_map(uses));
        let supplied = supply(&mut scope, &chain);
        if matches!(purpose, Purpose::Typed | Purpose::FirstOfSeveral) {
            if let Some((place, misfit)) = misread(&scope.undeclared, &scope.variables, scope.declared.len()) {
                let (text, origin) = if place < in_conditions { (given, "--where") } else { (stated, "the statement") };
                return Err(misfit.within(text, origin));
            }
            used.extend(scope.variables.iter().flat_map(|v| v.domain.sizes()).flat_map(|size| uses(&size.term)));
            let variable = (0..scope.declared.len()).find(|place| !used.contains(place));
            let unused = variable.map(|place| (&scope.variables[place].name, &scope.declared[place]));
            let name = (0..scope.abbreviations.len()).find(|at| !scope.abbreviated.contains(at));
            let unused =
                unused.or_else(|| name.map(|at| (&scope.abbreviations[at].name, &scope.abbreviations[at].span)));
            if let Some((name, span)) = unused {
                return Err(Misfit::at(span, Problem::Unused(name.clone())).within(ranges, "--for"));
            }
        }
        let named = scope.abbreviations.iter().flat_map(Abbreviation::numbers).collect();
        let undeclared = scope.undeclared.iter().map(|u| u.name.clone()).collect();
        let declarations = scope.finish().map_err(|m| m.within(ranges, "--for"))?;
        let declarations = declarations.under(&conditions);
        if let Some(message) = unfit(&declarations) {
            let fault = Misfit::at(&(0..ranges.len()), Problem::Domain(message));
            return Err(fault.within(ranges, "--for"));
        }
        Ok(Some(Statement {
            texts: texts.clone(),
            declarations: Arc::new(declarations),
            chain,
            conditions,
            implied,
            supplied,
            undeclared,
            named,
            way,
            purpose,
        }))
    }
}

/// Narrows the ranges of variables by a condition that compares single real variables with numbers; true if that says all of it.
fn absorb(scope: &mut Scope, chain: &Chain, text: &str) -> Result<bool, Misfit> {
    let mut ends: Vec<(usize, End, bool, Span)> = Vec::new();
    for (pair, relation) in chain.sides.windows(2).zip(&chain.relations) {
        let [left, right] = pair else { return Ok(false) };
        let open = matches!(relation, Relation::LessThan | Relation::GreaterThan);
        let mut end = |place: usize, limit: &Term, lower: bool| {
            let Some(value) = value_of_closed(limit) else {
                return false;
            };
            let text = text.get(limit.span.clone()).unwrap_or("").trim().to_owned();
            ends.push((place, End { value, text, open, term: Some(limit.clone()) }, lower, limit.span.clone()));
            true
        };
        let understood = match (&left.node, &right.node, relation) {
            (_, _, Relation::Equal) => false,
            (Node::Variable(v), _, Relation::AtMost | Relation::LessThan) => end(*v, right, false),
            (Node::Variable(v), _, _) => end(*v, right, true),
            (_, Node::Variable(v), Relation::AtMost | Relation::LessThan) => end(*v, left, true),
            (_, Node::Variable(v), _) => end(*v, left, false),
            _ => false,
        };
        if !understood {
            return Ok(false);
        }
    }
    let real = |place: usize, scope: &Scope| matches!(scope.variables[place].domain, Domain::Real(_));
    if !ends.iter().all(|(place, ..)| real(*place, scope)) {
        return Ok(false);
    }
    let mut is_all = true;
    for (place, end, lower, span) in ends {
        let Variable { name, domain } = &mut scope.variables[place];
        if let Domain::Real(range) = domain {
            // Of two ends that doubles do not tell apart the range keeps the first, which may be the weaker one.
            let old = if lower { &range.low } else { &range.high };
            is_all &= old.value.intersection(end.value).is_none() || old.is_at(&end);
            range.tighten(end, lower);
            if let Some(reason) = range.emptiness(name) {
                return Err(Misfit::at(&span, Problem::Domain(reason)));
            }
        }
    }
    Ok(is_all)
}

/// Whether a condition on real variables is false wherever they are in their ranges.
fn is_never_met(scope: &Scope, chain: &Chain) -> bool {
    let value = |place: usize| match &scope.variables.get(place)?.domain {
        Domain::Real(range) => {
            let (low, high) = range.hull();
            Some(Value::Scalar(<Enclosed as Real>::within(Interval::new(low, high))))
        }
        _ => None,
    };
    let places = chain.sides.iter().flat_map(uses).max().map_or(0, |last| last + 1);
    let Some(values) = (0..places).map(value).collect::<Option<Vec<_>>>() else { return false };
    let Ok(sides) =
        chain.sides.iter().map(|side| Evaluator::new(&values).scalar(side)).collect::<Result<Vec<Enclosed>, _>>()
    else {
        return false;
    };
    let mut links = sides.windows(2).zip(&chain.relations);
    links
        .any(|(pair, relation)| pair[0].defined && pair[1].defined && is_false(pair[0].value, *relation, pair[1].value))
}

/// Narrows the ranges of real variables to where the sides are defined, as far as that can be read off: `log x`, `sqrt(1 − x)`.
fn supply(scope: &mut Scope, chain: &Chain) -> Vec<String> {
    let mut ends: Vec<(usize, f64, bool, bool)> = Vec::new();
    for side in &chain.sides {
        visit_evaluated(side, &mut |term| {
            let limits: &[(f64, bool, bool)] = match &term.node {
                Node::Apply(Function::Log | Function::Log2 | Function::Log10, _) => &[(0.0, true, true)],
                Node::Apply(Function::Sqrt, _) => &[(0.0, true, false)],
                Node::RealPower(..) => &[(0.0, true, false)],
                Node::Apply(Function::Log1p, _) => &[(-1.0, true, true)],
                Node::Apply(Function::Acosh, _) => &[(1.0, true, false)],
                Node::Apply(Function::Asin | Function::Acos, _) => &[(-1.0, true, false), (1.0, false, false)],
                Node::Apply(Function::Atanh, _) => &[(-1.0, true, true), (1.0, false, true)],
                _ => &[],
            };
            let argument = match &term.node {
                Node::Apply(_, a) => a,
                // Whole powers are defined for negative numbers, and the exponent may be one: 4/2.
                Node::RealPower(a, b) if value_of_closed(b).is_some_and(|b| b.lo().ceil() > b.hi()) => a,
                _ => return,
            };
            let Some((place, rising, shift)) = shifted(argument) else {
                return;
            };
            for &(limit, lower, open) in limits {
                // shift + x beyond the limit, or shift − x.
                let at = if rising { limit - shift } else { shift - limit };
                ends.push((place, at, lower == rising, open));
            }
        });
    }
    let mut narrowed: Vec<usize> = Vec::new();
    for (place, at, lower, open) in ends {
        let Domain::Real(range) = &mut scope.variables[place].domain else {
            continue;
        };
        let mut narrower = range.clone();
        let end = End { value: at.into(), text: format!("{at}"), open, term: None };
        if narrower.tighten(end, lower) && narrower.is_inhabited() {
            *range = narrower;
            if !narrowed.contains(&place) {
                narrowed.push(place);
            }
        }
    }
    let told = |&place: &usize| format!("{} in {}", scope.variables[place].name, scope.variables[place].domain);
    narrowed.iter().map(told).collect()
}

/// Looks at the terms that are evaluated whatever the values are: not at what is summed, of which there may be nothing.
fn visit_evaluated(term: &Term, see: &mut dyn FnMut(&Term)) {
    see(term);
    match &term.node {
        Node::Guarded(..) | Node::Expectation { .. } => {}
        Node::Fold(_, Terms::Over { from, to, .. }) => [from, to].into_iter().for_each(|end| visit_evaluated(end, see)),
        _ => inside(term).into_iter().for_each(|inner| visit_evaluated(inner, see)),
    }
}

/// A variable to which an exact number is added, or that is taken from one: its place, whether the sum rises with it, and the number.
fn shifted(term: &Term) -> Option<(usize, bool, f64)> {
    let number = |t: &Term| {
        let value = value_of_closed(t)?;
        // Small dyadic numbers only, so that differences of ends are exact.
        let exact = value.lo() == value.hi() && (value.lo() * 1024.0).fract() == 0.0 && value.magnitude() < 1e6;
        exact.then_some(value.lo())
    };
    match &term.node {
        Node::Variable(place) => Some((*place, true, 0.0)),
        Node::Negated(a) => match a.node {
            Node::Variable(place) => Some((place, false, 0.0)),
            _ => None,
        },
        Node::Binary(operation, a, b) => match (operation, &a.node, &b.node) {
            (Operation::Add, Node::Variable(place), _) => Some((*place, true, number(b)?)),
            (Operation::Add, _, Node::Variable(place)) => Some((*place, true, number(a)?)),
            (Operation::Subtract, Node::Variable(place), _) => Some((*place, true, -number(b)?)),
            (Operation::Subtract, _, Node::Variable(place)) => Some((*place, false, number(a)?)),
            _ => None,
        },
        _ => None,
    }
}
