"""Configuration values of an EKS add-on in a template, where they can be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.view.template_values import flat

if TYPE_CHECKING:
    from hyperpod_dpd.view.template import TemplateView


def addon_values(template: TemplateView, addon: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Logical id and values of every add-on of that name; one whose values are not readable JSON is left out.

    A reference inside the JSON text shows as a star.
    """
    for logical_id, properties in template.resources("AWS::EKS::Addon"):
        if flat(properties.get("AddonName")) != addon:
            continue
        given = properties.get("ConfigurationValues")
        try:
            values = json.loads(flat(given)) if given is not None else {}
        except ValueError:
            continue
        if isinstance(values, dict):
            yield logical_id, values
