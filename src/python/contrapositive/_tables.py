"""Rows as tables: text for a terminal, HTML for a notebook, frames where pandas is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ._native import Comparison, Enclosure, enclosure

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]


def known(stored: Mapping[str, Any] | None) -> Enclosure | None:
    """The enclosure of its stored form; an end that is none lies at infinity."""
    if stored is None:
        return None
    lo, hi = stored["interval"]
    grade = stored["grade"]
    if isinstance(grade, Mapping):
        return enclosure(lo, hi, "sampled", grade["sampled"]["alpha"])
    return enclosure(lo, hi, grade)


def is_enclosure(value: Any) -> bool:
    """Whether it is an enclosure in its stored form."""
    return isinstance(value, Mapping) and value.keys() == {"interval", "grade"}


def revived(value: Any) -> Any:
    """Stored enclosures as enclosures, however deep they lie."""
    if is_enclosure(value):
        return known(value)
    if isinstance(value, Mapping):
        return {key: revived(item) for key, item in value.items()}
    if isinstance(value, list):
        return [revived(item) for item in value]
    return value


def shown(value: Any) -> str:
    """A cell in words: of an enclosure the digits that are certain."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def text(rows: Sequence[Row]) -> str:
    """Columns of equal width."""
    if not rows:
        return "(nothing)"
    names = list(rows[0])
    cells = [names] + [[shown(row[name]) for name in names] for row in rows]
    widths = [max(len(line[k]) for line in cells) for k in range(len(names))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells
    )


def html(rows: Sequence[Row], caption: str = "") -> str:
    """A table of HTML; the ends of an enclosure show when the mouse rests on it."""
    if not rows:
        return ""
    names = list(rows[0])
    head = "".join(f"<th>{escape(name)}</th>" for name in names)

    def cell(value: Any) -> str:
        title = f' title="{escape(repr(value))}"' if isinstance(value, Enclosure) else ""
        return f"<td{title}>{escape(shown(value))}</td>"

    body = "".join("<tr>" + "".join(cell(row[name]) for name in names) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def frame(rows: Sequence[Row]) -> pd.DataFrame:
    """A frame of pandas: an enclosure becomes three columns, its ends and its grade."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("a frame needs pandas; .rows has the same without it") from error
    flat = []
    # A column of enclosures has three columns in every row, also where one has none.
    enclosed = {name for row in rows for name, value in row.items() if isinstance(value, Enclosure)}
    for row in rows:
        line: dict[str, Any] = {}
        for name, value in row.items():
            if name in enclosed:
                ends = (value.lo, value.hi, value.grade) if isinstance(value, Enclosure) else (None, None, None)
                line[f"{name}.lo"], line[f"{name}.hi"], line[f"{name}.grade"] = ends
            else:
                line[name] = value
        flat.append(line)
    return pd.DataFrame(flat)


def plain(value: Any) -> Any:
    """What JSON can hold: enclosures as their ends and grade."""
    if isinstance(value, Enclosure):
        stored: dict[str, Any] = {"lo": value.lo, "hi": value.hi, "grade": value.grade}
        if value.alpha is not None:
            stored["alpha"] = value.alpha
        return stored
    if isinstance(value, Comparison):
        return {
            "left": plain(value.left),
            "relation": value.relation,
            "right": plain(value.right),
            "judgement": value.judgement,
        }
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


class Table:
    """What a result has in common with all others: rows, a frame, a page for a notebook."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each line of the table that is shown."""
        raise NotImplementedError

    @property
    def conclusion(self) -> str:
        """The first thing to read."""
        return ""

    def to_frame(self) -> pd.DataFrame:
        """The rows as a frame of pandas; an enclosure becomes three columns, its ends and its grade."""
        return frame(self.rows)

    def __str__(self) -> str:
        return "\n\n".join(part for part in (self.conclusion, text(self.rows)) if part)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        lead = f"<p><b>{escape(self.conclusion)}</b></p>" if self.conclusion else ""
        return lead + html(self.rows)
