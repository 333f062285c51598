"""Fact 1: dL_S/dq_i = E Σ_{j ≤ k} exp(q_i.z_ij)/(1 + Σ_{s ≤ j} exp(q_i.z_is)) z_ij.

The inner sum should run to k, as in Appendix C.1, and the factor 1/n is missing. n = 3, k = 2, queries 0 and keys 0, 1,
2, so that every exponential is 1: dL_S/dq_1 = (1 + 2)/3/3 = 1/3; with the limit k the sum is 1, and as printed, averaged
over the order of the negatives, (1/2 + 1/3)(1 + 2)/2 = 5/4.
"""

import math
from fractions import Fraction as F
from itertools import permutations

keys, n, k = [0, 1, 2], 3, 2
z = [keys[j] - keys[0] for j in (1, 2)]
printed = sum(sum(F(1, 1 + j) * w for j, w in enumerate(order, 1)) for order in permutations(z)) / math.factorial(k)
to_k = sum(F(1, 1 + k) * w for w in z)
term = lambda i, v: math.log(1 + sum(math.exp(v * (keys[j] - keys[i])) for j in range(n) if j != i))
loss = lambda q: sum(term(i, v) for i, v in enumerate(q)) / n
slope = (loss([1e-5, 0, 0]) - loss([-1e-5, 0, 0])) / 2e-5
assert abs(slope - 1 / 3) < 1e-9 and printed == F(5, 4) and to_k == 1
assert float(printed) - slope > 0.9 and float(to_k) - slope > 0.6 and abs(n * slope - float(to_k)) < 1e-8
print("derivative", round(slope, 6), ", printed", printed, ", with the limit k", to_k)
