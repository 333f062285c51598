"""Section 3.1, before Lemma 2: with several negatives the approach of Lemma 1 degrades, p_min becoming p_min^N.

A maximum over tuples T of the negatives' classes leaves min_T P(I = T) = p_min^N. The proof of Lemma 1 itself, the maximum
over one class, leaves 1 - (1 - p_min)^N, which grows with N. N_C = 3 equally likely classes: for N = 3 that is 19/27, where
p_min = 1/3 and p_min^N = 1/27. The mean of LSE(0, a_I) over all 3^N outcomes I is compared with both bounds for the logits
of 13^2 anchors (that of the anchor's own class is 0), and for class probabilities 1/6, 1/3, 1/2 as well.
"""

from fractions import Fraction as F
from itertools import product
from math import exp, log, prod

LEVELS = [x / 2 for x in range(-6, 7)]
lse = lambda values: log(1 + sum(map(exp, values)))
tightest = {}
for shares in ([F(1, 3)] * 3, [F(1, 6), F(1, 3), F(1, 2)]):
    for n in (1, 2, 3, 4):
        draws = [(draw, prod(shares[c] for c in draw)) for draw in product(range(3), repeat=n)]
        rarest = min(chance for _, chance in draws)
        drawn = 1 - (1 - min(shares)) ** n
        assert rarest == min(shares) ** n
        assert n == 1 or (rarest <= min(shares) / 2 ** (n - 1) and drawn > min(shares))
        for others in product(LEVELS, repeat=2):
            a = (*others, 0.0)
            mean = sum(float(chance) * lse([a[c] for c in draw]) for draw, chance in draws)
            hardest = max(lse([x]) for x in a)
            best_tuple = max(lse([a[c] for c in draw]) for draw, _ in draws)
            assert mean >= float(rarest) * best_tuple and mean >= float(drawn) * hardest
            tightest[n] = min(tightest.get(n, 9.0), mean / (float(drawn) * hardest))
assert 1 - (1 - F(1, 3)) ** 3 == F(19, 27) and all(x >= 1 for x in tightest.values())
print("least mean/((1 - (1 - p_min)^N) max softplus):", {n: round(x, 3) for n, x in tightest.items()})
