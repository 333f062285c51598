"""Proof of Theorem 2: the derivative in W1 restricted by the constraint is (I - W1 W1ᵀ) times the free one.

That is the rule of the Grassmannian, for functions of the span of W1; L(W1 R) is not L(W1). d = h = 2, z = 1, C = diag(1,
0), W1 = I, W2 = q = (-3, 4)/5. The printed W1' is 0, since W1 W1ᵀ = I. The gradient on {W1ᵀ W1 = I} is G - W1 sym(W1ᵀ G),
G = 2 W2 W2ᵀ W1 C: here the skew matrix [[0, 12], [-12, 0]]/25. So (9) is not the gradient flow of (8): that is q' = -4 Lq
+ L q qᵀ q + 3 q qᵀ L q, L = C, and at this q the two differ.
"""

from fractions import Fraction as F

q = [F(-3, 5), F(4, 5)]
C = [1, 0]
loss = lambda w1: sum(C[k] * sum(q[r] * w1[r][k] for r in range(2)) ** 2 for k in range(2))
G = [[2 * q[r] * q[k] * C[k] for k in range(2)] for r in range(2)]  # W1 = I
skew = [[(G[r][k] - G[k][r]) / 2 for k in range(2)] for r in range(2)]  # tangent at I: skew matrices
assert skew == [[0, F(12, 25)], [F(-12, 25), 0]]
# the derivative of L along the rotations R(t) = [[c, -s], [s, c]], exactly: <skew, R'(0)> = -24/25
rotation = lambda s, c: [[c, -s], [s, c]]
t = F(1, 10**6)
turn = lambda t: rotation(2 * t / (1 + t * t), (1 - t * t) / (1 + t * t))  # angle 2t + O(t^3)
slope = (loss(turn(t)) - loss(turn(-t))) / (4 * t)
assert abs(slope - F(-24, 25)) < F(1, 10**9), "moving W1 alone changes L; the printed flow holds W1 still"
assert loss([[0, 1], [1, 0]]) - loss([[1, 0], [0, 1]]) == F(7, 25), "L(W1 R) is not L(W1)"
qq = q[0] ** 2 + q[1] ** 2
qlq = sum(C[k] * q[k] ** 2 for k in range(2))
nine = [-4 * C[k] * q[k] + 2 * C[k] * q[k] * qq + 2 * q[k] * qlq for k in range(2)]
flow = [-4 * C[k] * q[k] + C[k] * q[k] * qq + 3 * q[k] * qlq for k in range(2)]
along_w2 = [-2 * C[k] * q[k] + 2 * q[k] * qlq for k in range(2)]  # W2' = -2 (I - W2 W2^T) W1 C W1^T W2
along_w1 = [-sum(skew[r][k] * q[r] for r in range(2)) for k in range(2)]  # W1'^T W2
assert [a + b for a, b in zip(along_w1, along_w2)] == flow and max(abs(a - b) for a, b in zip(nine, flow)) > F(1, 4)
print(
    "printed W1' = 0, projected gradient",
    [[str(v) for v in r] for r in skew],
    "; (9)",
    [str(v) for v in nine],
    ", gradient flow",
    [str(v) for v in flow],
)
