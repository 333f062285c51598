"""(A.4): ... ≤ √(T η) O(√(L m/d) n⁴ d/(m δ)) ≤ O(n^(7/2) √d/(δ ε √m)) for T η = Θ(n³ d/(m δ ε²)).

If the root stands over the whole product, √((L m/d) n⁴ d/(m δ)), the product is √L times the last member: L is lost.  If it
stands over L m/d alone, the member does not follow from (A.3), whose bound gives √((L m/d) n⁴ d/(m δ)) and is larger.
The radius is right all the same: descent alone gives √(n T η), with T η = n⁴ d/(m δ ε²), which is smaller.
"""

import math


def sides(n, L, d, m, delta, eps):
    path = n**3 * d / (m * delta * eps**2)  # T eta
    last = n**3.5 * math.sqrt(d) / (delta * eps * math.sqrt(m))
    whole = math.sqrt(path) * math.sqrt(L * m / d * n**4 * d / (m * delta))
    alone = math.sqrt(L * m / d) * n**4 * d / (m * delta)  # without sqrt(T eta)
    from_a3 = math.sqrt(L * m / d * n**4 * d / (m * delta))
    descent = math.sqrt(n * n**4 * d / (m * delta * eps**2))
    return whole / last, from_a3 / alone, descent / last


rows = []
for n, L, d in ((2, 4, 100.0), (2, 10**4, 100.0), (10, 10**8, 1000.0)):
    delta, eps = 1.0 / L, 0.5
    m = n**12 * float(L) ** 12 * 10**8 / (delta**5 * eps**2)
    a, b, c = sides(n, L, d, m, delta, eps)
    assert abs(a / math.sqrt(L) - 1) < 1e-9 and b > 1000 and c <= 1 + 1e-9
    rows.append((n, L, round(a, 3), f"{b:.1e}", f"{c:.1e}"))
assert rows[-1][2] > 9999, "no constant serves as L grows"
print("(n, L, third over fourth member, (A.3) over the other reading, radius from descent over the printed one):", rows)
