"""Remark 3: with a fixed projection, u(x) = A Θ x, all components have the same dynamics, and hence collapse.

Loss (2) on x_i = x_i⁺ (or (1)): Y = A Θ has Y' = -2 A Aᵀ Y C.
(a) A = [[1, 1], [0, 1]], d = 1, C = 1, Θ = (0, 1)ᵀ: Y = (1, 1) and Y' = (-6, -4): no number c has Y' = -2 c Y.
(b) A = first two rows of the 4x4 identity (r = 2 < z = 4), C = -I: Y(t) = e^(2t) Y(0), whose direction keeps rank 2.
(c) the same A with C = diag(0, 0, 1): the limit is Y(0) without its last column, of rank 2.
"""

from fractions import Fraction as F


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


transpose = lambda m: [list(row) for row in zip(*m)]


def descend(a, theta, c, eta, steps):  # gradient descent on L = Tr(A Theta C Theta^T A^T), gradient 2 A^T A Theta C
    for _ in range(steps):
        g = product(product(transpose(a), a), product(theta, c))
        theta = [[t - 2 * eta * v for t, v in zip(r, s)] for r, s in zip(theta, g)]
    return product(a, theta)


a, theta = [[1, 1], [0, 1]], [[0], [1]]
y = product(a, theta)
speed = [[-2 * v for v in row] for row in product(product(a, transpose(a)), y)]
assert y == [[1], [1]] and speed == [[-6], [-4]]
assert speed[0][0] * y[1][0] - speed[1][0] * y[0][0] == -2, "not proportional to Y, by 2"

a = [[1, 0, 0, 0], [0, 1, 0, 0]]
theta = [[F(v) for v in row] for row in ([1, 2, 3], [3, 1, 2], [1, 1, 0], [0, 1, 1])]
start = product(a, theta)
end = descend(a, theta, [[-1, 0, 0], [0, -1, 0], [0, 0, -1]], F(1, 100), 200)
growth = end[0][0] / start[0][0]
assert growth > 50 and all(end[r][k] == growth * start[r][k] for r in range(2) for k in range(3))
assert start[0][0] * start[1][1] - start[0][1] * start[1][0] == -5

rest = descend(a, theta, [[0, 0, 0], [0, 0, 0], [0, 0, 1]], F(1, 4), 80)
assert [row[:2] for row in rest] == [row[:2] for row in start] and max(abs(row[2]) for row in rest) < F(1, 10**20)
print("Y = (1, 1) has Y' = (-6, -4); after growth by", int(growth), "and in the limit Y keeps the minor -5: rank 2")
