"""Whatever holds numbers as arrays of NumPy: by the array protocol, or by DLPack where an object speaks only that."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[Any]


def _array(name: str, value: Any) -> npt.NDArray[Any]:
    if np.ma.is_masked(value):
        raise ValueError(f"{name}: a masked array with values masked; fill them, or leave out their rows")
    # A tensor that takes part in a gradient does not hand out its memory; its values are what is asked for.
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        try:
            return np.from_dlpack(value)
        # What stands behind the protocol may raise anything.
        except Exception as error:
            if not hasattr(value, "__array__"):
                raise ValueError(f"{name}: its memory cannot be read from here: {error}") from error
    try:
        return np.asarray(value)
    except Exception as error:
        raise ValueError(f"{name}: no array: {error}") from error


def points(name: str, value: Any) -> Points:
    """An array with one row for each point, in the byte order of this machine; no copy unless that asks for one."""
    array = _array(name, value)
    if array.dtype.kind not in "fiub":
        raise ValueError(
            f"{name}: elements of type {array.dtype}, expected floats of 16 to 64 bits, integers or truth values"
        )
    if array.dtype.itemsize > 8:
        raise ValueError(f"{name}: elements of type {array.dtype} do not fit floats of 64 bits; round them first")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if not array.flags.aligned:
        array = array.copy()
    if array.ndim != 2:
        raise ValueError(f"{name}: an array with {array.ndim} axes, expected 2: one row for each point")
    return array


def classes(name: str, value: Any, points: Points) -> tuple[npt.NDArray[np.uint32], list[str]]:
    """The number of the class of every point, and the name of every number."""
    array = _array(name, value)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name}: an array with {array.ndim} axes, expected 1: one label for each point")
    # Before anything is made of either, which may be as large as its shape says.
    if len(array) != len(points):
        raise ValueError(f"{name}: {len(array)} labels for the {len(points)} points of X")
    if array.dtype.kind == "f":
        if not np.all(np.isfinite(array)) or np.any(array != np.floor(array)):
            raise ValueError(f"{name}: a label is a float that is no whole number")
        array = array.astype(np.int64)
    if array.dtype.kind == "O":
        if not all(isinstance(label, str) for label in array):
            raise ValueError(f"{name}: labels of several types; use integers, truth values or strings")
        array = array.astype(str)
    if array.dtype.kind not in "iubUS":
        raise ValueError(f"{name}: labels of type {array.dtype}, expected integers, truth values or strings")
    names, codes = np.unique(array, return_inverse=True)
    shown = [n.decode("utf-8", "replace") if isinstance(n, bytes) else str(n) for n in names.tolist()]
    return codes.astype(np.uint32), shown


def text(name: str, value: str) -> str:
    """A text that is one in every encoding."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: {type(value).__name__}, expected a str")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name}: {error}") from error
    return value


def counts(name: str, value: int | Iterable[int], least: int) -> list[int]:
    """Whole numbers of at least so much."""
    found = []
    for number in value if isinstance(value, Iterable) else [value]:
        if isinstance(number, bool) or not hasattr(number, "__index__"):
            raise ValueError(f"{name}: {number!r} is no whole number")
        if not least <= index(number) <= 2**53:
            raise ValueError(f"{name}: {index(number)} does not lie between {least} and 2^53")
        found.append(index(number))
    return found


def positive(name: str, value: float) -> float:
    """A positive, finite float."""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {value!r} is no number") from error
    if not 0.0 < number < float("inf"):
        raise ValueError(f"{name}: {number} is not positive and finite")
    return number


def whole(name: str, value: int) -> int:
    """A whole number of 64 bits."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 0 <= int(value) < 2**64:
        raise ValueError(f"{name}: {value!r} is no whole number of 64 bits")
    return int(value)
