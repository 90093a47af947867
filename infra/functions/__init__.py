"""Programs of Lambda functions: their text for a template. They are run as files, never imported."""

from __future__ import annotations

from pathlib import Path

GRAFANA_TOKEN = Path(__file__).parent / "grafana_token.py"
HANDLER = "index.handler"
"""Where Lambda finds the function of inline code."""


def text(file: Path) -> str:
    """A program as it goes into the template; inline code ends at 4,096 characters."""
    return file.read_text(encoding="utf-8")
