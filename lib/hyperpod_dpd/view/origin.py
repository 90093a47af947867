"""From a fact a rule saw back to the line the user wrote."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Protocol

from hyperpod_dpd.catalog import manifest_fields
from hyperpod_dpd.document import Document, Path, dotted


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the user's file; ``path`` is dotted, in that file's own keys.

    ``of_environment``: the file is an environment, and spells there what a manifest calls otherwise.
    """

    file: str
    line: int
    column: int
    path: str
    of_environment: bool = False


ENVIRONMENT: Path = ("environment",)
"""First part of a path that stands in the environment document outside the endpoint's own section."""


class Origin(Protocol):
    """Translates a path of the view into a place of the file the view was built from."""

    def locate(self, path: Path) -> Location: ...


@dataclass(frozen=True, slots=True)
class DocumentOrigin:
    """The view shows the document itself, perhaps one item of a list in it."""

    document: Document
    base: Path = ()

    def locate(self, path: Path) -> Location:
        full = self.base + path
        position = self.document.where(full)
        return Location(self.document.file, position.line, position.column, dotted(full))


@dataclass(frozen=True, slots=True)
class EnvironmentOrigin:
    """The view shows the manifest an environment leads to; places are those of the environment's file."""

    document: Document
    endpoint: str
    arguments: dict[Path, str]
    variables: tuple[str, ...]
    overrides: tuple[tuple[tuple[str, ...], Path], ...] = ()
    """Paths that overrides set, each with its place in the document; the last one counts."""

    def locate(self, path: Path) -> Location:
        if path[:1] == ENVIRONMENT:
            full = path[1:]
        else:
            set_by = self._override(path)
            if set_by:  # written in the manifest's own words
                return self._at(set_by, translated=False)
            full = ("endpoints", self.endpoint, *self._translate(path))
        return self._at(full, translated=True)

    def _at(self, full: Path, *, translated: bool) -> Location:
        position = self.document.where(full)
        return Location(self.document.file, position.line, position.column, dotted(full), translated)

    def _override(self, path: Path) -> Path | None:
        spelled = tuple(map(str, path))
        for target, place in reversed(self.overrides):
            if spelled[: len(target)] == target:
                return place
        return None

    def _translate(self, path: Path) -> Path:
        if path[:1] in _OWN_KEYS:
            return path
        if path in self.arguments:
            return self._argument(path)
        if path[:3] == _VARIABLES and len(path) > len(_VARIABLES):
            return self._variable(path)
        if path == _LOCATION:
            return self._weights()
        return document_key(path)

    def _argument(self, path: Path) -> Path:
        flag = self.arguments[path]
        if path[1] == "pdSpec":
            return (*document_key(path[:4]), flag)
        return manifest_fields.arguments().get(flag, ("engine", "arguments", flag))

    def _weights(self) -> Path:
        """The key that says where the weights are: each kind of place has one of its own."""
        for kind, key in (("s3", "prefix"), ("fsx", "path"), ("volume", "path")):
            place: Path = ("model", "weights", kind, key)
            if self.document.exists(("endpoints", self.endpoint, *place)):
                return place
        return document_key(_LOCATION)

    def _variable(self, path: Path) -> Path:
        index = path[3]
        name = self.variables[index] if isinstance(index, int) and index < len(self.variables) else ""
        given: Path = (*document_key(_VARIABLES), name)
        derived = manifest_fields.variables().get(name)
        if derived and not self.document.exists(("endpoints", self.endpoint, *given)):
            return derived
        return given


_OWN_KEYS: tuple[Path, ...] = (("traffic",), ("objectives",))
"""Keys of an endpoint's section that no manifest has: a path that begins with one needs no translation."""
_LOCATION: Path = ("spec", "modelSourceConfig", "modelLocation")
_VARIABLES: Path = ("spec", "worker", "environmentVariables")


def document_key(path: Path) -> Path:
    """Where an endpoint's section says what the manifest says at ``path``; the nearest key above it that has one."""
    keys = _keys()
    for length in range(len(path), 0, -1):
        if path[:length] in keys:
            key, free = keys[path[:length]]
            rest = path[length:]
            return (*key, *rest) if free and len(rest) == 1 else key
    return ()


@cache
def _keys() -> dict[Path, tuple[Path, bool]]:
    """Key by path of the manifest, and whether both documents have the same free keys below it."""
    return {
        path: (key, field.type == "map" and field.key != ".") for path, key, field in manifest_fields.keyed()
    }
