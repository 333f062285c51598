"""Example 1 (b): under the scaled loss L/(|W2|_2² |W1|_2²) the function converges to fixed points whatever the
initialisation.

Read as "to the same fixed points from every start" it fails on a set of starts of measure zero: h = z = 1, C = diag(-2,
-1). The scaled loss is the Rayleigh quotient of w1; at w1 = (0, 1), w2 = 1 its gradient in all weights is zero and its
value is -1, where the least is -2. Random starts, as in the figure, reach the minimum.
"""

from fractions import Fraction as F

C = (-2, -1)
value = lambda a, b, w: F(C[0] * a * a + C[1] * b * b) * w * w / ((a * a + b * b) * w * w)


def gradient(a, b, w):
    norm = F(a * a + b * b)
    r = value(a, b, w)
    return (2 * (C[0] - r) * a / norm, 2 * (C[1] - r) * b / norm, F(0))  # scaling w changes nothing


assert gradient(0, 1, 1) == (0, 0, 0) and value(0, 1, 1) == -1
step = F(1, 10**6)  # the formula agrees with differences at a point that is not stationary
assert abs((value(1 + step, 2, 3) - value(1 - step, 2, 3)) / (2 * step) - gradient(1, 2, 3)[0]) < F(1, 10**9)
assert value(1, 0, 1) == -2 and value(0, 1, 1) - value(1, 0, 1) >= 1
a, b, w = 0.001, 1.0, 1.0  # a start beside it does reach -2
for _ in range(4000):
    n = a * a + b * b
    r = (C[0] * a * a + C[1] * b * b) / n
    a, b = a - 0.01 * 2 * (C[0] - r) * a / n, b - 0.01 * 2 * (C[1] - r) * b / n
assert (C[0] * a * a + C[1] * b * b) / (a * a + b * b) < -1.999
print("at (0, 1) the gradient is zero and the value", value(0, 1, 1), "; the least value is", value(1, 0, 1))
