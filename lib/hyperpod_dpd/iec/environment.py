"""The environment variables of a container as a mapping, so that rules ask by name and point at the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.iec.expansion import expand

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

Lookup = Callable[[str, str, str], str | None]
"""What stands under a key of a named ConfigMap or Secret ("configMap", name, key); None where nobody knows."""
_REFERENCE = "reference"
_SETTING = re.compile(r"PYTHONHASHSEED|PD_BUFFER_SIZE|(LMCACHE|VLLM|NCCL|FI|UCX|NIXL)_[A-Z0-9_]+")
_CREDENTIAL = re.compile(r"_(PASSWORD|TOKEN|KEY|SECRET|USERNAME|URL)$")

_SOURCES = {
    "secretKeyRef": "secret",
    "configMapKeyRef": "configMap",
    "fieldRef": "field",
    "resourceFieldRef": "resource",
    "fileKeyRef": "file",
}


@dataclass(frozen=True, slots=True)
class EnvVar:
    """One variable as the container gets it. ``source`` says where it comes from unless it is written there:
    "secret", "configMap", or "reference" for a value that refers to variables which are not known. ``value`` is
    None where it is not known.
    """

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
        return (*self.path, "value" if self.source in (None, _REFERENCE) else "valueFrom")


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
        """The value, or None when the variable is absent or its value is not known."""
        variable = self._variables.get(name)
        return variable.value if variable else None

    def where(self, name: str) -> Path | None:
        """Path of the variable's value, or None when it is absent."""
        variable = self._variables.get(name)
        return variable.value_path if variable else None


def _nothing(source: str, name: str, key: str) -> str | None:
    return None


def read_environment(variables: Any, path: Path, lookup: Lookup = _nothing) -> Environment:
    """Read ``spec.worker.environmentVariables`` (or any Kubernetes ``env`` list) found at ``path``.

    References to other variables are filled in, in order of definition; what comes from a ConfigMap or Secret is
    asked of ``lookup``. Entries that are no variables are skipped, since the schema check reports them. A scalar
    that should be a string is read as the text it stands for.
    """
    found: dict[str, EnvVar] = {}
    values: dict[str, str | None] = {}
    places: dict[str, list[Path]] = {}
    for index, item in enumerate(variables if isinstance(variables, list) else []):
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            continue
        variable = _variable(item, (*path, index), values, lookup)
        values[variable.name] = variable.value
        found[variable.name] = variable
        places.setdefault(variable.name, []).append(variable.path)
    return Environment(found, {name: tuple(at) for name, at in places.items() if len(at) > 1})


def _variable(item: dict[Any, Any], path: Path, values: Mapping[str, str | None], lookup: Lookup) -> EnvVar:
    origin = item.get("valueFrom")
    if isinstance(origin, dict):
        key = next((key for key in _SOURCES if key in origin), "")
        source = _SOURCES.get(key, "unknown")
        follows = source != "secret" or _is_setting(item["name"])
        value = _looked_up(source, origin.get(key), lookup) if follows else None
        return EnvVar(item["name"], value, source, path)
    value = item.get("value", "")
    text = "" if value is None else str(value)
    expanded = expand(text, values) if "$" in text else text
    return EnvVar(item["name"], expanded, _REFERENCE if expanded is None else None, path)


def _is_setting(name: str) -> bool:
    """Whether a variable configures the engine; what is not such a one may be a credential, and values are printed."""
    return bool(_SETTING.fullmatch(name)) and not _CREDENTIAL.search(name)


def _looked_up(source: str, reference: Any, lookup: Lookup) -> str | None:
    if not isinstance(reference, dict):
        return None
    name, key = reference.get("name"), reference.get("key")
    return lookup(source, name, key) if isinstance(name, str) and isinstance(key, str) else None
