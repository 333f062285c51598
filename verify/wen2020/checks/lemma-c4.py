"""Lemma C.4: with probability ≥ 1 - 2 e^(-Ω(m δ²/n²)) the gradient norms at the start lie between multiples of Σ |loss_i|².

No condition on the depth is printed. Two orthogonal inputs, width m: let p_L be the probability that a network is dead
for both at depth L. A layer is dead for one input with probability 2^(-m) and for both with at least 4^(-m), so p_L grows
to one by steps of at most 2^(-m): at the first L with p_L ≥ 1/2 it is at most 1/2 + 2^(-m). Query network dead, key
network not: probability p(1 - p) ≥ 1/4 - 4^(-m); then ∇_W L_S = 0 and the key difference, hence the loss vector, is not.
2 e^(-c m/2) is smaller for m > (2/c) log 8. (δ²/n² = 1/2 for orthogonal inputs, n = 2.)
"""

import math
import random

for c in (1.0, 0.1, 0.01):
    m = math.ceil(2 / c * math.log(12)) + 1
    assert 0.25 - 4.0**-m - 2 * math.exp(-c * m / 2) > 0.08, "above the promised failure probability, for every c"

rng, m, runs = random.Random(8), 6, 400  # drawn networks of width 6: the depth at which both inputs are dead
depths = []
relu_layer = lambda W, v: [max(0.0, sum(a * b for a, b in zip(r, v))) for r in W]
for _ in range(runs):
    h, g, depth = [1.0, 0.0], [0.0, 1.0], 0
    while (any(h) or any(g)) and depth < 400:
        W = [[rng.gauss(0, 1) for _ in h] for _ in range(m)]  # the scale of the weights plays no part
        h, g, depth = relu_layer(W, h), relu_layer(W, g), depth + 1
        size = max(h + g)
        h, g = ([v / size for v in h], [v / size for v in g]) if size else (h, g)
    depths.append(depth)
L = sorted(depths)[runs // 2]
p = sum(t <= L for t in depths) / runs
wrong = p * (1 - p)
assert wrong > 0.2 and wrong - 2 * math.exp(-m / 2) > 0.1, "c = 1: promised failure at most 0.0996"
print(
    f"m = 6: dead with probability {p:.3f} at depth {L}; lower bound violated with probability {wrong:.3f}, promised at most {2 * math.exp(-3):.4f} for c = 1",
)
