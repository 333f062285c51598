"""Appendix C.1: ∇_θ L_S = (1/n) Σ_i Σ_{j ≠ i} ∇_θ l(x_i, x_j).(f(x_j) - f(x_i)), l as in (C.1).

Right with l = P_ij q_i as (C.1) has it; if the vectors are those whose sums are the derivatives of Definition 4.1, l
carries a factor 1/n of its own, and 1/n stands there twice. n = 2, k = 1, one-unit keys k_i = t_1 max(0, t_0 x_i), x = 1,
2, queries 1, 2.
"""

import math

s = lambda v: 1 / (1 + math.exp(-v))
q, x, n = (1.0, 2.0), (1.0, 2.0), 2
keys = lambda t: [t[1] * max(0.0, t[0] * v) for v in x]
loss = lambda t: sum(math.log(1 + math.exp(q[i] * (keys(t)[1 - i] - keys(t)[i]))) for i in range(2)) / n
P = [s(q[i] * (keys((1.0, 1.0))[1 - i] - keys((1.0, 1.0))[i])) for i in range(2)]
true = (loss((1.0 + 1e-6, 1.0)) - loss((1.0 - 1e-6, 1.0))) / 2e-6
pairs = sum(P[i] * q[i] * (x[1 - i] - x[i]) for i in range(2)) / n
assert abs(pairs - true) < 1e-8 and abs(pairs / n - true) > 0.1
print("derivative", round(true, 6), ", with (C.1)", round(pairs, 6), ", with 1/n inside", round(pairs / n, 6))
