"""Proof of Theorem 1: Lemma 6 is applied with the accuracy εη/(2n), and Lemma 4 then gives L̂_un ≤ ε, for every ε > 0.

Lemma 4 needs the accuracy to be below η/2, which is ε < n: at n = 1, ε = 1 it is η/2. And where Assumption 2 fixes C before ε,
outputs shorter than C have |z_1·(z_3 − z_2)| < 2C², so L̂_un > nζ(−2C²): for C = 1 that is 0.1269 n, and ε = n/10 cannot be reached while
the assumption holds. Checked on all triplets in ℝ with norms up to 1 on a grid, where the least value is taken at (1, 1, −1).
"""

from fractions import Fraction
from itertools import product
from math import exp, log1p

n, eps, eta = 1, Fraction(1), Fraction(1, 2)
assert not eps * eta / (2 * n) < eta / 2, "the accuracy asked for is not below η/2"
assert all(Fraction(k, 10) * eta / (2 * n) < eta / 2 for k in range(1, 10)), "it is for ε < n"

grid = [k / 20 for k in range(-20, 21)]
losses = {z: log1p(exp(z[0] * (z[2] - z[1]))) for z in product(grid, repeat=3)}
least = min(losses.values())
assert least == losses[1.0, 1.0, -1.0] == log1p(exp(-2))
assert least > 0.1 + 0.02, "every output of norm at most C = 1 has ℓ > 1/10"

print(f"n = ε = 1: εη/(2n) = η/2; C = 1: L̂_un ≥ {least:.4f} n, so that ε = n/10 contradicts Assumption 2")
