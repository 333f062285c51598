"""Equation (11): W^(t+1) = W^(t) + η ∇L, projected back onto the constraints, is gradient descent for (8).

The sign is that of ascent.  d = z = 1, h = 2, C = -1, W1 = (1, 0), W2 = (-3, 4)/5: L = -(W1.W2)² = -9/25.  One step with
η = 1/10 and the projection (for one column: division by its length) gives L = -0.179; with the opposite sign -0.537.
"""

from fractions import Fraction as F


def step(w1, w2, eta):  # returns L after the step; the lengths enter squared, so everything stays rational
    q = sum(a * b for a, b in zip(w1, w2))
    g1 = [-2 * q * b for b in w2]  # gradients of L = -(w1.w2)^2
    g2 = [-2 * q * a for a in w1]
    v1 = [a + eta * g for a, g in zip(w1, g1)]
    v2 = [b + eta * g for b, g in zip(w2, g2)]
    square = lambda v: sum(a * a for a in v)
    return -sum(a * b for a, b in zip(v1, v2)) ** 2 / (square(v1) * square(v2))


w1, w2 = [F(1), F(0)], [F(-3, 5), F(4, 5)]
before = -sum(a * b for a, b in zip(w1, w2)) ** 2
assert before == F(-9, 25)
rows = []
for eta in (F(1, 10), F(1, 100), F(1, 1000)):
    up, down = step(w1, w2, eta), step(w1, w2, -eta)
    assert up - before > eta and before - down > eta, "the printed step increases L, the opposite one decreases it"
    rows.append((str(eta), round(float(up), 5), round(float(down), 5)))
print("L = -0.36 before; (eta, printed sign, opposite sign):", rows)
