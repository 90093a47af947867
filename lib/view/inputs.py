"""What a user named on the command line, read and sorted: environments, manifests, templates, or neither."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from lib.document import Document, Path, UnreadableInput, read_documents, read_file

SUFFIXES = (".yaml", ".yml", ".json")
SEVERAL_DOCUMENTS = "holds several YAML documents; an environment is one, in a file of its own"
SKIPPED_FOLDERS = frozenset({".git", ".venv", "node_modules", "__pycache__", "outputs", "locks"})
STDIN = "-"
ASSEMBLY_MARK = "cdk.out"
"""A file of this name stands in every folder of a CDK cloud assembly, whose other JSON is CDK's own."""
ASSEMBLY_PREFIX = "assembly-"
TEMPLATE_SUFFIX = ".template.json"
_ENVIRONMENT_KEYS = frozenset({"account", "region", "network", "cluster", "endpoints"})
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
    """Everything readable of one run; ``unreadable`` holds one line for each part that was not."""

    environments: list[tuple[Document, FilePath]] = field(default_factory=list)
    objects: list[KubernetesObject] = field(default_factory=list)
    templates: list[Document] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    files: int = 0
    roots: tuple[str, ...] = ()


def gather(paths: list[str]) -> Inputs:
    """Reads files, folders (walked) and ``-``. A fault of one path does not hide the others."""
    inputs = Inputs(roots=tuple(paths))
    for path in paths:
        try:
            for file, named in _files(path):
                _read(inputs, file, named=named)
        except UnreadableInput as error:
            inputs.unreadable.append(str(error))
    return inputs


def _files(path: str) -> Iterator[tuple[FilePath | None, bool]]:
    if path == STDIN:
        yield None, True
        return
    if not path:
        raise UnreadableInput("''", "names no file and no folder")
    place = FilePath(path)
    if not place.is_dir():
        yield place, True
        return
    found = sorted(_walk(place))
    if not found:
        raise UnreadableInput(path, "holds no .yaml, .yml or .json file")
    for file in found:
        yield file, False


def _walk(folder: FilePath) -> Iterator[FilePath]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise UnreadableInput(str(folder), f"cannot be read: {error.strerror}") from None
    assembly = any(entry.name == ASSEMBLY_MARK and entry.is_file() for entry in entries)
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink():
            if entry.name not in SKIPPED_FOLDERS and (not assembly or entry.name.startswith(ASSEMBLY_PREFIX)):
                yield from _walk(entry)
        elif entry.name.endswith(TEMPLATE_SUFFIX if assembly else SUFFIXES) and entry.is_file():
            yield entry


def scope_of(file: str, roots: Sequence[str]) -> str:
    """Where a file stands below the path that the user gave, the same for two states of one tree."""
    place = FilePath(file)
    for root in roots:
        if root != STDIN and place != FilePath(root) and place.is_relative_to(root):
            return place.relative_to(root).as_posix()
    return place.name


def _read(inputs: Inputs, file: FilePath | None, *, named: bool) -> None:
    name = str(file) if file else STDIN
    try:
        if file is None:
            documents = read_documents(sys.stdin.buffer.read(), STDIN)
        else:
            documents = read_file(file)
    except UnreadableInput as error:
        inputs.unreadable.append(str(error))
        return
    if not documents:
        if named:
            inputs.unreadable.append(f"{name}: is empty; an environment or Kubernetes objects are expected")
        return
    before = len(inputs.environments)
    known = [_sort(inputs, document, file) for document in documents]
    if len(documents) > 1 and len(inputs.environments) > before:
        inputs.unreadable.append(f"{name}: {SEVERAL_DOCUMENTS}")
    if any(known):
        inputs.files += 1
    if named:
        inputs.unreadable += [
            f"{name}:{document.where(()).line}: {_neither(document.value)}"
            for document, is_known in zip(documents, known, strict=True)
            if not is_known
        ]


def _neither(value: Any) -> str:
    names: dict[type[Any], str] = {dict: "a mapping", list: "a list", str: "text"}
    kind = names.get(type(value), "a single value")
    return (
        f"is {kind} that is neither an environment (keys such as account, network, cluster) "
        "nor a Kubernetes object (apiVersion and kind)"
    )


def _sort(inputs: Inputs, document: Document, file: FilePath | None) -> bool:
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
    if is_object(value):
        inputs.objects += list(expand(document, (), value))
        return True
    if isinstance(value.get("Resources"), dict):
        inputs.templates.append(document)
        return True
    if _ENVIRONMENT_KEYS & value.keys():
        inputs.environments.append((document, file or FilePath("stdin.yaml")))
        return True
    return False


def is_object(value: Any) -> bool:
    """Whether ``value`` has what every Kubernetes object has, or at least one half of it."""
    return isinstance(value, dict) and ("kind" in value or "apiVersion" in value)


def expand(document: Document, base: Path, value: dict[str, Any]) -> Iterator[KubernetesObject]:
    """The object itself, or the items of a list such as ``kubectl get -o yaml`` prints."""
    items = value.get("items")
    if value.get("kind") in _LIST_KINDS and isinstance(items, list):
        for index, item in enumerate(items):
            if isinstance(item, dict):
                yield from expand(document, (*base, "items", index), item)
        return
    yield KubernetesObject(document, base, value)
