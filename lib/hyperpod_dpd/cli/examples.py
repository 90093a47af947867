"""Examples below a verb's help: each a line of its own, to be copied as it stands."""

from __future__ import annotations


def examples(*lines: str) -> str:
    """The end of a help page. Lines are kept as they are, however narrow the terminal."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(("\b", title, *(f"  {line}" for line in lines)))
