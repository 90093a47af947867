"""What AWS's own templates for HyperPod with EKS let a user say, and which key of our document says the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Literal

from hyperpod_dpd.catalog.data_files import Source, document, record

_NAME = "official_templates"
_BRACES = re.compile(r"\{([^{}]*)\}")

Says = Literal["expressed", "decided", "unsupported"]
PAGE = "docs/coming-from-the-official-templates.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of theirs, or a family of them: ``#`` in the name stands for 1 to ``numbered``.

    ``keys`` are dotted paths of our document, ``*`` for any name. ``only`` is set where just the Terraform modules have
    it; ``terraform`` names their variables that mean the same. ``imported`` is False where `dpd import` cannot carry it
    over by itself.
    """

    name: str
    says: Says
    source: Source
    topic: str = ""
    keys: tuple[str, ...] = ()
    note: str = ""
    numbered: int = 0
    terraform: tuple[str, ...] = ()
    only: str | None = None
    imported: bool = True

    def names(self) -> Iterator[str]:
        """Every name of the family as the template spells it."""
        parts = _BRACES.split(self.name)
        choices = [part.split(",") if index % 2 else [part] for index, part in enumerate(parts)]
        for picked in product(*choices):
            name = "".join(picked)
            numbers = range(1, self.numbered + 1) if self.numbered else (0,)
            yield from (name.replace("#", str(number)) for number in numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Parameters that belong together, under a title for people."""

    title: str
    parameters: tuple[Parameter, ...]


@cache
def topics() -> tuple[Topic, ...]:
    """All parameters of the stacks, by topic."""
    found: dict[str, list[Parameter]] = {}
    for entry in document(_NAME)["parameters"]:
        found.setdefault(entry["topic"], []).append(_parameter(entry))
    return tuple(Topic(title=title, parameters=tuple(each)) for title, each in found.items())


@cache
def group_fields() -> tuple[Parameter, ...]:
    """Fields of one entry of the instance group settings."""
    return tuple(_parameter(each) for each in document(_NAME)["group_fields"])


def parameters() -> Iterator[Parameter]:
    """All parameters of the stacks."""
    for topic in topics():
        yield from topic.parameters


def find(name: str) -> tuple[str, Parameter] | None:
    """A parameter of CloudFormation by its name, or by the `hyp` command's snake_case, as (its name, its entry).

    Without a number, a numbered one means the first: `hyp` writes ``instance_group_settings``.
    """
    return _by_plain_name().get(_plain(name))


@cache
def _by_plain_name() -> dict[str, tuple[str, Parameter]]:
    found: dict[str, tuple[str, Parameter]] = {}
    for parameter in parameters():
        if parameter.only is not None:
            continue
        for name in parameter.names():
            found[_plain(name)] = (name, parameter)
        if parameter.numbered and parameter.name.endswith("#"):
            found[_plain(parameter.name.rstrip("#"))] = (parameter.name.replace("#", "1"), parameter)
    return found


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _parameter(entry: dict[str, Any]) -> Parameter:
    return record(Parameter, _NAME, entry)
