"""After equation (7): the non-contrastive loss has the general form with C̃ = Σ_i x_i (x_i⁺)ᵀ.

The sign is lost: loss (2) is -Σ u(x_i).u(x_i⁺). x = (1, 0), x⁺ = (1, 1), W1 = [[1, 2], [0, 1]], W2 = (2, 1)ᵀ: the loss is
-14, the printed form +14. With this C the theorems would see no negative eigenvalue where they need one.
"""

from fractions import Fraction as F

x, plus, W1, W2 = (1, 0), (1, 1), [[1, 2], [0, 1]], [2, 1]
u = lambda v: sum(W2[r] * (W1[r][0] * v[0] + W1[r][1] * v[1]) for r in range(2))
loss = -u(x) * u(plus)
c_tilde = [[x[i] * plus[j] for j in range(2)] for i in range(2)]
c = [[F(c_tilde[i][j] + c_tilde[j][i], 2) for j in range(2)] for i in range(2)]
m = [W1[0][j] * W2[0] + W1[1][j] * W2[1] for j in range(2)]
form = sum(m[i] * c[i][j] * m[j] for i in range(2) for j in range(2))
assert loss == -14 and form == 14 and form == -loss
print("loss", loss, ", printed trace form", form)
