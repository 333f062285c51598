//! Instances: a value for every variable. Stored with their declarations, so that a file of them speaks for itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use evidence::instance::Instance;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

use crate::formulas::domain::{Declarations, Domain, Size, Variable};
use crate::formulas::evaluate::{Evaluator, Trouble};
use crate::formulas::scope::{conditions, declarations};
use crate::numbers::number::{Grid, Number, Undefined, Value};
use crate::text::words::Function;

/// The numbers that stand for one variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// A whole number.
    Whole(i64),
    /// A real number.
    Real(f64),
    /// The entries of a vector or of a matrix row by row; the upper triangle of a symmetric matrix; the weights of a probability
    /// vector, or of every row of a matrix of them, before they are divided by their sum; a vector before it is divided by its norm; a factor
    /// `B` of `B B'`; the directions, row by row, of the reflections whose product is an orthogonal matrix.
    List(Vec<f64>),
}

/// A value for every variable of some declarations.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// What the variables range over.
    pub declarations: Arc<Declarations>,
    /// In the order of the variables.
    pub values: Vec<Raw>,
}

/// How many rows and columns a value has; one of each for a number, one column for a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueShape {
    /// Rows, or entries.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

/// The most numbers that one value may have.
const LARGEST: usize = 1 << 16;

impl Raw {
    /// How many doubles it has.
    pub(crate) fn count(&self) -> usize {
        match self {
            Raw::Whole(_) => 0,
            Raw::Real(_) => 1,
            Raw::List(list) => list.len(),
        }
    }
}

/// The whole numbers in their places, which is all that sizes and ranges depend on.
pub(crate) fn wholes(values: &[Raw]) -> Vec<Value<f64>> {
    let whole = |raw: &Raw| match raw {
        Raw::Whole(n) => Value::Whole(*n),
        _ => Value::Scalar(0.0),
    };
    values.iter().map(whole).collect()
}

impl Declarations {
    /// Evaluates a size once the whole numbers are known.
    pub(crate) fn evaluated(&self, size: &Size, values: &[Value<f64>]) -> Result<i64, Trouble> {
        Evaluator::new(values).whole(&size.term)
    }

    /// The shapes of all values, given the whole numbers among them.
    pub(crate) fn shapes(&self, values: &[Raw]) -> Result<Vec<ValueShape>, String> {
        let wholes = wholes(values);
        let size = |name: &str, size: &Size| -> Result<usize, String> {
            let n = self.evaluated(size, &wholes).map_err(|t| format!("the size of {name}: {t}"))?;
            let fits = usize::try_from(n).ok().filter(|n| (1..=LARGEST).contains(n));
            fits.ok_or_else(|| format!("the size of {name} is {n}, not between 1 and {LARGEST}"))
        };
        let shape = |variable: &Variable| -> Result<ValueShape, String> {
            let name = &variable.name;
            let (rows, columns) = match &variable.domain {
                Domain::Real(_) | Domain::Whole { .. } => (1, 1),
                Domain::Vector { size: n, .. } | Domain::Simplex(n) | Domain::Sphere(n) => (size(name, n)?, 1),
                Domain::Matrix { rows, columns, .. } | Domain::Stochastic { rows, columns } => {
                    (size(name, rows)?, size(name, columns)?)
                }
                Domain::Symmetric(n) | Domain::Semidefinite(n) | Domain::Orthogonal(n) => {
                    let n = size(name, n)?;
                    (n, n)
                }
            };
            if rows * columns > LARGEST {
                return Err(format!("{name} has {rows}·{columns} entries, more than {LARGEST}"));
            }
            Ok(ValueShape { rows, columns })
        };
        self.variables.iter().map(shape).collect()
    }
}

/// How many numbers stand for a value of this shape.
pub(crate) fn numbers(domain: &Domain, shape: ValueShape) -> usize {
    match domain {
        Domain::Symmetric(_) => shape.rows * (shape.rows + 1) / 2,
        _ => shape.rows * shape.columns,
    }
}

impl Assignment {
    /// The values as any kind of number, each double through `number`, which is told its place among all of them.
    pub(crate) fn lifted_by<N: Number>(
        &self,
        number: &mut dyn FnMut(usize, f64) -> N,
    ) -> Result<Vec<Value<N>>, String> {
        let shapes = self.declarations.shapes(&self.values)?;
        let each = self.declarations.variables.iter().zip(&self.values).zip(shapes);
        let mut place = 0;
        let mut next = |x: &f64| {
            place += 1;
            number(place - 1, *x)
        };
        let lift = |((variable, raw), shape): ((&Variable, &Raw), ValueShape)| {
            lifted(&variable.domain, raw, shape, &mut next).map_err(|reason| format!("{}: {reason}", variable.name))
        };
        each.map(lift).collect()
    }

    /// The operations that make the values from what is stored: of matrices that are stored as their factors.
    pub(crate) fn steps(&self) -> usize {
        let each = |(variable, raw): (&Variable, &Raw)| {
            let count = raw.count();
            match &variable.domain {
                Domain::Semidefinite(_) => count.saturating_mul(count.isqrt()),
                Domain::Orthogonal(_) => count.saturating_mul(2 * count.isqrt()),
                _ => 0,
            }
        };
        self.declarations.variables.iter().zip(&self.values).map(each).sum()
    }

    /// The values in plain floating point, as they are.
    pub(crate) fn plain(&self) -> Result<Vec<Value<f64>>, String> {
        self.lifted_by(&mut |_, x| x)
    }

    /// All doubles, in the order of the variables.
    pub(crate) fn doubles(&self) -> Vec<f64> {
        let each = |raw: &Raw| match raw {
            Raw::Whole(_) => Vec::new(),
            Raw::Real(x) => vec![*x],
            Raw::List(list) => list.clone(),
        };
        self.values.iter().flat_map(each).collect()
    }

    /// Puts other doubles into their places.
    pub(crate) fn set_doubles(&mut self, doubles: &[f64]) {
        let mut next = doubles.iter().copied();
        for raw in &mut self.values {
            match raw {
                Raw::Whole(_) => {}
                Raw::Real(x) => *x = next.next().unwrap_or(f64::NAN),
                Raw::List(list) => list.iter_mut().for_each(|x| *x = next.next().unwrap_or(f64::NAN)),
            }
        }
    }

    /// The same assignment with other whole numbers: vectors and matrices keep their first entries, or their last.
    #[must_use]
    pub fn resized(&self, place: usize, to: i64, keep_last: bool) -> Option<Self> {
        let old = self.declarations.shapes(&self.values).ok()?;
        let mut changed = self.clone();
        *changed.values.get_mut(place)? = Raw::Whole(to);
        let new = self.declarations.shapes(&changed.values).ok()?;
        let every = self.declarations.variables.iter().zip(&mut changed.values).zip(old.iter().zip(&new));
        for ((variable, raw), (&old, &new)) in every {
            if let Raw::List(entries) = raw
                && old != new
            {
                *entries = resized(&variable.domain, entries, old, new, keep_last);
            }
        }
        changed.validate().is_ok().then_some(changed)
    }
}

/// The entry of the old list that becomes entry (i, j) of the new one; beyond the old list, zero or, for weights, one.
fn resized(domain: &Domain, entries: &[f64], old: ValueShape, new: ValueShape, keep_last: bool) -> Vec<f64> {
    let shift = |n: usize, o: usize| if keep_last { o.saturating_sub(n) } else { 0 };
    let (down, right) = (shift(new.rows, old.rows), shift(new.columns, old.columns));
    let filler = if matches!(domain, Domain::Simplex(_) | Domain::Stochastic { .. }) { 1.0 } else { 0.0 };
    let filler = match domain {
        Domain::Vector { range, .. } | Domain::Matrix { range, .. } => range.nearest(filler),
        _ => filler,
    };
    let symmetric = matches!(domain, Domain::Symmetric(_));
    let at = |i: usize, j: usize| {
        let (i, j) = (i + down, j + right);
        if i >= old.rows || j >= old.columns {
            return filler;
        }
        // Row i of an upper triangle begins after the rows of lengths n, n − 1, ….
        let place = if symmetric { i * old.rows - i * i.saturating_sub(1) / 2 + (j - i) } else { i * old.columns + j };
        entries.get(place).copied().unwrap_or(filler)
    };
    let first = |i: usize| if symmetric { i } else { 0 };
    (0..new.rows).flat_map(|i| (first(i)..new.columns).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect()
}

fn lifted<N: Number>(
    domain: &Domain,
    raw: &Raw,
    shape: ValueShape,
    number: &mut dyn FnMut(&f64) -> N,
) -> Result<Value<N>, String> {
    let undefined = |u: Undefined| match u {
        Undefined::Nowhere(what) | Undefined::Unsupported(what) => what.to_owned(),
    };
    let ValueShape { rows, columns } = shape;
    let list = match (domain, raw) {
        (Domain::Whole { .. }, Raw::Whole(n)) => return Ok(Value::Whole(*n)),
        (Domain::Real(_), Raw::Real(x)) => return Ok(Value::Scalar(number(x))),
        (_, Raw::List(list)) if list.len() == numbers(domain, shape) => list,
        (_, Raw::List(list)) => return Err(format!("{} numbers, not {}", list.len(), numbers(domain, shape))),
        _ => return Err("a value of another kind".into()),
    };
    let entries: Vec<N> = list.iter().map(number).collect();
    Ok(match domain {
        Domain::Matrix { .. } => Value::Matrix(Grid { rows, columns, entries }),
        Domain::Symmetric(_) => {
            let at = |place: usize| {
                let (i, j) = (place / rows, place % rows);
                let (i, j) = (i.min(j), i.max(j));
                entries[i * rows - i * i.saturating_sub(1) / 2 + (j - i)].clone()
            };
            let entries = (0..rows * rows).map(at).collect();
            Value::Matrix(Grid { rows, columns, entries })
        }
        Domain::Semidefinite(_) => {
            let at = |place: usize| {
                let (i, j) = (place / rows, place % rows);
                let terms = (0..columns).map(|k| {
                    let (a, b) = (entries[i * columns + k].clone(), entries[j * columns + k].clone());
                    if i == j { a.whole_power(2) } else { Ok(a.times(b)) }
                });
                let terms = terms.collect::<Result<Vec<N>, Undefined>>()?;
                Ok(terms.into_iter().reduce(N::plus).unwrap_or_else(|| N::whole(0)))
            };
            let entries = (0..rows * rows).map(at).collect::<Result<_, Undefined>>().map_err(undefined)?;
            Value::Matrix(Grid { rows, columns, entries })
        }
        Domain::Simplex(_) => Value::Vector(shares(entries, list).map_err(undefined)?),
        Domain::Stochastic { .. } => {
            let each = entries.chunks(columns).zip(list.chunks(columns));
            let each = each.map(|(row, weights)| shares(row.to_vec(), weights)).collect::<Result<Vec<_>, _>>();
            Value::Matrix(Grid { rows, columns, entries: each.map_err(undefined)?.into_iter().flatten().collect() })
        }
        Domain::Orthogonal(_) => {
            let entries = reflected(&entries, rows).map_err(undefined)?;
            Value::Matrix(Grid { rows, columns, entries })
        }
        Domain::Sphere(_) => {
            let squares = entries.iter().cloned().map(|x| x.whole_power(2));
            let squares = squares.collect::<Result<Vec<N>, _>>().map_err(undefined)?;
            let norm = squares.into_iter().reduce(N::plus).unwrap_or_else(|| N::whole(0));
            let norm = norm.apply(Function::Sqrt).map_err(undefined)?;
            let unit = entries.into_iter().map(|x| if x.is_zero() { Ok(x) } else { x.over(norm.clone()) });
            Value::Vector(unit.collect::<Result<_, _>>().map_err(undefined)?)
        }
        _ => Value::Vector(entries),
    })
}

/// Weights divided by their sum.
fn shares<N: Number>(entries: Vec<N>, weights: &[f64]) -> Result<Vec<N>, Undefined> {
    let total = entries.iter().cloned().reduce(N::plus).unwrap_or_else(|| N::whole(0));
    let share = |x: N| if x.is_zero() { Ok(x) } else { x.over(total.clone()) };
    // One possible outcome has probability one, exactly.
    let outcomes = weights.iter().filter(|&&x| x != 0.0).count();
    let sure = |(x, &weight): (N, &f64)| if outcomes == 1 && weight != 0.0 { Ok(N::whole(1)) } else { share(x) };
    entries.into_iter().zip(weights).map(sure).collect()
}

/// The product of the reflections along some directions, row by row; along none where a direction is zero. Every orthogonal matrix of `n` rows is one
/// of at most `n` reflections (Cartan and Dieudonné).
fn reflected<N: Number>(directions: &[N], n: usize) -> Result<Vec<N>, Undefined> {
    let mut found: Vec<N> = (0..n * n).map(|at| N::whole(i64::from(at.is_multiple_of(n + 1)))).collect();
    let sum = |terms: &mut dyn Iterator<Item = N>| terms.reduce(N::plus).unwrap_or_else(|| N::whole(0));
    for along in directions.chunks(n) {
        if along.iter().all(N::is_zero) {
            continue;
        }
        let squares = along.iter().map(|x| x.clone().whole_power(2)).collect::<Result<Vec<N>, _>>()?;
        let square = sum(&mut squares.into_iter());
        for row in found.chunks_mut(n) {
            let product = sum(&mut row.iter().zip(along).map(|(a, x)| a.clone().times(x.clone())));
            let twice = product.times(N::whole(2)).over(square.clone())?;
            row.iter_mut().zip(along).for_each(|(a, x)| *a = a.clone().minus(twice.clone().times(x.clone())));
        }
    }
    Ok(found)
}

/// The stored form.
#[derive(Serialize, Deserialize)]
struct Stored {
    r#for: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    r#where: String,
    values: BTreeMap<String, Json>,
}

impl Serialize for Assignment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shapes = self.declarations.shapes(&self.values).map_err(serde::ser::Error::custom)?;
        let one = |((variable, raw), shape): ((&Variable, &Raw), ValueShape)| {
            let value = match raw {
                Raw::Whole(n) => Json::from(*n),
                Raw::Real(x) => Json::from(*x),
                Raw::List(list) => match variable.domain {
                    Domain::Matrix { .. }
                    | Domain::Semidefinite(_)
                    | Domain::Stochastic { .. }
                    | Domain::Orthogonal(_) => list.chunks(shape.columns.max(1)).collect(),
                    _ => Json::from(list.clone()),
                },
            };
            (variable.name.clone(), value)
        };
        let stored = Stored {
            r#for: self.declarations.to_string(),
            r#where: self.declarations.equations_text(),
            values: self.declarations.variables.iter().zip(&self.values).zip(shapes).map(one).collect(),
        };
        stored.serialize(serializer)
    }
}

thread_local! {
    /// Declarations that were read before: a search reads thousands of instances of the same ones.
    static READ: RefCell<HashMap<[String; 2], Arc<Declarations>>> = RefCell::new(HashMap::new());
}

/// How many declarations are remembered.
const REMEMBERED: usize = 64;

/// Declarations with the equations that their values meet.
fn remembered(texts: [String; 2]) -> Result<Arc<Declarations>, String> {
    if let Some(found) = READ.with(|read| read.borrow().get(&texts).cloned()) {
        return Ok(found);
    }
    let [ranges, given] = &texts;
    let mut found = declarations(ranges).map_err(|fault| fault.to_string())?;
    found.equations = conditions(ranges, given).map_err(|fault| fault.to_string())?;
    let found = Arc::new(found);
    READ.with(|read| {
        let mut read = read.borrow_mut();
        if read.len() >= REMEMBERED {
            read.clear();
        }
        read.insert(texts, Arc::clone(&found));
    });
    Ok(found)
}

fn flatten(json: &Json, into: &mut Vec<f64>) -> Option<()> {
    match json {
        Json::Number(n) => into.push(n.as_f64()?),
        Json::Array(items) => items.iter().try_for_each(|item| flatten(item, into))?,
        _ => return None,
    }
    Some(())
}

impl<'de> Deserialize<'de> for Assignment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut stored = Stored::deserialize(deserializer)?;
        let declarations = remembered([stored.r#for, stored.r#where]).map_err(D::Error::custom)?;
        let mut values = Vec::with_capacity(declarations.variables.len());
        for variable in &declarations.variables {
            let json = stored.values.remove(&variable.name);
            let json = json.ok_or_else(|| D::Error::custom(format!("no value for {}", variable.name)))?;
            let value = match &variable.domain {
                Domain::Whole { .. } => json.as_i64().map(Raw::Whole),
                Domain::Real(_) => json.as_f64().map(Raw::Real),
                _ => {
                    let mut list = Vec::new();
                    json.is_array().then(|| flatten(&json, &mut list)).flatten().map(|()| Raw::List(list))
                }
            };
            values.push(value.ok_or_else(|| D::Error::custom(format!("{json} is no value of {}", variable.name)))?);
        }
        Ok(Assignment { declarations, values })
    }
}
