"""Theorem 4.2: for d ≥ Ω((log m)²), without an upper limit, the mean of |loss^(t)| over T steps is at most ε, T and ε
free of d.

Step sizes are c d/m. For d far beyond m the gradient of W_L does not fall like m/d, so the first step makes queries and
keys of length d/m, with logits of random sign that outgrow everything: for about every other start |loss^(1)| grows
with d while T ε stays. n = 2, k = 1, x_1, x_2 orthogonal, L = 1, m = 6, η = γ = d/m, one exact gradient step. (d ≤
O(m/(L log m)) stands in Lemmas B.3 and B.6.) In the limit d → ∞ the probability of growth is at least 1/2 - (9 π² - 12
π)/m - 2 * 4^(-m); see the erratum.
"""

import math
import random

m = 6
s = lambda t: 1 / (1 + math.exp(-t)) if t > -700 else 0.0
dot = lambda u, v: sum(a * b for a, b in zip(u, v))
relu = lambda pre: [max(0.0, v) for v in pre]
minus = lambda u, v: [a - b for a, b in zip(u, v)]


def normal(rng, rows, cols, deviation):
    return [[rng.gauss(0, deviation) for _ in range(cols)] for _ in range(rows)]


def outputs(first, last):  # of the two inputs; first by inputs, last by columns
    return [[dot(relu(pre), row) for row in zip(*last)] for pre in first]


def losses(q, k):  # Facts 1 and 2: the vectors of the queries and those of the keys
    z = minus(k[1], k[0])
    p0, p1 = s(dot(q[0], z)), s(-dot(q[1], z))
    hat = minus([p1 * v for v in q[1]], [p0 * v for v in q[0]])
    return [[p0 * v for v in z], [-p1 * v for v in z]], [hat, [-v for v in hat]]


def step(first, last, vectors, rate):  # gradients (1/n) sum loss_i h_i^T and (1/n) sum D W_1^T loss_i x_i^T
    moved = [[p - rate / 2 * dot(c, v) * (p > 0) for p, c in zip(pre, last)] for pre, v in zip(first, vectors)]
    h = zip(*map(relu, first))
    return moved, [[c - rate / 2 * dot(pair, e) for c, *e in zip(col, *vectors)] for col, pair in zip(last, h)]


def growth(d, seed):
    rng = random.Random(seed)
    W0, T0 = (normal(rng, 2, m, math.sqrt(2 / m)) for _ in range(2))
    W1, T1 = (normal(rng, m, d, 1 / math.sqrt(d)) for _ in range(2))
    before = losses(outputs(W0, W1), outputs(T0, T1))
    query, key = step(W0, W1, before[0], d / m), step(T0, T1, before[1], d / m)
    after = losses(outputs(*query), outputs(*key))
    return math.hypot(*sum(sum(after, []), [])) / math.hypot(*sum(sum(before, []), []))


rows = [[float(f"{growth(d, seed):.2g}") for d in (50, 400, 3200)] for seed in range(8)]
grew = sum(r[2] > 50 and r[2] > 5 * r[1] > 5 * r[0] for r in rows)
assert grew >= 3, "|loss^(1)|/|loss^(0)| grows about like d"
at_most = lambda width: 0.5 + (9 * math.pi**2 - 12 * math.pi) / width + 2 * 4.0 ** -min(width, 500)
for C, width in ((C, width) for C in (1, 100) for width in (4 * (C + 52), 10**6, 10**15)):
    assert at_most(width) < 1 - C / width, "the limit of P(|loss^(1)| ≤ T ε) as d grows, at this and every larger width"
print("|loss^(1)|/|loss^(0)| at d = 50, 400, 3200 for eight starts:", rows)
