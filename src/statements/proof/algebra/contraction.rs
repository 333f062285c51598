//! Forward and backward propagation (HC4): what every node of a graph can be, narrowed from the conditions down to the variables, until nothing
//! is left or no more is gained.

use enclosures::interval::Interval;

use super::graph::{Empty, Graph, Vertex};
use crate::text::words::Function;

/// Everything that is not negative.
fn upper() -> Interval {
    Interval::new(0.0, f64::INFINITY)
}

impl Graph {
    /// Narrows the variables of a box to where the values of all nodes, which have been narrowed at some, fit together.
    pub(super) fn backward(&self, values: &mut [Interval], ranges: &mut [Interval]) -> Result<(), Empty> {
        for place in (0..self.nodes.len()).rev() {
            let z = values[place];
            match self.nodes[place] {
                Vertex::Number(_) => {}
                Vertex::Variable(v) => ranges[v] = ranges[v].intersection(z).ok_or(Empty)?,
                Vertex::Sum(a, b) => {
                    let (x, y) = (values[a], values[b]);
                    narrow(values, a, z - y)?;
                    narrow(values, b, z - x)?;
                }
                Vertex::Product(a, b) => {
                    let (x, y) = (values[a], values[b]);
                    narrow(values, a, quotient(z, y))?;
                    narrow(values, b, quotient(z, x))?;
                }
                Vertex::Quotient(a, b) => {
                    let (x, y) = (values[a], values[b]);
                    narrow(values, a, z * y)?;
                    narrow(values, b, quotient(x, z))?;
                }
                Vertex::Power(a, n) => {
                    let to = rooted(z, values[a], n).ok_or(Empty)?;
                    narrow(values, a, to)?;
                }
                Vertex::RealPower(a, b) => {
                    if let Vertex::Number(exponent) = self.nodes[b] {
                        let z = z.intersection(upper()).ok_or(Empty)?;
                        narrow(values, a, upper())?;
                        if exponent.lo() > 0.0 {
                            let root = (z.ln() / exponent).exp();
                            // Of zero the power is zero, and the logarithm says nothing.
                            narrow(values, a, if z.lo() <= 0.0 { root.hull(Interval::ZERO) } else { root })?;
                        }
                    }
                }
                Vertex::Apply(function, a) => {
                    if let Some(to) = turned(function, z, values[a])? {
                        narrow(values, a, to)?;
                    }
                }
                Vertex::Larger(a, b) => {
                    let below = Interval::new(f64::NEG_INFINITY, z.hi());
                    for (one, other) in [(a, b), (b, a)] {
                        let is_larger = values[other].hi() < z.lo();
                        narrow(values, one, if is_larger { z } else { below })?;
                    }
                }
                Vertex::Entropic(a) => narrow(values, a, upper())?,
            }
        }
        Ok(())
    }
}

fn narrow(values: &mut [Interval], inner: usize, to: Interval) -> Result<(), Empty> {
    values[inner] = values[inner].intersection(to).ok_or(Empty)?;
    Ok(())
}

/// Every x with `x y = z`; everything where zero times anything may be meant.
fn quotient(z: Interval, y: Interval) -> Interval {
    if z.contains(0.0) && y.contains(0.0) { Interval::ENTIRE } else { z / y }
}

/// Every number of `x` whose power lies in `z`.
fn rooted(z: Interval, x: Interval, n: i64) -> Option<Interval> {
    let root = |z: Interval| match n {
        2 => z.sqrt(),
        _ if z == Interval::ZERO => z,
        _ => {
            let root = (z.ln() / n as f64).exp();
            if z.lo() <= 0.0 { root.hull(Interval::ZERO) } else { root }
        }
    };
    if n % 2 == 0 {
        let size = root(z.intersection(upper())?);
        let (up, down) = (x.intersection(size), x.intersection(-size));
        return match (up, down) {
            (Some(up), Some(down)) => Some(up.hull(down)),
            (up, down) => up.or(down),
        };
    }
    let up = z.intersection(upper()).map(root);
    let down = (-z).intersection(upper()).map(root).map(|root| -root);
    match (up, down) {
        (Some(up), Some(down)) => Some(up.hull(down)),
        (up, down) => up.or(down),
    }
}

/// Where a function has values in `z`, if that is known better than `x`.
fn turned(function: Function, z: Interval, x: Interval) -> Result<Option<Interval>, Empty> {
    let within = |low: f64, high: f64| z.intersection(Interval::new(low, high)).ok_or(Empty);
    Ok(Some(match function {
        Function::Exp => within(0.0, f64::INFINITY)?.ln(),
        Function::ExpM1 => within(-1.0, f64::INFINITY)?.ln_1p(),
        Function::Log => z.exp(),
        Function::Log1p => z.exp_m1(),
        Function::Sqrt => within(0.0, f64::INFINITY)?.square(),
        Function::Abs => {
            let size = within(0.0, f64::INFINITY)?;
            let (up, down) = (x.intersection(size), x.intersection(-size));
            match (up, down) {
                (Some(up), Some(down)) => up.hull(down),
                (up, down) => up.or(down).ok_or(Empty)?,
            }
        }
        Function::Sinh => z.asinh(),
        Function::Asinh => z.sinh(),
        Function::Tanh => within(-1.0, 1.0)?.atanh(),
        Function::Cosh => {
            let most = within(1.0, f64::INFINITY)?.acosh().hi();
            Interval::new(-most, most)
        }
        Function::Asin | Function::Acos => Interval::new(-1.0, 1.0),
        // Within less than a right angle the tangent is one to one.
        Function::Atan if z.lo() > -1.57 && z.hi() < 1.57 => z.tan(),
        _ => return Ok(None),
    }))
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;
    use num_rational::BigRational;
    use rand_core::Rng;

    use super::super::expression::Formula;
    use super::super::graph::Slopes;
    use super::*;
    use crate::numbers::number::Number;

    /// Every operation and every function that is followed, of two variables.
    fn formulas() -> Vec<Formula> {
        let (x, y) = (Formula::variable(0), Formula::variable(1));
        let third = Formula::number(BigRational::new(1.into(), 3.into()));
        let applied = |f: Function| x.clone().apply(f).expect("a formula").plus(y.clone());
        let mut found = vec![
            x.clone().plus(y.clone()),
            x.clone().times(y.clone()),
            x.clone().over(y.clone()).expect("a formula"),
            x.clone().whole_power(2).expect("a formula").plus(y.clone()),
            x.clone().whole_power(3).expect("a formula").times(y.clone()),
            x.clone().whole_power(4).expect("a formula").minus(y.clone()),
            x.clone().real_power(third).expect("a formula").plus(y.clone()),
            x.clone().larger(y.clone()),
            x.clone().times_its_logarithm().expect("a formula").plus(y.clone()),
        ];
        let functions = [
            Function::Exp,
            Function::ExpM1,
            Function::Log,
            Function::Log1p,
            Function::Sqrt,
            Function::Abs,
            Function::Sin,
            Function::Cos,
            Function::Tan,
            Function::Asin,
            Function::Acos,
            Function::Atan,
            Function::Sinh,
            Function::Cosh,
            Function::Tanh,
            Function::Asinh,
            Function::Acosh,
            Function::Atanh,
            Function::Sigmoid,
            Function::Softplus,
            Function::CubeRoot,
            Function::Erf,
        ];
        found.extend(functions.map(applied));
        found
    }

    #[test]
    fn no_point_is_lost_at_which_a_value_is_allowed() {
        let mut stream = stream(3, &["contraction"]);
        let mut unit = || (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        // Small more often than not.
        let little = |unit: f64| unit * unit * unit;
        let (mut met, mut narrowed) = (0, 0);
        for formula in formulas() {
            let mut graph = Graph::default();
            let root = graph.node(&formula).expect("a graph");
            for _ in 0..300 {
                let point = [4.0 * unit() - 2.0, 4.0 * unit() - 2.0];
                let Some(value) = graph.at(root, &point) else { continue };
                let ranges = point.map(|x| Interval::new(x - 3.0 * little(unit()), x + 3.0 * little(unit())));
                let mut values = Vec::new();
                graph.values(&ranges, &mut values).expect("the point is defined");
                let allowed = Interval::new(value.lo() - little(unit()), value.hi() + little(unit()));
                values[root] = values[root].intersection(allowed).expect("the value at the point");
                let mut left = ranges;
                graph.backward(&mut values, &mut left).expect("the point is left");
                assert!(
                    left.iter().zip(point).all(|(range, x)| range.contains(x)),
                    "{formula:?} at {point:?}: {left:?}"
                );
                met += 1;
                narrowed += usize::from(left != ranges);
                // The mean value theorem from the middle to the point.
                let mut slopes = Slopes::default();
                graph.slopes(&ranges, &mut slopes).expect("the point is defined");
                let centre = ranges.map(Interval::midpoint);
                if let (Some(gradient), Some(there)) = (graph.gradient(root, &slopes, 2), graph.at(root, &centre)) {
                    let steps = (0..2).map(|v| gradient[v] * (Interval::point(point[v]) - centre[v]));
                    let mean = steps.fold(there, |sum, step| sum + step);
                    assert!(mean.intersection(value).is_some(), "{formula:?} at {point:?}");
                }
            }
        }
        assert!(met > 5000 && narrowed > 3000, "{met} {narrowed}");
    }
}
