//! Plainer assignments that meet the same equations: a number is made plain, and the others move to where the equations are met again.

use super::assignment::Assignment;
use super::projected::{projected, with_held};

/// Numbers that differ by less than this fraction are made equal on trial.
const ALIKE: f64 = 1e-3;

/// Of more numbers no single one is made plain.
const MANY: usize = 24;

/// Assignments with fewer digits in all, the boldest first; none where there are no equations.
pub(crate) fn plainer(assignment: &Assignment) -> Vec<Assignment> {
    if assignment.declarations.equations.is_empty() {
        return Vec::new();
    }
    let before = assignment.doubles();
    let mut found: Vec<Assignment> = Vec::new();
    for digits in 1..=3 {
        found.push(moved_to(assignment, before.iter().map(|x| rounded(*x, digits)).collect()));
    }
    found.push(moved_to(assignment, before.iter().map(|x| of_alike(&before, *x)).collect()));
    if before.len() <= MANY {
        for (place, &x) in before.iter().enumerate() {
            let mut held = vec![false; before.len()];
            held[place] = true;
            for plain in [0.0, x.signum(), rounded(x, 1), rounded(x, 2)] {
                let mut numbers = before.clone();
                numbers[place] = plain;
                let mut candidate = assignment.clone();
                candidate.set_doubles(&numbers);
                found.extend(with_held(&candidate, &held));
            }
        }
    }
    let cost = cost(&before);
    found.retain(|candidate| self::cost(&candidate.doubles()) < cost);
    found
}

fn moved_to(assignment: &Assignment, numbers: Vec<f64>) -> Assignment {
    let mut candidate = assignment.clone();
    candidate.set_doubles(&numbers);
    projected(candidate)
}

/// What it takes to read numbers: the digits of those that differ, and one for every number that is not zero.
fn cost(numbers: &[f64]) -> usize {
    let mut different: Vec<u64> = numbers.iter().map(|x| x.abs().to_bits()).collect();
    different.sort_unstable();
    different.dedup();
    let digits: usize = different.iter().map(|&bits| digits(f64::from_bits(bits))).sum();
    digits + numbers.iter().filter(|x| **x != 0.0).count()
}

/// Significant decimal digits; zero has none.
fn digits(x: f64) -> usize {
    if x == 0.0 {
        return 0;
    }
    let text = format!("{x:e}");
    let mantissa = text.split('e').next().unwrap_or_default();
    mantissa.chars().filter(char::is_ascii_digit).count()
}

fn rounded(x: f64, digits: usize) -> f64 {
    format!("{:.*e}", digits - 1, x).parse().unwrap_or(x)
}

/// The mean size of the numbers that are about as large as this one, with its sign.
fn of_alike(numbers: &[f64], x: f64) -> f64 {
    let alike = |y: &&f64| (y.abs() - x.abs()).abs() <= ALIKE * x.abs();
    let (count, total) =
        numbers.iter().filter(alike).fold((0.0, 0.0), |(count, total), y| (count + 1.0, total + y.abs()));
    if count > 1.0 { x.signum() * total / count } else { x }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use evidence::instance::Instance;

    use super::*;
    use crate::instances::assignment::Raw;
    use crate::instances::statement::{Statement, Texts};

    #[test]
    fn a_point_of_the_circle_becomes_a_plain_one() {
        let texts = Texts::of("0 <= 1").ranging("x, y in R").given("x^2 + y^2 = 1");
        let statement = Statement::read(&texts).unwrap();
        let own = Assignment {
            declarations: Arc::clone(&statement.declarations),
            values: vec![Raw::Real(0.61), Raw::Real(0.792_401_413_426_301_2)],
        };
        let found: Vec<String> = plainer(&own).iter().map(Assignment::describe).collect();
        assert!(found.iter().any(|text| text.starts_with("x = 0.6, y = 0.8")), "{found:?}");
        assert!(plainer(&own).iter().all(|a| a.located().is_some()));
    }
}
