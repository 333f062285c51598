"""Corollary C.20: in Stage 2 the ratio of the largest to the smallest κ² falls below 1 + c within polynomial time, for every c > 0.

The time and the order of τ_2² are lost. For τ_2² of order 1 or log r it is polynomial; for τ_2² = r it is not. Aligned, no noise, σ = 1, K = 1, κ² ∝
(R, 1, …, 1) with R from 5 to 2, ‖κ‖² = r: (log R)' = −4(1 − S̄)(T_1 − T_2) with x_p = τ²κ_p²/r, T_p = tanh x_p, 1 − S̄ = P/(e^(τ²) + P), P = ∏cosh x_p.
For r = 2 this is compared with the flow K' = −(r/τ²)(∂L/∂K)D_σ, differentiated by a complex step from L = −E log S_A − E log S_B over all
z⁺, z⁻. The time is the integral of 1/(4(1 − S̄)(T_1 − T_2)) over log R, by the midpoint rule with 2000 cells. Lower bound, by hand:
while R ≤ 2 one has x_p ≥ τ²/(r + 1), so the speed is at most 4e^(−(r−1)f(τ²/(r+1))), f(x) = x − log cosh x: exponential in r for τ² = r.
"""

from cmath import exp as cexp
from cmath import log as clog
from cmath import sqrt as csqrt
from itertools import product
from math import exp, log, log1p, tanh

SIGNS = list(product((1, -1), repeat=2))
STEP = 1e-30


def loss(k, tau2):
    """For r = 2 and lengths (A_1, A_2, B_1, B_2) of parallel pairs; K = 1."""
    scale = csqrt((k[0] ** 2 + k[1] ** 2) / 2) * csqrt((k[2] ** 2 + k[3] ** 2) / 2)
    x = [tau2 * k[p] * k[p + 2] / (2 * scale) for p in range(2)]
    table = [[cexp(x[0] * z[0] * w[0] + x[1] * z[1] * w[1]) for w in SIGNS] for z in SIGNS]
    share = lambda i, negatives: table[i][i] / (table[i][i] + sum(negatives) / 4)
    return -sum(clog(share(i, table[i])) + clog(share(i, [row[i] for row in table])) for i in range(4)) / 4


def log_cosh(x):
    return x + log1p(exp(-2 * x)) - log(2)


def log_speed(r, ratio, tau2):
    x = [tau2 * k / (ratio + r - 1) for k in (ratio, 1)]
    log_p = log_cosh(x[0]) + (r - 1) * log_cosh(x[1]) - tau2
    return log(4) + log_p - log1p(exp(log_p)) + log(tanh(x[0]) - tanh(x[1]))


total = 3.0 + 1.0
k = [(2 * 3.0 / total) ** 0.5, (2 * 1.0 / total) ** 0.5] * 2
for tau2 in (1.0, 2.0, 6.0):
    speed = [-(2 / tau2) * loss([x + 1j * STEP * (i == j) for i, x in enumerate(k)], tau2).imag / STEP / k[j] for j in range(4)]
    fall = speed[1] + speed[3] - speed[0] - speed[2]
    assert abs(fall / exp(log_speed(2, 3.0, tau2)) - 1) < 1e-9, "the speed is that of the loss"


def time(r, tau2, start=5.0, end=2.0, cells=2000):
    h = log(start / end) / cells
    return sum(h * exp(-log_speed(r, end * exp((i + 0.5) * h), tau2)) for i in range(cells))


sizes = (8, 16, 32, 64, 128)
slow = [time(r, float(r)) for r in sizes]
slopes = [log(b / a) / log(2) for a, b in zip(slow, slow[1:])]
assert all(b > 1.6 * a for a, b in zip(slopes, slopes[1:])) and slopes[-1] > 40, "the local power of r keeps doubling"
assert slow[3] > 1e4 * 64**6, "far above r⁶ at r = 64"
rest = lambda x: x - log_cosh(x)
assert all(t >= log(2 / 1.1) / 4 * exp((r - 1) * rest(r / (r + 1))) for r, t in zip(sizes, (time(r, float(r), 2.0, 1.1) for r in sizes)))

quick = [time(r, 1.0) for r in sizes]
assert all(0.8 < log(b / a) / log(2) < 1.1 for a, b in zip(quick, quick[1:])), "linear in r for τ² = 1"

mild = [time(r, log(r)) / (r**2 / log(r)) for r in (64, 1024, 16384)]
assert all(abs(m / (log(0.8 / 0.5) / 4) - 1) < 0.1 for m in mild), "τ² = log r: (log(8/5)/4)·r²/log r, as 1 − S̄ ≈ 1/r"

print(f"τ² = r: times {', '.join(f'{t:.2g}' for t in slow)} at r = 8 to 128, local powers {', '.join(f'{s:.1f}' for s in slopes)}; τ² = 1: {', '.join(f'{t:.2g}' for t in quick)}")
