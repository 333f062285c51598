"""Lemma C.1: in Stage 2 the condition number falls below any 1 + c within polynomial time, while the errors (17) at most double.

(17) and all sizes are lost; (17) is read as norms of A against B, alignment, noise ratio and cosines. For the cosines and τ_2² of order 1 or
log r this holds. The mismatch of norms, u_p = log(‖[K_A]_p‖²/‖[K_B]_p‖²), does not stay within a factor 2, nor within any factor independent of σ:
r = 2, no noise, aligned, κ² = σ² = (s, 1), both u_p = 10⁻³, τ² = 1, K = 1, followed until κ_1² = 2κ_2² along the flow K' = −(r/τ²)(∂L/∂K)D_σ, whose
derivatives come from L = −E log S_A − E log S_B over all z⁺, z⁻ by a complex step. The time for τ_2² = r is shown in cor-c20.py; here its lower bound
from R = 2 to 1.1 at σ = 1, log(2/1.1)/4·e^((r−1)f(r/(r+1))), f(x) = x − log cosh x, is compared with r⁶.
"""

from cmath import exp as cexp
from cmath import log as clog
from cmath import sqrt as csqrt
from itertools import product
from math import exp, log, log1p, sqrt

SIGNS = list(product((1, -1), repeat=2))
STEP, START = 1e-30, 1e-3


def loss(k, tau2):
    """For r = 2 and lengths (A_1, A_2, B_1, B_2) of parallel pairs; K = 1."""
    scale = csqrt((k[0] ** 2 + k[1] ** 2) / 2) * csqrt((k[2] ** 2 + k[3] ** 2) / 2)
    x = [tau2 * k[p] * k[p + 2] / (2 * scale) for p in range(2)]
    table = [[cexp(x[0] * z[0] * w[0] + x[1] * z[1] * w[1]) for w in SIGNS] for z in SIGNS]
    share = lambda i, negatives: table[i][i] / (table[i][i] + sum(negatives) / 4)
    return -sum(clog(share(i, table[i])) + clog(share(i, [row[i] for row in table])) for i in range(4)) / 4


def velocity(k, sigma2, tau2):
    probes = [loss([x + 1j * STEP * (i == j) for i, x in enumerate(k)], tau2).imag / STEP for j in range(4)]
    return [-(2 / tau2) * sigma2[j % 2] * probes[j] for j in range(4)]


def mismatch(s, tau2=1.0):
    """The largest |u_p| on the way, over its start."""
    sigma2, largest = (s, 1.0), START
    k = [sqrt(s) * exp(START / 4), exp(START / 4), sqrt(s) * exp(-START / 4), exp(-START / 4)]
    first = k[0] ** 2 / s + k[1] ** 2
    while k[0] * k[2] > 2 * k[1] * k[3]:
        v = velocity(k, sigma2, tau2)
        step = 0.03 / abs(v[0] / k[0] + v[2] / k[2] - v[1] / k[1] - v[3] / k[3])
        v = velocity([x + step / 2 * y for x, y in zip(k, v)], sigma2, tau2)
        k = [x + step * y for x, y in zip(k, v)]
        largest = max(largest, abs(2 * log(k[0] / k[2])), abs(2 * log(k[1] / k[3])))
    assert abs(k[0] ** 2 / s + k[1] ** 2 - first) < 1e-3 * first, "‖W_A‖² is constant"
    return largest / START


strengths = (60.0, 240.0, 960.0, 3840.0)
growth = [mismatch(s) for s in strengths]
assert growth[0] > 3.5 and growth[-1] > 40, "more than twice, and more than any factor"
assert all(b > 2 * a for a, b in zip(growth, growth[1:])), "it doubles at least whenever σ_1²/σ_2² grows fourfold"

f = lambda x: log(2) - log1p(exp(-2 * x))
sizes = (16, 64, 256)
times = [log(2 / 1.1) / 4 * exp((r - 1) * f(r / (r + 1))) for r in sizes]
assert times[1] > 1e3 * 64**6 and times[2] > 1e40 * 256**6, "τ_2² = r: not polynomial"

print(f"mismatch of norms × {', '.join(f'{g:.1f}' for g in growth)} at σ² = (60 to 3840, 1); τ² = r: time ≥ {times[1]:.1e} at r = 64, r⁶ = {64**6:.1e}")
