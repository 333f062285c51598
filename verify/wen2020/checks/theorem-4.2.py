"""Theorem 4.2: for d ≥ Ω((log m)²), without an upper limit, the mean of |loss^(t)| over T steps is at most ε, T and ε free
of d.

Step sizes are c d/m. For d far beyond m the gradient of W_L does not fall like m/d, so the first step makes queries and
keys of length d/m, with logits of random sign that outgrow everything: for about every other start |loss^(1)| grows with
d while T ε stays. n = 2, k = 1, x_1, x_2 orthogonal, L = 1, m = 6, η = γ = d/m, one exact gradient step. (d ≤ O(m/(L log
m)) stands in Lemmas B.3 and B.6.) In the limit d → ∞ the probability of growth is at least 1/2 - (9 π² - 12 π)/m - 2 *
4^(-m); see the erratum.
"""

import math
import random

s = lambda t: 1 / (1 + math.exp(-t)) if t > -700 else 0.0
dot = lambda u, v: sum(a * b for a, b in zip(u, v))
m = 6


def start(d, seed):
    rng = random.Random(seed)
    W0, T0 = ([[rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)] for _ in range(2)] for _ in range(2))  # by inputs
    W1, T1 = ([[rng.gauss(0, 1 / math.sqrt(d)) for _ in range(d)] for _ in range(m)] for _ in range(2))  # by columns
    return W0, W1, T0, T1


relu = lambda pre: [max(0.0, v) for v in pre]
out = lambda cols, h: [sum(a * c for a, c in zip(h, row)) for row in zip(*cols)]


def losses(q, k):  # Facts 1 and 2
    z = [b - a for a, b in zip(k[0], k[1])]
    P = [s(dot(q[0], z)), s(-dot(q[1], z))]
    tilde = [[P[0] * v for v in z], [-P[1] * v for v in z]]
    hat = [[P[1] * b - P[0] * a for a, b in zip(q[0], q[1])], [P[0] * a - P[1] * b for a, b in zip(q[0], q[1])]]
    return tilde, hat


def size(q, k):
    tilde, hat = losses(q, k)
    return math.sqrt(sum(dot(v, v) for v in tilde + hat))


def step(first, cols, vectors, rate):  # gradients (1/n) sum loss_i h_i^T and (1/n) sum D W_1^T loss_i x_i^T
    h = [relu(p) for p in first]
    back = [[dot(c, v) for c in cols] for v in vectors]
    new_first = [[p - rate / 2 * (b if p > 0 else 0.0) for p, b in zip(first[i], back[i])] for i in range(2)]
    new_cols = [[c - rate / 2 * (h[0][r] * u + h[1][r] * v) for c, u, v in zip(cols[r], *vectors)] for r in range(m)]
    return new_first, new_cols


rows = []
for seed in range(8):
    sizes = []
    for d in (50, 400, 3200):
        W0, W1, T0, T1 = start(d, seed)
        q, k = [out(W1, relu(p)) for p in W0], [out(T1, relu(p)) for p in T0]
        tilde, hat = losses(q, k)
        before = size(q, k)
        W0, W1 = step(W0, W1, tilde, d / m)
        T0, T1 = step(T0, T1, hat, d / m)
        sizes.append(size([out(W1, relu(p)) for p in W0], [out(T1, relu(p)) for p in T0]) / before)
    rows.append([float(f"{v:.2g}") for v in sizes])
grew = sum(r[2] > 50 and r[2] > 5 * r[1] > 5 * r[0] for r in rows)
assert grew >= 3, "|loss^(1)|/|loss^(0)| grows about like d"
at_most = lambda width: 0.5 + (9 * math.pi**2 - 12 * math.pi) / width + 2 * 4.0 ** -min(width, 500)
for C in (1, 100):
    for width in (4 * (C + 52), 10**6, 10**15):
        assert at_most(width) < 1 - C / width, "the limit of P(|loss^(1)| ≤ T ε) as d grows, at this and every larger width"
print("|loss^(1)|/|loss^(0)| at d = 50, 400, 3200 for eight starts:", rows)
