"""Proof of Theorem 1: "via scaling we can assume φ'(0) = 1", and then |φ(s) - s| ≤ c s²/2.

A multiple of φ has the derivative 1 at 0 only if φ'(0) is not 0.  φ(s) = s²: whatever the factor a and the constant c,
at s = 1/(2(|a| + c) + 1) the difference |a s² - s| is larger than c s²/2.  Theorem 1 assumes φ'(0) = 1 and is not touched.
"""

from fractions import Fraction as F

worst = None
for a in (F(-10), F(0), F(1), F(50)):
    for c in (F(1), F(10), F(1000)):
        s = 1 / (2 * (abs(a) + c) + 1)
        ratio = abs(a * s * s - s) / (c * s * s / 2)
        assert ratio > F(3, 2)
        worst = ratio if worst is None else min(worst, ratio)
print("|a phi(s) - s| is at least", float(worst), "times c s^2/2 for phi = s^2")
