"""Lemma B.3 (a): |uᵀ N v| ≤ O(√(s log m/m)) |u| |v| for s-sparse v, N = W_L D_(L-1) W_(L-1) ... D_a W_a, with high
probability.

The entries of W_L have the variance 1/d, so that N e_1 has length of order one; d should stand below the root, as the
proof of Lemma B.6 uses it. d = 1, L = 2, a = 1: given layer 1, N e_1 is normal with the variance Y = (2/m) Σ D_r g_r², E
Y = 1, Var Y = 5/m, so P(|N e_1| ≤ t) ≤ 2 t (2/π)^(1/2) + P(Y < 1/4), the last at most 80/(9m) by Chebyshev: it tends to 0
with t.
"""

import math
import random

series = []
for C in (1, 100):
    for k in (10, 20, 40, 60):
        m = 2.0**k
        s, t = 1, C * math.sqrt(math.log(m) / m)
        assert s <= m / (2 * math.log(m))
        above = min(1.0, 2 * t * math.sqrt(2 / math.pi) + 80 / (9 * m))
        series.append((C, f"m = 2^{k}", f"{above:.1e}"))
    assert above < 1e-4, "where at least 1 - e^(-c log m) = 1 - m^(-c) is promised"
rng, m = random.Random(3), 1024
sizes = []
for _ in range(200):  # draws; D_r is independent of the squares, by the symmetry of the signs
    y = 2 / m * sum(rng.gauss(0, 1) ** 2 for _ in range(m) if rng.random() < 0.5)
    sizes.append(abs(rng.gauss(0, math.sqrt(y))))
median = sorted(sizes)[100]
assert 0.4 < median < 1.0 and median > 5 * math.sqrt(math.log(m) / m), "of order one; the bound with C = 1 is 0.082"
print(
    "median of |N e_1| at m = 1024:",
    round(median, 3),
    "against",
    round(math.sqrt(math.log(m) / m), 3),
    "; P(bound with C) at most:",
    series,
)
