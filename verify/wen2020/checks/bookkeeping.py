"""Appendices A.2, C.4, D.1, D.2: inequalities between powers of n, L, m, log m, δ, ε, d, k, up to constants.

Each row is log(left/right) along a sequence of sizes on which the hypotheses hold with equality; where it grows without
bound no constant serves. Rows: radius of the trajectory in the ball of the gradient bounds, with the width of Theorem A.2
(n^12) and for any d ≥ (log m)² (n^15); the last member of (A.3) against ε; (A.4) with the root over the whole product and
over L m/d alone; the flips m ω^(2/3) L ≤ m/(L³ log m) of Lemma B.6 in the range of Lemma 4.4; L⁴ against L² in the proof
of Lemma D.2; Σ |W'_l|_F ≤ O(|W'|_F).
"""

import math

log = math.log


def size(n=2.0, L=1.0, delta=1.0, eps=0.5, power=12, d=None):  # m from the width that is asked for, by iteration on log m
    lm = 50.0
    for _ in range(200):
        lm = power * log(n) + 12 * log(L) + 5 * log(lm) - 5 * log(delta) - 2 * log(eps)
    return lm, 2 * log(lm) if d is None else log(d)  # log m, log d


def radius_fits(n, power, d=None):
    lm, ld = size(n=n, power=power, d=d)
    path = 3.5 * log(n) + ld / 2 - log(0.5) - lm / 2
    return path - (-3 * log(n) - 1.5 * log(lm))


def a3(n):  # sqrt(n^4 d/(T eta delta m)) over eps, with T eta = n^3 d/(m delta eps^2)
    return log(n) / 2


def a4_alone(n):
    lm, ld = size(n=n)
    # √(L n⁴/δ) over √(L m/d) n⁴ d/(m δ), at L = δ = 1
    return (4 * log(n) / 2) - (4 * log(n) + (ld - lm) / 2)


grid = [10.0**k for k in (2, 6, 12, 24)]
table = {
    "n^12 in Theorem A.2": [radius_fits(n, 12) for n in grid],
    "any d, n^15": [radius_fits(100.0, 15, d=10.0**k) for k in (20, 40, 80)],
    "(A.3) against eps": [a3(n) for n in grid],
    "(A.4), whole root": [log(L) / 2 for L in grid],
    "(A.4), root over Lm/d": [a4_alone(n) for n in grid],
    "flips": [2 / 3 * -4.5 * log(L) + log(L) - (-3 * log(L)) for L in grid],  # the powers of m and log m agree
    "L^4 against L^2": [2 * log(L) for L in grid],  # (L^2 m/d)(tau^2 L^2 m/d) against L^2 (m/d)^2 tau^2
    "sum of norms": [log(math.sqrt(L + 1)) for L in grid],  # L + 1 equal layers
}
for name, row in table.items():
    assert all(b > a + 1 for a, b in zip(row, row[1:])) and row[-1] > 9, (name, row)
for n in grid:  # with n^13 in the width and n^4 in T eta the two that concern n close
    assert radius_fits(n, 13) < radius_fits(grid[0], 13) + 1e-6
lm = 100.0
for L in grid:  # and with w <= L^(-6) (log m)^(-3/2) the flips fit
    assert abs(2 / 3 * -6 * log(L) + log(L) + 3 * log(L)) < 1e-9
print("log(left/right):", {k: [round(v, 1) for v in r] for k, r in table.items()})
