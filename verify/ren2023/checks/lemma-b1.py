"""Lemma B.1: up to the end T_1 of Stage 1 the condition number is at most d^(O(c)), with the c of σ_max²/σ_min² ≤ c log d.

The size is lost; this is the reading that fails, for it makes the bound a function of s = σ_max²/σ_min². Infinite width, τ = 0, r = 2, σ² = (2, 1),
σ_ξ² = 1, q = d − 2, start κ² = σ², ρ = 0. In the clock dθ = (2c_K/N²)dt the flow is ρ_p = tanh(σ_p²θ), κ_p² = σ_p² cosh(σ_p²θ)e^(−σ_p²I), squared noise
norms e^(−(2/q)I), I = ∫Ψdθ, and Σκ_p²/σ_p² + (noise) = d is constant, which fixes I(θ). T_1 is where 1 − ρ_p ≤ δ and all noise ratios are ≤ δ.
With δ = 1/√d the condition number grows like √d; for a fixed δ it stays below 4/δ².
"""

from math import exp, log, tanh

SIGMA = (2.0, 1.0)


def condition_at_the_end(d, delta):
    noise, low_theta, high_theta = d - 2, 0.0, 10.0 * d

    def state(theta):
        grown = lambda s, i: exp(s * (theta - i)) * (1 + exp(-2 * s * theta)) / 2
        excess = lambda i: sum(grown(s, i) for s in SIGMA) + noise * exp(-2 / noise * i) - d
        low, high = max(0.0, theta - log(2 * d)), theta
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        kappa = [s * grown(s, low) for s in SIGMA]
        done = all(1 - tanh(s * theta) <= delta for s in SIGMA) and exp(-2 / noise * low) <= delta**2 * min(kappa)
        return done, kappa[0] / kappa[1]

    for _ in range(100):
        middle = (low_theta + high_theta) / 2
        low_theta, high_theta = (low_theta, middle) if state(middle)[0] else (middle, high_theta)
    return state(high_theta)[1]


sizes = (20, 100, 1000, 10_000, 100_000)
conditions = [condition_at_the_end(d, d**-0.5) for d in sizes]
assert conditions[-1] > 16 * exp(2 * 2), "far above e^(2s), although s = 2 is fixed"
assert all(b > a * (D / d) ** 0.45 for a, b, d, D in zip(conditions, conditions[1:], sizes, sizes[1:])), "like √d"
assert all(c <= 2 * d * 2 for c, d in zip(conditions, sizes)), "cond(κ²) ≤ 2ds, the other reading, holds"
assert 300 < condition_at_the_end(10**5, 0.1) < condition_at_the_end(10**8, 0.1) < 400, "for a fixed δ it stays below 4/δ²"

print(f"cond(κ²) = {', '.join(f'{c:.0f}' for c in conditions)} at d = 20, 10², 10³, 10⁴, 10⁵ for δ = 1/√d, where e^(2s) = 55")
