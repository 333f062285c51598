"""Theorem 4.3 (a): some σ obeying the hypotheses makes training without negatives end aligned, but not balanced.

How unbalanced is lost; it is read here as ρ_B/r → 0, at a fixed r, and as near rank one, λ_1(Σ) → 1, for r = d^(1/4) without noise.
Infinite width, one strong direction, σ² = (s, 1, …, 1), s = c log d. The flow of L_nc, κ_p²' = 2σ_p²(h_p − Ψκ_p²)/N², h_p' =
2σ_p²(κ_p² − Ψh_p)/N² with h_p = ⟨[K_A]_p, [K_B]_p⟩, N² = Σκ_p²/r, Ψ = Σh_p/(rN²), starts at κ_p² = σ_p², h_p = 0 and ends at
κ_p² = h_p = (σ_p²/2)e^(λσ_p²) with Σe^(λσ_p²) = 2r without noise, 2d with noise that dies out: seen here by integration for
σ² = (3, 1, 1, 1). The balance score is tr Σ/‖Σ‖ ≥ 1 in the first case, and λ_1 = κ_1²/Σκ_p² in the second.
"""

from math import exp, log, log1p


def end(s, log_r, log_weight):
    """λ from e^(λs) + (r − 1)e^λ = 2w by bisection, all in logarithms; returns log(κ_1²/κ_2²)."""
    log_rest = log_r + log1p(-exp(-log_r))
    low, high = 0.0, (log_weight + log(2)) / s
    for _ in range(200):
        middle = (low + high) / 2
        a, b = middle * s, log_rest + middle
        total = max(a, b) + log1p(exp(-abs(a - b)))
        low, high = (middle, high) if total < log_weight + log(2) else (low, middle)
    return log(s) + low * (s - 1)


def flow(sigma, steps=4000, h=0.005):
    def field(kappa, mixed):
        n = sum(kappa) / len(kappa)
        psi = sum(mixed) / (len(kappa) * n)
        rates = [(2 * s * (m - psi * k) / n, 2 * s * (k - psi * m) / n) for s, k, m in zip(sigma, kappa, mixed)]
        return [a for a, _ in rates], [b for _, b in rates]

    kappa, mixed = list(sigma), [0.0] * len(sigma)
    shift = lambda x, v, t: [a + t * b for a, b in zip(x, v)]
    for _ in range(steps):
        k1, m1 = field(kappa, mixed)
        k2, m2 = field(shift(kappa, k1, h / 2), shift(mixed, m1, h / 2))
        kappa, mixed = shift(kappa, k2, h), shift(mixed, m2, h)
    return kappa


kappa = flow([3.0, 1.0, 1.0, 1.0])
assert abs(log(kappa[0] / kappa[1]) - end(3.0, log(4), log(4))) < 1e-3, "the end in closed form is that of the flow"

sizes = (20, 40, 80, 160)
balance = [(1 + exp(-end(log_d, log(2), log_d))) / 2 for log_d in sizes]
assert all(0.5 <= x < 0.501 for x in balance), "r = 2, with noise: ρ_B/r is at least 1/2, and so does not tend to 0"

shares = []
for log_d in sizes:
    s, log_r = 0.1 * log_d, log_d / 4
    shares.append(1 / (1 + exp(log_r - end(s, log_r, log_r))))
    assert shares[-1] <= 1 / (1 + exp(log_r - log(s) - (s - 1) * log(2))) * (1 + 1e-3), "λ ≤ log 2 bounds it for every σ"
assert all(b < a / 2 for a, b in zip(shares, shares[1:])) and shares[-1] < 1e-8, "r = d^(1/4), no noise: λ_1 → 0, not 1"

print(f"r = 2: ρ_B/r → {balance[-1]:.3f}; r = d^(1/4), c = 0.1: λ_1 = " + ", ".join(f"{x:.1g}" for x in shares) + " at log d = 20 to 160")
