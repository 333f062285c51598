"""Proposition 1, first sentence: all components obey the same equation and therefore have the same fixed points.

Read as "what a component converges to" this fails.  u(x) = Θ x, d = z = 2, loss (1) with one triple x = x⁻ = e2, x⁺ = 0, so
L = |Θ e2|².  The flow Θ' = -2 Θ C, C = diag(0, 1), keeps the first column and sends the second to zero: rows
(1, 1) and (2, 1) converge to (1, 0) and (2, 0).  The common equation has a line of points at rest; the start chooses.
"""

import math
from fractions import Fraction as F

x, plus, minus = (0, 1), (0, 0), (0, 1)
apply = lambda t, v: [t[r][0] * v[0] + t[r][1] * v[1] for r in range(2)]
loss = lambda t: sum(a * (b - c) for a, b, c in zip(apply(t, x), apply(t, minus), apply(t, plus)))


def gradient(t):  # central differences, exact for a quadratic
    out = [[0, 0], [0, 0]]
    for r in range(2):
        for c in range(2):
            up = [row[:] for row in t]
            down = [row[:] for row in t]
            up[r][c] += 1
            down[r][c] -= 1
            out[r][c] = F(loss(up) - loss(down), 2)
    return out


start = [[1, 1], [2, 1]]
assert gradient(start) == [[0, 2 * start[0][1]], [0, 2 * start[1][1]]], "so theta_r1' = 0 and theta_r2' = -2 theta_r2"
end = [[row[0], row[1] * math.exp(-2 * 20)] for row in start]  # time 20
assert all(abs(row[1]) < 1e-15 for row in end) and max(abs(v) for row in gradient([[1, 0], [2, 0]]) for v in row) == 0
distance = math.hypot(end[0][0] - end[1][0], end[0][1] - end[1][1])
assert distance > 0.99
print("the two components converge to", [round(v) for v in end[0]], "and", [round(v) for v in end[1]])
