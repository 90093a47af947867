"""Bring tests/snapshots to what the environments of the tests render now; commit it together with its cause.

Each environment's GitOps tree is kept file by file, large ones as digests; stacks.json has the digests of the stacks.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hyperpod_dpd.node import use_locked_node  # noqa: E402

use_locked_node()

from hyperpod_dpd.blueprint.resolve import resolve  # noqa: E402
from hyperpod_dpd.config import environment_files, load_environment  # noqa: E402
from hyperpod_dpd.view.fingerprints import fingerprints  # noqa: E402
from k8s.layout import files  # noqa: E402
from k8s.rendering import render  # noqa: E402
from tests.support.documents import ENVIRONMENTS  # noqa: E402
from tests.support.snapshots import committed_form  # noqa: E402
from tests.support.synthesis import rendered  # noqa: E402

SNAPSHOTS = ROOT / "tests" / "snapshots"


def update_manifests(names: list[str]) -> None:
    """Every environment's folder is written anew, folders of environments that are gone are removed."""
    for folder in SNAPSHOTS.iterdir():
        if folder.name not in names:
            shutil.rmtree(folder)
            print(f"removed the snapshots of {folder.name}", file=sys.stderr)
    for name in names:
        blueprint = resolve(load_environment(ENVIRONMENTS / f"{name}.yaml"))
        wanted = committed_form(name, files(render(blueprint)))
        folder = SNAPSHOTS / name
        for old in folder.glob("*/*"):
            if old.relative_to(folder).as_posix() not in wanted:
                old.unlink()
        for path, text in wanted.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8", newline="")
        print(f"tests/snapshots/{name}: {len(wanted)} files", file=sys.stderr)


def update_stacks() -> None:
    """The templates of every environment, as one line for each resource."""
    for name, found in rendered().items():
        (SNAPSHOTS / name / "stacks.json").write_text(fingerprints(found.templates), encoding="utf-8")


def main() -> int:
    """Exit status: 0 when every snapshot is up to date now."""
    argparse.ArgumentParser(
        prog="tools/update_snapshots.py", description="Update tests/snapshots."
    ).parse_args()
    update_manifests([path.stem for path in environment_files(ENVIRONMENTS)])
    update_stacks()
    return 0


if __name__ == "__main__":
    sys.exit(main())
