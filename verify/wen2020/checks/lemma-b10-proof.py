"""Proof of Lemma B.10: bounds for one neuron w, of variance 2/m, on unit vectors h_i, h_j at distance δ and angle t.

E[(s(w.h_i) - s(w.h_j))²] is printed as ≥ 2 δ²/m given that both, or exactly one, are active, ≥ δ²/m in all; the difference
as + w.h_j where only j is active; and the sum of E[s(w_r.h_i) - s(w_r.h_j)]/4 over r as ≥ δ²/4.  With w.h_i = r cos v,
w.h_j = r cos(v - t), v uniform and E r² = 4/m all these are one-dimensional means.  At t = π (δ = 2): 2/m in all for 4/m.
"""

import math


def moments(t, n=40000):
    """The mean square given both, given exactly one, and in all, and the mean, in units of 1/m (of E r for the last)."""
    both, one, total, mean = [], [], 0.0, 0.0
    for k in range(n):
        v = 2 * math.pi * (k + 0.5) / n
        a, b = math.cos(v), math.cos(v - t)
        difference = max(a, 0) - max(b, 0)
        total += 4 * difference**2 / n
        mean += difference / n
        if a > 0 and b > 0:
            both.append(4 * difference**2)
        elif a > 0 or b > 0:
            one.append(4 * difference**2)
    return sum(both) / max(len(both), 1), sum(one) / max(len(one), 1), total, mean


rows = []
for t in (0.5, math.pi / 2, 2.5, math.pi - 1e-6):
    d2 = (2 * math.sin(t / 2)) ** 2
    both, one, total, mean = moments(t)
    psi = math.pi - t
    if psi > 0.1:
        assert abs(both / (2 * d2 * (1 - math.sin(psi) / psi)) - 1) < 1e-3 and both < 0.95 * 2 * d2
    assert 0.499 * d2 < total < 0.99 * d2, "printed: at least delta^2; true: at least delta^2/2"
    assert abs(mean) < 1e-6, "so the printed sum of means is 0 and not delta^2/4"
    rows.append((round(t, 3), round(both / (2 * d2), 3), round(one / (2 * d2), 3), round(total / d2, 3)))
assert rows[-1][2] < 0.26 and rows[-1][3] < 0.501, "one active: a quarter of what is printed; in all: half"
assert total / 4 < 0.51, "m neurons, a quarter of the squares: 1/2 where delta^2/4 = 1"
assert max(0, -1) - max(0, 2) == -2, "only j active, w.h_j = 2"
print("(angle, mean squares over the printed bounds: both, one active, in all):", rows)
