"""What a user named on the command line, read and sorted: environments, manifests, templates, or neither."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from hyperpod_dpd.document import Document, Path, UnreadableInput, read_documents, read_file, read_stream
from hyperpod_dpd.view.folders import Skipped, excuse, foreign, unfilled, walk
from hyperpod_dpd.view.shape import is_environment

SEVERAL_DOCUMENTS = "holds several YAML documents; an environment is one, in a file of its own"
STDIN = "-"
_LIST_KINDS = ("List", "InferenceEndpointConfigList")


@dataclass(frozen=True, slots=True)
class KubernetesObject:
    """One object of a file, perhaps an item of a list; ``base`` is its place in the document."""

    document: Document
    base: Path
    value: dict[str, Any]

    @property
    def title(self) -> str:
        metadata = self.value.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        name = metadata.get("name") or "(unnamed)"
        namespace = metadata.get("namespace")
        return f"{self.value.get('kind')} {namespace + '/' if isinstance(namespace, str) else ''}{name}"


@dataclass(slots=True)
class Inputs:
    """Everything readable of one run.

    ``unreadable`` holds one line for each part that had to be read and was not, ``skipped`` what was left out of
    folders.
    """

    environments: list[tuple[Document, FilePath]] = field(default_factory=list)
    objects: list[KubernetesObject] = field(default_factory=list)
    templates: list[Document] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    files: int = 0
    roots: tuple[str, ...] = ()


def gather(paths: list[str]) -> Inputs:
    """Reads files, folders (walked) and ``-``. A fault of one path does not hide the others."""
    inputs = Inputs(roots=tuple(paths))
    for path in paths:
        try:
            if not path:
                raise UnreadableInput("''", "names no file and no folder")
            if path != STDIN and os.path.isdir(path):
                _read_folder(inputs, path)
            else:
                _read(inputs, None if path == STDIN else FilePath(path))
        except UnreadableInput as error:
            inputs.unreadable.append(str(error))
    return inputs


def _read_folder(inputs: Inputs, folder: str) -> None:
    """Reads what is ours below ``folder``. Raises UnreadableInput where that is nothing."""
    walked = walk(FilePath(folder))
    before = inputs.files, len(inputs.unreadable)
    skipped: list[Skipped] = list(walked.skipped)
    others: list[str] = []
    templates: list[str] = list(walked.templates)
    for file in walked.files:
        try:
            documents = read_file(file)
        except UnreadableInput as error:
            reason = excuse(error, file)
            if reason is None:
                inputs.unreadable.append(str(error))
            elif reason.template and not reason.notable:
                templates.append(file.relative_to(folder).as_posix())
            else:
                skipped.append(reason)
            continue
        unknown = _add(inputs, documents, file, named=False)
        if unknown:
            place = file.relative_to(folder).as_posix()
            whole = len(unknown) == len(documents)
            others += [place] if whole else [f"{place}:{each.where(()).line}" for each in unknown]
    if templates:
        skipped.append(unfilled(folder, sorted(templates)))
    if others:
        skipped.append(foreign(folder, others))
    inputs.skipped += skipped
    if (inputs.files, len(inputs.unreadable)) == before:
        if not walked.files and not skipped:
            raise UnreadableInput(folder, "holds no .yaml, .yml or .json file")
        raise UnreadableInput(folder, "holds nothing to judge: neither an environment nor Kubernetes objects")


def scope_of(file: str, roots: Sequence[str]) -> str:
    """Where a file stands below the path that the user gave, the same for two states of one tree."""
    place = FilePath(file)
    for root in roots:
        if root != STDIN and place != FilePath(root) and place.is_relative_to(root):
            return place.relative_to(root).as_posix()
    return place.name


def _read(inputs: Inputs, file: FilePath | None) -> None:
    """Reads a file that the user named, or standard input. Raises UnreadableInput."""
    name = str(file) if file else STDIN
    documents = _standard_input() if file is None else read_file(file)
    if not documents:
        raise UnreadableInput(name, "is empty; an environment or Kubernetes objects are expected")
    for document in _add(inputs, documents, file, named=True):
        inputs.unreadable.append(f"{name}:{document.where(()).line}: {_neither(document.value)}")


def _standard_input() -> list[Document]:
    if sys.stdin is None:
        raise UnreadableInput(STDIN, "standard input is closed")
    return read_documents(read_stream(sys.stdin.buffer, STDIN), STDIN)


def _add(
    inputs: Inputs, documents: Sequence[Document], file: FilePath | None, *, named: bool
) -> list[Document]:
    """Takes the documents of one file; returns those that are of no kind we know."""
    before = len(inputs.environments)
    unknown = [document for document in documents if not _sort(inputs, document, file, named=named)]
    if len(documents) > 1 and len(inputs.environments) > before:
        inputs.unreadable.append(f"{file or STDIN}: {SEVERAL_DOCUMENTS}")
    if len(unknown) < len(documents):
        inputs.files += 1
    return unknown


def _neither(value: Any) -> str:
    names: dict[type[Any], str] = {dict: "a mapping", list: "a list", str: "text"}
    kind = names.get(type(value), "a single value")
    return (
        f"is {kind} that is neither an environment (keys such as account, network, cluster) "
        "nor a Kubernetes object (apiVersion and kind)"
    )


def _sort(inputs: Inputs, document: Document, file: FilePath | None, *, named: bool) -> bool:
    """Puts one document where it belongs; False when it is of no kind we know."""
    value = document.value
    if isinstance(value, list):
        items = [((i,), item) for i, item in enumerate(value) if is_object(item)]
        if not items or len(items) < len(value):
            return False
        inputs.objects += [KubernetesObject(document, base, item) for base, item in items]
        return True
    if not isinstance(value, dict):
        return False
    if is_object(value) and (named or not _is_of_another_tool(value)):
        inputs.objects += list(expand(document, (), value))
        return True
    if isinstance(value.get("Resources"), dict):
        inputs.templates.append(document)
        return True
    if is_environment(value, named=named):
        inputs.environments.append((document, file or FilePath("stdin.yaml")))
        return True
    return False


def is_object(value: Any) -> bool:
    """Whether ``value`` has what every Kubernetes object has, or at least one half of it."""
    return isinstance(value, dict) and ("kind" in value or "apiVersion" in value)


def _is_of_another_tool(value: dict[str, Any]) -> bool:
    """Whether a mapping with one half of an object's mark, such as a chart's description, is none."""
    return not ({"kind", "apiVersion"} <= value.keys() or {"spec", "metadata"} & value.keys())


def expand(document: Document, base: Path, value: dict[str, Any]) -> Iterator[KubernetesObject]:
    """The object itself, or the items of a list such as ``kubectl get -o yaml`` prints."""
    items = value.get("items")
    if value.get("kind") in _LIST_KINDS and isinstance(items, list):
        for index, item in enumerate(items):
            if isinstance(item, dict):
                yield from expand(document, (*base, "items", index), item)
        return
    yield KubernetesObject(document, base, value)
