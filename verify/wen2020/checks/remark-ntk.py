"""Remark after Assumption 2: |x_i| = 1 and |x_i - x_j| ≥ δ > 0 make the Gram matrix of the limiting tangent kernel definite.

With one hidden layer they do not: σ(t) - σ(-t) = t makes the odd part of every tangent feature linear in x. Six points in
the plane, ±(1, 0), ±(0, 1), ±(3, 4)/5, at distances ≥ 0.63: v = (3, -3, 4, -4, -5, 5) has vᵀ K v = 0, for the kernel of
all layers and for that of the hidden layer alone, because 3 (1, 0) + 4 (0, 1) - 5 (3, 4)/5 = 0. With two hidden layers K
is definite.
"""

import math

points = [(1, 0), (-1, 0), (0, 1), (0, -1), (0.6, 0.8), (-0.6, -0.8)]
v = [3, -3, 4, -4, -5, 5]
delta = min(math.dist(p, q) for i, p in enumerate(points) for q in points[:i])
assert all(abs(math.hypot(*p) - 1) < 1e-12 for p in points) and delta > 0.63


def angle(p, q):
    return math.acos(max(-1.0, min(1.0, p[0] * q[0] + p[1] * q[1])))


def step(t):  # angle of the images under one wide ReLU layer, in exact arithmetic of arc-cosine kernels
    return math.acos(max(-1.0, min(1.0, (math.sin(t) + (math.pi - t) * math.cos(t)) / math.pi)))


def kernel(p, q, layers, hidden_only):  # L = layers hidden layers, weights N(0, 2/m), output weights of variance one
    total, t = 0.0, angle(p, q)
    angles = [t]
    for _ in range(layers):
        angles.append(step(angles[-1]))
    for l in range(
        layers + 1
    ):  # sum over matrices: product of backward shares times the product of the inputs to the layer
        share = math.prod(1 - a / math.pi for a in angles[l:layers])
        if not hidden_only or l == layers - 1:
            total += math.cos(angles[l]) * share
    return total


def definite(layers, hidden_only, shift):
    """Whether all pivots of the Gram matrix minus shift times the identity are positive."""
    k = [[kernel(p, q, layers, hidden_only) - (shift if p == q else 0) for q in points] for p in points]
    for i in range(len(k)):
        if k[i][i] <= 0:
            return False
        for r in range(i + 1, len(k)):
            k[r] = [a - k[r][i] / k[i][i] * b for a, b in zip(k[r], k[i])]
    return True


for hidden_only in (False, True):
    form = sum(v[i] * v[j] * kernel(points[i], points[j], 1, hidden_only) for i in range(6) for j in range(6))
    assert abs(form) < 1e-12 and not definite(1, hidden_only, 1e-9), "|v|^2 = 100"
    assert definite(2, hidden_only, 0.01)
print(
    "delta =",
    round(delta, 3),
    "; one hidden layer: v^T K v =",
    f"{form:.1e}",
    "; two: the least eigenvalue exceeds 0.01",
)
