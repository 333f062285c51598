//! How the statements of both lists are drafted: the type of their instances, and the boxes these are drawn from.

use crate::instances::{Matrix, Mixed, Number, Pair, Point, TwoLaws, TwoWhole, Weights, Whole, square};
use crate::statement::{Class, Condition, Draft, cube};

/// A statement about one number drawn from a range.
pub fn of_number(
    class: Class,
    name: &'static str,
    words: &'static str,
    range: (f64, f64),
    hypothesis: Condition<Number>,
    constants: (f64, f64),
) -> Draft<Number> {
    Draft { class, name, words, ranges: vec![range], from: |x| Number { x: x[0] }, hypothesis, constants }
}

/// A statement about a vector drawn from a cube.
pub fn of_point(
    class: Class,
    name: &'static str,
    words: &'static str,
    (dimension, low, high): (usize, f64, f64),
    hypothesis: Condition<Point>,
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

/// A statement about two numbers drawn from one range.
pub fn of_pair(
    class: Class,
    name: &'static str,
    words: &'static str,
    range: (f64, f64),
    hypothesis: Condition<Pair>,
    constants: (f64, f64),
) -> Draft<Pair> {
    Draft { class, name, words, ranges: vec![range; 2], from: |x| Pair { x: x[0], y: x[1] }, hypothesis, constants }
}

/// A statement about a whole number.
pub fn of_whole(
    name: &'static str,
    words: &'static str,
    range: (f64, f64),
    hypothesis: Condition<Whole>,
    constants: (f64, f64),
) -> Draft<Whole> {
    Draft {
        class: Class::Integer,
        name,
        words,
        ranges: vec![range],
        from: |x| Whole { n: x[0] as u64 },
        hypothesis,
        constants,
    }
}

/// A statement about two whole numbers.
pub fn of_two(
    name: &'static str,
    words: &'static str,
    ranges: [(f64, f64); 2],
    hypothesis: Condition<TwoWhole>,
    constants: (f64, f64),
) -> Draft<TwoWhole> {
    Draft {
        class: Class::Integer,
        name,
        words,
        ranges: ranges.to_vec(),
        from: |x| TwoWhole { n: x[0] as u64, k: x[1] as u64 },
        hypothesis,
        constants,
    }
}

/// A statement about a whole number and a real one.
pub fn of_mixed(
    name: &'static str,
    words: &'static str,
    ranges: [(f64, f64); 2],
    hypothesis: Condition<Mixed>,
    constants: (f64, f64),
) -> Draft<Mixed> {
    Draft {
        class: Class::Mixed,
        name,
        words,
        ranges: ranges.to_vec(),
        from: |x| Mixed { n: x[0] as u64, x: x[1] },
        hypothesis,
        constants,
    }
}

/// A statement about a square matrix with entries between −3 and 3.
pub fn of_matrix(name: &'static str, words: &'static str, size: usize, constants: (f64, f64)) -> Draft<Matrix> {
    Draft {
        class: Class::Matrix,
        name,
        words,
        ranges: cube(size * size, -3.0, 3.0),
        from: |x| Matrix { rows: square(x) },
        hypothesis: None,
        constants,
    }
}

/// A statement about the weights of a law.
pub fn of_weights(name: &'static str, words: &'static str, n: usize, constants: (f64, f64)) -> Draft<Weights> {
    Draft {
        class: Class::Probability,
        name,
        words,
        ranges: cube(n, 0.0, 1.0),
        from: |w| Weights { w: w.to_vec() },
        hypothesis: None,
        constants,
    }
}

/// A statement about the weights of two laws.
pub fn of_two_laws(name: &'static str, words: &'static str, n: usize, constants: (f64, f64)) -> Draft<TwoLaws> {
    Draft {
        class: Class::Probability,
        name,
        words,
        ranges: cube(2 * n, 0.0, 1.0),
        from: |w| TwoLaws { p: w[..w.len() / 2].to_vec(), q: w[w.len() / 2..].to_vec() },
        hypothesis: None,
        constants,
    }
}
