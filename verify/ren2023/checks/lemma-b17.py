"""Lemma B.17: without negatives some σ, of the proof σ² = (s, 1, …, 1) with s = c log d, makes the condition number large after Stage 1.

How large, how r grows and whether noise is present are lost. Infinite width, τ = 0: Stage 1 ends at κ_p² = (σ_p²/2)e^(λσ_p²) with
e^(λs) + (r − 1)e^λ = 2w, so cond(κ²) = s e^(λ(s−1)), with w = r without noise and w = d when the noise dies out (seen by integration in
thm-4.3a.py). Without noise these readings of "large" fail: a power of d, or √d up to logarithms, at fixed r, for
cond(κ²) ≤ 2rs; the same for s = √log d and r = d^0.3, for cond(κ²) ≤ s2^(s−1). Logarithms are computed for log d up to 10240.
"""

from math import exp, log, log1p, sqrt

SIZES = (40, 160, 640, 2560, 10240)


def log_condition(s, log_rest, log_weight):
    low, high = 0.0, (log_weight + log(2)) / s
    for _ in range(200):
        middle = (low + high) / 2
        a, b = middle * s, log_rest + middle
        total = max(a, b) + log1p(exp(-abs(a - b)))
        low, high = (middle, high) if total < log_weight + log(2) else (low, middle)
    return log(s) + low * (s - 1)


fixed = [log_condition(x, 0.0, log(2)) for x in SIZES]
assert all(f <= log(4 * x) for f, x in zip(fixed, SIZES)), "r = 2: cond(κ²) ≤ 2rs"
root = [log_condition(sqrt(x), 0.3 * x, 0.3 * x) for x in SIZES]
assert all(f <= log(sqrt(x)) + (sqrt(x) - 1) * log(2) + 1e-9 for f, x in zip(root, SIZES)), "cond(κ²) ≤ s2^(s−1)"
for series in (fixed, root):
    exponents = [f / x for f, x in zip(series, SIZES)]
    assert all(b < 0.6 * a for a, b in zip(exponents, exponents[1:])), "no power of d"
assert all(x - 3 * log(x) > f + 20 for f, x in zip(fixed, SIZES)), "and d/(log d)³ is out of reach"

show = lambda values: ", ".join(f"{f / x:.3g}" for f, x in zip(values, SIZES))
print(f"log cond(κ²)/log d = {show(fixed)} (r = 2, s = log d), {show(root)} (r = d^0.3, s = √log d)")
