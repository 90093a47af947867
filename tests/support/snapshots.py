"""What of a rendered tree is committed: every object, but the large ones of all environments but one as a digest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

IN_FULL = "dev"
"""The environment whose boards and programs are committed whole, so that a change of them can be read."""

LARGE_BYTES = 8_000
DIGESTS = "large-files.json"


def committed_form(environment: str, files: Mapping[str, str]) -> dict[str, str]:
    """``files`` by ``<app>/<file>``; files over LARGE_BYTES become one line each of ``<app>/large-files.json``."""
    if environment == IN_FULL:
        return dict(files)
    kept: dict[str, str] = {}
    digests: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        if len(text.encode()) <= LARGE_BYTES:
            kept[path] = text
            continue
        app, _, name = path.partition("/")
        digests.setdefault(app, {})[name] = sha256(text.encode()).hexdigest()
    for app, entries in digests.items():
        kept[f"{app}/{DIGESTS}"] = json.dumps(entries, indent=2, sort_keys=True) + "\n"
    return kept
