"""Proposition 3, last sentence: the constraints avoid dimension collapse (for C with a negative eigenvalue).

The constrained loss is L(M) = Tr(Mᵀ C M) with |M|_2 ≤ 1, M = W1ᵀ W2 of rank at most h.
(a) C = diag(-1, 1), d = z = 2, h = 4: L = -|row 1|² + |row 2|² ≥ -1, with equality only if row 2 = 0: rank one.
(b) C = diag(-1, -2), which the proof grants, and h = 1: M = w1ᵀ w2 has rank at most one.
(c) with the printed squared norm M = 0 has the least loss, 0: rank zero.
"""

import itertools
from fractions import Fraction as F

loss = lambda m, c: sum(c[i] * m[i][j] ** 2 for i in range(2) for j in range(2))
grid = [F(k, 5) for k in range(-5, 6)]


def contraction(m):  # I - M^T M is positive semidefinite
    a = 1 - m[0][0] ** 2 - m[1][0] ** 2
    b = 1 - m[0][1] ** 2 - m[1][1] ** 2
    off = m[0][0] * m[0][1] + m[1][0] * m[1][1]
    return a >= 0 and b >= 0 and a * b >= off * off


optimal, gap = set(), None
for v in itertools.product(grid, repeat=4):
    m = (v[:2], v[2:])
    if contraction(m):
        value = loss(m, (-1, 1))
        assert value >= -1
        if value == -1:
            optimal.add(m)
        elif v[0] * v[3] != v[1] * v[2]:
            gap = value + 1 if gap is None else min(gap, value + 1)
assert optimal and all(m[0][0] * m[1][1] == m[0][1] * m[1][0] for m in optimal), "every optimum on the grid has rank one"
assert gap > 0, "the proof: -1 needs |row 1| = 1 and row 2 = 0"
# (b): with one hidden unit every determinant vanishes
assert all(a * x * (b * y) == a * y * (b * x) for a, b, x, y in itertools.product(grid[::5], repeat=4))
assert loss(((0, 0), (0, 0)), (-1, -2)) ** 2 == 0  # (c)
print(len(optimal), "optima on the grid, all of rank one; the best of rank two misses -1 by", gap)
