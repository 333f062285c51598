"""Theorem 3, second case: if Λ has a negative eigenvalue, q becomes the smallest eigenvector e_1 (z = 1).

(10) keeps the sign of every coordinate of q. (R1) Λ = diag(-2, -1), q0 = (-3, 4)/5: the limit is -e_1. (R2) Λ = -I: q0 is
a unit vector and stays where it is, neither e_1 nor -e_1. (R3) q0 = (0, 1), Λ = diag(-2, -1): at rest for ever. In the
proof the derivative of e_1.q is said to be positive unless q = e_1; it has the sign of e_1.q, and vanishes at -e_1 too;
and qᵀ Λ q ≥ λ_1 needs λ_1 ≤ 0: Λ = 1, q = 1/2 has 1/4 < 1.
"""

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


# unit vectors are attainable: h = d = 2, W1 = I, W2 = q0
end = run([-0.6, 0.8], [-2, -1], 12)
assert abs(end[0] + 1) < 1e-9 and abs(end[1]) < 1e-6, "-e_1, at distance 2 from e_1"
assert speed([F(-3, 5), F(4, 5)], [-2, -1])[0] < 0, "the derivative of e_1.q is negative here"
assert speed([F(3, 5), F(4, 5)], [-1, -1]) == [0, 0], "a repeated lowest eigenvalue: at rest at (3, 4)/5"
assert speed([F(0), F(1)], [-2, -1]) == [0, 0], "orthogonal to e_1: at rest at e_2"
inside = run([0.0, 0.5], [-2, -1], 12)  # h > d: a start inside the ball
assert inside[0] == 0 and abs(inside[1] - 1) < 1e-9
assert speed([F(-1), F(0)], [-2, -1])[0] == 0
assert F(1, 2) * 1 * F(1, 2) - 1 <= F(-3, 4)
print("limits", [round(a, 6) for a in end], ", (3/5, 4/5) and", [round(a, 6) for a in inside], "; announced (1, 0)")
