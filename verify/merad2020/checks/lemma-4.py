"""Lemma 4: if all outputs have norms above η and ‖∇L̂_un‖ ≤ ε < η/2, the gradient taken in the outputs of f, then ℓ(z_i) ≤ 2ε/η.

Three samples x, y, w and the triplets (x, y, w) and (x, w, y), as Assumption 2, which alone is granted, allows. The outputs are
f(x) = (−2, 0), f(y) = (1, −1), f(w) = (1, 1), of norms 2, √2, √2 > η = 1. With s_i = σ(z_i1·(z_i3 − z_i2)) = σ(0) = ½ the blocks of the
gradient are s(z_3 − z_2), −s z_1, s z_1 for each triplet; in the outputs of the three samples they add up to 0, so that ε may
be as small as one likes, while both losses are log 2. In six separate outputs, as in the proof, they do not cancel.
"""

from fractions import Fraction
from math import log, sqrt

f = {"x": (-2, 0), "y": (1, -1), "w": (1, 1)}
triplets = [("x", "y", "w"), ("x", "w", "y")]
eta = 1
assert all(a * a + b * b > eta**2 for a, b in f.values()), "every norm is above η"

total = {name: [Fraction(0), Fraction(0)] for name in f}
by_place = Fraction(0)
for anchor, positive, negative in triplets:
    difference = [n - p for n, p in zip(f[negative], f[positive])]
    assert sum(a * b for a, b in zip(f[anchor], difference)) == 0, "the logit is 0: ℓ = log 2 and s = ½"
    s = Fraction(1, 2)
    blocks = {anchor: [s * x for x in difference], positive: [-s * x for x in f[anchor]], negative: [s * x for x in f[anchor]]}
    for name, block in blocks.items():
        total[name] = [t + b for t, b in zip(total[name], block)]
        by_place += sum(b * b for b in block)

in_samples = sqrt(sum(t * t for block in total.values() for t in block))
assert in_samples == 0, "no gradient in the outputs of the samples"
assert log(2) > 2 * in_samples / eta + 0.69, "ℓ = log 2 where 2ε/η is 0"
assert sqrt(by_place) > 2 * eta, "in separate outputs ‖∇‖ = √6, and the lemma says nothing"

print(f"‖∇L̂_un‖ = {in_samples:.0f} in the samples' outputs, ℓ = log 2 = {log(2):.4f}; ‖∇L̂_un‖ = {sqrt(by_place):.3f} place by place")
