"""The kernel of a wide network stays what it was at the start, all through training, for the losses (1), (2) too.

One input, one output, φ = id, loss (2) with x = x⁺ = 1: L = -p² with p = w1.w2.  Gradient flow w1' = 2 p w2, w2' = 2 p w1;
the kernel is S = |w1|² + |w2|².  Then p' = 2 p S, S' = 8 p², so S² - 4 p² = g is constant and p is infinite at the time
T = asinh(√g/(2 p0))/(2 √g).  Typical wide start: S0 = 2, p0 = h^(-1/2).  At every width the kernel has doubled before
a time of about (log h)/8 and is infinite soon after.  An integration of the flow itself confirms the formula.
"""

import math


def time_to_reach(p, p0, g):  # integral of dp / (2 p sqrt(g + 4 p^2)) from p0 to p
    return (math.asinh(math.sqrt(g) / (2 * p0)) - math.asinh(math.sqrt(g) / (2 * p))) / (2 * math.sqrt(g))


def flow(p, s, end, steps=4000):  # Runge-Kutta for (p, S)
    f = lambda p, s: (2 * p * s, 8 * p * p)
    dt = end / steps
    for _ in range(steps):
        a = f(p, s)
        b = f(p + dt / 2 * a[0], s + dt / 2 * a[1])
        c = f(p + dt / 2 * b[0], s + dt / 2 * b[1])
        e = f(p + dt * c[0], s + dt * c[1])
        p, s = (p + dt / 6 * (a[0] + 2 * b[0] + 2 * c[0] + e[0]), s + dt / 6 * (a[1] + 2 * b[1] + 2 * c[1] + e[1]))
    return p, s


series = []
for h in (10**2, 10**4, 10**6, 10**8):
    p0, s0 = h**-0.5, 2.0
    assert s0 >= 2 * p0, "such weights exist: |w1| = |w2| = 1 with w1.w2 = p0"
    g = s0 * s0 - 4 * p0 * p0
    doubled = math.sqrt(16 - g) / 2  # the p at which S = 4
    t2, end = time_to_reach(doubled, p0, g), time_to_reach(1e300, p0, g)
    p, s = flow(p0, s0, t2)
    assert abs(s - 4) < 1e-6 and t2 < end < 0.2 + math.log(h) / 8
    assert s - s0 > 0.9 * s0, "the kernel changed by its own size, at every width"
    series.append((h, round(t2, 3), round(end, 3)))
print("(width, time at which the kernel has doubled, time at which it is infinite):", series)
