"""``python -m hyperpod_dpd.synthesis cdk|cdk8s`` runs the CDK or the cdk8s app of the installed package."""

from __future__ import annotations

import runpy
import sys

from hyperpod_dpd.synthesis import FOLDER

USAGE = "usage: python -m hyperpod_dpd.synthesis cdk|cdk8s [ARGUMENT...]"


def main() -> None:
    """Runs the app in this process; the exit status is the app's own, 2 for wrong usage."""
    match sys.argv[1:2]:
        case ["cdk"]:
            sys.path.insert(0, str(FOLDER))
            sys.argv = [str(FOLDER / "app.py"), *sys.argv[2:]]
            runpy.run_path(sys.argv[0], run_name="__main__")
        case ["cdk8s"]:
            sys.path.insert(0, str(FOLDER))
            del sys.argv[1]
            runpy.run_module("k8s", run_name="__main__", alter_sys=True)
        case _:
            print(USAGE, file=sys.stderr)
            sys.exit(2)


if __name__ == "__main__":
    main()
