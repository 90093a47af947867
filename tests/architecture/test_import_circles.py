"""No circles of imports: a module can be read without those that read it, whatever kind of import it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.documents import ROOT

FOLDERS = {"hyperpod_dpd": ROOT / "lib" / "hyperpod_dpd", "infra": ROOT / "infra", "k8s": ROOT / "k8s"}


def modules(folders: Mapping[str, Path]) -> dict[str, Path]:
    """Every module of these packages by its dotted name."""
    found = {}
    for package, folder in folders.items():
        for file in sorted(folder.rglob("*.py")):
            parts = (package, *file.relative_to(folder).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imported(file: Path) -> Iterator[str]:
    """Modules that one names anywhere: at its head, in a function, or for its types alone."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def circles(folders: Mapping[str, Path]) -> list[list[str]]:
    """Circles of modules, each without its repeated end; a module of a found circle is looked at no more."""
    known = modules(folders)
    graph = {name: (set(imported(file)) & known.keys()) - {name} for name, file in known.items()}
    found = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = sorted(set(error.args[1]))
            found.append(circle)
            graph = {name: uses - set(circle) for name, uses in graph.items() if name not in set(circle)}
        else:
            return sorted(found)


def test_no_circle_of_imports() -> None:
    found = circles(FOLDERS)
    assert not found, "\n".join(" <-> ".join(circle) for circle in found)


@pytest.mark.parametrize(
    "text",
    [
        "from pack import one",
        "import pack.one",
        "def f():\n    from pack.one import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pack.one import x",
    ],
    ids=["module", "plain", "function", "types"],
)
def test_every_kind_of_import_closes_a_circle(tmp_path: Path, text: str) -> None:
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "one.py").write_text("from pack.two import y\n")
    (tmp_path / "two.py").write_text(text)
    assert circles({"pack": tmp_path}) == [["pack.one", "pack.two"]]
