"""After Theorem 4.2: an output dimension d of the order of log² m is necessary to contrast queries and keys.

Two dimensions do for every n and m: q_i = k_i = R (cos 2πi/n, sin 2πi/n) with R² = log(2(n - 1)/ε)/(1 - cos(2π/n)) has L_S
≤ ε, k = n - 1 (the largest L_S of all k). On a line L_S ≥ (n - 2) k log 2/(n (n - 1)), for n = 3 and k = 2 log 2/3: of a
million outputs none is below, and some come near.
"""

from itertools import product
from math import cos, exp, log, pi, sin

worst = 0.0
for n, accuracy in product((3, 10, 100, 400), (1.0, 0.1, 1e-6)):
    radius = (log(2 * (n - 1) / accuracy) / (1 - cos(2 * pi / n))) ** 0.5
    points = [(radius * cos(2 * pi * i / n), radius * sin(2 * pi * i / n)) for i in range(n)]
    dot = lambda a, b: a[0] * b[0] + a[1] * b[1]
    loss = sum(log(1 + sum(exp(dot(q, k) - dot(q, q)) for k in points if k != q)) for q in points) / n
    assert loss <= accuracy
    worst = max(worst, loss / accuracy)
bound = log(2) / 3
queries = (-30.0, -1.0, 0.0, 0.02, 0.05, 0.1, 1.0, 30.0)
keys = (-2.0, 0.0, 1.0, 1.5, 50.0, 51.0)
least = 9.0
for k in product(keys, repeat=3):
    part = lambda i, q: log(1 + sum(exp(min(q * (k[j] - k[i]), 300.0)) for j in range(3) if j != i))
    least = min(least, sum(min(part(i, q) for q in queries) for i in range(3)) / 3)
assert bound <= least < 1.2 * bound
print(f"L_S/ε on circles at most {worst:.3f}; n = 3 on a line: least L_S {least:.4f}, bound {bound:.4f}")
