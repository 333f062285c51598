"""Theorem 3, first case: if all eigenvalues of Λ are positive, q converges to 0 (z = 1, any orthonormal start).

d(q.q)/dt = -8 (1 - q.q) qᵀ Λ q, so the sphere q.q = 1 is invariant. Λ = diag(1, 2), h = d = 2, W1 = I, W2 = (3, 4)/5: |q|
= 1 for ever (for h = d every start is like that), and q tends to the unit vector e_1. A start inside the ball does go to
0. (The sphere repels: a start just inside it falls to 0.) The proof also infers the limit from the sign of the derivative
alone, which is not enough: Λ = diag(0, 1) has a negative derivative at all times, and q keeps its first coordinate away
from 0.
"""

import math
from fractions import Fraction as F


def speed(q, lam):  # (10)
    qq = sum(a * a for a in q)
    qlq = sum(l * a * a for l, a in zip(lam, q))
    return [2 * (-(1 - qq) * l * a - (l * a - a * qlq)) for l, a in zip(lam, q)]


def run(q, lam, end, steps=20000):
    dt = end / steps
    for _ in range(steps):
        a = speed(q, lam)
        b = speed([x + dt / 2 * y for x, y in zip(q, a)], lam)
        c = speed([x + dt / 2 * y for x, y in zip(q, b)], lam)
        e = speed([x + dt * y for x, y in zip(q, c)], lam)
        q = [x + dt / 6 * (k + 2 * l + 2 * m + n) for x, k, l, m, n in zip(q, a, b, c, e)]
    return q


q0 = [F(3, 5), F(4, 5)]
lam = [1, 2]
v = speed(q0, lam)
assert sum(a * b for a, b in zip(q0, v)) == 0 and any(v), "exactly tangent to the sphere, and moving"
q, exact = run([0.6, 0.8], lam, 1), [0.6 * math.exp(-2), 0.8 * math.exp(-4)]  # on the sphere: exact up to its length
assert abs(sum(a * a for a in q) - 1) < 1e-6 and abs(q[1] / q[0] - exact[1] / exact[0]) < 1e-6, "towards e_1, not 0"
assert max(abs(a) for a in run([0.3, 0.4], lam, 5)) < 1e-6, "inside: to zero"
half = run([0.3, 0.4], [0, 1], 20)
assert half[0] > 0.29 and speed([0.3, 0.4], [0, 1])[1] < 0, "falls for ever, to a positive limit"
print(
    "from (3, 4)/5 q(1) =",
    [round(a, 6) for a in q],
    "with |q| = 1; with eigenvalues 0 and 1 the limit is",
    [round(a, 4) for a in half],
)
