"""Section 3.1, after the tail of T: if ρ is close to uniform and N = Ω(N_C log N_C), the coverage probability is reasonably high.

Here with ρ uniform and N = ⌈κ N_C log N_C⌉ for κ = 1/2, a constant that Ω allows. The probability p_cc(N) that N draws show
all N_C classes is computed exactly: (number of maps from N draws onto N_C classes)/N_C^N by inclusion and exclusion, for nine
classes and ten draws also by hand: one class is drawn twice, (10 choose 2)·9!/9^10. The upper bound
p_cc(N) ≤ (1 − (1 − 1/N_C)^N)^N_C shows that it goes on like this: about √N_C classes are missed.
"""

from fractions import Fraction
from math import ceil, comb, factorial, log

KAPPA = 0.5


def coverage(classes, draws):
    onto = sum((-1) ** j * comb(classes, j) * (classes - j) ** draws for j in range(classes + 1))
    return Fraction(onto, classes**draws)


sizes = (9, 20, 50, 100, 200)
draws = [ceil(KAPPA * n * log(n)) for n in sizes]
assert draws[0] == 10 and coverage(9, 10) == Fraction(comb(10, 2) * factorial(9), 9**10)
assert all(N >= KAPPA * n * log(n) and N >= n for n, N in zip(sizes, draws)), "N = Ω(N_C log N_C), and enough draws to show all"

found = [coverage(n, N) for n, N in zip(sizes, draws)]
assert found[0] < Fraction(1, 200) and all(later < earlier / 2 for earlier, later in zip(found, found[1:]))
assert found[-1] < Fraction(1, 10**5), "not reasonably high: it tends to 0"
for n, N, p in zip(sizes, draws, found):
    assert p <= (1 - (1 - Fraction(1, n)) ** N) ** n

# A larger constant serves: with κ = 2 all but N_C^(−1) of the probability is there.
assert all(coverage(n, ceil(2 * n * log(n))) >= 1 - Fraction(1, n) for n in sizes)

print("κ = 1/2: p_cc = " + ", ".join(f"{float(p):.2g} (N_C = {n})" for n, p in zip(sizes, found)) + "; κ = 2: p_cc ≥ 1 − 1/N_C")
