"""Remark 2: the same argument (decoupling, hence collapse) holds for the non-contrastive loss with cosine similarity.

L(θ) = -cos(θ x, θ x⁺) is the same at θ and at θ/4, so its second derivatives are 16 times larger there: they
do not become small in any limit.  x = e1, x⁺ = e2, θ = I: the mixed block of the two rows has the norm √2, at I/4 it
has 16 √2.  With x⁺ = x the loss is -1 everywhere, and θ = I stays, of rank 2.
"""

import math


def cosine(t, x, plus):
    u, v = ([t[0] * p[0] + t[1] * p[1], t[2] * p[0] + t[3] * p[1]] for p in (x, plus))
    return -(u[0] * v[0] + u[1] * v[1]) / math.hypot(*u) / math.hypot(*v)


def block(scale):
    """Frobenius norm of the second derivatives in one entry of each row, at scale * I."""
    total, step = 0.0, 1e-4 * scale
    for i in (0, 1):
        for j in (2, 3):
            value = 0.0
            for a in (1, -1):
                for b in (1, -1):
                    t = [scale, 0.0, 0.0, scale]
                    t[i] += a * step
                    t[j] += b * step
                    value += a * b * cosine(t, (1, 0), (0, 1))
            total += (value / (4 * step * step)) ** 2
    return math.sqrt(total)


series = [(scale, round(block(scale), 3)) for scale in (1.0, 0.25, 0.0625)]
assert abs(series[0][1] - math.sqrt(2)) < 1e-3
assert all(15.9 < b[1] / a[1] < 16.1 for a, b in zip(series, series[1:])), "a decoupled loss would have 0"
assert all(abs(cosine([1.0, 0.0, 0.0, k], (3, 4), (3, 4)) + 1) < 1e-12 for k in (1.0, 2.0, -0.5))
print("(scale, norm of the mixed block):", series)
