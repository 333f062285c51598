"""Lemma D.2: L_S(W̃, θ̃) - L_S(W, θ) ≤ linear terms + O(k L² m²/d²)(τ² |W̃ - W|_2² + ω² |θ̃ - θ|_2²).

(a) With spectral norms layer by layer one needs L⁴, and with the tuple's norm for W̃ - W alone L³. Orthonormal inputs,
m → ∞: the gradient of v.f(x) in a layer has norm a = √(m/(2d)), so a step of spectral norm e in all L hidden layers
moves v.q by L e a, and one of norm τ moves v.(k_2 - k_1) by τ a S_L, S_L the sum of nuclear norms, which grows like L.
Take k_2 - k_1 displaced along v, then move q_1 along v until the logit has changed by 1: the remainder is (1/2) log
cosh(1/2) at least, n = 2, k = 1. (b) With the derivatives of Definition 4.1 as loss vectors the linear terms are n
times too small. (c) (D.2) leaves out the sum over the negatives: one term is a k-th of it.
"""

import math


def S(L):  # sum over layers of a^(-1) |c h^T - c' h'^T|_*, |c| = |c'| = a, c.c' = a^2 rho, h.h' = cos t
    angles, total = [math.pi / 2], 0.0
    for _ in range(L):
        t = angles[-1]
        angles.append(math.acos(min(1.0, (math.sin(t) + (math.pi - t) * math.cos(t)) / math.pi)))
    for l, t in enumerate(angles[:L]):
        rho = math.prod(1 - s / math.pi for s in angles[l:L])
        total += math.sqrt(2 * (1 - rho * math.cos(t)) + 2 * math.sqrt(1 - rho * rho) * math.sin(t))
    return total


# the nuclear norm by its definition, for L = 1: c = e1, c' = (1/2, sqrt(3)/2), h = e1, h' = e2, matrix c h^T - c' h'^T
M = [[1.0, -0.5], [0.0, -math.sqrt(3) / 2]]
fro = sum(v * v for r in M for v in r)
det = abs(M[0][0] * M[1][1] - M[0][1] * M[1][0])
assert abs(math.sqrt(fro + 2 * det) - S(1)) < 1e-12  # (s_1 + s_2)^2 = |M|_F^2 + 2 |det M|

rest = 0.5 * math.log(math.cosh(0.5))
rows = []
for L in (1, 4, 16, 64, 256):
    # remainder over L² (m/d)² τ² |W̃ − W|², where the logit changes by one
    spectral = rest * (L * S(L) / 2) ** 2 / L**2
    mixed = rest * L * (S(L) / 2) ** 2 / L**2
    rows.append((L, round(spectral, 3), round(mixed, 3)))
assert all(b[1] > 8 * a[1] and b[2] > 2 * a[2] for a, b in zip(rows, rows[1:])), "like L^2 and L: no constant serves"
assert rows[-1][1] > 1000 and rows[-1][2] > 5

s = lambda t: 1 / (1 + math.exp(-t))
loss = lambda q: (math.log(1 + math.exp(q)) + math.log(2)) / 2  # n = 2, k = 1, d = 1, queries q, 0, keys 0, 1
new, old = 1.1, 1.0
derivative = s(old) / 2  # dL_S/dq_1
remainder = loss(new) - loss(old) - derivative * (new - old) / 2  # (1/n) <loss_1, q~_1 - q_1>, loss_1 the derivative
assert remainder - 0.5 * (new - old) ** 2 / 2 > 0.01, "beyond the quadratic term that the proof allows, here 0.0025"
z = [1.0, 2.0]  # (c) k = 2 negatives, q = 0, all shares 1/3
whole, one = sum(v / 3 for v in z), sum(v / 3 for v in z) / 2  # the sum, and the mean of one of its terms
assert whole - one >= 0.499
print(
    f"(L, remainder over L^2-bracket with spectral norms, with mixed norms): {rows} ;",
    f"with Definition 4.1 remainder {remainder:.5f} against 0.0025",
)
