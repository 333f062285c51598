"""Lemma 6: under Assumption 1, with m large enough, gradient descent finds parameters with ‖∇L̂_un(f)‖ ≤ ε, in the outputs of f.

Assumption 1 read as it stands, for the set X_data, with the gradient in the 3n outputs place by place, as Lemma 4 needs it.
First the triplet (x, y, y): f(y) − f(y) = 0 for all parameters, so L̂_un is constant, every derivative in the parameters is
zero, and descent stays at its random start, where the place-wise gradient has the norm ‖f(x)‖/√2: checked for 50 starts of a
network with m = 64, L = 0, d = 2. Then the triplets (x, y, w), (x, w, y), without x⁺ = x⁻: their slopes add up to s + (1 − s) = 1, so
that ‖∇L̂_un‖² ≥ 2‖f(x)‖²(s² + (1 − s)²) ≥ ‖f(x)‖² ≥ η² for every encoder with norms above η: checked on a grid of slopes.
Last, with C fixed beforehand, the least gradient over norms up to C is √(6n) C σ(−2C²) = 0.292 for n = C = 1, above ε = 0.2.
"""

from fractions import Fraction
from math import exp, sqrt
from random import Random


def start(seed, width=64, inputs=2, outputs=2):
    """Output for the first unit vector of a network drawn as in the cited theorem."""
    draw = Random(seed).gauss
    hidden = [max(draw(0, sqrt(2 / width)), 0.0) for _ in range(width)]
    return [sum(draw(0, sqrt(1 / outputs)) * h for h in hidden) for _ in range(outputs)]


def place_wise(z1, z2, z3):
    s = 1 / (1 + exp(-sum(a * (c - b) for a, b, c in zip(z1, z2, z3))))
    blocks = [[s * (c - b) for b, c in zip(z2, z3)], [-s * a for a in z1], [s * a for a in z1]]
    return sqrt(sum(t * t for block in blocks for t in block))


gradients = []
for seed in range(50):
    z1, z2 = start(seed), start(seed + 1000)
    gradients.append(place_wise(z1, z2, z2))
    assert abs(gradients[-1] - sqrt(sum(a * a for a in z1) / 2)) < 1e-12
above = sum(g > 0.05 for g in gradients)
assert above >= 48, "at nearly all starts the gradient is above ε = 1/20, where it stays"

for k in range(101):
    s = Fraction(k, 100)
    assert 2 * (s**2 + (1 - s) ** 2) >= 1, "so that the two triplets keep ‖∇L̂_un‖ ≥ ‖f(x)‖"

slope = lambda a: 1 / (1 + exp(-a))
corner = sqrt(6) * slope(-2)
grid = [(0.5 + 0.5 * i / 200, 2 * j / 200) for i in range(201) for j in range(201)]
least = min(slope(-p * q) * sqrt(q * q + 2 * p * p) for p, q in grid)
assert corner > 0.29 and least >= corner - 1e-12, "norms in (1/2, 1): the gradient cannot get to ε = 0.2 < η/2"

print(f"(x, y, y): ‖∇‖ > 1/20 for ever from {above} of 50 starts; (x, y, w), (x, w, y): ‖∇‖ ≥ ‖f(x)‖; C = 1: ‖∇‖ ≥ {corner:.3f}")
