"""Bring tests/snapshots to what the environments render now; commit it together with its cause.

Each environment's GitOps tree is written by the same writer as dist/. With ``--templates``, stacks.json is
made from a synthesised cdk.out as well.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from k8s.command import main as render  # noqa: E402
from k8s.writer import rendered_environments  # noqa: E402
from lib.config import environment_files  # noqa: E402
from lib.view.fingerprints import fingerprints, read_templates  # noqa: E402

SNAPSHOTS = ROOT / "tests" / "snapshots"


def update_manifests(names: list[str]) -> int:
    """The status of rendering; snapshots of environments that are gone go too."""
    status = render(["--out", str(SNAPSHOTS), *(f"--environment={name}" for name in names)])
    for name in rendered_environments(SNAPSHOTS):
        if status == 0 and name not in names:
            shutil.rmtree(SNAPSHOTS / name)
            print(f"removed the snapshots of {name}", file=sys.stderr)
    return status


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
