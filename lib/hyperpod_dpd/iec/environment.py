"""The environment variables of a container as a mapping, so that rules ask by name and point at the line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

_SOURCES = {
    "secretKeyRef": "secret",
    "configMapKeyRef": "configMap",
    "fieldRef": "field",
    "resourceFieldRef": "resource",
    "fileKeyRef": "file",
}


@dataclass(frozen=True, slots=True)
class EnvVar:
    """One variable. ``value`` is None when it comes from elsewhere; ``source`` then says where from."""

    name: str
    value: str | None
    source: str | None
    path: Path

    @property
    def from_secret(self) -> bool:
        return self.source == "secret"

    @property
    def value_path(self) -> Path:
        """Where the value stands: what a message about the value should point at."""
        return (*self.path, "valueFrom" if self.source else "value")


class Environment(Mapping[str, EnvVar]):
    """Variables by name. Of a name given twice the last counts; ``duplicates`` holds every place of it."""

    def __init__(self, variables: Mapping[str, EnvVar], duplicates: Mapping[str, tuple[Path, ...]]) -> None:
        self._variables = dict(variables)
        self.duplicates = dict(duplicates)

    def __getitem__(self, name: str) -> EnvVar:
        return self._variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    def value(self, name: str) -> str | None:
        """The literal value, or None when the variable is absent or comes from a Secret or the like."""
        variable = self._variables.get(name)
        return variable.value if variable else None

    def where(self, name: str) -> Path | None:
        """Path of the variable's value, or None when it is absent."""
        variable = self._variables.get(name)
        return variable.value_path if variable else None


def read_environment(variables: Any, path: Path) -> Environment:
    """Read ``spec.worker.environmentVariables`` (or any Kubernetes ``env`` list) found at ``path``.

    Entries that are no variables are skipped, since the schema check reports them. A scalar that should be a
    string is read as the text it stands for.
    """
    found: dict[str, EnvVar] = {}
    places: dict[str, list[Path]] = {}
    for index, item in enumerate(variables if isinstance(variables, list) else []):
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            continue
        variable = _variable(item, (*path, index))
        found[variable.name] = variable
        places.setdefault(variable.name, []).append(variable.path)
    return Environment(found, {name: tuple(at) for name, at in places.items() if len(at) > 1})


def _variable(item: dict[Any, Any], path: Path) -> EnvVar:
    origin = item.get("valueFrom")
    if isinstance(origin, dict):
        source = next((short for key, short in _SOURCES.items() if key in origin), "unknown")
        return EnvVar(item["name"], None, source, path)
    value = item.get("value", "")
    return EnvVar(item["name"], "" if value is None else str(value), None, path)
