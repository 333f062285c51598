"""Functions of enclosures by the names that NumPy has for them, and a few for lists of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ._native import Enclosure, enclosure

#: What stands for a number: floats count as themselves, exactly.
Number = Enclosure | float | int | Fraction

_ZERO = enclosure(0.0, 0.0)


def _enclosed(x: Number) -> Enclosure:
    return x if isinstance(x, Enclosure) else _ZERO + x


def _function(name: str, what: str) -> Callable[[Number], Enclosure]:
    method = getattr(Enclosure, name)

    def function(x: Number) -> Enclosure:
        return method(_enclosed(x))  # type: ignore[no-any-return]

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{what}, enclosed."
    return function


exp = _function("exp", "The exponential")
expm1 = _function("expm1", "e^x − 1, accurate near zero")
log = _function("log", "The natural logarithm")
log1p = _function("log1p", "log(1 + x), accurate near zero")
log2 = _function("log2", "The logarithm to base two")
sqrt = _function("sqrt", "The square root")
softplus = _function("softplus", "log(1 + e^x)")
sigmoid = _function("sigmoid", "1 / (1 + e^(−x))")
sin = _function("sin", "The sine")
cos = _function("cos", "The cosine")
sinh = _function("sinh", "The hyperbolic sine")
cosh = _function("cosh", "The hyperbolic cosine")
tanh = _function("tanh", "The hyperbolic tangent")
arcsin = _function("arcsin", "The arc sine")
arccos = _function("arccos", "The arc cosine")
arctan = _function("arctan", "The arc tangent")
arcsinh = _function("arcsinh", "The inverse hyperbolic sine")
arccosh = _function("arccosh", "The inverse hyperbolic cosine")
arctanh = _function("arctanh", "The inverse hyperbolic tangent")


def maximum(*terms: Number) -> Enclosure:
    """The largest of one or more numbers; Python's own ``max`` would have to compare them by truth values."""
    first, *rest = terms
    largest = _enclosed(first)
    for term in rest:
        largest = largest.max(term)
    return largest


def minimum(*terms: Number) -> Enclosure:
    """The smallest of one or more numbers."""
    first, *rest = terms
    smallest = _enclosed(first)
    for term in rest:
        smallest = smallest.min(term)
    return smallest


def dot(u: Sequence[Number], v: Sequence[Number]) -> Enclosure:
    """The inner product of two lists."""
    if len(u) != len(v):
        raise ValueError(f"v: {len(v)} entries, and u has {len(u)}")
    total = _ZERO
    for a, b in zip(u, v, strict=True):
        # One square is never negative; a product of two numbers that are not known to be the same may be.
        total = total + (_enclosed(a).square() if a is b else _enclosed(a) * b)
    return total


def norm(u: Sequence[Number]) -> Enclosure:
    """The Euclidean norm of a list."""
    return sqrt(dot(u, u))
