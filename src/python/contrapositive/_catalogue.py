"""The claims of the four papers: listed, run, and their stored counterexamples judged again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from . import _native, _tables
from ._arrays import text, whole
from ._claims import ClaimResult
from ._cluster import fixtures, on_ray
from ._native import Comparison
from ._progress import Progress, listener
from ._statements import SEED, Attempt, sides


class Claims(_tables.Table):
    """What claims state, and what is expected of them."""

    def __init__(self, listed: list[dict[str, Any]]) -> None:
        self._listed = listed

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, id: str) -> dict[str, Any]:
        """One claim by its id."""
        for claim in self._listed:
            if claim["id"] == id:
                return claim
        raise KeyError(id)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A line for every claim."""
        return [{name: claim[name] for name in ("id", "number", "title", "expected")} for claim in self._listed]

    def to_dict(self) -> dict[str, Any]:
        """Everything that is stated, by id."""
        return {claim["id"]: claim for claim in self._listed}


def _texts(patterns: tuple[str, ...]) -> list[str]:
    return [text("claims", pattern) for pattern in patterns]


def claims(*patterns: str) -> Claims:
    """The claims of the catalogue: all of them, or those that patterns name ("merad2020.*").

    Nothing is run. A claim is a dictionary with its id, title, statement, checks and the verdict that each is expected to have; ``to_frame()``
    has a line for each. A pattern that fits no claim is a ``ValueError``.

    >>> import contrapositive as cp
    >>> [claim["id"] for claim in cp.claims("merad2020.lemma-*")][:2]
    ['merad2020.lemma-1', 'merad2020.lemma-2']
    """
    return Claims(json.loads(_native.claims(_texts(patterns))))


class Run(_tables.Table):
    """The evidence on claims of the catalogue."""

    def __init__(self, document: dict[str, Any], told: list[tuple[str, str]]) -> None:
        self._document = document
        #: Every claim that was run, by its id.
        self.claims = {
            c["id"]: ClaimResult(c, words, page) for c, (words, page) in zip(document["claims"], told, strict=True)
        }

    def __getitem__(self, id: str) -> ClaimResult:
        """One claim by its id."""
        return self.claims[id]

    def __len__(self) -> int:
        return len(self.claims)

    @property
    def as_expected(self) -> bool:
        """Whether every check of every claim came out as the catalogue expects."""
        return all(claim.as_expected for claim in self.claims.values())

    @property
    def conclusion(self) -> str:
        """How many claims came out as expected."""
        count = sum(claim.as_expected for claim in self.claims.values())
        return f"{count} of {len(self.claims)} claims as expected"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A line for every claim."""
        return [
            {"claim": c.id, "title": c.title, "verdict": c.verdict, "grade": c.grade, "as expected": c.as_expected}
            for c in self.claims.values()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The JSON report (docs/json.md)."""
        return self._document


def verify(
    *patterns: str,
    budget: str = "quick",
    seed: int = SEED,
    progress: Progress | bool | None = None,
    engine: Literal["threads", "ray"] = "threads",
) -> Run:
    """Runs claims of the catalogue: ``verify("merad2020.*")``. All of them at the standard budget take minutes.

    ``engine="ray"`` hands each claim to a Ray cluster as a task of its own: the one that ``ray.init`` has joined, or one that is started on this
    machine. A task whose worker dies is done again; the answer is the same as with threads.

    The answer has every claim by its id, with verdicts, witnesses and its page; ``as_expected`` says whether every check came out as the catalogue
    has it. The same ``seed`` and ``budget`` give the same answer on any machine.

    >>> import contrapositive as cp
    >>> cp.verify("merad2020.lemma-4").as_expected
    True
    """
    if engine == "ray":
        ids = [claim["id"] for claim in claims(*patterns)]
        records = on_ray(ids, budget, whole("seed", seed), listener(progress))
        told, report = _native.gathered(_texts(patterns), budget, whole("seed", seed), records)
        return Run(json.loads(report), told)
    if engine != "threads":
        raise ValueError(f"engine: {engine!r} is neither 'threads' nor 'ray'")
    told, report = _native.verify(_texts(patterns), budget, whole("seed", seed), fixtures(), listener(progress))
    return Run(json.loads(report), told)


class Replay:
    """A stored counterexample, judged again from its digits."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        #: What is refuted.
        self.statement: str = document["statement"]
        #: The instance in words.
        self.instance: str = document["description"]
        #: Whether it still refutes the statement.
        self.refutes: bool = document["refutes"]
        #: Both sides; none where nothing could be compared.
        self.comparison: Comparison | None = sides(document["sides"]) if document.get("sides") else None

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return self._document

    def __repr__(self) -> str:
        judged = "refuted again" if self.refutes else "no longer refuted"
        return f"{self.statement}\n  at {self.instance}\n  {self.comparison!r}\n  {judged}"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"


def replay(witness: str | PathLike[str] | Attempt, *, seed: int = SEED) -> list[Replay]:
    """Judges counterexamples again from their digits.

    ``witness`` is what :func:`try_` refuted, the path of a file that ``contrapositive try`` stored, or the name of a claim of the
    catalogue ("merad2020.lemma-1"), perhaps with a check behind another dot. Every answer says whether the instance still refutes, with both
    sides enclosed anew; nothing of the run that found it is trusted.

    >>> import contrapositive as cp
    >>> [again.refutes for again in cp.replay(cp.try_("x^2 >= x", where="0 < x < 1"))]
    [True]
    """
    if isinstance(witness, Attempt):
        refutation = witness.to_dict().get("refutation")
        if refutation is None:
            raise ValueError(f"witness: nothing refuted {witness.statement!r}")
        return [Replay(json.loads(_native.again(json.dumps(refutation), whole("seed", seed))))]
    if Path(witness).is_file():
        return [Replay(json.loads(_native.again(Path(witness).read_text(encoding="utf-8"), whole("seed", seed))))]
    return [Replay(one) for one in json.loads(_native.replay(text("witness", str(witness)), whole("seed", seed), fixtures()))]
