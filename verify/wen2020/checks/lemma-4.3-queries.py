"""Lemma 4.3, A.3: Ω(m δ/(n³ d)) Σ |l̃oss_i|² ≤ |∇_W L_S|² ≤ O(L m/(n d)) Σ |l̃oss_i|² in the balls.

(a) Lower bound, six points on a regular hexagon (δ = 1), L = 1, k = 1: f(x) - f(-x) = W_1 W_0 x is linear, so Σ (-1)^i
f(x_i) = 0 for all weights, and loss vectors (-1)^i v leave ∇_W = 0. Keys k_i = -cos(i π/3), queries c k_i (d = 1) have
such loss vectors for one c. These outputs are near: f is linear in W_0 while no unit changes its sign, with the Gram
matrix (m/2) K, K circulant of cos t (1 - t/π), of eigenvalues 5/6 and more except 0 on (-1)^i, to which all outputs are
orthogonal. So the squared distance is at most (12/(5 m)) |c k - f|², E |f|² = 6, |k|² = 3: more than four times its
mean with probability at most 1/4. (b) Upper bound with d = 4 C m, n = 2, x_1, x_2 orthogonal: |∇_(W_1)|² ≥ (1/4)(1 -
1/π) Σ |l̃oss_i|² as m → ∞, since the Gram matrix [[1, 1/π], [1/π, 1]] of the hidden vectors has that least eigenvalue,
against C L m/(n d) = 1/8.
"""

import math
import random

sign = [(-1) ** i for i in range(6)]
points = [(math.cos(i * math.pi / 3), math.sin(i * math.pi / 3)) for i in range(6)]
rng = random.Random(2)
W0 = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(40)]
W1 = [rng.gauss(0, 1) for _ in range(40)]
f = lambda p: sum(b * max(0.0, w[0] * p[0] + w[1] * p[1]) for b, w in zip(W1, W0))
assert abs(sum(s * f(p) for s, p in zip(sign, points))) < 1e-12 and abs(f(points[0])) > 0.1

keys = [-p[0] for p in points]


def loss_vector(i, c):
    """Fact 1 for k = 1: the mean over the one negative, for queries c k_i."""
    steps = [key - keys[i] for j, key in enumerate(keys) if j != i]
    return sum(z / (1 + math.exp(-c * keys[i] * z)) for z in steps) / 5


low, high = 0.0, 5.0
gap = lambda c: loss_vector(0, c) + loss_vector(1, c)
assert gap(low) > 0 > gap(high)
for _ in range(60):
    middle = (low + high) / 2
    low, high = (middle, high) if gap(middle) > 0 else (low, middle)
vectors = [loss_vector(i, low) for i in range(6)]
assert max(abs(v - s * vectors[0]) for v, s in zip(vectors, sign)) < 1e-12 and abs(vectors[0]) > 0.02

kernel = [math.cos(i * math.pi / 3) * (1 - min(i, 6 - i) / 3) for i in range(6)]
eigen = [sum(kernel[i] * math.cos(math.pi * j * i / 3) for i in range(6)) for j in range(6)]
assert abs(eigen[3]) < 1e-12 and min(e for j, e in enumerate(eigen) if j != 3) > 5 / 6 - 1e-12
distance = lambda m: math.sqrt(12 / (5 * m) * 4 * (3 * low * low + 6))
radius = lambda m, c: c / (6**3 * math.log(m) ** 1.5)
inside = [(c, next(k for k in range(10, 400) if distance(2.0**k) < radius(2.0**k, c))) for c in (1.0, 1e-3, 1e-6)]

C = 3.0
assert 0.25 * (1 - 1 / math.pi) - C * 1 / (2 * 4 * C) > 0.04, "(b), with d = 4 C m"
print(
    f"hexagon: c = {low:.4f} , loss vectors +- {abs(vectors[0]):.4f} ;",
    f"(constant, log2 of a width with the point in the ball): {inside}",
)
