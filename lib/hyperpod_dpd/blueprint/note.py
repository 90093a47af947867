"""A note to the user, which every part of a plan may carry."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something left out or not checked, said once to the user."""

    subject: str
    message: str
