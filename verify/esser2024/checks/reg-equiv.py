"""Penalties and constraints: minimising L + β (|W1|² + |W2|²) or L + β |W2ᵀ W1|² is equivalent to a norm constraint.

One input x = x⁺ = 1, loss (2), d = z = h = 1: L = -(w1 w2)².
(a) sum penalty: at w1 = w2 = w the penalised loss is -w⁴ + 2 β w², without a lower bound for any β.
(b) product penalty: (β - 1)(w1 w2)² has no minimum for β < 1.
(c) conversely |w1 w2| ≤ 1 has the minimisers |w1 w2| = 1; the penalised loss has none (β < 1), every weight (β = 1) or
only w1 w2 = 0 (β > 1): no β belongs to this radius.
"""

from fractions import Fraction as F

loss = lambda w1, w2: -((w1 * w2) ** 2)
for beta in (F(1, 10), F(1), F(10), F(1000)):
    values = [loss(w, w) + beta * 2 * w * w for w in (F(10) ** k for k in range(1, 7))]
    assert values[-1] < -(10**20) and values[-1] < values[-2], "below any number: there is no minimum"
for beta in (F(1, 10), F(9, 10)):
    assert loss(1000, 1000) + beta * (1000 * 1000) ** 2 <= -F(10) ** 11
radii = [F(k, 4) for k in range(0, 9)]  # M = w1 w2 on a grid from 0 to 2
constrained = {m for m in radii if m <= 1 and loss(m, 1) == min(loss(v, 1) for v in radii if v <= 1)}
assert constrained == {F(1)}
for beta in (F(1), F(11, 10), F(2)):
    penalised = {m for m in radii if loss(m, 1) + beta * m * m == min(loss(v, 1) + beta * v * v for v in radii)}
    assert penalised != constrained and penalised == (set(radii) if beta == 1 else {F(0)})
print(
    "L + 0.1 (w1^2 + w2^2) at w = 10^6 is",
    float(loss(F(10) ** 6, F(10) ** 6) + F(2, 10) * F(10) ** 12),
    "; no beta gives the radius 1",
)
