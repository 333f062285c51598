"""Proposition 2, part (1): L_sup,k(f) ≤ L_sup,k^μ(f) ≤ (k/(1−τ))(L_un(f) − τ) for uniform ρ and 2 ≤ k + 1 ≤ N_C, τ = P(c = c').

N_C = 2 classes, each with one embedding in ℝ, k = 1, ρ uniform, τ = ½; the paper's logarithms are natural. Two models: values
0 and 1, and values −3 and 3, where the right side is even negative. The class means are the values themselves; every loss is
a finite sum. The proof takes base two "without loss of generality": in bits the statement holds, and in nats with τ log 2 in
the place of τ.
"""

from itertools import product
from math import exp, log

TAU = sum(0.5 * 0.5 for _ in range(2))


def losses(points):
    """L_sup,1^μ over the only task, both classes, and L_un with one negative."""
    term = lambda anchor, other: log(1 + exp(anchor * (other - anchor)))
    a, b = points
    supervised = 0.5 * term(a, b) + 0.5 * term(b, a)
    contrastive = sum(0.25 * term(x, y) for x, y in product(points, points))
    return supervised, contrastive


found = []
for points in ((0.0, 1.0), (-3.0, 3.0)):
    left, contrastive = losses(points)
    right = (1 / (1 - TAU)) * (contrastive - TAU)
    bits = (1 / (1 - TAU)) * (contrastive / log(2) - TAU)
    assert left > right + 0.3, "it fails in nats"
    assert left / log(2) <= bits + 1e-12, "it holds in bits"
    assert left <= (1 / (1 - TAU)) * (contrastive - TAU * log(2)) + 1e-12, "and in nats with τ log 2"
    found.append(f"{points}: {left:.6f} against {right:.6f}")
assert right < -0.3, "an upper bound below zero for a loss, L_sup,1 included, that is never negative"

print("nats, values " + "; ".join(found))
