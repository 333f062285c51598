"""Lemma B.11: in Stage 1 the tracked noise-to-signal ratio converges at a linear rate, of order σ_min² alone in (12).

The displays are lost. The ratio is taken as E = (‖[K_Aξ]_k‖² + ‖[K_Bξ]_k‖²)/‖[K_A]_p + [K_B]_p‖². One signal, σ = σ_ξ = 1, K_A = K_B a unit
vector e_0, noise columns e_k/√q and e_(q+k)/√q, k = 1 … q: aligned, with little noise. At τ = 0 the flow is, up to the constant c_K,
K_A' = K_B/(N_AN_B) − ΨK_A/N_A², K_Aξ' = −(r/q)ΨK_Aξ/N_A², N_A² = ‖K_A‖²/r + ‖K_Aξ‖²/q, Ψ = ⟨K_A, K_B⟩/(rN_AN_B). Here N_A² = N_B² = 1 + 1/q and
−N²(log E)' = 4/(q + 1) exactly: no multiple of σ_min² = 1 that is independent of q is below it. All numbers are fractions.
"""

from fractions import Fraction


def normalised_rate(q):
    signal, noise = Fraction(1), Fraction(1, q)
    square = signal + q * noise / q
    psi = signal / square
    grown = 2 * (signal / square - psi * signal / square)
    decayed = -2 * Fraction(1, q) * psi * noise / square
    ratio_rate = decayed / noise - grown / signal
    return -square * ratio_rate


sizes = (1, 2**10, 2**20)
rates = [normalised_rate(q) for q in sizes]
assert rates == [Fraction(4, q + 1) for q in sizes], "by hand: 2(1 − Ψ) + 2Ψ/q with Ψ = q/(q + 1)"
assert rates[-1] < Fraction(1, 1024) / 250, "below C·σ_min² for C = 1/1024, and so for every C as q grows"
assert all(rate >= 2 * min(1, Fraction(1, q)) * Fraction(q, q + 1) for q, rate in zip(sizes, rates)), "min(σ², σ_ξ²r/q) is the order"

print("−N²(log E)'/(c_Kσ²) = " + ", ".join(f"{float(rate):.2g} (q = {q})" for q, rate in zip(sizes, rates)))
