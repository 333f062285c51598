"""Lemma C.2: P(W_i) ≥ δ/(n √(128 e)), W_i = {|w.h_i| ≤ ξ and |(w - (w.h_i)h_i).h_j| ≥ 2 ξ for j ≠ i}, ξ = √π δ/(16 n).

For unit h_i, h_j with |h_i - h_j| ≥ δ/2 only, as stated, it fails when h_j comes near -h_i: then the second number is
sin(t) g with a small sine.  n = 2, t = 3, δ = 2: P = P(|g| ≤ ξ) P(|g| ≥ 2 ξ/sin 3) = 0.0103 against 0.0536; at t = π it is 0.
For outputs of a ReLU layer, whose angles are at most π/2, it holds.
"""

import math

n, delta = 2, 2.0
xi = math.sqrt(math.pi) * delta / (16 * n)
bound = delta / (n * math.sqrt(128 * math.e))
below = lambda t: math.erf(t / math.sqrt(2))  # P(|g| <= t)


def probability(t):
    s = math.sin(t)
    return below(xi) * (1 - below(2 * xi / s)) if s > 1e-12 else 0.0  # the two numbers are independent


rows = []
for t in (1.0, math.pi / 2, 2.9, 3.0, 3.1, math.pi):
    chord = 2 * math.sin(t / 2)
    rows.append((round(t, 4), round(chord, 3), round(probability(t), 4)))
    if t > 2.8:
        assert chord >= delta / 2, "the printed hypothesis"
assert abs(probability(3.0) - 0.010269) < 1e-5 and bound - probability(3.0) > 0.04
xi = math.sqrt(math.pi) / (16 * n)  # delta = 1: in the orthant, from the least chord on, the bound holds
assert all(probability(t) >= 1 / (n * math.sqrt(128 * math.e)) for t in (2 * math.asin(0.25), 1.0, math.pi / 2))
xi *= delta
print("(angle, chord, P):", rows, "; bound", round(bound, 4))
