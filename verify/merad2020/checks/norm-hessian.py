"""Section 8, end of the proof of Lemma 5: ‖∂²ℓ/∂z²‖ = 2 + 8 max_{i,j} ‖z_i‖‖z_j‖.

Here d = 1 and z = (1, 1, 1), so that the right side is 10. There are no hypotheses on z. The Hessian of
ℓ(z) = log(1 + exp(z_1(z_3 − z_2))) is, with s = σ(0) = ½, s times the second derivatives of z_1(z_3 − z_2) plus s(1 − s) times
the square of its gradient (0, −1, 1): fractions, compared with second differences of ℓ itself. (1, −1, 1) is an eigenvector
with eigenvalue 1, and no row has a larger sum of absolute values than 1, so the norm is 1.
"""

from fractions import Fraction
from math import exp, log1p

z = (1, 1, 1)
half = Fraction(1, 2)
second = [[0, -1, 1], [-1, 0, 0], [1, 0, 0]]
g = (z[2] - z[1], -z[0], z[0])
hessian = [[half * second[a][b] + half * (1 - half) * g[a] * g[b] for b in range(3)] for a in range(3)]


def loss(x):
    return log1p(exp(x[0] * (x[2] - x[1])))


def difference(a, b, h=1e-3):
    moved = lambda s, t: [x + h * (s * (k == a) + t * (k == b)) for k, x in enumerate(z)]
    corners = loss(moved(1, 1)) - loss(moved(1, -1)) - loss(moved(-1, 1)) + loss(moved(-1, -1))
    return corners / (4 * h * h)


assert all(abs(difference(a, b) - hessian[a][b]) < 1e-5 for a in range(3) for b in range(3)), "it is the Hessian of ℓ"

vector = (1, -1, 1)
image = tuple(sum(row[b] * vector[b] for b in range(3)) for row in hessian)
rows = max(sum(map(abs, row)) for row in hessian)
assert image == vector and rows == 1, "the norm is at least 1, and at most 1"

printed = 2 + 8 * max(abs(x * y) for x in z for y in z)
assert printed == 10, "an upper bound, ten times too large here"

print(f"z = (1, 1, 1): the norm is {rows}, printed {printed}; as an upper bound it holds")
