"""Lemma C.16: in Stage 2 the norms of the two views stay as close as they were, with u_p = log(‖[K_A]_p‖²/‖[K_B]_p‖²).

The display is lost. Aligned, no noise, σ = 1, κ² = (R, 1, …, 1), all u_p = u small. Read as "max|u_p| does not
increase" it fails at once: for r = 2, R = 9, τ² = 2, K = 1 the flow K' = −(r/τ²)(∂L/∂K)D_σ, differentiated by a complex
step from L = −E log S_A − E log S_B (all z⁺ and both views contribute the same, with the mean over all z⁻), moves u_1
up. Read as "stays within a factor 4, whatever r is" it fails for τ² = r. To first order in u, with q_p = 1 −
tanh(τ²κ_p²/Σκ_s²), Q = Σκ_p²q_p/Σκ_s², ν = Σκ_p²u_p/Σκ_s², one has u_p' ∝ Qν − q_pu_p and (log R)' ∝ q_1 − q_2 (seen
against the loss at r = 2), so that u is followed in the clock log R from R = 9r to 1.1, by the implicit midpoint rule.
For τ² = 1 the factor stays below 1.4 in these starts.
"""

import cmath
from itertools import product
from math import exp, log, tanh

STEP = 1e-30


def loss(k, tau2):
    """For r = 2 and lengths (A_1, A_2, B_1, B_2) of parallel pairs; K = 1."""
    scale = cmath.sqrt((k[0] ** 2 + k[1] ** 2) * (k[2] ** 2 + k[3] ** 2))
    x = [tau2 * k[p] * k[p + 2] / scale for p in range(2)]
    negatives = [cmath.exp(x[0] * z + x[1] * w) for z, w in product((1, -1), repeat=2)]
    return 2 * cmath.log(1 + sum(negatives) / 4 / negatives[0])


def linear(r, ratio, tau2):
    """The shares κ²/Σκ² of the first and of all others, q_1 and q_2, and Q."""
    total = ratio + r - 1
    w, q = (ratio / total, (r - 1) / total), [1 - tanh(tau2 * k / total) for k in (ratio, 1)]
    return w, q, w[0] * q[0] + w[1] * q[1]


ratio, u, tau2 = 9.0, 1e-4, 2.0
k = [exp(u / 4) * ratio**0.5, exp(u / 4), exp(-u / 4) * ratio**0.5, exp(-u / 4)]
probes = [loss([x + 1j * STEP * (i == j) for i, x in enumerate(k)], tau2).imag / STEP for j in range(4)]
speed = [-(2 / tau2) * d / x for d, x in zip(probes, k)]
moves, rate = [2 * (speed[p] - speed[p + 2]) / u for p in range(2)], speed[0] + speed[2] - speed[1] - speed[3]
assert moves[0] > 0.01 and rate < 0, "u_1 grows while the ratio falls"
_, q, mean = linear(2, ratio, tau2)
assert all(abs(moves[p] / rate - (mean - q[p]) / (q[0] - q[1])) < 1e-6 for p in range(2)), "the linear system"


def factor(r, tau2, steps=2000):
    u, largest, h = [1.0, 1.0], 1.0, log(1.1 / (9 * r)) / steps
    for i in range(steps):
        w, q, mean = linear(r, 9 * r * exp((i + 0.5) * h), tau2)
        c = h / 2 / (q[0] - q[1])  # half a step: middle_p = u_p + c(Qν − q_p middle_p), ν of the middle
        damped = [1 / (1 + c * v) for v in q]
        nu = sum(a * b * v for a, b, v in zip(w, damped, u)) / (1 - c * mean * sum(a * b for a, b in zip(w, damped)))
        u = [2 * b * (v + c * mean * nu) - v for b, v in zip(damped, u)]
        largest = max(largest, *map(abs, u))
    return largest


sizes = (4, 64, 1024, 16384)
hot, mild = [factor(r, r) for r in sizes], [factor(r, 1) for r in sizes]
assert all(f >= 1 + log(r) / 4 for f, r in zip(hot, sizes)) and hot[-1] > 9, "the factor grows like log r"
assert max(mild) < 1.4, "at τ² = 1 it does not, in these starts"
show = lambda row: ", ".join(f"{f:.2f}" for f in row)
print(f"u_1' = {moves[0]:.3f}u > 0; factors {show(hot)} (τ² = r), {show(mild)} (τ² = 1) at r = 4, 64, 1024, 16384")
