"""Lemma 4.4: L_S(W + W', θ + θ') ≤ first order + two brackets + O(k L² m²/d²)(τ² |W'|_F² + ω² |θ'|_F²), anywhere in the
balls.

With |W'|_2, |θ'|_2 ≤ ω, τ as spectral norms of the layers one power of L is missing. n = 2, k = 1, d ≥ 2, m → ∞ at fixed
L, ω = τ = C √(d/m), where outputs are linear in displacements of this size. Move the keys along the gradient of <u, k_2 -
k_1>, u orthogonal to q_1, by τ in every matrix: k_2 - k_1 gains τ √(m/d) κ u. Then W' along the gradient of <u, q_1>,
which moves the logit by D = √(L m/(2d)) |W'|_F τ √(m/d) κ = 1. The remainder is at least (1/2) log cosh(1/2), the last
bracket L² (m/d)² τ² |W'|_F² = 2 L/κ² and the first two vanish: the ratio κ² log cosh(1/2)/(4 L) grows like L, as κ does.
"""

import math


def kappa(L, t=1.0):
    """The sum over the matrices of √(1 − cos t_l Π_{j≥l}(1 − t_j/π)), t_l the angle of the two points before layer l."""
    angles = [t]
    for _ in range(L):
        s = angles[-1]
        angles.append(math.acos(min(1.0, (math.sin(s) + (math.pi - s) * math.cos(s)) / math.pi)))
    return sum(math.sqrt(1 - math.cos(angles[l]) * math.prod(1 - s / math.pi for s in angles[l:L])) for l in range(L))


# for one matrix |c hᵀ − c' h'ᵀ|_F² = 2a²(1 − (c.c'/a²)(h.h')) with a² = m/(2d): √(m/d) times the root above
rest = math.log(math.cosh(0.5))  # (s(1) − s(0) − s'(0)) for s(t) = log(1 + e^t)
assert abs(0.5 * (math.log(1 + math.e) - math.log(2) - 0.5) - 0.5 * rest) < 1e-12
rows = []
for L in (10, 40, 160, 640):
    k = kappa(L)
    rows.append((L, round(k, 1), round(k * k * rest / (4 * L), 3)))
assert all(b[2] > 3 * a[2] for a, b in zip(rows, rows[1:])), "fourfold depth, about fourfold ratio: no constant serves"
assert rows[-1][2] > 12
print("(L, kappa, remainder over the last bracket):", rows)
