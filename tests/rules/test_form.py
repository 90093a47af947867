"""Every rule file has one form: imports, its own constants, one record over one function, and what it calls."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support.documents import ROOT

FILES = sorted((ROOT / "lib" / "hyperpod_dpd" / "rules").glob("*/dpd*.py"))
AUTHORING = "hyperpod_dpd.rules.rule"
MEAN_LINES = 42
FACTS = [
    "title", "what", "why", "fine", "fix", "sources", "covers", "tags", "waivable", "of", "previous", "before", "after",
]  # fmt: skip
"""The keywords of a record in their order; its head comes first."""


def test_rule_files_are_short_on_the_whole() -> None:
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in FILES)
    assert lines / len(FILES) <= MEAN_LINES


def record_of(tree: ast.Module) -> ast.Call:
    """The one call of ``rule``: over ``check``, or named RULE where the engine itself raises it."""
    found: list[ast.expr] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list and node.name == "check":
            found += node.decorator_list
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "RULE":
            found.append(node.value)
    (call,) = found
    assert isinstance(call, ast.Call) and ast.unparse(call.func) == "rule"
    return call


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_rule_file_has_the_form(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree) is None, "the record says what the rule is"
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = [node.module for node in imports if isinstance(node, ast.ImportFrom)]
    assert modules.count(AUTHORING) == 1
    assert not {"__future__", "hyperpod_dpd.view.endpoint"} & set(modules)
    assert tree.body[: len(imports)] == imports, "imports stand first and at the top alone"
    assert not [node for node in tree.body if isinstance(node, ast.If)], "nothing is conditional"
    record = record_of(tree)
    (head,) = record.args
    assert isinstance(head, ast.Tuple) and len(head.elts) == 4
    number, name = (ast.literal_eval(part) for part in head.elts[:2])
    assert file.stem.startswith(f"{number.lower()}_") and name
    keywords = [keyword.arg for keyword in record.keywords]
    assert keywords == [fact for fact in FACTS if fact in keywords]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_rule_s_function_takes_one_view_and_gives_matches(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for function in (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check"
    ):
        (view,) = function.args.args
        assert view.annotation is not None and ast.unparse(view.annotation).endswith("View")
        assert function.returns is not None and ast.unparse(function.returns) == "Matches"
