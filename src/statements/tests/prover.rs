//! What the methods that look at formulas prove, and that beside every statement whose sides touch they do not prove the one that is false
//! by a hair.

use contrapositive_statements::{Settled, Texts, settled};

/// Statement, ranges and conditions: the sides touch.
const TIGHT: &[(&str, &str, &str)] = &[
    ("x + 1/x >= 2", "x > 0", ""),
    ("x^4 + y^4 + z^4 + 1 - 4*x*y*z >= 0", "", ""),
    ("(x + y + z)^2 <= 3", "", "x^2 + y^2 + z^2 = 1"),
    ("x + y <= x^2 + y^2", "x, y >= 0", "x*y = 1"),
    ("b^2 >= 4*a*c", "", "a*x^2 + b*x + c = 0"),
    ("4*(a^3 + b^3) >= (a + b)^3", "a, b > 0", ""),
    ("(a + 2*b + 3*c)^2 <= 6*(a^2 + 2*b^2 + 3*c^2)", "a, b, c > 0", ""),
    ("(a + b - c)*(b + c - a)*(c + a - b) <= a*b*c", "a, b, c > 0", "a + b > c, b + c > a, c + a > b"),
    ("a^3/b^2 + b^3/c^2 + c^3/a^2 >= a^2/b + b^2/c + c^2/a", "a, b, c > 0", ""),
    ("x^3*y^3*(x^3 + y^3) <= 2", "x, y > 0", "x + y = 2"),
    ("abs(64*x^7 - 112*x^5 + 56*x^3 - 7*x) <= 1", "", "abs(x) <= 1"),
    ("abs(x - z) <= abs(x - y) + abs(y - z)", "", ""),
    ("sqrt(x*y) <= (x + y)/2", "x, y > 0", ""),
    ("exp(x) <= 1/(1 - x)", "x < 1", ""),
    ("log(x) <= (2*x^3 + 12*x^2 - 3*x - 11)/(6*x^2 + 15*x + 6)", "x > 0", ""),
    ("x >= y", "", "x >= y"),
    ("a + b + c >= 3", "a, b, c > 0", "a*b*c = 1"),
    ("sqrt(a) + sqrt(b) + sqrt(c) >= 3", "a, b, c > 0", "a*b*c = 1"),
    ("1/(1 + a + b) + 1/(1 + b + c) + 1/(1 + c + a) <= 1", "a, b, c > 0", "a*b*c = 1"),
    ("exp((x + y)/2) <= (exp(x) + exp(y))/2", "", ""),
    ("(x + y)/2*log((x + y)/2) <= (x*log(x) + y*log(y))/2", "x, y > 0", ""),
    ("sin((x + y)/2) >= (sin(x) + sin(y))/2", "x, y in [0, 3.14]", ""),
    ("(x^2 - 2)^2*(x^2 + 1) >= 0", "", ""),
    ("eigmin(A) <= trace(A)/2", "A in sym(2)", ""),
    ("norm(A) <= sqrt(2)*norm(A, 2)", "A in R^(2, 2)", ""),
    // At points that are no fractions, or next to such ends.
    ("sin(x) + cos(x) <= sqrt(2)", "", ""),
    ("2*sin(x) + sin(2*x) <= 3*sqrt(3)/2", "", ""),
    ("x^x >= exp(-1/e)", "x > 0", ""),
    ("x^(1/x) <= exp(1/e)", "x > 0", ""),
    ("x*exp(-x^2) <= 1/sqrt(2*e)", "x >= 0", ""),
    ("exp(-x)*sin(x) <= exp(-pi/4)/sqrt(2)", "x >= 0", ""),
    ("x^4 - 2*sqrt(3)*x^2 + 3 >= 0", "", ""),
    ("x^3 - 3*2^(2/3)*x + 4 >= 0", "x >= 0", ""),
    // At positive numbers that are not all equal, for the sides of a triangle, and for factors of one.
    ("a*b*c/((1 + a)*(a + b)*(b + c)*(c + 16)) <= 1/81", "a, b, c > 0", ""),
    ("a^2*b*(a - b) + b^2*c*(b - c) + c^2*a*(c - a) >= 0", "a, b, c > 0", "a + b > c, b + c > a, c + a > b"),
    ("(a - 1 + 1/b)*(b - 1 + 1/c)*(c - 1 + 1/a) <= 1", "a, b, c > 0", "a*b*c = 1"),
    // Along one variable, from another one or from where the slope vanishes.
    ("abs(sin(x) - sin(y)) <= abs(x - y)", "", ""),
    ("x^r*y^(1 - r) <= r*x + (1 - r)*y", "r in (0, 1), x, y > 0", ""),
    ("x*y <= x*log(x) - x + exp(y)", "x > 0, y in R", ""),
    // Sums of angles, roots of numbers, roots of higher order, rounded numbers, and other functions.
    ("sin(x)*sin(y) <= sin((x + y)/2)^2", "", ""),
    ("cos(u) + cos(v) + cos(w) <= 3/2", "u, v, w > 0", "u + v + w = pi"),
    ("x*y + y*z <= 1/sqrt(2)", "", "x^2 + y^2 + z^2 = 1"),
    ("(x + y)^(1/3) <= x^(1/3) + y^(1/3)", "x, y >= 0", ""),
    ("floor(x) + floor(y) <= floor(x + y)", "", ""),
    ("acosh(x) <= sqrt(x^2 - 1)", "x >= 1", ""),
    ("erf(x) <= 2*x/sqrt(pi)", "x >= 0", ""),
    ("erfc(x) <= exp(-x^2)", "x >= 0", ""),
];

/// The sides do not touch, but come as close as one likes.
const STRICT: &[(&str, &str, &str)] = &[
    ("1/(n + 1) < log(1 + 1/n)", "n >= 1", ""),
    ("log(1 + 1/x) < 1/sqrt(x^2 + x)", "x > 0", ""),
    ("(x + 1/x)*atan(x) > 1", "x > 0", ""),
    ("1/(1 - x) > 1/(1 - x^2)", "x in (0, 1)", ""),
    ("8*x/(pi^2 - 4*x^2) < tan(x)", "x in (0, pi/2)", ""),
    ("(sin(x)/x)^2 + tan(x)/x > 2", "x in (0, pi/2)", ""),
    // Of the ratio, or the difference, of two numbers alone.
    ("(log(y) - log(x))/(y - x) < 1/sqrt(x*y)", "x, y > 0", "x < y"),
    ("exp(a) - exp(b) > (a - b)*exp((a + b)/2)", "", "a > b"),
    ("x > y", "", "x > y"),
    ("sin(a)/a > sin(b)/b", "b < pi/2", "0 < a, a < b"),
    ("(1 + x/y)^y > exp(x*y/(x + y))", "x, y in (0, 10)", ""),
    ("acos(x) + asin(x) < 1.5707963268", "x in [-1, 1]", ""),
];

/// False at an end of the range that is no double, where a side is defined and a formula that equals it elsewhere is not.
const FALSE_AT_AN_END: &[(&str, &str, &str)] = &[
    ("kl([t - 1/3, 4/3 - t], [1/2, 1/2]) < log 2", "t in [1/3, 4/3]", ""),
    ("u > 1/3", "u in [1/3, 1]", "kl([u - 1/3, 4/3 - u], [1/2, 1/2]) <= 5"),
    ("y >= 0", "u in [1/3, 2], y in [-1, 1]", "sqrt((u - 1/3)^(2/3)*y) >= 0"),
    ("y >= 0", "u in [1/3, 2], y in [-1, 1]", "sqrt((u - 1/3)^2*y) >= 0"),
    ("entropy([u - 1/3, 4/3 - u]) > 0", "u in [1/3, 1]", ""),
];

/// False although the sides are equal on the diagonal, or a product is one.
const FALSE_BESIDE_A_CURVE: &[(&str, &str, &str)] = &[
    ("exp((x + y)/2) >= (exp(x) + exp(y))/2", "", ""),
    ("sin((x + y)/2) >= (sin(x) + sin(y))/2", "x, y in [0, 3.2]", ""),
    ("((x + y)/2)^3 <= (x^3 + y^3)/2", "x, y >= -1", ""),
    ("abs((x + y)/2 - 1) >= (abs(x - 1) + abs(y - 1))/2", "", ""),
    ("sqrt(((x + y)/2 - 1)^2) >= (sqrt((x - 1)^2) + sqrt((y - 1)^2))/2", "", ""),
    ("1/((x + y)/2)^2 <= (1/x^2 + 1/y^2)/2", "", ""),
    ("a + b + c <= a^2*b + 2", "a, b, c > 0", "a*b*c = 1"),
    ("a + b + c >= 3", "a, b, c in R", "a*b*c = 1"),
    ("a + b + d >= 3", "a, b, c, d > 0", "a*b*c = 1"),
    ("sin(a)/a > sin(b)/b", "b < 5", "0 < a, a < b"),
    ("sin(a)/a >= sin(b)/b", "a in (0, 3), b in (0, 3)", "a <= b + 1e-9"),
    ("abs(sin(x) - sin(y)) <= (1 - 1e-9)*abs(x - y)", "", ""),
    ("(1 + x)^r <= 1 + r*x", "r in [0, 1 + 1e-9], x > -1", ""),
    ("x^r*y^(1 - r) <= r*x + (1 - r)*y", "r in (0, 1 + 1e-9), x, y > 0", ""),
    ("x*y <= x*log(x) - x + (1 - 1e-9)*exp(y)", "x > 0, y in R", ""),
    ("x*y < x*log(x) - x + exp(y)", "x > 0, y in [-1, 1]", ""),
    ("u*(v - 1)^2 + v - 1 >= 0", "u in [0, 1], v in [0, 2]", ""),
    ("sin(x)*sin(y) <= (1 - 1e-9)*sin((x + y)/2)^2", "", ""),
    ("floor(x)/2 + floor(y)/2 <= floor((x + y)/2)", "", ""),
    ("floor(2*x) <= 2*floor(x) + 1 - 1e-9", "", ""),
    ("floor(x) + ceil(x) >= 2*x", "", ""),
    ("(x + y)^(1/3) <= x^(1/3) + (1 - 1e-9)*y^(1/3)", "x, y >= 0", ""),
    ("(x - y)^(1/3) >= x^(1/3) - (1 - 1e-9)*y^(1/3)", "x, y >= 0", "x >= y"),
    ("1 - erf(x) <= (1 - 1e-9)*exp(-x^2)", "x >= 0", ""),
    ("x*y + y*z <= 1/sqrt(2 + 1e-9)", "", "x^2 + y^2 + z^2 = 1"),
];

/// False at a point that no search finds, beside conditions that the exact methods do not follow: what is left of the statement is a number.
const FALSE_AT_A_HIDDEN_POINT: &[(&str, &str, &str)] = &[
    // A constant is no whole number.
    ("ceil((3*x - 1)^2) >= sqrt(2) - 1", "x in R", ""),
    ("ceil((3*x - 1)^2) >= log(2)", "x in R", ""),
    ("-n >= 0", "n in 0..", "cbrt(sin(n)^2) <= 2.5e-4"),
    ("k <= 0", "k in 0..", "floor(1/(1 + k*(k - 1234577)^2)) >= 1"),
    ("x <= 0", "x in [0, 1/2]", "min(x, abs(3*x - 1)) <= 0"),
    ("x <= 0", "x in [0, 1/2]", "x^x*x*(3*x - 1)^2 <= 0"),
    ("-x >= 0", "x in [0, 1]", "erf(x)*cbrt((cbrt(x) - 0.9)^2) <= 0"),
    ("t*exp(y) >= 0", "t <= 0, y in R", "cbrt(t)*(3*t + 1)^2 >= 0"),
    ("abs(x)*x >= 0", "x in [-5e-324, 1]", ""),
    ("-x^40 >= 0", "x in [0, 10^-400]", ""),
];

/// False where a base is negative and the exponent whole, or a sum has no terms: there the sides are defined.
const FALSE_WHERE_A_SIDE_IS_DEFINED_AFTER_ALL: &[(&str, &str, &str)] = &[
    ("x^(6/2) >= 0", "x in R", ""),
    ("x^(4/2) <= 1", "x in [-2, 1]", ""),
    ("x^(n/2) >= 0", "x in R, n in 2..6", ""),
    ("x^y >= 0", "x in [-2, 2], y in [3, 3]", ""),
    ("x + sum(i in 1..n, sqrt(x)) >= -5", "n in 0..0, x in R", ""),
    ("x + sum(i in 1..0, asin(x)) <= 1", "x in [-5, 5]", ""),
];

fn proof(statement: &str, ranges: &str, given: &str) -> Option<Settled> {
    settled(&Texts::of(statement).ranging(ranges).given(given), 1).ok()
}

/// The statement with a number taken off its larger side, and made strict.
fn mutants(statement: &str) -> Vec<String> {
    let relation = ["<=", ">=", "<", ">"].into_iter().find(|r| statement.contains(r)).expect("a relation");
    let (left, right) = statement.split_once(relation).expect("two sides");
    let strict = relation.trim_end_matches('=');
    let mut found = Vec::new();
    for share in ["1e-9", "1e-6", "1e-3"] {
        found.push(match strict {
            "<" => format!("{left} {relation} {right} - {share}"),
            _ => format!("{left} - {share} {relation} {right}"),
        });
    }
    if relation.ends_with('=') {
        found.push(format!("{left} {strict} {right}"));
    }
    found
}

#[test]
fn what_is_true_is_proved_and_can_be_checked_again() {
    for &(statement, ranges, given) in TIGHT.iter().chain(STRICT) {
        let found = proof(statement, ranges, given);
        assert!(found.is_some(), "{statement} for {ranges} where {given} is not proved");
        if let Some(found @ Settled::Argued(_)) = found {
            assert!(!found.lines().is_empty(), "{statement}: nothing to check");
        }
    }
}

#[test]
fn points_that_are_no_fractions_become_units_and_conditions_become_coordinates() {
    for (statement, ranges, given, by, line) in [
        ("x*exp(-x^2) <= 1/sqrt(2*e)", "x >= 0", "", "by monotonicity", "x*(sqrt(1/2)) in place of x"),
        ("sin(x) + cos(x) <= sqrt(2)", "", "", "by expansions", "one period, x from -pi to pi"),
        ("tan(x) > 8*x/(pi^2 - 4*x^2)", "x in (0, pi/2)", "", "by expansions", "x*(1/2*pi) in place of x"),
        ("x^x >= exp(-1/e)", "x > 0", "", "by monotonicity", "x*((1)/(exp(1))) in place of x"),
        ("a*b*c/((1 + a)*(a + b)*(b + c)*(c + 16)) <= 1/81", "a, b, c > 0", "", "by difference", "8*c in place of c"),
        ("(a - 1 + 1/b)*(b - 1 + 1/c)*(c - 1 + 1/a) <= 1", "a, b, c > 0", "a*b*c = 1", "by difference", "a = a/b"),
        (
            "(a + b - c)*(b + c - a)*(c + a - b) <= a*b*c",
            "a, b, c > 0",
            "a + b > c, b + c > a, c + a > b",
            "by difference",
            "in other variables",
        ),
    ] {
        let found = proof(statement, ranges, given).unwrap_or_else(|| panic!("{statement} is not proved"));
        let is_told = found.lines().iter().any(|told| told.contains(line));
        assert!(found.to_string().starts_with(by) && is_told, "{statement}: {found}, {:?}", found.lines());
    }
}

#[test]
fn what_is_false_by_a_hair_is_not_proved() {
    for &(statement, ranges, given) in TIGHT.iter().chain(STRICT) {
        for mutant in mutants(statement) {
            let found = proof(&mutant, ranges, given);
            assert!(found.is_none(), "{mutant} for {ranges} where {given} is false, and proved: {found:?}");
        }
    }
}

#[test]
fn what_is_false_at_an_end_that_is_no_double_is_not_proved() {
    for &(statement, ranges, given) in FALSE_AT_AN_END {
        let found = proof(statement, ranges, given);
        assert!(found.is_none(), "{statement} for {ranges} where {given} is false, and proved: {found:?}");
    }
}

#[test]
fn what_is_false_where_nobody_looks_is_not_proved() {
    for &(statement, ranges, given) in
        FALSE_AT_A_HIDDEN_POINT.iter().chain(FALSE_WHERE_A_SIDE_IS_DEFINED_AFTER_ALL).chain(FALSE_BESIDE_A_CURVE)
    {
        let found = proof(statement, ranges, given);
        assert!(found.is_none(), "{statement} for {ranges} where {given} is false, and proved: {found:?}");
    }
}

#[test]
fn a_formula_that_shares_its_parts_is_given_up_before_it_is_written_out() {
    assert!(proof("trace(A^40) >= -1", "A in sym(2)", "").is_none());
}

#[test]
fn a_certificate_is_an_identity() {
    let found = proof("x^4 - (2*y*z + 1)*x^2 + (y^2*z^2 + 2*y*z + 2) >= 0", "", "").expect("a proof");
    let line = found.lines().last().expect("a certificate").clone();
    let (left, right) = line.split_once(" = ").expect("an identity");
    // The same arithmetic that settles identities multiplies it out.
    let again = proof(&format!("{left} = {right}"), "", "");
    assert!(matches!(again, Some(Settled::Identity(_))), "{line}: {again:?}");
}
