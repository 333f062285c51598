"""Remark 2: for linear models the outputs decouple, and hence collapse, under InfoNCE and under the cosine loss too.

(a) InfoNCE, d = 1, z = 2, x = x+ = 1, x- = 0, theta = (1, 1): L = log(1 + exp(-theta_1^2 - theta_2^2)) has the mixed second
derivative 4 s(1 - s), s = 1/(1 + e^2): not zero, so the rows are coupled.
(b) InfoNCE, x_i = x_i+ = e_i, x_i- = 0: L = sum_i log(1 + exp(-|c_i|^2)) in the columns c_i of Theta, and c_i' = 2 s(-|c_i|^2) c_i:
each column keeps its direction and |c_i|^2 grows like log t, so the singular values come together: no collapse.
(c) cosine loss: L(theta) = L(theta/4), so second derivatives do not shrink as theta -> 0: at x = e1, x+ = e2, theta = I the mixed
block has the norm sqrt 2, at I/4 sixteen times that.  Nothing decouples "to leading order" either.
"""
import math

s = lambda v: 1 / (1 + math.exp(v)) if v < 700 else 0.0
info = lambda p, q: math.log(1 + math.exp(-(p * p + q * q)))
e = 1e-4
mixed = (info(1 + e, 1 + e) - info(1 + e, 1 - e) - info(1 - e, 1 + e) + info(1 - e, 1 - e)) / (4 * e * e)
exact = 4 * s(2) * (1 - s(2))
assert abs(mixed - exact) < 1e-5 and exact > 0.4

def ratio(tau, y=(0.5, 2.0)):  # y_i = |c_i|^2, y' = 4 y s(y), in the time log t, by Runge-Kutta
    f = lambda v, w: math.exp(v) * 4 * w * s(w)
    out = []
    for w in y:
        v, dv = math.log(0.01), 0.002
        while v < tau:
            k1 = f(v, w); k2 = f(v + dv / 2, w + dv / 2 * k1); k3 = f(v + dv / 2, w + dv / 2 * k2); k4 = f(v + dv, w + dv * k3)
            w += dv / 6 * (k1 + 2 * k2 + 2 * k3 + k4); v += dv
        out.append(w)
    return round(max(out), 2), round(math.sqrt(min(out) / max(out)), 4)

series = [ratio(math.log(10) * n) for n in (0, 2, 4, 8)]
assert series[0][1] > 0.5 and all(a[1] <= b[1] for a, b in zip(series, series[1:])) and series[-1][1] > 0.9

def cosine(t):  # -cos(theta e1, theta e2)
    u, v = (t[0], t[2]), (t[1], t[3])
    return -(u[0] * v[0] + u[1] * v[1]) / math.hypot(*u) / math.hypot(*v)

def block(scale):  # Frobenius norm of the mixed block of the rows (t0, t1) and (t2, t3) at scale * I
    total, step = 0.0, 1e-4 * scale
    for i in (0, 1):
        for j in (2, 3):
            value = 0.0
            for a in (1, -1):
                for b in (1, -1):
                    t = [scale, 0.0, 0.0, scale]; t[i] += a * step; t[j] += b * step
                    value += a * b * cosine(t)
            total += (value / (4 * step * step)) ** 2
    return math.sqrt(total)

assert block(1.0) > 1.4 and 15.9 < block(0.25) / block(1.0) < 16.1
print("remark-2: mixed derivative", round(exact, 6), "; (largest |c_i|^2, ratio of singular values):", series, "; cosine blocks", round(block(1.0), 3), round(block(0.25), 3))
