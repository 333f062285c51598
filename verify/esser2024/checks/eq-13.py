"""Proof of Theorem 1: "via scaling we can assume phi'(0) = 1", and then |phi(s) - s| <= c s^2/2.

A multiple of phi has the derivative 1 at 0 only if phi'(0) is not 0.  phi(s) = s^2: whatever the factor a and the constant c,
at s = 1/(2(|a| + c) + 1) the difference |a s^2 - s| is larger than c s^2/2.  Theorem 1 assumes phi'(0) = 1 and is not touched.
"""
from fractions import Fraction as F

worst = None
for a in (F(-10), F(0), F(1), F(50)):
    for c in (F(1), F(10), F(1000)):
        s = 1 / (2 * (abs(a) + c) + 1)
        ratio = abs(a * s * s - s) / (c * s * s / 2)
        assert ratio > F(3, 2)
        worst = ratio if worst is None else min(worst, ratio)
print("eq-13: |a phi(s) - s| is at least", float(worst), "times c s^2/2 for phi = s^2")
