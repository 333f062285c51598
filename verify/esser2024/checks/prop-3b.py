"""Proposition 3, 1 ⇔ 2: L/(|W2|² |W1|²) and L under |W1|, |W2| ≤ 1 have the same minimisers, by W_i → W_i/|W_i|.

With the printed loss L = |W2ᵀ W1 C W1ᵀ W2|_2², C = -1, d = z = h = 1: problem 1 is (w1 w2)⁴/(w1 w2)² = (w1 w2)² over
non-zero weights, with the infimum 0, which no weights attain; problem 2 is attained, at w1 = 0. Normalising sends the
quotient to 1, whatever it was. With the trace, L = -(w1 w2)², the quotient is -1 everywhere and both problems have the
value -1.
"""

from fractions import Fraction as F

norm = lambda w1, w2: ((w1 * w2) * -1 * (w1 * w2)) ** 2
trace = lambda w1, w2: -((w1 * w2) ** 2)
quotient = lambda loss, w1, w2: loss(w1, w2) / (w1 * w1 * w2 * w2)
series = [quotient(norm, F(1, 10**k), F(1)) for k in range(5)]
assert series[-1] < F(1, 10**7) and all(v > 0 for v in series), "tends to zero and is never zero"
assert norm(F(0), F(1)) == 0, "problem 2 attains it"
assert all(quotient(norm, F(1), F(1)) - v >= F(99, 100) for v in series[1:]), "normalising changes the quotient"
assert all(quotient(trace, F(1, 10**k), F(7)) == -1 for k in range(5))
print("printed quotients", [str(v) for v in series], "; with the trace always", quotient(trace, F(3), F(5)))
