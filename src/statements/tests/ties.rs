//! Sides that doubles do not tell apart: equal, or not told apart at so many bits, or apart.

use contrapositive_statements::{Attempt, AttemptOutcome, Options, Texts, Tie, attempt, is_violated, replay};

fn tried(statement: &str, ranges: &str) -> Attempt {
    let texts = Texts::of(statement).ranging(ranges);
    attempt(&texts, Options::default()).unwrap_or_else(|e| panic!("{statement}: {e}"))
}

#[test]
fn what_is_false_by_less_than_doubles_tell_falls() {
    for (statement, ranges) in [
        ("1/3 <= 0.333333333333333333", ""),
        ("1/3 <= 0.33333333333333333333333333", ""),
        ("1 + 10^-20 <= 1", ""),
        ("1 + 1e-20 <= 1", ""),
        ("1 + 1e-400 <= 1", ""),
        ("10^16 = 10^16 + 1", ""),
        ("exp(-1000) <= 0", ""),
        ("1e-400 <= 0", ""),
        ("sqrt(2)*sqrt(3) > sqrt(6)", ""),
        ("0.1 + 0.2 < 0.3", ""),
        ("exp(pi*sqrt(163)) >= 262537412640768744", ""),
        ("sin(pi) > 0", ""),
        ("exp(1001) <= exp(1000)", ""),
        ("x + 1e-20 <= x", "x in [1, 2]"),
        ("x*(1 + 1e-20) = x", "x in [1, 2]"),
        ("sqrt(x) <= sqrt(x)*(1 - 1e-18)", "x >= 1"),
        ("exp(-x) <= 0", "x in [1000, 2000]"),
        ("norm(x)^2 + 1e-30 <= dot(x, x)", "x in [1, 2]^3"),
        ("sum(i in 1..n, i) = n*(n + 1)/2 + 1e-25", "n in 1..50"),
    ] {
        let found = tried(statement, ranges);
        let AttemptOutcome::Refuted { refutation, .. } = &found.outcome else { panic!("{found}") };
        assert!(replay(refutation, 7).is_ok_and(|trial| is_violated(&trial)), "{found}");
    }
}

#[test]
fn numbers_without_variables_are_decided() {
    for statement in [
        "1e-400 > 0",
        "log(exp(1000)) = 1000",
        "abs(sin(2^1000)) <= 1",
        "sin(2^1000) <= -0.15",
        "sqrt(2)*sqrt(3) = sqrt(6)",
        "sqrt(2) + sqrt(3) > 3.1462643699419723",
        "exp(pi*sqrt(163)) < 262537412640768744",
        "4*atan(1) = pi",
        "cos(pi/5) < 0.809016994374947424102293417182820",
        "0.333333333333333333 < 1/3",
        "sqrt(3 + 2*sqrt(2)) <= 1 + sqrt(2)",
        "exp(1000) < exp(1000) + 1",
        "1 + 1e-400 > 1",
        "2^1000 + 1 > 2^1000",
    ] {
        let found = tried(statement, "");
        assert!(matches!(found.outcome, AttemptOutcome::Proved(_)), "{found}");
    }
}

#[test]
fn what_is_left_says_how_far_it_was_looked() {
    // True, and in no closed form that is known here.
    for statement in ["cos(2*pi/7) + cos(4*pi/7) + cos(6*pi/7) = -1/2", "cos(pi/5) <= (1 + sqrt(5))/4"] {
        let found = tried(statement, "");
        assert!(matches!(found.outcome, AttemptOutcome::Stands { tie: Some(Tie::Alike(4096)), .. }), "{found}");
        assert!(found.to_string().contains("not told apart at 4096 bits"), "{found}");
    }
    for (statement, ranges) in [
        ("entropy(p)^2 <= log(n)*entropy(p)", "n in 1..8, p in simplex(n)"),
        ("tv(p, q)^2 <= 1 - exp(-kl(p, q))", "n in 2..4, p, q in simplex(n)"),
    ] {
        let found = tried(statement, ranges);
        assert!(matches!(found.outcome, AttemptOutcome::Stands { tie: Some(Tie::Equal), .. }), "{found}");
        assert!(found.to_string().contains("  equal     at") && found.to_string().contains("shown in closed form"));
    }
    let sides = "sqrt(2*x)*sqrt(3*x) = sqrt(6)*x = sqrt(6)*x + erf(x) - erf(x + 1e-30)";
    let found = tried(sides, "x in [1, 3]").to_string();
    assert!(found.contains("shown in closed form") && !found.contains("relation 2"), "{found}");
    let found = tried("x*y <= 0.51", "x, y in [0, 0.7]");
    assert!(!found.to_string().contains("  equal     at"), "{found}");
}

#[test]
fn what_is_true_stands() {
    for (statement, ranges) in [
        ("x - 1e-20 <= x", "x in [1, 2]"),
        ("sqrt(x)*(1 - 1e-18) <= sqrt(x)", "x >= 1"),
        ("exp(-x) > 0", "x in [1000, 2000]"),
        ("sin(x)^2 + cos(x)^2 = 1", ""),
        ("(x + y)^2 = x^2 + 2*x*y + y^2", ""),
        ("exp(x)*exp(-x) = 1", "x in [-1, 1]"),
        ("log(exp(x)) <= x", ""),
        ("tanh(x) < 1", ""),
        ("sin(x) < x", "x > 0"),
    ] {
        let found = tried(statement, ranges);
        assert!(!matches!(found.outcome, AttemptOutcome::Refuted { .. } | AttemptOutcome::Vacuous), "{found}");
    }
}
