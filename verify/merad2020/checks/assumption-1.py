"""Assumption 1: all x ∈ X_data = ∪_i {x_i, x_i⁺, x_i⁻} have norm 1, and ‖x − x'‖ ≥ δ > 0 for any x, x' ∈ X_data.

Two triplets in ℝ⁵ that share their anchor, (e_1, e_2, e_3) and (e_1, e_4, e_5). Read as it stands, for the elements of a union
of sets, x ≠ x' understood, the assumption holds with δ = √2; yet the end of section 4 says that reusing a sample in two
different triples invalidates it. That is so for the six places of the list. With x = x' included no data set meets it.
Squared distances are integers.
"""

from itertools import combinations, product


def unit(k):
    return tuple(int(i == k) for i in range(5))


def square(x, y):
    return sum((a - b) ** 2 for a, b in zip(x, y))


triplets = [(unit(0), unit(1), unit(2)), (unit(0), unit(3), unit(4))]
places = [x for triplet in triplets for x in triplet]
data = set().union(*triplets)
assert all(square(x, (0,) * 5) == 1 for x in data), "every sample has norm 1"
assert len(places) == 6 and len(data) == 5, "one sample stands in two different triples"

as_a_set = min(square(x, y) for x, y in combinations(data, 2))
as_a_list = min(square(x, y) for x, y in combinations(places, 2))
word_for_word = min(square(x, y) for x, y in product(data, data))
assert as_a_set == 2, "the set meets the assumption with δ = √2, against the remark"
assert as_a_list == 0, "the list does not, as the remark says"
assert word_for_word == 0, "with x = x' included, no δ > 0 serves any data"

print(f"δ² = {as_a_set} over the set, {as_a_list} over the places, {word_for_word} with x = x' included")
