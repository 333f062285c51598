//! Beside a closest instance that is degenerate stands the closest that is not.

use contrapositive_statements::{AttemptOutcome, Options, Texts, attempt};

/// The descriptions of the closest instance, and of the closest that is not degenerate, where that is shown.
fn closest(statement: &str, ranges: &str) -> (String, Option<String>) {
    let found = attempt(&Texts::of(statement).ranging(ranges), Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let shown = found.to_string();
    let AttemptOutcome::Stands { tightest: Some(tightest), generic, .. } = found.outcome else { panic!("{shown}") };
    assert_eq!(shown.contains("  away "), generic.is_some(), "{shown}");
    (tightest.description, generic.map(|g| g.description))
}

#[test]
fn a_degenerate_instance_is_not_shown_alone() {
    for (statement, ranges) in [
        ("norm(A, 2) <= norm(A, F)", "A in R^(2, 3)"),
        ("entropy(p)^2 <= log(n)*entropy(p)", "n in 1..8, p in simplex(n)"),
        ("tv(p, q)^2 <= 1 - exp(-kl(p, q))", "p, q in simplex(3)"),
    ] {
        let (first, second) = closest(statement, ranges);
        let second = second.unwrap_or_else(|| panic!("{statement}: {first} alone"));
        let numbers = second.split(|c: char| "(), []=∝".contains(c));
        assert!(!numbers.clone().any(|word| word == "0"), "{statement}: {second}");
        assert!(!second.contains("n = 1,") && first != second, "{statement}: {second}");
    }
}

#[test]
fn an_instance_that_is_not_degenerate_is_shown_alone() {
    let (first, second) = closest("norm(A, 2) <= 2*norm(A, F) + 1/2", "A in [1, 2]^(2, 3)");
    assert_eq!(second, None, "{first}");
}
