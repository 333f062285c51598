"""Appendix C.1, (C.2) and the proof of Lemma C.4: variants of the gradient formulas, against central differences.

Two points, k = 1, L = 2 hidden layers, m = d = b = 2, with the expressions of Facts 1, 2 for the loss vectors. Section
5.2 is right: ∇_(W_l) = (1/n) Σ D_l Back_(l+1)ᵀ loss_i h_(l-1)ᵀ. Wrong are h_(l+1) for h_(l-1) (C.1), Back_l for
Back_(l+1) (C.2), Back of point i at a term of point j below the last hidden layer (first line of C.2), and rows of W_L
for its columns (Lemma C.4).
"""

import math

x = [[1.0, 0.0], [0.6, 0.8]]
W = [[[1.0, 1.0], [2.0, -1.0]], [[1.0, -1.0], [1.0, 2.0]], [[1.0, 0.5], [-1.0, 1.0]]]
T = [[[1.0, -2.0], [1.0, 1.0]], [[1.0, -0.5], [-1.0, 2.0]], [[1.0, 1.0], [0.5, -1.0]]]
mul = lambda a, v: [sum(p * q for p, q in zip(r, v)) for r in a]
t = lambda a: [list(r) for r in zip(*a)]
dot = lambda u, v: sum(p * q for p, q in zip(u, v))


def layers(w, v):
    hs = [v]
    for a in w[:-1]:
        hs.append([max(0.0, p) for p in mul(a, hs[-1])])
    return hs  # h_{-1}, h_0, h_1


out = lambda w, v: mul(w[2], layers(w, v)[2])
p = lambda i, q, k: 1 / (1 + math.exp(-dot(q[i], [a - b for a, b in zip(k[1 - i], k[i])])))


def loss(w, th):
    q, k = [out(w, v) for v in x], [out(th, v) for v in x]
    return sum(-math.log(1 - p(i, q, k)) for i in range(2)) / 2


def numeric(w, th, which, l):
    a, g = (w, th)[which][l], [[0.0, 0.0], [0.0, 0.0]]
    for r in range(2):
        for c in range(2):
            old = a[r][c]
            a[r][c] = old + 1e-5
            up = loss(w, th)
            a[r][c] = old - 1e-5
            down = loss(w, th)
            a[r][c] = old
            g[r][c] = (up - down) / 2e-5
    return g


def back(w, hs, l, v):  # Back_l^T v; Back_2 = W_2, Back_l = W_2 D_1 ... D_l W_l, and hs[l + 1] is h_l
    v = mul(t(w[2]), v)
    for j in range(1, l - 1, -1):
        v = mul(t(w[j]), [a if h > 0 else 0.0 for a, h in zip(v, hs[j + 1])])
    return v


def formula(w, th, which, l, up=1, h_at=None, pairs=False, rows=False):
    q, k = [out(w, v) for v in x], [out(th, v) for v in x]
    net = (w, th)[which]
    hs = [layers(net, v) for v in x]
    P = [p(i, q, k) for i in range(2)]
    z = [[a - b for a, b in zip(k[1 - i], k[i])] for i in range(2)]
    vec = [[P[i] * a for a in z[i]] for i in range(2)]
    if which == 1:
        vec = [[P[1 - i] * a - P[i] * b for a, b in zip(q[1 - i], q[i])] for i in range(2)]
    terms = [(i, i, vec[i]) for i in range(2)]  # (point of Back, point of D and h, vector)
    if pairs:
        terms = [(i, j, [s * P[i] * a for a in q[i]]) for i in range(2) for j, s in ((1 - i, 1.0), (i, -1.0))]
    g = [[0.0, 0.0], [0.0, 0.0]]
    for i, j, v in terms:
        b = mul(net[2], v) if rows else back(net, hs[i], l + up, v) if l + up <= 2 else v
        b = [a if l == 2 or s > 0 else 0.0 for a, s in zip(b, hs[j][min(l + 1, 2)])]
        h = hs[j][l if h_at is None else h_at]
        g = [[g[r][c] + b[r] * h[c] / 2 for c in range(2)] for r in range(2)]
    return g


gap = lambda a, b: max(abs(u - v) for r, s in zip(a, b) for u, v in zip(r, s))
for which in (0, 1):
    for l in range(3):
        assert gap(formula(W, T, which, l), numeric(W, T, which, l)) < 1e-7, "Section 5.2 with Facts 1, 2"
assert gap(numeric(W, T, 1, 1), formula(W, T, 1, 1, pairs=True)) < 1e-7  # (C.2) at the last hidden layer, with Back_{l+1}
report = {
    "h_{l+1}": gap(formula(W, T, 0, 0, h_at=2), numeric(W, T, 0, 0)),
    "Back_l": gap(formula(W, T, 1, 1, up=0), numeric(W, T, 1, 1)),
    "pairs, Back_l": gap(formula(W, T, 1, 1, up=0, pairs=True), numeric(W, T, 1, 1)),
    "pairs below": gap(formula(W, T, 1, 0, pairs=True), numeric(W, T, 1, 0)),
    "rows of W_L": gap(formula(W, T, 0, 1, rows=True), numeric(W, T, 0, 1)),
}
assert all(v > 0.01 for v in report.values()), report
print("largest entrywise gap of each printed variant:", {k: round(v, 4) for k, v in report.items()})
