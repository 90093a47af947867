"""What a manifest says in effect: a field as written, else the default of the resource's own definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import engine_defaults

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView


def in_effect(endpoint: EndpointView, *keys: str) -> Any:
    """The value at ``keys`` of the spec, or its default; None where it has neither."""
    given = endpoint.get(*keys)
    return given if given is not None else default_of(*keys)


def default_of(*keys: str) -> Any:
    """The default that the definition gives the field at ``keys`` of the spec."""
    default = engine_defaults.manifest_default(".".join(("spec", *keys)))
    return default.value if default else None


def model_mount(endpoint: EndpointView) -> str:
    """Where the weights are mounted, without a slash at the end."""
    keys = ("worker", "modelVolumeMount", "mountPath")
    return str(endpoint.get(*keys) or default_of(*keys) or "").rstrip("/")
