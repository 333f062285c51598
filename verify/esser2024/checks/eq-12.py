"""Equation (12) with η = 0.01 converges to the limits of Theorem 3, for C built by (7).

C is a sum over samples, so that its size grows with their number, and the fixed point e_1 repels for η |λ_1| > 1/4:
the derivative of the step there is 1 + 8 η λ_1.  One dimension, N triples x = x⁺ = 1, x⁻ = 0: C = -N.  From N = 26 on
the steps leave the limit 1, for a cycle around it at N = 27; at N = 120 they overflow; with C/N (eigenvalue -1) they converge.
"""


def orbit(lam, q=0.5, eta=0.01, steps=10000):
    tail = []
    for k in range(steps):
        q -= 2 * eta * (2 * lam * q - 2 * lam * q**3)
        if abs(q) > 1e6:
            return [q, q]
        if k >= steps - 2:
            tail.append(q)
    return tail


samples = [(1, 1, 0)] * 27  # (x, x+, x-)
c = sum(x * (minus - plus) for x, plus, minus in samples)
assert c == -27
rows = []
for n in (10, 24, 27, 40, 120):
    tail = orbit(-n)
    rows.append((n, [float(f"{v:.5g}") for v in tail]))
    distance = max(abs(v - 1) for v in tail)
    assert distance < 1e-6 if n < 25 else distance > 0.1
assert abs(orbit(-1)[-1] - 1) < 1e-6, "C/N, for every N"
one = orbit(-27)
assert 0.1 < abs(one[0] - one[1]) < 0.4, "a cycle of length two around the limit 1"
print("(samples, the last two of 10000 iterates):", rows)
