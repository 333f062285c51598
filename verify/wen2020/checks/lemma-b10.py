"""Lemma B.10: |x_i - x_j| ≥ δ for unit inputs implies |h_(i,l) - h_(j,l)| ≥ δ/2 at every layer, with high probability.

At infinite width two unit vectors at angle t become unit vectors at the angle arccos((sin t + (π - t) cos t)/π): every layer
brings them closer, 1/chord grows by 1/(3 π) to (√2 - 1)/2 a layer, and beyond l = 3 π/δ the chord is below δ/2.  By the
law of large numbers the probability of the printed event then tends to 0 with m, not to 1.  (For δ ≤ c/L, as in Theorem 4.2,
it stands.)  The induction of the proof fails at its step: a chord of δ/2 goes to less.
"""

import math
import random

step = lambda t: math.acos((math.sin(t) + (math.pi - t) * math.cos(t)) / math.pi)
chord = lambda t: 2 * math.sin(t / 2)
rows = []
for delta in (2.0, 1.0, 0.5, 0.1):
    t, l = step(2 * math.asin(delta / 2)), 0
    while chord(t) >= delta / 2:
        t, l = step(t), l + 1
    rows.append((delta, l, round(chord(t), 4)))
    assert l <= 3 * math.pi / delta and chord(step(step(t))) < delta / 2 * 0.995
for k in range(1, 1000):  # the step of 1/chord, and hence of the induction
    t = math.pi * k / 1000
    assert 1 / (3 * math.pi) - 1e-6 < 1 / chord(step(t)) - 1 / chord(t) < (math.sqrt(2) - 1) / 2

rng, m, below = random.Random(6), 100, 0  # drawn networks: x and -x, so delta = 2, and three layers after the first
for _ in range(20):
    first = [rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)]
    h, g = [max(v, 0) for v in first], [max(-v, 0) for v in first]
    for _ in range(3):
        W = [[rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)] for _ in range(m)]
        h, g = ([max(0.0, sum(p * q for p, q in zip(r, v))) for r in W] for v in (h, g))
    below += math.dist(h, g) < 1
assert below >= 12
print(
    "(delta, first layer below delta/2, chord there):",
    rows,
    "; drawn, m = 100, delta = 2, layer 3:",
    below,
    "of 20 below 1",
)
