"""The sentence after Proposition 1: dimension collapse also happens for wide networks trained on the losses (1), (2).

(a) x⁻ = x⁺ makes loss (1) vanish identically: whatever the width and the activation, the network stays where it is, and a
ReLU network of rank 2 keeps rank 2.
(b) A start that moves: φ = id, any width h, loss (2) on x_i = x_i⁺ = e_1, e_2, so L = -|W2ᵀ W1|_F², and W1 = W2 = s Q with
orthonormal columns of Q.  Gradient descent keeps that form (s <- s + 2 η s³): both singular values of the output stay equal
while the output grows.  (For a random wide start the kernel flow multiplies the output by one number; see Proposition 1.)
"""

relu = lambda v: [max(a, 0.0) for a in v]
W1, W2 = [[-1.0], [1.0]], [[0.0, 1.0], [1.0, 0.0]]  # h = 2, d = 1; W2 has the columns w_1, w_2
u = lambda x: [sum(W2[r][j] * relu([row[0] * x for row in W1])[r] for r in range(2)) for j in range(2)]
points, plus = [-1.0, 1.0], [1.0, 1.0]
assert all(
    sum(a * (b - c) for a, b, c in zip(u(x), u(p), u(p))) == 0 for x, p in zip(points, plus)
), "at these weights, and at all"
(a, b), (c, d) = u(-1.0), u(1.0)
assert abs(a * d - b * c) == 1, "outputs (1, 0) and (0, 1): two dimensions, for ever"


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


transpose = lambda m: [list(row) for row in zip(*m)]
series = []
for h in (4, 16, 64):
    q = [[(1 if (r >> c) & 1 else -1) / h**0.5 for c in range(2)] for r in range(h)]  # columns of a Hadamard matrix
    first = [[0.5 * v for v in row] for row in q]
    second = [row[:] for row in first]
    start = product(transpose(second), first)[0][0]
    for _ in range(60):
        m = product(transpose(second), first)
        g1 = product(second, m)
        g2 = product(first, transpose(m))  # minus half the gradients of L
        first = [[w + 0.02 * g for w, g in zip(r, s)] for r, s in zip(first, g1)]
        second = [[w + 0.02 * g for w, g in zip(r, s)] for r, s in zip(second, g2)]
    m = product(transpose(second), first)
    assert m[0][0] > 1.8 * start and abs(m[0][1]) + abs(m[1][0]) < 1e-12 and abs(m[1][1] / m[0][0] - 1) < 1e-12
    series.append((h, round(m[0][0] / start, 3), round(m[1][1] / m[0][0], 9)))
print("still networks keep rank 2; (width, growth of the output, ratio of its singular values):", series)
