"""After Assumption 1: |x_i| = 1 may be relaxed to c_1 ≤ |x_i| ≤ c_2, with |x_i - x_j| ≥ δ > 0 as the other assumption.

Then x and 2x are admitted, and without biases f(2x) = 2 f(x): the gradient with respect to every matrix doubles, at all
weights, widths and depths. So the Gram matrix of the tangent features is [[g, 2g], [2g, 4g]], singular, in the limit of
infinite width too, where the assumptions are to make it positive definite. Distinct directions x/|x| are what is needed.
"""

from fractions import Fraction as F
import random


def gradient(weights, x):  # of the one output, with respect to all entries of W_0, ..., W_L, exactly
    hidden, h = [x], x
    for w in weights[:-1]:
        h = [max(F(0), sum(a * b for a, b in zip(row, h))) for row in w]
        hidden.append(h)
    back, out = list(weights[-1][0]), [[v for v in hidden[-1]]]
    for l in range(len(weights) - 2, -1, -1):
        active = [c if v > 0 else F(0) for c, v in zip(back, hidden[l + 1])]
        out.append([c * v for c in active for v in hidden[l]])
        back = [sum(c * weights[l][r][s] for r, c in enumerate(active)) for s in range(len(hidden[l]))]
    return [v for layer in out for v in layer]


rng = random.Random(1)
m, b, L = 5, 3, 3
draw = lambda rows, cols: [[F(rng.randint(-9, 9)) for _ in range(cols)] for _ in range(rows)]
for _ in range(20):
    weights = [draw(m, b)] + [draw(m, m) for _ in range(L - 1)] + [draw(1, m)]
    x = [F(3, 5), F(0), F(4, 5)]
    one, two = gradient(weights, x), gradient(weights, [2 * v for v in x])
    g11, g12, g22 = (sum(a * b for a, b in zip(p, r)) for p, r in ((one, one), (one, two), (two, two)))
    assert two == [2 * v for v in one] and g11 * g22 - g12 * g12 == 0
    if g11:
        kept = g11
assert kept > 0, "and the features are not zero"
print("|x| = 1, |2x| = 2, |x - 2x| = 1, and the Gram matrix of the gradients has determinant", g11 * g22 - g12 * g12)
