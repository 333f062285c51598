"""Conclusion: the orthogonality constraints can be equivalently imposed using the scaled loss L/(‖W2‖₂² ‖W1‖₂²).

L = Tr(MᵀCM), M = W1ᵀW2. d = z = h = 2, C = diag(-1, 1): under the constraints M is orthogonal and L = Tr C = 0, exactly, for
every rational rotation and reflection tried; W1 = W2 = diag(1, 0), of norm 1, have the scaled loss -1. At the width h = 4 = d
+ z the constrained problem reaches -1 too, but the weights diag(1, 0) over zero rows do so as well, and W1ᵀW1 is not I.
"""

from fractions import Fraction as F


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


turned = lambda a: [list(row) for row in zip(*a)]
C = [[F(-1), F(0)], [F(0), F(1)]]
UNIT = [[1, 0], [0, 1]]


def loss(w1, w2):
    m = times(turned(w1), w2)
    square = times(times(turned(m), C), m)
    return square[0][0] + square[1][1]


values = set()
for k in range(-20, 21):
    t = F(k, 10)
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    for w2 in ([[c, -s], [s, c]], [[c, s], [s, -c]]):
        assert times(turned(w2), w2) == UNIT
        values.add(loss(UNIT, w2))
assert values == {0}
short = [[F(1), F(0)], [F(0), F(0)]]  # of norm 1, so that its scaled loss is its loss
assert loss(short, short) == -1
wide = [*short, [F(0), F(0)], [F(0), F(0)]]
first, second = [[1, 0], [0, 1], [0, 0], [0, 0]], [[1, 0], [0, 0], [0, 1], [0, 0]]
assert times(turned(first), first) == UNIT == times(turned(second), second)
assert loss(first, second) == -1 == loss(wide, wide)
assert times(turned(wide), wide) != UNIT
print("h = 2: constrained 0, scaled -1; h = 4: both -1, at W1ᵀW1 =", [[str(x) for x in r] for r in times(turned(wide), wide)])
