"""Proposition 3, 3 ⇔ 4: L under |W2ᵀ W1|_2 ≤ 1 and L under W1ᵀ W1 = I_d, W2ᵀ W2 = I_z are equivalent problems.

d = z = h = 2, C = diag(-1, 1).  With the trace: problem 4 has orthogonal W1, W2, so M = W1ᵀ W2 is orthogonal and
L = Tr(Mᵀ C M) = Tr C = 0; problem 3 allows M = diag(1, 0), with L = -1.  With the printed squared norm and C = -I, z = 1:
problem 3 has the value 0 (M = 0), and in problem 4 M is a unit vector, with L = 1.
The proof fills U, V of rank k with zero rows: then Uᵀ U has rank k and is not I_d unless k = d.
"""

import math

trace = lambda m, c: sum(c[i] * m[i][j] ** 2 for i in range(len(m)) for j in range(len(m[0])))
c = (-1, 1)  # one negative eigenvalue, as the proposition asks
for flip in (1, -1):
    for k in range(360):  # all of O(2), in steps of one degree; the value is Tr C for every orthogonal M
        t = math.radians(k)
        m = [[math.cos(t), -flip * math.sin(t)], [math.sin(t), flip * math.cos(t)]]
        assert abs(trace(m, c)) < 1e-12
m3 = [[1, 0], [0, 0]]  # operator norm one: feasible for problem 3
assert trace(m3, c) == -1 and 0 - trace(m3, c) >= 1
for k in range(360):  # printed norm, C = -I: L = (m.m)^2 for the unit vector m
    m = (math.cos(math.radians(k)), math.sin(math.radians(k)))
    assert abs((-(m[0] ** 2) - m[1] ** 2) ** 2 - 1) < 1e-12
U = [[1, 0], [0, 0]]  # the printed factor of m3: one row, then a zero row
gram = [[sum(U[k][i] * U[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
assert gram == [[1, 0], [0, 0]], "and not the identity: not feasible for problem 4"
print("trace: problem 3 reaches -1, problem 4 has 0 everywhere; printed norm: 0 against 1")
