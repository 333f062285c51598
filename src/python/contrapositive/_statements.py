"""Inequalities typed as text: refuted, proved or left standing."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from . import _native
from ._arrays import text, whole
from ._native import Comparison

#: The seed of a run that names none.
SEED = 20_201_126


def sides(stored: dict[str, Any]) -> Comparison:
    """Both sides of a comparison from their stored form."""
    return _native.judged(tuple(stored["left"]), stored["relation"], tuple(stored["right"]))


class Attempt:
    """What came of trying a statement."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        #: "refuted", "proved", "sampled", "stands" or "vacuous".
        self.outcome: str = document["outcome"]
        #: The statement.
        self.statement: str = document["statement"]
        #: What its variables range over.
        self.over: str = document["over"]
        refutation = document.get("refutation")
        #: The instance that refutes it: a value for every variable; none if nothing does.
        self.counterexample: dict[str, Any] | None = refutation and refutation["instance"]["values"]
        shown = document.get("comparison") or document.get("tightest")
        #: Both sides: on the counterexample, or where the least room is left.
        self.comparison: Comparison | None = sides(shown["sides"]) if shown else None
        #: How it is proved, or why it is not.
        self.how: str | None = document.get("how")
        #: What its constants could be, in words.
        self.constants: list[str] = document.get("constants", [])

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return self._document

    def __str__(self) -> str:
        return str(self._document["text"]).rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def try_(statement: str, over: str = "", where: str = "", *, budget: str = "standard", seed: int = SEED) -> Attempt:
    """Refutes a statement, proves it, or leaves it standing.

    ``over`` says what the variables range over ("x in [0, 1], n in 1..8, p in simplex(n)"; real numbers where nothing is said), ``where`` adds
    conditions ("x < y"). On the command line they are ``--over`` (or ``--for``) and ``--where``. ``budget`` is "quick", "standard" or "deep". The words of
    the language are in docs/statements.md. A text that cannot be read is a ``ValueError`` that begins with its name.

    The answer has an ``outcome``: "refuted" (with a ``counterexample``), "proved", "sampled" (an equation, but for a stated chance), "stands", or
    "vacuous" where no instance met the conditions.

    >>> import contrapositive as cp
    >>> cp.try_("log(1 + exp(a)) <= log 2 + a/2").outcome
    'refuted'
    """
    statement, over, where = text("statement", statement), text("over", over), text("where", where)
    return Attempt(json.loads(_native.attempt(statement, over, where, text("budget", budget), whole("seed", seed))))
