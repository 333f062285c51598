//! Formulas of vectors of one length, which may be a whole number without an end, by sums over their entries: each entry is a variable that stands for all of
//! them, and every sum of a product of powers of such, or of functions of them, is a number of its own.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use super::algebra::expression::{Formula, Head};
use super::algebra::goal::{Goal, bounds, compared};
use super::algebra::normal::Indeterminates;
use super::algebra::roots::{Bounds, Sign};
use super::reading::TermReader;
use crate::formulas::domain::{Domain, Size};
use crate::formulas::evaluate::Evaluator;
use crate::formulas::term::{Kind, Node, NormKind, Term, Terms};
use crate::instances::statement::Statement;
use crate::numbers::number::Number;
use crate::text::syntax::Operation;
use crate::text::words::{Fold, Function};

/// A product of powers of formulas in the entries: each with twice its exponent, by how it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PowerProduct(pub(super) BTreeMap<String, (Formula, i64)>);

impl PowerProduct {
    pub(super) fn of(factor: Formula) -> Self {
        PowerProduct::power(factor, 2)
    }

    /// A factor with twice its exponent.
    fn power(factor: Formula, twice: i64) -> Self {
        PowerProduct(BTreeMap::from([(format!("{:?}", factor.0), (factor, twice))]))
    }

    pub(super) fn times(&self, other: &PowerProduct) -> Self {
        let mut found = self.clone();
        for (key, (factor, twice)) in &other.0 {
            let entry = found.0.entry(key.clone()).or_insert((factor.clone(), 0));
            entry.1 += twice;
            if entry.1 == 0 {
                found.0.remove(key);
            }
        }
        found.with_plain_squares()
    }

    /// With squares in place of squares of absolute values.
    fn with_plain_squares(self) -> Self {
        let is_size = |(f, twice): &(Formula, i64)| twice % 4 == 0 && matches!(*f.0, Head::Apply(Function::Abs, _));
        if !self.0.values().any(is_size) {
            return self;
        }
        let each = self.0.into_values().map(|(f, twice)| match &*f.0 {
            Head::Apply(Function::Abs, inner) if twice % 4 == 0 => (inner.clone(), twice),
            _ => (f, twice),
        });
        each.fold(PowerProduct::default(), |product, (f, twice)| product.times(&PowerProduct::power(f, twice)))
    }

    /// Its inverse.
    pub(super) fn below(&self) -> Self {
        PowerProduct(self.0.iter().map(|(key, (factor, twice))| (key.clone(), (factor.clone(), -twice))).collect())
    }

    /// The product whose square it is.
    pub(super) fn root(&self) -> Self {
        PowerProduct(self.0.iter().map(|(key, (factor, twice))| (key.clone(), (factor.clone(), twice / 2))).collect())
    }

    /// Whether a formula is a factor of it.
    pub(super) fn holds(&self, factor: &Formula) -> bool {
        self.degree_in(factor).is_some()
    }

    /// Twice the exponent of a factor.
    pub(super) fn degree_in(&self, factor: &Formula) -> Option<i64> {
        self.0.values().find(|(f, _)| f == factor).map(|(_, twice)| *twice)
    }

    /// Without a factor.
    pub(super) fn without(&self, factor: &Formula) -> Self {
        PowerProduct(self.0.iter().filter(|(_, (f, _))| f != factor).map(|(k, f)| (k.clone(), f.clone())).collect())
    }

    /// As a formula.
    pub(super) fn formula(&self) -> Option<Formula> {
        self.0.values().try_fold(Formula::whole(1), |product, (factor, twice)| {
            let power = if twice % 2 == 0 {
                factor.clone().whole_power(twice / 2).ok()?
            } else {
                factor.clone().apply(Function::Sqrt).ok()?.whole_power(*twice).ok()?
            };
            Some(product.times(power))
        })
    }
}

/// A sum of products over all entries.
#[derive(Clone, Debug)]
pub(super) struct Total {
    pub(super) of: PowerProduct,
    pub(super) place: usize,
}

/// The formulas of a statement, and what stands in them for sums and for largest entries.
#[derive(Clone)]
pub(super) struct Entries {
    pub(super) goal: Goal,
    /// The length of all vectors, and the variable that it is, if it is no number.
    length: Formula,
    pub(super) n: Option<usize>,
    is_vector: Vec<bool>,
    /// The variables that stand for the entries of a vector, and those among them of a vector of probabilities.
    pub(super) typical: Vec<usize>,
    pub(super) laws: Vec<usize>,
    /// The variables that stand for the entries of a vector of Euclidean norm one.
    unit: Vec<usize>,
    pub(super) totals: Vec<Total>,
    /// The largest value of a formula in the entries.
    pub(super) largest: Vec<(Formula, usize)>,
    /// How many indices are bound, and which of them stands for all entries.
    bound: usize,
    current: Option<usize>,
}

impl Entries {
    /// None if it is no statement of vectors of one length.
    pub(super) fn of(statement: &Statement) -> Option<Self> {
        let variables = &statement.declarations.variables;
        let mut wholes = (0..variables.len()).filter(|&v| matches!(variables[v].domain, Domain::Whole { .. }));
        let n = wholes.next();
        if wholes.next().is_some() {
            return None;
        }
        let mut found = Entries {
            goal: Goal::nothing(),
            length: Formula::whole(0),
            n,
            is_vector: Vec::new(),
            typical: Vec::new(),
            laws: Vec::new(),
            unit: Vec::new(),
            totals: Vec::new(),
            largest: Vec::new(),
            bound: 0,
            current: None,
        };
        let mut lengths = Vec::new();
        for (v, variable) in variables.iter().enumerate() {
            let range = match &variable.domain {
                Domain::Real(range) => bounds(range),
                // It is taken as a real number from its first value on. A vector without entries has no mean and no largest entry.
                Domain::Whole { from, .. } => {
                    let from = Evaluator::<f64>::new(&[]).whole(&from.as_ref()?.term).ok()?;
                    if from < 1 {
                        return None;
                    }
                    Bounds::from(from, false)
                }
                Domain::Vector { size, range } => {
                    lengths.push(length_of(size, n)?);
                    bounds(range)
                }
                Domain::Simplex(size) => {
                    lengths.push(length_of(size, n)?);
                    found.laws.push(v);
                    Bounds::between(0, 1)
                }
                Domain::Sphere(size) => {
                    lengths.push(length_of(size, n)?);
                    found.unit.push(v);
                    Bounds::between(-1, 1)
                }
                _ => return None,
            };
            found.goal.new_variable(variable.name.clone(), range);
            let is_vector = variable.domain.kind() == Kind::Vector;
            found.is_vector.push(is_vector);
            found.typical.extend(is_vector.then_some(v));
        }
        found.length = lengths.first()?.clone();
        let depends = n.is_none_or(|n| found.length == Formula::variable(n));
        if !depends || lengths.iter().any(|length| *length != found.length) {
            return None;
        }
        for condition in &statement.conditions {
            // One that cannot be read is left out, which makes the statement stronger.
            let given = compared(condition, &mut |term| found.read(term));
            found.goal.given.extend(given.into_iter().flatten());
        }
        Some(found)
    }

    pub(super) fn length(&self) -> Formula {
        self.length.clone()
    }

    /// The same with the size of an entry in place of it, where nothing depends on its sign.
    pub(super) fn without_signs(&self) -> Entries {
        let mut found = self.clone();
        for &v in &self.typical {
            let entry = Formula::variable(v);
            let Ok(size) = entry.clone().apply(Function::Abs) else { continue };
            let is_free = |f: &Formula| f.replaced(&mut |e| (*e == size).then(|| Formula::whole(1))).uses(v);
            let depends = self
                .totals
                .iter()
                .any(|t| t.of.0.values().any(|(f, twice)| is_free(f) && !(*f == entry && twice % 4 == 0)))
                || self.largest.iter().any(|(f, _)| is_free(f));
            if depends || self.is_not_negative(&entry) || self.goal.ranges[v] != Bounds::default() {
                continue;
            }
            let replace = |f: &Formula| f.replaced(&mut |e| (*e == size).then(|| entry.clone()));
            found.goal.ranges[v] = Bounds::from(0, false);
            for total in &mut found.totals {
                let factors = total.of.0.values().map(|(f, twice)| (replace(f), *twice));
                let all =
                    factors.fold(PowerProduct::default(), |p, (f, twice)| p.times(&PowerProduct::power(f, twice)));
                total.of = all;
            }
            for (f, _) in &mut found.largest {
                *f = replace(f);
            }
        }
        found
    }

    pub(super) fn is_local(&self, of: &Formula) -> bool {
        self.typical.iter().any(|&v| of.uses(v))
    }

    /// Whether a formula is not negative, or positive, whatever the entries are.
    pub(super) fn sign(&self, of: &Formula) -> Option<Sign> {
        if let Head::Apply(Function::Abs, _) = &*of.0 {
            return Some(Sign::NotNegative);
        }
        Indeterminates::sign_within(&self.goal.ranges, of)
    }

    pub(super) fn is_not_negative(&self, of: &Formula) -> bool {
        matches!(self.sign(of), Some(Sign::Positive | Sign::NotNegative | Sign::Zero))
    }

    /// A formula as a sum of products with factors that are the same for all entries.
    fn parts(&self, of: &Formula) -> Option<Vec<(Formula, PowerProduct)>> {
        if !self.is_local(of) {
            return Some(vec![(of.clone(), PowerProduct::default())]);
        }
        let whole = || Some(vec![(Formula::whole(1), PowerProduct::of(of.clone()))]);
        let multiplied = |a: &[(Formula, PowerProduct)], b: &[(Formula, PowerProduct)]| {
            let each = a.iter().flat_map(|(c, p)| b.iter().map(|(d, q)| (c.clone().times(d.clone()), p.times(q))));
            let found: Vec<_> = each.collect();
            (found.len() <= 100).then_some(found)
        };
        match &*of.0 {
            Head::Sum(a, b) => Some(self.parts(a)?.into_iter().chain(self.parts(b)?).collect()),
            Head::Product(a, b) => multiplied(&self.parts(a)?, &self.parts(b)?),
            Head::Power(a, k @ 2..=6) => {
                if let Head::Apply(Function::Abs, inner) = &*a.0
                    && k % 2 == 0
                {
                    return self.parts(&inner.clone().whole_power(*k).ok()?);
                }
                let once = self.parts(a)?;
                (1..*k).try_fold(once.clone(), |power, _| multiplied(&power, &once))
            }
            Head::Quotient(a, b) => {
                let below = self.parts(b)?;
                let [(factor, product)] = &below[..] else {
                    return multiplied(&self.parts(a)?, &[(Formula::whole(1), PowerProduct::of(b.clone()).below())]);
                };
                let inverse = (Formula::whole(1).over(factor.clone()).ok()?, product.below());
                multiplied(&self.parts(a)?, &[inverse])
            }
            Head::Apply(Function::Exp, a) => {
                let (mut factor, mut powers) = (Formula::whole(1), PowerProduct::default());
                for (times, product) in self.parts(a)? {
                    let twice = times.as_number().map(|times| times * BigRational::from_integer(2.into()));
                    let twice = twice.filter(BigRational::is_integer).and_then(|twice| twice.to_integer().to_i64());
                    let exponential = |of: Formula| of.apply(Function::Exp).ok();
                    match twice {
                        _ if product.0.is_empty() => factor = factor.times(exponential(times)?),
                        Some(twice) => {
                            let base = exponential(product.formula()?)?;
                            powers = powers.times(&PowerProduct::power(base, twice));
                        }
                        None => {
                            let of = exponential(times.times(product.formula()?))?;
                            powers = powers.times(&PowerProduct::of(of));
                        }
                    }
                }
                Some(vec![(factor, powers)])
            }
            Head::Apply(Function::Abs, a) => match &self.parts(a)?[..] {
                [(factor, product)] => {
                    let factor = factor.clone().apply(Function::Abs).ok()?;
                    let sizes = product.0.values().try_fold(PowerProduct::default(), |sizes, (inner, twice)| {
                        let is_plain = self.is_not_negative(inner) || twice % 4 == 0;
                        let inner = if is_plain { inner.clone() } else { inner.clone().apply(Function::Abs).ok()? };
                        Some(sizes.times(&PowerProduct::power(inner, *twice)))
                    })?;
                    Some(vec![(factor, sizes)])
                }
                _ => whole(),
            },
            Head::Apply(Function::Sqrt, a) => match &self.parts(a)?[..] {
                // The root of the product alone must not be defined where that of the factor is not.
                [(factor, product)]
                    if product.0.values().all(|(f, twice)| twice % 2 == 0 && self.is_not_negative(f))
                        && (self.is_not_negative(factor)
                            || product.0.values().all(|(f, _)| self.sign(f) == Some(Sign::Positive))) =>
                {
                    Some(vec![(factor.clone().apply(Function::Sqrt).ok()?, product.root())])
                }
                _ => whole(),
            },
            _ => whole(),
        }
    }

    /// The sum of a formula over all entries.
    fn total(&mut self, of: &Formula) -> Option<Formula> {
        let mut sum = Formula::whole(0);
        for (factor, product) in self.parts(of)? {
            sum = sum.plus(factor.times(self.total_of(product)));
        }
        Some(sum)
    }

    /// Whether the sum of a product over all entries is one, whatever they are.
    fn is_one(&self, of: &PowerProduct) -> bool {
        let is = |places: &[usize], twice: i64| {
            places.iter().any(|&v| *of == PowerProduct::power(Formula::variable(v), twice))
        };
        is(&self.laws, 2) || is(&self.unit, 4)
    }

    /// The sum of a formula over all entries, if it consists of sums that occur already.
    pub(super) fn known_total(&self, of: &Formula) -> Option<Formula> {
        let mut more = self.clone();
        more.total(of).filter(|_| more.totals.len() == self.totals.len())
    }

    fn total_of(&mut self, of: PowerProduct) -> Formula {
        if of.0.is_empty() {
            return self.length();
        }
        if self.is_one(&of) {
            return Formula::whole(1);
        }
        if let Some(known) = self.totals.iter().find(|total| total.of == of) {
            return Formula::variable(known.place);
        }
        let is_not_negative = of.0.values().all(|(f, twice)| twice % 4 == 0 || self.is_not_negative(f));
        let is_positive = of.0.values().all(|(f, _)| self.sign(f) == Some(Sign::Positive));
        let range = if is_not_negative { Bounds::from(0, is_positive) } else { Bounds::default() };
        let place = self.goal.names.len();
        let found = self.goal.new_variable(format!("s{}", self.totals.len() + 1), range);
        self.totals.push(Total { of, place });
        found
    }

    fn largest_of(&mut self, of: Formula) -> Formula {
        if let Some((_, place)) = self.largest.iter().find(|(known, _)| *known == of) {
            return Formula::variable(*place);
        }
        let range = if self.is_not_negative(&of) { Bounds::from(0, false) } else { Bounds::default() };
        let place = self.goal.names.len();
        let found = self.goal.new_variable(format!("m{}", self.largest.len() + 1), range);
        self.largest.push((of, place));
        found
    }

    /// The entry of a vector that stands for all.
    fn entry(&mut self, term: &Term) -> Option<Formula> {
        match &term.node {
            Node::Variable(place) if self.is_vector[*place] => Some(Formula::variable(*place)),
            Node::Negated(a) => Some(self.entry(a)?.negated()),
            Node::Apply(function, a) => self.entry(a)?.apply(*function).ok(),
            Node::Softmax(a) => {
                let power = self.entry(a)?.apply(Function::Exp).ok()?;
                let sum = self.total(&power)?;
                power.over(sum).ok()
            }
            Node::Binary(operation, a, b) => {
                let each = |entries: &mut Self, t: &Term| match t.kind {
                    Kind::Vector => entries.entry(t),
                    Kind::Matrix => None,
                    // The entry of an index around this vector is another one than that which stands for all.
                    _ => {
                        let outer = entries.current.take();
                        let found = entries.read(t);
                        entries.current = outer;
                        found
                    }
                };
                let (a, b) = (each(self, a)?, each(self, b)?);
                match operation {
                    Operation::Add => Some(a.plus(b)),
                    Operation::Subtract => Some(a.minus(b)),
                    Operation::Multiply => Some(a.times(b)),
                    Operation::Divide => a.over(b).ok(),
                }
            }
            _ => None,
        }
    }

    /// What is folded, at the entry that stands for all.
    fn body(&mut self, terms: &Terms) -> Option<Formula> {
        match terms {
            Terms::Entries(vector) => self.entry(vector),
            Terms::Listed(_) => None,
            Terms::Over { from, to, body } => {
                let is_all = self.read(from)?.as_number()?.is_one() && self.read(to)? == self.length();
                if is_all { self.inside(body) } else { None }
            }
        }
    }

    /// A term under one more index.
    fn inside(&mut self, body: &Term) -> Option<Formula> {
        let outer = self.current.replace(self.bound);
        self.bound += 1;
        let found = self.read(body);
        self.bound -= 1;
        self.current = outer;
        found
    }

    fn folded(&mut self, fold: Fold, of: Formula) -> Option<Formula> {
        match fold {
            Fold::Sum => self.total(&of),
            Fold::Mean => self.total(&of)?.over(self.length()).ok(),
            Fold::Max => Some(self.largest_of(of)),
            Fold::Min => Some(self.largest_of(of.negated()).negated()),
            Fold::LogSumExp => self.total(&of.apply(Function::Exp).ok()?)?.apply(Function::Log).ok(),
            // Of what is positive, by logarithms.
            Fold::Product if self.sign(&of) == Some(Sign::Positive) => {
                self.total(&of.apply(Function::Log).ok()?)?.apply(Function::Exp).ok()
            }
            Fold::Product => None,
        }
    }

    fn norm(&mut self, kind: NormKind, of: &Term) -> Option<Formula> {
        let entry = self.entry(of)?;
        match kind {
            NormKind::One => self.total(&entry.apply(Function::Abs).ok()?),
            NormKind::Euclidean => self.total(&entry.whole_power(2).ok()?)?.apply(Function::Sqrt).ok(),
            NormKind::Largest => Some(self.largest_of(entry.apply(Function::Abs).ok()?)),
            NormKind::Operator | NormKind::Nuclear => None,
        }
    }

    /// `p log(p/q)`, zero where p is.
    fn divergence(p: Formula, q: Formula) -> Option<Formula> {
        Some(p.clone().times(p.over(q).ok()?.apply(Function::Log).ok()?))
    }
}

/// The length that a size says: a number, or the whole number that varies.
fn length_of(size: &Size, n: Option<usize>) -> Option<Formula> {
    match &size.term.node {
        Node::Variable(place) if Some(*place) == n => Some(Formula::variable(*place)),
        _ => Evaluator::<f64>::new(&[]).whole(&size.term).ok().map(Formula::whole),
    }
}

impl TermReader for Entries {
    fn read(&mut self, term: &Term) -> Option<Formula> {
        match &term.node {
            Node::Variable(place) if self.is_vector[*place] => None,
            Node::Variable(place) => Some(Formula::variable(*place)),
            Node::Index(_) => None,
            Node::Entry(vector, at) => match at.node {
                Node::Index(depth) if Some(depth) == self.current => self.entry(vector),
                _ => None,
            },
            Node::Fold(_, Terms::Listed(_)) => self.read_as_usual(term),
            Node::Fold(fold, terms) => {
                let of = self.body(terms)?;
                self.folded(*fold, of)
            }
            Node::Dot(a, b) => {
                let product = self.entry(a)?.times(self.entry(b)?);
                self.total(&product)
            }
            Node::Norm(kind, a) if a.kind == Kind::Vector => self.norm(*kind, a),
            Node::WholePower(a, b) => {
                let exponent = self.read(b)?;
                let Some(k) = exponent.as_number().and_then(|k| k.to_integer().to_i64()) else {
                    // A power to the length.
                    let base = self.read(a).filter(|base| self.sign(base) == Some(Sign::Positive));
                    return base?.real_power(exponent).ok();
                };
                // An even power of a norm needs no root.
                match &a.node {
                    Node::Norm(NormKind::Euclidean, inner) if inner.kind == Kind::Vector && k % 2 == 0 => {
                        let square = self.entry(inner)?.whole_power(2).ok()?;
                        self.total(&square)?.whole_power(k / 2).ok()
                    }
                    _ => self.read_as_usual(term),
                }
            }
            Node::Length(_) => Some(self.length()),
            Node::Entropy(p) => {
                let p = self.entry(p)?;
                let entropic = p.clone().times(p.apply(Function::Log).ok()?);
                Some(self.total(&entropic)?.negated())
            }
            Node::Kl(p, q) => {
                let (p, q) = (self.entry(p)?, self.entry(q)?);
                self.total(&Self::divergence(p, q)?)
            }
            Node::TotalVariation(p, q) => {
                let size = self.entry(p)?.minus(self.entry(q)?).apply(Function::Abs).ok()?;
                self.total(&size)?.over(Formula::whole(2)).ok()
            }
            Node::Expectation { law, body } => {
                let law = self.entry(law)?;
                let body = self.inside(body)?;
                self.total(&law.times(body))
            }
            _ => self.read_as_usual(term),
        }
    }
}
