"""Lemma 1 for wide networks u_j(x) = w_j.φ(W1 x): the inner product K of the gradients of one output tends to a finite kernel.

(a) The proof writes no prefactor and uses W1ᵀ W1 → I, so the weights have variance 1/h.  For the sigmoid and x = x' the part
of w_j alone, the sum of φ(a_r)² over h units, has the mean h E φ² ≥ h/4 (because φ(a)² + φ(-a)² ≥ 1/2) and a
variance of at most h/4: by Chebyshev K > h/8 with probability at least 1 - 16/h.  There is no finite limit.
(b) The proof says that W1 contributes nothing and that for φ = id the limit is x.x'.  With the prefactor h^(-1/2), standard
normal weights, d = 1 and x = x' = 1: K = (Σ a_r² + Σ w_r²)/h, of mean 2 and variance 4/h: the limit is 2, half from W1.
"""

import math


def mean(f):  # E f(g) for a standard normal g, by the trapezoidal rule, which is exact here to many digits
    return sum(f(i / 100) * math.exp(-((i / 100) ** 2) / 2) for i in range(-1000, 1001)) / 100 / math.sqrt(2 * math.pi)


sigmoid = lambda s: 1 / (1 + math.exp(-s))
assert sigmoid(0) == 0.5
series = []
for h in (64, 256, 1024, 4096):
    assert all(sigmoid(s / 10) ** 2 + sigmoid(-s / 10) ** 2 >= 0.5 for s in range(-100, 101))
    last_layer = h * mean(lambda g: sigmoid(g / math.sqrt(h)) ** 2)
    assert h / 4 <= last_layer <= h / 4 + 1
    series.append((h, round(last_layer, 2), f"P(K > {h // 8}) >= {1 - 16 / h:.3f}"))
assert series[-1][1] > 60 * series[0][1], "grows like h: 64 times the width, 62 times the kernel"

for h in (64, 4096):
    square, fourth = mean(lambda g: g * g), mean(lambda g: g**4)
    kernel, variance = 2 * square, 2 * (fourth - square * square) / h
    assert abs(kernel - 2) < 1e-9 and abs(variance - 4 / h) < 1e-9
assert kernel - 1 > 0.9, "against the limit x.x' = 1 that the proof prints"
print("sigmoid, h, E K from W2:", series, "; phi = id: limit", round(kernel, 6), "where the proof has 1")
