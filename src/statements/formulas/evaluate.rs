//! The value of a formula, on any kind of number.

use enclosures::interval::Interval;
use evidence::claim::Relation;
use thiserror::Error;

use super::long_sum;
use super::term::{Chain, Kind, Node, NormKind, Term, Terms, visit};
use crate::numbers::number::{Enclosed, Grid, NamedConstant, Number, Undefined, Value};
use crate::text::syntax::{Literal, Operation, Span};
use crate::text::words::{Fold, Function};

/// Why a formula has no value on an instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// The mathematics gives it none, for this reason.
    #[error("{0}")]
    Undefined(&'static str),
    /// This kind of number cannot do it.
    #[error("{0} cannot be computed here")]
    Unsupported(&'static str),
    /// Sizes that do not fit.
    #[error("{what}: sizes {left} and {right} do not fit")]
    Sizes {
        /// The operation.
        what: &'static str,
        /// Size of the left operand.
        left: usize,
        /// Size of the right operand.
        right: usize,
    },
    /// An index outside its vector.
    #[error("entry {index} of {length}, counted from 1")]
    Outside {
        /// The index.
        index: i64,
        /// How many entries there are.
        length: usize,
    },
    /// A whole number too large to count with.
    #[error("a whole number beyond 2^62")]
    Overflow,
    /// More steps than one evaluation may take.
    #[error("one instance takes more than {0} steps; use smaller sums, factorials or matrices")]
    Work(usize),
    /// Something of another kind than the check of the text promised.
    #[error("a formula of the wrong kind")]
    Kind,
    /// What does not fit, and the bytes of the text that it concerns.
    #[error("{trouble}")]
    At {
        /// The place.
        span: Span,
        /// What does not fit.
        trouble: Box<Trouble>,
    },
}

impl Trouble {
    /// With its place, where the text is to blame rather than the numbers; the innermost place counts.
    fn at(self, span: &Span) -> Self {
        match self {
            Trouble::Sizes { .. } | Trouble::Outside { .. } => {
                Trouble::At { span: span.clone(), trouble: Box::new(self) }
            }
            other => other,
        }
    }

    /// In words, with the part of the formula that it concerns.
    #[must_use]
    pub fn told(&self, chain: &Chain) -> String {
        let place = |span: &Span| {
            let (from, to) = (span.start.checked_sub(chain.start)?, span.end.checked_sub(chain.start)?);
            chain.text.get(from..to).map(str::trim)
        };
        match self {
            Trouble::At { span, trouble } => match place(span) {
                Some(text) => format!("in `{text}`: {trouble}"),
                None => trouble.to_string(),
            },
            other => other.to_string(),
        }
    }
}

impl From<Undefined> for Trouble {
    fn from(undefined: Undefined) -> Self {
        match undefined {
            Undefined::Nowhere(what) => Trouble::Undefined(what),
            Undefined::Unsupported(what) => Trouble::Unsupported(what),
        }
    }
}

type Evaluated<T> = std::result::Result<T, Trouble>;

/// The steps that one evaluation may take.
pub const MOST_STEPS: usize = 400_000;

/// Steps of an evaluation in doubles that cost as much as one counted operation on intervals.
pub(crate) const STEPS_OF_AN_OPERATION: usize = 4;

/// Harmonic numbers of more terms are not summed where an expansion encloses them.
const LONG_SUM: i64 = 128;

/// Factorials of more are beyond doubles.
const LARGEST_FACTORIAL: i64 = 170;

/// Some binomial coefficients of more are beyond doubles.
const LARGEST_BINOMIAL: i64 = 1_000;

/// Binomial coefficients of fewer factors are multiplied out.
const FEW_FACTORS: i64 = 64;

/// The largest matrix whose determinant is computed, in rows.
pub(crate) const LARGEST_DETERMINANT: usize = 12;

/// The largest matrix that is inverted, in rows.
const LARGEST_INVERSE: usize = 8;

/// The largest size of a matrix or a vector that a formula may make.
const LARGEST: i64 = 4_096;

/// Evaluates formulas on the values of the variables.
pub struct Evaluator<'v, N> {
    values: &'v [Value<N>],
    indices: Vec<i64>,
    steps: usize,
    most: usize,
}

impl<'v, N: Number> Evaluator<'v, N> {
    /// With these values of the variables, in the order of their declarations.
    #[must_use]
    pub fn new(values: &'v [Value<N>]) -> Self {
        Evaluator::within(values, MOST_STEPS)
    }

    /// The same, given up after so many steps.
    pub(crate) fn within(values: &'v [Value<N>], most: usize) -> Self {
        Evaluator { values, indices: Vec::new(), steps: 0, most: most.min(MOST_STEPS) }
    }

    /// A number inside a sum, at one of its indices.
    pub(crate) fn at_index(&mut self, index: i64, body: &Term) -> Evaluated<N> {
        self.indices.push(index);
        let value = self.scalar(body);
        self.indices.pop();
        value
    }

    /// The steps taken so far.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    fn step(&mut self, count: usize) -> Evaluated<()> {
        self.steps = self.steps.saturating_add(count);
        if self.steps > self.most { Err(Trouble::Work(self.most)) } else { Ok(()) }
    }

    /// A whole number.
    ///
    /// # Errors
    /// It is too large, or the formula is not one.
    pub fn whole(&mut self, term: &Term) -> Evaluated<i64> {
        self.step(1)?;
        let limited = |x: Option<i64>| x.filter(|x| x.unsigned_abs() <= 1 << 62).ok_or(Trouble::Overflow);
        match &term.node {
            Node::Whole(x) => Ok(*x),
            Node::Number(Literal::Decimal { digits, exponent: 0 }) => limited(i64::try_from(*digits).ok()),
            Node::Index(depth) => self.indices.get(*depth).copied().ok_or(Trouble::Kind),
            Node::Variable(place) => match self.values.get(*place) {
                Some(Value::Whole(x)) => Ok(*x),
                _ => Err(Trouble::Kind),
            },
            Node::Negated(a) => Ok(-self.whole(a)?),
            Node::Binary(operation, a, b) => {
                let (a, b) = (self.whole(a)?, self.whole(b)?);
                limited(match operation {
                    Operation::Add => a.checked_add(b),
                    Operation::Subtract => a.checked_sub(b),
                    Operation::Multiply => a.checked_mul(b),
                    Operation::Divide => return Err(Trouble::Kind),
                })
            }
            Node::WholePower(a, b) => {
                let (a, b) = (self.whole(a)?, self.whole(b)?);
                limited(u32::try_from(b).ok().and_then(|b| a.checked_pow(b)))
            }
            Node::Length(a) => Ok(self.vector(a)?.len() as i64),
            Node::Gcd(a, b) => {
                let (mut a, mut b) = (self.whole(a)?.abs(), self.whole(b)?.abs());
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                Ok(a)
            }
            Node::Remainder(a, b) => match (self.whole(a)?, self.whole(b)?) {
                (_, 0) => Err(Trouble::Undefined("a quotient by zero")),
                (a, b) => Ok(a.rem_euclid(b)),
            },
            _ => Err(Trouble::Kind),
        }
    }

    fn size(&mut self, term: &Term) -> Evaluated<usize> {
        let size = self.whole(term)?;
        if (0..=LARGEST).contains(&size) { Ok(size as usize) } else { Err(Trouble::Work(MOST_STEPS)) }
    }

    /// A number.
    ///
    /// # Errors
    /// It is not defined on these values, or cannot be computed.
    pub fn scalar(&mut self, term: &Term) -> Evaluated<N> {
        self.scalar_unplaced(term).map_err(|trouble| trouble.at(&term.span))
    }

    fn scalar_unplaced(&mut self, term: &Term) -> Evaluated<N> {
        if term.kind == Kind::Whole {
            return self.whole_as_scalar(term);
        }
        self.step(1)?;
        Ok(match &term.node {
            Node::Number(literal) => N::literal(*literal),
            Node::Constant(constant) => N::constant(*constant),
            Node::Variable(place) => match self.values.get(*place) {
                Some(Value::Scalar(x)) => x.clone(),
                _ => return Err(Trouble::Kind),
            },
            Node::Negated(a) => self.scalar(a)?.negated(),
            Node::Binary(operation, a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                combined(*operation, a, b)?
            }
            Node::WholePower(a, b) => {
                let exponent = self.whole(b)?;
                // An even power of a norm needs no root.
                if let Node::Norm(NormKind::Euclidean, inner) = &a.node
                    && exponent > 0
                    && exponent % 2 == 0
                {
                    return Ok(self.sum_of_squares(inner)?.whole_power(exponent / 2)?);
                }
                self.scalar(a)?.whole_power(exponent)?
            }
            Node::RealPower(a, b) => {
                // e^x is the exponential, to the last digit.
                if a.node == Node::Constant(NamedConstant::E) {
                    return Ok(self.scalar(b)?.apply(Function::Exp)?);
                }
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                a.real_power(b)?
            }
            Node::Entry(vector, at) => {
                let at = self.whole(at)?;
                if let Node::Variable(place) = vector.node
                    && let Some(Value::Vector(entries)) = self.values.get(place)
                {
                    return entry(entries, at).cloned();
                }
                entry(&self.vector(vector)?, at)?.clone()
            }
            Node::Cell(matrix, row, column) => {
                let (row, column) = (self.whole(row)?, self.whole(column)?);
                if let Node::Variable(place) = matrix.node
                    && let Some(Value::Matrix(grid)) = self.values.get(place)
                {
                    return cell(grid, row, column).cloned();
                }
                cell(&self.matrix(matrix)?, row, column)?.clone()
            }
            Node::Apply(function, a) => {
                if *function == Function::Log
                    && let Some(found) = self.log_of_factorials(a)?
                {
                    return Ok(found);
                }
                self.scalar(a)?.apply(*function)?
            }
            Node::Fold(fold, terms) => {
                if let Some(value) = self.long(*fold, terms)? {
                    return Ok(value);
                }
                let terms = self.terms(*fold, terms)?;
                folded(*fold, terms)?
            }
            Node::Expectation { law, body } => {
                let law = self.vector(law)?;
                let mut total = N::whole(0);
                for (at, share) in law.into_iter().enumerate() {
                    self.indices.push(at as i64 + 1);
                    let value = self.scalar(body);
                    self.indices.pop();
                    total = total.plus(share.times(value?));
                }
                total
            }
            Node::Binomial(n, k) => {
                let (n, k) = (self.whole(n)?, self.whole(k)?);
                self.binomial(n, k)?
            }
            Node::Harmonic(n) => {
                let n = self.whole(n)?;
                match (n > LONG_SUM).then(|| N::harmonic(n)).flatten() {
                    Some(found) => found,
                    None => self.harmonic(n)?,
                }
            }
            Node::Factorial(n) => {
                let n = self.whole(n)?;
                let n = self.counted(n)?;
                (1..=n).fold(N::whole(1), |product, i| product.times(N::whole(i)))
            }
            _ => self.of_arrays(term)?,
        })
    }

    /// A number that is made of vectors or matrices.
    fn of_arrays(&mut self, term: &Term) -> Evaluated<N> {
        Ok(match &term.node {
            Node::Dot(a, b) => {
                let (a, b) = self.same_length("inner product", a, b)?;
                sum(a.into_iter().zip(b).map(|(x, y)| x.times(y)))
            }
            Node::Norm(kind, a) => self.norm(*kind, a)?,
            Node::Trace(a) => {
                let grid = self.square(a)?;
                sum((0..grid.rows).map(|i| grid.entries[i * grid.columns + i].clone()))
            }
            Node::Det(a) => {
                let grid = self.square(a)?;
                self.determinant(&grid)?
            }
            Node::Entropy(a) => {
                let entries = self.vector(a)?.into_iter().map(N::times_its_logarithm);
                sum(entries.collect::<std::result::Result<Vec<_>, _>>()?).negated()
            }
            Node::Kl(a, b) => {
                let (p, q) = self.same_length("divergence", a, b)?;
                let terms = p.into_iter().zip(q).map(|(p, q)| p.times_its_log_ratio(q));
                sum(terms.collect::<std::result::Result<Vec<_>, _>>()?)
            }
            Node::TotalVariation(a, b) => {
                let (p, q) = self.same_length("total variation distance", a, b)?;
                let sizes = p.into_iter().zip(q).map(|(p, q)| p.minus(q).apply(Function::Abs));
                sum(sizes.collect::<std::result::Result<Vec<_>, _>>()?).over(N::whole(2))?
            }
            _ => return Err(Trouble::Kind),
        })
    }

    /// A term of the kind of whole numbers, taken as a real number.
    fn whole_as_scalar(&mut self, term: &Term) -> Evaluated<N> {
        Ok(match &term.node {
            Node::Number(literal) => N::literal(*literal),
            // A proof may take a whole number as a real one, or know no more of it than two doubles between which it lies.
            Node::Variable(place) if let Some(Value::Scalar(x)) = self.values.get(*place) => x.clone(),
            // A power such as 2^n soon exceeds what indices are counted with.
            Node::WholePower(a, b) => {
                let exponent = self.whole(b)?;
                self.scalar(a)?.whole_power(exponent)?
            }
            Node::Binary(operation, a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                combined(*operation, a, b)?
            }
            Node::Negated(a) => self.scalar(a)?.negated(),
            _ => N::whole(self.whole(term)?),
        })
    }

    /// The logarithm of a factorial or a binomial coefficient that doubles do not reach; none of anything else.
    fn log_of_factorials(&mut self, of: &Term) -> Evaluated<Option<N>> {
        Ok(match &of.node {
            Node::Factorial(n) => {
                let n = self.whole(n)?;
                if n > LARGEST_FACTORIAL { N::log_factorial(n) } else { None }
            }
            Node::Binomial(n, k) => {
                let (n, k) = (self.whole(n)?, self.whole(k)?);
                if n <= LARGEST_BINOMIAL || k < 0 || k > n || k.min(n - k) < FEW_FACTORS {
                    return Ok(None);
                }
                let parts = (N::log_factorial(n), N::log_factorial(k), N::log_factorial(n - k));
                match parts {
                    (Some(all), Some(chosen), Some(others)) => Some(all.minus(chosen).minus(others)),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// A whole number that is counted up to.
    fn counted(&mut self, n: i64) -> Evaluated<i64> {
        if n < 0 {
            let what = "a factorial, a binomial coefficient or a harmonic number of a negative number";
            return Err(Trouble::Undefined(what));
        }
        self.step(usize::try_from(n).unwrap_or(usize::MAX))?;
        Ok(n)
    }

    fn harmonic(&mut self, n: i64) -> Evaluated<N> {
        let mut total = N::whole(0);
        for i in 1..=self.counted(n)? {
            total = total.plus(N::whole(1).over(N::whole(i))?);
        }
        Ok(total)
    }

    fn binomial(&mut self, n: i64, k: i64) -> Evaluated<N> {
        if n < 0 {
            let what = "a factorial, a binomial coefficient or a harmonic number of a negative number";
            return Err(Trouble::Undefined(what));
        }
        if k < 0 || k > n {
            return Ok(N::whole(0));
        }
        let k = k.min(n - k);
        self.step(usize::try_from(k).unwrap_or(usize::MAX))?;
        let mut product = N::whole(1);
        let mut exact: Option<i128> = Some(1);
        for i in 1..=k {
            // Whole as long as it fits, each step a binomial coefficient itself.
            exact = exact.and_then(|x| x.checked_mul(i128::from(n - k + i))).map(|x| x / i128::from(i));
            if let Some(x) = exact.and_then(|x| i64::try_from(x).ok()) {
                product = N::whole(x);
            } else {
                exact = None;
                product = product.times(N::whole(n - k + i)).over(N::whole(i))?;
            }
        }
        Ok(product)
    }

    fn same_length(&mut self, what: &'static str, a: &Term, b: &Term) -> Evaluated<(Vec<N>, Vec<N>)> {
        let (a, b) = (self.vector(a)?, self.vector(b)?);
        if a.len() == b.len() {
            Ok((a, b))
        } else {
            let (left, right) = (a.len(), b.len());
            Err(Trouble::Sizes { what, left, right })
        }
    }

    fn sum_of_squares(&mut self, a: &Term) -> Evaluated<N> {
        let entries = if a.kind == Kind::Matrix { self.matrix(a)?.entries } else { self.vector(a)? };
        let squares = entries.into_iter().map(|x| x.whole_power(2));
        Ok(sum(squares.collect::<std::result::Result<Vec<_>, _>>()?))
    }

    fn norm(&mut self, kind: NormKind, a: &Term) -> Evaluated<N> {
        if kind == NormKind::Operator {
            let grid = self.matrix(a)?;
            self.step(grid.rows * grid.columns * grid.columns)?;
            return Ok(N::operator_norm(&grid)?);
        }
        if kind == NormKind::Nuclear {
            return Ok(sum(self.singular_values(a)?));
        }
        let entries = if a.kind == Kind::Matrix { self.matrix(a)?.entries } else { self.vector(a)? };
        let sizes = |entries: Vec<N>| -> Evaluated<Vec<N>> {
            let sizes = entries.into_iter().map(|x| x.apply(Function::Abs));
            Ok(sizes.collect::<std::result::Result<_, _>>()?)
        };
        Ok(match kind {
            NormKind::One => sum(sizes(entries)?),
            NormKind::Largest => sizes(entries)?.into_iter().fold(N::whole(0), N::larger),
            NormKind::Euclidean | NormKind::Operator | NormKind::Nuclear => {
                // One entry has its absolute value for a norm, without a root.
                if let [only] = entries.as_slice() {
                    return Ok(only.clone().apply(Function::Abs)?);
                }
                let squares = entries.into_iter().map(|x| x.whole_power(2));
                let squares = squares.collect::<std::result::Result<Vec<_>, _>>()?;
                sum(squares).apply(Function::Sqrt)?
            }
        })
    }

    fn singular_values(&mut self, a: &Term) -> Evaluated<Vec<N>> {
        let grid = self.matrix(a)?;
        self.step(grid.rows.max(grid.columns) * grid.entries.len())?;
        Ok(N::singular_values(&grid)?)
    }

    fn square(&mut self, a: &Term) -> Evaluated<Grid<N>> {
        let grid = self.matrix(a)?;
        if grid.rows == grid.columns {
            Ok(grid)
        } else {
            let (what, left, right) = ("a square matrix", grid.rows, grid.columns);
            Err(Trouble::Sizes { what, left, right })
        }
    }

    /// By expansion along the first rows, remembering the minors of the last ones: without division, in 2^n n steps.
    fn determinant(&mut self, grid: &Grid<N>) -> Evaluated<N> {
        let n = grid.rows;
        if n > LARGEST_DETERMINANT {
            return Err(Trouble::Unsupported("a determinant of more than 12 rows"));
        }
        self.step((1 << n) * n.max(1))?;
        // The minor of the last k rows with a set of k columns, from k = 0 on.
        let mut minors: Vec<Option<N>> = vec![None; 1 << n];
        minors[0] = Some(N::whole(1));
        for columns in 1..1usize << n {
            let row = n - columns.count_ones() as usize;
            let mut total = N::whole(0);
            let mut sign = false;
            for column in (0..n).filter(|c| columns >> c & 1 == 1) {
                let minor = minors[columns & !(1 << column)].clone().ok_or(Trouble::Kind)?;
                let product = grid.entries[row * n + column].clone().times(minor);
                total = if sign { total.minus(product) } else { total.plus(product) };
                sign = !sign;
            }
            minors[columns] = Some(total);
        }
        minors.pop().flatten().ok_or(Trouble::Kind)
    }

    /// By minors over the determinant: with one division, which fails where that is zero.
    fn inverse(&mut self, grid: &Grid<N>) -> Evaluated<Grid<N>> {
        let n = grid.rows;
        if n > LARGEST_INVERSE {
            return Err(Trouble::Unsupported("an inverse of more than 8 rows"));
        }
        let determinant = self.determinant(grid)?;
        let mut entries = Vec::with_capacity(n * n);
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let kept = (0..n * n).filter(|at| at / n != j && at % n != i).map(|at| grid.entries[at].clone());
            let minor = Grid { rows: n - 1, columns: n - 1, entries: kept.collect() };
            let minor = self.determinant(&minor)?;
            let minor = if (i + j).is_multiple_of(2) { minor } else { minor.negated() };
            entries.push(minor.over(determinant.clone())?);
        }
        Ok(Grid { rows: n, columns: n, entries })
    }

    /// A long sum or product of terms that depend on their index alone; none for any other.
    fn long(&mut self, fold: Fold, terms: &Terms) -> Evaluated<Option<N>> {
        let Terms::Over { from, to, body } = terms else { return Ok(None) };
        if !self.indices.is_empty() || !matches!(fold, Fold::Sum | Fold::Product) || !is_of_index(body) {
            return Ok(None);
        }
        let (from, to) = (self.whole(from)?, self.whole(to)?);
        if to.saturating_sub(from) < long_sum::LONG as i64 {
            return Ok(None);
        }
        if fold == Fold::Sum
            && is_reciprocal(body)
            && from >= 1
            && let Some(all) = N::harmonic(to)
        {
            let before = N::harmonic(from - 1).map_or_else(|| self.harmonic(from - 1), Ok)?;
            return Ok(Some(all.minus(before)));
        }
        // Kinds of numbers that no enclosure makes add up for themselves.
        if N::enclosing(Interval::ZERO).is_none() {
            return Ok(None);
        }
        self.step(long_sum::steps(to.abs_diff(from)))?;
        let term = |index: i64| Evaluator::<Enclosed>::new(&[]).at_index(index, body).ok();
        Ok(long_sum::enclosed(fold, body, (from, to), &term).and_then(N::enclosing))
    }

    /// The terms at those values of the indices that count, all indices in one go: an extremum of nothing within is none of the terms.
    fn guarded(&mut self, fold: Fold, terms: &Terms) -> Evaluated<Vec<N>> {
        let Terms::Over { from, to, body } = terms else { return self.terms(fold, terms) };
        let (from, to) = (self.whole(from)?, self.whole(to)?);
        // Every index is a step at least.
        let least = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
        if self.steps.saturating_add(least) > self.most {
            return Err(Trouble::Work(self.most));
        }
        let mut values = Vec::new();
        for index in from..=to {
            self.step(1)?;
            self.indices.push(index);
            let found = self.counting(fold, body, &mut values);
            self.indices.pop();
            found?;
        }
        Ok(values)
    }

    fn counting(&mut self, fold: Fold, body: &Term, values: &mut Vec<N>) -> Evaluated<()> {
        match &body.node {
            Node::Guarded(guard, inner) => {
                if self.counts(guard)? {
                    self.counting(fold, inner, values)?;
                }
            }
            Node::Fold(inner, terms @ Terms::Over { body, .. })
                // The mean of means is not that of all terms.
                if *inner == fold && fold != Fold::Mean && (is_guarded(body) || is_extreme(fold)) =>
            {
                values.extend(self.guarded(fold, terms)?);
            }
            _ => values.push(self.scalar(body)?),
        }
        Ok(())
    }

    /// Whether a condition on indices holds.
    fn counts(&mut self, guard: &Chain) -> Evaluated<bool> {
        let sides = guard.sides.iter().map(|side| self.whole(side)).collect::<Evaluated<Vec<_>>>()?;
        let mut links = sides.windows(2).zip(&guard.relations);
        Ok(links.all(|(pair, relation)| match relation {
            Relation::AtMost => pair[0] <= pair[1],
            Relation::LessThan => pair[0] < pair[1],
            Relation::AtLeast => pair[0] >= pair[1],
            Relation::GreaterThan => pair[0] > pair[1],
            Relation::Equal => pair[0] == pair[1],
        }))
    }

    fn terms(&mut self, fold: Fold, terms: &Terms) -> Evaluated<Vec<N>> {
        match terms {
            Terms::Entries(vector) => self.vector(vector),
            Terms::Listed(items) => items.iter().map(|t| self.scalar(t)).collect(),
            Terms::Over { from, to, body } => {
                if is_guarded(body)
                    || is_extreme(fold) && matches!(body.node, Node::Fold(inner, Terms::Over { .. }) if inner == fold)
                {
                    return self.guarded(fold, terms);
                }
                let (from, to) = (self.whole(from)?, self.whole(to)?);
                if to >= from && to.abs_diff(from) > MOST_STEPS as u64 {
                    return Err(Trouble::Work(MOST_STEPS));
                }
                let mut values = Vec::new();
                let (before, alike) = (self.steps, costs_the_same(body));
                for index in from..=to {
                    // Too long a sum is given up after its first term, not after all that may be spent on it.
                    if alike && index == from.saturating_add(1) {
                        let rest = usize::try_from(to.abs_diff(from)).unwrap_or(usize::MAX);
                        let more = (self.steps - before).saturating_mul(rest);
                        if self.steps.saturating_add(more) > MOST_STEPS {
                            return Err(Trouble::Work(MOST_STEPS));
                        }
                    }
                    self.indices.push(index);
                    let value = self.scalar(body);
                    self.indices.pop();
                    values.push(value?);
                }
                Ok(values)
            }
        }
    }

    /// A vector.
    ///
    /// # Errors
    /// As for [`Evaluator::scalar`].
    pub fn vector(&mut self, term: &Term) -> Evaluated<Vec<N>> {
        let found = self.vector_unchecked(term).map_err(|trouble| trouble.at(&term.span))?;
        self.step(found.len())?;
        Ok(found)
    }

    fn vector_unchecked(&mut self, term: &Term) -> Evaluated<Vec<N>> {
        Ok(match &term.node {
            Node::Variable(place) => match self.values.get(*place) {
                Some(Value::Vector(entries)) => entries.clone(),
                _ => return Err(Trouble::Kind),
            },
            Node::List(items) => items.iter().map(|t| self.scalar(t)).collect::<Evaluated<_>>()?,
            Node::Negated(a) => self.vector(a)?.into_iter().map(N::negated).collect(),
            Node::Apply(function, a) => {
                let applied = self.vector(a)?.into_iter().map(|x| x.apply(*function));
                applied.collect::<std::result::Result<_, _>>()?
            }
            Node::Binary(operation, a, b) => match (a.kind, b.kind) {
                (Kind::Vector, Kind::Vector) => {
                    let (a, b) = self.same_length("sum of vectors", a, b)?;
                    let pairs = a.into_iter().zip(b).map(|(x, y)| combined(*operation, x, y));
                    pairs.collect::<Evaluated<_>>()?
                }
                (Kind::Matrix, _) => {
                    let (grid, vector) = (self.matrix(a)?, self.vector(b)?);
                    if grid.columns != vector.len() {
                        let (what, left, right) = ("matrix times vector", grid.columns, vector.len());
                        return Err(Trouble::Sizes { what, left, right });
                    }
                    self.step(grid.entries.len())?;
                    let row = |i: usize| {
                        let row = grid.entries[i * grid.columns..(i + 1) * grid.columns].iter();
                        sum(row.zip(&vector).map(|(a, x)| a.clone().times(x.clone())))
                    };
                    (0..grid.rows).map(row).collect()
                }
                (Kind::Vector, _) => {
                    let (vector, number) = (self.vector(a)?, self.scalar(b)?);
                    let each = vector.into_iter().map(|x| combined(*operation, x, number.clone()));
                    each.collect::<Evaluated<_>>()?
                }
                _ => {
                    let (number, vector) = (self.scalar(a)?, self.vector(b)?);
                    let each = vector.into_iter().map(|x| combined(*operation, number.clone(), x));
                    each.collect::<Evaluated<_>>()?
                }
            },
            Node::Row(matrix, at) => {
                let (grid, at) = (self.matrix(matrix)?, self.whole(at)?);
                let row = place(at, grid.rows)?;
                grid.entries[row * grid.columns..(row + 1) * grid.columns].to_vec()
            }
            Node::Eigenvalues(a) => {
                let grid = self.square(a)?;
                self.step(grid.rows * grid.entries.len())?;
                N::eigenvalues(&grid)?
            }
            Node::Singular(a) => self.singular_values(a)?,
            Node::Softmax(a) => {
                let entries = self.vector(a)?;
                if entries.is_empty() {
                    return Err(Trouble::Undefined("an extremum or a mean of no numbers"));
                }
                let total = N::log_sum_exp(entries.clone());
                let weights = entries.into_iter().map(|x| x.minus(total.clone()).apply(Function::Exp));
                weights.collect::<std::result::Result<_, _>>()?
            }
            _ => return Err(Trouble::Kind),
        })
    }

    /// A matrix.
    ///
    /// # Errors
    /// As for [`Evaluator::scalar`].
    pub fn matrix(&mut self, term: &Term) -> Evaluated<Grid<N>> {
        let found = self.matrix_unchecked(term).map_err(|trouble| trouble.at(&term.span))?;
        self.step(found.entries.len())?;
        Ok(found)
    }

    fn matrix_unchecked(&mut self, term: &Term) -> Evaluated<Grid<N>> {
        Ok(match &term.node {
            Node::Variable(place) => match self.values.get(*place) {
                Some(Value::Matrix(grid)) => grid.clone(),
                _ => return Err(Trouble::Kind),
            },
            Node::Rows(rows) => {
                let rows = rows.iter().map(|r| self.vector(r)).collect::<Evaluated<Vec<_>>>()?;
                let columns = rows.first().map_or(0, Vec::len);
                if let Some(other) = rows.iter().find(|r| r.len() != columns) {
                    let (what, left, right) = ("rows of a matrix", columns, other.len());
                    return Err(Trouble::Sizes { what, left, right });
                }
                Grid { rows: rows.len(), columns, entries: rows.into_iter().flatten().collect() }
            }
            Node::Negated(a) => each(self.matrix(a)?, |x| Ok(x.negated()))?,
            Node::Transposed(a) => transposed(&self.matrix(a)?),
            Node::Identity(n) => {
                let n = self.size(n)?;
                self.step(n * n)?;
                let entries = (0..n * n).map(|at| N::whole(i64::from(at.is_multiple_of(n + 1))));
                Grid { rows: n, columns: n, entries: entries.collect() }
            }
            Node::Diagonal(a) => {
                let diagonal = self.vector(a)?;
                let n = diagonal.len();
                self.step(n * n)?;
                let entry = |at: usize| {
                    if at.is_multiple_of(n + 1) { diagonal[at / (n + 1)].clone() } else { N::whole(0) }
                };
                Grid { rows: n, columns: n, entries: (0..n * n).map(entry).collect() }
            }
            Node::Outer(a, b) => {
                let (a, b) = (self.vector(a)?, self.vector(b)?);
                self.step(a.len() * b.len())?;
                let products = a.iter().flat_map(|x| b.iter().map(|y| x.clone().times(y.clone())));
                Grid { rows: a.len(), columns: b.len(), entries: products.collect() }
            }
            Node::Inverse(a) => {
                let grid = self.square(a)?;
                self.inverse(&grid)?
            }
            Node::WholePower(a, b) => {
                let (base, exponent) = (self.square(a)?, self.whole(b)?);
                let base = if exponent < 0 { self.inverse(&base)? } else { base };
                let exponent = usize::try_from(exponent.unsigned_abs()).map_err(|_| Trouble::Overflow)?;
                self.step(exponent.saturating_mul(base.rows * base.entries.len()))?;
                let n = base.rows;
                let entries = (0..n * n).map(|at| N::whole(i64::from(at.is_multiple_of(n + 1))));
                let one = Grid { rows: n, columns: n, entries: entries.collect() };
                (0..exponent).try_fold(one, |power, _| product(&power, &base))?
            }
            Node::Binary(operation, a, b) => match (a.kind, b.kind) {
                (Kind::Matrix, Kind::Matrix) => {
                    let (a, b) = (self.matrix(a)?, self.matrix(b)?);
                    if *operation == Operation::Multiply {
                        self.step(a.rows * a.columns * b.columns)?;
                        product(&a, &b)?
                    } else if (a.rows, a.columns) == (b.rows, b.columns) {
                        let pairs = a.entries.into_iter().zip(b.entries);
                        let entries = pairs.map(|(x, y)| combined(*operation, x, y)).collect::<Evaluated<_>>()?;
                        Grid { entries, ..Grid { rows: a.rows, columns: a.columns, entries: Vec::new() } }
                    } else {
                        let (what, left, right) = ("sum of matrices", a.entries.len(), b.entries.len());
                        return Err(Trouble::Sizes { what, left, right });
                    }
                }
                (Kind::Matrix, _) => {
                    let (grid, number) = (self.matrix(a)?, self.scalar(b)?);
                    each(grid, |x| combined(*operation, x, number.clone()))?
                }
                _ => {
                    let (number, grid) = (self.scalar(a)?, self.matrix(b)?);
                    each(grid, |x| combined(*operation, number.clone(), x))?
                }
            },
            _ => return Err(Trouble::Kind),
        })
    }
}

/// Whether a term depends on the index of the sum around it and on nothing else, and counts at all of its values.
fn is_of_index(term: &Term) -> bool {
    let mut found = true;
    visit(term, &mut |part| found &= !matches!(part.node, Node::Variable(_) | Node::Guarded(..)));
    found
}

/// Whether what is folded, here or further inside, counts at some values of its indices only.
fn is_guarded(body: &Term) -> bool {
    match &body.node {
        Node::Guarded(..) => true,
        Node::Fold(_, Terms::Over { body, .. }) => is_guarded(body),
        _ => false,
    }
}

/// Whether it has no value over no terms. Inside another of the same kind an empty part is left out.
fn is_extreme(fold: Fold) -> bool {
    matches!(fold, Fold::Max | Fold::Min | Fold::LogSumExp)
}

/// Whether it is one over the index of the sum around it.
fn is_reciprocal(term: &Term) -> bool {
    let Node::Binary(Operation::Divide, one, index) = &term.node else { return false };
    let is_one = matches!(one.node, Node::Whole(1) | Node::Number(Literal::Decimal { digits: 1, exponent: 0 }));
    is_one && index.node == Node::Index(0)
}

/// Whether a term takes as many steps wherever it is evaluated: it counts up to nothing, and has no parts of other sizes.
fn costs_the_same(term: &Term) -> bool {
    let mut found = true;
    visit(term, &mut |part| {
        found &= matches!(
            part.node,
            Node::Number(_)
                | Node::Whole(_)
                | Node::Constant(_)
                | Node::Variable(_)
                | Node::Index(_)
                | Node::Negated(_)
                | Node::Binary(..)
                | Node::WholePower(..)
                | Node::RealPower(..)
                | Node::Apply(..)
        ) && matches!(part.kind, Kind::Whole | Kind::Scalar);
    });
    found
}

fn each<N>(grid: Grid<N>, f: impl FnMut(N) -> Evaluated<N>) -> Evaluated<Grid<N>> {
    let Grid { rows, columns, entries } = grid;
    let entries = entries.into_iter().map(f).collect::<Evaluated<_>>()?;
    Ok(Grid { rows, columns, entries })
}

fn transposed<N: Clone>(grid: &Grid<N>) -> Grid<N> {
    let at = |i: usize| grid.entries[i % grid.rows * grid.columns + i / grid.rows].clone();
    Grid { rows: grid.columns, columns: grid.rows, entries: (0..grid.entries.len()).map(at).collect() }
}

fn product<N: Number>(a: &Grid<N>, b: &Grid<N>) -> Evaluated<Grid<N>> {
    if a.columns != b.rows {
        let (what, left, right) = ("product of matrices", a.columns, b.rows);
        return Err(Trouble::Sizes { what, left, right });
    }
    let entry = |at: usize| {
        let (i, j) = (at / b.columns, at % b.columns);
        sum((0..a.columns).map(|k| a.entries[i * a.columns + k].clone().times(b.entries[k * b.columns + j].clone())))
    };
    Ok(Grid { rows: a.rows, columns: b.columns, entries: (0..a.rows * b.columns).map(entry).collect() })
}

/// An index counted from one as a place counted from zero.
fn place(index: i64, length: usize) -> Evaluated<usize> {
    let at = usize::try_from(index).ok().and_then(|i| i.checked_sub(1));
    at.filter(|&i| i < length).ok_or(Trouble::Outside { index, length })
}

fn entry<N>(entries: &[N], index: i64) -> Evaluated<&N> {
    Ok(&entries[place(index, entries.len())?])
}

fn cell<N>(grid: &Grid<N>, row: i64, column: i64) -> Evaluated<&N> {
    let (row, column) = (place(row, grid.rows)?, place(column, grid.columns)?);
    Ok(&grid.entries[row * grid.columns + column])
}

fn combined<N: Number>(operation: Operation, a: N, b: N) -> Evaluated<N> {
    Ok(match operation {
        Operation::Add => a.plus(b),
        Operation::Subtract => a.minus(b),
        Operation::Multiply => a.times(b),
        Operation::Divide => a.over(b)?,
    })
}

/// From left to right, beginning with the first term, so that a sum of one is that one.
fn sum<N: Number>(terms: impl IntoIterator<Item = N>) -> N {
    terms.into_iter().reduce(N::plus).unwrap_or_else(|| N::whole(0))
}

fn folded<N: Number>(fold: Fold, terms: Vec<N>) -> Evaluated<N> {
    let count = terms.len() as i64;
    let nothing = || Trouble::Undefined("an extremum or a mean of no numbers");
    Ok(match fold {
        Fold::Sum => sum(terms),
        Fold::Product => terms.into_iter().reduce(N::times).unwrap_or_else(|| N::whole(1)),
        Fold::Mean if count == 0 => return Err(nothing()),
        Fold::Mean => sum(terms).over(N::whole(count))?,
        Fold::Max => terms.into_iter().reduce(N::larger).ok_or_else(nothing)?,
        Fold::Min => {
            let least = terms.into_iter().map(N::negated).reduce(N::larger);
            least.ok_or_else(nothing)?.negated()
        }
        Fold::LogSumExp if count == 0 => return Err(nothing()),
        Fold::LogSumExp => N::log_sum_exp(terms),
    })
}
