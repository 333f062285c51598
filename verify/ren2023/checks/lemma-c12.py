"""Lemma C.12: in Stage 2 the sum δ² of the squared cosines between two signals, in and across the views, does not grow to leading order.

The display is lost; the proof of Lemma C.1 needs that nothing of the order of δ² is left on the right side, or that it is negative.
Two signals, no noise, K_A and K_B in ℝ^(4×2) with norms κ_p in both views, cos([K_A]_p, [K_B]_p) = ρ near 1 and cosines
ε(1, −1, t, −t) of the kinds (AA, BB, AB, BA). The flow is K_A' = −(r/τ²)(∂L/∂K_A)D_σ with L = −E log S_A − E log S_B summed over all z⁺, z⁻ ∈
{±1/√2}²; derivatives are taken by a complex step, which has no cancellation. First κ² = (4, ½), σ = 1, τ² = 4; then equal norms, σ² = (40, 1),
τ² = 2, where κ and σ are ordered alike and x_p = 1.
"""

from cmath import exp, log, sqrt
from itertools import product

SIGNS = list(product((1, -1), repeat=2))
STEP = 1e-30


def dot(x, y):
    return sum(a * b for a, b in zip(x, y))


def loss(columns, tau2):
    """Columns [K_A]_1, [K_A]_2, [K_B]_1, [K_B]_2; K = 1."""
    a, b = columns[:2], columns[2:]
    scale = sqrt(dot(a[0], a[0]) / 2 + dot(a[1], a[1]) / 2) * sqrt(dot(b[0], b[0]) / 2 + dot(b[1], b[1]) / 2)
    inner = [[tau2 * dot(x, y) / (2 * scale) for y in b] for x in a]
    table = [[exp(sum(inner[p][s] * z[p] * w[s] for p, s in product(range(2), repeat=2))) for w in SIGNS] for z in SIGNS]
    share = lambda i, negatives: table[i][i] / (table[i][i] + sum(negatives) / 4)
    return -sum(log(share(i, table[i])) + log(share(i, [row[i] for row in table])) for i in range(4)) / 4


def squares(columns):
    a1, a2, b1, b2 = columns
    return sum(dot(x, y) ** 2 / (dot(x, x) * dot(y, y)) for x, y in ((a1, a2), (b1, b2), (a1, b2), (b1, a2)))


def relative_growth(sigma2, kappa2, tau2, rho, eps, t):
    """(δ²)'/δ² at the state with these cosines; the Cholesky factor of its Gram matrix holds the columns."""
    norms = [x**0.5 for x in kappa2] * 2
    aa, bb, ab, ba = eps, -eps, eps * t, -eps * t
    cosines = [[1, aa, rho, ab], [aa, 1, ba, rho], [rho, ba, 1, bb], [ab, rho, bb, 1]]
    columns = [[0.0] * 4 for _ in norms]
    for i in range(4):
        for j in range(i + 1):
            rest = cosines[i][j] * norms[i] * norms[j] - dot(columns[i][:j], columns[j][:j])
            assert i != j or rest > 0, "a Gram matrix"
            columns[i][j] = rest**0.5 if i == j else rest / columns[j][j]
    moving = [[complex(x) for x in column] for column in columns]
    for c, k in product(range(4), repeat=2):
        probe = [[x + 1j * STEP * ((c, k) == (i, j)) for j, x in enumerate(column)] for i, column in enumerate(columns)]
        moving[c][k] += 1j * STEP * -(2 / tau2) * sigma2[c % 2] * (loss(probe, tau2).imag / STEP)
    return squares(moving).imag / STEP / squares(columns)


near = ((0.97, 1e-2), (0.999, 1e-4), (0.99999, 1e-6))
first = [relative_growth((1.0, 1.0), (4.0, 0.5), 4.0, rho, eps, 0.5) for rho, eps in near]
second = [relative_growth((40.0, 1.0), (1.0, 1.0), 2.0, rho, eps, -0.6) for rho, eps in near]
assert min(first) > 0.05 and min(second) > 1.0, "δ² grows, at a rate that stays as the state comes near the aligned manifold"
assert relative_growth((1.0, 1.0), (1.0, 1.0), 2.0, 0.97, 1e-2, -0.6) < -0.5, "at equal norms and strengths it falls"

print("(δ²)'/δ² = " + ", ".join(f"{x:.4f}" for x in first) + " and " + ", ".join(f"{x:.3f}" for x in second) + " as ρ → 1, cosines 10⁻² to 10⁻⁶")
