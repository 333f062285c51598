"""Theorem 1: under Assumptions 1 and 2, with m large enough, gradient descent finds parameters with L̂_un ≤ ε within poly steps.

Assumption 1 read as it stands, for the set X_data: three orthonormal samples x, y, w (δ = √2) in the triplets (x, y, w) and
(x, w, y). Every encoder has L̂_un = ζ(a) + ζ(−a) ≥ 2 log 2 with a = f(x)·(f(w) − f(y)), by convexity, at every width m: no ε < 1.38
can be reached. That Assumption 2 holds meanwhile is seen on a run from a random start (m = 16, L = 1, d = 2, the step of the
theorem with constant 1): all norms stay between η = 0.1 and C = 10 during 400 updates, after which L̂_un is at rest at 2 log 2.
"""

from math import exp, log, log1p, sqrt
from random import Random

WIDTH, OUTPUT, STEPS = 16, 2, 400
SAMPLES = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
TRIPLETS = [(0, 1, 2), (0, 2, 1)]
draw = Random(2).gauss
A = [[draw(0, sqrt(2 / WIDTH)) for _ in range(3)] for _ in range(WIDTH)]
W = [[draw(0, sqrt(2 / WIDTH)) for _ in range(WIDTH)] for _ in range(WIDTH)]
B = [[draw(0, sqrt(1 / OUTPUT)) for _ in range(WIDTH)] for _ in range(OUTPUT)]
RATE = OUTPUT * sqrt(2) / (2 * 2 * WIDTH)


def zeta(a):
    return max(a, 0.0) + log1p(exp(-abs(a)))


def times(matrix, x):
    return [sum(a * b for a, b in zip(row, x)) for row in matrix]


def dot(x, y):
    return sum(a * b for a, b in zip(x, y))


assert all(zeta(k / 10) + zeta(-k / 10) >= 2 * log(2) for k in range(-300, 301)), "no encoder gets below 2 log 2"
norms, loss, first = [], 0.0, 0.0
for step in range(STEPS + 1):
    bottom = [[max(g, 0.0) for g in times(A, x)] for x in SAMPLES]
    top = [[max(g, 0.0) for g in times(W, hidden)] for hidden in bottom]
    z = [times(B, hidden) for hidden in top]
    norms += [sqrt(dot(f, f)) for f in z]
    logits = [dot(z[i], [c - b for b, c in zip(z[j], z[k])]) for i, j, k in TRIPLETS]
    loss = sum(map(zeta, logits))
    first = first or loss
    outer = [[0.0] * OUTPUT for _ in SAMPLES]
    for (i, j, k), a in zip(TRIPLETS, logits):
        s = 1 / (1 + exp(-a))
        for o in range(OUTPUT):
            outer[i][o] += s * (z[k][o] - z[j][o])
            outer[j][o] -= s * z[i][o]
            outer[k][o] += s * z[i][o]
    moves = []
    for x, hidden, high, vector in zip(SAMPLES, bottom, top, outer):
        at_top = [dot([row[u] for row in B], vector) * (high[u] > 0) for u in range(WIDTH)]
        at_bottom = [dot([row[u] for row in W], at_top) * (hidden[u] > 0) for u in range(WIDTH)]
        moves += [(B, vector, high), (W, at_top, hidden), (A, at_bottom, x)]
    for matrix, left, right in moves:
        for row, a in zip(matrix, left):
            row[:] = [entry - RATE * a * b for entry, b in zip(row, right)]

assert 0.1 < min(norms) and max(norms) < 10, "Assumption 2 holds all along"
assert 2 * log(2) - 1e-12 < loss < 2 * log(2) + 1e-6, "at rest at 2 log 2, above ε = 1"

print(f"L̂_un from {first:.4f} to {loss:.6f} ≥ 2 log 2, norms of outputs within [{min(norms):.2f}, {max(norms):.2f}]")
