"""(D.8), (D.9): the first-order term of the key network and the expansion of its displaced output.

(a) Lemma B.7 is quoted without the factor θ_L: m = d = b = L = 1, x = 1, θ = (1, 2), θ' = (1, 0): the output moves by 2,
printed 1.
(b) Substituted, the sum runs from l = 1: empty here, so 0 for 2.
(c) With loss_i = dL_S/dk_i the factor 1/n stands twice in (D.8): half of the derivative for n = 2.
(d) The bound of F_(2,1) has ω^(1/3), the radius of the other network; τ is meant. L = d = 1: flip the units with |p_r| ≤
t √(2/m) and positive output weight g_r by θ'_0 = -2 p_r xᵀ: F_(2,1) = Σ g_r |p_r| is more than 0.2 τ^(1/3) √m |θ'|, τ =
|θ'|, while ω may be m^(-1/2): the ratio to ω^(1/3) √(m log m) |θ'| grows without bound.
"""

import math
import random

relu = lambda t: max(0.0, t)
f = lambda w, x: w[1] * relu(w[0] * x)
T, V, x = (1.0, 2.0), (1.0, 0.0), 1.0
change = f((T[0] + V[0], T[1] + V[1]), x) - f(T, x)
term = 1.0 * V[0] * x  # (D + D'') theta'_0 h'_(-1)
assert change == T[1] * term == 2 and change - term >= 1 and change - sum([]) >= 2

q, points, n = (1.0, 2.0), (1.0, 2.0), 2
s = lambda t: 1 / (1 + math.exp(-t))


def loss(w):
    k = [f(w, p) for p in points]
    return sum(math.log(1 + math.exp(q[i] * (k[1 - i] - k[i]))) for i in range(2)) / n


k = [f((1.0, 1.0), p) for p in points]
P = [s(q[i] * (k[1 - i] - k[i])) for i in range(2)]
fact2 = [P[1] * q[1] - P[0] * q[0], P[0] * q[0] - P[1] * q[1]]
true = (loss((1.0, 1.0 + 1e-6)) - loss((1.0, 1.0 - 1e-6))) / 2e-6  # theta' = (0, 1); grad f = h = x
explicit = sum(v * p for v, p in zip(fact2, points)) / n
printed = explicit / n  # (1/n) sum (dL_S/dk_i) h_i
assert abs(true - explicit) < 1e-8 and abs(true - printed) > 0.1

rng, m, t = random.Random(9), 200000, 0.3
p = [rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)]
g = [rng.gauss(0, 1) for _ in range(m)]
flipped = [r for r in range(m) if abs(p[r]) <= t * math.sqrt(2 / m) and g[r] > 0]
tau = math.sqrt(sum((2 * p[r]) ** 2 for r in flipped))
F21 = 0.0
for r in flipped:  # theta_1 (D + D'' - D) theta'_0 x with D'' from sigma(new) - sigma(old) = (D + D'')(new - old)
    new, d = -p[r], 1.0 if p[r] >= 0 else 0.0
    F21 += g[r] * ((relu(new) - relu(p[r])) / (new - p[r]) - d) * (new - p[r])
assert F21 > 0.2 * tau ** (1 / 3) * math.sqrt(m) * tau
rows = []
for e in (20, 100, 400):
    log_m = e * math.log(2)
    rows.append((e, round(0.2 * math.exp((-1.5 * math.log(log_m) / 3) + log_m / 6) / math.sqrt(log_m), 3)))
assert rows[-1][1] > 1e6
print(
    "output moves by 2, printed 1 and 0; (D.8)",
    round(true, 4),
    "printed",
    round(printed, 4),
    "; flips",
    round(F21 / (tau ** (4 / 3) * math.sqrt(m)), 3),
    "; (log2 m, F_21 over its bound):",
    rows,
)
