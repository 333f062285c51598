"""Appendix D.1, third line of the proof of Lemma D.2: L_S = (1/n) Σ_i Σ_{j ≠ i} sum over the sets A that contain j of
(1/C(n-1, k)) log(1 + Σ_{s in A} exp(q_i.z_is)).

Every set of k negatives is counted once for each of its elements: the right side is k L_S.  n = 3, k = 2, all queries zero:
L_S = log 3, the printed form 2 log 3.  The lines that follow in the proof do not use it.
"""

import math
from itertools import combinations

n, k = 3, 2
q, keys = [0.0, 0.0, 0.0], [0.0, 1.0, 2.0]
term = lambda i, A: math.log(1 + sum(math.exp(q[i] * (keys[s] - keys[i])) for s in A))
others = lambda i: [j for j in range(n) if j != i]
sets = lambda i: list(combinations(others(i), k))
loss = sum(sum(term(i, A) for A in sets(i)) / len(sets(i)) for i in range(n)) / n
printed = sum(sum(term(i, A) for A in sets(i) if j in A) / len(sets(i)) for i in range(n) for j in others(i)) / n
assert len(sets(0)) == math.comb(n - 1, k) and abs(loss - math.log(3)) < 1e-12
assert abs(printed - k * loss) < 1e-12 and printed - loss > 1
print("L_S =", round(loss, 6), ", printed form", round(printed, 6))
