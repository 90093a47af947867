"""Data of the ConfigMaps and Secrets that stand beside an endpoint, for variables that take their value there."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import Any

_SOURCES = {"ConfigMap": "configMap", "Secret": "secret"}


def configured(objects: Iterable[Any]) -> dict[tuple[str, str, str], Mapping[str, str]]:
    """By kind, namespace and name; a Secret's data decoded where it is text."""
    found: dict[tuple[str, str, str], Mapping[str, str]] = {}
    for value in objects:
        if not isinstance(value, dict) or value.get("apiVersion") != "v1":
            continue
        source, metadata = _SOURCES.get(str(value.get("kind"))), value.get("metadata")
        if source is None or not isinstance(metadata, dict):
            continue
        place = (source, str(metadata.get("namespace") or "default"), str(metadata.get("name")))
        found[place] = _secret(value) if source == "secret" else _texts(value.get("data"))
    return found


def _texts(data: Any) -> dict[str, str]:
    return (
        {key: text for key, text in data.items() if isinstance(text, str)} if isinstance(data, dict) else {}
    )


def _secret(secret: dict[str, Any]) -> dict[str, str]:
    decoded = {key: _decoded(text) for key, text in _texts(secret.get("data")).items()}
    given = {**decoded, **_texts(secret.get("stringData"))}
    return {key: text for key, text in given.items() if text is not None}


def _decoded(text: str) -> str | None:
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return None
