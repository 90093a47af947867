"""A folder that is walked: its files in order, and what is left out, so that nothing is passed over in silence.

A file that the user names must be readable; among the files of a folder some are meant for other tools. Those are
skipped with a note. A file that is broken without such a reason is not skipped: it may be the one that matters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from hyperpod_dpd.document import InvalidSyntax, UnreadableInput, read_documents, read_file
from hyperpod_dpd.document.reading import MAX_BYTES

SUFFIXES = (".yaml", ".yml", ".json")
SKIPPED_FOLDERS = frozenset({".git", ".venv", "node_modules", "__pycache__", "outputs", "locks"})
ASSEMBLY_MARK = "cdk.out"
"""A file of this name stands in every folder of a CDK cloud assembly, whose other JSON is CDK's own."""
ASSEMBLY_PREFIX = "assembly-"
TEMPLATE_SUFFIX = ".template.json"
_KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_MARKS = re.compile(rb"\{\{|\{%|<%|^#@|\[\[|%\{", re.MULTILINE)
"""How templates of Helm, Jinja, ERB, ytt, Go with other brackets and Terraform mark what they fill in."""
_VARIABLES = re.compile(
    r"\$\{[^{}\n]*\}|\$\([A-Za-z_]\w*\)|\$[A-Za-z_]\w*"
    r"|@@?[A-Za-z_]\w*@@?|%[A-Z_]\w*%|<[A-Za-z_][\w -]*>|#\{[^{}\n]*\}#?"
)
"""How envsubst, make, sed scripts, Windows and pipelines mark it; much of this is also plain text."""
_OURS = re.compile(
    rb"(?m)^[{\s]{0,2}[\"']?kind[\"']?\s*:\s*[\"']?InferenceEndpointConfig"
    rb"|apiVersion[\"']?\s*:\s*[\"']?inference\.sagemaker\.aws\.amazon\.com"
)
_CHART = "Chart.yaml"
_HELM_MARK = b"{{"
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Skipped:
    """One place that was not judged, why, and what to do.

    ``notable``: it may hold what should have been judged. ``template``: it is still to be filled in.
    """

    file: str
    message: str
    fix: str
    line: int = 1
    column: int = 1
    notable: bool = False
    template: bool = False


@dataclass(slots=True)
class Walk:
    """Files of one folder in the order of their paths, and what was left out on the way."""

    files: list[FilePath] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)
    """Places, below the folder, of a chart's templates that a YAML reader takes as they are."""


def walk(folder: FilePath) -> Walk:
    """Every YAML and JSON file below ``folder``. Raises UnreadableInput where the folder itself cannot be listed."""
    result = Walk()
    patches: set[FilePath] = set()
    _walk(folder, result, patches)
    found, result.files = sorted(result.files), []
    for file in found:
        if FilePath(os.path.normpath(file)) in patches:
            result.skipped.append(_patch(file))
        elif _of_chart(file, folder):
            template = _template(file, (1, 1), ours=bool(_OURS.search(file.read_bytes())))
            if template.notable:
                result.skipped.append(template)
            else:
                result.templates.append(file.relative_to(folder).as_posix())
        else:
            result.files.append(file)
    return result


def _walk(folder: FilePath, result: Walk, patches: set[FilePath]) -> None:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise UnreadableInput(str(folder), f"cannot be read: {error.strerror}") from None
    assembly = any(entry.name == ASSEMBLY_MARK and os.path.isfile(entry) for entry in entries)
    for entry in entries:
        if os.path.isdir(entry):
            if entry.name in SKIPPED_FOLDERS or (assembly and not entry.name.startswith(ASSEMBLY_PREFIX)):
                continue
            if entry.is_symlink():
                result.skipped.append(_link(entry, "a link to a folder, which is not followed"))
                continue
            try:
                _walk(entry, result, patches)
            except UnreadableInput as error:
                result.skipped.append(_unread(error))
        elif entry.name.endswith(TEMPLATE_SUFFIX if assembly else SUFFIXES):
            if os.path.isfile(entry):
                result.files.append(entry)
            elif entry.is_symlink():
                result.skipped.append(_link(entry, "a link that leads to no file"))
            else:
                result.skipped.append(_link(entry, "a pipe, a socket or a device, which has no end"))
        if entry.name in _KUSTOMIZATIONS and os.path.isfile(entry):
            patches.update(_patches(entry))


def _patches(kustomization: FilePath) -> Iterator[FilePath]:
    """Files that a kustomization lays over others: parts of objects, or lists of operations."""
    try:
        documents = read_file(kustomization)
    except UnreadableInput:
        return  # told where the file itself is read
    for document in documents:
        value = document.value if isinstance(document.value, dict) else {}
        for key in ("patches", "patchesStrategicMerge", "patchesJson6902"):
            entries = value.get(key)
            for entry in entries if isinstance(entries, list) else ():
                path: Any = entry.get("path") if isinstance(entry, dict) else entry
                if isinstance(path, str) and path.endswith(SUFFIXES):
                    yield FilePath(os.path.normpath(kustomization.parent / path))


def _patch(file: FilePath) -> Skipped:
    return Skipped(
        str(file),
        "skipped: a kustomization lays this patch over other objects, so it is no object of its own",
        f"judge the result: kubectl kustomize {file.parent} | dpd check -",
    )


def _link(entry: FilePath, what: str) -> Skipped:
    return Skipped(str(entry), f"skipped: {what}", "name what it leads to on the command line")


def _unread(error: UnreadableInput) -> Skipped:
    line, column = error.position or (1, 1)
    fix = "put the file right, or name only the paths that hold environments and manifests"
    return Skipped(error.file, f"skipped, as it {error.message}", fix, line, column, notable=True)


def excuse(error: UnreadableInput, file: FilePath) -> Skipped | None:
    """Why a file of a walked folder that cannot be read may be skipped; None where it may not.

    Templates and JSON that is not for us are of other tools. What is not text at all, too large or closed to us is
    skipped too, but may be ours. Broken YAML is not: one tab would hide a manifest from every rule.
    """
    if not isinstance(error, InvalidSyntax):
        return _unread(error)
    data = file.read_bytes()
    ours = bool(_OURS.search(data))
    line, column = error.position or (1, 1)
    if _MARKS.search(data) or _filled_in_is_yaml(data):
        return _template(file, (line, column), ours=ours)
    if file.suffix == ".json" and not ours:
        return Skipped(
            str(file), f"skipped, as it {error.message}", "nothing, if another tool reads it", line, column
        )
    return None


def _template(file: FilePath, place: tuple[int, int], *, ours: bool) -> Skipped:
    return Skipped(
        str(file),
        "skipped: a template that is still to be filled in"
        + (", of an InferenceEndpointConfig" if ours else ""),
        "judge what it renders: helm template CHART | dpd check -",
        *place,
        notable=ours,
        template=True,
    )


def _of_chart(file: FilePath, folder: FilePath) -> bool:
    """Whether a file is a template of a Helm chart, even where every mark stands in quotes."""
    for parent in file.parents:
        if parent.name == "templates" and os.path.isfile(parent.parent / _CHART):
            try:
                return file.stat().st_size <= MAX_BYTES and _HELM_MARK in file.read_bytes()
            except OSError:
                return False  # told where it is read
        if parent == folder:
            break
    return False


def _filled_in_is_yaml(data: bytes) -> bool:
    """Whether nothing but variables that nobody has replaced yet keeps the text from being YAML."""
    text = data.decode("utf-8", "replace")
    filled, count = _VARIABLES.subn("x", text)
    if not count:
        return False
    try:
        read_documents(filled, "")
    except UnreadableInput:
        return False
    return True


def unfilled(folder: str, places: list[str]) -> Skipped:
    """One note on all templates of a folder that other objects are made of."""
    what = "a template that is" if len(places) == 1 else f"{len(places)} templates that are"
    return Skipped(
        folder,
        f"skipped: {what} still to be filled in: {_listed(places)}",
        "judge what they render: helm template CHART | dpd check -",
    )


def _listed(places: list[str]) -> str:
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return f"{', '.join(places[:_NAMED])}{more}"


def foreign(folder: str, places: list[str]) -> Skipped:
    """One note on all files of a folder that hold neither environments nor Kubernetes objects."""
    what = "one file that is" if len(places) == 1 else f"{len(places)} files that are"
    return Skipped(
        folder,
        f"skipped: {what} neither an environment nor Kubernetes objects: {_listed(places)}",
        "nothing, if other tools read them",
    )
