"""Lemma B.4: for ω ≤ O(L^(-9/2) (log m)³) and |W - W(0)|_2 ≤ ω: |h_l - h_l(0)| ≤ O(ω L^(5/2) √(log m)), |D' W h| ≤ O(ω
L^(3/2)).

The exponent of log m should be negative (as in Lemma 4.4): the printed range contains balls of any radius as m grows. L
= 2, W'_l = ω u_l u_(l-1)ᵀ with the unit hidden vectors u: every h_l keeps its direction and |h_1| grows to (r_0 +
ω)(r_1 + ω), so it moves by at least ω². With ω = L^(-9/2) (log m)³, ω² beats C ω L^(5/2) √(log m) for large m. For all
inputs at once nothing relates n to m either: n = 100/ω points on a circle leave some unit within ω of its kink.
"""

import math
import random

rng, m, L = random.Random(4), 30, 2
draw = lambda rows, cols: [[rng.gauss(0, math.sqrt(2 / m)) for _ in range(cols)] for _ in range(rows)]
layer = lambda a, v: [max(0.0, sum(x * y for x, y in zip(r, v))) for r in a]
unit = lambda v: [t / math.hypot(*v) for t in v]
add = lambda a, w, u, v: [[t + w * p * q for t, q in zip(row, v)] for row, p in zip(a, u)]
x, W = [1.0, 0.0, 0.0], [draw(m, 3), draw(m, m)]
h0 = layer(W[0], x)
h1 = layer(W[1], h0)
w = 44.0
V = [add(W[0], w, unit(h0), x), add(W[1], w, unit(h1), unit(h0))]
moved = math.dist(layer(V[1], layer(V[0], x)), h1)
assert moved >= w * w, "spectral norms of the two changes are w"

rows = []
for C in (1.0, 10.0, 100.0):
    first = (130 * C) ** 0.4  # ω² is above the bound from this log m on
    for log_m, factor in ((first, 1), (2 * first, 5)):
        w = L**-4.5 * log_m**3
        bound = C * w * L**2.5 * math.sqrt(log_m)
        assert w > 1 and w * w > factor * bound, "the ratio grows like (log m)^(5/2)"
    assert w * (w - 2) > C * w * L**1.5, "second half of (b): inactive units of layer 1 flipped"
    assert (w / math.sqrt(L)) ** L > bound, "the tuple's Frobenius norm: w/sqrt L for each"
    rows.append((C, round(log_m, 1), f"{w * w:.1e}", f"{bound:.1e}"))

m, X = 10**4, 0.5  # X = m w^(2/3) with C = 1: no flip is allowed at L = 1, with probability 1 - e^(-c X)
w = (X / m) ** 1.5
n = 100 / w  # some point of the circle is within pi/n of the kink of unit r, so its pre-activation within |w_r| pi/n
all_far = -((m * n * w / (2 * math.pi)) ** 2)  # log of P(|w_r| >= n w/pi for all r), |w_r|^2 = (2/m) chi^2_2
assert all_far < -1e6 and 1 - math.exp(-X) > 0.39
print(
    f"w = 44, m = 30: h_1 moved by {moved:.0f} ; (C, log m, moved, bound): {rows} ;",
    f"circle: log P(no flip) < {all_far:.0e}",
)
