"""Lemma B.1, (11): up to the end T_1 of Stage 1 the noise columns of A and of B have norms that stay as close as they start.

The size is lost; read as "up to a constant factor" it fails. Infinite width, τ = 0, one signal and one noise column, all strengths 1; norms of A
and B apart by e^(0.1) at the start, K_A at a right angle to K_B. The equations in a = ‖K_A‖², b, h = ⟨K_A, K_B⟩, n_A, n_B are integrated until
1 − ρ ≤ 0.1 and both noise ratios are ≤ δ: a' = 2(h/(N_AN_B) − Ψa/N_A²), n_A' = −2Ψn_A/N_A² and so on, N_A² = a + n_A, Ψ = h/(N_AN_B). By hand:
N_A and N_B are constant, so log(n_A/n_B) = 0.1 + (N_A²/N_B² − 1) log(n_A(0)/n_A), without bound as δ → 0.
"""

from math import exp, log, sqrt


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
        by_hand = 0.1 + (invariants[0] / invariants[1] - 1) * log(exp(0.05) / x[3])
        assert abs(log(x[3] / x[4]) - by_hand) < 1e-3
        drift.append(log(x[3] / x[4]) / 0.1)
        targets.pop(0)
assert abs(x[0] + x[3] - invariants[0]) + abs(x[1] + x[4] - invariants[1]) < 1e-6, "‖W_A‖² and ‖W_B‖² are constant"
assert drift[0] > 4.5 and all(b > a + 1.5 for a, b in zip(drift, drift[1:])), "the mismatch 0.1 grows without bound as δ → 0"

print(f"mismatch of noise norms × {', '.join(f'{v:.1f}' for v in drift)} at δ = 0.1, 0.03, 0.01, 0.003")
