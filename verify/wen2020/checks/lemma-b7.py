"""Lemma B.7: h'_l - h_l = Σ_{a=1}^{l} (prod_{c>a} (D_c + D''_c) W_c)(D_a + D''_a) W'_a h'_(a-1), and three bounds.

(a) The sum must begin at a = 0: L = 1, m = d = b = 1, W = (1, 1), W' = (1/8, 0), x = 1: h'_0 - h_0 = 1/8, and the printed
sum is empty, and so for W' of any size. In the proof W'_L(σ(b) - σ(a)) stands for W_L(...): 0 for 1/8. (Appendix D.2 uses the sum from 0.)
(b) |f' - f| ≤ O(L √(m/d)) |W'| needs d ≤ O(m): W'_L alone moves f by ω |h_(L-1)|, whatever d.
(c) |D''|_0 ≤ O(m ω^(2/3) L) for all inputs at once: with m ω^(2/3) = 1/2 no flip is allowed, but n = (ω (log
m)^(3/2))^(-1/3) orthonormal inputs give mn independent pre-activations N(0, 2/m), one of them below ω with probability
tending to one.
"""

import math

relu = lambda t: max(0.0, t)
W, V, x = (1.0, 1.0), (0.125, 0.0), 1.0
h, moved = relu(W[0] * x), relu((W[0] + V[0]) * x)
printed = sum([])  # a = 1, ..., 0
from_zero = 1.0 * V[0] * x  # D + D'' = 1, h'_(-1) = x
assert moved - h == from_zero == 0.125 and moved - h - printed > 0.12
true = (W[1] + V[1]) * moved - W[1] * h
assert true == V[1] * moved + W[1] * (moved - h) == 0.125 and true - (V[1] * moved + V[1] * (moved - h)) > 0.12

rows_b = []
for C in (1.0, 10.0):
    m, d = 100, int(
        1600 * C * C
    )  # W'_L = w e u^T with u = h_0/|h_0|: f moves by w |h_0|, |h_0|^2 of mean 1 and variance 5/m
    bound = C * math.sqrt(m / d)  # in units of w, at L = 1
    small = 5 / m / (1 - bound**2) ** 2  # P(|h_0| <= bound), by Chebyshev
    assert small < 0.07
    rows_b.append((C, d, round(bound, 3), round(small, 3)))

rows_c = []
for k in (10, 20, 40, 80):
    m = 2.0**k
    w = (2 * m) ** -1.5  # m w^(2/3) = 1/2
    n = math.floor((w * math.log(m) ** 1.5) ** (-1 / 3))
    within = math.erf(w * math.sqrt(m / 2) / math.sqrt(2))  # P(|N(0, 2/m)| <= w)
    rows_c.append((k, n, math.exp(-m * n * within)))
assert rows_c[-1][2] < 0.01 and 1 - math.exp(-0.5) > 0.39
print("h'_0 - h_0 = 1/8 and the printed sum is 0; (C, d, bound, P):", rows_b, "; (log2 m, n, P(no flip) <=):", rows_c)
