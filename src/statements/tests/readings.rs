//! What is read other than it may have been meant is not read.

use contrapositive_statements::{Options, Statement, Texts, attempt};

/// What is said of a text that is refused.
fn said(statement: &str, ranges: &str, conditions: &str) -> String {
    match Statement::typed(&Texts::of(statement).ranging(ranges).given(conditions)) {
        Ok(read) => panic!("{statement} is read, over {}", read.declarations),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn names_by_which_something_else_may_be_meant_are_refused_with_it() {
    for (statement, ranges, conditions, meant) in [
        // Products of names that stand elsewhere, declared or not.
        ("2xy <= x^2 + y^2", "", "", "`x*y`"),
        ("xy <= 1", "x, y in [0, 1]", "", "`x*y`"),
        ("a*b + bc <= a + b + c", "", "", "`b*c`"),
        ("x^2 + xx >= 0", "", "", "`x*x`"),
        ("x + y <= 2", "x, y in [0, 1]", "xy >= 1", "`x*y`"),
        ("nx <= sum(i in 1..n, x)", "n in 1..5, x in R", "", "`n*x`"),
        // Entries of vectors.
        ("x_1 + x_2 <= x_1^2", "x in R^2", "", "`x[1]`"),
        ("sum(i in 1..n, x_i) <= n", "x in R^n, n in 1..5", "", "`x[i]`"),
        ("sum(i in 1..3, x_i^2) >= 0", "", "", "`x[i]`"),
        ("x1 + x2 <= 3", "x in R^2", "", "`x[1]`"),
        ("x₁ <= norm(x)", "x in R^2", "", "`x[1]`"),
        ("E(i ~ p, v_i) <= 1", "p in simplex(3)", "", "`v[i]`"),
        // Another case, a slip of the finger.
        ("X <= 2*x", "x > 0", "", "`x`"),
        ("alhpa <= 2*alpha", "alpha > 0", "", "`alpha`"),
    ] {
        let told = said(statement, ranges, conditions);
        assert!(told.contains("is not declared") && told.contains(meant), "{statement}: {told}");
    }
}

#[test]
fn what_is_declared_is_used() {
    for (statement, ranges, unused) in [
        ("y <= 1", "x in R", "`x`"),
        ("norm(x) >= 0", "x, y in R^3", "`y`"),
        ("norm(x) >= 0", "x in R^3, n in 1..8", "`n`"),
        ("1 <= 2", "x in R", "`x`"),
        ("sum(i in 1..3, i) = 6", "i in 1..3", "`i`"),
        ("det(A) >= 0", "A in psd(2), B in sym(2)", "`B`"),
    ] {
        let told = said(statement, ranges, "");
        assert!(told.contains("is declared") && told.contains(unused), "{statement}: {told}");
    }
}

#[test]
fn what_has_one_reading_is_read_and_the_names_are_said() {
    for (statement, ranges, conditions, first) in [
        ("x^2 >= 0", "", "", "(x taken as a real number)"),
        ("x_1^2 + x_2^2 >= 0", "", "", "(x_1, x_2 taken as real numbers)"),
        ("xy^2 >= 0", "", "", "(xy taken as a real number)"),
        ("x^2 + z^2 >= 0", "x in R", "", "(z taken as a real number)"),
        ("norm(x) >= 0", "x in R^n, n in 1..3", "", "norm(x) >= 0"),
        ("sum(x) <= 9", "x in [0, 1]^n, n in 1..8", "n <= 8", "sum(x) <= 9"),
        ("x + xy >= 0", "x, y, xy in [0, 1]", "y <= 1", "x + xy >= 0"),
        ("x <= 1", "x, y in [0, 1]", "y <= x", "x <= 1"),
        ("1 <= 2", "", "", "1 <= 2"),
    ] {
        let texts = Texts::of(statement).ranging(ranges).given(conditions);
        let shown = attempt(&texts, Options::default()).unwrap_or_else(|e| panic!("{statement}: {e}")).to_string();
        assert!(shown.lines().next().is_some_and(|line| line.ends_with(first)), "{shown}");
    }
}
