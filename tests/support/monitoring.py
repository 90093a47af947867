"""Shapes of the Prometheus operator's objects, as far as ours use them, after its published API reference (v1)."""

from __future__ import annotations

from typing import Any

_DURATION = r"^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$"
_LABEL = r"^[a-zA-Z_][a-zA-Z0-9_]*$"
_TEXTS = {
    "type": "object",
    "additionalProperties": {"type": "string"},
    "propertyNames": {"pattern": _LABEL},
}
_SELECTOR = {
    "type": "object",
    "properties": {"matchLabels": {"type": "object", "additionalProperties": {"type": "string"}}},
    "additionalProperties": False,
}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


_RELABELING = _object(
    [],
    sourceLabels={"type": "array", "items": {"type": "string", "pattern": _LABEL}},
    separator={"type": "string"},
    targetLabel={"type": "string"},
    regex={"type": "string"},
    replacement={"type": "string"},
    action={"enum": ["replace", "keep", "drop", "hashmod", "labelmap", "labeldrop", "labelkeep"]},
)
_SCRAPE = {
    "path": {"type": "string"},
    "port": {"type": "string"},
    "interval": {"type": "string", "pattern": _DURATION},
    "honorLabels": {"type": "boolean"},
    "relabelings": {"type": "array", "items": _RELABELING},
}
_RULE = _object(
    ["expr"],
    record={"type": "string"},
    alert={"type": "string"},
    expr={"type": "string"},
    **{"for": {"type": "string", "pattern": _DURATION}},
    keep_firing_for={"type": "string", "pattern": _DURATION},
    labels=_TEXTS,
    annotations=_TEXTS,
)
_GROUP = _object(
    ["name"],
    name={"type": "string", "minLength": 1},
    interval={"type": "string", "pattern": _DURATION},
    rules={"type": "array", "items": {**_RULE, "oneOf": [{"required": ["record"]}, {"required": ["alert"]}]}},
)
_NAMESPACES = _object([], any={"type": "boolean"}, matchNames={"type": "array", "items": {"type": "string"}})
_ENDPOINTS = {"type": "array", "items": _object([], **_SCRAPE)}

SPECS: dict[str, dict[str, Any]] = {
    "PrometheusRule": _object([], groups={"type": "array", "items": _GROUP}),
    "PodMonitor": _object(
        ["selector"], selector=_SELECTOR, namespaceSelector=_NAMESPACES, podMetricsEndpoints=_ENDPOINTS
    ),
    "ServiceMonitor": _object(
        ["endpoints", "selector"], selector=_SELECTOR, namespaceSelector=_NAMESPACES, endpoints=_ENDPOINTS
    ),
}
"""Schema of ``spec`` by kind."""
