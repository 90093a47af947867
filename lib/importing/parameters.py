"""Parameters of AWS's CloudFormation templates as people keep them: parameter files, and `hyp`'s config.yaml."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from lib.catalog import official_templates
from lib.catalog.official_templates import Parameter

_OF_THE_FILE = frozenset({"template", "version", "StackPolicy"})
"""Keys beside the parameters: those of `hyp`'s own, and of a template configuration file."""


class NotParameters(ValueError):
    """A file that holds no parameters of the official templates; the text says why."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a file says: values by the template's name, each as text, or as the list or mapping it stands for.

    A parameter that is not there has the template's default.
    """

    values: dict[str, Any]
    unknown: tuple[str, ...] = ()

    def text(self, name: str, default: str = "") -> str:
        """The value as text; lists are joined by commas, as the templates want them."""
        value = self.values.get(name, default)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
            return ",".join(str(item) for item in value)
        return value.strip() if isinstance(value, str) else str(value)

    def items(self, name: str) -> list[str]:
        """A list that the template wants as text with commas."""
        return [item.strip() for item in self.text(name).split(",") if item.strip()]

    def flag(self, name: str, *, default: bool) -> bool:
        return self.text(name, "true" if default else "false").lower() == "true"

    def parsed(self, name: str) -> Any:
        """What a JSON text stands for; None when empty. Raises NotParameters for text that is none."""
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as error:
            raise NotParameters(f"{name}: is not JSON: {error}") from None

    def says(self, name: str) -> bool:
        """Whether the file gives it a value."""
        return self.values.get(name) not in (None, "", [], {})


def read_parameters(value: Any) -> Given:
    """A parsed file: a list of ParameterKey and ParameterValue, a mapping with ``Parameters``, or a plain mapping.

    Raises NotParameters for anything else, and for a file of which no parameter is known.
    """
    found: dict[str, Any] = {}
    unknown: list[str] = []
    for name, given in _pairs(value):
        known = official_templates.find(name)
        if known is None:
            if name not in _OF_THE_FILE:
                unknown.append(_unknown(name))
            continue
        found[known[0]] = given
    if not found:
        raise NotParameters(
            "holds no parameter of the official templates: a list of ParameterKey and ParameterValue, a mapping of "
            "parameters, or the config.yaml of `hyp` is wanted"
        )
    return Given(values=found, unknown=tuple(unknown))


def _pairs(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping) and isinstance(value.get("Parameters"), list | Mapping):
        return _pairs(value["Parameters"])
    if isinstance(value, Mapping):
        return [(str(name), given) for name, given in value.items()]
    if isinstance(value, list) and all(
        isinstance(item, Mapping) and "ParameterKey" in item for item in value
    ):
        return [
            (str(item["ParameterKey"]), item.get("ParameterValue"))
            for item in value
            if not item.get("UsePreviousValue")
        ]
    raise NotParameters("is neither a list of ParameterKey and ParameterValue nor a mapping of parameters")


def _unknown(name: str) -> str:
    names = [known for parameter in _cloudformation() for known in parameter.names()]
    close = get_close_matches(name, names, n=1)
    return f"{name}: is no parameter of the official templates{f'; {close[0]}?' if close else ''}"


def _cloudformation() -> list[Parameter]:
    return [parameter for parameter in official_templates.parameters() if parameter.only is None]
