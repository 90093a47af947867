"""The files of a user's own repository: all that it needs beside its documents to take this project as a tool."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path

from hyperpod_dpd.synthesis import FOLDER

EXTRAS = "cdk,live"
PACKAGE = "hyperpod-dpd-cli-tools"
"""The name in our package.json, by which a repository that ``dpd new`` made is known."""
BROUGHT = ("cdk.json", "package.json", "package-lock.json", "constraints.txt")
"""Files that belong to a release of the tool and change with it."""

_TEXTS = Path(__file__).resolve().parent / "repository"
_WRITTEN = {
    "README.md": "README.md",
    ".gitignore": "gitignore",
    "cdk8s.yaml": "cdk8s.yaml",
    "requirements.txt": "requirements.txt",
    ".pre-commit-config.yaml": "pre-commit-config.yaml",
    ".github/workflows/dpd.yaml": "workflow.yaml",
}
_HASH = re.compile(r"\s*\\\n\s+--hash=\S+")


def brought() -> dict[str, str]:
    """Path to content of what a release brings: feature flags, the command-line tools and the versions they need."""
    return {
        "cdk.json": _cdk(),
        **{name: _shipped(name) for name in ("package.json", "package-lock.json")},
        "constraints.txt": _constraints(),
    }


def written(source: str | None) -> dict[str, str]:
    """Path to content of what is written once and then the user's; ``source`` is where pip finds this project."""
    exact = f" @ {source}" if source else f"=={version('hyperpod-dpd')}"
    texts = {path: (_TEXTS / name).read_text(encoding="utf-8") for path, name in _WRITTEN.items()}
    for path, requirement in (("requirements.txt", f"[{EXTRAS}]"), (".pre-commit-config.yaml", "")):
        whole = f"hyperpod-dpd{requirement}{exact}"
        texts[path] = texts[path].replace("{full}", whole).replace("{base}", whole)
    return texts


def _shipped(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _cdk() -> str:
    settings = json.loads(_shipped("cdk.json"))
    settings |= {
        "app": "python -m hyperpod_dpd.synthesis cdk",
        "watch": {"include": ["environments/**"]},
    }
    return json.dumps(settings, indent=2) + "\n"


def _constraints() -> str:
    pins = _HASH.sub("", _shipped("requirements.lock"))
    lines = [line for line in pins.splitlines() if line and not line.startswith("#")]
    head = "# Versions that this release was tested with. A constraint installs nothing by itself."
    return "\n".join([head, *lines]) + "\n"
