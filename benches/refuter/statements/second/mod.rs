//! A second list, written after the search had been tuned on the first and measured before anything was changed for it: at the standard
//! budget 394 of 425 runs refuted (five seeds each, 76 of 85 statements from every seed), no true twin. It is frozen too: a statement may
//! be added, none is changed or taken away because a search finds it or does not.

mod discrete;
mod ends;
mod landscapes;
mod structured;

use crate::instances::{Number, Point};
use crate::statement::{Class, Draft, Hypothesis, Statement, cube};

/// A statement about one number drawn from a range.
fn of_number(
    class: Class,
    name: &'static str,
    words: &'static str,
    range: (f64, f64),
    hypothesis: Hypothesis<Number>,
    constants: (f64, f64),
) -> Draft<Number> {
    Draft {
        class,
        name,
        words,
        ranges: vec![range],
        from: |x| Number { x: x[0] },
        hypothesis,
        constants,
    }
}

/// A statement about a vector drawn from a cube.
fn of_point(
    class: Class,
    name: &'static str,
    words: &'static str,
    (dimension, low, high): (usize, f64, f64),
    hypothesis: Hypothesis<Point>,
    constants: (f64, f64),
) -> Draft<Point> {
    Draft {
        class,
        name,
        words,
        ranges: cube(dimension, low, high),
        from: |x| Point { x: x.to_vec() },
        hypothesis,
        constants,
    }
}

/// Every statement of the list, by class.
pub fn all() -> Vec<Statement> {
    let lists = [landscapes::all(), ends::all(), discrete::all(), structured::all()];
    let mut statements: Vec<Statement> = lists.into_iter().flatten().collect();
    statements.sort_by_key(|s| s.class);
    statements
}
