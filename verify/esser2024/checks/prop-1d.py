"""Proposition 1, second sentence: the output u(x) = Θ x collapses to one dimension at convergence.

The flow of either loss is Θ' = -2 Θ C, solved by Θ(t) = Θ(0) exp(-2 C t), which is invertible at all times.
(R1) C = diag(0, 0, 1): the limit exists and keeps two columns of the start, of rank 2.
(R2, R2-moving) loss (2) on x_i = x_i⁺ = e_1, e_2: C = -I, Θ(t) = e^(2t) Θ(0): the direction never changes, rank 2.
(R3) at every finite time the rank is that of the start.
"""

import math
from fractions import Fraction as F

det = lambda a, b, c, d: a * d - b * c

# R1: one triple x = x- = e3, x+ = 0 gives C = diag(0, 0, 1)
theta = [[1, 2, 3], [3, 1, 2]]
limit = [[row[0], row[1], row[2] * math.exp(-2 * 30)] for row in theta]
assert max(abs(row[2]) for row in limit) < 1e-20
minor = det(limit[0][0], limit[0][1], limit[1][0], limit[1][1])
assert abs(minor) > 4, "a 2x2 minor of the limit is -5: rank 2"

# R2: gradient descent itself, exactly: Theta <- Theta - eta dL/dTheta with L = -sum_i |Theta e_i|^2 = -|Theta|_F^2
start, eta = [[F(1), F(2)], [F(3), F(1)]], F(1, 100)
now = [row[:] for row in start]
for _ in range(200):
    now = [[v + eta * 2 * v for v in row] for row in now]
growth = now[0][0] / start[0][0]
assert growth > 50, "the outputs move, and diverge"
assert all(now[r][c] == growth * start[r][c] for r in range(2) for c in range(2)), "Theta/|Theta| is what it was"
assert det(*now[0], *now[1]) != 0

# R3: det(Theta(t)) = det(Theta(0)) exp(-2 t tr C) never vanishes
assert all(abs(det(*map(float, start[0]), *map(float, start[1]))) * math.exp(-2 * t * 1.0) > 0 for t in (1, 10, 100))
print(
    "the limit has the minor",
    round(minor, 12),
    "; after growth by",
    float(growth) // 1,
    "the direction is the start's, of rank 2",
)
