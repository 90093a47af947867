"""Keys of an endpoint's section that come from the table of the manifest's fields: what each says, and whole keys."""

from __future__ import annotations

from collections.abc import Callable
from types import GenericAlias
from typing import Any, Literal, TypeVar

from pydantic import Field, create_model

from hyperpod_dpd.catalog import manifest_fields
from hyperpod_dpd.config.base import Section

_Section = TypeVar("_Section", bound=Section)
_LIMITS = {
    "minimum": "ge",
    "maximum": "le",
    "min_length": "min_length",
    "max_length": "max_length",
    "pattern": "pattern",
}
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "int-or-string": int | str,
    "object": dict[str, Any],
    "opaque": Any,
}


def manifest_key(key: str, default: Any, *, description: str | None = None, **limits: Any) -> Any:
    """A declared key that is rendered as it is; the table's description wins over ``description``."""
    return Field(default, description=manifest_fields.of_key()[key][1].description or description, **limits)


def with_copied_keys(section: str = "") -> Callable[[type[_Section]], type[_Section]]:
    """Adds the keys of ``section`` ('' for the endpoint's own) that only the table knows; all are optional."""
    prefix = f"{section}." if section else ""

    def extended(model: type[_Section]) -> type[_Section]:
        found: dict[str, Any] = {}
        for key, (path, field) in manifest_fields.of_key().items():
            name = key.removeprefix(prefix)
            if key.startswith(prefix) and "." not in name and name not in model.model_fields:
                limits = {ours: getattr(field, theirs) for theirs, ours in _LIMITS.items()}
                given: dict[str, Any] = {name: limit for name, limit in limits.items() if limit is not None}
                found[name] = (
                    _type(field) | None,
                    Field(
                        None,
                        description=field.description or f"Rendered as {'.'.join(path)} of the manifest.",
                        **given,
                    ),
                )
        if not found:
            return model
        return create_model(
            model.__name__, __base__=model, __doc__=model.__doc__, __module__=model.__module__, **found
        )

    return extended


def _type(field: manifest_fields.Field) -> Any:
    if field.enum:
        return Literal[field.enum]
    if field.item is not None:
        of = (_type(field.item),)
        return GenericAlias(list, of) if field.type == "list" else GenericAlias(dict, (str, *of))
    return _TYPES[field.type]
