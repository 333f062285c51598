//! The parser neither panics nor hangs, whatever it is given; what it refuses, it points at.

use std::path::Path;
use std::sync::LazyLock;

use contrapositive_statements::{Statement, Texts, catalogue, parse};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Pieces of the language, so that random texts come close to being readable.
const PIECES: &[&str] = &[
    "x", "y", "n", "A", "1", "2.5", "1e3", "(", ")", "[", "]", "|", "‖", "+", "-", "*", "/", "^", "²", "'", "ᵀ", "<=",
    "<", "=", "≥", ",", ";", " ", "in", "∈", "..", "R", "R^n", "simplex(n)", "log ", "exp(", "sum(i in 1..n, ", "x[i]",
    "E(i ~ p, ", "let s = ", "=>", " or ", " and ", "!=", "stochastic(2)", "inv(", "√", "π", "inf", "norm(", "{", "}",
    "×", "~", "\u{0}", "é", "∑", ".", "e", "_",
];

fn read_or_refused(text: &str) -> Result<(), TestCaseError> {
    for texts in [Texts::of(text), Texts::of("x <= x").ranging(text), Texts::of("x <= x").given(text)] {
        if let Err(fault) = Statement::read(&texts) {
            prop_assert!(!fault.rendered().is_empty());
            prop_assert!(fault.text.get(fault.span.clone()).is_some(), "{fault:?}");
        }
    }
    Ok(())
}

/// As many inputs as `PROPTEST_CASES` says, every time others, or a number that a test run bears, always the same.
fn inputs() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 3000;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

/// The files of examples, by whose text damage begins.
fn examples() -> &'static [Vec<char>] {
    static TEXTS: LazyLock<Vec<Vec<char>>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/statements");
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .expect("the examples")
            .map(|entry| entry.expect("an example").path())
            .filter(|path| path.extension().is_some_and(|e| e == "toml"))
            .collect();
        paths.sort();
        let text = |path| std::fs::read_to_string(path).expect("readable").chars().collect();
        paths.iter().map(text).collect()
    });
    &TEXTS
}

proptest! {
    #![proptest_config(inputs())]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read_or_refused(&text)?;
    }

    #[test]
    fn pieces_of_the_language_are_read_or_refused(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        read_or_refused(&pieces.concat())?;
    }

    #[test]
    fn damaged_files_of_statements_are_read_or_refused(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((0.0..1.0f64, 0usize..40, prop::sample::select(PIECES)), 1..5),
    ) {
        let mut text = file.get(examples()).clone();
        for (place, removed, piece) in changes {
            let at = ((place * text.len() as f64) as usize).min(text.len());
            let end = (at + removed).min(text.len());
            text.splice(at..end, piece.chars());
        }
        let text: String = text.into_iter().collect();
        match catalogue::read(&text, Path::new("damaged.toml"), 1) {
            Ok(read) => prop_assert!(read.claims.len() == read.register.papers[0].entries.len()),
            Err(refused) => prop_assert!(refused.to_string().starts_with("damaged.toml"), "{refused}"),
        }
    }
}

#[test]
fn deep_and_long_texts_are_refused_before_they_are_read() {
    for piece in
        ["(", "[", "|", "-", "√", "2^", "log ", "f(", "x[", "sum(i in 1..", "x = ", "((1+", "‖", "2(", "log log "]
    {
        for count in [30, 100, 300, 1_000] {
            let text = format!("{}1 <= 2", piece.repeat(count));
            assert!(read_or_refused(&text).is_ok(), "{piece} × {count}");
        }
    }
    let long = format!("{}1 <= 2", "1 + ".repeat(2_000));
    assert!(parse::statement(&long).is_err_and(|f| f.to_string().contains("characters")));
}

#[test]
fn nesting_has_a_limit_whatever_nests() {
    for (piece, end) in [
        ("(", ")"),
        ("[", "]"),
        ("|1+", "|"),
        ("2‖1+", "‖"),
        ("√", ""),
        ("2^-", ""),
        ("2**", ""),
        ("f ", ""),
        ("∞", ""),
        ("f f(", ")"),
        ("x[i, ", "]"),
        ("f(i in 1..", ")"),
    ] {
        let nested = |count| parse::formula(&format!("{}1{}", piece.repeat(count), end.repeat(count)));
        assert!(nested(60).is_ok() || piece.starts_with("f(i"), "{piece}");
        let fault = nested(300).expect_err(piece);
        assert_eq!(fault.to_string(), "nested more than 128 deep", "{piece}");
        let before = &fault.text[..fault.span.start];
        assert!((before.len() / piece.len()).abs_diff(96) <= 35, "{piece}: {}", before.len());
    }
    // What stands side by side is not nested.
    let squares = vec!["x^2"; 600].join(" + ");
    assert!(parse::formula(&squares).is_ok());
}

#[test]
fn a_name_with_a_raised_t_is_transposed() {
    let read = |text: &str| format!("{:?}", parse::formula(text).map(|e| e.node));
    for text in ["Aᵀ", "A ᵀ", "(A)ᵀ"] {
        assert!(read(text).starts_with("Ok(Transposed"), "{text}: {}", read(text));
    }
    assert!(read("1 + ᵀ").starts_with("Err"));
    assert!(Statement::read(&Texts::of("trace(Aᵀ) = trace(A)").ranging("A in R^(2, 2)")).is_ok());
}

#[test]
fn a_number_before_a_bar_is_a_coefficient_where_a_bar_can_open() {
    let read = |text: &str| format!("{:?}", parse::formula(text).map(|e| e.node));
    assert!(read("2|x|").starts_with("Ok(Binary(Multiply"));
    assert!(read("|2|").starts_with("Ok(Absolute"));
    assert!(read("|2| + |3|").starts_with("Ok(Binary(Add"));
    assert!(read("|2|x||").starts_with("Ok(Absolute"));
    // Every one of these bars may open as long as the rest has not been read; that is found out once for each of them, not once for each two.
    let terms = vec!["|2|"; 60].join("+");
    assert!(read(&terms).starts_with("Ok(Binary(Add"));
}

/// The message and the marked text of a refusal.
fn refused(texts: &Texts) -> (String, String) {
    match Statement::read(texts) {
        Ok(_) => panic!("{texts:?} was read"),
        Err(fault) => (fault.to_string(), fault.text[fault.span.clone()].to_owned()),
    }
}

#[test]
fn refusals_point_at_the_place_and_say_what_was_expected() {
    let cases = [
        ("log(1 + x <= 2", "<=", "`<` where `,`, `)` or an operator was expected"),
        ("x + <= 2", "<", "an expression was expected"),
        ("x + 2", "", "a comparison (<=, <, =, >=, >)"),
        ("blub(x) <= 1", "blub", "there is no function `blub`; docs/statements.md lists all functions"),
        ("binomial(x, 2) <= 1", "binomial", "there is no function `binomial`; did you mean `binom`?"),
        ("eigenvalue(x) <= 1", "eigenvalue", "there is no function `eigenvalue`; did you mean `eigenvalues`?"),
        ("5!! <= 16", "!!", "an operator was expected"),
        ("n <=> 3", "<=>", "separately"),
        ("1/2x <= 1", "2x", "can be read in two ways"),
        ("log 2x <= 1", "log 2x", "can be read in two ways"),
        ("x y <= 1", "x", "a product is written"),
        ("exp <= 1", "exp", "needs an argument"),
        ("sum(i in 1..m, i) <= 1", "m", "declare it otherwise: `m in 1..8`"),
        ("sum(x) <= 1", "x", "declare it otherwise: `x in R^3`"),
        ("binom(3) <= 1", "binom(3)", "takes two whole numbers"),
        ("[1, 2] * [3, 4] <= 1", "[1, 2] * [3, 4]", "write dot(x, y)"),
        ("|[1, 2]| <= 1", "|[1, 2]|", "for the norm write"),
        ("norm([1, 2], 3) <= 1", "3", "1, 2 or inf"),
        ("log|x| <= x", "|", "log(|…|)"),
        ("√x² = x", "√x²", "can be read in two ways"),
        ("√x^2 = x", "√x^2", "can be read in two ways"),
        ("6/|x||y| <= 1", "|x||y|", "can be read in two ways"),
        ("2^|x||y| <= 1", "2^|x||y|", "can be read in two ways"),
        ("1!=1", "!=", "can be read in two ways"),
        ("n! + n!=2*n!", "!=", "can be read in two ways"),
        ("x_+ + 1 >= 1", "x_+", "can be read in two ways"),
        ("2ⁿ >= n", "ⁿ", "a power is written `2^n`"),
        ("xᵢ <= 1", "ᵢ", "an index `x[i]`"),
        ("x_1 + \\cdots + x_3 <= 5", "\\cdots", "with an index"),
        ("3 \\not= y", "\\not", "is written `x != y`"),
    ];
    for (text, place, message) in cases {
        let (found, marked) = refused(&Texts::of(text));
        assert!(found.contains(message), "{text}: {found}");
        assert!(place.starts_with(&marked), "{text}: {marked}, {found}");
        assert!(!marked.is_empty() || place.is_empty(), "{text}: {found}");
    }
    let ranged = |ranges: &str| refused(&Texts::of("x <= x").ranging(ranges)).0;
    assert!(ranged("x in Q").contains("there is no domain `Q`"));
    assert!(ranged("x in [2, 1]").contains("there is no number in [2, 1]"));
    assert!(ranged("x = 0.1").contains("write `let x = 0.1`"));
    assert!(ranged("x > inf").contains("there is no number in (inf, inf)"));
    assert!(ranged("x in [0, exp(40) + 1/3 - exp(40)], y > x").contains("no double is in"));
    assert!(ranged("x, x in R").contains("declared twice"));
    assert!(ranged("x in R^m").contains("`m` is not declared"));
    assert!(ranged("k in 1..n, n in 1..k").contains("depends on itself"));
    assert!(ranged("max in R").contains("is a function and cannot be declared"));
    // Before anything is drawn: a vector of a hundred million entries, one of none, and no size at all.
    for (ranges, message) in [
        ("x in R^99999999", "the size of x is 99999999, not between 1 and"),
        ("x in R^n, n in 99999999..99999999", "the size of x is 99999999"),
        ("x in R^n, n in -3..0", "the size of x is"),
        ("x in R^n, n in 5..3", "leave nothing"),
        ("x in R^2, n in 1..10^30", "the range of n: a whole number beyond 2^62"),
        ("x in R^2, n in -10^30..5", "the range of n: a whole number beyond 2^62"),
        ("x in R^2, n in -2^62..2^62", "the range of n: more than 2^63 whole numbers"),
        ("x in R^2, n in 5..3", "leave nothing"),
    ] {
        let found = refused(&Texts::of("norm(x) >= 0").ranging(ranges)).0;
        assert!(found.contains(message), "{ranges}: {found}");
    }
    // What is declared is no function.
    for (statement, ranges, name) in [
        ("σ x <= σ", "σ >= 1, x > 1", "σ"),
        ("‖Σ x‖ <= eigmax(Σ)*‖x‖", "Σ in psd(2), x in R^2", "Σ"),
        ("H(2) <= H", "H >= 2", "H"),
    ] {
        let found = refused(&Texts::of(statement).ranging(ranges)).0;
        assert!(found.contains(&format!("`{name}` is a variable and takes no argument")), "{statement}: {found}");
    }
    assert!(Statement::read(&Texts::of("norm(x) >= 0").ranging("x in R^n, n in 1..99999999")).is_ok());
    assert!(refused(&Texts::of("x <= x").given("x > 1, x < 0")).0.contains("there is no number in (1, 0)"));
}

#[test]
fn declarations_read_what_they_print() {
    for text in [
        "x in R, n in 1..8, v in R^n, A in R^(n, 2*n), B in sym(n), C in psd(n + 1), p in simplex(n), u in sphere(n)",
        "t in (0, 1], s in [-1, inf), k in Z, m in N, w in [0, log 2]^3",
        "x ∈ ℝ, n ∈ 1..8, v ∈ ℝ^n, M ∈ ℝ^n×n, N ∈ R^{n×2}",
        "x > 0; y <= 1/2",
        "P in stochastic(3), Q in stochastic(m, n), O in orthogonal(n), m, n in 1..3",
        "x in [0, 1], y in (x, 2], let s = x + y, let t = s^2",
    ] {
        let once = contrapositive_statements::declarations(text).unwrap_or_else(|f| panic!("{}", f.rendered()));
        let printed = once.to_string();
        let twice = contrapositive_statements::declarations(&printed).unwrap_or_else(|f| panic!("{}", f.rendered()));
        assert_eq!(printed, twice.to_string());
        assert_eq!(once.variables.len(), twice.variables.len());
    }
}

#[test]
fn a_range_may_be_written_as_a_chain() {
    for (chain, range) in [("0 <= x < 3", "x in [0, 3)"), ("2*pi > x >= -1/2", "x in [-1/2, 2*pi)")] {
        let read = |text| contrapositive_statements::declarations(text).unwrap_or_else(|f| panic!("{}", f.rendered()));
        assert_eq!(read(chain).to_string(), read(range).to_string(), "{chain}");
    }
    for neither in ["0 <= x > 3", "0 = x < 3", "0 <= x"] {
        assert!(contrapositive_statements::declarations(neither).is_err(), "{neither}");
    }
}
