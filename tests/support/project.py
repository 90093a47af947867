"""The files of this project, in a git checkout as in an unpacked archive: everything that .gitignore does not name."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def project_files() -> list[str]:
    """Paths below the root, with slashes, in order."""
    ignored = [*_ignored(), ".git"]
    found = []
    for folder, folders, files in os.walk(ROOT):
        place = Path(folder).relative_to(ROOT)
        folders[:] = [name for name in folders if not _matches(place / name, ignored)]
        found += [(place / name).as_posix() for name in files if not _matches(place / name, ignored)]
    return sorted(found)


def _ignored() -> list[str]:
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    return [line.rstrip("/") for line in lines if line and not line.startswith("#")]


def _matches(path: Path, patterns: list[str]) -> bool:
    """Whether .gitignore's words name the path: with a leading slash at the root, else anywhere by its name."""
    return any(
        fnmatch(f"/{path.as_posix()}", each) if each.startswith("/") else fnmatch(path.name, each)
        for each in patterns
    )
