"""Lemma C.1: Σ_r |(1/n) Σ_i <[W_L]^r, v_i> σ'([W_(L-1)]_r h_i) h_i| ≥ Ω(m δ/(n³ d)) Σ |v_i|² for all v.

(a) The left side has degree one in v and the right side two: v = t v_0 with a large t refutes it; squared norms are
meant.
(b) Squared, and for L = 1, where the h_i are the inputs: σ'(w.x) x - σ'(-w.x)(-x) = x for every w, so on the six points
±(1, 0), ±(0, 1), ±(3, 4)/5 the numbers v = 3, -3, 4, -4, -5, 5 make the left side zero, whatever the weights.
(c) The Bernstein step bounds P(Σ (Z - EZ) ≤ +m EZ/2); a minus sign is meant: for Z = 0 or 1 with probability 1/2 and m =
100 the printed probability is near one. (d) For antipodal inputs P(r in A_i) = 0: see Lemma C.2.
"""

import math
import random

rng, m, n, d = random.Random(7), 50, 2, 1
h = [[1.0, 0.0], [0.0, 1.0]]
delta = math.sqrt(2)
rows = [[rng.gauss(0, math.sqrt(2 / m)) for _ in range(2)] for _ in range(m)]
top = [rng.gauss(0, 1 / math.sqrt(d)) for _ in range(m)]


def vectors(points, v):  # (1/n) sum_i <[W_L]^r, v_i> sigma'(...) h_i for r = 1, ..., m; d = 1
    k = len(points)
    out = []
    for w, c in zip(rows, top):
        active = [w[0] * p[0] + w[1] * p[1] > 0 for p in points]
        out.append([sum(c * v[i] * points[i][s] for i in range(k) if active[i]) / k for s in range(2)])
    return out


left = lambda t: sum(math.hypot(*u) for u in vectors(h, [t, t]))
right = lambda t: m * delta / (n**3 * d) * 2 * t * t
assert abs(left(10.0) / left(1.0) - 10) < 1e-9 and abs(right(10.0) / right(1.0) - 100) < 1e-9
series = []
for c in (1.0, 0.01):
    t = 10 ** math.ceil(math.log10(left(1.0) / (c * right(1.0))) + 0.5)
    series.append((c, t, round(left(t), 1), round(c * right(t), 1)))
    assert left(t) < c * right(t) / 2
six = [(1, 0), (-1, 0), (0, 1), (0, -1), (0.6, 0.8), (-0.6, -0.8)]
signed = [3, -3, 4, -4, -5, 5]
assert sum(math.hypot(*u) ** 2 for u in vectors(six, signed)) < 1e-25 and sum(a * a for a in signed) == 100
assert min(math.dist(p, q) for p in six for q in six if p != q) > 0.63
upper = sum(math.comb(100, k) for k in range(0, 76)) / 2**100  # P(sum (Z - EZ) <= +25)
assert upper > 0.999 and math.exp(-100 * 0.25 / (8 * 0.5)) < 0.002
print(
    "(c, t, left, right):",
    series,
    "; six points: left side 0 with sum |v|^2 = 100; printed Bernstein probability",
    round(upper, 6),
)
