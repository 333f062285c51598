"""Section 8, proof of Lemma 5: ‖(∂cos_12 ∂cos_13) ∂v‖ = 8 max_{i,j} ‖z_i‖‖z_j‖.

Here d = 1 and z = (1, 1, 1), so that the right side is 8. There are no hypotheses on z. With cos_ij = z_i z_j the two columns are
∂cos_12 = (z_2, z_1, 0) and ∂cos_13 = (z_3, 0, z_1); v = softmax(z_1 z_2, z_1 z_3) = (½, ½), and ∂v is (diag v − vvᵀ) times
the transposed columns. All entries are fractions. The product is M = ¼ggᵀ with g = (0, −1, 1): M² = ½M, so its norm is ½.
"""

from fractions import Fraction
from itertools import product

z = (1, 1, 1)
columns = [(z[1], z[0], 0), (z[2], 0, z[0])]
assert z[0] * z[1] == z[0] * z[2], "equal logits: v = (½, ½)"
v = (Fraction(1, 2), Fraction(1, 2))
jacobian = [[(v[i] if i == j else 0) - v[i] * v[j] for j in range(2)] for i in range(2)]

term = [[sum(columns[i][a] * jacobian[i][j] * columns[j][b] for i, j in product(range(2), repeat=2)) for b in range(3)] for a in range(3)]
quarter = Fraction(1, 4)
assert term == [[0, 0, 0], [0, quarter, -quarter], [0, -quarter, quarter]]

squared = [[sum(term[a][c] * term[c][b] for c in range(3)) for b in range(3)] for a in range(3)]
norm = sum(term[a][a] for a in range(3))
assert squared == [[norm * x for x in row] for row in term], "symmetric, and of rank one: its norm is its trace"

printed = 8 * max(abs(x * y) for x, y in product(z, repeat=2))
assert norm == Fraction(1, 2) and printed == 8, "an upper bound, too large by the factor 16 here"

print(f"z = (1, 1, 1): the norm is {norm}, printed {printed}; as an upper bound it holds")
