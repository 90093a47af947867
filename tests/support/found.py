"""Manifests of the shapes that are found in public, each the smallest that shows its fault, or that has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).with_name("found")


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.yaml"


def text_of(name: str) -> str:
    return file_of(name).read_text(encoding="utf-8")


def manifest_of(name: str) -> dict[str, Any]:
    value: dict[str, Any] = yaml.safe_load(text_of(name))
    return value


def complete_pair(*, region: str = "us-west-2") -> str:
    """The text of the complete example with its two blanks filled in."""
    return text_of("complete-pair").replace("<YOUR_BUCKET>", "weights").replace("<YOUR_REGION>", region)
