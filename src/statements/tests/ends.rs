//! Ranges whose ends are left out, or are no doubles: a proof lies on the closed hull, and a point that fails there is an instance or nothing.

use contrapositive_statements::{AttemptOutcome, Options, Texts, attempt, is_violated, replay};

/// The first word of the answer; a status of two is a panic.
fn word(statement: &str, ranges: &str) -> &'static str {
    word_under(statement, ranges, "")
}

/// The same under conditions.
fn word_under(statement: &str, ranges: &str, given: &str) -> &'static str {
    match attempt(&Texts::of(statement).ranging(ranges).given(given), Options::default()) {
        Ok(found) => match found.outcome {
            AttemptOutcome::Refuted { .. } => "refuted",
            AttemptOutcome::Proved(_) => "proved",
            AttemptOutcome::Sampled(_) => "sampled",
            AttemptOutcome::Stands { .. } => "stands",
            AttemptOutcome::Vacuous => "vacuous",
        },
        Err(error) => panic!("{statement} for {ranges}: {error}"),
    }
}

#[test]
fn an_end_that_is_left_out_may_touch() {
    for (statement, ranges) in [
        ("sin x < x", "x > 0"),
        ("x < 1", "x in (0, 1)"),
        ("x > 0", "x in (0, 1]"),
        ("x*(1 - x) > 0", "x in (0, 1)"),
        ("log(1 + x) < x", "x > 0"),
        ("exp(x) > 1 + x", "x > 0"),
        ("cos(x) > 1 - x^2/2", "x in (0, 1]"),
        ("x^3 > 0", "x in (0, 1]"),
        ("sqrt(x) < 1", "x in [0, 1)"),
        ("x*y < 1", "x, y in (0, 1)"),
        ("x[1] + x[2] > 0", "x in (0, 1]^2"),
    ] {
        assert_eq!(word(statement, ranges), "proved", "{statement} for {ranges}");
    }
}

#[test]
fn an_end_that_is_no_double_is_met_in_closed_form() {
    for (statement, ranges) in [
        ("sin(x) >= 0", "x in [0, pi]"),
        ("10*x <= 3", "x in [0, 0.3]"),
        ("10*x < 3", "x in [0, 0.3)"),
        ("3*x <= 1", "x in [0, 1/3]"),
        ("x^2 <= 2", "x in [0, sqrt(2)]"),
        ("exp(x) <= 2", "x in [0, log(2)]"),
        ("cos(x) >= 0", "x in [-pi/2, pi/2]"),
        ("2x/pi <= sin x", "x in [0, pi/2]"),
        ("sin(x) < 1/2", "x in [0, pi/6)"),
        ("x^2*y <= 0.3", "x in [0, 1], y in [0, 0.3]"),
    ] {
        assert_eq!(word(statement, ranges), "proved", "{statement} for {ranges}");
    }
}

#[test]
fn what_fails_at_a_number_that_is_no_double_alone_falls() {
    for (statement, ranges, at) in [
        ("sin(x) > 0", "x in (0, pi]", "x = pi"),
        ("x < 1/3", "x in [0, 1/3]", "x = 1/3"),
        ("x < pi", "x in [0, pi]", "x = pi"),
        ("x^2 < 2", "x in [0, sqrt(2)]", "x = sqrt(2)"),
        ("sin(x) < 1", "x in R", "x = 1/2*pi"),
        ("sin(x) + cos(x) < sqrt(2)", "x in [0, 2]", "x = 1/4*pi"),
        ("x + 2/x > 2*sqrt(2)", "x > 0", "x = sqrt(2)"),
        ("log(x)/x < 1/e", "x > 0", "x = exp(1)"),
        ("exp(x) != 3", "x in [0, 2]", "x = log(3)"),
        ("floor(x/pi) <= 0", "x in [0, pi]", "x = pi"),
        ("10*x < 3", "x in [0, 0.3]", "x = 3/10"),
        ("3*x < 1", "x in [0, 1/3]", "x = 1/3"),
        ("exp(x) < 2", "x in [0, log(2)]", "x = log(2)"),
    ] {
        let texts = Texts::of(statement).ranging(ranges);
        let found = attempt(&texts, Options::default()).unwrap_or_else(|e| panic!("{statement} for {ranges}: {e}"));
        let AttemptOutcome::Refuted { refutation, .. } = found.outcome else {
            panic!("{statement} for {ranges} is not refuted")
        };
        assert_eq!(refutation.description, at, "{statement} for {ranges}");
        assert!(replay(&refutation, 1).is_ok_and(|again| is_violated(&again)), "{statement} for {ranges}");
    }
    // The number has to lie in the range, and to meet the conditions.
    for (statement, ranges) in
        [("sin(x) > 0", "x in (0, pi)"), ("x < 1/3", "x in [0, 1/3)"), ("sin(x) < 1", "x in [0, pi/2)")]
    {
        assert_eq!(word(statement, ranges), "proved", "{statement} for {ranges}");
    }
    let texts = Texts::of("x^2 != 2").ranging("x in [0, 2]").given("x^4 < 4");
    let found = attempt(&texts, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(!matches!(found.outcome, AttemptOutcome::Refuted { .. }), "sqrt(2) does not meet the condition");
}

#[test]
fn conditions_on_numbers_alone_are_decided_in_closed_form() {
    for (statement, given, refuted) in [
        ("sin(pi) > 0", "pi <= pi", true),
        ("sqrt(8) > 3", "sqrt(8) >= 2*sqrt(2)", true),
        ("sqrt(8) > 3", "sqrt(8) > 2*sqrt(2)", false),
    ] {
        let found = attempt(&Texts::of(statement).given(given), Options::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(matches!(found.outcome, AttemptOutcome::Refuted { .. }), refuted, "{statement} where {given}");
    }
}

#[test]
fn what_is_false_next_to_such_an_end_falls() {
    for (statement, ranges) in [
        ("x < 1", "x in [0, 1]"),
        ("10*x <= 2.9999999", "x in [0, 0.3]"),
        ("x > 1e-300", "x in (0, 1]"),
        ("sin(x) >= 1e-9", "x in [0, pi]"),
        ("x*(1 - x) > 1e-12", "x in (0, 1)"),
        ("x*y < 0.999999", "x, y in (0, 1)"),
    ] {
        assert_eq!(word(statement, ranges), "refuted", "{statement} for {ranges}");
    }
}

#[test]
fn an_end_at_which_no_value_is_known_refutes_nothing() {
    assert_ne!(word("1/x > 0", "x in (0, 1]"), "refuted");
}

#[test]
fn a_number_that_may_have_no_value_refutes_nothing() {
    for (statement, ranges, given) in [
        // Zero at n = 3, and enclosed with positive numbers.
        ("log(abs(0.1*n - 0.3)) >= -10", "n in 1..5", ""),
        ("1/(1 + log(abs(0.1*n - 0.3))^2) >= 0.01", "n in 1..5", ""),
        ("abs(n - 3) >= 1", "n in 1..5", "log(abs(0.1*n - 0.3)) < 0"),
        ("log1p(abs(0.1*n - 0.3) - 1) >= -10", "n in 1..5", ""),
        ("1/(1 + atanh(1 - abs(0.1*n - 0.3))) >= 0.1", "n in 1..5", ""),
        ("log(singular(outer(x, y))[2]) >= -10", "x, y in R^2", ""),
        // Ends that doubles do not tell apart.
        ("x > 1/2", "x in R", "x >= 0.5, x >= 0.5 + 1e-30"),
        ("x > 1/2", "x in [0.5, 1]", "x >= 0.5 + 1e-30"),
        ("x < 1/2", "x in R", "x <= 0.5, x <= 0.5 - 1e-30"),
        ("x^2 < 2", "x in [0, 1.4142135623730950488016887242096]", "x <= sqrt(2)"),
        ("x <= 1/2", "x in [0, 10^16 + 1/3 - 10^16]", "x <= 1"),
        ("x <= 1/2", "", "x >= 0, x <= 10^16 + 1/3 - 10^16, x <= 1"),
        ("x >= 1/2", "x >= 10^16 + 2/3 - 10^16", "x >= 0.1"),
        ("x <= 1/2 + 0*sqrt(1 - x)", "x in [0, 10^16 + 1/3 - 10^16]", ""),
        // A side of another link of the chain has no value.
        ("0 <= log(x^2 - y^2 - (x - y)*(x + y)) <= 3 <= z", "x, y in [1, 7], z in [0, 5]", ""),
        ("sqrt(cos(x)^2 + sin(x)^2 - 1 - 1e-100) <= x <= 0", "x in [1, 2]", ""),
        ("1/(sin(a)^2 + cos(a)^2 - 1) <= b <= 1", "a in [1, 2], b in [0, 2]", ""),
        ("sqrt(cos(1)^2 + sin(1)^2 - 1 - 1e-100) <= 4 <= 3", "", ""),
        // The ends leave out the one number at which it fails.
        ("max(3*x - 1, 1 - 3*x) > 0", "x in [x + 1 - 2*abs(sign(3*x - 1)), 1]", ""),
        ("exp(3*x) > 3*e*x", "x in [x + 1 - 2*abs(sign(3*x - 1)), 1]", ""),
    ] {
        assert_ne!(word_under(statement, ranges, given), "refuted", "{statement} for {ranges} where {given}");
    }
}
