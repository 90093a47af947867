"""The operator's CRD, as far as it decides about manifests, from the committed table (tools/crd_facts.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.crd_facts import definition

TABLE = Path(__file__).resolve().parents[1] / "k8s" / "crd_facts.json"


def table() -> dict[str, Any]:
    """The facts of release 3.2 by version and path."""
    facts: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return facts


def crd_of_release_3_2() -> dict[str, Any]:
    """A fresh CRD that judges as that of release 3.2."""
    return definition(table())
