"""Parameters of AWS's CloudFormation templates as people keep them: parameter files, and `hyp`'s config.yaml."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from hyperpod_dpd.catalog import official_templates
from hyperpod_dpd.catalog.official_templates import Parameter

_OF_THE_FILE = frozenset({"template", "version", "StackPolicy"})
"""Keys beside the parameters: those of `hyp`'s own, and of a template configuration file."""


class NotParameters(ValueError):
    """A file that holds no parameters of the official templates; the text says why."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a file says: values by the template's name, each as text, or as the list or mapping it stands for.

    A parameter that is not there has the template's default. ``remarks`` are on parameters that are in the file and
    not here.
    """

    values: dict[str, Any]
    remarks: tuple[str, ...] = ()

    def text(self, name: str, default: str = "") -> str:
        """The value as text; lists are joined by commas, as the templates want them."""
        return _as_text(self.values.get(name, default))

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


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return ",".join(str(item) for item in value)
    return value.strip() if isinstance(value, str) else str(value)


def read_parameters(value: Any) -> Given:
    """A parsed file: a list of ParameterKey and ParameterValue, a mapping with ``Parameters``, or a plain mapping.

    Raises NotParameters for anything else, for a file of which no parameter is known, and for one that gives a
    parameter two values.
    """
    found: dict[str, Any] = {}
    remarks: list[str] = []
    for name, given in _pairs(value):
        known = official_templates.find(name)
        if known is None:
            if name not in _OF_THE_FILE:
                remarks.append(_unknown(name))
        elif remark := _not_told(given):
            remarks.append(f"{known[0]}: {remark}")
        elif known[0] in found and _as_text(found[known[0]]) != _as_text(given):
            raise NotParameters(f"{known[0]}: is given twice, with different values")
        else:
            found[known[0]] = given
    if not found:
        raise NotParameters(
            "holds no parameter of the official templates: a list of ParameterKey and ParameterValue, a mapping of "
            "parameters, or the config.yaml of `hyp` is wanted"
        )
    return Given(values=found, remarks=tuple(remarks))


def _pairs(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping) and isinstance(value.get("Parameters"), list | Mapping):
        return _pairs(value["Parameters"])
    if isinstance(value, Mapping):
        return [(str(name), given) for name, given in value.items()]
    if isinstance(value, list) and all(
        isinstance(item, Mapping) and "ParameterKey" in item for item in value
    ):
        return [
            (
                str(item["ParameterKey"]),
                _PREVIOUS if item.get("UsePreviousValue") else item.get("ParameterValue"),
            )
            for item in value
        ]
    raise NotParameters("is neither a list of ParameterKey and ParameterValue nor a mapping of parameters")


_PREVIOUS = object()
"""Stands for a value that the stack has and the file does not."""


def _not_told(given: Any) -> str:
    """Why a value is not in the file though the parameter is; "" for one that is."""
    if given is _PREVIOUS:
        return (
            "keeps a previous value that the file does not tell; `aws cloudformation describe-stacks` has it"
        )
    if isinstance(given, str) and given and not given.strip("*"):
        return "its value is hidden; write it yourself"
    if isinstance(given, str) and "{{resolve:" in given:
        return "its value is looked up at deployment; write it yourself"
    return ""


def _unknown(name: str) -> str:
    names = [known for parameter in _cloudformation() for known in parameter.names()]
    close = get_close_matches(name, names, n=1)
    return f"{name}: is no parameter of the official templates{f'; {close[0]}?' if close else ''}"


def _cloudformation() -> list[Parameter]:
    return [parameter for parameter in official_templates.parameters() if parameter.only is None]
