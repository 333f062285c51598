"""Remark after Assumption 2: |x_i| = 1 and |x_i - x_j| ≥ δ > 0 make the Gram matrix of the limiting tangent kernel
definite.

With one hidden layer they do not: σ(t) - σ(-t) = t makes the odd part of every tangent feature linear in x. Six points
in the plane, ±(1, 0), ±(0, 1), ±(3, 4)/5, at distances ≥ 0.63: v = (3, -3, 4, -4, -5, 5) has vᵀ K v = 0, for the kernel
of all layers and for that of the hidden layer alone, because 3 (1, 0) + 4 (0, 1) - 5 (3, 4)/5 = 0. With two hidden
layers K is definite.
"""

import math

points = [(1, 0), (-1, 0), (0, 1), (0, -1), (0.6, 0.8), (-0.6, -0.8)]
v = [3, -3, 4, -4, -5, 5]
delta = min(math.dist(p, q) for i, p in enumerate(points) for q in points[:i])
assert all(abs(math.hypot(*p) - 1) < 1e-12 for p in points) and delta > 0.63
angle = lambda cosine: math.acos(max(-1.0, min(1.0, cosine)))
step = lambda t: angle((math.sin(t) + (math.pi - t) * math.cos(t)) / math.pi)  # of the images under a wide ReLU layer


def kernel(p, q, layers, hidden_only):
    """The limiting tangent kernel with weights N(0, 2/m), output weights of variance one.

    It is the sum over the matrices of the product of backward shares times the product of the inputs to the layer.
    """
    angles = [angle(p[0] * q[0] + p[1] * q[1])]
    for _ in range(layers):
        angles.append(step(angles[-1]))
    terms = [math.cos(t) * math.prod(1 - a / math.pi for a in angles[l:layers]) for l, t in enumerate(angles)]
    return terms[layers - 1] if hidden_only else sum(terms)


def definite(k, shift):
    """Whether all pivots of the Gram matrix k minus shift times the identity are positive."""
    k = [[a - shift * (i == j) for j, a in enumerate(row)] for i, row in enumerate(k)]
    for i in range(len(k)):
        if k[i][i] <= 0:
            return False
        for r in range(i + 1, len(k)):
            k[r] = [a - k[r][i] / k[i][i] * b for a, b in zip(k[r], k[i])]
    return True


for hidden_only in (False, True):
    one, two = ([[kernel(p, q, layers, hidden_only) for q in points] for p in points] for layers in (1, 2))
    form = sum(a * b * one[i][j] for i, a in enumerate(v) for j, b in enumerate(v))
    assert abs(form) < 1e-12 and not definite(one, 1e-9), "|v|^2 = 100"
    assert definite(two, 0.01)
print(f"delta = {delta:.3f} ; one hidden layer: v^T K v = {form:.1e} ; two: the least eigenvalue exceeds 0.01")
