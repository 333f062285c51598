"""Section 5.2: ∇_(W_l) L_S = (1/n) Σ_i D_(i,l) (Back_(i,l+1)ᵀ loss_i) h_(i,l-1)ᵀ, loss_i the derivative dL_S/dq_i
(Definition 4.1).

The factor 1/n stands there twice: it is in the derivative already. L = 1, m = d = b = 1, x = 1, -1 (n = 2), k = 1, W =
(1, 1), θ = (1, 1): q = (1, 0), keys (1, 0), dL_S/dW_1 = -s(-1)/2 = -0.1345, printed half of it. With the expressions of
Facts 1, 2 it is right.
"""

import math

x, n = (1.0, -1.0), 2
relu = lambda t: max(0.0, t)
s = lambda t: 1 / (1 + math.exp(-t))
f = lambda w, v: w[1] * relu(w[0] * v)
keys = [f((1.0, 1.0), v) for v in x]


def loss(w):
    q = [f(w, v) for v in x]
    return sum(math.log(1 + math.exp(q[i] * (keys[1 - i] - keys[i]))) for i in range(n)) / n


W, h = (1.0, 1.0), 1e-6
move = lambda i, e: tuple(w + e * (j == i) for j, w in enumerate(W))
true = [(loss(move(i, h)) - loss(move(i, -h))) / (2 * h) for i in range(2)]
q = [f(W, v) for v in x]
fact = [s(q[i] * (keys[1 - i] - keys[i])) * (keys[1 - i] - keys[i]) for i in range(n)]  # n dL_S/dq_i


def formula(vectors):
    first = sum((1.0 if W[0] * v > 0 else 0.0) * W[1] * c * v for c, v in zip(vectors, x)) / n
    return [first, sum(c * relu(W[0] * v) for c, v in zip(vectors, x)) / n]


printed = formula([v / n for v in fact])  # Definition 4.1
assert all(abs(a - b) < 1e-8 for a, b in zip(formula(fact), true))
assert all(abs(a - b) > 0.06 for a, b in zip(printed, true))
print("gradient", [round(v, 4) for v in true], ", printed with Definition 4.1", [round(v, 4) for v in printed])
