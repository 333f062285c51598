//! Inequalities from textbooks, true and false, and what the documentation says of them.

use contrapositive_statements::{Attempt, AttemptOutcome, Options, Texts, attempt};

/// A statement, what its variables range over, and whether it is true.
const STATEMENTS: &[(&str, &str, bool)] = &[
    ("1 + x <= e^x", "", true),
    ("log x <= x - 1", "", true),
    ("log(1 + x) >= x/(1 + x)", "x > -1", true),
    ("sin x <= x", "x >= 0", true),
    ("cos x >= 1 - x^2/2", "", true),
    ("log(1 + t) >= t - t^2/2", "t >= 0", true),
    ("e^x >= 1 + x + x^2/2", "x >= 0", true),
    ("2x/pi <= sin x", "x in [0, pi/2]", true),
    ("(1 + x)^n >= 1 + n*x", "n in 1..20, x >= -1", true),
    ("x*y <= x^3/3 + 2*y^(3/2)/3", "x, y >= 0", true),
    ("cosh x <= exp(x^2/2)", "", true),
    ("softplus(x) <= relu(x) + log 2", "", true),
    ("dot(x, y)^2 <= dot(x, x)*dot(y, y)", "n in 1..8, x, y in R^n", true),
    ("‖x + y‖ <= ‖x‖ + ‖y‖", "n in 1..8, x, y in R^n", true),
    ("det(A) <= prod(i in 1..n, A[i, i])", "n in 1..4, A in psd(n)", true),
    ("entropy(p) <= log n", "n in 1..8, p in simplex(n)", true),
    ("log(n + 1) <= H(n) <= 1 + log n", "n in 1..60", true),
    ("sum(k in 0..n, binom(n, k)) = 2^n", "n in 0..40", true),
    ("(a^2 + b^2)*(c^2 + d^2) = (a*c - b*d)^2 + (a*d + b*c)^2", "", true),
    ("log(1 + exp(a)) <= log 2 + a/2", "", false),
    ("tanh x <= x - x^3/3", "x >= 0", false),
    ("e^x <= 1 + x + x^2", "x <= 2", false),
    ("binom(2n, n) >= 4^n/sqrt(2n)", "n in 1..40", false),
    ("‖x‖^2 <= ‖x‖*norm(x, inf)", "n in 1..8, x in R^n", false),
    ("eigmax(A + B) >= eigmax(A) + eigmax(B)", "A, B in sym(2)", false),
    ("kl(p, q) <= 4*tv(p, q)", "p, q in simplex(2)", false),
];

fn answer(attempt: &Attempt) -> String {
    match &attempt.outcome {
        AttemptOutcome::Refuted { refutation, comparison } => {
            let relation = comparison.relation;
            format!("**refuted** at {}: not {} {relation} {}", refutation.description, comparison.lhs, comparison.rhs)
        }
        AttemptOutcome::Proved(how) => format!("**proved**: {how}"),
        AttemptOutcome::Sampled(how) => format!("**sampled**: {how}"),
        AttemptOutcome::Stands { constants, .. } => {
            let told: Vec<String> = constants.iter().map(ToString::to_string).collect();
            let told = if told.is_empty() { String::new() } else { format!("; {}", told.join("; ")) };
            format!("**stands**{told}")
        }
        AttemptOutcome::Vacuous => "says nothing".into(),
    }
}

#[test]
fn the_documentation_shows_what_becomes_of_them() {
    let mut table = String::from("| statement | for | answer |\n|---|---|---|\n");
    for (statement, ranges, is_true) in STATEMENTS {
        let texts = Texts::of(statement).ranging(ranges);
        let attempt = attempt(&texts, Options::default()).unwrap_or_else(|e| panic!("{statement}: {e}"));
        let refuted = matches!(attempt.outcome, AttemptOutcome::Refuted { .. });
        assert_eq!(!refuted, *is_true, "{attempt}");
        assert!(!matches!(attempt.outcome, AttemptOutcome::Vacuous), "{attempt}");
        let cell = |s: &str| s.replace('|', "\\|");
        let ranges = if ranges.is_empty() { String::new() } else { format!("`{}`", cell(ranges)) };
        table += &format!("| `{}` | {ranges} | {} |\n", cell(statement), cell(&answer(&attempt)));
    }
    let page = include_str!("../../../docs/statements.md");
    assert!(page.contains(&table), "docs/statements.md does not hold this table:\n{table}");
}
