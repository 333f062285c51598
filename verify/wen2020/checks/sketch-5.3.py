"""Section 5.3: L_S(t+1) ≤ L_S(t) - ... ≤ -Ω(δ m min(η, γ)/(n³ d)) |loss^(t)|².

In the last member L_S(t) is dropped: a positive loss would lie below a number that is not positive. n = 2, k = 1, b = m =
d = L = 1, x = 1, -1, W = (1, -1), θ = (-1, -1), one step of gradient descent with η = 0.01: L_S goes from 1.003 to 0.998.
(The display in Appendix A.2 before it drops L_S(t) in the same way.) With L_S(t+1) - L_S(t) on the left the inequality is
what is meant.
"""

import math

x = [1.0, -1.0]
f = lambda w, v: w[1] * max(0.0, w[0] * v)


def loss(p):
    q, k = [f(p[:2], v) for v in x], [f(p[2:], v) for v in x]
    return sum(math.log(1 + math.exp(q[i] * (k[1 - i] - k[i]))) for i in range(2)) / 2


p, h = [1.0, -1.0, -1.0, -1.0], 1e-6
gradient = []
for i in range(4):
    up, down = p[:], p[:]
    up[i] += h
    down[i] -= h
    gradient.append((loss(up) - loss(down)) / (2 * h))
after = loss([a - 0.01 * g for a, g in zip(p, gradient)])
assert any(abs(g) > 0.1 for g in gradient) and after < loss(p), "it does descend"
assert after > 0.9, "while every right side is at most 0"
print("L_S", round(loss(p), 6), "->", round(after, 6), ", printed bound at most 0")
