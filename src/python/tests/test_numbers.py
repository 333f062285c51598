"""Enclosures: arithmetic, comparisons as evidence, and what is refused."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import contrapositive as cp
from contrapositive import Enclosure


def test_arithmetic_rounds_outward():
    third = Enclosure(1.0) / 3
    assert third.lo < third.hi and Fraction(third.lo) < Fraction(1, 3) < Fraction(third.hi)
    assert (Enclosure(0.5) + 0.25).width == 0.0
    assert (2 - Enclosure(0.5)).lo == 1.5 and (2 ** Enclosure(3.0)).lo <= 8 <= (2 ** Enclosure(3.0)).hi
    assert (Enclosure(-2.0, 3.0) ** 2).lo == 0.0
    assert (Enclosure(2.0) ** -2).mid == 0.25
    assert sum([Enclosure(1.0), Enclosure(2.0)]).lo == 3.0
    seventh = Enclosure(1.0) * Fraction(1, 7)
    assert Fraction(seventh.lo) < Fraction(1, 7) < Fraction(seventh.hi)
    big = Enclosure(0.0) + (2**80 + 1)
    assert Fraction(big.lo) <= 2**80 + 1 <= Fraction(big.hi)
    assert (np.float64(2.0) * Enclosure(3.0)).lo == 6.0 and (np.int32(2) + Enclosure(3.0)).lo == 5.0
    assert (Enclosure(1.0) * np.float32(0.1)).lo == float(np.float32(0.1))


@pytest.mark.parametrize(
    "name", ["exp", "log", "log1p", "expm1", "sqrt", "sin", "cos", "tanh", "arctan", "sinh", "arcsinh", "log2"]
)
def test_functions_contain_those_of_numpy(name):
    for x in (0.25, 1.0, 3.5):
        value = getattr(np, name)(x)
        found = getattr(cp, name)(x)
        assert found.lo <= np.nextafter(value, np.inf) and np.nextafter(value, -np.inf) <= found.hi
        assert found.width <= 4 * np.spacing(abs(value))
    assert getattr(cp, name).__name__ == name


def test_lists():
    assert cp.dot([1.0, 2.0], [3, 4]).lo == 11.0
    assert cp.norm([Enclosure(3.0), Enclosure(4.0)]).lo == 5.0
    assert cp.maximum(1, Enclosure(2.0), 0.5).lo == 2.0 and cp.minimum(1, Enclosure(2.0)).hi == 1.0
    assert abs(cp.log_sum_exp([0.0, 0.0]).mid - math.log(2)) < 1e-15
    with pytest.raises(ValueError, match="^v: 1 entries"):
        cp.dot([1.0, 2.0], [1.0])


def test_a_comparison_is_evidence_and_no_truth_value():
    less = Enclosure(1.0) <= 2.0
    assert less.judgement == "holds" and less.relation == "≤" and less.margin.lo == 1.0
    assert (Enclosure(1.0) > 2.0).judgement == "violated"
    assert (Enclosure(0.0, 3.0) <= 2.0).judgement == "undecided"
    assert (0.5 <= Enclosure(1.0)).relation == "≥"
    with pytest.raises(TypeError, match="all_of"):
        bool(less)
    with pytest.raises(TypeError, match="all_of"):
        assert 0 <= Enclosure(1.0) <= 2
    worst = cp.all_of(Enclosure(0.0) <= 1, Enclosure(1.0) <= 1.5)
    assert worst.right.lo == 1.5 and worst.note == "part 2"
    assert cp.equal(1, Enclosure(1.0)).judgement == "holds" and (Enclosure(1.0) == 2).judgement == "violated"
    assert Enclosure(1.0) != "one"


def test_no_float_comes_in_unsaid():
    for what in (Decimal("0.1"), "0.1", None, True, 1j):
        with pytest.raises(TypeError):
            Enclosure(1.0) + what
    with pytest.raises(ValueError):
        Enclosure(1.0) + math.nan
    with pytest.raises(TypeError):
        math.exp(Enclosure(1.0))
    with pytest.raises(TypeError):
        np.exp(Enclosure(1.0))
    with pytest.raises(TypeError):
        np.ones(2) * Enclosure(1.0)
    slope = cp.measured(0.1 + 0.2)
    assert slope.grade == "measured" and (slope * 2).grade == "measured" and (Enclosure(1.0) + 1).grade == "exact"


def test_what_has_no_value_says_so():
    with pytest.raises(cp.Undefined, match="logarithm"):
        cp.log(-1.0)
    with pytest.raises(cp.Undefined, match="quotient by zero"):
        1 / Enclosure(0.0)
    with pytest.raises(ArithmeticError, match="root"):
        cp.sqrt(-1)
    # Where it is in doubt, nothing is said.
    assert (Enclosure(-1.0, 1.0).sqrt() <= 2).judgement == "vacuous"
    assert (1 / Enclosure(-1.0, 1.0) >= 0).judgement == "vacuous"


def test_a_proportion_has_an_interval():
    found = cp.clopper_pearson(90, 100, alpha=0.05)
    assert found.grade == "sampled" and found.alpha == 0.05 and found.lo < 0.9 < found.hi
    with pytest.raises(ValueError):
        cp.clopper_pearson(3, 2, alpha=0.05)


def test_words_and_storage():
    third = Enclosure(1.0) / 3
    assert str(third) == "0.333333" and f"{third:.3}" == "0.333" and "exact" in repr(third)
    for x in (third, cp.measured(1.0), cp.clopper_pearson(1, 2, alpha=0.1)):
        again = pickle.loads(pickle.dumps(x))
        assert (again.lo, again.hi, again.grade, again.alpha) == (x.lo, x.hi, x.grade, x.alpha)
    with pytest.raises(ValueError):
        Enclosure(2.0, 1.0)
    with pytest.raises(TypeError):
        hash(third)
