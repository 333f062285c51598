"""Section 3.1, last sentences: a better inequality than Lemma 2, L_sup^μ ≤ L_un^N/p_cc(N), is difficult to obtain.

Here N_C = 3 equally likely classes and N = 3 negatives: 1/p_cc = 27/6 = 4.5, while κ = 1/(1 − (2/3)³) = 27/19 = 1.421 serves
for every model (proof in the errata) and is the best constant. Both losses are summed exactly over all 3·3³ outcomes of
(anchor's class, classes of the negatives), for each of 13³ models with one embedding in ℝ per class, for models in ℝ², and
for one class that moves away, where the quotient of the losses comes near κ.
"""

from fractions import Fraction
from itertools import product
from math import exp, log

CLASSES, NEGATIVES = 3, 3
CORNERS = (-2.0, 0.0, 1.0)
LEVELS = [x / 2 for x in range(-6, 7)]


def losses(points):
    """L_sup^μ and L_un^N for one embedding per class: both positives are the point of the class, the means as well."""
    logit = [[sum(a * (y - x) for a, x, y in zip(p, p, q)) for q in points] for p in points]
    softmax = lambda values: max(0, *values) + log(exp(-max(0, *values)) + sum(exp(v - max(0, *values)) for v in values))
    supervised = sum(softmax([logit[c][j] for j in range(CLASSES) if j != c]) for c in range(CLASSES)) / CLASSES
    draws = list(product(range(CLASSES), repeat=NEGATIVES))
    contrastive = sum(softmax([logit[c][j] for j in draw]) for c in range(CLASSES) for draw in draws)
    return supervised, contrastive / (CLASSES * len(draws))


all_shown = sum(len(set(draw)) == CLASSES for draw in product(range(CLASSES), repeat=NEGATIVES))
coverage = Fraction(all_shown, CLASSES**NEGATIVES)
best = 1 / (1 - (1 - Fraction(1, CLASSES)) ** NEGATIVES)
assert (1 / coverage, best) == (Fraction(9, 2), Fraction(27, 19))

planar = product(product(CORNERS, repeat=2), repeat=3)
models = [((x,), (y,), (z,)) for x, y, z in product(LEVELS, repeat=3)] + list(planar)
largest = max(supervised / contrastive for supervised, contrastive in map(losses, models))
supervised, contrastive = losses(((1.0,), (1.0,), (1000.0,)))
approached = supervised / contrastive
assert largest <= best and 0.99 * best < approached <= best, "κ is not exceeded, and approached"
assert best + 3 < 1 / coverage, "so that 1/p_cc is not the best constant, by far"

print(f"largest L_sup^μ/L_un^N of {len(models)} models {largest:.4f}, approached {approached:.4f}, κ = {float(best):.4f}, 1/p_cc = 4.5")
