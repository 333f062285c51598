"""Numerical evaluation, Figure 3: gradient descent (11) and the scheme (12) stay close, end alike, and (12) is slightly
slower.

As η → 0, (11) (descending, projected) follows the gradient flow q' = -4Lq + L q qᵀ q + 3 q qᵀ L q and (12) follows (9).
(a) d = h = 2, z = 1, L = diag(-1, 0), q0 = (-3, -4)/5: on the unit sphere the ratio q_1/q_2 grows like e^(3t) under the
one and e^(2t) under the other: at t = 1/2 the two q are 0.1667 apart, however small η is.
(b) z = 2, L = diag(-2, -1), h = 3: at t = 1/4 the loss of (12) is below that of (11): it is not the slower one.
(c) z = 2, L = diag(-1, 0), h = 4: late, at t = 15, both are at minimisers, and these are 0.27 apart.
"""

import math


def mul(a, b):
    return [[sum(x * b[k][j] for k, x in enumerate(r)) for j in range(len(b[0]))] for r in a]


tr = lambda m: [list(r) for r in zip(*m)]
lin = lambda a, s, b: [[x + s * y for x, y in zip(p, r)] for p, r in zip(a, b)]


def polar(w):  # w (w^T w)^(-1/2) for one or two columns
    g = mul(tr(w), w)
    if len(g) == 1:
        return [[x / math.sqrt(g[0][0]) for x in r] for r in w]
    root = math.sqrt(g[0][0] * g[1][1] - g[0][1] ** 2)
    t = math.sqrt(g[0][0] + g[1][1] + 2 * root)  # (g + root I)/t is the square root of g
    a, b, c = (g[0][0] + root) / t, g[0][1] / t, (g[1][1] + root) / t
    det = a * c - b * b
    return mul(w, [[c / det, -b / det], [-b / det, a / det]])


def both(w1, w2, lam, end, n):
    eta, q = end / n, mul(tr(w1), w2)
    for _ in range(n):
        m = mul(tr(w1), w2)
        lm = [[l * v for v in r] for l, r in zip(lam, m)]
        g1, g2 = mul(w2, tr(lm)), mul(w1, lm)
        w1, w2 = polar(lin(w1, -2 * eta, g1)), polar(lin(w2, -2 * eta, g2))
        lq = [[l * v for v in r] for l, r in zip(lam, q)]
        cubic = lin(mul(lq, mul(tr(q), q)), 1, mul(q, mul(tr(q), lq)))
        q = lin(q, -2 * eta, lin(lin(lq, 1, lq), -1, cubic))
    m = mul(tr(w1), w2)
    loss = lambda v: sum(l * x * x for l, r in zip(lam, v) for x in r)
    gap = math.sqrt(sum((x - y) ** 2 for p, r in zip(m, q) for x, y in zip(p, r)))
    return gap, loss(q), loss(m)


eye = lambda h: [[1.0 if i == j else 0.0 for j in range(2)] for i in range(h)]
series = [(n, round(both(eye(2), [[-0.6], [-0.8]], (-1, 0), 0.5, n)[0], 5)) for n in (50, 300, 1800)]
point = lambda rate: (lambda r: (-r / math.hypot(1, r), -1 / math.hypot(1, r)))(0.75 * math.exp(rate * 0.5))
limit = math.dist(point(2), point(3))
assert abs(limit - 0.16666) < 1e-4 and abs(series[-1][1] - limit) < 1e-3, "does not vanish with eta = 0.5/n"
w2 = [[0.36, 0.8], [0.48, -0.6], [0.8, 0.0]]
losses = [both(eye(3), w2, (-2, -1), 0.25, n)[1:] for n in (400, 2000)]
assert all(slow - fast < -1e-3 for slow, fast in losses)
m0 = [[-0.6, 0.0], [-0.64, -0.6], [0.48, -0.8], [0.0, 0.0]]
apart = both(eye(4), m0, (-1, 0), 15, 600)[0]
assert apart > 0.2
print(
    "(steps, distance at t = 1/2):",
    series,
    "limit",
    round(limit, 5),
    "; losses of (12), (11):",
    [round(v, 5) for v in losses[-1]],
    "; apart at t = 15:",
    round(apart, 3),
)
