"""Section 5.3, the use of Lemma 5.2 with noise: progress X is the larger of 1 − min ρ and the noise-signal ratio, error Y = κ_1²/κ_2².

The lemma itself is true. Its use needs X' ≤ −AX, |(log Y)'| ≤ sAX with A = 2c_Kσ_min²/N², s = σ_max²/σ_min², and gives |log(Y_T/Y_0)| ≤ sX_0
whatever T and d are. The formulas are lost; the ratio is taken of squared norms. Infinite width, τ = 0, r = 2, σ² = (2, 1), σ_ξ² = 1, q = d − 2
noise columns, start κ² = σ², ρ = 0: X_0 = 1 and s = 2. In the clock dθ = (2c_K/N²)dt the flow is ρ_p = tanh(σ_p²θ), κ_p² = σ_p² cosh(σ_p²θ)e^(−σ_p²I),
noise norms² e^(−(2/q)I), I = ∫Ψdθ, and Σκ_p²/σ_p² + (noise) = d is constant, which fixes I(θ); A = 1 per unit of θ.
"""

from math import exp, log, tanh

SIGMA = (2.0, 1.0)


def state(dimension, theta):
    """Squared signal and noise norms; cosh(sθ)e^(−sI) is written with θ − I, which stays bounded."""
    noise = dimension - 2
    grown = lambda s, i: exp(s * (theta - i)) * (1 + exp(-2 * s * theta)) / 2
    excess = lambda i: sum(grown(s, i) for s in SIGMA) + noise * exp(-2 / noise * i) - dimension
    low, high = max(0.0, theta - log(2 * dimension)), theta
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return [s * grown(s, low) for s in SIGMA], exp(-2 / noise * low)


sizes = (30, 100, 1000, 10_000)
growth = []
for d in sizes:
    kappa, noise = state(d, 10.0 * d)
    assert noise < 1e-8, "the noise has died out"
    growth.append(log(kappa[0] / kappa[1]) - log(2))
    assert abs(growth[-1] - log(2 * d) / 2) < 0.3, "cond(κ²) ends near 2√(2d)"
assert all(g > 2 for g in growth[1:]), "log(Y_T/Y_0) exceeds sX_0 = 2"
assert all(b > a + 0.5 for a, b in zip(growth, growth[1:])), "and grows with d"

# The progress at θ = 1, d = 8: A has integral 1, so that X should be at most 1/e.
kappa, noise = state(8, 1.0)
progress = max(1 - tanh(s) for s in SIGMA), noise / min(kappa)
assert max(progress) > exp(-1) + 0.3, "the noise ratio falls at a rate set by σ_ξ²r/q, not by σ_min²"

print("log(Y_T/Y_0) = " + ", ".join(f"{g:.2f} (d = {d})" for g, d in zip(growth, sizes)) + f", where sX_0 = 2; X_1/X_0 = {max(progress):.2f} > 1/e")
