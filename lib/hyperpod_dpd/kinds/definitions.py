"""Custom kinds by the definitions that lie beside their objects: the user's own cluster's word on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import manifest_fields
from hyperpod_dpd.iec.identity import GROUP
from hyperpod_dpd.iec.schema import field_from_schema

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.manifest_fields import Field


@dataclass(frozen=True, slots=True)
class Definitions:
    """Field trees of the served versions of every CustomResourceDefinition of a run, by API version and kind."""

    schemas: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    trees: dict[tuple[str, str], Field] = field(default_factory=dict)

    @classmethod
    def of(cls, objects: Iterable[Any]) -> Definitions:
        """The definitions among ``objects``; those of the endpoint itself are judged by `--crd`."""
        found: dict[tuple[str, str], Any] = {}
        for value in objects:
            if isinstance(value, Mapping) and value.get("kind") == "CustomResourceDefinition":
                spec = _mapping(value.get("spec"))
                group, kind = spec.get("group"), _mapping(spec.get("names")).get("kind")
                versions = spec.get("versions")
                for version in versions if isinstance(versions, list) and group != GROUP else []:
                    schema = _mapping(_mapping(version).get("schema")).get("openAPIV3Schema")
                    if isinstance(schema, dict) and _mapping(version).get("served", True) is True:
                        found[f"{group}/{version.get('name')}", str(kind)] = schema
        return cls(found)

    def tree_of(self, value: Mapping[str, Any]) -> Field | None:
        """The fields of the object's kind, unknown ones closed; None where no definition of it was read."""
        key = (str(value.get("apiVersion")), str(value.get("kind")))
        if key not in self.schemas:
            return None
        if key not in self.trees:
            ours = manifest_fields.root().fields
            tree = field_from_schema(self.schemas[key])
            frame = {name: ours[name] for name in ("apiVersion", "kind", "metadata")}
            self.trees[key] = replace(tree, type="object", fields={**tree.fields, **frame})
        return self.trees[key]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
