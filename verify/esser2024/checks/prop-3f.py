"""After Proposition 3: the regularisation extracts the most negative eigenvectors: M Mᵀ = Σ v_i v_iᵀ, i ≤ min(d, z, ν₋).

Problem 4 (orthonormal weights), d = z = h = 2, C = diag(-1, 1), one negative eigenvalue: W1 and W2 are orthogonal, so M =
W1ᵀ W2 is, and M Mᵀ = I at every feasible point, where v_1 v_1ᵀ = diag(1, 0) is announced. In general d + z - h directions
are forced. With the printed squared norm v_1 v_1ᵀ has the loss 1 and M = 0 has 0. (Problems 1 to 3 with h = 1 < ν₋ leave
room for one direction only.)
"""

import math

announced = [[1, 0], [0, 0]]
distances = []
for a in range(0, 360, 15):
    for b in range(0, 360, 15):
        s, t = math.radians(a), math.radians(b)
        w1 = [[math.cos(s), -math.sin(s)], [math.sin(s), math.cos(s)]]
        w2 = [[math.cos(t), math.sin(t)], [math.sin(t), -math.cos(t)]]  # the other component of O(2), too
        m = [[sum(w1[k][i] * w2[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
        square = [[sum(m[i][k] * m[j][k] for k in range(2)) for j in range(2)] for i in range(2)]
        assert all(abs(square[i][j] - (i == j)) < 1e-12 for i in range(2) for j in range(2))
        distances.append(max(abs(square[i][j] - announced[i][j]) for i in range(2) for j in range(2)))
assert min(distances) > 0.999, "M M^T is never the announced matrix: the (2, 2) entry is 1 and not 0"
lam = -1
assert (lam * 1) ** 2 - 0 >= 1, "printed norm: v_1 v_1^T against M = 0"
assert 1 < min(2, 2, 2), "h = 1, C = -I: min(d, z, nu-) = 2 directions announced, rank M <= h = 1"
print("M M^T = I for all", len(distances), "pairs of orthogonal weights; announced diag(1, 0)")
