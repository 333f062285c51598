"""Proposition 3, hypothesis: the losses (1) and (2) have the general form L = |W2ᵀ W1 C W1ᵀ W2|_2².

One triple x = (1, 0), x⁺ = (1, 1), x⁻ = (0, 1), so C̃ = x (x⁻ - x⁺)ᵀ = diag(-1, 0) = C, with a negative eigenvalue. At W1
= [[1, 2], [0, 1]], W2 = (2, 1)ᵀ the loss (1) is -4 and the squared norm 16: a squared norm is never negative, and of
degree four in M = W1ᵀ W2 where the losses have degree two. Tr(W2ᵀ W1 C W1ᵀ W2), as in Definition 1, gives -4.
"""

x, plus, minus = (1, 0), (1, 1), (0, 1)
W1, W2 = [[1, 2], [0, 1]], [2, 1]  # z = 1
c_tilde = [[x[i] * (minus[j] - plus[j]) for j in range(2)] for i in range(2)]
assert c_tilde == [[-1, 0], [0, 0]], "symmetric, and so C itself"
u = lambda v: sum(W2[r] * (W1[r][0] * v[0] + W1[r][1] * v[1]) for r in range(2))
loss = u(x) * (u(minus) - u(plus))
m = [W1[0][j] * W2[0] + W1[1][j] * W2[1] for j in range(2)]  # M = W1^T W2
form = sum(m[i] * c_tilde[i][j] * m[j] for i in range(2) for j in range(2))
assert loss == form == -4
assert form**2 - loss >= 20, "the printed norm, squared, is 16"
print("loss", loss, ", trace", form, ", printed squared norm", form**2)
