"""Lemma B.4: for ω ≤ O(L^(-9/2) (log m)³) and |W - W(0)|_2 ≤ ω: |h_l - h_l(0)| ≤ O(ω L^(5/2) √(log m)), |D' W h| ≤ O(ω
L^(3/2)).

The exponent of log m should be negative (as in Lemma 4.4): the printed range contains balls of any radius as m grows. L =
2, W'_l = ω u_l u_(l-1)ᵀ with the unit hidden vectors u: every h_l keeps its direction and |h_1| grows to (r_0 + ω)(r_1 +
ω), so it moves by at least ω². With ω = L^(-9/2) (log m)³, ω² beats C ω L^(5/2) √(log m) for large m. For all inputs at
once nothing relates n to m either: n = 100/ω points on a circle leave some unit within ω of its kink.
"""

import math
import random

rng, m, L = random.Random(4), 30, 2
draw = lambda rows, cols: [[rng.gauss(0, math.sqrt(2 / m)) for _ in range(cols)] for _ in range(rows)]
mul = lambda a, v: [sum(x * y for x, y in zip(r, v)) for r in a]
relu = lambda v: [max(0.0, t) for t in v]
norm = lambda v: math.sqrt(sum(t * t for t in v))
x, W = [1.0, 0.0, 0.0], [draw(m, 3), draw(m, m)]
h0 = relu(mul(W[0], x))
h1 = relu(mul(W[1], h0))
u0, u1 = [t / norm(h0) for t in h0], [t / norm(h1) for t in h1]
w = 44.0
add = lambda a, u, v: [[a[r][c] + w * u[r] * v[c] for c in range(len(v))] for r in range(m)]
V = [add(W[0], u0, x), add(W[1], u1, u0)]
moved = norm([a - b for a, b in zip(relu(mul(V[1], relu(mul(V[0], x)))), h1)])
assert moved >= w * w, "spectral norms of the two changes are w"
rows = []
for C in (1.0, 10.0, 100.0):
    log_m = (130 * C) ** 0.4  # from here on
    w = L**-4.5 * log_m**3
    bound = C * w * L**2.5 * math.sqrt(log_m)
    assert w > 1 and w * w > bound
    log_m *= 2
    w2 = L**-4.5 * log_m**3
    assert w2 * w2 / (C * w2 * L**2.5 * math.sqrt(log_m)) > 5, "the ratio grows like (log m)^(5/2)"
    assert w2 * (w2 - 2) > C * w2 * L**1.5, "second half of (b): inactive units of layer 1 flipped"
    assert (w2 / math.sqrt(L)) ** L > C * w2 * L**2.5 * math.sqrt(log_m), "the tuple's Frobenius norm: w/sqrt L for each"
    rows.append((C, round(log_m, 1), f"{w2 * w2:.1e}", f"{C * w2 * L ** 2.5 * math.sqrt(log_m):.1e}"))
m, X = 10**4, 0.5  # X = m w^(2/3) with C = 1: no flip is allowed at L = 1, with probability 1 - e^(-c X)
w = (X / m) ** 1.5
n = 100 / w  # some point of the circle is within pi/n of the kink of unit r, so its pre-activation within |w_r| pi/n
all_far = -((m * n * w / (2 * math.pi)) ** 2)  # log of P(|w_r| >= n w/pi for all r), |w_r|^2 = (2/m) chi^2_2
assert all_far < -1e6 and 1 - math.exp(-X) > 0.39
print(
    "w = 44, m = 30: h_1 moved by",
    round(moved),
    "; (C, log m, moved, bound):",
    rows,
    "; circle: log P(no flip) <",
    f"{all_far:.0e}",
)
