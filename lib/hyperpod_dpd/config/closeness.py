"""Which of the known names somebody meant who wrote another one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MANY = 8
"""More names than these are no help in a sentence that can name the one meant."""


def closest(text: str, known: Iterable[str]) -> str | None:
    """The known name nearest to ``text``, whatever its case; None where none is near."""
    folded = {name.lower(): name for name in known}
    close = get_close_matches(text.lower(), folded, n=1, cutoff=0.7)
    return folded[close[0]] if close else None


def use_one_of(text: str, known: Iterable[str]) -> str:
    """What to write instead: the name that was meant, the others where they are few."""
    names = list(known)
    close = closest(text, names)
    listed = f"use one of {', '.join(names)}"
    if close is None:
        return listed
    return (
        f"did you mean '{close}'?"
        if len(names) > MANY
        else f"did you mean '{close}'? There are {', '.join(names)}"
    )
