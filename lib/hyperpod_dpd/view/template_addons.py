"""Configuration values of an EKS add-on in a template, where they can be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.document import UnreadableInput, read_documents
from hyperpod_dpd.view.template_values import UNKNOWN, flat

if TYPE_CHECKING:
    from hyperpod_dpd.view.template import TemplateView


def addon_values(template: TemplateView, addon: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Logical id and values of every add-on of that name; one whose values cannot be read is left out.

    A reference inside the text shows as a star.
    """
    for logical_id, given in _given(template, addon):
        values = {} if given is None else _read(flat(given))
        if values is not None:
            yield logical_id, values


def unreadable_values(template: TemplateView, addon: str) -> Iterator[str]:
    """Logical ids of add-ons of that name whose values are neither JSON nor YAML, whatever a reference stands for."""
    for logical_id, given in _given(template, addon):
        if given is not None and (text := flat(given)) != UNKNOWN and _read(text) is None:
            yield logical_id


def _given(template: TemplateView, addon: str) -> Iterator[tuple[str, Any]]:
    for logical_id, properties in template.resources("AWS::EKS::Addon"):
        if flat(properties.get("AddonName")) == addon:
            yield logical_id, properties.get("ConfigurationValues")


def _read(text: str) -> Mapping[str, Any] | None:
    """The mapping that a text is, a bare star for a number or a truth value among its values."""
    try:
        values = json.loads(text)
    except ValueError:
        try:
            documents = read_documents(
                text.replace(f": {UNKNOWN}", ": 0").replace(f":{UNKNOWN}", ":0"), "values"
            )
        except UnreadableInput:
            return None
        values = documents[0].value if len(documents) == 1 else None
    return values if isinstance(values, dict) else None
