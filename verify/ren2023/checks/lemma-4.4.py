"""Lemma 4.4: signals above noise, K_A close to K_B and a bounded condition number make the representations aligned.

The formulas are lost. Explicitly: σ_min(K_A/N)/√r > ‖K_A − K_B‖/N + noise. Here r = 2, K_A = K_B = [3 1; 0 1], no noise: the right side
is 0, the condition number 3.4. The alignment score, also lost, is read as the chance that the inner product tells a positive from
a negative: with z⁺ = (1, −1)/√2, z⁻ = (1, 1)/√2 one has ⟨Kz⁺, Kz⁺⟩ = 5/2 < 7/2 = ⟨Kz⁺, Kz⁻⟩. Read with distances the lemma holds.
All products are whole numbers, with z ∈ {±1}² in the place of z√2; the four z⁺ and four z⁻ are enumerated.
"""

from fractions import Fraction
from itertools import product
from math import sqrt

K = ((3, 1), (0, 1))
image = lambda z: tuple(sum(a * x for a, x in zip(row, z)) for row in K)
dot = lambda x, y: sum(a * b for a, b in zip(x, y))

trace = sum(a * a for row in K for a in row)
determinant = K[0][0] * K[1][1] - K[0][1] * K[1][0]
largest, smallest = (trace + sqrt(trace**2 - 4 * determinant**2)) / 2, (trace - sqrt(trace**2 - 4 * determinant**2)) / 2
condition = sqrt(largest / smallest)
assert smallest > 0 and condition < 3.4, "σ_min > 0 = ‖K_A − K_B‖ + noise, and the condition number is small"

latents = list(product((1, -1), repeat=2))
pairs = [(p, n) for p in latents for n in latents]
by_product = Fraction(sum(dot(image(p), image(p)) > dot(image(p), image(n)) for p, n in pairs), len(pairs))
distance = lambda x, y: dot([a - b for a, b in zip(x, y)], [a - b for a, b in zip(x, y)])
by_distance = Fraction(sum(distance(image(p), image(p)) < distance(image(p), image(n)) for p, n in pairs), len(pairs))

positive, negative = (1, -1), (1, 1)
own, other = dot(image(positive), image(positive)), dot(image(positive), image(negative))
assert (own, other) == (5, 7), "a long Kz attracts the anchors of other signals"
assert by_product == Fraction(5, 8) and by_distance == Fraction(3, 4) == 1 - Fraction(1, 2**2)

print(f"⟨Kz⁺, Kz⁺⟩ = {own}/2 < ⟨Kz⁺, Kz⁻⟩ = {other}/2; score by inner products {by_product}, by distances {by_distance} = 1 − 2^(−r)")
