"""Bring tests/snapshots to what the environments render now; commit it together with its cause.

Each environment's GitOps tree is kept file by file, large ones as digests. With ``--templates``, stacks.json is made
from a synthesised cdk.out as well.
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
from hyperpod_dpd.view.fingerprints import fingerprints, read_templates  # noqa: E402
from k8s.layout import files  # noqa: E402
from k8s.rendering import render  # noqa: E402
from tests.support.snapshots import committed_form  # noqa: E402

SNAPSHOTS = ROOT / "tests" / "snapshots"


def update_manifests(names: list[str]) -> int:
    """0; every environment's folder is written anew, folders of environments that are gone are removed."""
    for folder in SNAPSHOTS.iterdir():
        if folder.name not in names:
            shutil.rmtree(folder)
            print(f"removed the snapshots of {folder.name}", file=sys.stderr)
    for name in names:
        blueprint = resolve(load_environment(ROOT / "environments" / f"{name}.yaml"))
        wanted = committed_form(name, files(render(blueprint)))
        folder = SNAPSHOTS / name
        for old in folder.glob("*/*"):
            if old.relative_to(folder).as_posix() not in wanted:
                old.unlink()
        for path, text in wanted.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8", newline="")
        print(f"tests/snapshots/{name}: {len(wanted)} files", file=sys.stderr)
    return 0


def update_stacks(names: list[str], cloud_assembly: Path) -> int:
    """1 when an environment has no templates in ``cloud_assembly``."""
    status = 0
    for name in names:
        try:
            templates = read_templates(cloud_assembly / f"assembly-{name}")
        except OSError as error:
            print(f"error: {error.filename}: {error.strerror}; run `make synth` first", file=sys.stderr)
            status = 1
            continue
        (SNAPSHOTS / name / "stacks.json").write_text(fingerprints(templates), encoding="utf-8")
    return status


def main() -> int:
    """Exit status: 0 when every snapshot is up to date now."""
    parser = argparse.ArgumentParser(prog="tools/update_snapshots.py", description="Update tests/snapshots.")
    parser.add_argument(
        "--templates", type=Path, metavar="CDK_OUT", help="also digest the stacks of this cdk.out"
    )
    options = parser.parse_args()
    names = [path.stem for path in environment_files(ROOT / "environments")]
    status = update_manifests(names)
    if options.templates:
        status = max(status, update_stacks(names, options.templates))
    return status


if __name__ == "__main__":
    sys.exit(main())
