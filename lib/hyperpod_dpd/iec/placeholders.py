"""Find text that should have been replaced before the manifest is applied: ``$VAR``, ``<BUCKET>``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.iec.problem import SchemaProblem, joined, place

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

_SHELL = re.compile(
    r"(?<!\$)(?P<text>\$\{(?P<braced>[A-Za-z_][A-Za-z0-9_]*)(?::?[-=?+][^}]*)?\}"
    r"|\$(?P<bare>[A-Z_][A-Z0-9_]*)(?![A-Za-z0-9_])"
    r"|\$\((?P<round>[A-Za-z_][A-Za-z0-9_]*)\))"
)
_WHOLE_SHELL = re.compile(r"\$(?P<name>[A-Za-z_][A-Za-z0-9_]*)")
_TEMPLATE = re.compile(r"\{\{-?\s*(?P<name>[^{}]+?)\s*-?\}\}")
_ANGLE = re.compile(r"<(?P<name>[A-Za-z][A-Za-z0-9_ .:/-]*)>")
_ANGLE_SURE = re.compile(
    r"[A-Z][A-Z0-9]*(?:[_ -][A-Z0-9]+)+|(?i:your|my|placeholder|replace|enter|insert)[_ -].*"
)
_WORD = re.compile(r"(?i:change|replace)[_-]?(?i:me|this)|(?i:todo|fixme|placeholder)|YOUR[_-][A-Z0-9_-]+")
_FIRST_OF_WORD = frozenset("cCrRtTfFpPY")
_SHELLS = frozenset({"sh", "bash", "ash", "dash", "zsh"})

# The fields whose text Kubernetes itself expands in the form $(NAME).
_EXPANDED = frozenset({"args", "value", "subPathExpr"})
# The fields whose text may hold any characters for good reasons.
_FREE = frozenset({"args", "value", "query", "customHeaders"})
# Blocks that hold shell code, or that nobody writes.
_SKIPPED = frozenset({"command", "status", "annotations", "managedFields"})


def find_placeholders(manifest: Any, path: Path = ()) -> list[SchemaProblem]:
    """One problem per variable or placeholder, naming every field that holds it; ``also`` has the further
    paths.
    """
    places: dict[tuple[str, str], list[Path]] = {}
    texts: dict[tuple[str, str], str] = {}
    for at, text in _strings(manifest, path, runs_shell=_runs_shell(manifest)):
        for kind, name, written in _matches(text, at):
            found = places.setdefault((kind, name), [])
            texts.setdefault((kind, name), written)
            if at not in found:
                found.append(at)
    return [_problem(kind, texts[kind, name], paths) for (kind, name), paths in places.items()]


def _strings(value: Any, path: Path, *, runs_shell: bool) -> Iterator[tuple[Path, str]]:
    stack: list[tuple[Path, Any]] = [(path, value)]
    while stack:
        at, node = stack.pop()
        if isinstance(node, str):
            yield at, node
        elif isinstance(node, dict):
            inner = [
                ((*at, key), child)
                for key, child in node.items()
                if not _is_skipped(at, key, runs_shell=runs_shell)
            ]
            stack.extend(reversed(inner))
        elif isinstance(node, list):
            stack.extend(reversed([((*at, index), child) for index, child in enumerate(node)]))


def _is_skipped(at: Path, key: Any, *, runs_shell: bool) -> bool:
    if key in _SKIPPED:
        return True
    return key == "args" and (runs_shell or "initContainers" in at)


def _runs_shell(manifest: Any) -> bool:
    """Whether the worker's arguments go through a shell, which expands variables itself."""
    spec = manifest.get("spec") if isinstance(manifest, dict) else None
    worker = spec.get("worker") if isinstance(spec, dict) else None
    command = worker.get("command") if isinstance(worker, dict) else None
    words = command if isinstance(command, list) else []
    return any(isinstance(word, str) and word.rpartition("/")[2] in _SHELLS for word in words)


def _field(at: Path) -> str:
    return next((part for part in reversed(at) if isinstance(part, str)), "")


def _may_match(text: str) -> bool:
    """A quick look that spares most text the patterns."""
    return (
        "$" in text
        or "<" in text
        or "{{" in text
        or (text[:1] in _FIRST_OF_WORD and bool(_WORD.fullmatch(text)))
    )


def _matches(text: str, at: Path) -> Iterator[tuple[str, str, str]]:
    if not _may_match(text):
        return
    field = _field(at)
    whole = _WHOLE_SHELL.fullmatch(text)
    if whole:
        yield "unexpanded-variable", whole["name"], text
        return
    for match in _SHELL.finditer(text):
        if match["round"] and field in _EXPANDED:
            continue
        yield "unexpanded-variable", match["braced"] or match["bare"] or match["round"], match["text"]
    free = field in _FREE
    if not free:
        yield from (("unexpanded-variable", match["name"], match[0]) for match in _TEMPLATE.finditer(text))
    for match in _ANGLE.finditer(text):
        if not free or _ANGLE_SURE.fullmatch(match["name"]):
            yield "placeholder", match["name"], match[0]
    if _WORD.fullmatch(text):
        yield "placeholder", text, text


def _problem(kind: str, written: str, paths: list[Path]) -> SchemaProblem:
    where = joined([place(path) for path in paths])
    if kind == "placeholder":
        message = f"{written} is a placeholder that was never filled in; it stands in {where}."
        fix = f"Replace {written} with the real value."
    else:
        message = f"{written} was not expanded before the manifest was written; it stands in {where}."
        fix = f"Run the file through envsubst or your template tool with {written} set, or write the value."
    return SchemaProblem(
        kind=kind, path=paths[0], value=written, message=message, fix=fix, also=tuple(paths[1:])
    )
