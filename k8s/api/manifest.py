"""A Kubernetes object given as plain data, passed through cdk8s without a change of any value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cdk8s import ApiObject, ApiObjectMetadata, JsonPatch
from constructs import Construct

from hyperpod_dpd.config.renderable import refuse_what_javascript_changes, refuse_what_no_metadata_holds

_METADATA = frozenset({"name", "namespace", "labels", "annotations"})


class Manifest(ApiObject):
    """ApiObject takes no body in Python, so everything beside the metadata is added as one patch."""

    def __init__(self, scope: Construct, id: str, *, manifest: Mapping[str, Any]) -> None:
        """``manifest`` is the whole object in the API's spelling; its metadata must hold a name.

        Raises ValueError for a value that JavaScript would change, metadata that we do not emit or that no
        object can have, and for an object that the app holds already.
        """
        refuse_what_javascript_changes(manifest)
        refuse_what_no_metadata_holds(manifest)
        metadata = manifest["metadata"]
        if extra := set(metadata) - _METADATA:
            raise ValueError(f"metadata of {manifest['kind']} {metadata['name']}: unknown {sorted(extra)}")
        try:
            super().__init__(
                scope,
                id,
                api_version=manifest["apiVersion"],
                kind=manifest["kind"],
                metadata=ApiObjectMetadata(
                    name=metadata["name"],
                    namespace=metadata.get("namespace"),
                    labels=metadata.get("labels"),
                    annotations=metadata.get("annotations"),
                ),
            )
        except RuntimeError as error:
            if "already a Construct with name" not in str(error):
                raise
            raise ValueError(
                f"two objects would be {manifest['kind']} {metadata['name']}; "
                "give what they are made for another name or namespace"
            ) from None
        body = {
            key: value for key, value in manifest.items() if key not in {"apiVersion", "kind", "metadata"}
        }
        if body:
            self.add_json_patch(*(JsonPatch.add(f"/{key}", value) for key, value in body.items()))


def add(scope: Construct, manifest: Mapping[str, Any]) -> None:
    """Puts one object into a chart, under an id made from its kind, namespace and name."""
    metadata = manifest["metadata"]
    parts = (manifest["kind"], metadata.get("namespace"), metadata["name"])
    Manifest(scope, ".".join(part for part in parts if part), manifest=manifest)
