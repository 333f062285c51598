//! The cases of ITF1788, the interval test framework for IEEE 1788 (`fixtures/itf1788`), for the operations that this library has.

use super::{Interval, ulps};

const CASES: &str = include_str!("../../../../fixtures/itf1788/cases.txt");

/// How much wider than the tightest interval a result may be, in doubles between the ends: an elementary function is widened by one unit on
/// either side, and one that is put together from others a little more.
fn allowed(operation: &str) -> u64 {
    match operation {
        "add" | "sub" | "mul" | "div" | "recip" | "neg" | "sqr" | "sqrt" | "abs" | "min" | "max" | "intersection"
        | "hull" => 2,
        "pown" => 64,
        _ => 4,
    }
}

/// What is expected of one case.
enum Expected {
    Empty,
    Number(f64),
    Range(Interval),
}

struct Case<'a> {
    text: &'a str,
    operation: &'a str,
    arguments: Vec<f64>,
    expected: Expected,
}

impl<'a> Case<'a> {
    fn read(text: &'a str) -> Self {
        let number = |word: &str| word.parse::<f64>().unwrap_or_else(|e| panic!("{text}: {word}: {e}"));
        let (left, right) = text.split_once(" = ").expect("a result");
        let (operation, arguments) = left.split_once(' ').expect("an argument");
        let expected = match right.split(' ').collect::<Vec<_>>()[..] {
            ["empty"] => Expected::Empty,
            [one] => Expected::Number(number(one)),
            [lo, hi] => Expected::Range(Interval::try_from([number(lo), number(hi)]).expect("an interval")),
            _ => panic!("{text}: not a result"),
        };
        Case { text, operation, arguments: arguments.split(' ').map(number).collect(), expected }
    }

    fn argument(&self, place: usize) -> Interval {
        let ends = [self.arguments[2 * place], self.arguments[2 * place + 1]];
        Interval::try_from(ends).unwrap_or_else(|e| panic!("{}: {e}", self.text))
    }

    /// What this library answers; none where the answer is a number, or where two intervals have no number in common.
    fn answer(&self) -> Option<Interval> {
        let x = self.argument(0);
        let y = || self.argument(1);
        Some(match self.operation {
            "neg" => -x,
            "add" => x + y(),
            "sub" => x - y(),
            "mul" => x * y(),
            "div" => x / y(),
            "recip" => Interval::ONE / x,
            "sqr" => x.square(),
            "sqrt" => x.sqrt(),
            "pown" => x.powi(self.arguments[2] as i64),
            "exp" => x.exp(),
            "log" => x.ln(),
            "log2" => x.log2(),
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tan" => x.tan(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "atan" => x.atan(),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "asinh" => x.asinh(),
            "acosh" => x.acosh(),
            "atanh" => x.atanh(),
            "abs" => x.abs(),
            "min" => x.min(y()),
            "max" => x.max(y()),
            "hull" => x.hull(y()),
            "intersection" => return x.intersection(y()),
            _ => return None,
        })
    }

    /// The number that this library answers with.
    fn number(&self) -> f64 {
        let x = self.argument(0);
        match self.operation {
            "mid" => x.midpoint(),
            "wid" => x.width(),
            "mag" => x.magnitude(),
            "mig" => x.mignitude(),
            other => panic!("{other} has no number for its result"),
        }
    }

    /// Whether the operation is defined on the whole argument, and a narrow answer promised. Where it is not, an end is at infinity here and not in
    /// the framework.
    fn is_defined(&self) -> bool {
        let x = self.argument(0);
        match self.operation {
            "div" => !self.argument(1).contains(0.0),
            "recip" => !x.contains(0.0),
            // The power may be beyond the doubles, and its inverse among them.
            "pown" => self.arguments[2] >= 0.0 || (!x.contains(0.0) && x.powi(-self.arguments[2] as i64).is_finite()),
            // Where a pole may lie inside, nothing is promised.
            "tan" => x.tan() != Interval::ENTIRE,
            "sqrt" => x.lo() >= 0.0,
            "log" | "log2" => x.lo() > 0.0,
            "asin" | "acos" => -1.0 <= x.lo() && x.hi() <= 1.0,
            "acosh" => x.lo() >= 1.0,
            "atanh" => -1.0 < x.lo() && x.hi() < 1.0,
            _ => true,
        }
    }
}

#[test]
fn every_expected_value_lies_inside_and_little_else() {
    let (mut tried, mut tight) = (0, 0);
    let mut wide = Vec::new();
    for case in CASES.lines().map(Case::read) {
        tried += 1;
        match case.expected {
            // Nothing is promised of an operation that is nowhere defined; two intervals without a number in common have no intersection.
            Expected::Empty => assert!(case.operation != "intersection" || case.answer().is_none(), "{}", case.text),
            Expected::Number(expected) => {
                let found = case.number();
                let is_right = if case.operation == "mid" {
                    // The framework names one number for intervals without an end, and rounds its halves once; here any number inside will do.
                    let near = (found - expected).abs() <= f64::MIN_POSITIVE;
                    case.argument(0).contains(found) && (near || !case.argument(0).is_finite())
                } else {
                    found == expected
                };
                assert!(is_right, "{}: {found}", case.text);
            }
            Expected::Range(expected) => {
                let found = case.answer().expect("an interval");
                assert!(found.lo() <= expected.lo() && expected.hi() <= found.hi(), "{}: {found:?}", case.text);
                if case.is_defined() {
                    tight += 1;
                    let ends = [(found.lo(), expected.lo()), (expected.hi(), found.hi())];
                    let beyond = ends.map(|(a, b)| if a == b { 0 } else { ulps(Interval::new(a, b)) });
                    if beyond.iter().any(|&doubles| doubles > allowed(case.operation)) {
                        wide.push(format!("{}: {found:?}", case.text));
                    }
                }
            }
        }
    }
    assert!(wide.is_empty(), "{} too wide:\n{}", wide.len(), wide.join("\n"));
    assert!(tried > 1000 && tight > 500, "{tried} tried, {tight} of them for width");
}
