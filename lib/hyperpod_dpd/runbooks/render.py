"""Find a runbook by its name and fill in an environment's real names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.runbooks.fields import environment_fields
from hyperpod_dpd.runbooks.night import first_lines
from hyperpod_dpd.runbooks.template import fill

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint

_HERE = Path(__file__).parent
_INSTALLED = _HERE / "texts"
FOLDER = _INSTALLED if _INSTALLED.is_dir() else _HERE.parents[2] / "docs" / "runbooks"
"""Beside this file when installed as a package, in docs/runbooks in a checkout."""


_ALERT = "Dpd"


class UnknownRunbook(ValueError):
    """No runbook of that name; the text lists those there are."""


def available() -> list[str]:
    """Names of the runbooks, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")


def render(
    name: str, blueprint: Blueprint, *, endpoint: str | None = None, extra: Mapping[str, Any] | None = None
) -> str:
    """The runbook as Markdown; ``endpoint`` keeps one endpoint, ``extra`` adds fields.

    Raises UnknownRunbook, KeyError for an endpoint that is not in the environment, and TemplateFault.
    """
    if name not in available():
        raise UnknownRunbook(f"there is no runbook '{name}'; there are: {', '.join(available())}")
    fields = environment_fields(blueprint)
    if endpoint is not None:
        chosen = [each for each in fields["endpoints"] if each["endpoint"] == endpoint]
        if not chosen:
            raise KeyError(endpoint)
        fields["endpoints"] = chosen
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    if name.startswith(_ALERT):
        title, _, rest = text.partition("\n")
        text = f"{title}\n{first_lines(name)}{rest}"
    return fill(text, {**fields, **(extra or {})}, name=f"{name}.md")
