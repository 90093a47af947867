"""What a rendered tree came from, as one digest: a tree that its document no longer leads to can then be told."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment

MARK = "# Rendered by hyperpod-dpd"
"""First words of each app's kustomization.yaml: an app folder without them is not ours to change."""

UNKNOWN = "0"
"""The version of a copy that nobody installed."""


def version() -> str:
    """The version of this program, as it was installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hyperpod-dpd")
    except PackageNotFoundError:
        return UNKNOWN


def source_digest(loaded: LoadedEnvironment) -> str:
    """SHA-256 of the canonical JSON of document, outputs and locks. Comments and the order of keys do not count."""
    source = {
        "document": loaded.document.value,
        "outputs": loaded.outputs.model_dump(mode="json", exclude_defaults=True),
        "locks": loaded.locks.model_dump(mode="json", exclude_defaults=True),
    }
    text = json.dumps(source, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def mark_lines(environment: str, digest: str, version: str) -> str:
    """The comment that each app's kustomization.yaml begins with."""
    return (
        f"{MARK} from environments/{environment}.yaml: change it there.\n"
        f"# sha256:{digest} of document, outputs and locks; version {version}\n"
    )
