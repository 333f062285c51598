"""(D.8), (D.9): the first-order term of the key network and the expansion of its displaced output.

(a) Lemma B.7 is quoted without the factor θ_L: m = d = b = L = 1, x = 1, θ = (1, 2), θ' = (1, 0): the output moves by
2, printed 1. (b) Substituted, the sum runs from l = 1: empty here, so 0 for 2. (c) With loss_i = dL_S/dk_i the factor
1/n stands twice in (D.8): half of the derivative for n = 2. (d) The bound of F_(2,1) has ω^(1/3), the radius of the
other network; τ is meant. L = d = 1: flip the units with |p_r| ≤ t √(2/m) and positive output weight g_r by θ'_0 = -2
p_r xᵀ: F_(2,1) = Σ g_r |p_r| is more than 0.2 τ^(1/3) √m |θ'|, τ = |θ'|. So with τ = (log m)^(-3/2) and ω = m^(-1/2)
the ratio to ω^(1/3) √(m log m) |θ'| is 0.2 m^(1/6)/log m at least and grows without bound.
"""

import cmath
import math
import random

relu = lambda t: max(0.0, t)
f = lambda w, x: w[1] * relu(w[0] * x)
T, V, x = (1.0, 2.0), (1.0, 0.0), 1.0
change = f((T[0] + V[0], T[1] + V[1]), x) - f(T, x)
term = 1.0 * V[0] * x  # (D + D'') theta'_0 h'_(-1)
assert change == T[1] * term == 2 and change - term >= 1 and change - sum([]) >= 2

q, points, n = (1.0, 2.0), (1.0, 2.0), 2
logits = lambda w: [q[i] * (f(w, points[1 - i]) - f(w, points[i])) for i in range(n)]
loss = lambda w: sum(cmath.log(1 + cmath.exp(t)) for t in logits(w)) / n
true = loss((1.0, 1.0 + 1e-30j)).imag / 1e-30  # theta' = (0, 1); grad f = h = x
P = [1 / (1 + math.exp(-t)) for t in logits((1.0, 1.0))]
fact2 = [P[1] * q[1] - P[0] * q[0], P[0] * q[0] - P[1] * q[1]]
explicit = sum(v * p for v, p in zip(fact2, points)) / n
printed = explicit / n  # (1/n) sum (dL_S/dk_i) h_i
assert abs(true - explicit) < 1e-12 and abs(true - printed) > 0.1

rng, m, t = random.Random(9), 200000, 0.3
p = [rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)]
g = [rng.gauss(0, 1) for _ in range(m)]
flipped = [r for r in range(m) if abs(p[r]) <= t * math.sqrt(2 / m) and g[r] > 0]
tau = math.sqrt(sum((2 * p[r]) ** 2 for r in flipped))
# theta_1 (D + D'' - D) theta'_0 x, where relu(new) - relu(old) = (D + D'')(new - old), new = -p, old = p
F21 = sum(g[r] * (relu(-p[r]) - relu(p[r]) - (p[r] >= 0) * (-2 * p[r])) for r in flipped)
assert F21 > 0.2 * tau ** (1 / 3) * math.sqrt(m) * tau
rows = [(e, round(0.2 * 2 ** (e / 6) / (e * math.log(2)), 3)) for e in (20, 100, 400)]
assert rows[-1][1] > 1e6
print(
    f"output moves by 2, printed 1 and 0; (D.8) {true:.4f} printed {printed:.4f} ;",
    f"flips {F21 / (tau ** (4 / 3) * math.sqrt(m)):.3f} ; (log2 m, F_21 over its bound): {rows}",
)
