//! Statements that are true, statements that are false.

use contrapositive_statements::{Attempt, AttemptOutcome, Options, Room, Texts, attempt, is_violated, replay};
use evidence::budget::Budget;

fn tried(texts: &Texts) -> Attempt {
    match attempt(texts, Options::default()) {
        Ok(attempt) => attempt,
        Err(error) => panic!("{texts:?}: {error}"),
    }
}

fn told(texts: &Texts) -> String {
    outcome(tried(texts))
}

fn outcome(attempt: Attempt) -> String {
    match attempt.outcome {
        AttemptOutcome::Refuted { refutation, .. } => format!("refuted at {}", refutation.description),
        AttemptOutcome::Stands { doubtful: Some(d), .. } => format!("stands, in doubt at {}", d.description),
        AttemptOutcome::Proved(proof) => format!("proved: {proof}"),
        AttemptOutcome::Sampled(identity) => format!("sampled: {identity}"),
        AttemptOutcome::Stands { .. } => "stands".into(),
        AttemptOutcome::Vacuous => "vacuous".into(),
    }
}

#[test]
fn an_equation_among_other_relations_is_met_like_one_by_itself() {
    let texts = |conditions: &str| Texts {
        conditions: conditions.into(),
        ranges: "x, y in R".into(),
        ..Texts::of("x*y <= 0.4999")
    };
    for conditions in ["0 <= x^2 + y^2 = 1", "-2 < x <= 2, 1 = x^2 + y^2 < 5 + x^2"] {
        let told = told(&texts(conditions));
        assert!(told.starts_with("refuted at x = "), "{conditions}: {told}");
    }
    assert!(told(&Texts { statement: "x*y <= 0.5".into(), ..texts("0 <= x^2 + y^2 = 1") }).starts_with("proved"));
}

#[test]
fn the_statement_of_the_documentation_falls_at_one() {
    let texts = Texts::of("log(1 + exp(a)) <= log 2 + a/2");
    let AttemptOutcome::Refuted { refutation, comparison } = tried(&texts).outcome else { panic!("{}", told(&texts)) };
    assert_eq!(refutation.description, "a = 1");
    assert!((comparison.lhs.midpoint() - 1.313_261_687).abs() < 1e-8, "{}", comparison.lhs);
    assert!((comparison.rhs.midpoint() - 1.193_147_180).abs() < 1e-8, "{}", comparison.rhs);
    assert!(replay(&refutation, 1).is_ok_and(|trial| is_violated(&trial)));
}

#[test]
fn sides_that_are_the_same_are_at_most_one_another() {
    for statement in ["0.1 + 0.2 <= 0.3", "1/3 + 1/6 >= 1/2", "(x + y)^2 <= x^2 + 2*x*y + y^2"] {
        let told = told(&Texts::of(statement));
        assert!(told.starts_with("proved: the sides"), "{statement}: {told}");
    }
    let strict = told(&Texts::of("0.1 + 0.2 < 0.3"));
    assert!(strict.starts_with("refuted"), "{strict}");
    let apart = told(&Texts::of("0.1 + 0.2 <= 0.3 - 1e-9"));
    assert!(apart.starts_with("refuted"), "{apart}");
}

#[test]
fn a_list_of_statements_is_told_apart() {
    let cases = [
        (Texts::of("1 + x <= e^x"), false),
        (Texts::of("1 + x < exp(x)"), true),
        (Texts::of("log x <= x - 1"), false),
        (Texts::of("sqrt(x*y) <= (x + y)/2").ranging("x, y >= 0"), false),
        (Texts::of("sqrt(x*y) <= 0.999*(x + y)/2").ranging("x, y >= 0"), true),
        (Texts::of("kl(p, q) >= 2*tv(p, q)^2").ranging("n in 1..8, p, q in simplex(n)"), false),
        (Texts::of("kl(p, q) >= 2.1*tv(p, q)^2").ranging("n in 1..8, p, q in simplex(n)"), true),
        (Texts::of("dot(x, y)^2 <= dot(x, x)*dot(y, y)").ranging("n in 1..8, x, y in R^n"), false),
        (Texts::of("norm(x, 1) <= norm(x)").ranging("n in 1..8, x in R^n"), true),
        (Texts::of("norm(x, 1) <= √n * norm(x)").ranging("n in 1..8, x in R^n"), false),
        (Texts::of("sum(i in 1..n, i) = n*(n + 1)/2").ranging("n in 1..50"), false),
        (Texts::of("‖x + y‖^2 + ‖x - y‖^2 = 2*‖x‖² + 2*‖y‖²").ranging("n in 1..8, x, y in R^n"), false),
        (Texts::of("(x + y)^3 = x^3 + 3x^2*y + 3x*y^2 + y^3"), false),
        (Texts::of("(x + y)^3 = x^3 + 3x^2*y + 3x*y^2 + 1.0001*y^3"), true),
        (Texts::of("det(A*B) = det(A)*det(B)").ranging("A, B in R^(3, 3)"), false),
        (Texts::of("sqrt(x^2 + 1) - x >= 1e-9").ranging("x >= 0"), true),
        (Texts::of("prod(i in 1..6, x[i]*e^(1 - x[i])) <= 1 - 1e-6").ranging("x in (0, 50)^6"), true),
        (Texts::of("kl(p, q) >= 2.000001*(p[1] - q[1])^2").ranging("p, q in simplex(2)"), true),
        (Texts::of("2^n > n^2").ranging("n in 1..50"), true),
        (Texts::of("norm(A, 2) <= norm(A)").ranging("m, n in 1..4, A in R^(m, n)"), false),
        (Texts::of("norm(A, operator) <= norm(A, Frobenius)").ranging("m, n in 1..4, A in R^(m, n)"), false),
        (Texts::of("2n! <= 3(n/2)^n").ranging("n in 1..20"), true),
        (Texts::of("eigmax(A) <= trace(A)").ranging("n in 1..4, A in sym(n)"), true),
        (Texts::of("eigmax(A) <= trace(A)").ranging("n in 1..4, A in psd(n)"), false),
        (Texts::of("x^2 >= x").given("x > 0, x < 1"), true),
        (Texts::of("x <= y").given("x^2 <= y^2, 0 <= x, 0 <= y"), false),
        // One whole number among many, and none.
        (Texts::of("sin(n) <= 1 - 3.2e-10").ranging("n in 1..100000"), true),
        (Texts::of("sin(n) <= 1 - 3e-10").ranging("n in 1..100000"), false),
        // Only a proof comes to the needle.
        (
            Texts::of(
                "0.999*exp(-dot(x, x)/20) + exp(-50*((x[1] - 3.1)^2 + (x[2] + 7.7)^2 + (x[3] - 8.8)^2)) <= 1.0006",
            )
            .ranging("x in [-10, 10]^3"),
            true,
        ),
        (Texts::of("sin(100001*x)*sin(x) <= 0.999999999").ranging("x in [1, 2.1]"), true),
        // Conditions that draws do not meet.
        (
            Texts::of("x + y + z <= 2.2795").ranging("x, y, z in [-2, 2]").given("x^4 + y^4 + z^4 <= 1, x*y*z >= 0.4"),
            true,
        ),
        (
            Texts::of("x + y + z <= 2.27951").ranging("x, y, z in [-2, 2]").given("x^4 + y^4 + z^4 <= 1, x*y*z >= 0.4"),
            false,
        ),
    ];
    for (texts, is_false) in cases {
        let found = tried(&texts);
        println!("{found}");
        let told = outcome(found);
        assert_eq!(told.starts_with("refuted"), is_false, "{texts:?}: {told}");
    }
}

#[test]
fn an_equation_that_is_false_by_little_falls() {
    for texts in [
        Texts::of("x*1.0000000001 = x"),
        Texts::of("pi = 3.141592653"),
        Texts::of("sin(x) = x - x^3/6").ranging("x in [0, 1e-3]"),
    ] {
        let told = told(&texts);
        assert!(told.starts_with("refuted"), "{texts:?}: {told}");
    }
    for statement in ["0.1 + 0.2 = 0.3", "sin(x)^2 + cos(x)^2 = 1", "4*atan(1) = pi"] {
        let told = told(&Texts::of(statement));
        assert!(!told.starts_with("refuted"), "{statement}: {told}");
    }
}

/// What a constant could be may not be refuted by the instance that is shown above it.
#[test]
fn no_constant_contradicts_the_tightest_instance() {
    let pell = Texts::of("x^2 - 61*y^2 >= 2").ranging("x, y in N").given("x^2 > 61*y^2");
    let sphere = Texts::of("cbrt((u[1] + 2*u[2] + 3*u[3])^3) <= 3.7416574").ranging("u in sphere(3)");
    for (texts, text, holds) in
        [(pell, "2", (|to, tight| to <= tight) as fn(f64, f64) -> bool), (sphere, "3.7416574", |to, tight| to >= tight)]
    {
        let attempt = tried(&texts);
        let AttemptOutcome::Stands { tightest: Some(tightest), constants, .. } = &attempt.outcome else {
            panic!("{attempt}")
        };
        for constant in constants.iter().filter(|c| c.text == text) {
            if let Room::UpTo(to) = constant.room {
                let tight = tightest.comparison.lhs.midpoint();
                assert!(holds(to * 1.000_001, tight) || holds(to / 1.000_001, tight), "{attempt}");
            }
        }
    }
}

#[test]
fn a_side_without_bound_is_no_equality() {
    let shown = tried(&Texts::of("e^x > 0")).to_string();
    assert!(!shown.contains("∞] > 0") && !shown.contains("equality is attained"), "{shown}");
    let shown = tried(&Texts::of("x <= 1e400")).to_string();
    assert!(shown.contains("unbounded") && !shown.contains("attained"), "{shown}");
}

#[test]
fn what_would_decide_is_said() {
    let shown = tried(&Texts::of("exp(-exp(x)) > -floor(sin(x)^2)")).to_string();
    assert!(shown.contains("undecided") && shown.contains("advice"), "{shown}");
}

#[test]
fn it_is_said_which_conditions_are_met_by_numbers_next_to_doubles() {
    let shown = tried(&Texts::of("x + y <= 1.41").given("x^2 + y^2 = 1 <= 2 + x")).to_string();
    let told: Vec<&str> = shown.lines().filter(|line| line.contains("where")).collect();
    assert!(told[0].contains("x^2 + y^2 = 1   (met exactly") && told[1].ends_with("1 <= 2 + x"), "{shown}");
    let whole = tried(&Texts::of("m <= 2*n + 1").ranging("m, n in 1..9").given("m = 2*n")).to_string();
    assert!(!whole.contains("met exactly"), "{whole}");
}

/// Whether a statement is refuted, by an instance that refutes it from its stored form as well.
fn falls(statement: &str, ranges: &str, conditions: &str) -> bool {
    let found = tried(&Texts::of(statement).ranging(ranges).given(conditions));
    assert!(found.counts.met > 0, "{statement}");
    match &found.outcome {
        AttemptOutcome::Refuted { refutation, .. } => is_violated(&replay(refutation, 7).unwrap()),
        _ => false,
    }
}

#[test]
fn under_equations_what_is_false_falls_and_what_is_true_stands() {
    for (statement, hair, ranges, conditions) in [
        ("x*y <= 1/2", "x*y <= 0.4999999", "x, y in R", "x^2 + y^2 = 1"),
        ("x + y >= 2", "x + y >= 2.000001", "x, y > 0", "x*y = 1"),
        ("dot(x, x) >= 1/5", "dot(x, x) >= 0.2000001", "x in R^5", "sum(x) = 1"),
        ("a + b <= sqrt(2)*c", "a + b <= 1.414213*c", "a, b, c > 0", "a^2 + b^2 = c^2"),
        ("x*y <= 1/4", "x*y <= 0.2499999", "x, y in R", "x + y = 1, x >= y"),
        ("x*y*z <= 1/sqrt(54)", "x*y*z <= 0.1360827", "x, y, z in R", "x + y + z = 0, x^2 + y^2 + z^2 = 1"),
        ("x = sqrt(2)", "x = 1.4142135623", "x > 0", "x^2 = 2"),
    ] {
        assert!(falls(hair, ranges, conditions), "{hair}");
        assert!(!falls(statement, ranges, conditions), "{statement}");
    }
    let shown = tried(&Texts::of("x*y <= 0.4").given("x^2 + y^2 = 1")).to_string();
    assert!(shown.contains("met exactly by numbers within the ±"), "{shown}");
}

#[test]
fn a_long_sum_does_not_take_minutes() {
    let texts = Texts::of("sum(k in 1..n, 1/k^2) <= pi^2/6 - 1e-5").ranging("n in N");
    let begun = std::time::Instant::now();
    let told = told(&texts);
    assert!(begun.elapsed().as_secs() < 60, "{told}: {:?}", begun.elapsed());
}

#[test]
fn what_does_not_fit_is_shown_with_its_place() {
    for (statement, ranges, said) in [
        ("1 + A[3,1] <= 1", "A in sym(2)", "in `A[3,1]`: entry 3 of 2, counted from 1"),
        ("x[0] <= 1", "x in R^2", "in `x[0]`: entry 0 of 2, counted from 1"),
        (" 2*dot(x, y) <= 1", "x in R^2, y in R^3", "in `dot(x, y)`: inner product: sizes 2 and 3"),
    ] {
        let texts = Texts::of(statement).ranging(ranges);
        let message = attempt(&texts, Options::default()).map(|a| a.to_string());
        let message = message.map_err(|e| e.to_string()).expect_err(statement);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn factors_have_names_of_their_own() {
    let told = told(&Texts::of("trace(A*B) <= 1").ranging("A, B in psd(2)"));
    assert!(told.contains("A = C C', C = ") && told.contains("B = D D', D = "), "{told}");
}

#[test]
fn smooth_statements_of_many_coordinates_fall_from_every_seed() {
    // Convex quadratics, ill-conditioned ones among them, and what ties everywhere: plain doubles lead the search, slopes come from recorded operations.
    for (text, ranges) in [
        ("sum(i in 1..20, 10^(i/4)*(x[i]-i/7)^2) >= 1e-9", "x in R^20"),
        ("sum(i in 1..6, sum(j in 1..6, x[i]*x[j]/(i+j-1))) - 2*x[1] >= -35.9999", "x in R^6"),
        ("norm(softmax(x) - softmax(y)) <= 0.4999 * norm(x-y)", "x, y in R^4"),
    ] {
        for seed in 0..5 {
            let found = attempt(&Texts::of(text).ranging(ranges), Options { seed, ..Options::default() }).unwrap();
            assert!(matches!(found.outcome, AttemptOutcome::Refuted { .. }), "{text} stands from seed {seed}");
        }
    }
}

#[test]
fn a_search_that_still_gains_goes_on() {
    // Many numbers, each bound to its neighbours; the value of a sharp constant; whole numbers that doubles alone go through.
    for (statement, ranges) in [
        ("(x[1]-1)^2 + (x[80]-2)^2 + sum(i in 1..79, (x[i+1]-x[i])^2) >= 1/81 + 1e-5", "x in R^80"),
        ("x[1]^2 + (x[40]-3)^2 + sum(i in 1..39, (x[i+1]-x[i])^2) >= 9/41 + 1e-4", "x in R^40"),
        ("abs(n^2 + n + 41 - a*b) >= 1/2", "n in 1..100, a, b in 2..200"),
        ("abs(x^2 - 46*y^2 - 1) >= 1/2", "x in 2..30000, y in 1..5000"),
        ("abs(x^2 - 61*y^2 + 1) >= 1/2", "x in 2..40000, y in 1..5000"),
        ("H(n) <= log n + 0.5772156649 + 1/(2n)", "n in 1..1000000"),
        ("sum(i in 1..n, 1/i) <= log n + 0.5772156649 + 1/(2n)", "n in 1..1000000"),
        ("log(n!) >= n*log n - n + log(2*pi*n)/2 + 1/(12*n)", "n in 1..1000000"),
    ] {
        let told = told(&Texts::of(statement).ranging(ranges));
        assert!(told.starts_with("refuted"), "{statement}: {told}");
    }
    for (statement, ranges) in [
        ("(x[1]-1)^2 + (x[80]-2)^2 + sum(i in 1..79, (x[i+1]-x[i])^2) >= 1/81 - 1e-5", "x in R^80"),
        ("abs(n^2 + n + 41 - a*b) >= 1/2", "n in 1..39, a, b in 2..200"),
        ("abs(x^2 - 46*y^2 - 1) >= 1/2", "x in 2..24000, y in 1..5000"),
        ("H(n) <= log n + 0.5772156650 + 1/(2n)", "n in 1..1000000"),
        ("log(binom(2n, n)) >= n*log 4 - log(4n)/2", "n in 1..1000000"),
        ("sum(i in 1..n, 1/i) <= 100", "n in 1..10^12"),
    ] {
        let told = told(&Texts::of(statement).ranging(ranges));
        assert!(!told.starts_with("refuted"), "{statement}: {told}");
    }
}

#[test]
fn conditions_that_draws_never_meet_are_met_by_moving_them() {
    for (statement, ranges, conditions) in [
        ("a[1] - a[6] >= 5", "a in R^6", "a[1] > a[2] > a[3] > a[4] > a[5] > a[6]"),
        ("a*d <= b*c", "a, b, c, d in (0, inf)", "a < b < c < d"),
        ("d - a >= 4", "a, b, c, d in 1..1000", "a < b < c < d"),
        ("norm(x) >= 400", "x in R^10", "sum(x) >= 1000"),
        ("p[1] >= 0.4", "p in simplex(6)", "p[1] > p[2] > p[3] > p[4] > p[5] > p[6]"),
        ("x*y*z >= 200000", "x, y, z in (0, 100]", "x + y > z, y + z > x, z + x > y, x + y + z > 200, x > 99"),
        ("x[8] - x[1] >= 0.1", "x in [0, 1]^8", "x[1] < x[2] < x[3] < x[4] < x[5] < x[6] < x[7] < x[8]"),
    ] {
        let told = told(&Texts { statement: statement.into(), ranges: ranges.into(), conditions: conditions.into() });
        assert!(told.starts_with("refuted"), "{statement}: {told}");
    }
    let true_one = Texts::of("a[1] - a[4] > a[2] - a[3]").ranging("a in R^4").given("a[1] > a[2] > a[3] > a[4]");
    assert!(told(&true_one).starts_with("proved"), "{}", told(&true_one));
    assert_eq!(told(&Texts::of("x[1] <= 0").ranging("x in [0, 1]^3").given("sum(x) > 4")), "vacuous");
}

#[test]
fn more_equations_than_are_solved_at_once_end_soon_and_say_so() {
    let equations: Vec<String> = (1..=180).map(|i| format!("x[{i}]^3 + 3 = x[{}]", i + 1)).collect();
    // Zeros meet these without being moved.
    let zeros = equations.iter().map(|e| e.replace(" + 3", "")).collect::<Vec<_>>().join(", ");
    let found = told(&Texts::of("x[1] <= 5").ranging("x in R^181").given(&zeros));
    assert!(found.starts_with("stands"), "{found}");
    let texts = Texts::of("x[1] <= 5").ranging("x in R^181").given(&equations.join(", "));
    let found = tried(&texts);
    assert!(matches!(found.outcome, AttemptOutcome::Vacuous));
    assert!(found.to_string().contains("at most 12 equations are solved at once; there are 180"), "{found}");
}

/// What costs very much is drawn and searched less, by counted work: no evaluation of many steps is repeated hundreds of times.
#[test]
fn costly_statements_end_in_seconds() {
    for (statement, ranges) in [
        ("inv(A)[1,1] >= 0", "A in psd(8)"),
        ("Q[1,1] <= 1", "Q in orthogonal(60)"),
        ("sum(i in 1..n, 1/i^2) <= 2", "n in 1.."),
        ("singular(A)[1] <= norm(A, F)", "A in R^(40, 40)"),
    ] {
        let begun = std::time::Instant::now();
        let found = attempt(&Texts::of(statement).ranging(ranges), Options::default());
        let found = found.unwrap_or_else(|e| panic!("{statement}: {e}"));
        assert!(matches!(found.outcome, AttemptOutcome::Stands { .. } | AttemptOutcome::Proved(_)), "{found}");
        // Far more than it takes, and far less than it took.
        assert!(begun.elapsed().as_secs() < 40, "{statement}: {:?}", begun.elapsed());
    }
    // What is false of them falls.
    for (statement, ranges) in [
        ("inv(A)[1,1] >= inv(A)[2,2]", "A in psd(8)"),
        ("Q[1,1] <= 1/2", "Q in orthogonal(60)"),
        ("singular(A)[1] <= 0.99*norm(A, 2)", "A in R^(40, 40)"),
        ("nuclear(A) <= 6*norm(A, F)", "A in R^(60, 60)"),
    ] {
        let found = attempt(&Texts::of(statement).ranging(ranges), Options::default());
        let found = found.unwrap_or_else(|e| panic!("{statement}: {e}"));
        assert!(matches!(found.outcome, AttemptOutcome::Refuted { .. }), "{found}");
    }
}

#[test]
fn what_stands_says_which_methods_were_tried() {
    for (statement, ranges, methods) in [
        (
            "tv(p, q)^2 <= 1 - exp(-kl(p, q))",
            "n in N, p, q in simplex(n)",
            "n has no largest value; tried without success: sums over",
        ),
        ("prod(i in 1..n, 1 + 1/i^2) <= 3.6761", "n in N", "n has no largest value; tried without success: induction"),
    ] {
        let options = Options { budget: Budget::Quick, ..Options::default() };
        let told = attempt(&Texts::of(statement).ranging(ranges), options).unwrap().to_string();
        assert!(told.contains("  proof     none: not by boxes, since ") && told.contains(methods), "{told}");
    }
}

#[test]
fn alternatives_are_each_seen_to() {
    let told =
        |statement: &str, ranges: &str, conditions: &str| told(&Texts::of(statement).ranging(ranges).given(conditions));
    for statement in ["x <= 1 or x >= 0", "sin(x) <= x or x < 0", "x < 2 or x^2 >= 4", "x > 1 => x^2 > x"] {
        let found = told(statement, "x in R", "");
        assert!(found.starts_with("proved"), "{statement}: {found}");
    }
    for statement in ["sin(x) <= x or x < -1", "x < 2 or x^2 >= 4.001", "x <= 1 or x >= 1.001"] {
        let found = told(statement, "x in R", "");
        assert!(found.starts_with("refuted"), "{statement}: {found}");
    }
    // An equation beside an inequality.
    assert!(told("x >= 1", "x > 0", "x^2 = 2 or x > 3").starts_with("proved"));
    let refuted = told("x >= 2", "x > 0", "x^2 = 2 or x > 3");
    assert!(refuted.starts_with("refuted at x = 1.414"), "{refuted}");
}

#[test]
fn large_whole_numbers_are_instances_and_stay_what_they_are() {
    for (statement, ranges, at) in [
        ("n != 1000000", "n in Z", "n = 1000000"),
        ("n != 16037", "n in Z", "n = 16037"),
        ("n != 9007199254740993", "n in 9007199254740990..9007199254740999", "n = 9007199254740993"),
        ("n < 9007199254740993", "n in 1..9007199254740993", "n = 9007199254740993"),
        // Among 10^18 numbers many seem to be equally close, and the last one is not among the first of these.
        ("n < 1000000000000000000", "n in 1..1000000000000000000", "n = 1000000000000000000"),
    ] {
        let texts = Texts::of(statement).ranging(ranges);
        let found = attempt(&texts, Options::default()).unwrap_or_else(|e| panic!("{statement} for {ranges}: {e}"));
        let AttemptOutcome::Refuted { refutation, .. } = found.outcome else { panic!("{statement} for {ranges}") };
        assert_eq!(refutation.description, at, "{statement} for {ranges}");
    }
}

#[test]
fn a_stored_refutation_is_about_its_own_statement() {
    let found = attempt(&Texts::of("x^2 >= x").ranging("x in R"), Options::default()).expect("it is read");
    let AttemptOutcome::Refuted { refutation, .. } = found.outcome else { panic!("1/2 refutes it") };
    assert!(replay(&refutation, 1).is_ok_and(|again| is_violated(&again)));
    let mut other = refutation.clone();
    other.texts.statement = "y^2 >= y".into();
    other.texts.ranges = "y in R".into();
    assert!(replay(&other, 1).is_err_and(|e| e.to_string().contains("the statement is for")));
    let mut described = refutation;
    described.description = "x = 7".into();
    assert!(replay(&described, 1).is_err_and(|e| e.to_string().contains("described as")));
}
