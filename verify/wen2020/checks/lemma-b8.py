"""Lemma B.8: a diagonal D'' with |D_kk - D''_kk| ≤ 1, |D''_kk| ≤ 1 and σ(a) - σ(b) = (D + D'')(a - b), D = 1{a ≥ 0}.

For a_k ≠ b_k the last condition leaves no choice. a = 1, b = -1: 1 = (1 + D'') 2, so D'' = -1/2 and D - D'' = 3/2 > 1.
With a plus sign, |D_kk + D''_kk| ≤ 1, it always holds, since D + D'' is a slope of σ between b and a; so it is used in
Appendix D.2.
"""

from fractions import Fraction as F

sigma = lambda t: max(t, F(0))
worst, plus = F(0), F(0)
for i in range(-8, 9):
    for j in range(-8, 9):
        a, b = F(i, 4), F(j, 4)
        if a == b:
            continue
        D = F(1) if a >= 0 else F(0)
        extra = (sigma(a) - sigma(b)) / (a - b) - D
        assert abs(extra) <= 1 and (extra == 0 or (a >= 0) != (b >= 0))
        assert (abs(D - extra) > 1) == (a >= 0 > b)
        worst, plus = max(worst, abs(D - extra)), max(plus, abs(D + extra))
        if (a, b) == (1, -1):
            assert extra == F(-1, 2) and D - extra == F(3, 2)
assert worst - 1 >= F(1, 2) and plus <= 1
print("a = 1, b = -1 forces D'' = -1/2, D - D'' = 3/2; the largest on the grid is", worst, ", of D + D''", plus)
