"""Lemma C.13: in Stage 2 the squared cosines a² + b² of a signal, of A and of B, with a noise column do not grow to leading order.

The displays are lost; the proof says that the first matrix is negative semidefinite, and concludes. One signal, one noise column
of squared norm 0.01 in each view, K_A and K_B of norm 1, σ = σ_ξ = 1, τ² = 2, K = 1; cos(K_A, K_B) = ρ near 1, a = cos(K_A, K_Aξ) = ε, b =
cos(K_B, K_Aξ) = −ε/2. The flow is K_A' = −(r/τ²)(∂L/∂K_A)σ², K_Aξ' = −(r/τ²)(∂L/∂K_Aξ)σ_ξ² with L = −E log S_A − E log S_B summed over all signs of
z⁺, ξ⁺, z⁻, ξ⁻; derivatives are taken by a complex step, which has no cancellation.
"""

from cmath import exp, log, sqrt
from itertools import product

SIGNS = list(product((1, -1), repeat=2))
STEP = 1e-30


def dot(x, y):
    return sum(a * b for a, b in zip(x, y))


def loss(columns, tau2):
    """Columns K_A, K_Aξ, K_B, K_Bξ; r = q = 1, K = 1."""
    a, noise_a, b, noise_b = columns
    scale = sqrt(dot(a, a) + dot(noise_a, noise_a)) * sqrt(dot(b, b) + dot(noise_b, noise_b))
    out = lambda s, n: [[z * x + xi * y for x, y in zip(s, n)] for z, xi in SIGNS]
    of_a, of_b = out(a, noise_a), out(b, noise_b)
    table = [[exp(tau2 * dot(x, y) / scale) for y in of_b] for x in of_a]
    positive = [(i, j) for i, j in product(range(4), repeat=2) if SIGNS[i][0] == SIGNS[j][0]]
    share = lambda i, j, negatives: table[i][j] / (table[i][j] + sum(negatives) / 4)
    return -sum(log(share(i, j, table[i])) + log(share(i, j, [row[j] for row in table])) for i, j in positive) / len(positive)


def squares(columns):
    a, noise, b, _ = columns
    return sum(dot(x, noise) ** 2 / (dot(x, x) * dot(noise, noise)) for x in (a, b))


def relative_growth(rho, eps, share, tau2=2.0):
    """(a² + b²)'/(a² + b²) at the state with b = share·a; the Cholesky factor of its Gram matrix holds the columns."""
    norms = [1.0, 0.1, 1.0, 0.1]
    cosines = [[1, eps, rho, 0], [eps, 1, eps * share, 0], [rho, eps * share, 1, 0], [0, 0, 0, 1]]
    columns = [[0.0] * 4 for _ in norms]
    for i in range(4):
        for j in range(i + 1):
            rest = cosines[i][j] * norms[i] * norms[j] - dot(columns[i][:j], columns[j][:j])
            assert i != j or rest > 0, "a Gram matrix"
            columns[i][j] = rest**0.5 if i == j else rest / columns[j][j]
    moving = [[complex(x) for x in column] for column in columns]
    for c, k in product(range(4), repeat=2):
        probe = [[x + 1j * STEP * ((c, k) == (i, j)) for j, x in enumerate(column)] for i, column in enumerate(columns)]
        moving[c][k] += 1j * STEP * -(1 / tau2) * (loss(probe, tau2).imag / STEP)
    return squares(moving).imag / STEP / squares(columns)


found = [relative_growth(rho, eps, -0.5) for rho, eps in ((0.95, 5e-2), (0.99, 1e-2), (0.999, 1e-4), (0.99999, 1e-6))]
assert min(found) > 0.3, "a² + b² grows, at a rate that stays as the state comes near the aligned manifold"
assert relative_growth(0.99, 1e-2, 1.0) < -0.5, "for a = b it falls"

print("(a² + b²)'/(a² + b²) = " + ", ".join(f"{x:.4f}" for x in found) + " as ρ → 1 and the cosines fall from 5% to 10⁻⁶")
