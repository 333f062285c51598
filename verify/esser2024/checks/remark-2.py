"""Remark 2: for linear models the outputs decouple, and hence collapse, under InfoNCE too.

(a) d = 1, z = 2, x = x⁺ = 1, x⁻ = 0, θ = (1, 1): L = log(1 + exp(-θ_1² - θ_2²)) has the mixed second derivative
4 s(1 - s) = 0.42, s = 1/(1 + e²): the two rows are coupled.
(b) x_i = x_i⁺ = e_i, x_i⁻ = 0: L = Σ_i log(1 + exp(-|c_i|²)) in the columns c_i of Θ, c_i' = 2 s(|c_i|²) c_i: every column
keeps its direction and |c_i|² grows like log t, so the singular values come together: no collapse.
(c) x⁻ = x⁺ makes the loss log 2 everywhere: Θ = I stays where it is, of rank 2.
"""

import math

s = lambda v: 1 / (1 + math.exp(v)) if v < 700 else 0.0  # 1/(1 + e^v)
loss = lambda p, q: math.log(1 + math.exp(-(p * p + q * q)))
e = 1e-4
mixed = (loss(1 + e, 1 + e) - loss(1 + e, 1 - e) - loss(1 - e, 1 + e) + loss(1 - e, 1 - e)) / (4 * e * e)
exact = 4 * s(2) * (1 - s(2))
assert abs(mixed - exact) < 1e-5 and exact > 0.4


def sizes(end, y=(0.5, 2.0)):
    """|c_1|^2, |c_2|^2 at log(1 + t) = end from their values at t = 0: y' = 4 y s(y), by Runge-Kutta in log(1 + t)."""
    f = lambda v, w: math.exp(v) * 4 * w * s(w)
    out, dv = [], end / 10000
    for w in y:
        v = 0.0
        for _ in range(10000):
            k1 = f(v, w)
            k2 = f(v + dv / 2, w + dv / 2 * k1)
            k3 = f(v + dv / 2, w + dv / 2 * k2)
            w, v = w + dv / 6 * (k1 + 2 * k2 + 2 * k3 + f(v + dv, w + dv * k3)), v + dv
        out.append(w)
    return out


series = []
for power in (0, 2, 4, 8):
    small, large = sizes(math.log1p(10**power))
    series.append((f"t = 1e{power}", round(large, 2), round(math.sqrt(small / large), 4)))
assert all(a[2] <= b[2] for a, b in zip(series, series[1:])) and series[-1][2] > 0.9 and series[-1][1] > 20
theta = [[1.0, 0.0], [0.0, 1.0]]
u = lambda v: [sum(t * a for t, a in zip(row, v)) for row in theta]
x, plus = [0.3, -1.2], [0.7, 0.4]
gap = sum(a * (b - c) for a, b, c in zip(u(x), u(plus), u(plus)))
assert math.log(1 + math.exp(gap)) == math.log(2)
print("mixed derivative", round(exact, 6), "; (time, largest |c_i|^2, ratio of the singular values):", series)
