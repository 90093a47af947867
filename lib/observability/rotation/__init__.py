"""The function that renews managed Grafana's token: its text for the template. It is run as a file, never imported."""

from __future__ import annotations

from pathlib import Path

FILE = Path(__file__).parent / "grafana_token.py"
HANDLER = "index.handler"
"""Where Lambda finds the function of inline code."""


def text() -> str:
    """The program as it goes into the template; inline code ends at 4,096 characters."""
    return FILE.read_text(encoding="utf-8")
