"""What a look at the account found about one thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "error", "not checked"]

STATUS: dict[Verdict, Literal["pass", "fail", "unknown"]] = {
    "ok": "pass",
    "error": "fail",
    "not checked": "unknown",
}
"""What a verdict is called in JSON, as in every verb that looks at something live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at, with what was found and what to do when it does not fit."""

    subject: str
    verdict: Verdict
    message: str
    fix: str = ""

    def as_json(self) -> dict[str, str]:
        """The stable shape of the design: name, status, detail, action."""
        return {
            "name": self.subject,
            "status": STATUS[self.verdict],
            "detail": self.message,
            "action": self.fix,
        }
