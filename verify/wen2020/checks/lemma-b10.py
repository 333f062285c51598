"""Lemma B.10: |x_i - x_j| >= delta for unit inputs implies |h_(i,l) - h_(j,l)| >= delta/2 at every layer, with high probability.

At infinite width two unit vectors at angle t become unit vectors at the angle arccos((sin t + (pi - t) cos t)/pi): every layer
brings them closer, 1/chord grows by 0.106 to 0.207 a layer, and beyond l = 3 pi/delta the chord is below delta/2.  By the law of
large numbers the probability of the printed event then tends to 0 with m, not to 1.  (For delta <= c/L, as in Theorem 4.2, it stands.)
The proof's bounds on one neuron fail too: at t = pi (delta = 2) the second moment is 2/m, and not delta^2/m = 4/m.
"""
import math, random

step = lambda t: math.acos((math.sin(t) + (math.pi - t) * math.cos(t)) / math.pi)
chord = lambda t: 2 * math.sin(t / 2)
rows = []
for delta in (2.0, 1.0, 0.5, 0.1):
    t, l = step(2 * math.asin(delta / 2)), 0
    while chord(t) >= delta / 2:
        t, l = step(t), l + 1
    rows.append((delta, l, round(chord(t), 4)))
    assert l <= 3 * math.pi / delta and chord(step(step(t))) < delta / 2 - 0.002 * delta

def moments(t, n=20000):  # of (sigma(w.h_i) - sigma(w.h_j))^2 in units of 1/m: w.h_i = r cos v, w.h_j = r cos(v - t), E r^2 = 4/m
    both, one, total = [], [], 0.0
    for k in range(n):
        v = 2 * math.pi * (k + 0.5) / n
        a, b = math.cos(v), math.cos(v - t)
        value = 4 * (max(a, 0) - max(b, 0)) ** 2
        total += value / n
        (both if a > 0 and b > 0 else one if (a > 0) != (b > 0) else []).append(value)
    mean = lambda s: sum(s) / len(s) if s else 0.0
    return mean(both), mean(one), total

for t in (0.5, 1.5, 2.5):
    both, one, total = moments(t)
    d2 = chord(t) ** 2
    assert both < 0.99 * 2 * d2 and total < 0.99 * d2  # printed: at least 2 delta^2/m and delta^2/m
assert moments(math.pi - 1e-9)[1] < 0.51 * 2 * 4 and abs(moments(math.pi - 1e-9)[2] - 2) < 1e-3
assert moments(math.pi - 1e-9)[2] / 4 < 0.51  # sum of a quarter of the second moments, printed as >= delta^2/4 = 1
assert abs(max(0, -1) - max(0, 2) - (-2)) == 0  # only j active, w.h_j = 2: the difference is -2 and not +2

rng, m = random.Random(6), 100  # drawn networks: delta = 2 (x and -x), three more layers
below = 0
for _ in range(20):
    a = [rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)]
    h, g = [max(v, 0) for v in a], [max(-v, 0) for v in a]
    for _ in range(3):
        W = [[rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)] for _ in range(m)]
        h, g = ([max(0.0, sum(p * q for p, q in zip(r, v))) for r in W] for v in (h, g))
    below += math.dist(h, g) < 1
assert below >= 12
print("lemma-b10: (delta, first layer below delta/2, chord there):", rows, "; drawn, m = 100, delta = 2, layer 3:", below, "of 20 below 1")
