"""(D.4) to (D.7): F_1^i = loss_i . (f(W + W') - f(W) - linear part), its decomposition and the bounds.

(a) The second member of (D.4) adds the linear part of the hidden layers where it is to be subtracted. m = L = d = b = 1,
x = 1, W = (1, 1), W' = (1, 0): f(W + W') - f(W) - linear part = 2 - 1 - 1 = 0, the printed member is 0 + 1 - 0 + 1 = 2
(times loss_i).
(b) With loss_i = dL_S/dq_i the factor 1/n stands twice in (1/n) Σ <loss_i, q̃_i - q_i>: n = 2, points x = 1, 2, keys 1,
2.
(c) Σ_l |W'_l|_F ≤ O(|W'|_F) in (D.7): L + 1 equal layers give √(L + 1).
(d) The bound of Q_2^L lacks √m: L = 1, W'_0 = ω u xᵀ, W'_1 = ω e uᵀ with u ≥ 0 on active units give Q = ω² |loss|, against
ω^(1/3) √(log m/d) √2 ω: for d = m/(log m)⁴ and ω = (log m)^(-3/2), which is in the range ω ≥ √(d/m) of Lemma 4.4, the
ratio grows without bound.
"""

import math

relu = lambda t: max(0.0, t)
f = lambda w, x: w[1] * relu(w[0] * x)
W, V, x = (1.0, 1.0), (1.0, 0.0), 1.0
moved = (W[0] + V[0], W[1] + V[1])
h, h2 = relu(W[0] * x), relu(moved[0] * x)
linear = V[1] * h + W[1] * V[0] * x
assert f(moved, x) - f(W, x) - linear == 0
hidden, hidden2 = W[1] * V[0] * x, W[1] * V[0] * x  # D = 1, D'' = 0
printed = V[1] * h2 + hidden2 - V[1] * h + hidden
assert printed == 2 and V[1] * h2 + hidden2 - V[1] * h - hidden == 0

s = lambda t: 1 / (1 + math.exp(-t))
points, keys = (1.0, 2.0), (1.0, 2.0)  # theta = (1, 1)


def loss(w):
    q = [f(w, p) for p in points]
    return sum(math.log(1 + math.exp(q[i] * (keys[1 - i] - keys[i]))) for i in range(2)) / 2


q = [f(W, p) for p in points]
derivative = [s(q[i] * (keys[1 - i] - keys[i])) * (keys[1 - i] - keys[i]) / 2 for i in range(2)]  # dL_S/dq_i
slope = (loss((1 + 1e-6, 1.0)) - loss((1 - 1e-6, 1.0))) / 2e-6  # <grad, W'>
change = [f(moved, p) - f(W, p) for p in points]  # linear here, so F_1 should be 0
f1 = -slope + sum(d * c for d, c in zip(derivative, change)) / 2
right = -slope + sum(2 * d * c for d, c in zip(derivative, change)) / 2
assert abs(right) < 1e-8 and abs(f1) > 0.12

assert all(sum([1.0] * (L + 1)) / math.sqrt(sum([1.0] * (L + 1))) >= math.sqrt(L) for L in (4, 100, 10**4))
rows = []
for k in (40, 80, 120):
    log_m = k * math.log(2)
    w, log_d = log_m**-1.5, log_m - 4 * math.log(log_m)
    assert w >= math.exp((log_d - log_m) / 2) and log_d > 2 * math.log(log_m), "the range of ω and d ≥ (log m)²"
    ratio = w * w / (w ** (1 / 3) * math.exp((math.log(log_m) - log_d) / 2) * math.sqrt(2) * w)
    rows.append((k, f"{ratio:.1e}"))
assert ratio > 1e8
print(
    "first member 0, printed second member",
    printed,
    "; with Definition 4.1 F_1 =",
    round(f1, 6),
    "for 0; (log2 m, Q_2^L over its bound):",
    rows,
)
