//! What is proved of whole numbers without an end and of vectors of any length, and that nothing false beside it is.

use contrapositive_statements::{Texts, TryError, settled};

fn is_proved(statement: &str, ranges: &str, given: &str) -> bool {
    match settled(&Texts::of(statement).ranging(ranges).given(given), 1) {
        Ok(_) => true,
        Err(TryError::Open(_)) => false,
        Err(error) => panic!("{statement}: {error}"),
    }
}

#[test]
fn what_holds_for_all_whole_numbers_is_proved() {
    for (statement, ranges, given) in [
        ("2^n >= n + 1", "n in N", ""),
        ("2^n > n^2", "n in N", "n >= 5"),
        ("n! >= 2^(n - 1)", "n in N", ""),
        ("sum(i in 1..n, i) + 0.5^n <= n^2 + 1", "n in N", ""),
        ("(1 + x)^n >= 1 + sum(i in 1..n, 1)*x", "n in N, x in [0, 1]", ""),
        ("(1 + x)^n >= 1 + n*x", "n in N, x >= -1", ""),
        ("sum(i in 1..n, 1/i^2) <= 2 - 1/n", "n in N", ""),
        ("sum(k in 1..n, 1/(n + k)) >= 1/2", "n in N", ""),
        ("sum(i in 1..n, i^3) = sum(i in 1..n, i)^2", "n in N", ""),
        ("sum(k in 1..n, 1/(k*(k + 1))) = 1 - 1/(n + 1)", "n in N", ""),
        ("binom(2*n, n) <= 4^n", "n in N", ""),
        ("n^2 >= n", "n in Z", ""),
        ("H(2*n) - H(n) < log 2", "n in N", ""),
        ("sum(k in 1..n, 1/(n + k)) <= log 2", "n in N", ""),
        ("H(n) >= log(n) + 0.5772156649 + 1/(2*n + 1)", "n in N", ""),
        ("n! <= n^n", "n in N", ""),
        ("n! >= (n/e)^n", "n in N", ""),
        ("(1 - 1/n)^n <= 1/e", "n in N", ""),
        ("n! <= e*sqrt(n)*(n/e)^n", "n in 1..200", ""),
        ("mod(n^3 - n, 6) = 0", "n in Z", ""),
        ("max(x, y) + min(x, y) = x + y", "", ""),
    ] {
        assert!(is_proved(statement, ranges, given), "{statement}");
    }
}

#[test]
fn what_fails_for_some_whole_number_is_not() {
    for (statement, ranges, given) in [
        ("2^n >= n^2", "n in N", ""),
        ("2^n > n^2", "n in N", "n >= 4"),
        ("n! >= 3^n", "n in N", "n >= 6"),
        ("sum(k in 1..n, 1/k) <= 3", "n in N", ""),
        ("sum(i in 1..n, 1/i^2) <= 2 - 1.001/n", "n in N", ""),
        ("sum(i in 1..n, i) = n*(n + 1)/2 + 1e-9", "n in N", ""),
        ("(1 + x)^n >= 1 + n*x", "n in N, x >= -4", ""),
        ("mod(n^3 - n, 12) = 0", "n in Z", ""),
        ("n^2 >= 1", "n in Z", ""),
        ("H(2*n) - H(n) < log 2 - 1e-9", "n in N", ""),
        ("H(2*n) - H(n) + 1/(4*n) < log 2", "n in N", ""),
        ("H(n) >= log(n) + 0.57721566491 + 1/(2*n + 1)", "n in N", ""),
        ("n! <= (n - 1e-9)^n", "n in N", ""),
        ("n! >= (n/e)^n + 0.64", "n in N", ""),
        ("(1 - 1/n)^n <= 1/e - 1e-9", "n in N", ""),
        ("n! <= (e - 1e-9)*sqrt(n)*(n/e)^n", "n in 1..200", ""),
        // A sum in closed form beside one that is followed from n to n + 1.
        ("sum(i in 1..n, 1) + 0.5^n <= 10^15", "n in N", ""),
        ("sum(i in 1..n, i) <= 10^12*H(n)", "n in N", ""),
        ("sum(i in 1..n, i) + 0.5^n <= 10^30", "n in N", ""),
        ("sum(i in 1..n, 1) + x^n <= 10^18", "n in N, x in [0, 1]", ""),
        ("10^30 - sum(i in 1..n, i) >= prod(i in 1..n, 1 - 1/(i + 1)^2)", "n in N", ""),
        ("sum(i in 1..n, 2*i - 1) + 0.1^n <= 10^33", "n in N", ""),
        // The index of a sum within a sum.
        ("sum(i in 1..n, sum(j in 1..3, i*j)) <= 14*n + 10^15", "n in N", ""),
        ("sum(i in 1..n, sum(j in 1..3, i)) <= 6*n + 10^30", "n in N", ""),
        ("sum(i in 1..2*n, (-1)^i*sum(j in 1..2, x^(i + j))) <= 10", "n in N, x in [1, 1.000001]", ""),
        ("sum(i in 1..2*n, (-1)^i*sum(j in 1..2, 2^(i*j)/2^(i*j)*i)) <= 10^12", "n in N", ""),
        // Nothing is said of zero to the power -1, and zero to the power zero is one.
        (
            "(3*x - 1)^(2*n) < 1000*(3*x - 1)^2 + 1/2",
            "n in -1.., x in R",
            "(3*x - 1)^2*(16*(3*x - 1)^2 - 1) >= 0, (3*x - 1)^2 <= 1",
        ),
        // Nothing is said at three, so that a step from there shows nothing.
        ("2^n <= 7 + 1/(n - 3)^2 + 1/(3 - n)^4", "n in N", ""),
    ] {
        assert!(!is_proved(statement, ranges, given), "{statement}");
    }
}

#[test]
fn what_holds_for_vectors_of_any_length_is_proved() {
    for (statement, ranges) in [
        ("dot(x, y)^2 <= dot(x, x)*dot(y, y)", "n in N, x, y in R^n"),
        ("norm(x + y) <= norm(x) + norm(y)", "n in N, x, y in R^n"),
        ("norm(x, inf) <= norm(x, 2) <= norm(x, 1)", "n in N, x in R^n"),
        ("norm(x, 1) <= sqrt(n)*norm(x)", "n in N, x in R^n"),
        ("exp(mean(x)) <= mean(i in 1..n, exp(x[i]))", "n in N, x in R^n"),
        ("softplus(mean(x)) <= mean(i in 1..n, softplus(x[i]))", "n in N, x in R^n"),
        ("cosh(mean(x)) <= mean(i in 1..n, cosh(x[i]))", "n in N, x in R^n"),
        ("prod(x)^(1/n) <= mean(x)", "n in N, x in (0, inf)^n"),
        ("entropy(p) <= log(n)", "n in N, p in simplex(n)"),
        ("kl(p, q) >= 0", "n in N, p, q in simplex(n)"),
        ("E(i ~ p, x[i])^2 <= E(i ~ p, x[i]^2)", "n in N, p in simplex(n), x in R^n"),
        ("max(x) <= lse(x) <= max(x) + log(n)", "n in N, x in R^n"),
        ("prod(x) <= (sum(x)/n)^n", "n in N, x in (0, inf)^n"),
        ("tv(p, r) <= tv(p, q) + tv(q, r)", "n in N, p, q, r in simplex(n)"),
        ("kl(p, q) >= norm(p - q, 1)^2/2", "n in N, p, q in simplex(n)"),
        ("tv(p, q) <= sqrt(kl(p, q)/2)", "n in N, p, q in simplex(n)"),
        ("tv(p, q) <= 1", "n in N, p, q in simplex(n)"),
        ("entropy(p) >= 1 - sum(i in 1..n, p[i]^2)", "n in N, p in simplex(n)"),
        ("kl(p, q) <= sum(i in 1..n, (p[i] - q[i])^2/q[i])", "n in N, p, q in simplex(n)"),
        ("sum(i in 1..n, (sqrt(p[i]) - sqrt(q[i]))^2) <= 2*tv(p, q)", "n in N, p, q in simplex(n)"),
        ("entropy((p + q)/2) >= (entropy(p) + entropy(q))/2", "n in N, p, q in simplex(n)"),
        ("sum(softmax(x)) = 1", "n in N, x in R^n"),
        ("lse((x + y)/2) <= (lse(x) + lse(y))/2", "n in N, x, y in R^n"),
        ("entropy(p) >= -log(sum(i in 1..n, p[i]^2))", "n in N, p in simplex(n)"),
        ("kl(p, q) <= log(sum(i in 1..n, p[i]^2/q[i]))", "n in N, p, q in simplex(n)"),
        ("norm(x - dot(x, u)*u) <= norm(x)", "n in N, x in R^n, u in sphere(n)"),
        ("sum(i in 1..n, abs(x[i] - mean(x))) <= sqrt(n*sum(i in 1..n, (x[i] - mean(x))^2))", "n in N, x in R^n"),
        ("E(i ~ p, (x[i] - E(j ~ p, x[j]))^2) <= 1/4", "n in N, p in simplex(n), x in [0, 1]^n"),
    ] {
        assert!(is_proved(statement, ranges, ""), "{statement}");
    }
}

#[test]
fn what_fails_for_some_vector_is_not() {
    // A condition on a sum says nothing of the function of the mean that takes its place.
    assert!(!is_proved("mean(i in 1..n, x[i]^4) >= mean(x) + 1", "n in N, x in R^n", "mean(i in 1..n, x[i]^4) = 1"));
    // Nor does it say how the sides change on the way there.
    let means = "n in N, x in R^n, let S = mean(i in 1..n, x[i]^2), let T = mean(x)^2";
    for root in ["0.999985", "0.99985"] {
        let statement = format!("(S - 1)^2*(S - {root}) >= (T - 1)^2*(T - {root})");
        assert!(!is_proved(&statement, means, "S >= 1"), "{statement}");
    }
    for (statement, ranges) in [
        ("norm(x, 1) <= 0.999999*sqrt(n)*norm(x)", "n in N, x in R^n"),
        ("norm(x, 1) <= 10*norm(x)", "n in N, x in R^n"),
        ("exp(mean(x)) >= mean(i in 1..n, exp(x[i]))", "n in N, x in R^n"),
        ("entropy(p) <= log(n) - 1e-9", "n in N, p in simplex(n)"),
        ("lse((x + y)/2) <= (lse(x) + lse(y))/2 - 1e-9", "n in N, x, y in R^n"),
        ("entropy(p) >= 1e-9 - log(sum(i in 1..n, p[i]^2))", "n in N, p in simplex(n)"),
        ("entropy(p) <= -log(sum(i in 1..n, p[i]^2))", "n in N, p in simplex(n)"),
        ("kl(q, p) <= log(sum(i in 1..n, p[i]^2/q[i]))", "n in N, p, q in simplex(n)"),
        ("kl(p, q) >= tv(p, q)", "n in N, p, q in simplex(n)"),
        ("dot(x, y) >= 0", "n in N, x, y in R^n"),
        // The entry of an index within a vector, a number and its size as factors, and a root of two signs.
        ("n*norm(x)^2 <= sum(i in 1..n, sum(x[i]*x)) + 10^40", "n in N, x in [-1, 1]^n"),
        ("sum(i in 1..n, max(x[i]*y)) <= n*max(i in 1..n, x[i]*y[i]) + 10^30", "n in N, x, y in [-1, 1]^n"),
        ("sum(i in 1..n, abs(x[i]*abs(x[i]))) <= norm(x, 1) + 10^30", "n in N, x in [-1, 2]^n"),
        ("sum(i in 1..n, sqrt(y*x[i])) + 10^30 + n*y >= 0", "n in N, x in [0, 1]^n, y in [-1, 1]"),
        ("kl(p, q) >= 0.500001*norm(p - q, 1)^2", "n in N, p, q in simplex(n)"),
        ("kl(p, q) >= tv(p, q)^2 + tv(p, r)^2", "n in N, p, q, r in simplex(n)"),
        ("sum(i in 1..n, p[i]*log(q[i]/p[i])) >= norm(p - q, 1)^2/2", "n in N, p, q in simplex(n)"),
        // A vector without entries would be one of them.
        ("dot(x, x) + n > 0", "n in 0..5, x in R^n"),
        // A kink has a second derivative of zero on both sides.
        ("mean(i in 1..n, sqrt((x[i] - 1)^2)) <= sqrt((mean(x) - 1)^2)", "n in N, x in R^n"),
        ("mean(i in 1..n, abs(x[i] - 1)) <= abs(mean(x) - 1)", "n in N, x in R^n"),
        ("mean(i in 1..n, ((x[i] - 1)^4)^(1/4)) <= ((mean(x) - 1)^4)^(1/4)", "n in N, x in R^n"),
        // A function may bend upward on both sides of a pole, and not across.
        ("mean(i in 1..n, 1/x[i]^2) >= 1/mean(x)^2", "n in N, x in R^n"),
        ("mean(i in 1..n, log(x[i]^2)) <= log(mean(x)^2)", "n in N, x in R^n"),
        // The mean of probabilities is known where they are not weighted.
        ("E(i ~ p, log(q[i])) <= -log(n)", "n in N, p, q in simplex(n)"),
        ("E(i ~ p, log(p[i])) <= -log(n)", "n in N, p in simplex(n)"),
        // What does not depend on the entries is spread over them; zeros among probabilities make strict inequalities fail.
        ("tv(p, q) <= 1 - 1e-9", "n in N, p, q in simplex(n)"),
        ("tv(p, q) < 1", "n in N, p, q in simplex(n)"),
        ("sum(i in 1..n, sign(p[i])) >= n", "n in N, p in simplex(n)"),
        ("sum(i in 1..n, ceil(p[i])) >= n", "n in N, p in simplex(n)"),
        ("entropy(p) > 1 - sum(i in 1..n, p[i]^2)", "n in N, p in simplex(n)"),
        ("entropy(p) >= 1 - 0.999999*sum(i in 1..n, p[i]^2)", "n in N, p in simplex(n)"),
        ("kl(p, q) <= 0.499999*sum(i in 1..n, (p[i] - q[i])^2/q[i])", "n in N, p, q in simplex(n)"),
        ("sum(i in 1..n, (sqrt(p[i]) - sqrt(q[i]))^2) <= 1.999999*tv(p, q)", "n in N, p, q in simplex(n)"),
        ("norm(x - dot(x, u)*u) <= 0.999999*norm(x)", "n in N, x in R^n, u in sphere(n)"),
        ("norm(x - dot(x, u)*u) < norm(x)", "n in N, x in R^n, u in sphere(n)"),
        ("E(i ~ p, (x[i] - E(j ~ p, x[j]))^2) <= 0.249999", "n in N, p in simplex(n), x in [0, 1]^n"),
    ] {
        assert!(!is_proved(statement, ranges, ""), "{statement}");
    }
}
