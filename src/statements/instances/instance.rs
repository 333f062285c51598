//! An assignment as an instance of the engine: told in words, held against its ranges, moved and made smaller.

use evidence::instance::{Chart, Instance};

use super::assignment::{Assignment, Raw, numbers, wholes};
use super::charted;
use super::plainer::plainer;
use super::projected::projected;
use crate::formulas::domain::{Declarations, Domain, RealRange, Size, Variable};

/// A name for the factor of every variable that is shown as one: a letter that names nothing else.
fn factors(declarations: &Declarations) -> Vec<String> {
    let is_taken = |name: &str| declarations.variables.iter().any(|v| v.name == name);
    let letters = ["B", "C", "D", "F", "G", "L", "M"].into_iter().map(str::to_owned);
    let mut free = letters.chain((1..).map(|number| format!("B_{number}"))).filter(|name| !is_taken(name));
    let mut one = |variable: &Variable| match variable.domain {
        Domain::Semidefinite(_) => free.next().unwrap_or_default(),
        _ => String::new(),
    };
    declarations.variables.iter().map(&mut one).collect()
}

impl Instance for Assignment {
    fn describe(&self) -> String {
        if self.values.is_empty() {
            let named = self.declarations.abbreviations.iter().map(|(name, number)| format!("{name} = {number}"));
            let named: Vec<String> = named.collect();
            return if named.is_empty() { "no variables".into() } else { named.join(", ") };
        }
        let shapes = self.declarations.shapes(&self.values);
        let factors = factors(&self.declarations);
        let mut next = 0;
        let located = self.located();
        // Every number, and how far the one that it stands for may lie from it.
        let mut shown = |x: f64| {
            next += 1;
            let reach = located.as_ref().map_or(0.0, |l| l.reach(next - 1, x));
            if reach > 0.0 { format!("{} ± {}", shown(x), bound(reach)) } else { shown(x) }
        };
        let mut one = |(at, (variable, raw)): (usize, (&Variable, &Raw))| {
            let name = &variable.name;
            let shape = shapes.as_ref().ok().and_then(|s| s.get(at)).copied();
            let relation = match variable.domain {
                Domain::Simplex(_) | Domain::Sphere(_) => "∝",
                _ => "=",
            };
            match (raw, &variable.domain, shape) {
                (Raw::Whole(n), ..) => format!("{name} = {n}"),
                (Raw::Real(x), ..) => format!("{name} = {}", shown(*x)),
                (Raw::List(list), Domain::Semidefinite(_), Some(s)) => {
                    let factor = factors.get(at).map_or("B", String::as_str);
                    format!("{name} = {factor} {factor}', {factor} = {}", rows(list, s.columns, false, &mut shown))
                }
                (Raw::List(list), Domain::Stochastic { .. }, Some(s)) => {
                    format!("{name} with rows ∝ {}", rows(list, s.columns, false, &mut shown))
                }
                (Raw::List(list), Domain::Orthogonal(_), Some(s)) => {
                    format!("{name} = the reflections along the rows of {}", rows(list, s.columns, false, &mut shown))
                }
                (Raw::List(list), Domain::Matrix { .. }, Some(s)) => {
                    format!("{name} = {}", rows(list, s.columns, false, &mut shown))
                }
                (Raw::List(list), Domain::Symmetric(_), Some(s)) => {
                    format!("{name} = {}", rows(list, s.columns, true, &mut shown))
                }
                (Raw::List(list), ..) => format!("{name} {relation} ({})", joined(list, &mut shown)),
            }
        };
        let each: Vec<String> =
            self.declarations.variables.iter().zip(&self.values).enumerate().map(&mut one).collect();
        each.join(", ")
    }

    fn validate(&self) -> Result<(), String> {
        let declarations = &self.declarations;
        if self.values.len() != declarations.variables.len() {
            return Err(format!("{} values for {} variables", self.values.len(), declarations.variables.len()));
        }
        let wholes = wholes(&self.values);
        let shapes = declarations.shapes(&self.values)?;
        for ((variable, raw), shape) in declarations.variables.iter().zip(&self.values).zip(shapes) {
            let name = &variable.name;
            let inside = |range: &RealRange, x: f64| {
                if x.is_finite() && range.contains(x) { Ok(()) } else { Err(format!("{name} = {x} is not in {range}")) }
            };
            match (&variable.domain, raw) {
                (Domain::Whole { from, to }, Raw::Whole(n)) => {
                    let end = |size: &Option<Size>| {
                        let end = size.as_ref().map(|s| declarations.evaluated(s, &wholes)).transpose();
                        end.map_err(|t| format!("the range of {name}: {t}"))
                    };
                    if end(from)?.is_some_and(|from| *n < from) || end(to)?.is_some_and(|to| *n > to) {
                        return Err(format!("{name} = {n} is not in {}", variable.domain));
                    }
                }
                (Domain::Real(range), Raw::Real(x)) => inside(range, *x)?,
                (domain, Raw::List(list)) => {
                    let wanted = numbers(domain, shape);
                    if list.len() != wanted {
                        return Err(format!("{name} has {} numbers, not {wanted}", list.len()));
                    }
                    if let Some(x) = list.iter().find(|x| !x.is_finite()) {
                        return Err(format!("{name} has the entry {x}"));
                    }
                    match domain {
                        Domain::Vector { range, .. } | Domain::Matrix { range, .. } => {
                            list.iter().try_for_each(|&x| inside(range, x))?;
                        }
                        Domain::Simplex(_) | Domain::Stochastic { .. } => {
                            if let Some(x) = list.iter().find(|x| **x < 0.0) {
                                return Err(format!("{name} has the weight {x}"));
                            }
                            let length = if matches!(domain, Domain::Simplex(_)) { list.len() } else { shape.columns };
                            let mut totals = list.chunks(length).map(|row| row.iter().sum::<f64>());
                            if let Some(total) = totals.find(|total| !(*total > 0.0 && total.is_finite())) {
                                return Err(format!("the weights of {name} have the sum {total}"));
                            }
                        }
                        Domain::Sphere(_) if list.iter().all(|&x| x == 0.0) => {
                            return Err(format!("{name} has no direction"));
                        }
                        _ => {}
                    }
                }
                _ => return Err(format!("{name} has a value of another kind")),
            }
        }
        Ok(())
    }

    fn chart(&self) -> Chart<Self> {
        charted::chart(self)
    }

    fn with_size(&self, size: usize, value: u64) -> Option<Self> {
        charted::with_size(self, size, value)
    }

    fn simpler(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for (place, raw) in self.values.iter().enumerate() {
            let Raw::Whole(n) = *raw else { continue };
            let mut smaller: Vec<i64> = vec![0, 1, 2, n / 2, n - n.signum()];
            smaller.retain(|m| m.unsigned_abs() < n.unsigned_abs() || n < 0 && *m == -n);
            smaller.dedup();
            for to in smaller {
                found.extend(self.resized(place, to, false).map(projected));
                found.extend(self.resized(place, to, true).map(projected));
            }
        }
        found.extend(plainer(self));
        found
    }
}

fn shown(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if (1e-4..1e7).contains(&size) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// A number of one digit that is at least as large.
fn bound(x: f64) -> String {
    format!("{:.0e}", 1.5 * x)
}

/// A number that stands this often in a row is written once, and how often.
const OFTEN: usize = 6;

fn joined(list: &[f64], shown: &mut dyn FnMut(f64) -> String) -> String {
    let shown: Vec<String> = list.iter().map(|&x| shown(x)).collect();
    let run = |same: &[String]| match same.len() {
        n if n < OFTEN => same.join(", "),
        n => format!("{} ({n} times)", same[0]),
    };
    let runs: Vec<String> = shown.chunk_by(|a, b| a == b).map(run).collect();
    runs.join(", ")
}

/// "[[1, 2], [3, 4]]"; the rows of an upper triangle are shorter and shorter.
fn rows(list: &[f64], columns: usize, triangle: bool, shown: &mut dyn FnMut(f64) -> String) -> String {
    let mut rest = list;
    let mut text = Vec::new();
    let mut length = columns.max(1);
    while !rest.is_empty() {
        let (row, others) = rest.split_at(length.min(rest.len()));
        text.push(format!("[{}]", joined(row, shown)));
        rest = others;
        length = if triangle { (length - 1).max(1) } else { length };
    }
    let what = if triangle { "symmetric, upper triangle " } else { "" };
    format!("{what}[{}]", text.join(", "))
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_number_that_stands_often_in_a_row_is_written_once() {
        let told = |list: &[f64]| joined(list, &mut |x| x.to_string());
        assert_eq!(told(&[0.0, 0.0, 1.0]), "0, 0, 1");
        let mut long = vec![0.0; 99];
        long.push(1.0);
        assert_eq!(told(&long), "0 (99 times), 1");
    }
}
