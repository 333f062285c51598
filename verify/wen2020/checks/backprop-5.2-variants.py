"""Appendix C.1, (C.2) and the proof of Lemma C.4: variants of the gradient formulas, against exact derivatives.

Two points, k = 1, L = 2 hidden layers, m = d = b = 2, with the expressions of Facts 1, 2 for the loss vectors; the
derivatives are those of the loss itself, by a complex step. Section 5.2 is right: ∇_(W_l) = (1/n) Σ D_l Back_(l+1)ᵀ
loss_i h_(l-1)ᵀ. Wrong are h_(l+1) for h_(l-1) (C.1), Back_l for Back_(l+1) (C.2), Back of point i at a term of point j
below the last hidden layer (first line of C.2), and rows of W_L for its columns (Lemma C.4).
"""

from cmath import exp, log
from itertools import product

X = [[1.0, 0.0], [0.6, 0.8]]
W = [[[1.0, 1.0], [2.0, -1.0]], [[1.0, -1.0], [1.0, 2.0]], [[1.0, 0.5], [-1.0, 1.0]]]
T = [[[1.0, -2.0], [1.0, 1.0]], [[1.0, -0.5], [-1.0, 2.0]], [[1.0, 1.0], [0.5, -1.0]]]
dot = lambda u, v: sum(a * b for a, b in zip(u, v))
mul = lambda a, v: [dot(r, v) for r in a]
active = lambda v, h: [a * (b.real > 0) for a, b in zip(v, h)]  # D_l v
logits = lambda q, k: [dot(q[i], k[1 - i]) - dot(q[i], k[i]) for i in range(2)]


def layers(net, v):  # h_{-1}, h_0, h_1 and the output, so that h_l is at l + 1
    h0 = mul(net[0], v)
    h1 = mul(net[1], active(h0, h0))
    return v, active(h0, h0), active(h1, h1), mul(net[2], active(h1, h1))


def slope(which, l, r, c):  # dL_S by one entry of W_l or θ_l
    nets = [[[list(row) for row in a] for a in net] for net in (W, T)]
    nets[which][l][r][c] += 1e-30j
    q, k = ([layers(net, v)[3] for v in X] for net in nets)
    return sum(log(1 + exp(t)) for t in logits(q, k)).imag / 2 / 1e-30


def gap(which, l, up=1, at=None, pairs=False, rows=False):  # the largest error of an entry
    nets = [[layers(net, v) for v in X] for net in (W, T)]
    (q, k), hs, net = [[h[3] for h in hs] for hs in nets], nets[which], (W, T)[which]
    g = [[0.0, 0.0], [0.0, 0.0]]
    for i, j in product(range(2), repeat=2):  # the loss vectors of Facts 1 and 2, in their summands
        point, v = (j, q[i]) if which else (i, k[j])
        v = [(1 if i != j else -1) / (1 + exp(-logits(q, k)[i])) * t for t in v]
        for a in range(2, l + up - 1, -1):  # Back_{l+up}ᵀ v
            v = mul(net[a] if rows else zip(*net[a]), v)
            v = active(v, hs[i if pairs else point][a]) if a > l + up else v
        v = active(v, hs[point][l + 1]) if l < 2 else v
        g = [[g[r][c] + v[r] * hs[point][l if at is None else at][c] / 2 for c in range(2)] for r in range(2)]
    return max(abs(g[r][c] - slope(which, l, r, c)) for r, c in product(range(2), repeat=2))


assert all(gap(which, l) < 1e-12 for which, l in product(range(2), range(3))), "Section 5.2 with Facts 1, 2"
assert gap(1, 1, pairs=True) < 1e-12, "(C.2) at the last hidden layer, with Back_{l+1}"
report = {"h_{l+1}": gap(0, 0, at=2), "Back_l": gap(1, 1, up=0), "pairs, Back_l": gap(1, 1, up=0, pairs=True)}
report |= {"pairs below": gap(1, 0, pairs=True), "rows of W_L": gap(0, 1, rows=True)}
assert all(v > 0.01 for v in report.values()), report
print("largest entrywise gap of each printed variant:", {k: round(v, 4) for k, v in report.items()})
