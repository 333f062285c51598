"""Claims of one's own: functions on enclosures over declared variables, tried by the engine."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from fractions import Fraction
from html import escape
from typing import Any

import numpy as np

from . import _native, _tables
from ._arrays import whole
from ._native import Comparison, Draws, Enclosure
from ._statements import SEED, sides

#: A check: takes values of declared variables by their names, answers with a comparison.
Check = Callable[..., Comparison]

_ROLES = ("part", "amendment", "sharpening", "step", "control", "ours", "meant")


class Trial:
    """What a check that samples draws from: a parameter called ``trial`` is given one.

    The draws belong to the instance: every check of a claim sees the same on the same instance, and so does every later run.
    """

    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    def generator(self) -> np.random.Generator:
        """A generator of NumPy, always in the same state."""
        return np.random.Generator(np.random.PCG64(self._draws.seed))

    def samples(self, standard: int) -> int:
        """How many samples to draw where the standard budget draws ``standard``."""
        return self._draws.samples(standard)

    def alpha(self, quantities: int = 1) -> float:
        """The chance of a miss that each of so many sampled quantities may use."""
        return self._draws.alpha(quantities)


class CheckResult:
    """The evidence on one check."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        #: Its id within the claim.
        self.id: str = document["id"]
        #: "part", "amendment", "control" …
        self.role: str = document["role"]
        #: What it compares.
        self.statement: str = document["statement"]
        #: "holds", "fails", "consistent", "undecided" …
        self.verdict: str = document["verdict"]
        #: What is expected of it.
        self.expected: str = document["expected"]
        grade = document["grade"]
        #: The weakest grade that the verdict rests on.
        self.grade: str | None = grade and grade["name"]
        witness = document["witness"]
        #: The instance that refutes it, as it is stored; none if nothing does.
        self.witness: dict[str, Any] | None = witness
        tightest = document["tightest"]
        shown = witness or tightest
        #: In words, the instance that refutes it or leaves the least room.
        self.instance: str | None = shown and (shown.get("description") or shown.get("instance"))
        #: Both sides on it.
        self.comparison: Comparison | None = sides(shown["sides"]) if shown else None
        #: What else there is to know of the tightest instance.
        self.note: str | None = tightest and tightest["note"]
        #: The first message of a trial that could not be judged.
        self.trouble: str | None = document["trouble"]

    @property
    def counterexample(self) -> dict[str, Any] | None:
        """A value for every variable, where the check is refuted; for claims over declared variables."""
        values: Any = self.witness and self.witness["instance"]
        return values.get("values") if isinstance(values, dict) else None

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the expected one."""
        return self.verdict == self.expected

    def __repr__(self) -> str:
        return f"<{self.role} {self.id}: {self.verdict}>"


class ClaimResult(_tables.Table):
    """The evidence on one claim."""

    def __init__(self, document: dict[str, Any], words: str, page: str = "") -> None:
        self._document = document
        self._words = words
        #: The claim's page of the report, in Markdown; empty for a claim of one's own.
        self.page = page
        #: The claim's id.
        self.id: str = document["id"]
        #: A title of a few words.
        self.title: str = document["title"]
        #: The statement as it is printed.
        self.statement: str = document["statement"]
        #: The headline.
        self.verdict: str = document["verdict"]
        #: What is expected of it.
        self.expected: str = document["expected"]
        grade = document["grade"]
        #: The weakest grade among the parts that count.
        self.grade: str | None = grade and grade["name"]
        lists = (document["checks"], document["amendments"], document["sharpenings"], document["controls"]["checks"])
        #: Every check by its id.
        self.checks: dict[str, CheckResult] = {c["id"]: CheckResult(c) for some in lists for c in some}

    def __getitem__(self, check: str) -> CheckResult:
        """One check by its id."""
        return self.checks[check]

    @property
    def as_expected(self) -> bool:
        """Whether every check came out as expected."""
        return all(check.as_expected for check in self.checks.values())

    @property
    def conclusion(self) -> str:
        """The statement and its headline."""
        return f"{self.statement}: {self.verdict}"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A line for every check."""
        return [
            {
                "check": check.id,
                "role": check.role,
                "verdict": check.verdict,
                "grade": check.grade,
                "statement": check.statement,
                "refuted or closest at": check.instance,
            }
            for check in self.checks.values()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The claim's entry of the JSON report (docs/json.md)."""
        return self._document

    def __str__(self) -> str:
        return self._words.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.title)}</p>" + super()._repr_html_()


class _Written:
    """One check, with how its function is called."""

    def __init__(
        self,
        function: Check,
        names: list[str],
        role: str,
        id: str,
        statement: str,
        where: str,
        expect: str,
        because: str,
    ) -> None:
        parameters = inspect.signature(function).parameters
        unknown = [name for name in parameters if name not in names and name != "trial"]
        if unknown:
            raise ValueError(
                f"{function.__name__}: no variable is called {', '.join(unknown)}; there are {', '.join(names)}, and trial"
            )
        self.function = function
        self.wanted = [name for name in names if name in parameters]
        self.places = [names.index(name) for name in self.wanted]
        self.samples = "trial" in parameters
        self.role, self.id, self.statement, self.where, self.expect, self.because = (
            role,
            id,
            statement,
            where,
            expect,
            because,
        )

    def __call__(self, values: tuple[Any, ...], draws: Draws) -> Comparison:
        arguments = {name: values[place] for name, place in zip(self.wanted, self.places, strict=True)}
        if self.samples:
            arguments["trial"] = Trial(draws)
        return self.function(**arguments)

    def handed(self) -> tuple[str, str, str, str, str, str, Any]:
        return (self.role, self.id, self.statement, self.where, self.expect, self.because, self)


def _exactly(value: Any) -> Any:
    """Numbers as the enclosures that a check is given; lists of them too."""
    if isinstance(value, Enclosure):
        return value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, Fraction):
        return 0 + _native.enclosure(1.0, 1.0) * value
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_exactly(item) for item in value]
    return _native.enclosure(float(value), float(value))


class Claim:
    """A claim of one's own: what it is over, and its checks. Made by :func:`claim`."""

    def __init__(
        self,
        function: Check,
        over: str,
        *,
        where: str,
        id: str | None,
        title: str,
        statement: str,
        kind: str,
        search: bool | None,
        expect: str,
        because: str,
    ) -> None:
        self.over, self.where, self.kind = over, where, kind
        #: The names of the variables, in the order of their declarations.
        self.variables: list[str] = _native.names(over, where)
        self.id = id or f"mine.{function.__name__}"
        words = inspect.getdoc(function) or ""
        self.statement = statement or words.split("\n")[0] or function.__name__
        self.title = title or function.__name__.replace("_", " ")
        self._search = search
        self._checks: list[_Written] = []
        self._add(function, "part", "printed", self.statement, "", expect, because)

    def _add(self, function: Check, role: str, id: str, statement: str, where: str, expect: str, because: str) -> None:
        if any(check.id == id for check in self._checks):
            raise ValueError(f"id: the claim has a check called {id} already")
        _native.names(self.over, where)
        self._checks.append(_Written(function, self.variables, role, id, statement, where, expect, because))

    def check(
        self,
        role: str,
        *,
        id: str | None = None,
        statement: str = "",
        where: str = "",
        expect: str = "holds",
        because: str = "",
    ) -> Callable[[Check], Check]:
        """Adds a check in a role: "amendment", "control", "sharpening", "step", "part", "ours" or "meant"."""
        if role not in _ROLES:
            raise ValueError(f"role: {role!r}; use {', '.join(_ROLES)}")

        def added(function: Check) -> Check:
            words = statement or (inspect.getdoc(function) or "").split("\n")[0] or function.__name__
            self._add(
                function, role, id or function.__name__, words, where, "fails" if role == "control" else expect, because
            )
            return function

        return added

    def amendment(
        self, *, where: str = "", id: str | None = None, statement: str = "", expect: str = "holds"
    ) -> Callable[[Check], Check]:
        """Adds the corrected form of a statement that fails, perhaps under a further condition."""
        return self.check("amendment", id=id, statement=statement, where=where, expect=expect)

    def control(self, *, where: str = "", id: str | None = None, statement: str = "") -> Callable[[Check], Check]:
        """Adds a deliberately false variant, which the engine must refute."""
        return self.check("control", id=id, statement=statement, where=where)

    def at(self, **values: Any) -> Comparison:
        """The statement itself on values of one's own; numbers are taken as they are."""
        return self._checks[0].function(**{name: _exactly(value) for name, value in values.items()})

    def tried(self, budget: str = "quick", seed: int = SEED) -> ClaimResult:
        """The evidence: instances of every style, a search for the worst, witnesses made small, verdicts."""
        # Draws are not the same along a search, so that there is nothing to climb.
        search = self._search if self._search is not None else not any(check.samples for check in self._checks)
        named = (self.id, self.title, self.statement, self.kind)
        checks = [check.handed() for check in self._checks]
        words, report = _native.run(named, self.over, self.where, checks, budget, whole("seed", seed), search)
        return ClaimResult(json.loads(report)["claims"][0], words)

    def __repr__(self) -> str:
        return f"<claim {self.id} over {self.over}: {self.statement}>"


def claim(
    over: str,
    *,
    where: str = "",
    id: str | None = None,
    title: str = "",
    statement: str = "",
    kind: str = "inequality",
    search: bool | None = None,
    expect: str = "holds",
    because: str = "",
) -> Callable[[Check], Claim]:
    """Makes a claim of a function over declared variables.

    ``over`` declares them in the language of :func:`try_` ("x in R, n in 1..8, p in simplex(n)"); the function takes those it needs by
    their names, as enclosures (whole numbers as ``int``, vectors as lists), and answers with a comparison of enclosures. The first line of
    its documentation is the statement. A parameter called ``trial`` gives a check that samples its generator.

    >>> import contrapositive as cp
    >>> @cp.claim("x in R")
    ... def square(x):
    ...     "x ≤ x² for all real x"
    ...     return x <= x**2
    >>> square.tried().verdict
    'fails'
    """

    def made(function: Check) -> Claim:
        return Claim(
            function,
            over,
            where=where,
            id=id,
            title=title,
            statement=statement,
            kind=kind,
            search=search,
            expect=expect,
            because=because,
        )

    return made
