"""Lemma B.17, with noise: without negatives some σ, of the proof σ² = (s, 1, …, 1) with s = c log d, makes the condition number large after Stage 1.

How large, how r grows and how long the noise is given are lost. Infinite width, τ = 0: Stage 1 ends at κ_p² = (σ_p²/2)e^(λσ_p²) with
e^(λs) + (r − 1)e^λ = 2w, so cond(κ²) = s e^(λ(s−1)), with w = r without noise and w = d when the noise dies out (seen by integration in
thm-4.3a.py). With noise that dies out and s = log d all readings
hold. Two fail: √d up to logarithms for s = √log d, since cond(κ²) ≤ s(2d)^(1−1/s); and a power of d when the noise is below its
tolerance from the start, σ_ξ² = 0.005, r = 2, Stage 1 ending when ρ ≥ 0.9 and the noise ratio is ≤ 0.1: 2rs is the bound then.
"""

from math import atanh, exp, expm1, log, log1p, sqrt

SIZES = (40, 160, 640, 2560, 10240)


def log_condition(s, log_rest, log_weight):
    low, high = 0.0, (log_weight + log(2)) / s
    for _ in range(200):
        middle = (low + high) / 2
        a, b = middle * s, log_rest + middle
        total = max(a, b) + log1p(exp(-abs(a - b)))
        low, high = (middle, high) if total < log_weight + log(2) else (low, middle)
    return log(s) + low * (s - 1)


noisy = [log_condition(sqrt(x), log(1), x) for x in SIZES]
missing = [(x - f) / log(x) for f, x in zip(noisy, SIZES)]
assert all(f <= log(sqrt(x)) + (1 - 1 / sqrt(x)) * (x + log(2)) + 1e-9 for f, x in zip(noisy, SIZES))
assert all(b > a + 1 for a, b in zip(missing[1:], missing[2:])), "d/cond(κ²) exceeds every power of log d"

held = [log_condition(x, 0.0, x) - (x - 3 * log(x)) for x in SIZES]
assert min(held) > 0, "with noise that dies out and s = log d, d/(log d)³ is exceeded"


def stopped(s, log_d, sigma_noise=0.005):
    """log cond(κ²) at the first θ with tanh θ ≥ 0.9; conservation fixes I(θ): Σ(cosh(σ²θ)e^(−σ²I) − 1) = q(1 − e^(−2σ_ξ²I/q))."""
    theta, noise = atanh(0.9), exp(log_d) - 2
    log_grown = lambda x, i: x * (theta - i) + log1p(exp(-2 * x * theta)) - log(2)
    excess = lambda i: sum(expm1(log_grown(x, i)) for x in (s, 1.0)) + noise * expm1(-2 * sigma_noise * i / noise)
    low, high = 0.0, theta
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    weak = log_grown(1.0, low)
    ratio = sigma_noise * exp(-2 * sigma_noise * low / noise) / exp(weak)
    assert ratio <= 0.01, "the noise ratio is below 0.1"
    return log(s) + log_grown(s, low) - weak


short = [stopped(x, x) for x in (5.0, 10.0, 20.0, 40.0)]
assert all(f <= log(4 * x) for f, x in zip(short, (5.0, 10.0, 20.0, 40.0))), "the case of no noise returns: 2rs"
assert short[2] < 0.5 * 20 - 5

show = lambda values: ", ".join(f"{v:.3g}" for v in values)
print(f"s = √log d: d/cond(κ²) = (log d)^k, k = {show(missing)}; weak noise: log cond(κ²) = {show(short)} at log d = 5, 10, 20, 40")
