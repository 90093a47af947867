"""What a look at the account found about one thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "error", "not checked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at, with what was found and what to do when it does not fit."""

    subject: str
    verdict: Verdict
    message: str
    fix: str = ""
