"""Lemma 4.4: L_S(W + W', T + T') <= first order + two brackets + O(k L^2 m^2/d^2)(tau^2 |W'|_F^2 + omega^2 |T'|_F^2), anywhere in the balls.

With |W'|_2, |T'|_2 <= omega, tau as spectral norms of the layers one power of L is missing.  n = 2, k = 1, d >= 2, m -> infinity at fixed
L, omega = tau = C sqrt(d/m), where outputs are linear in displacements of this size.  Move the keys along the gradient of <u, k_2 - k_1>,
u orthogonal to q_1, by tau in every matrix: k_2 - k_1 gains tau sqrt(m/d) kappa u.  Then W' along the gradient of <u, q_1>, which moves the
logit by D = sqrt(L m/(2d)) |W'|_F tau sqrt(m/d) kappa = 1.  The remainder is at least (1/2) log cosh(1/2), the last bracket
L^2 (m/d)^2 tau^2 |W'|_F^2 = 2 L/kappa^2 and the first two vanish: the ratio kappa^2 log cosh(1/2)/(4 L) grows like L, as kappa does.
"""
import math

def kappa(L, t=1.0):  # lower bound by Frobenius norms: per matrix sqrt(1 - cos t_l prod_{j >= l}(1 - t_j/pi)), times 1/2 * sqrt 2 of both points
    angles = [t]
    for _ in range(L):
        s = angles[-1]
        angles.append(math.acos(min(1.0, (math.sin(s) + (math.pi - s) * math.cos(s)) / math.pi)))
    return sum(math.sqrt(1 - math.cos(angles[l]) * math.prod(1 - s / math.pi for s in angles[l:L])) for l in range(L))

# one matrix by itself: |c h^T - c' h'^T|_F^2 = 2 a^2 (1 - (c.c'/a^2)(h.h')), a^2 = m/(2d): hence sqrt(m/d) times the root above
rest = math.log(math.cosh(0.5))
assert abs(0.5 * (math.log(1 + math.e) - math.log(2) - 0.5) - 0.5 * rest) < 1e-12  # (1/2)(s(1) - s(0) - s'(0)), s(t) = log(1 + e^t)
rows = []
for L in (10, 40, 160, 640):
    k = kappa(L)
    rows.append((L, round(k, 1), round(k * k * rest / (4 * L), 3)))
assert all(b[2] > 3 * a[2] for a, b in zip(rows, rows[1:]))  # fourfold depth, about fourfold ratio: no constant serves
assert rows[-1][2] > 12
print("lemma-4.4: (L, kappa, remainder over the last bracket):", rows)
