//! What is to be shown in one case of a statement: that a number is not negative, for all values of some variables under some conditions.

use evidence::claim::Relation;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::expression::{Formula, Head};
use super::normal::{Indeterminates, names};
use super::polynomial::{Monomial, Polynomial};
use super::roots::{Bounds, Endpoint, Sign};
use crate::formulas::domain::{Domain, End, RealRange};
use crate::formulas::evaluate::Evaluator;
use crate::formulas::term::{Chain, Term};
use crate::instances::assignment::{Raw, ValueShape};
use crate::instances::statement::Statement;
use crate::numbers::exact::Exact;
use crate::numbers::number::{Enclosed, Grid, Number, Value};
use crate::text::words::Function;

/// What a condition says of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    Zero,
    NotNegative,
    Positive,
}

/// A number is not negative, or positive, wherever it is defined and the conditions are met.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) names: Vec<String>,
    pub(crate) ranges: Vec<Bounds>,
    pub(crate) given: Vec<(Formula, Says)>,
    pub(crate) wanted: Formula,
    pub(crate) strict: bool,
    /// What was put in place of what, in words.
    pub(crate) steps: Vec<String>,
    /// Ends of ranges that are no fractions.
    pub(crate) written: Vec<WrittenEnd>,
}

/// An end of a variable's range that is no fraction.
#[derive(Clone, Debug)]
pub(crate) struct WrittenEnd {
    pub(super) name: String,
    /// The fraction beyond it that is used in its place.
    pub(super) stands_for: BigRational,
    pub(super) end: Formula,
    /// Whether it is left out.
    pub(super) excluded: bool,
}

/// The most variables.
const MOST: usize = 24;
/// Points at which it is looked at first.
const SAMPLES: usize = 40;
/// How often a goal is split in two at most.
const SPLITS: usize = 7;

impl Goal {
    /// The goal of one relation of a statement, its whole numbers fixed; those that are not are taken as real.
    pub(crate) fn of(statement: &Statement, wholes: &[Raw], shapes: &[ValueShape], relation: usize) -> Option<Goal> {
        let mut goal = Goal::nothing();
        let mut values: Vec<Value<Formula>> = Vec::new();
        for ((variable, raw), shape) in statement.declarations.variables.iter().zip(wholes).zip(shapes) {
            values.push(goal.declared(&variable.name, &variable.domain, raw, *shape)?);
        }
        if goal.names.len() > MOST {
            return None;
        }
        let side = |term: &Term| Evaluator::new(&values).scalar(term).ok().filter(Formula::is_known);
        for condition in &statement.conditions {
            goal.given.extend(compared(condition, &mut { side })?);
        }
        let chain = &statement.chain;
        let (left, right) = (side(&chain.sides[relation])?, side(&chain.sides[relation + 1])?);
        (goal.wanted, goal.strict) = match chain.relations[relation] {
            Relation::AtMost => (right.minus(left), false),
            Relation::LessThan => (right.minus(left), true),
            Relation::AtLeast => (left.minus(right), false),
            Relation::GreaterThan => (left.minus(right), true),
            Relation::Equal => return None,
        };
        Some(goal)
    }

    /// The same with variables in place of what is rounded, of which is known how far they are from it. A difference of such, with whole factors, is not
    /// negative where it is more than minus one.
    pub(crate) fn without_floors(mut self) -> Goal {
        let first = self.names.len();
        let mut rounded: Vec<(Function, Formula)> = Vec::new();
        let mut replace = |e: &Formula| {
            e.replaced(&mut |e| {
                let Head::Apply(function @ (Function::Floor | Function::Ceiling), of) = &*e.0 else { return None };
                let one = (*function, of.clone());
                let place = rounded.iter().position(|other| *other == one).unwrap_or(rounded.len());
                rounded.extend((place == rounded.len()).then_some(one));
                Some(Formula::variable(first + place))
            })
        };
        self.wanted = replace(&self.wanted);
        self.given = self.given.iter().map(|(e, says)| (replace(e), *says)).collect();
        for (place, (function, of)) in rounded.into_iter().enumerate() {
            let whole = self.new_variable(format!("whole number {}", place + 1), Bounds::default());
            let rest = if function == Function::Floor { of.minus(whole) } else { whole.minus(of) };
            self.given.push((rest.clone(), Says::NotNegative));
            self.given.push((Formula::whole(1).minus(rest), Says::Positive));
        }
        let wanted = Indeterminates::of(&self.ranges).fraction(&self.wanted);
        let is_whole = |p: &Polynomial| {
            let wholes = first..self.names.len();
            p.0.iter().all(|(m, c)| c.is_integer() && (0..m.len()).all(|v| m.exponent(v) == 0 || wholes.contains(&v)))
        };
        if self.names.len() > first
            && !self.strict
            && wanted.is_some_and(|of| of.below.is_empty() && is_whole(&of.above))
        {
            (self.wanted, self.strict) = (self.wanted.plus(Formula::whole(1)), true);
        }
        self
    }

    /// One without variables, conditions and a claim.
    pub(crate) fn nothing() -> Goal {
        Goal {
            names: Vec::new(),
            ranges: Vec::new(),
            given: Vec::new(),
            wanted: Formula::whole(0),
            strict: false,
            steps: Vec::new(),
            written: Vec::new(),
        }
    }

    /// Notes how the ends of a variable's range were written that are no fractions.
    fn note_ends(&mut self, name: &str, range: &RealRange, bounds: &Bounds) {
        for (end, stand_in) in [(&range.low, &bounds.low), (&range.high, &bounds.high)] {
            let formula = end.term.as_ref().and_then(|t| Evaluator::<Formula>::new(&[]).scalar(t).ok());
            if let (Some(formula), Some((stands_for, _))) = (formula.filter(Formula::is_known), stand_in)
                && formula.as_number().is_none()
            {
                let (name, stands_for) = (name.to_owned(), stands_for.clone());
                self.written.push(WrittenEnd { name, stands_for, end: formula, excluded: end.open });
            }
        }
    }

    /// Whether a formula is defined for all values of the variables in their ranges, or, along some of them, on a convex part of these ranges.
    pub(crate) fn is_defined(&self, of: &Formula, along: &[usize]) -> bool {
        let sign = |e: &Formula| Indeterminates::sign_within(&self.ranges, e);
        let is_affine = |e: &Formula| {
            let mut atoms = Indeterminates::of(&self.ranges);
            let Some(of) = atoms.fraction(e).filter(|of| of.below.is_empty()) else { return false };
            let degree = |m: &Monomial| along.iter().map(|&v| m.exponent(v)).sum::<u32>();
            let is_inside = along.iter().any(|&v| atoms.is_inside_an_atom(v));
            !along.is_empty() && !is_inside && of.above.0.keys().all(|m| degree(m) <= 1)
        };
        let is_end = |e: &Formula| match sign(e) {
            Some(Sign::Positive) => true,
            Some(Sign::NotNegative) => is_affine(e),
            _ => false,
        };
        let is_positive = |e: &Formula| {
            sign(e) == Some(Sign::Positive)
                || is_affine(e)
                || matches!(&*e.0, Head::Quotient(a, b) if is_end(a) && is_end(b))
        };
        let is_not_negative = |e: &Formula| matches!(sign(e), Some(Sign::Positive | Sign::NotNegative)) || is_affine(e);
        let mut defined = true;
        of.visit(&mut |e| {
            defined &= match &*e.0 {
                Head::Quotient(_, b) => match sign(b) {
                    Some(Sign::Positive | Sign::Negative) => true,
                    Some(Sign::NotNegative | Sign::NotPositive) => is_affine(b),
                    _ => false,
                },
                // Powers of zero with the exponent zero are not near those with others.
                Head::RealPower(a, b) if b.as_number().is_none() => sign(a) == Some(Sign::Positive),
                Head::RealPower(a, _) | Head::Entropic(a) | Head::Apply(Function::Sqrt, a) => is_not_negative(a),
                Head::Apply(Function::Log, a) => is_positive(a),
                Head::Apply(Function::Tan, a) => is_without_poles(&self.ranges, a),
                Head::Apply(Function::Abs, _) => true,
                Head::Apply(function, _) => is_smooth_everywhere(*function),
                Head::Unknown => false,
                _ => true,
            }
        });
        defined
    }

    /// Whether a formula has derivatives of every order wherever all variables lie inside of their ranges.
    pub(crate) fn is_smooth(&self, of: &Formula) -> bool {
        let inner = |range: &Bounds| {
            let end = |end: &Option<(BigRational, bool)>| end.clone().map(|(x, _)| (x, true));
            Bounds { low: end(&range.low), high: end(&range.high) }
        };
        let ranges: Vec<Bounds> = self.ranges.iter().map(inner).collect();
        let sign = |e: &Formula| Indeterminates::sign_within(&ranges, e);
        let is_nonzero = |e: &Formula| matches!(sign(e), Some(Sign::Positive | Sign::Negative));
        let mut smooth = true;
        of.visit(&mut |e| {
            smooth &= match &*e.0 {
                Head::Quotient(_, b) => is_nonzero(b),
                Head::Power(a, k) => *k >= 0 || is_nonzero(a),
                Head::RealPower(a, _) | Head::Entropic(a) => sign(a) == Some(Sign::Positive),
                Head::Apply(Function::Sqrt | Function::Log, a) => sign(a) == Some(Sign::Positive),
                Head::Apply(Function::Abs, a) => is_nonzero(a),
                Head::Apply(Function::Tan, a) => is_without_poles(&ranges, a),
                Head::Apply(function, _) => is_smooth_everywhere(*function),
                Head::Larger(..) | Head::Unknown => false,
                Head::Number(_) | Head::Pi | Head::Variable(_) | Head::Sum(..) | Head::Product(..) => true,
            }
        });
        smooth
    }

    /// A formula with the logarithms of products of positive numbers, of powers and of exponentials taken apart, and exponentials of logarithms
    /// put together.
    pub(crate) fn tidied(&self, of: &Formula) -> Formula {
        let is_positive = |e: &Formula| Indeterminates::sign_within(&self.ranges, e) == Some(Sign::Positive);
        let log = |e: &Formula| e.clone().apply(Function::Log).ok();
        let plain = |e: &Formula| {
            let mut atoms = Indeterminates::of(&self.ranges);
            let found = atoms.fraction(e)?;
            atoms.formula(&found)
        };
        let once = |of: &Formula| {
            of.replaced(&mut |e| match &*e.0 {
                Head::Apply(Function::Log, a) => match &*a.0 {
                    Head::Apply(Function::Exp, b) => Some(b.clone()),
                    Head::Product(a, b) if is_positive(a) && is_positive(b) => Some(log(a)?.plus(log(b)?)),
                    Head::Quotient(a, b) if is_positive(a) && is_positive(b) => Some(log(a)?.minus(log(b)?)),
                    _ => None,
                },
                Head::RealPower(a, b) => match &*a.0 {
                    Head::Apply(Function::Exp, c) => c.clone().times(b.clone()).apply(Function::Exp).ok(),
                    _ => None,
                },
                Head::Apply(Function::Exp, a) => match &*plain(a)?.0 {
                    Head::Apply(Function::Log, b) => Some(b.clone()),
                    _ => None,
                },
                _ => None,
            })
        };
        let mut found = of.clone();
        for _ in 0..4 {
            let next = once(&found);
            if next == found {
                break;
            }
            found = next;
        }
        found
    }

    /// The same with products of a power and its logarithm in one piece, of which values next to zero, and towards infinity, are known better
    /// than those of the factors: `log(x)/x = -(1/x) log(1/x)`, `x^x = exp(x log x)`.
    pub(crate) fn with_entropies(&self) -> Goal {
        let joined = |factor: &Formula, of: &Formula| {
            let mut atoms = Indeterminates::of(&self.ranges);
            let inner = atoms.fraction(of)?;
            (atoms.sign_of(&inner) == Some(Sign::Positive) && inner.as_number().is_none()).then_some(())?;
            let factor = atoms.fraction(factor)?;
            [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4)].into_iter().find_map(|(above, below)| {
                let exponent = BigRational::new(above.into(), below.into());
                let power = of.clone().real_power(Formula::number(exponent.clone())).ok()?;
                let fraction = atoms.fraction(&power)?;
                let inverse = atoms.inverse(&fraction)?;
                let (plain, turned) = (atoms.product(&factor, &inverse), atoms.product(&factor, &fraction));
                let (share, of) = match (plain.as_number(), turned.as_number()) {
                    (Some(times), _) => (times / exponent, power),
                    (_, Some(times)) => (-times / exponent, Formula::whole(1).over(power).ok()?),
                    _ => return None,
                };
                Some(Formula::number(share).times(of.times_its_logarithm().ok()?))
            })
        };
        let log = |e: &Formula| match &*e.0 {
            Head::Apply(Function::Log, a) => Some(a.clone()),
            _ => None,
        };
        let in_one_piece = |e: &Formula| {
            e.replaced(&mut |e| match &*e.0 {
                Head::RealPower(a, b) if b.as_number().is_none() => joined(b, a)?.apply(Function::Exp).ok(),
                Head::Product(a, b) => match (log(a), log(b)) {
                    (None, Some(of)) => joined(a, &of),
                    (Some(of), None) => joined(b, &of),
                    _ => None,
                },
                Head::Quotient(a, b) => joined(&Formula::whole(1).over(b.clone()).ok()?, &log(a)?),
                _ => None,
            })
        };
        let given = self.given.iter().map(|(e, says)| (in_one_piece(e), *says)).collect();
        Goal { wanted: in_one_piece(&self.wanted), given, ..self.clone() }
    }

    pub(crate) fn new_variable(&mut self, name: String, range: Bounds) -> Formula {
        self.names.push(name);
        self.ranges.push(range);
        Formula::variable(self.names.len() - 1)
    }

    fn declared(&mut self, name: &str, domain: &Domain, raw: &Raw, shape: ValueShape) -> Option<Value<Formula>> {
        let ValueShape { rows, columns } = shape;
        let entry = |i: usize| format!("{name}[{}]", i + 1);
        let cell = |i: usize, j: usize| format!("{name}[{}, {}]", i + 1, j + 1);
        let everything = Bounds::default;
        if rows.checked_mul(columns)? > 4 * MOST {
            return None;
        }
        Some(match (domain, raw) {
            (Domain::Whole { .. }, Raw::Whole(n)) => Value::Whole(*n),
            (Domain::Whole { from, to: None }, _) => {
                let from = from.as_ref().map(|f| Evaluator::<f64>::new(&[]).whole(&f.term)).transpose().ok()?;
                let range = from.map_or_else(everything, |from| Bounds::from(from, false));
                self.steps.push(format!("{name} taken as a real number"));
                Value::Scalar(self.new_variable(name.into(), range))
            }
            (Domain::Whole { .. }, _) => return None,
            (Domain::Real(range), _) => {
                let bounds = bounds(range);
                self.note_ends(name, range, &bounds);
                Value::Scalar(self.new_variable(name.into(), bounds))
            }
            (Domain::Vector { range, .. }, _) => {
                Value::Vector((0..rows).map(|i| self.new_variable(entry(i), bounds(range))).collect())
            }
            (Domain::Matrix { range, .. }, _) => {
                let each =
                    (0..rows * columns).map(|k| self.new_variable(cell(k / columns, k % columns), bounds(range)));
                Value::Matrix(Grid { rows, columns, entries: each.collect() })
            }
            (Domain::Simplex(_), _) => {
                let range = || Bounds::between(0, 1);
                let mut each: Vec<Formula> = (1..rows).map(|i| self.new_variable(entry(i - 1), range())).collect();
                let rest = each.iter().fold(Formula::whole(1), |rest, p| rest.minus(p.clone()));
                if rows > 1 {
                    self.given.push((rest.clone(), Says::NotNegative));
                }
                each.push(rest);
                Value::Vector(each)
            }
            (Domain::Sphere(_), _) => {
                let each: Vec<_> = (0..rows).map(|i| self.new_variable(entry(i), Bounds::between(-1, 1))).collect();
                let squares = each.iter().map(|x| x.clone().whole_power(2).unwrap_or_else(|_| x.clone()));
                let sum = squares.fold(Formula::whole(-1), Number::plus);
                self.given.push((sum, Says::Zero));
                Value::Vector(each)
            }
            (Domain::Symmetric(_), _) => {
                let mut upper = vec![None; rows * rows];
                for i in 0..rows {
                    for j in i..rows {
                        let x = self.new_variable(cell(i, j), everything());
                        upper[i * rows + j] = Some(x.clone());
                        upper[j * rows + i] = Some(x);
                    }
                }
                Value::Matrix(Grid { rows, columns, entries: upper.into_iter().collect::<Option<_>>()? })
            }
            (Domain::Stochastic { .. } | Domain::Orthogonal(_), _) => return None,
            (Domain::Semidefinite(_), _) => {
                // The lower triangular factor of Cholesky suffices.
                let mut factor = vec![Formula::whole(0); rows * rows];
                for i in 0..rows {
                    for j in 0..=i {
                        let range = if i == j { Bounds::from(0, false) } else { everything() };
                        factor[i * rows + j] = self.new_variable(format!("L[{}, {}]", i + 1, j + 1), range);
                    }
                }
                self.steps.push(format!("{name} = L L' with L lower triangular"));
                let product = |k: usize| {
                    let (i, j) = (k / rows, k % rows);
                    let each = (0..rows).map(|k| factor[i * rows + k].clone().times(factor[j * rows + k].clone()));
                    each.fold(Formula::whole(0), Number::plus)
                };
                Value::Matrix(Grid { rows, columns, entries: (0..rows * rows).map(product).collect() })
            }
        })
    }

    /// The same with the variables that occur in it, and no others.
    pub(crate) fn compacted(self) -> Goal {
        let used: Vec<usize> = (0..self.names.len()).filter(|&v| self.formulas().any(|e| e.uses(v))).collect();
        let place = |v: usize| used.iter().position(|&u| u == v);
        let moved = |e: &Formula| {
            e.replaced(&mut |e| match &*e.0 {
                Head::Variable(v) => place(*v).map(Formula::variable),
                _ => None,
            })
        };
        Goal {
            names: used.iter().map(|&v| self.names[v].clone()).collect(),
            ranges: used.iter().map(|&v| self.ranges[v].clone()).collect(),
            given: self.given.iter().map(|(e, says)| (moved(e), *says)).collect(),
            wanted: moved(&self.wanted),
            ..self
        }
    }

    /// Whether it holds without variables: in closed form, or enclosed.
    pub(crate) fn holds_as_it_stands(&self) -> bool {
        let exact = self.wanted.on::<Exact>(&[]).ok().and_then(|x| x.sign());
        let enclosed = || self.wanted.on::<Enclosed>(&[]).ok().filter(|x| x.defined).map(|x| x.value.lo());
        let least = if self.strict { 1 } else { 0 };
        match exact {
            Some(sign) => sign >= least,
            None => enclosed().is_some_and(|low| low > 0.0),
        }
    }

    /// Whether it is missed at one of a few points at which the conditions are met, so that nothing can be shown.
    pub(crate) fn fails_at_a_sample(&self) -> bool {
        let point = |seed: usize| -> Vec<Enclosed> {
            // The fractional parts of multiples of square roots are spread evenly.
            let share = |v: usize| ((seed as f64 + 0.5) * (v as f64 + 2.5).sqrt()).fract().clamp(0.01, 0.99);
            (0..self.names.len()).map(|v| Enclosed::double(self.ranges[v].at(share(v)))).collect()
        };
        let says = |at: &[Enclosed], (of, says): &(Formula, Says)| {
            let value = of.on(at).ok().filter(|x| x.defined).map(|x| x.value);
            value.is_some_and(|x| x.lo() > 0.0 || *says == Says::NotNegative && x.lo() >= 0.0)
        };
        let fails = |at: &[Enclosed]| {
            let value = self.wanted.on(at).ok().filter(|x| x.defined).map(|x| x.value.hi());
            value.is_some_and(|x| x < 0.0 || self.strict && x <= 0.0)
        };
        let mut points = (0..SAMPLES).map(point);
        points.any(|at| fails(&at) && self.given.iter().all(|given| given.1 != Says::Zero && says(&at, given)))
    }

    /// The same with something put in place of a variable, which has this range from now on.
    pub(crate) fn with(&self, place: usize, by: &Formula, range: Bounds) -> Goal {
        let mut goal = self.clone();
        goal.wanted = self.wanted.with_variable(place, by);
        goal.given = self.given.iter().map(|(e, says)| (e.with_variable(place, by), *says)).collect();
        goal.ranges[place] = range;
        goal
    }

    /// All formulas.
    fn formulas(&self) -> impl Iterator<Item = &Formula> {
        std::iter::once(&self.wanted).chain(self.given.iter().map(|(e, _)| e))
    }

    /// Goals without absolute values and extrema, which are enough together.
    pub(crate) fn split(self) -> Vec<Goal> {
        let mut waiting = vec![(self, 0)];
        let mut done = Vec::new();
        while let Some((goal, depth)) = waiting.pop() {
            let mut kink: Option<(Formula, Formula, Formula)> = None;
            for formula in goal.formulas() {
                formula.visit(&mut |e| match &*e.0 {
                    Head::Apply(Function::Abs, a) => {
                        kink = Some((e.clone(), a.clone(), a.clone().negated()));
                    }
                    Head::Larger(a, b) => kink = Some((e.clone(), a.clone(), b.clone())),
                    _ => {}
                });
            }
            let Some((kink, first, second)) = kink.filter(|_| depth < SPLITS) else {
                done.push(goal);
                continue;
            };
            let difference = first.clone().minus(second.clone());
            let known = Indeterminates::sign_within(&goal.ranges, &difference);
            let contrary = known.map(Sign::turned);
            let parts = [(first, difference.clone(), contrary), (second, difference.negated(), known)];
            for (chosen, sign, against) in parts {
                // Where the other one is never smaller there is nothing to show.
                if against.is_some_and(|against| against.is_enough(false)) && known != Some(Sign::Zero) {
                    continue;
                }
                let replace = |e: &Formula| e.replaced(&mut |e| (*e == kink).then(|| chosen.clone()));
                let mut next = goal.clone();
                next.wanted = replace(&goal.wanted);
                next.given = goal.given.iter().map(|(e, says)| (replace(e), *says)).collect();
                next.given.push((replace(&sign), Says::NotNegative));
                waiting.push((next, depth + 1));
            }
        }
        done
    }

    /// The same with powers in place of variables whose roots occur: `x = y^2` where `sqrt(x)` does.
    pub(crate) fn without_roots(mut self) -> Goal {
        for _ in 0..self.names.len() + 1 {
            let Some((place, by, range, text)) = self.rooted() else { break };
            self = self.with(place, &by, range);
            self.steps.push(text);
        }
        self
    }

    /// A variable that a power, or something linear in a square, is put in place of.
    fn rooted(&self) -> Option<(usize, Formula, Bounds, String)> {
        let mut atoms = Indeterminates::of(&self.ranges);
        let mut radicands: Vec<(Formula, BigRational)> = Vec::new();
        for formula in self.formulas() {
            formula.visit(&mut |e| match &*e.0 {
                Head::Apply(Function::Sqrt, a) => radicands.push((a.clone(), BigRational::new(1.into(), 2.into()))),
                Head::RealPower(a, b) => {
                    if let Some(b) = b.as_number() {
                        radicands.push((a.clone(), b.clone()));
                    }
                }
                _ => {}
            });
        }
        for (radicand, exponent) in radicands {
            let Some(of) = atoms.fraction(&radicand).filter(|f| f.below.is_empty()) else { continue };
            let order = exponent.denom().to_u32().filter(|&d| d <= 12)?;
            let variables = of.above.variables();
            if variables.iter().any(|&v| v >= self.names.len()) {
                continue;
            }
            let (content, rest) = of.above.content();
            if rest.as_number().is_some() {
                for &v in &variables {
                    let needed = order / order.gcd(&content.exponent(v));
                    let is_positive = self.ranges[v].low.as_ref().is_some_and(|low| !low.0.is_negative());
                    if needed > 1 && is_positive {
                        let by = Formula::variable(v).whole_power(i64::from(needed)).ok()?;
                        let name = &self.names[v];
                        let text = format!("{name}^{needed} in place of {name}");
                        return Some((v, by, rooted_range(&self.ranges[v], needed), text));
                    }
                }
            } else if let [v] = variables[..]
                && of.above.degree() == 1
                && order == 2
            {
                let parts = of.above.along(v);
                let (shift, factor) = (parts[0].as_number()?, parts[1].as_number()?);
                let end = -&shift / &factor;
                let Bounds { low, high } = &self.ranges[v];
                let (near, far) = if factor.is_positive() { (low, high) } else { (high, low) };
                if let (Some(near), None) = (near, far)
                    && near.0 == end
                {
                    let square = Formula::variable(v).whole_power(2).ok()?;
                    let by = square.minus(Formula::number(shift)).times(Formula::number(factor.recip()));
                    let name = &self.names[v];
                    let written = of.above.written(&self.names);
                    let text = format!("{name}^2 in place of {written}");
                    return Some((v, by, Bounds::from(0, near.1), text));
                }
            }
        }
        None
    }

    /// The same with powers in place of positive variables whose product is one, so that every degree is a multiple of that of the product; none where
    /// other variables occur in what is wanted.
    pub(crate) fn with_powers_of_factors(&self) -> Option<Goal> {
        let mut atoms = Indeterminates::of(&self.ranges);
        let (index, exponents) = self.given.iter().enumerate().find_map(|(index, (formula, says))| {
            let of = atoms.fraction(formula).filter(|of| *says == Says::Zero && of.below.is_empty())?.above;
            let one = of.coefficient(&Monomial::default());
            let (monomial, factor) = of.0.last_key_value()?;
            let exponents: Vec<u32> = (0..self.names.len()).map(|v| monomial.exponent(v)).collect();
            (of.len() == 2 && (factor + one).is_zero() && monomial.len() <= exponents.len())
                .then_some((index, exponents))
        })?;
        let is_positive = |v: usize| self.ranges[v].low.as_ref().is_some_and(|low| !low.0.is_negative());
        let is_factor = |v: usize| exponents[v] > 0;
        if (0..exponents.len()).any(|v| is_factor(v) && !is_positive(v) || self.wanted.uses(v) && !is_factor(v)) {
            return None;
        }
        let common = exponents.iter().fold(0, |common: u32, &k| common.gcd(&k));
        let degree = exponents.iter().sum::<u32>() / common;
        let mut goal = self.clone();
        let mut product = Formula::whole(1);
        for v in (0..exponents.len()).filter(|&v| is_factor(v)) {
            let power = Formula::variable(v).whole_power(i64::from(degree)).ok()?;
            goal = goal.with(v, &power, rooted_range(&self.ranges[v], degree));
            goal.steps.push(format!("{0}^{degree} in place of {0}", self.names[v]));
            product = product.times(Formula::variable(v).whole_power(i64::from(exponents[v] / common)).ok()?);
        }
        goal.given[index].0 = product.minus(Formula::whole(1));
        Some(goal)
    }

    /// The same without variables that an equation among the conditions gives.
    pub(crate) fn without_equations(mut self) -> Goal {
        'next: for _ in 0..self.names.len() {
            let mut atoms = Indeterminates::of(&self.ranges);
            for index in 0..self.given.len() {
                let (formula, Says::Zero) = &self.given[index] else { continue };
                let Some(of) = atoms.fraction(formula) else { continue };
                for place in of.above.variables().into_iter().filter(|&v| v < self.names.len()).rev() {
                    let parts = of.above.along(place);
                    let inner =
                        |p: &Polynomial| p.variables().iter().all(|&v| v < self.names.len() || atoms.is_constant(v));
                    if parts.len() != 2 || !inner(&parts[0]) {
                        continue;
                    }
                    let Some(factor) = parts[1].as_number() else { continue };
                    let by = parts[0].clone().scaled(&-factor.recip());
                    let text = format!("{} in place of {}", by.written(&names(&atoms, &self.names)), self.names[place]);
                    let Some(by) = atoms.polynomial_as_formula(&by) else { continue };
                    let mut goal = self.with(place, &by, Bounds::default());
                    goal.given.remove(index);
                    goal.steps.push(text);
                    let Bounds { low, high } = self.ranges[place].clone();
                    let says = |excluded: bool| if excluded { Says::Positive } else { Says::NotNegative };
                    if let Some((end, excluded)) = low {
                        goal.given.push((by.clone().minus(Formula::number(end)), says(excluded)));
                    }
                    if let Some((end, excluded)) = high {
                        goal.given.push((Formula::number(end).minus(by.clone()), says(excluded)));
                    }
                    self = goal.narrowed();
                    continue 'next;
                }
            }
            break;
        }
        self
    }

    /// The same with the ends of ranges that follow from linear conditions and other ranges.
    pub(crate) fn propagated(mut self) -> Goal {
        for _ in 0..self.names.len() {
            for (formula, says) in self.given.clone() {
                let mut atoms = Indeterminates::of(&self.ranges);
                let Some(of) = atoms.fraction(&formula).filter(|of| of.below.is_empty()) else { continue };
                let is_linear = of.above.degree() == 1 && of.above.variables().iter().all(|&v| v < self.names.len());
                if !is_linear || says == Says::Zero {
                    continue;
                }
                for v in of.above.variables() {
                    let Some((end, excluded, is_lower)) = self.end_by(&of.above, v) else { continue };
                    self.narrow(v, (end, excluded || says == Says::Positive), is_lower);
                }
            }
        }
        self
    }

    /// An end of a variable's range where a linear form is not negative: by the ends of the others at which it is largest.
    fn end_by(&self, form: &Polynomial, v: usize) -> Option<(BigRational, bool, bool)> {
        let (mut rest, mut excluded) = (form.coefficient(&Monomial::default()), false);
        for u in form.variables().into_iter().filter(|&u| u != v) {
            let factor = form.coefficient(&Monomial::variable(u));
            let Bounds { low, high } = &self.ranges[u];
            let (end, is_out) = if factor.is_positive() { high } else { low }.as_ref()?;
            rest += factor * end;
            excluded |= is_out;
        }
        let factor = form.coefficient(&Monomial::variable(v));
        Some((-rest / &factor, excluded, factor.is_positive()))
    }

    /// Moves an end of a range inwards.
    fn narrow(&mut self, place: usize, end: Endpoint, is_lower: bool) {
        let range = &mut self.ranges[place];
        let old = if is_lower { &mut range.low } else { &mut range.high };
        let is_inside = |old: &Endpoint| if is_lower { end.0 > old.0 } else { end.0 < old.0 };
        if old.as_ref().is_none_or(|old| is_inside(old) || end.0 == old.0 && end.1) {
            *old = Some(end);
        }
    }

    /// The same with the ranges as narrow as conditions on single variables make them.
    pub(crate) fn narrowed(mut self) -> Goal {
        let mut kept = Vec::new();
        for (formula, says) in std::mem::take(&mut self.given) {
            let mut atoms = Indeterminates::of(&self.ranges);
            let linear = atoms.fraction(&formula).filter(|f| f.below.is_empty() && says != Says::Zero).and_then(|f| {
                let [place] = f.above.variables()[..] else { return None };
                let parts = f.above.along(place);
                let [shift, factor] = &parts[..] else { return None };
                (place < self.names.len()).then(|| Some((place, shift.as_number()?, factor.as_number()?)))?
            });
            let Some((place, shift, factor)) = linear else {
                kept.push((formula, says));
                continue;
            };
            let end = (-shift / &factor, says == Says::Positive);
            self.narrow(place, end, factor.is_positive());
        }
        self.given = kept;
        self
    }
}

/// Every relation of a condition, as what its number says.
pub(crate) fn compared(
    condition: &Chain,
    side: &mut impl FnMut(&Term) -> Option<Formula>,
) -> Option<Vec<(Formula, Says)>> {
    let mut found = Vec::new();
    for (pair, relation) in condition.sides.windows(2).zip(&condition.relations) {
        let (left, right) = (side(&pair[0])?, side(&pair[1])?);
        found.push(match relation {
            Relation::AtMost => (right.minus(left), Says::NotNegative),
            Relation::LessThan => (right.minus(left), Says::Positive),
            Relation::AtLeast => (left.minus(right), Says::NotNegative),
            Relation::GreaterThan => (left.minus(right), Says::Positive),
            Relation::Equal => (left.minus(right), Says::Zero),
        });
    }
    Some(found)
}

/// A range in rational numbers; an end that is none is moved outwards.
pub(crate) fn bounds(range: &RealRange) -> Bounds {
    let end = |end: &End, outer: f64, outward: fn(f64) -> f64| {
        let exact = end.term.as_ref().and_then(|t| Evaluator::<Formula>::new(&[]).scalar(t).ok());
        if let Some(x) = exact.as_ref().and_then(Formula::as_number) {
            return Some((x.clone(), end.open));
        }
        // Moved outwards it does not belong to the range; an end that nobody wrote is a double.
        let is_written = end.term.is_some();
        BigRational::from_float(if is_written { outward(outer) } else { outer }).map(|x| (x, is_written || end.open))
    };
    Bounds {
        low: end(&range.low, range.low.value.lo(), f64::next_down),
        high: end(&range.high, range.high.value.hi(), f64::next_up),
    }
}

/// The range of the root of what has this range, an end that is no rational number moved outwards.
fn rooted_range(range: &Bounds, order: u32) -> Bounds {
    let rooted = |(x, excluded): &(BigRational, bool), up: bool| -> (BigRational, bool) {
        let scale = num_traits::pow(BigInt::from(2), 64);
        let (above, below) = (x.numer().nth_root(order), x.denom().nth_root(order));
        let exact = BigRational::new(above, below);
        if num_traits::pow(exact.clone(), order as usize) == *x {
            return (exact, *excluded);
        }
        let scaled = (x * BigRational::from_integer(num_traits::pow(scale.clone(), order as usize))).floor();
        let root = scaled.numer().nth_root(order) + if up { BigInt::one() } else { BigInt::zero() };
        // Moved outwards it does not belong to the range.
        (BigRational::new(root, scale), true)
    };
    Bounds {
        low: range.low.as_ref().map(|low| rooted(low, false)),
        high: range.high.as_ref().map(|high| rooted(high, true)),
    }
}

/// Whether the tangent of a formula is defined for all variables in these ranges.
fn is_without_poles(ranges: &[Bounds], of: &Formula) -> bool {
    let cosine = of.clone().apply(Function::Cos).ok();
    let sign = cosine.and_then(|cosine| Indeterminates::sign_within(ranges, &cosine));
    matches!(sign, Some(Sign::Positive | Sign::Negative))
}

/// Functions of a real number that are defined everywhere and have derivatives of every order.
fn is_smooth_everywhere(function: Function) -> bool {
    matches!(
        function,
        Function::Exp
            | Function::ExpM1
            | Function::Sin
            | Function::Cos
            | Function::Atan
            | Function::Sinh
            | Function::Cosh
            | Function::Tanh
            | Function::Sigmoid
            | Function::Softplus
    )
}
