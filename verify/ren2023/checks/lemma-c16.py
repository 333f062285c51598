"""Lemma C.16: in Stage 2 the norms of the two views stay as close as they were, with u_p = log(‖[K_A]_p‖²/‖[K_B]_p‖²).

The display is lost. Aligned, no noise, σ = 1, κ² = (R, 1, …, 1), all u_p = u small. Read as "max|u_p| does not increase" it fails at once:
for r = 2, R = 9, τ² = 2, K = 1 the flow K' = −(r/τ²)(∂L/∂K)D_σ, differentiated by a complex step from L = −E log S_A − E log S_B over all z⁺, z⁻,
moves u_1 up. Read as "stays within a factor 4, whatever r is" it fails for τ² = r. To first order in u, with q_p = 1 − tanh(τ²κ_p²/Σκ_s²), Q = Σκ_p²q_p/Σκ_s²,
ν = Σκ_p²u_p/Σκ_s², one has u_p' ∝ Qν − q_pu_p and (log R)' ∝ q_1 − q_2 (seen against the loss at r = 2), so that u is followed in the
clock log R from R = 9r to 1.1, by the implicit midpoint rule. For τ² = 1 the factor stays below 1.4 in these starts.
"""

from cmath import exp as cexp
from cmath import log as clog
from cmath import sqrt as csqrt
from itertools import product
from math import exp, log, tanh

SIGNS = list(product((1, -1), repeat=2))
STEP = 1e-30


def loss(k, tau2):
    """For r = 2 and lengths (A_1, A_2, B_1, B_2) of parallel pairs; K = 1."""
    scale = csqrt((k[0] ** 2 + k[1] ** 2) / 2) * csqrt((k[2] ** 2 + k[3] ** 2) / 2)
    x = [tau2 * k[p] * k[p + 2] / (2 * scale) for p in range(2)]
    table = [[cexp(x[0] * z[0] * w[0] + x[1] * z[1] * w[1]) for w in SIGNS] for z in SIGNS]
    share = lambda i, negatives: table[i][i] / (table[i][i] + sum(negatives) / 4)
    return -sum(clog(share(i, table[i])) + clog(share(i, [row[i] for row in table])) for i in range(4)) / 4


def by_the_loss(ratio, u, tau2):
    """u_1', u_2' and (log R)'."""
    k = [exp(u / 4) * ratio**0.5, exp(u / 4), exp(-u / 4) * ratio**0.5, exp(-u / 4)]
    probes = [loss([x + 1j * STEP * (i == j) for i, x in enumerate(k)], tau2).imag / STEP for j in range(4)]
    speed = [-(2 / tau2) * d / x for d, x in zip(probes, k)]
    return 2 * (speed[0] - speed[2]), 2 * (speed[1] - speed[3]), speed[0] + speed[2] - speed[1] - speed[3]


def system(r, ratio, tau2):
    """The matrix of (u_1', u_2')/(log R)'."""
    total = ratio + r - 1
    q = [2 / (exp(min(2 * tau2 * k / total, 700)) + 1) for k in (ratio, 1)]
    weights = ratio / total, (r - 1) / total
    mean = weights[0] * q[0] + weights[1] * q[1]
    return [[(mean * weights[j] - q[i] * (i == j)) / (q[0] - q[1]) for j in range(2)] for i in range(2)]


first, second, rate = by_the_loss(9.0, 1e-4, 2.0)
assert first > 0.01 * 1e-4 and rate < 0, "u_1 grows while the ratio falls"
matrix = system(2, 9.0, 2.0)
assert all(abs(speed / rate / 1e-4 - sum(row)) < 1e-6 for speed, row in zip((first, second), matrix)), "the linear system"
assert abs(tanh(0.3) - (1 - 2 / (exp(0.6) + 1))) < 1e-12


def factor(r, tau2, steps=2000):
    u, largest, h = [1.0, 1.0], 1.0, log(1.1 / (9 * r)) / steps
    for i in range(steps):
        m = system(r, 9 * r * exp((i + 0.5) * h), tau2)
        right = [u[j] + h / 2 * (m[j][0] * u[0] + m[j][1] * u[1]) for j in range(2)]
        a, b, c, d = 1 - h / 2 * m[0][0], -h / 2 * m[0][1], -h / 2 * m[1][0], 1 - h / 2 * m[1][1]
        u = [(d * right[0] - b * right[1]) / (a * d - b * c), (a * right[1] - c * right[0]) / (a * d - b * c)]
        largest = max(largest, *map(abs, u))
    return largest


sizes = (4, 64, 1024, 16384)
hot = [factor(r, float(r)) for r in sizes]
assert all(f >= 1 + log(r) / 4 for f, r in zip(hot, sizes)) and hot[-1] > 9, "the factor grows like log r"
mild = [factor(r, 1.0) for r in sizes]
assert max(mild) < 1.4, "at τ² = 1 it does not, in these starts"

print(f"u_1' = {first / 1e-4:.3f}u > 0; factors {', '.join(f'{f:.2f}' for f in hot)} (τ² = r), {', '.join(f'{f:.2f}' for f in mild)} (τ² = 1) at r = 4, 64, 1024, 16384")
