"""Who hears how far the work is: a function, nobody, or a line on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

#: Told the stage of the work, the share of it that is done, and what is known by now.
Progress = Callable[[str, float, str], object]

#: Seconds after which work that nobody asked about tells of itself, and between two lines.
PATIENCE = 5.0


class Lines:
    """A line on standard error now and then."""

    def __init__(self, patience: float) -> None:
        self._next = time.monotonic() + patience

    def __call__(self, stage: str, share: float, known: str) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + PATIENCE
        words = f"contrapositive: {stage}"
        if share > 0.0:
            words += f", {share:.0%}"
        if known:
            words += f", {known}"
        print(words, file=sys.stderr, flush=True)


def listener(progress: Progress | bool | None) -> Progress | None:
    """A function is told itself; ``True`` prints a line at once, ``False`` none, and ``None`` one where the work takes longer than 5 seconds."""
    if progress is None:
        return Lines(PATIENCE)
    if progress is False:
        return None
    if progress is True:
        return Lines(0.0)
    if not callable(progress):
        raise ValueError(f"progress: {progress!r} is no function and neither True, False nor None")  # noqa: TRY004
    return progress
