"""What losses and bounds of labelled points can be told. Their names and types stand here and nowhere else; the defaults are the library's."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypedDict, TypeVar, get_type_hints

from . import _arrays, _native

P = ParamSpec("P")
R = TypeVar("R")


class Settings(TypedDict, total=False):
    """Keywords of ``losses`` and ``bounds``; what is left out is as the signature says."""

    #: Divide inner products by this number.
    temperature: float
    #: Whether the points are pixels from 0 to 255 that are divided by 255, before anything else.
    pixels: bool
    #: Whether every point is divided by its Euclidean norm, after centering.
    normalize: bool
    #: Whether the mean of all points is subtracted from each, after scaling pixels.
    center: bool
    #: Whether classes count as equally likely, whatever their sizes.
    equal_classes: bool
    #: Whether negatives are drawn independently.
    replacement: bool
    #: Whether the positive may be the anchor.
    self_positive: bool
    #: Whether a loss that takes too much work is refused rather than sampled.
    exact: bool
    #: Multiplications that an exact loss may take, or a sampled one.
    work: float
    #: Chance that any of the sampled intervals misses.
    alpha: float
    #: Relative half-width at which sampling stops.
    half_width: float
    #: Master seed of the sampling.
    seed: int


_CHECKED: dict[type, Callable[[str, Any], Any]] = {
    bool: lambda _, value: bool(value),
    float: _arrays.positive,
    int: _arrays.whole,
}
_KINDS = get_type_hints(Settings)


def _defaults() -> dict[str, Any]:
    known = json.loads(_native.default_settings())
    return {name: known[name] if name in known else known["effort"] == "exact" for name in _KINDS}


_DEFAULTS = _defaults()


def told(negatives: int | Iterable[int], settings: Mapping[str, Any], tasks: Iterable[int] = ()) -> str:
    """The settings as the library reads them; what it refuses is a ``ValueError`` that begins with the name."""
    checked = {name: _CHECKED[_KINDS[name]](name, value) for name, value in (_DEFAULTS | dict(settings)).items()}
    return json.dumps(
        {
            "negatives": _arrays.counts("negatives", negatives, 1),
            "task_sizes": _arrays.counts("tasks", tasks, 2),
            "effort": "exact" if checked.pop("exact") else "within",
            **checked,
        }
    )


def takes_settings(function: Callable[P, R]) -> Callable[P, R]:
    """A function with ``**settings: Unpack[Settings]``, which shows each of them with its default in its signature, and refuses others."""
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    kind = inspect.Parameter.KEYWORD_ONLY
    shared = [inspect.Parameter(n, kind, default=_DEFAULTS[n], annotation=_KINDS[n].__name__) for n in _KINDS]
    full = signature.replace(parameters=own + shared)

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            full.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{function.__name__}() {error}") from None
        return function(*args, **kwargs)

    called.__signature__ = full  # type: ignore[attr-defined]
    return called
