"""Losses and bounds of labelled points, and losses of pairs of views."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _native, _tables
from ._native import Enclosure
from ._progress import Progress, listener
from ._settings import Settings, takes_settings, told

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack


@dataclass(frozen=True, eq=False)
class Gradient:
    """How a loss changes with every coordinate of every point."""

    #: The number of negatives of the loss.
    negatives: int
    #: The derivatives, in the shape of the points.
    values: npt.NDArray[np.float64]
    #: No entry is off by more.
    radius: float

    def to_dict(self) -> dict[str, Any]:
        """The derivatives as lists, and the radius of all of them, as JSON can hold them."""
        return {"negatives": self.negatives, "radius": self.radius, "values": self.values.tolist()}

    def __repr__(self) -> str:
        shape = " x ".join(str(n) for n in self.values.shape)
        return f"Gradient(N = {self.negatives}, {shape} derivatives, none off by more than {self.radius:.2g})"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>"


class Losses(_tables.Table):
    """The unsupervised loss in nats for every number of negatives that was asked for."""

    def __init__(self, found: list[tuple[int, Enclosure]], gradients: list[Gradient]) -> None:
        self._found = dict(found)
        #: The gradient for every number of negatives, where it was asked for.
        self.gradients = {gradient.negatives: gradient for gradient in gradients}

    def __getitem__(self, negatives: int) -> Enclosure:
        """The loss with so many negatives."""
        return self._found[negatives]

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def items(self) -> Iterable[tuple[int, Enclosure]]:
        """Numbers of negatives, each with its loss."""
        return self._found.items()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A line for every number of negatives."""
        return [{"negatives": n, "loss": loss, "grade": loss.grade} for n, loss in self._found.items()]

    def to_dict(self) -> dict[str, Any]:
        """The losses by their number of negatives, as JSON can hold them; gradients are left out."""
        return {"losses": [{"negatives": n, "loss": _tables.plain(loss)} for n, loss in self._found.items()]}


@takes_settings
def losses(
    X: Any,
    y: Any,
    negatives: int | Iterable[int] = (1, 15, 255),
    *,
    gradient: bool = False,
    progress: Progress | bool | None = None,
    **settings: Unpack[Settings],
) -> Losses:
    """The unsupervised (contrastive) loss of labelled points, enclosed.

    An anchor is drawn from a class, its positive from the same class, ``negatives`` others from all points; the loss is the mean of
    ``-log(e^(a.p/t) / (e^(a.p/t) + sum e^(a.n/t)))`` over all draws. It is computed exactly where ``work`` allows it (multiplications;
    n² (d + 40) of them), and otherwise estimated with an interval that misses with a chance of at most ``alpha``, until its
    relative half-width is ``half_width``.

    ``replacement=False`` takes negatives that are all different and neither the anchor nor its positive; ``self_positive=False`` leaves out
    that the positive may be the anchor. With ``gradient=True`` the result has ``gradients``, with respect to the points as given.
    ``pixels=True`` divides points by 255 first, which have to be whole numbers from 0 to 255; all arrays are taken as they are otherwise.

    The answer is a mapping from numbers of negatives to enclosures, and a table. What is refused is a ``ValueError`` that begins with the
    name of the argument.

    >>> import contrapositive as cp
    >>> found = cp.losses([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]], [0, 0, 1, 1], [1, 3])
    >>> found[1].grade, (found[1] <= found[3]).judgement
    ('exact', 'holds')
    """
    asked = told(negatives, settings)
    points = _arrays.points("X", X)
    codes, names = _arrays.classes("y", y, points)
    found, slopes = _native.losses(points, codes, names, asked, bool(gradient), listener(progress))
    gradients = [
        Gradient(n, values.reshape(points.shape), radius)
        for (n, _), (values, radius) in zip(found, slopes, strict=False)
    ]
    return Losses(found, gradients)


class Bounds(_tables.Table):
    """What the theorems guarantee for a linear classifier on top of the embeddings, and its actual loss."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        report = _tables.revived(document["report"])
        #: Everything that was found, by name; numbers are enclosures.
        self.report: dict[str, Any] = report
        #: The best linear head without intercept loses a number in here; the lower end is zero where it was not sought.
        self.best_head: Enclosure = report["best_head"]
        #: What a head of zeros loses: log of the number of classes.
        self.chance: Enclosure = report["chance"]
        #: The sharp bound where it is smallest: a dictionary like those of ``bounds``; none with fewer than two classes.
        self.best: dict[str, Any] | None = report["best_bound"]

    @property
    def conclusion(self) -> str:
        """One line: which bound, with how many negatives, what it guarantees for the best linear head, or what is missing."""
        return str(self._document["conclusion"])

    @property
    def reality(self) -> str:
        """What the best linear head and the mean classifier really lose on these points."""
        return str(self._document["reality"])

    @property
    def conventions(self) -> str:
        """What the data are, and under which conventions the losses are taken."""
        return str(self._document["conventions"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A line for every bound at every number of negatives."""
        return [
            {
                "bound": row["name"],
                "negatives": row["negatives"],
                "classes": row["task_size"] or self.report["n_classes"],
                "limit": row["limit"],
                "chance": row["chance"],
                "worth": row["worth"].replace("-", " "),
                "grade": row["limit"].grade if row["limit"] is not None else None,
                "claim": row["id"],
                "headline": self._headline(row["claim"]),
            }
            for row in self.report["bounds"]
        ]

    def _headline(self, claim: str) -> str:
        found = self._document["claims"][claim]
        return ", ".join(word for word in (found["headline"], found["grade"]) if word)

    @property
    def claims(self) -> dict[str, Any]:
        """What the catalogue says of the claims behind the bounds, by id: title, headline, grade, and the verdict on every check."""
        return dict(self._document["claims"])

    @property
    def trained(self) -> dict[int, Enclosure | None]:
        """The loss in the convention of the settings by the number of negatives, where that is another one than the bounds speak of; none where
        no anchor has so many candidates."""
        return {row["negatives"]: row["loss"] for row in self.report["trained"]}

    @property
    def _beside(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """Tables that stand below the bounds, each with its heading."""
        geometry = self.report["geometry"]
        spread, distances = geometry["spread"], geometry["distances"] or {}
        lie = {
            "least norm": geometry["least_norm"],
            "mean norm": geometry["mean_norm"],
            "largest norm": geometry["largest_norm"],
            "alignment within classes": geometry["alignment"],
            "uniformity, t = 2": distances.get("uniformity"),
            "separation": distances.get("separation"),
            "effective rank": spread and spread["effective_rank"],
            "stable rank": spread and spread["stable_rank"],
            "stable rank, at most": geometry["stable_rank_at_most"],
        }
        tables = [
            (
                "Losses as you train; no bound is about them",
                [
                    {"negatives": row["negatives"], "loss": row["loss"], "why not": row["reason"]}
                    for row in self.report["trained"]
                ],
            ),
            (
                "Mean loss of the mean classifier over tasks",
                [
                    {"classes": row["task_size"], "loss": row["mean_classifier"], "why not": row["reason"]}
                    for row in self.report["tasks"]
                ],
            ),
            (
                "Geometry of the embeddings, in floating point",
                [{"what": name, "value": value} for name, value in lie.items() if value is not None],
            ),
        ]
        return [(heading, rows) for heading, rows in tables if rows]

    @property
    def unsupervised(self) -> dict[int, Enclosure]:
        """The unsupervised loss by the number of negatives."""
        return {row["negatives"]: row["loss"] for row in self.report["unsupervised"]}

    @property
    def sharp(self) -> dict[int, Enclosure]:
        """The sharp bound on all classes by the number of negatives."""
        rows = self.report["sharp_bounds"]
        return {row["negatives"]: row["limit"] for row in rows if row["limit"] is not None}

    @property
    def classes(self) -> list[dict[str, Any]]:
        """Class by class: share, spread, nearest class, what the mean classifier loses."""
        names = ("name", "points", "share", "spread", "nearest", "distance", "loss", "accuracy")
        return [{name: row[name] for name in names} for row in self.report["classes"]]

    def classes_to_frame(self) -> pd.DataFrame:
        """The classes as a frame of pandas."""
        return _tables.frame(self.classes)

    def to_dict(self) -> dict[str, Any]:
        """The report of the command line's ``--format json``: an end of an interval at infinity is none."""
        return self._document

    def __str__(self) -> str:
        beside = [f"{heading}\n{_tables.text(rows)}" for heading, rows in self._beside]
        return "\n\n".join((self.conclusion, self.reality, _tables.text(self.rows), *beside, self.conventions))

    def _repr_html_(self) -> str:
        from html import escape

        lead = f"<p><b>{escape(self.conclusion)}</b></p><p>{escape(self.reality)}</p>"
        beside = "".join(_tables.html(rows, heading) for heading, rows in self._beside)
        return lead + _tables.html(self.rows) + beside + f"<p><small>{escape(self.conventions)}</small></p>"


@takes_settings
def bounds(
    X: Any,
    y: Any,
    negatives: int | Iterable[int] = (15, 255, 4096),
    *,
    tasks: int | Iterable[int] = (),
    progress: Progress | bool | None = None,
    **settings: Unpack[Settings],
) -> Bounds:
    """What the theorems of the catalogue guarantee for a linear classifier on top of labelled embeddings, and its actual loss.

    The arguments are those of :func:`losses`; ``tasks`` are numbers of classes, for the bounds on tasks of some of the classes. The answer
    prints as the command line's ``contrapositive bounds`` does, conclusion first: which bound says something, and what would make it say more. Its
    ``report`` holds every number as an enclosure, ``to_frame()`` has a line for every bound.

    >>> import contrapositive as cp
    >>> X = [[3.0 * (k % 2), 3.0 * (1 - k % 2) + 0.1 * k] for k in range(12)]
    >>> found = cp.bounds(X, [k % 2 for k in range(12)], [15])
    >>> found.conclusion.split(":")[0], len(found.classes)
    ('Informative', 2)
    """
    asked = told(negatives, settings, [tasks] if isinstance(tasks, int) else tasks)
    points = _arrays.points("X", X)
    codes, names = _arrays.classes("y", y, points)
    return Bounds(json.loads(_native.bounds(points, codes, names, asked, listener(progress))))


class Views(_tables.Table):
    """The losses of pairs of views: row i of both arrays is a view of the same input."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        report = _tables.revived(document["report"])
        #: Everything that was found, by name; numbers are enclosures.
        self.report: dict[str, Any] = report
        #: InfoNCE from the first array to the second, with all other rows as negatives.
        self.loss: Enclosure = report["forth"]["loss"]
        #: The same from the second to the first.
        self.back: Enclosure = report["back"]["loss"]
        #: CLIP's mean of both.
        self.clip: Enclosure = report["clip"]
        #: SimCLR's NT-Xent.
        self.nt_xent: Enclosure = report["nt_xent"]["loss"]
        #: InfoNCE with drawn negatives, by their number.
        self.drawn: dict[int, Enclosure] = {row["negatives"]: row["loss"] for row in report["drawn"]}
        #: Whether inner products are cosines.
        self.cosines: bool = document["cosines"]

    @property
    def conclusion(self) -> str:
        """One line: how often partners find each other, and what that loses."""
        return str(self._document["conclusion"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A line for every loss."""
        report = self.report
        chance, double = report["chance"], report["chance_nt_xent"]
        rows = [
            {
                "loss": "InfoNCE, a to b",
                "nats": self.loss,
                "guessing": chance,
                "partner first": report["forth"]["first"],
            },
            {
                "loss": "InfoNCE, b to a",
                "nats": self.back,
                "guessing": chance,
                "partner first": report["back"]["first"],
            },
            {"loss": "CLIP", "nats": self.clip, "guessing": chance, "partner first": None},
            {"loss": "NT-Xent", "nats": self.nt_xent, "guessing": double, "partner first": report["nt_xent"]["first"]},
        ]
        for n, loss in self.drawn.items():
            row = {"loss": f"InfoNCE, {n} drawn", "nats": loss, "guessing": None, "partner first": None}
            rows.append(row)
        return [{**row, "grade": row["nats"].grade} for row in rows]

    def to_dict(self) -> dict[str, Any]:
        """The report of the command line's ``--views … --format json``."""
        return self._document


def info_nce(
    a: Any,
    b: Any,
    *,
    temperature: float = 1.0,
    pixels: bool = False,
    normalize: bool = False,
    negatives: int | Iterable[int] = (),
    exact: bool = False,
    work: float = 3e11,
    alpha: float = 1e-6,
    half_width: float = 1e-3,
    seed: int = 0,
    progress: Progress | bool | None = None,
) -> Views:
    """InfoNCE, CLIP's loss and NT-Xent of pairs of views, enclosed.

    Row i of ``a`` and row i of ``b`` are views of one input (two augmentations, an image and its text). All are finite sums over the pairs; ``negatives`` adds InfoNCE with so many drawn keys, in expectation. Where these sums take more
    than ``work`` multiplications (4 n² (d + 20)), some anchors are drawn, each meets all of its keys, and the intervals together miss with a chance
    of at most ``alpha``; with ``exact=True`` that is refused. ``pixels=True`` divides both by 255 first, which have to be whole numbers from 0 to 255.

    >>> import contrapositive as cp
    >>> found = cp.info_nce([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]])
    >>> found.cosines, found.loss.grade, round(found.loss.mid, 6)
    (True, 'exact', 0.313262)
    """
    settings = json.dumps(
        {
            "temperature": _arrays.positive("temperature", temperature),
            "pixels": bool(pixels),
            "normalize": bool(normalize),
            "negatives": _arrays.counts("negatives", negatives, 1),
            "effort": "exact" if exact else "within",
            "work": _arrays.positive("work", work),
            "alpha": _arrays.positive("alpha", alpha),
            "half_width": _arrays.positive("half_width", half_width),
            "seed": _arrays.whole("seed", seed),
        }
    )
    one, other = _arrays.points("a", a), _arrays.points("b", b)
    # Before anything is made of either, which may be as large as its shape says.
    if one.shape != other.shape:
        raise ValueError(
            f"b: {other.shape[0]} second views of {other.shape[1]} coordinates; "
            f"a has {one.shape[0]} of {one.shape[1]}"
        )
    return Views(json.loads(_native.views(one, other, settings, listener(progress))))
