"""Proof of Proposition 2: over |W2|_F ≤ 1 the loss Tr(W2ᵀ F W2) is least at the eigenvector of the most negative eigenvalue
of F = f(X, W1), and at W2 = 0 if F has no negative eigenvalue.

F is not symmetric. Loss (2) with x = e1, x⁺ = 2 e2 and W1 = I: F = -x x⁺ᵀ = [[0, -2], [0, 0]] has the eigenvalue 0 alone,
and w = (1, 1)/√2 has wᵀ F w = -1 < 0. The symmetric part (F + Fᵀ)/2 is meant; with it the proof and the proposition
stand.
"""

from fractions import Fraction as F

x, plus = (1, 0), (0, 2)
f = [[-x[i] * plus[j] for j in range(2)] for i in range(2)]
trace, det = f[0][0] + f[1][1], f[0][0] * f[1][1] - f[0][1] * f[1][0]
assert trace == 0 and det == 0, "characteristic polynomial t^2: no negative eigenvalue"
squared = [F(1, 2), F(1, 2)]  # w_1^2 and w_2^2 for w = (1, 1)/sqrt 2, so that w_1 w_2 = 1/2
assert sum(squared) == 1
value = f[0][0] * squared[0] + f[1][1] * squared[1] + (f[0][1] + f[1][0]) * F(1, 2)
assert value == -2 * F(1, 2) == -1, "-u(x) u(x+) = -(w_1)(2 w_2), as the definition has it"
symmetric = [[F(f[i][j] + f[j][i], 2) for j in range(2)] for i in range(2)]
assert symmetric[0][1] == -1, "eigenvalues -1 and 1: the true least value is -1"
assert 0 - value >= 1, "the proof's least value, 0, is too large by one"
print("F =", f, "has no negative eigenvalue, and the loss reaches", value)
