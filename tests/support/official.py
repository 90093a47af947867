"""Parameter files of the official templates in tests/official, and the environments they become."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from hyperpod_dpd.importing.official import ImportedParameters, import_parameters
from hyperpod_dpd.importing.parameters import read_parameters
from tests.support.documents import ROOT

FOLDER = ROOT / "tests" / "official"
FILES = ("defaults", "made", "joined")
"""The templates' defaults; everything that can be made; everything that can exist already."""


def parameters(name: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


@cache
def imported(name: str) -> ImportedParameters:
    return import_parameters(read_parameters(parameters(name)), account=None, region=None)


def values(name: str) -> dict[str, str]:
    return {each["ParameterKey"]: each["ParameterValue"] for each in parameters(name)}


def has(document: Any, key: str) -> bool:
    """Whether a document says something under a dotted path; ``*`` is any name."""
    first, _, rest = key.partition(".")
    if not isinstance(document, dict):
        return False
    inside = list(document.values()) if first == "*" else [document[first]] if first in document else []
    return any(not rest or has(each, rest) for each in inside)


def write(name: str, folder: Path) -> Path:
    """The environment of a parameter file, as a user would save it."""
    from hyperpod_dpd.document import dump_yaml

    file = folder / f"{name}.yaml"
    file.write_text(dump_yaml(imported(name).document), encoding="utf-8")
    return file
