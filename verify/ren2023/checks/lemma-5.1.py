"""Lemma 5.1 with eq. (9): at the end of Stage 1 the condition number is at most of order √d, and some σ attains this.

The sizes are lost. Infinite width, τ = 0, σ² = (s, 1, …, 1): the flow ends at κ_p² = (σ_p²/2)e^(λσ_p²) with Σe^(λσ_p²) = 2w (seen by
integration in thm-4.3a.py), w = r without noise, w = d with noise that dies out. So cond(κ²) = s e^(λ(s−1)). Three readings fail:
that cond(κ) ≤ const·√d for every σ with s = c log d: with noise cond(κ²)/(d log d) tends to 2c e^(−1/c); that a power of d is
attained without noise for fixed r, where cond(κ²) ≤ 2rs; and that it is attained for r = d^(1/4), s = √log d, where it is at
most s2^(s−1).
"""

from math import exp, log, log1p, sqrt


def log_condition(s, log_rest, log_weight):
    """log(s e^(λ(s−1))) with e^(λs) + e^(log_rest + λ) = 2e^(log_weight), by bisection in logarithms."""
    low, high = 0.0, (log_weight + log(2)) / s
    for _ in range(200):
        middle = (low + high) / 2
        a, b = middle * s, log_rest + middle
        total = max(a, b) + log1p(exp(-abs(a - b)))
        low, high = (middle, high) if total < log_weight + log(2) else (low, middle)
    return log(s) + low * (s - 1)


sizes = (40, 160, 640, 2560, 10240)
factors = {}
for c in (1.0, 0.5):
    quotients = [exp(log_condition(c * x, x / 4, x) - x) for x in sizes]
    limits = [q / x / (2 * c * exp(-1 / c)) for q, x in zip(quotients, sizes)]
    assert all(abs(limit - 1) < 0.03 for limit in limits[2:]), "cond(κ²)/(d log d) → 2c e^(−1/c)"
    assert all(b > 3.5 * a for a, b in zip(quotients, quotients[1:])), "cond(κ²)/d grows like log d: no constant serves"
    factors[c] = [sqrt(q) for q in quotients]
assert factors[1.0][-1] > 80

fixed = [log_condition(x, 0.0, log(2)) / x for x in sizes]
assert all(log_condition(x, 0.0, log(2)) <= log(4 * x) for x in sizes), "r = 2, no noise: cond(κ²) ≤ 2rs"
slow = [log_condition(sqrt(x), x / 4, x / 4) / x for x in sizes]
assert all(log_condition(sqrt(x), x / 4, x / 4) <= log(sqrt(x)) + (sqrt(x) - 1) * log(2) + 1e-9 for x in sizes)
assert all(b < 0.6 * a for series in (fixed, slow) for a, b in zip(series, series[1:])), "the exponents of d tend to 0"
assert fixed[-1] < 0.002 and slow[-1] < 0.01

show = lambda series: ", ".join(f"{x:.3g}" for x in series)
print(f"cond(κ)/√d = {show(factors[1.0])}; exponents of cond(κ²) without noise {show(fixed)} (r = 2), {show(slow)} (s = √log d)")
