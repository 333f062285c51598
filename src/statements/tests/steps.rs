//! Functions with steps, remainders, divisors, roots of negative numbers, the error function; and how others write products and transposes.

use contrapositive_statements::{AttemptOutcome, Options, Statement, Texts, attempt};

fn told(statement: &str, ranges: &str, conditions: &str) -> &'static str {
    let texts = Texts::of(statement).ranging(ranges).given(conditions);
    match attempt(&texts, Options::default()) {
        Ok(found) => match found.outcome {
            AttemptOutcome::Refuted { .. } => "refuted",
            AttemptOutcome::Proved(_) | AttemptOutcome::Sampled(_) => "proved",
            AttemptOutcome::Stands { .. } => "stands",
            AttemptOutcome::Vacuous => "vacuous",
        },
        Err(error) => panic!("{texts:?}: {error}"),
    }
}

#[test]
fn what_is_false_of_steps_and_remainders_falls() {
    for (statement, ranges, conditions) in [
        ("floor(x + y) <= floor(x) + floor(y)", "", ""),
        ("floor(2x) = 2*floor(x)", "x in [0, 3]", ""),
        ("ceil(x) - floor(x) >= 1", "x in [-2, 2]", ""),
        ("sign(x*y) >= sign(x) + sign(y)", "", ""),
        ("cbrt(x + y) <= cbrt(x) + cbrt(y) - 1/100", "x, y >= 0", ""),
        ("cbrt(x) >= -10", "x in [-2000, 0]", ""),
        ("erf(x) <= 1.128*x", "x in [0, 1]", ""),
        ("gcd(a, b) <= 6", "a, b in 1..40", "a < b"),
        ("gcd(n^2 + 1, n + 1) = 1", "n in 1..30", ""),
        ("n^2 % 4 <= 0", "n in 1..30", ""),
        ("n^2 % 8 <= 1", "n in 1..30", ""),
        ("sum(i in 1..n, x[i]*x[i % n + 1]) >= 0", "x in R^n, n in 3..5", ""),
    ] {
        assert_eq!(told(statement, ranges, conditions), "refuted", "{statement}");
    }
}

#[test]
fn what_is_true_of_steps_and_remainders_does_not() {
    for (statement, ranges) in [
        ("floor(x) <= x < floor(x) + 1", ""),
        ("floor(x + y) >= floor(x) + floor(y)", ""),
        ("ceil(x) >= x", ""),
        ("sign(x)*x >= 0", ""),
        ("cbrt(x)^3 <= x + 1e-6", "x in [-2, 2]"),
        ("cbrt(x + y) <= cbrt(x) + cbrt(y) + 1e-9", "x, y >= 0"),
        ("erf(x) <= 1.1284*x", "x in [0, 1]"),
        ("-1 <= erf(x) <= 1", ""),
        ("gcd(a, b)*gcd(a, b) <= a*b", "a, b in 1..40"),
        ("n^2 % 4 <= 1", "n in 1..50"),
        ("sum(i in 1..n, x[i]*x[i % n + 1]) <= sum(i in 1..n, x[i]^2)", "x in R^n, n in 3..5"),
        ("floor(n/2) + ceil(n/2) = n", "n in 1..40"),
        ("(a*b) % 7 = ((a % 7)*(b % 7)) % 7", "a, b in 1..20"),
    ] {
        assert_ne!(told(statement, ranges, ""), "refuted", "{statement}");
    }
}

#[test]
fn a_step_meets_no_equation_by_jumping_over_it() {
    assert_eq!(told("x <= 0", "x in [-5, 5]", "floor(x) = 3/2"), "vacuous");
    assert_eq!(told("x <= 0", "x in [-5, 5]", "sign(x) = x/10"), "stands");
}

#[test]
fn products_of_bars_and_transposes_are_read() {
    let sides = |statement: &str, ranges: &str| {
        Statement::read(&Texts::of(statement).ranging(ranges)).unwrap_or_else(|e| panic!("{statement}: {e}"))
    };
    for (one, other, ranges) in [
        ("2|x||y| <= x^2 + y^2", "2*|x|*|y| <= x^2 + y^2", ""),
        ("|x||y||z| <= 1", "|x|*|y|*|z| <= 1", ""),
        ("|x - |y|| <= |x| + |y|", "|(x - |y|)| <= |x| + |y|", ""),
        ("|(x)||y| <= 3|x||y|", "|x|*|y| <= 3*|x|*|y|", ""),
        ("-|x||y| <= 0", "-(|x|*|y|) <= 0", ""),
        ("trace(A^T*A) >= 0", "trace(A'*A) >= 0", "A in R^(2, 2)"),
        ("trace(A^\\top*A) >= 0", "trace(A'*A) >= 0", "A in R^(2, 2)"),
        ("norm(A^T) <= 1", "norm(A') <= 1", "A in R^(2, 3)"),
    ] {
        let words = |s: &Statement| format!("{:?}", bare(&format!("{:?}", s.chain.sides)));
        assert_eq!(words(&sides(one, ranges)), words(&sides(other, ranges)), "{one}");
    }
    // A letter that names something is an exponent.
    assert!(Statement::read(&Texts::of("x^T >= 0").ranging("x in [1, 2], T in [0, 1]")).is_ok());
}

/// Without the places in the text, which differ.
fn bare(told: &str) -> String {
    told.split("span: ").map(|part| part.split_once([',', ' ']).map_or(part, |(_, rest)| rest)).collect()
}
