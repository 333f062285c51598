"""Lemma B.13: Δ_p = ‖[K_A]_p‖²/‖[K_B]_p‖² + ‖[K_B]_p‖²/‖[K_A]_p‖² ≥ 2 moves in Stage 1 at a speed that is quadratic in the error.

The displays are lost; Section B.4 uses that the right side of (14) is quadratic. It is in the relative error of the norms, but not in
the tracked Δ_p − 2. Two signals, σ = 1, both with ‖[K_A]_p‖² = t and ‖[K_B]_p‖² = 1/t, the first at a right angle to its partner, the second
parallel: ⟨[K_A]_p, [K_B]_p⟩ = 0 and 1. At τ = 0, up to c_K, K_A' = K_B/(N_AN_B) − ΨK_A/N_A² and K_B' the other way round, so with
N_A² = t, N_B² = 1/t, N_AN_B = 1, Ψ = ½ the norms of the first pair change by −t/t = −1 each: Δ_1' = (t + 1/t)(Δ_1 − 2), linear.
All numbers are fractions.
"""

from fractions import Fraction


def motion(t):
    """Δ_1 − 2 and its speed in units of c_K."""
    a, b, inner = (t, t), (1 / t, 1 / t), (Fraction(0), Fraction(1))
    square_a, square_b, both = sum(a) / 2, sum(b) / 2, Fraction(1)
    assert square_a * square_b == both**2 and all(h * h <= x * y for h, x, y in zip(inner, a, b)), "a Gram matrix"
    psi = sum(inner) / (2 * both)
    a_rate = 2 * (inner[0] / both - psi * a[0] / square_a)
    b_rate = 2 * (inner[0] / both - psi * b[0] / square_b)
    speed = a_rate / b[0] - a[0] * b_rate / b[0] ** 2 + b_rate / a[0] - b[0] * a_rate / a[0] ** 2
    return a[0] / b[0] + b[0] / a[0] - 2, speed


errors = [Fraction(1, 10**k) for k in range(1, 6)]
found = [motion(1 + x) for x in errors]
for x, (delta, speed) in zip(errors, found):
    t = 1 + x
    assert delta == (t - 1 / t) ** 2 and speed == (t + 1 / t) * delta, "Δ' = (t + 1/t)(Δ − 2)"
    assert 2 < speed / delta < Fraction(201, 100), "linear in Δ − 2, with a coefficient that tends to 2"
quadratic = [speed / delta**2 for delta, speed in found]
assert quadratic[-1] > 10**9 and quadratic == sorted(quadratic), "so that no constant C has Δ' ≤ C(Δ − 2)²"

print("Δ'/(Δ − 2)² = " + ", ".join(f"{float(x):.1e}" for x in quadratic) + ", Δ'/(Δ − 2) → 2, as the mismatch goes from 10% to 0.001%")
