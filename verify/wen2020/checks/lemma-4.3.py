"""Lemma 4.3: in the balls of radius δ^(3/2)/(n³ L⁶ (log m)^(3/2)): |∇_θ L_S|² ≥ Ω(m δ/(n³ d)) Σ |l̃oss_i|².

The vectors are those of the query side (tilde); Lemma A.3 has the hat. n = 2, k = 1, x_1, x_2 orthogonal, L = 1, d = 1:
the pre-activations w_ri of the two inputs are independent and can be moved one by one. Moving them by -f_i b_r/Σ b² on
active units makes both queries zero, at a distance of order m^(-1/2), which is less than the radius for large m. There
the key side's vectors P_ji q_j - P_ij q_i are zero, so ∇_θ L_S = 0, and l̃oss_i = (k_j - k_i)/2 is not. In the proof |a +
b|² ≤ |a|² + |b|² is used: 4 against 2 for a = b = 1.
"""

import math
import random


def distance(m, seed):
    """From a random start to an explicit point with both queries zero."""
    rng, total = random.Random(seed), 0.0
    b = [rng.gauss(0, 1) for _ in range(m)]  # W_1, of variance 1/d = 1
    for _ in range(2):
        w = [rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)]
        f = sum(v * u for v, u in zip(b, w) if u > 0)
        used = {r for r in range(m) if w[r] > 8 * abs(f * b[r]) / m}  # units that stay active when moved
        square = sum(b[r] ** 2 for r in used)
        assert square > m / 8
        moved = [u - f * b[r] / square if r in used else u for r, u in enumerate(w)]
        assert abs(sum(v * max(u, 0.0) for v, u in zip(b, moved))) < 1e-9, "the query is zero now"
        total += f * f / square
    return math.sqrt(total)


radius = lambda log_m: math.sqrt(2) ** 1.5 / (2**3 * log_m**1.5)  # delta = sqrt 2, n = 2, L = 1
rows = []
for k in (10, 12, 14):
    typical = sorted(distance(2**k, seed) for seed in range(9))[4]
    assert 0.3 < typical * 2 ** (k / 2) < 3, "falls like m^(-1/2)"
    rows.append((k, round(typical, 4), round(radius(k * math.log(2)), 4)))
far = [(k, 3 / 2 ** (k / 2), radius(k * math.log(2))) for k in (24, 40, 80)]
assert all(d < r for _, d, r in far) and far[-1][1] < 1e-8 * far[-1][2], "whatever the constant in the radius"
s = lambda t: 1 / (1 + math.exp(-t))
keys, queries = [0.4, -0.9], [0.0, 0.0]
P = [s(queries[i] * (keys[1 - i] - keys[i])) for i in range(2)]
tilde = [P[i] * (keys[1 - i] - keys[i]) for i in range(2)]
hat = [P[1 - i] * queries[1 - i] - P[i] * queries[i] for i in range(2)]
assert hat == [0.0, 0.0] and min(abs(v) for v in tilde) > 0.6
assert (1 + 1) ** 2 - (1**2 + 1**2) == 2
print("(log2 m, median distance, radius):", rows, "; at larger widths:", [(k, f"{a:.1e}", f"{b:.1e}") for k, a, b in far])
