"""Keeps package-lock.json down to what `npm ci` needs, so that it names no host and no person."""

from __future__ import annotations

import json
import sys
from pathlib import Path

UNUSED_FIELDS = ("funding", "resolved", "deprecated", "license")


def main(path: Path) -> int:
    """Rewrite the lock file in place; 1 when a package came without its integrity hash."""
    document = json.loads(path.read_text(encoding="utf-8"))
    without_hash: list[str] = []
    for name, package in document["packages"].items():
        for field in UNUSED_FIELDS:
            package.pop(field, None)
        if name and not package.get("integrity") and not package.get("inBundle"):
            without_hash.append(name)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    for name in without_hash:
        print(f"{path}: {name} has no integrity hash; `npm ci` could not verify it", file=sys.stderr)
    return 1 if without_hash else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
