"""Lemma 4.3: in the balls of radius delta^(3/2)/(n^3 L^6 (log m)^(3/2)) the gradient norms are multiples of the loss vectors' norms.

(a) |grad_T|^2 >= Omega(..) sum |l~_i|^2 (tilde, as Section 4 prints it): n = 2, x_1, x_2 orthogonal, L = 1, d = 1.  All queries can be made
zero by moving pre-activations by -f_i b_r/sum b^2: at distance of order m^(-1/2), less than the radius for large m.  There grad_T L_S = 0,
and l~_i = (k_j - k_i)/2 is not 0.  Lemma A.3 has the hat instead.
(b) |grad_W|^2 >= Omega(..) sum |l~_i|^2 on a regular hexagon, L = 1: sum (-1)^i f(x_i) = 0 for all weights, because f(x) - f(-x) is linear, so
loss vectors (-1)^i v leave grad_W = 0.  Keys k_i = -cos(i pi/3), queries c k_i have such loss vectors, and are within O(m^(-1/2)).
(c) the upper bound needs d <= O(m): |grad_(W_1)|^2 is at least (1/4)(1 - 1/pi) sum |l~_i|^2 as m -> infinity (n = 2, L = 1), whatever d.
(d) with Definition 4.1 the loss vectors are n times shorter and the upper bound lacks a factor n.  (e) |a + b|^2 <= |a|^2 + |b|^2 in the proof.
"""
import math, random

def distance(m, seed):  # of an explicit point with all queries zero
    rng, total = random.Random(seed), 0.0
    b = [rng.gauss(0, 1) for _ in range(m)]
    for _ in range(2):
        w = [rng.gauss(0, math.sqrt(2 / m)) for _ in range(m)]
        f = sum(v * u for v, u in zip(b, w) if u > 0)
        used = [r for r in range(m) if w[r] > 8 * abs(f * b[r]) / m]  # stay active when moved
        square = sum(b[r] ** 2 for r in used)
        assert square > m / 8
        moved = [u - f * b[r] / square if r in S else u for S in (set(used),) for r, u in enumerate(w)]
        assert abs(sum(v * u for v, u in zip(b, moved) if u > 0)) < 1e-9  # the query is zero
        total += f * f / square
    return math.sqrt(total)

radius = lambda m, n, delta, L=1: delta ** 1.5 / (n ** 3 * L ** 6 * math.log(m) ** 1.5)
rows = []
for k in (10, 13, 16):
    m = 2 ** k
    d = sorted(distance(m, s) for s in range(5))[2]
    rows.append((k, round(d, 5), round(radius(m, 2, math.sqrt(2)), 5)))
far = [(k, 4 / 2 ** (k / 2), radius(2.0 ** k, 2, math.sqrt(2))) for k in (24, 40)]  # typical distance 2/sqrt m, here doubled
assert rows[-1][1] < 0.08 and all(d < r for _, d, r in far)

s = lambda t: 1 / (1 + math.exp(-t))
def loss_vectors(q, k):  # Fact 1, k = 1: the mean over the one negative
    n = len(q)
    return [sum(s(q[i] * (k[j] - k[i])) * (k[j] - k[i]) for j in range(n) if j != i) / (n - 1) for i in range(n)]

keys = [-math.cos(i * math.pi / 3) for i in range(6)]
lo, hi = 0.0, 5.0
gap = lambda c: sum(loss_vectors([c * v for v in keys], keys)[:2])
assert gap(lo) > 0 > gap(hi)
for _ in range(60):
    mid = (lo + hi) / 2
    lo, hi = (mid, hi) if gap(mid) > 0 else (lo, mid)
l = loss_vectors([lo * v for v in keys], keys)
assert max(abs(v - l[0] * (-1) ** i) for i, v in enumerate(l)) < 1e-9 and abs(l[0]) > 0.01  # alternating, and not zero
kernel = [math.cos(i * math.pi / 3) * (1 - min(i, 6 - i) / 3) for i in range(6)]  # 2K/m as m -> infinity: E 1{both active} = (1 - t/pi)/2
eigen = [sum(kernel[i] * math.cos(2 * math.pi * f * i / 6) for i in range(6)) for f in range(6)]
assert abs(eigen[3]) < 1e-12 and min(e for f, e in enumerate(eigen) if f != 3) > 0.83  # 0 on (-1)^i only, to which c k - f is orthogonal
k = next(k for k in range(10, 400, 10) if 2 * math.sqrt(12 * 4 * (3 * lo * lo + 6) / (5 * 2.0 ** k)) < radius(2.0 ** k, 6, 1.0))

C = 3.0  # (c): d = 4 C m
assert 0.25 * (1 - 1 / math.pi) > C * 1 / (2 * 4 * C)  # C L m/(n d) = 1/8
assert (1 + 1) ** 2 - (1 + 1) >= 2  # (e)
print("lemma-4.3: (log2 m, distance, radius):", rows, [(a, f"{b:.1e}", f"{c:.1e}") for a, b, c in far], "; hexagon: c =", round(lo, 4), ", loss vectors +-", round(abs(l[0]), 4), ", in the ball from m = 2^%d" % k)
