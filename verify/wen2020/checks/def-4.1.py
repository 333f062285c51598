"""Definition 4.1 has the loss vectors as derivatives of L_S, Facts 1, 2 and Appendix C.1 as sums over the negatives.

The sums are n times the derivatives, since L_S is a mean over n points.  n = 2, k = 1, queries 1, 0 and keys 0, 1:
dL_S/dq_1 = s(1)/2 = 0.3655 and the sum is s(1) = 0.7311, s(t) = 1/(1 + e^(-t)).
"""

import math

s = lambda t: 1 / (1 + math.exp(-t))
q, keys = [1.0, 0.0], [0.0, 1.0]
loss = lambda q, keys: sum(math.log(1 + math.exp(q[i] * (keys[1 - i] - keys[i]))) for i in range(2)) / 2
h = 1e-5


def shift(v, i, e):
    return [a + e * (j == i) for j, a in enumerate(v)]


P = [s(q[i] * (keys[1 - i] - keys[i])) for i in range(2)]
rows = []
for i in range(2):
    dq = (loss(shift(q, i, h), keys) - loss(shift(q, i, -h), keys)) / (2 * h)
    dk = (loss(q, shift(keys, i, h)) - loss(q, shift(keys, i, -h))) / (2 * h)
    fact1 = P[i] * (keys[1 - i] - keys[i])
    fact2 = P[1 - i] * q[1 - i] - P[i] * q[i]
    assert abs(fact1 - 2 * dq) < 1e-8 and abs(fact2 - 2 * dk) < 1e-8, "n = 2 times the derivative"
    rows.append(tuple(round(v, 4) for v in (dq, fact1, dk, fact2)))
assert abs(rows[0][0] - rows[0][1]) > 0.36 and abs(rows[0][2] - rows[0][3]) > 0.36
print("(dL/dq_i, Fact 1, dL/dk_i, Fact 2) for i = 1, 2:", rows)
