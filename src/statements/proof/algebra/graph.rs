//! Formulas as one graph, in which what occurs twice is one node, with its values and slopes on a box.

use std::collections::HashMap;

use enclosures::interval::{Dual, Interval};
use num_rational::BigRational;

use super::expression::{Formula, Head};
use super::numbers::enclosed;
use crate::numbers::number::{Enclosed, Number, Undefined};
use crate::text::words::Function;

/// What a node is, of nodes before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Vertex {
    Number(Interval),
    Variable(usize),
    Sum(usize, usize),
    Product(usize, usize),
    Quotient(usize, usize),
    Power(usize, i64),
    /// The exponent is a number that is not whole, so that the base is not negative; or it is any node.
    RealPower(usize, usize),
    Apply(Function, usize),
    Larger(usize, usize),
    Entropic(usize),
}

/// Nodes, each behind those it is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Vertex>,
    places: HashMap<(u8, u64, u64), usize>,
    numbers: HashMap<BigRational, usize>,
}

/// Values on a box, with how each node changes with what it is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Slopes {
    pub(super) values: Vec<Interval>,
    along: Vec<[Interval; 2]>,
    /// Whether a node is defined and has slopes on the whole box.
    smooth: Vec<bool>,
}

/// There is no point of the box at which everything is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Empty;

/// The most nodes.
const MOST: usize = 2000;

impl Graph {
    /// The node of a formula; none if it has parts that are not followed.
    pub(super) fn node(&mut self, e: &Formula) -> Option<usize> {
        let operation = match &*e.0 {
            Head::Number(x) => {
                // Two numbers may have one enclosure, and are not one node.
                if let Some(&place) = self.numbers.get(x) {
                    return Some(place);
                }
                self.nodes.push(Vertex::Number(enclosed(x)));
                self.numbers.insert(x.clone(), self.nodes.len() - 1);
                return Some(self.nodes.len() - 1);
            }
            Head::Pi => Vertex::Number(Interval::pi()),
            Head::Variable(v) => Vertex::Variable(*v),
            Head::Sum(a, b) => Vertex::Sum(self.node(a)?, self.node(b)?),
            Head::Product(a, b) => match (self.node(a)?, self.node(b)?) {
                (a, b) if a == b => Vertex::Power(a, 2),
                (a, b) => Vertex::Product(a, b),
            },
            Head::Quotient(a, b) => Vertex::Quotient(self.node(a)?, self.node(b)?),
            Head::Power(a, n) if *n >= 2 => Vertex::Power(self.node(a)?, *n),
            Head::Power(..) | Head::Unknown => return None,
            Head::RealPower(a, b) => Vertex::RealPower(self.node(a)?, self.node(b)?),
            Head::Apply(Function::Floor | Function::Ceiling | Function::Sign, _) => return None,
            Head::Apply(function, a) => Vertex::Apply(*function, self.node(a)?),
            Head::Larger(a, b) => Vertex::Larger(self.node(a)?, self.node(b)?),
            Head::Entropic(a) => Vertex::Entropic(self.node(a)?),
        };
        self.place(operation)
    }

    fn place(&mut self, operation: Vertex) -> Option<usize> {
        // Sums and products are the same in either order.
        let two = |a: usize, b: usize| (a.min(b) as u64, a.max(b) as u64);
        let key = match operation {
            // The one constant that is no rational number.
            Vertex::Number(_) => (0, 0, 0),
            Vertex::Variable(v) => (1, v as u64, 0),
            Vertex::Sum(a, b) => (2, two(a, b).0, two(a, b).1),
            Vertex::Product(a, b) => (3, two(a, b).0, two(a, b).1),
            Vertex::Quotient(a, b) => (4, a as u64, b as u64),
            Vertex::Power(a, n) => (5, a as u64, n as u64),
            Vertex::RealPower(a, b) => (6, a as u64, b as u64),
            Vertex::Apply(f, a) => (7, a as u64, f as u64),
            Vertex::Larger(a, b) => (8, two(a, b).0, two(a, b).1),
            Vertex::Entropic(a) => (9, a as u64, 0),
        };
        if let Some(&place) = self.places.get(&key) {
            return Some(place);
        }
        self.nodes.push(operation);
        self.places.insert(key, self.nodes.len() - 1);
        (self.nodes.len() <= MOST).then_some(self.nodes.len() - 1)
    }

    /// The variables that a node depends on.
    pub(super) fn variables(&self, node: usize, count: usize) -> Vec<bool> {
        let mut used = vec![false; self.nodes.len()];
        let mut found = vec![false; count];
        used[node] = true;
        for place in (0..=node).rev() {
            if !used[place] {
                continue;
            }
            if let Vertex::Variable(v) = self.nodes[place] {
                found[v] = true;
            }
            self.inside(place).into_iter().flatten().for_each(|inner| used[inner] = true);
        }
        found
    }

    fn inside(&self, place: usize) -> [Option<usize>; 2] {
        match self.nodes[place] {
            Vertex::Number(_) | Vertex::Variable(_) => [None, None],
            Vertex::Power(a, _) | Vertex::Apply(_, a) | Vertex::Entropic(a) => [Some(a), None],
            Vertex::Sum(a, b)
            | Vertex::Product(a, b)
            | Vertex::Quotient(a, b)
            | Vertex::RealPower(a, b)
            | Vertex::Larger(a, b) => [Some(a), Some(b)],
        }
    }

    /// The values of all nodes on a box.
    pub(super) fn values(&self, ranges: &[Interval], values: &mut Vec<Interval>) -> Result<(), Empty> {
        values.clear();
        for operation in &self.nodes {
            let value = match *operation {
                Vertex::Number(x) => x,
                Vertex::Variable(v) => ranges[v],
                _ => self.dual::<0>(operation, |place, _| Dual::constant(values[place]))?.value,
            };
            values.push(value);
        }
        Ok(())
    }

    /// The same with slopes.
    pub(super) fn slopes(&self, ranges: &[Interval], found: &mut Slopes) -> Result<(), Empty> {
        let Slopes { values, along, smooth } = found;
        values.clear();
        along.clear();
        smooth.clear();
        for (place, operation) in self.nodes.iter().enumerate() {
            let (value, slopes, is_smooth) = match *operation {
                Vertex::Number(x) => (x, [Interval::ZERO; 2], true),
                Vertex::Variable(v) => (ranges[v], [Interval::ZERO; 2], true),
                _ => {
                    let of = |inner: usize, which: usize| Dual {
                        value: values[inner],
                        slopes: std::array::from_fn(|k| if k == which { Interval::ONE } else { Interval::ZERO }),
                        defined: true,
                    };
                    let dual = self.dual::<2>(operation, of)?;
                    (dual.value, dual.slopes, dual.defined)
                }
            };
            let inner = self.inside(place).into_iter().flatten().all(|inner| smooth[inner]);
            values.push(value);
            along.push(slopes);
            smooth.push(is_smooth && inner);
        }
        Ok(())
    }

    /// One operation on what its operands are.
    fn dual<const K: usize>(&self, operation: &Vertex, of: impl Fn(usize, usize) -> Dual<K>) -> Result<Dual<K>, Empty> {
        let unknown = Dual { value: Interval::ENTIRE, slopes: [Interval::ENTIRE; K], defined: false };
        let found = match *operation {
            Vertex::Number(_) | Vertex::Variable(_) => Ok(unknown),
            Vertex::Sum(a, b) => Ok(of(a, 0) + of(b, 1)),
            Vertex::Product(a, b) => Ok(of(a, 0) * of(b, 1)),
            Vertex::Quotient(a, b) => {
                let (above, below) = (of(a, 0), of(b, 1));
                if below.value.contains(0.0) && below.value != Interval::ZERO {
                    return Ok(Dual { value: above.value / below.value, ..unknown });
                }
                above.over(below)
            }
            Vertex::Power(a, n) => of(a, 0).whole_power(n),
            Vertex::RealPower(a, b) => {
                let (mut base, exponent) = (of(a, 0), of(b, 1));
                let is_number = matches!(self.nodes[b], Vertex::Number(_));
                if base.value.lo() < 0.0 {
                    if !is_number {
                        return Ok(unknown);
                    }
                    base.value = base.value.intersection(Interval::new(0.0, f64::INFINITY)).ok_or(Empty)?;
                    base.defined = false;
                }
                if base.value.lo() <= 0.0 && !is_number {
                    return Ok(unknown);
                }
                base.real_power(exponent)
            }
            Vertex::Apply(function, a) => {
                let mut x = of(a, 0);
                if let Some((domain, has_ends)) = domain(function) {
                    let kept = x.value.intersection(domain).ok_or(Empty)?;
                    // A value that an open end leaves out must not be taken for one at the end.
                    let inside = kept.lo() > domain.lo() && (kept.hi() < domain.hi() || domain.hi() == f64::INFINITY);
                    x.defined &= kept == x.value && (has_ends || inside);
                    x.value = kept;
                }
                x.apply(function)
            }
            Vertex::Larger(a, b) => Ok(of(a, 0).larger(of(b, 1))),
            Vertex::Entropic(a) => {
                let mut x = of(a, 0);
                let kept = x.value.intersection(Interval::new(0.0, f64::INFINITY)).ok_or(Empty)?;
                x.defined &= kept == x.value;
                x.value = kept;
                x.times_its_logarithm()
            }
        };
        match found {
            Ok(found) => Ok(found),
            Err(Undefined::Nowhere(_)) => Err(Empty),
            Err(Undefined::Unsupported(_)) => Ok(unknown),
        }
    }

    /// How a node changes with every variable on the box; none where it is not known to be defined and to have slopes on all of it.
    pub(super) fn gradient(&self, of: usize, on: &Slopes, count: usize) -> Option<Vec<Interval>> {
        if !on.smooth[of] {
            return None;
        }
        let mut weights = vec![Interval::ZERO; of + 1];
        let mut found = vec![Interval::ZERO; count];
        weights[of] = Interval::ONE;
        for place in (0..=of).rev() {
            let weight = weights[place];
            if weight == Interval::ZERO {
                continue;
            }
            if let Vertex::Variable(v) = self.nodes[place] {
                found[v] += weight;
            }
            for (inner, slope) in self.inside(place).into_iter().zip(on.along[place]) {
                if let Some(inner) = inner {
                    weights[inner] += weight * slope;
                }
            }
        }
        Some(found)
    }

    /// The value of a node at a point, enclosed; none if it is not defined there for certain.
    pub(super) fn at(&self, of: usize, point: &[f64]) -> Option<Interval> {
        let mut values: Vec<Enclosed> = Vec::with_capacity(of + 1);
        for operation in &self.nodes[..=of] {
            let value = match *operation {
                Vertex::Number(x) => Dual::constant(x),
                Vertex::Variable(v) => Dual::constant(point[v]),
                _ => self.dual::<0>(operation, |place, _| values[place]).ok()?,
            };
            values.push(value);
        }
        values.pop().filter(|v| v.defined).map(|v| v.value)
    }
}

/// Where a function of real numbers is defined, and whether at the ends as well; none if everywhere, or on more than a range.
fn domain(function: Function) -> Option<(Interval, bool)> {
    let above = |low: f64| Interval::new(low, f64::INFINITY);
    Some(match function {
        Function::Log | Function::Log2 | Function::Log10 => (above(0.0), false),
        Function::Log1p => (above(-1.0), false),
        Function::Sqrt => (above(0.0), true),
        Function::Asin | Function::Acos => (Interval::new(-1.0, 1.0), true),
        Function::Acosh => (above(1.0), true),
        Function::Atanh => (Interval::new(-1.0, 1.0), false),
        _ => return None,
    })
}
