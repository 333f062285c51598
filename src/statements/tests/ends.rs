//! Ranges whose ends are left out, or are no doubles: a proof lies on the closed hull, and a point that fails there is an instance or nothing.

use contrapositive_statements::{AttemptOutcome, Options, Texts, attempt};

/// The first word of the answer; a status of two is a panic.
fn word(statement: &str, ranges: &str) -> &'static str {
    match attempt(&Texts::of(statement).ranging(ranges), Options::default()) {
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
fn what_fails_at_an_end_alone_is_not_proved() {
    // The end itself is no double, or no value is known at it: no instance and no proof.
    for (statement, ranges) in [
        ("sin(x) > 0", "x in [1, pi]"),
        ("10*x < 3", "x in [0, 0.3]"),
        ("3*x < 1", "x in [0, 1/3]"),
        ("x^2 < 2", "x in [0, sqrt(2)]"),
        ("exp(x) < 2", "x in [0, log(2)]"),
        ("1/x > 0", "x in (0, 1]"),
    ] {
        assert_ne!(word(statement, ranges), "refuted", "{statement} for {ranges}");
    }
    for (statement, ranges) in [("sin(x) > 0", "x in [1, pi]"), ("10*x < 3", "x in [0, 0.3]")] {
        assert_eq!(word(statement, ranges), "stands", "{statement} for {ranges}");
    }
}
