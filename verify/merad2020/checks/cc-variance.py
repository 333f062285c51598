"""Section 3.1, after Lemma 2: for uniform draws from N classes the coupon-collector time T has the variance (πN)²/6.

Hypotheses: draws independent and uniform on N ≥ 1 classes, T the number of draws until every class was seen. When j of the N
classes are still missing, the next new one takes a geometric number of draws with success probability j/N, so T is a sum of
independent geometric times and its variance an exact fraction. For N = 2, where P(T = n) = 2^(1−n) for n ≥ 2, it is also
summed from the law itself.
"""

from fractions import Fraction
from math import pi


def variance(n):
    chances = [Fraction(j, n) for j in range(1, n + 1)]
    return sum((1 - p) / p**2 for p in chances)


law = {n: Fraction(1, 2 ** (n - 1)) for n in range(2, 200)}
assert abs(1 - sum(law.values())) < Fraction(1, 10**50)
mean = sum(n * p for n, p in law.items())
by_law = sum((n - mean) ** 2 * p for n, p in law.items())
assert variance(2) == 2 and abs(by_law - 2) < Fraction(1, 10**50)

ratios = {n: float(variance(n)) / ((pi * n) ** 2 / 6) for n in (2, 10, 100, 1000)}
assert ratios[2] < 0.31 and ratios[10] < 0.77 and ratios[100] < 0.97, "the printed value is not the variance"
assert ratios[2] < ratios[10] < ratios[100] < ratios[1000] < 1, "it is an upper bound, right as N grows"

print("N = 2: Var T = 2, printed 6.58; Var T/printed = " + ", ".join(f"{r:.3f} (N = {n})" for n, r in ratios.items()))
