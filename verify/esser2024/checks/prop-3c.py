"""Proof of Proposition 3, 2 ⇔ 3: Σ U and V (or U and Σ V) of M = Uᵀ Σ V, with zero rows added, are h-row weights.

They have min(d, z) rows before zero rows are added: for h < min(d, z) there is no room.  d = z = 2, h = 1, W1 = W2 = (1, 0):
M = W1ᵀ W2 = diag(1, 0) has the 2-row factors of a full decomposition, and h = 1 allows one row.  Keeping rank(M) ≤ h rows
repairs the step, and the equivalence 2 ⇔ 3 stands.
"""

d = z = 2
h = 1
W1, W2 = [[1, 0]], [[1, 0]]
m = [[W1[0][i] * W2[0][j] for j in range(z)] for i in range(d)]
assert m == [[1, 0], [0, 0]]
U, sigma, V = [[1, 0], [0, 1]], [1, 0], [[1, 0], [0, 1]]
assert all(sum(U[k][i] * sigma[k] * V[k][j] for k in range(2)) == m[i][j] for i in range(d) for j in range(z))
assert len(U) - h >= 1, "one row too many"
kept = [k for k in range(2) if sigma[k] > 0]
assert len(kept) <= h and all(
    sum(U[k][i] * sigma[k] * V[k][j] for k in kept) == m[i][j] for i in range(d) for j in range(z)
)
print("the printed factors have", len(U), "rows, the weights", h, "; rank M =", len(kept), "rows suffice")
