"""Lemma B.5 (a): |W_c (D + D'') ... W_a|_2 ≤ O(√L) with high probability for all 0 ≤ a ≤ c ≤ L.

At a = c = L that is |W_L|_2, at least the length of its first row, whose square is χ²_m/d; at a = c = 0 it is |W_0|_2, at
least that of its first row, squared (2/m) χ²_b. P(χ²_n ≤ y n) ≤ (y e^(1-y))^(n/2) for y < 1, so P(|W_L| ≤ C √L) vanishes
once m/d exceeds C² L. The factors 1 + √(m/d) for c = L and 1 + √(b/m) for a = 0 repair it.
"""

import math
import random


def log_low(n, threshold):  # log of the bound of P(chi^2_n <= threshold)
    y = threshold / n
    assert y < 1
    return n / 2 * (math.log(y) + 1 - y)


rows, L = [], 4
for C in (1, 10):
    d = 200  # d >= (log m)^2
    m = 4 * C * C * L * d
    b = 2 * C * C * L * m
    assert math.log(m) ** 2 <= d
    rows.append((C, m, d, round(log_low(m, C * C * L * d)), b, round(log_low(b, C * C * L * m / 2))))
    assert rows[-1][3] < -100 and rows[-1][5] < -100, "e^(-100), where 1 - e^(-Omega(s log m)) is promised"
rng = random.Random(5)
m, d = 12800, 200
row = math.sqrt(sum(rng.gauss(0, 1) ** 2 for _ in range(m)) / d)
assert 7.5 < row < 8.5, "sqrt(m/d) = 8"
print("a drawn row of W_L has length", round(row, 3), "= sqrt(m/d); (C, m, d, log P for W_L, b, log P for W_0):", rows)
