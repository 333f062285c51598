"""After Lemma 4.5: a condition number not close to 1 must be lowered for the model to learn balanced representations.

Orthogonal columns without noise: the covariance Σ has the eigenvalues κ_p²/Σκ². κ² = (4, 4, 4, 4, 1) has the condition number
2, and the stable rank in each of its three meanings is more than three quarters of r = 5, exactly. What a condition number
costs is at most one: tr Σ/‖Σ‖ ≤ r - 1 + 1/cond². For κ² = (4, 1, ..., 1) two meanings are below three quarters of r.
"""

from fractions import Fraction as F
from itertools import product


def ranks(squares):
    total, top = sum(squares), max(squares)
    frobenius = sum(F(x) ** 2 for x in squares)
    return frobenius / top**2, F(total, top), total**2 / frobenius


balanced = ranks([4, 4, 4, 4, 1])
assert balanced == (F(65, 16), F(17, 4), F(289, 65)) and all(x > F(3, 4) * 5 for x in balanced)
assert all(x > F(3, 4) * 5 for x in ranks([10**12] * 4 + [1])), "the weak signal may be of any size"
for r in range(2, 40):
    first, second, _ = ranks([4] + [1] * (r - 1))
    assert first <= second < F(3, 4) * r
for squares in product((1, 2, 5, 9), repeat=4):
    cost = F(min(squares), max(squares))
    first, second, _ = ranks(squares)
    assert second <= 3 + cost and first <= 3 + cost**2
print("κ² = (4, 4, 4, 4, 1), cond = 2: stable ranks", ", ".join(f"{float(x):.4f}" for x in balanced), "of 5")
