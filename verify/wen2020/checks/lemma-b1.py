"""Lemma B.1: for every ε in (0, 1), with probability ≥ 1 - e^(-Ω(ε² m/L)), |h_(i,l)| is in [1 - ε, 1 + ε] for all i, l.

Neither the number of inputs nor that of layers stands in front of the exponential, and without them no constant c serves.
(a) m = 40, L = 1, ε = 1/2, n orthonormal inputs: their layers are independent, so P = p^n with p = 0.9956 for one; it
falls to 0 with n while 1 - e^(-c ε² m) stays. |h|² is (2/m) χ²_k with k binomial(m, 1/2).
(b) m = 8, one input: a layer is dead with probability 2^(-8), so P ≤ (1 - 2^(-8))^L, exponentially small in L, while the
promise 1 - e^(-c ε² m/L) falls like 1/L only. Corollary B.9 quotes the lemma with O(nL) in front, which holds.
"""

import math


def chi_above(n, t):  # P(chi^2_n > t)
    value = math.erfc(math.sqrt(t / 2)) if n % 2 else math.exp(-t / 2)
    for j in range(1 if n % 2 else 2, n, 2):
        value += math.exp(j / 2 * math.log(t / 2) - t / 2 - math.lgamma(j / 2 + 1))
    return value


assert abs(chi_above(3, 2.2) - 0.53195) < 1e-5 and abs(chi_above(40, 26.51) - 0.95) < 1e-3, "against tables"
m, eps = 40, 0.5
inside = lambda k: chi_above(k, (1 - eps) ** 2 * m / 2) - chi_above(k, (1 + eps) ** 2 * m / 2)
p = sum(math.comb(m, k) / 2**m * inside(k) for k in range(1, m + 1))
assert abs(p - 0.9956) < 1e-4
wide = []
for c in (1.0, 0.01):
    promise = 1 - math.exp(-c * eps * eps * m)
    n = math.ceil(math.log(promise / 2) / math.log(p))
    assert p**n <= promise / 2 + 1e-12
    wide.append((c, n, round(p**n, 4), round(promise, 4)))
m, rows = 8, []
for c in (1.0, 0.01):
    L = next(2**k for k in range(40) if (1 - 2.0**-m) ** (2**k) < (1 - math.exp(-c * eps * eps * m / 2**k)) / 2)
    rows.append((c, L, (1 - 2.0**-m) ** L, 1 - math.exp(-c * eps * eps * m / L)))
    assert rows[-1][2] < rows[-1][3] / 2
print(
    "m = 40, (c, n, reached, promised):",
    wide,
    "; m = 8, (c, L, reached at most, promised):",
    [(c, L, f"{a:.1e}", f"{b:.1e}") for c, L, a, b in rows],
)
