"""Theorem 1: |u_φ(x) - u_id(x)| ≤ K c |x|² d √(log⁴ h / h) with a universal K, for φ(0) = 0, φ'(0) = 1, |φ''| ≤ c.

The inequality is printed without a probability.  For all orthonormal weights it fails: W1 = W2 = e_1 (d = z = 1), x = 1,
φ(s) = s + s²/2 (c = 1): the difference is 1/2 at every width, while log² h / √h tends to zero (and is 0 at h = 1).
"With probability tending to one", as the proof has it, nothing was found against it.
"""

import math

phi = lambda s: s + s * s / 2
assert phi(0) == 0 and abs((phi(1e-6) - phi(-1e-6)) / 2e-6 - 1) < 1e-9
assert all(abs(phi(s + 0.5) - 2 * phi(s) + phi(s - 0.5) - 0.25) < 1e-9 for s in (-3, 0, 2)), "phi'' = 1"


def difference(h):
    w = [1.0] + [0.0] * (h - 1)  # a column of norm one
    assert sum(v * v for v in w) == 1
    return abs(sum(v * (phi(v * 1.0) - v * 1.0) for v in w))


series = []
for h in (2, 2**10, 2**16):
    series.append((h, difference(h), round(math.log(h) ** 2 / math.sqrt(h), 4)))
assert all(row[1] == 0.5 for row in series)
bound = lambda K, k: K * (k * math.log(2)) ** 2 / math.sqrt(2.0**k)  # at h = 2^k
for K in (1, 10, 1000):
    k = next(k for k in range(12, 200) if bound(K, k) < 0.25)
    assert all(bound(K, k + j + 1) < bound(K, k + j) for j in range(100)), "falls from there on"
    series.append((f"K = {K}", f"h = 2^{k}", round(bound(K, k), 4)))
print("difference 0.5 at every width; right side:", series)
