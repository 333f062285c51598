"""Numerical evaluation, Figure 3: gradient descent (11) and the scheme (12) stay close, end alike, and (12) is slightly
slower.

As η → 0, (11) (descending, projected) follows the gradient flow q' = -4Lq + L q qᵀ q + 3 q qᵀ L q and (12) follows (9).
(a) d = h = 2, z = 1, L = diag(-1, 0), q0 = (-3, -4)/5: on the unit sphere the ratio q_1/q_2 grows like e^(3t) under the
one and e^(2t) under the other: at t = 1/2 the two q are 0.1667 apart, however small η is.
(b) z = 2, L = diag(-2, -1), h = 3: at t = 1/4 the loss of (12) is below that of (11): it is not the slower one.
(c) z = 2, L = diag(-1, 0), h = 4: late, at t = 15, both are at minimisers, and these are 0.27 apart.
"""

from math import dist, exp, hypot

mul = lambda a, b: [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]
tr = lambda a: list(zip(*a))
lin = lambda a, s, b: [[x + s * y for x, y in zip(p, r)] for p, r in zip(a, b)]
loss = lambda lam, q: sum(x * y for p, r in zip(q, mul(lam, q)) for x, y in zip(p, r))  # tr(qᵀ L q)
apart = lambda pair: dist(*(sum(q, []) for q in pair))


def polar(w):
    """w (wᵀw)^(-1/2), by Newton's iteration from a w that is close to it."""
    for _ in range(6):
        w = lin(w, 0.5, lin(w, -1, mul(w, mul(tr(w), w))))
    return w


def both(w2, lam, end, n):
    """The q = w1ᵀ w2 of (11) and the q of (12) at the time end, after n steps from w1 = (I, 0)ᵀ."""
    w1, q, eta = [[float(i == j) for j in range(2)] for i in range(len(w2))], w2[:2], end / n
    for _ in range(n):
        lm, lq = mul(lam, mul(tr(w1), w2)), mul(lam, q)
        w1, w2 = polar(lin(w1, -2 * eta, mul(w2, tr(lm)))), polar(lin(w2, -2 * eta, mul(w1, lm)))
        cubic = lin(mul(lq, mul(tr(q), q)), 1, mul(q, mul(tr(q), lq)))
        q = lin(q, -2 * eta, lin(lin(lq, 1, lq), -1, cubic))
    return mul(tr(w1), w2), q


low = [[-1, 0], [0, 0]]
series = [(n, round(apart(both([[-0.6], [-0.8]], low, 0.5, n)), 5)) for n in (50, 300, 1800)]
ends = [(-ratio / hypot(1, ratio), -1 / hypot(1, ratio)) for ratio in (0.75 * exp(2 * 0.5), 0.75 * exp(3 * 0.5))]
limit = dist(*ends)
assert abs(limit - 0.16666) < 1e-4 and abs(series[-1][1] - limit) < 1e-3, "does not vanish with eta = 0.5/n"
start, lam = [[0.36, 0.8], [0.48, -0.6], [0.8, 0.0]], [[-2, 0], [0, -1]]
losses = [[loss(lam, q) for q in both(start, lam, 0.25, n)] for n in (400, 2000)]
assert all(slow - fast < -1e-3 for fast, slow in losses)
late = apart(both([[-0.6, 0.0], [-0.64, -0.6], [0.48, -0.8], [0.0, 0.0]], low, 15, 600))
assert late > 0.2
print(
    f"(steps, distance at t = 1/2): {series} limit {limit:.5f} ; losses of (12), (11):",
    f"{[round(v, 5) for v in losses[-1][::-1]]} ; apart at t = 15: {late:.3f}",
)
