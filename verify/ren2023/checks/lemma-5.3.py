"""Lemma 5.3 with eq. (10): in Stage 2 T_p − T_p' is Ω(1) once the condition number exceeds a constant, hence a linear rate.

The sizes are lost. Aligned, no noise, K_A = K_B with orthogonal columns, κ² = (2, 1, …, 1), K = 1: x_p = τ²κ_p²/Σκ_q², T_p = tanh x_p, and
1 − S̄ = KE/(e^(τ²) + KE) with E = E e^(τ²⟨f⁺, f⁻⟩) over z⁻, which is the product of all cosh x_p: seen here by enumeration of z⁻ for r = 4.
The ratio falls at the rate 4(1 − S̄)(T_1 − T_2)σ²/N². At τ² = 1 the gap T_1 − T_2 is below 1/(r + 1), not Ω(1). At τ² = r it is Ω(1),
but 1 − S̄ falls faster than every power of r. For no τ² is the product above K/(er).
"""

from itertools import product
from math import cosh, e, exp, log, log1p, tanh


def log_one_minus_s(r, tau2, negatives=1.0):
    log_cosh = lambda x: x + log1p(exp(-2 * x)) - log(2)
    value = log(negatives) + log_cosh(2 * tau2 / (r + 1)) + (r - 1) * log_cosh(tau2 / (r + 1)) - tau2
    return value - log1p(exp(value))


def gap(r, tau2):
    return tanh(2 * tau2 / (r + 1)) - tanh(tau2 / (r + 1))


for tau2 in (1.0, 4.0):
    kappa = (2.0, 1.0, 1.0, 1.0)
    inner = lambda z: sum(k * x for k, x in zip(kappa, z)) / sum(kappa)
    mean = sum(exp(tau2 * inner(z)) for z in product((1, -1), repeat=4)) / 16
    by_hand = mean / (exp(tau2) + mean)
    assert abs(by_hand - exp(log_one_minus_s(4, tau2))) < 1e-12, "E⟨f⁺, f⁺⟩ = 1, and z⁺ may be taken as (1, 1, 1, 1)/2"

sizes = (16, 64, 256, 1024)
gaps = [gap(r, 1.0) for r in sizes]
assert all(0.95 / (r + 1) < g < 1 / (r + 1) for r, g in zip(sizes, gaps)), "τ² = 1: of order 1/r"
assert gaps[-1] < 0.001

assert min(gap(r, float(r)) for r in sizes) > 0.15, "τ² = r: the gap is Ω(1)"
shares = [log_one_minus_s(r, float(r)) for r in sizes]
assert all(share < -0.5 * r for r, share in zip(sizes, shares)), "but 1 − S̄ < e^(−r/2)"
powers = [-share / log(r) for r, share in zip(sizes, shares)]
assert powers == sorted(powers) and powers[-1] > 80, "no power of r serves"

for r in sizes:
    best = max(exp(log_one_minus_s(r, t)) * gap(r, t) for t in [k / 20 for k in range(1, 400)])
    assert best <= 1 / (e * r), "the rate is never above K/(er), for any τ²"

print(f"τ² = 1: gap = {', '.join(f'{g:.1e}' for g in gaps)}; τ² = r: 1 − S̄ = r^(−k), k = {', '.join(f'{k:.1f}' for k in powers)} at r = 16, 64, 256, 1024")
