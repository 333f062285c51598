"""Appendix A.2, (1) of (A.3): with probability 1 - O(n) e^(-Ω(d)) all outputs are O(1) at the start, so L_S ≤ O(log k).

(a) k = 1: O(log 1) = 0, and L_S = log 2 where all outputs are zero; log(k + 1) is meant.
(b) d enters only through W_L. L = 1 and m fixed: |f(x)|² = |h|² χ²_d/d, and as d grows P(|f(x)| > C) tends to P(|h| > C)
> 0, which no e^(-c d) dominates. m = 4, C = 2: |h|² = (1/2) sum of the squares of the positive ones of 4 normal numbers.
P(|f| > 2) ≥ P(|h| > 2.25) P(χ²_d/d > 0.79), the last at least 1 - 46/d by Chebyshev.
"""

import math

assert abs(math.log(1 + math.exp(0.0)) - math.log(2)) < 1e-15 and math.log(1) == 0  # (a)


def chi_above(n, t):  # P(chi^2_n > t) by the recursion from n = 1, 2
    value = math.erfc(math.sqrt(t / 2)) if n % 2 else math.exp(-t / 2)
    for j in range(1 if n % 2 else 2, n, 2):
        value += (t / 2) ** (j / 2) * math.exp(-t / 2) / math.gamma(j / 2 + 1)
    return value


m, level = 4, 2.25
tail = sum(math.comb(m, j) / 2**m * chi_above(j, level**2 * m / 2) for j in range(1, m + 1))  # |h|^2 = (2/m) chi^2_j
series = []
for d in (100, 1000, 10**4, 10**5):
    below = tail * (1 - 2 / d / (1 - (2 / level) ** 2) ** 2)
    series.append((d, round(below, 5), 100 * math.exp(-d / 1000)))
assert abs(chi_above(3, 2.2) - 0.53195) < 1e-5 and abs(chi_above(4, 2.2) - 0.69903) < 1e-5, "against tables"
assert series[-1][1] > 0.005 and series[-1][2] < 1e-40, "the promise falls below any positive number, P does not"
print("k = 1: log 2 against 0; (d, P(|f| > 2) at least, 100 e^(-d/1000)):", series)
