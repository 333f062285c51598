"""Section 4, after Lemma 4: the critical point that gradient descent reaches is in fact a global minimum of L̂_un.

Critical in the matrices A, W_1, B, which are what descent moves: a ReLU network f(x) = B relu(W_1 relu(A x)) with m = 3 (the third
unit is dead, and such units can be added at will) and one triplet of unit vectors at distance 1 or more from each other, with
outputs (1, 0), (0, 1/2), (0, 1/2). All numbers are fractions: every derivative is exactly 0 and L̂_un = log 2, so that descent
stays there for ever with every step size. Theorem 1 and Lemma 6 name no start, and this one meets both assumptions.
Critical in the outputs: ℓ > 0 everywhere, and ζ(−2r²) at z_1 = z_2 = −z_3 of norm r tends to 0: there is no minimum at all.
"""

from fractions import Fraction
from math import exp, log, log1p

h = Fraction(1, 2)
anchor, positive, negative = (-1, 0, 0, 0), (h, h, h, h), (h, h, h, -h)
A = [(-1, 0, 0, 0), (1, 0, 0, 0), (1, -10, 0, 0)]
W = [(1, -1, 0), (-1, 1, 0), (-1, -1, 0)]
B = [(1, 0, 0), (0, 1, 0)]


def times(matrix, x):
    return [sum(a * b for a, b in zip(row, x)) for row in matrix]


def transposed(matrix, x, units):
    """Mᵀx, set to zero where the unit below is not active."""
    return [sum(row[j] * x[i] for i, row in enumerate(matrix)) * on for j, on in enumerate(units)]


runs = []
for x in (anchor, positive, negative):
    below, active = times(A, x), [g > 0 for g in times(A, x)]
    hidden = [max(g, 0) for g in below]
    above = times(W, hidden)
    assert sum(t * t for t in x) == 1 and all(below) and all(above), "norm 1, and no pre-activation at the kink of ReLU"
    runs.append((x, active, hidden, [g > 0 for g in above], [max(g, 0) for g in above]))
inputs = [run[0] for run in runs]
assert min(sum((s - t) ** 2 for s, t in zip(inputs[i], inputs[j])) for i, j in ((0, 1), (0, 2), (1, 2))) == 1, "δ = 1"

z1, z2, z3 = [times(B, run[4]) for run in runs]
assert all(Fraction(1, 16) < sum(t * t for t in z) < 4 for z in (z1, z2, z3)), "norms between η = 1/4 and C = 2"
assert sum(a * (c - b) for a, b, c in zip(z1, z2, z3)) == 0, "the logit is 0: ℓ = log 2, and its derivative s = 1/2"
outer = [[h * (c - b) for b, c in zip(z2, z3)], [-h * a for a in z1], [h * a for a in z1]]

gradients = {"A": [[0] * 4 for _ in A], "W": [[0] * 3 for _ in W], "B": [[0] * 3 for _ in B]}
for (x, active, hidden, active_above, top), loss_vector in zip(runs, outer):
    at_top = transposed(B, loss_vector, active_above)
    at_bottom = transposed(W, at_top, active)
    for name, left, right in (("B", loss_vector, top), ("W", at_top, hidden), ("A", at_bottom, x)):
        gradients[name] = [[g + a * b for g, b in zip(row, right)] for row, a in zip(gradients[name], left)]
assert not any(g for matrix in gradients.values() for row in matrix for g in row), "a critical point of all matrices"
by_place = sum(t * t for block in outer for t in block)
assert by_place == h, "where the gradient in the outputs has norm √½, above the 1/4 that Lemma 6 may ask for"

levels = [log1p(exp(-2 * r * r)) for r in (1, 2, 3, 4)]
assert all(0 < later < earlier / 100 for earlier, later in zip(levels, levels[1:])), "the infimum 0 is not attained"
assert log(2) > levels[0] + 0.5, "and log 2 is far above it"

print(f"all derivatives 0 at L̂_un = log 2; ζ(−2r²) = {', '.join(f'{x:.1e}' for x in levels)} for r = 1 to 4")
