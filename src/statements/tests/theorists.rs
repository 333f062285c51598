//! Statements as people who work with losses, laws and matrices type them: what is true is not refuted, what is false falls and is not proved, and what
//! is not read is refused with what to type.

use contrapositive_statements::{AttemptOutcome, Options, Statement, Texts, attempt};
use evidence::budget::Budget;

const TRUE: [(&str, &str, &str); 22] = [
    ("max(x) <= logsumexp(x)", "n in 1..6, x in R^n", ""),
    ("logsumexp(x) <= max(x) + log n", "n in 1..6, x in R^n", ""),
    (r"\log \sum_{i=1}^n e^{x[i]} <= max(x) + log n", "n in 1..6, x in R^n", ""),
    ("D_KL(p, q) >= 0", "n in 2..5, p, q in simplex(n)", ""),
    ("TV(p, q) <= sqrt(KL(p, q)/2)", "n in 2..5, p, q in simplex(n)", ""),
    ("|⟨x, y⟩| <= ||x||_2*||y||_2", "n in 1..5, x, y in R^n", ""),
    ("|dot(x, y)| <= ||x||_1 * ||y||_inf", "n in 1..5, x, y in R^n", ""),
    ("||x||_2 <= ||x||_1 <= sqrt(n)*||x||_2", "n in 1..5, x in R^n", ""),
    ("np.sum(torch.softmax(x)) = 1", "n in 1..5, x in [-20, 20]^n", ""),
    ("norm(softmax(x) - softmax(y)) <= norm(x - y)", "n in 2..5, x, y in R^n", ""),
    ("-sum(i in 1..n, p[i]*log(q[i])) >= H(p)", "n in 2..5, p, q in simplex(n)", "min(q) > 0"),
    ("H(p) <= log n", "n in 1..6, p in simplex(n)", ""),
    ("(prod(i in 1..n, x[i]))^(1/n) <= mean(x)", "n in 1..5, x in (0, inf)^n", ""),
    ("exp(E(p, x)) <= E(i ~ p, exp(x[i]))", "n in 1..5, p in simplex(n), x in R^n", ""),
    ("norm(A@B, 2) <= norm(A, 2)*norm(B, 2)", "A, B in R^(2, 2)", ""),
    ("log det(A) <= tr(A) - n", "n in 1..3, A in psd(n)", ""),
    (r"\log(1+e^{-x}) \ge -x", "", ""),
    ("σ(x)*(1 - σ(x)) <= 1/4", "", ""),
    ("dot(x, A @ x) >= 0", "A in psd(2), x in R^2", ""),
    ("λ_max(A + B) <= λ_max(A) + λ_max(B)", "A, B in sym(2)", ""),
    ("F.relu(x) <= torch.nn.functional.softplus(x)", "", ""),
    ("‖A‖_F <= ‖A‖_* <= sqrt(2)*‖A‖_F", "A in R^(2, 3)", ""),
];

const FALSE: [(&str, &str, &str); 22] = [
    ("max(x) >= logsumexp(x)", "n in 2..6, x in R^n", ""),
    ("logsumexp(x) <= max(x) + log(n)/2", "n in 2..6, x in R^n", ""),
    ("KL(p, q) >= 2.01*TV(p, q)^2", "n in 2..5, p, q in simplex(n)", ""),
    ("kl(p, q) = kl(q, p)", "n in 2..5, p, q in simplex(n)", ""),
    ("D_KL(p, q) <= 4*tv(p, q)^2", "n in 2..5, p, q in simplex(n)", ""),
    ("⟨x, y⟩ >= norm(x)*norm(y)", "n in 2..5, x, y in R^n", ""),
    ("||x||_1 <= ||x||_2", "n in 2..5, x in R^n", ""),
    ("||x||_1 <= sqrt(n - 1)*||x||_2", "n in 2..5, x in R^n", ""),
    ("norm(softmax(x) - softmax(y)) <= norm(x - y)/3", "n in 2..5, x, y in R^n", ""),
    ("max(softmax(x)) <= 1/2", "n in 2..5, x in R^n", ""),
    ("H(p) >= log(n)/2", "n in 2..5, p in simplex(n)", ""),
    ("H((p + q)/2) <= (H(p) + H(q))/2", "n in 2..5, p, q in simplex(n)", ""),
    ("mean(x) <= prod(i in 1..n, x[i])^(1/n)", "n in 2..5, x in (0, inf)^n", ""),
    ("E(i ~ p, log(x[i])) >= log(E(p, x))", "n in 2..5, p in simplex(n), x in (0, inf)^n", ""),
    ("norm(A + B, 2) >= norm(A, 2) + norm(B, 2)", "A, B in R^(2, 2)", ""),
    ("‖A*B‖_2 <= 0.99*‖A‖_2*‖B‖_2", "A, B in R^(2, 2)", ""),
    ("‖A‖_F <= ‖A‖_2", "A in R^(2, 2)", ""),
    ("np.log(det(A)) <= trace(A) - n - 1", "n in 1..3, A in psd(n)", ""),
    (r"\log(1 + e^x) \le x", "", ""),
    ("sigmoid(x) <= x", "x > 0", ""),
    ("-sum(i in 1..n, p[i]*log(q[i])) <= H(p)", "n in 2..5, p, q in simplex(n)", "min(q) > 0"),
    ("det(A + B) <= det(A) + det(B)", "A, B in psd(2)", ""),
];

#[test]
fn what_is_true_is_not_refuted_and_what_is_false_falls() {
    let options = Options { budget: Budget::Quick, ..Options::default() };
    for (list, is_true) in [(TRUE, true), (FALSE, false)] {
        for (statement, ranges, conditions) in list {
            let found = attempt(&Texts::of(statement).ranging(ranges).given(conditions), options);
            let found = found.unwrap_or_else(|e| panic!("{statement}: {e}"));
            assert_eq!(matches!(found.outcome, AttemptOutcome::Refuted { .. }), !is_true, "{found}");
            assert!(!matches!(found.outcome, AttemptOutcome::Vacuous), "{found}");
        }
    }
}

#[test]
fn what_is_not_read_is_refused_with_what_to_type() {
    for (statement, ranges, said) in [
        ("abs(x @ y) <= norm(x)*norm(y)", "x, y in R^3", "dot(x, y)"),
        ("cross_entropy(p, q) >= H(p)", "p, q in simplex(3)", "-dot(p, log(q))"),
        ("‖A*B‖_2 <= ‖A‖_2 ‖B‖_2", "A, B in R^(2, 2)", "with `*`"),
        ("tr(A*B) <= tr(A) tr(B)", "A, B in psd(2)", "with `*`"),
        (r"\sigma(x)(1 - \sigma(x)) <= 1/4", "", "with `*`"),
        ("x^T A x >= 0", "A in psd(2), x in R^2", "dot(x, A*x)"),
        ("x'*A*x >= 0", "A in psd(2), x in R^2", "dot(x, A*x)"),
        ("‖A‖_F <= sqrt(rank(A))*‖A‖_2", "A in R^(2, 2)", "declare a product"),
        ("KL(p||q) >= 0", "p, q in simplex(3)", "kl(p, q)"),
        ("np.sum(x)**2 <= 3*np.sum(x**2)", "x in R^3", "norm(x)^2"),
        ("Var(x) >= 0", "x in R^3", "mean(x)^2"),
        ("A >= 0", "A in psd(2)", "eigmin(B - A) >= 0"),
    ] {
        match Statement::typed(&Texts::of(statement).ranging(ranges)) {
            Ok(_) => panic!("{statement} is read"),
            Err(fault) => assert!(fault.to_string().contains(said), "{statement}: {fault}"),
        }
    }
}
