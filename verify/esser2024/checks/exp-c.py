"""After Theorem 3: E[C̃] = Σ E[x_i] E[x_i⁻]ᵀ - E[x_i x_i⁺ᵀ] = -n E[x xᵀ], so E[C] is negative definite.

The first term is dropped: E[C̃] = -n Cov(x). d = 1, x in {0, 1} with equal weights, x⁻ independent, x⁺ = x + e with E e =
0: E[C̃] = 1/4 - 1/2 = -1/4 for n = 1, where -E[x²] = -1/2. And it is not definite if x lies in a hyperplane: x in {(0,
0), (1, 1)} gives vᵀ E[C] v = 0 at v = (1, -1); x in {(1, 0), (1, 1)}, where E[x xᵀ] is definite, gives 0 at v = (1, 0).
"""

import itertools
from fractions import Fraction as F


def expectation(points, noise=(-1, 1)):  # all values of (x, x-, e) alike; e has mean zero, which is all that is used of it
    d = len(points[0])
    total = [[F(0)] * d for _ in range(d)]
    cases = list(itertools.product(points, points, itertools.product(noise, repeat=d)))
    for x, minus, e in cases:
        for i in range(d):
            for j in range(d):
                total[i][j] += F(x[i] * (minus[j] - (x[j] + e[j])), len(cases))
    return total


one = expectation([(0,), (1,)])[0][0]
second = F(0 + 1, 2)  # E[x^2]
assert one == F(-1, 4) and -second == F(-1, 2) and one - (-second) == F(1, 4)
form = lambda c, v: sum(v[i] * (c[i][j] + c[j][i]) / 2 * v[j] for i in range(2) for j in range(2))
assert form(expectation([(0, 0), (1, 1)]), (1, -1)) == 0 == form(expectation([(1, 0), (1, 1)]), (1, 0))
assert F(1) * F(1, 2) - F(1, 2) ** 2 > 0, "in the last example E[x x^T] = [[1, 1/2], [1/2, 1/2]] is positive definite"
print("E[C~] =", one, ", printed", -second, "; the form vanishes at v = (1, 0) though E[x x^T] is definite")
