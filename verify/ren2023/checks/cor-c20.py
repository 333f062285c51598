"""Corollary C.20: in Stage 2 the ratio of the largest to the smallest κ² falls below 1 + c within polynomial time, for
every c > 0.

The time and the order of τ_2² are lost. For τ_2² of order 1 or log r it is polynomial; for τ_2² = r it is not. Aligned,
no noise, σ = 1, K = 1, κ² ∝ (R, 1, …, 1) with R from 5 to 2, ‖κ‖² = r: (log R)' = −4(1 − S̄)(T_1 − T_2) with x_p =
τ²κ_p²/r, T_p = tanh x_p, 1 − S̄ = P/(e^(τ²) + P), P = ∏cosh x_p. For r = 2 this is compared with the flow K' =
−(r/τ²)(∂L/∂K)D_σ, differentiated by a complex step from L = −E log S_A − E log S_B: all z⁺ and both views contribute
the same, with the mean over all z⁻. The time is the integral of 1/(4(1 − S̄)(T_1 − T_2)) over log R, by the midpoint
rule with 2000 cells. Lower bound, by hand: while R ≤ 2 one has x_p ≥ τ²/(r + 1), so the speed is at most
4e^(−(r−1)f(τ²/(r+1))), f(x) = x − log cosh x: exponential in r for τ² = r.
"""

import cmath
from itertools import product
from math import cosh, exp, log, sqrt, tanh

STEP = 1e-30


def loss(k, tau2):
    """For r = 2 and lengths (A_1, A_2, B_1, B_2) of parallel pairs; K = 1."""
    scale = cmath.sqrt((k[0] ** 2 + k[1] ** 2) * (k[2] ** 2 + k[3] ** 2))
    x = [tau2 * k[p] * k[p + 2] / scale for p in range(2)]
    negatives = [cmath.exp(x[0] * z + x[1] * w) for z, w in product((1, -1), repeat=2)]
    return 2 * cmath.log(1 + sum(negatives) / 4 / negatives[0])


def speed(r, ratio, tau2):
    """−(log R)'."""
    x = [tau2 * k / (ratio + r - 1) for k in (ratio, 1)]
    p = cosh(x[0]) * cosh(x[1]) ** (r - 1)
    return 4 * p / (exp(tau2) + p) * (tanh(x[0]) - tanh(x[1]))


def time(r, tau2, start=5.0, end=2.0, cells=2000):
    h = log(start / end) / cells
    return sum(h / speed(r, end * exp((i + 0.5) * h), tau2) for i in range(cells))


k = [sqrt(1.5), sqrt(0.5)] * 2
for tau2 in (1.0, 2.0, 6.0):
    slopes = [loss([x + 1j * STEP * (i == j) for i, x in enumerate(k)], tau2).imag / STEP / k[j] for j in range(4)]
    fall = 2 / tau2 * (slopes[0] + slopes[2] - slopes[1] - slopes[3])
    assert abs(fall / speed(2, 3.0, tau2) - 1) < 1e-9, "the speed is that of the loss"

sizes = (8, 16, 32, 64, 128)
slow, quick = [time(r, r) for r in sizes], [time(r, 1) for r in sizes]
powers, few = ([log(b / a, 2) for a, b in zip(row, row[1:])] for row in (slow, quick))
assert all(b > 1.6 * a for a, b in zip(powers, powers[1:])) and powers[-1] > 40, "the local power of r keeps doubling"
assert slow[3] > 1e4 * 64**6, "far above r⁶ at r = 64"
least = lambda r, x: log(2 / 1.1) / 4 * exp((r - 1) * (x - log(cosh(x))))
assert all(time(r, r, 2.0, 1.1) >= least(r, r / (r + 1)) for r in sizes), "the lower bound"
assert all(0.8 < power < 1.1 for power in few), "linear in r for τ² = 1"
mild = [time(r, log(r)) / (r**2 / log(r)) for r in (64, 1024, 16384)]
assert all(abs(m / (log(0.8 / 0.5) / 4) - 1) < 0.1 for m in mild), "τ² = log r: (log(8/5)/4)·r²/log r, as 1 − S̄ ≈ 1/r"
show = lambda form, row: ", ".join(format(v, form) for v in row)
print(
    f"τ² = r: times {show('.2g', slow)} at r = 8 to 128, local powers {show('.1f', powers)};",
    f"τ² = 1: {show('.2g', quick)}",
)
