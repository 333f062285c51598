"""Fact 2: dL_S/dk_i = Σ_{j ≠ i} (l(x_j, x_i) - l(x_i, x_j)), l(x_i, x_j) the mean over the sets that contain j.

The right side is n times the derivative. n = 3, k = 1, queries 1, 0, 0 and keys 0: every logit is 0, l(x_1, x_j) =
(1/2)(1/2) q_1, the mean over C(2, 1) = 2 sets of which one contains j. For i = 1: -(1/4 + 1/4) = -1/2, and dL_S/dk_1 =
-1/6.
"""

import math
from itertools import combinations

n, k = 3, 1
q, keys = [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]
sets = lambda i: list(combinations([j for j in range(n) if j != i], k))


def loss(keys):
    term = lambda i, A: math.log(1 + sum(math.exp(q[i] * (keys[s] - keys[i])) for s in A))
    return sum(sum(term(i, A) for A in sets(i)) / len(sets(i)) for i in range(n)) / n


def l(i, j):
    e = lambda s: math.exp(q[i] * (keys[s] - keys[i]))
    return sum(e(j) / (1 + sum(e(s) for s in A)) for A in sets(i) if j in A) / len(sets(i)) * q[i]


h = 1e-5
rows = []
for i in range(n):
    move = lambda e: [v + e * (j == i) for j, v in enumerate(keys)]
    slope = (loss(move(h)) - loss(move(-h))) / (2 * h)
    fact = sum(l(j, i) - l(i, j) for j in range(n) if j != i)
    assert abs(fact - n * slope) < 1e-8
    rows.append((round(slope, 6), round(fact, 6)))
assert rows[0] == (round(-1 / 6, 6), -0.5) and abs(rows[0][0] - rows[0][1]) > 0.3
print("(derivative, Fact 2) for i = 1, 2, 3:", rows)
