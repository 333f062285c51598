//! False neighbours of true statements, none of which may be proved: a constant moved beyond the best, a strict sign where equality is attained, an
//! end of a range moved past a root. Drawn by a seed; `MUTANTS=500` draws so many.

use contrapositive_statements::{Settled, Texts, settled};
use enclosures::stream::stream;
use rand_core::Rng;

/// True with 0 in place of `@`, and false with every small positive number there: the sides touch, or come as close as one likes.
const TIGHT: &[(&str, &str, &str)] = &[
    // The best constant, attained inside.
    ("x + 1/x >= 2 + @", "x > 0", ""),
    ("log(x) <= x - 1 - @", "x > 0", ""),
    ("exp(x) >= (e + @)*x", "", ""),
    ("x*exp(-x) <= (1 - @)/e", "", ""),
    ("x*log(x) >= -1/e + @", "x > 0", ""),
    ("cos(x) + 1/cos(x) >= 2 + @", "x in [-1, 1]", ""),
    ("x^4 - 2*x^2 >= -1 + @", "", ""),
    ("x^3 - 3*x <= 2 - @", "x in [-2, 2]", ""),
    ("(x - 1/3)^2*exp(x) >= @", "", ""),
    ("exp(-x) <= (6/(e*x))^6 - @", "0 < x < 9", ""),
    ("sin(x) + cos(x) <= sqrt(2) - @", "", ""),
    ("x^x >= exp(-1/e) + @", "x > 0", ""),
    ("x^(1/x) <= exp(1/e) - @", "x > 0", ""),
    ("x*exp(-x^2) <= (1 - @)/sqrt(2*e)", "x >= 0", ""),
    ("x^4 - 2*sqrt(3)*x^2 + 3 >= @", "", ""),
    // Approached at an end, or beyond all bounds.
    ("8*x/(pi^2 - 4*x^2) <= (1 - @)*tan(x)", "x in (1, pi/2)", ""),
    ("x*cos(x) >= @", "x in (0, pi/2)", ""),
    ("sin(x) <= (1 - @)*x", "x >= 0", ""),
    ("sin(x)/x <= 1 - @", "x in (0, 3]", ""),
    ("log(1 + x) <= (1 - @)*x", "x >= 0", ""),
    ("atan(x) >= x - (1 - @)*x^3/3", "x in [0, 1]", ""),
    ("cosh(x) <= (1 - @)*(sinh(x)/x)^3", "x in (0, 4]", ""),
    ("1 - cos(x) >= (1/2 + @)*x^2 - x^4/24", "x in [0, 1]", ""),
    ("x*log(1 + 1/x) <= 1 - @", "x > 0", ""),
    ("sqrt(x + 1) - sqrt(x) >= @", "x > 0", ""),
    ("x*sin(1/x) <= 1 - @", "x > 1", ""),
    ("(x + 1/x)*atan(x) >= 1 + @", "x > 0", ""),
    ("sin(1/(x-1)) - 2*sin(1/x) + sin(1/(x+1)) >= @", "x > 2", ""),
    ("exp(-x) >= @", "x > 0", ""),
    // Of several numbers, and under conditions.
    ("x^2 + y^2 >= (2 + @)*x*y", "", ""),
    ("x*y <= (1/2 - @)", "", "x^2 + y^2 = 1"),
    ("(x + y + z)^2 <= 3 - @", "", "x^2 + y^2 + z^2 = 1"),
    ("x + y >= 2 + @", "x, y > 0", "x*y >= 1"),
    ("x*y*z <= 1/27 - @", "x, y, z > 0", "x + y + z = 1"),
    ("a/(b+c) + b/(c+a) + c/(a+b) >= 3/2 + @", "a, b, c > 0", ""),
    ("a*b*c/((1 + a)*(a + b)*(b + c)*(c + 16)) <= (1 - @)/81", "a, b, c > 0", ""),
    (
        "a^2*b*(a - b) + b^2*c*(b - c) + c^2*a*(c - a) >= @*a*b*c*(a + b + c)",
        "a, b, c > 0",
        "a + b > c, b + c > a, c + a > b",
    ),
    ("a + b > (1 + @)*c", "a, b, c > 0", "a + b > c, b + c > a, c + a > b"),
    ("(a - 1 + 1/b)*(b - 1 + 1/c)*(c - 1 + 1/a) <= 1 - @", "a, b, c > 0", "a*b*c = 1"),
    ("(log(y) - log(x))/(y - x) <= (1 - @)/sqrt(x*y)", "x, y > 0", "x < y"),
    ("exp(a) - exp(b) >= (1 + @)*(a - b)*exp((a + b)/2)", "", "a > b"),
    ("exp(x) + exp(y) >= (2 + @)*exp((x + y)/2)", "x, y in [-1, 1]", ""),
    ("x >= y + @", "", "x >= y"),
    ("exp(y) - exp(x) >= @", "x, y > 0", "y > x"),
    ("abs(x + y) >= abs(x) - abs(y) + @", "x, y in [-3, 3]", ""),
    ("max(x, y) >= (x + y)/2 + @", "x, y in [-3, 3]", ""),
    ("a1*a2 - b1*b2 >= @", "a1, a2 >= 0, b1, b2 in R", "a1*a1 + a2*a2 = b1*b1 + b2*b2 + 2, a1*b1 + a2*b2 = 0"),
    // An end of a range, or of a condition, past a root.
    ("sin(x) >= 0", "x in [0, pi + @]", ""),
    ("cos(x) >= 1/2", "x in [0, pi/3 + @]", ""),
    ("x^2 <= 2", "x in [-1, sqrt(2) + @]", ""),
    ("log(x) <= 0", "x in (0, 1 + @]", ""),
    ("asin(x) <= pi/6", "x in [0, 1/2 + @]", ""),
    ("x*(x - 1)*(x - 3) <= 0", "x in [1, 3 + @]", ""),
    ("sinh(x) >= x", "x in [-@, 2]", ""),
    ("x*y <= 1", "", "x^2 + y^2 <= 2 + @"),
    ("x + y >= 0", "", "x + y >= -@, x - y >= 0"),
    ("sqrt(x) + sqrt(y) <= 2", "x, y >= 0", "x + y <= 2 + @"),
];

/// False: equality is attained.
const STRICT: &[(&str, &str, &str)] = &[
    ("x + 1/x > 2", "x > 0", ""),
    ("log(x) < x - 1", "x > 0", ""),
    ("sin(x) < x", "x >= 0", ""),
    ("cosh(x)*x^3 < sinh(x)^3", "x in [0, 4]", ""),
    ("exp(-x) < (6/(e*x))^6", "0 < x < 9", ""),
    ("x^2 + y^2 > 2*x*y", "", ""),
    ("x*y < 1/2", "", "x^2 + y^2 = 1"),
    ("x > y", "", "x >= y"),
    ("abs(x - z) < abs(x - y) + abs(y - z)", "", ""),
    ("asin(pi*x*(1 - x)) < pi*x", "", "abs(pi*x*(1 - x)) <= 1"),
    ("x*log(x) > -1/e", "x > 0", ""),
    ("x + y > 2", "x, y > 0", "x*y >= 1"),
];

fn proof(statement: &str, ranges: &str, given: &str) -> Option<Settled> {
    settled(&Texts::of(statement).ranging(ranges).given(given), 1).ok()
}

/// How many are drawn.
fn count() -> usize {
    std::env::var("MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(TIGHT.len())
}

#[test]
fn a_constant_beyond_the_best_is_not_proved() {
    let mut stream = stream(7, &["mutants"]);
    for (statement, ranges, given) in TIGHT.iter().cycle().take(count()) {
        // From 1e-9 to 1e-6.
        let (digits, exponent) = (100 + stream.next_u64() % 900, 9 + stream.next_u64() % 3);
        let moved = |text: &str| text.replace('@', &format!("{digits}*10^-{exponent}"));
        let [statement, ranges, given] = [*statement, *ranges, *given].map(moved);
        let found = proof(&statement, &ranges, &given);
        assert!(found.is_none(), "{statement} for {ranges} where {given} is false, and proved: {found:?}");
    }
}

#[test]
fn a_strict_sign_where_equality_is_attained_is_not_proved() {
    for (statement, ranges, given) in STRICT {
        let found = proof(statement, ranges, given);
        assert!(found.is_none(), "{statement} for {ranges} where {given} is false, and proved: {found:?}");
    }
}

#[test]
fn most_of_what_the_mutants_are_made_of_is_proved() {
    let is_proved = |(statement, ranges, given): &(&str, &str, &str)| {
        let [statement, ranges, given] = [*statement, *ranges, *given].map(|text| text.replace('@', "0"));
        proof(&statement, &ranges, &given).is_some()
    };
    let left: Vec<&str> = TIGHT.iter().filter(|row| !is_proved(row)).map(|row| row.0).collect();
    assert!(left.len() <= TIGHT.len() / 4, "{} of {}: {left:#?}", left.len(), TIGHT.len());
}
