"""Lemma B.1: up to the end T_1 of Stage 1 the condition number is bounded, and the errors (11) stay as small as they start.

The sizes are lost; two readings fail, both at infinite width and τ = 0. (q5) The condition number is d^(O(c)) with c from the hypothesis
σ_max²/σ_min² = s ≤ c log d, that is, a function of s: for σ² = (2, 1), σ_ξ² = 1, q = d − 2 the solution in closed form (lemma-5.2.py) is
followed until 1 − ρ_p ≤ δ and all noise ratios are ≤ δ = 1/√d (for a fixed δ it stays below 4/δ²). (q2) The mismatch of noise norms of
A and B grows at most by a constant factor: one signal, one noise column, all σ = 1, and the equations in a = ‖K_A‖², b,
h = ⟨K_A, K_B⟩, n_A, n_B are integrated until 1 − ρ ≤ 0.1 and both noise ratios are ≤ δ: 2(h/(N_AN_B) − Ψa/N_A²), n_A' = −2Ψn_A/N_A² and
so on, N_A² = a + n_A, Ψ = h/(N_AN_B).
"""

from math import exp, log, sqrt, tanh

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


def field(x):
    a, b, h, n_a, n_b = x
    square_a, square_b = a + n_a, b + n_b
    both = sqrt(square_a * square_b)
    psi = h / both
    mixed = (a + b) / both - psi * (h / square_a + h / square_b)
    return (2 * (h / both - psi * a / square_a), 2 * (h / both - psi * b / square_b), mixed, -2 * psi * n_a / square_a, -2 * psi * n_b / square_b)


x, h = (exp(0.05), exp(-0.05), 0.0, exp(0.05), exp(-0.05)), 0.002
invariants = x[0] + x[3], x[1] + x[4]
drift, targets = [], [0.1, 0.03, 0.01, 0.003]
while targets:
    half = tuple(u + h / 2 * v for u, v in zip(x, field(x)))
    x = tuple(u + h * v for u, v in zip(x, field(half)))
    if 1 - x[2] / sqrt(x[0] * x[1]) <= 0.1 and max(x[3] / x[0], x[4] / x[1]) <= targets[0] ** 2:
        drift.append(log(x[3] / x[4]) / 0.1)
        targets.pop(0)
assert abs(x[0] + x[3] - invariants[0]) + abs(x[1] + x[4] - invariants[1]) < 1e-6, "‖W_A‖² and ‖W_B‖² are constant"
assert drift[0] > 4.5 and all(b > a + 1.5 for a, b in zip(drift, drift[1:])), "the mismatch 0.1 grows without bound as δ → 0"

print(f"cond(κ²) = {', '.join(f'{c:.0f}' for c in conditions)} at d = 20 to 10⁵, δ = 1/√d, e^(2s) = 55; noise mismatch × {', '.join(f'{v:.1f}' for v in drift)} at δ = 0.1 to 0.003")
