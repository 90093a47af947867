"""The canary: its text for a ConfigMap, and whom it asks. It is run as a file, never imported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.jobs import served_model

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan

FILE = Path(__file__).parent / "dpd_canary.py"
PORT = 9401
INTERVAL_SECONDS = 60
TIMEOUT_SECONDS = 120


def text() -> str:
    """The program as it goes into the ConfigMap."""
    return FILE.read_text(encoding="utf-8")


def targets(blueprint: Blueprint) -> list[dict[str, Any]]:
    """The router of each disaggregated endpoint: the way that every request takes."""
    return [_target(plan) for plan in blueprint.endpoints if plan.topology == "disaggregated"]


def targets_text(blueprint: Blueprint) -> str:
    """The same as the one line of JSON that the canary reads."""
    return json.dumps(targets(blueprint), sort_keys=True)


def _target(plan: EndpointPlan) -> dict[str, Any]:
    path = str((plan.rendered() or {}).get("spec", {}).get("invocationEndpoint", "v1/chat/completions"))
    # A tenth over the threshold is disaggregated for certain.
    characters = plan.routing_threshold_tokens * names.CHARACTERS_PER_ESTIMATED_TOKEN * 11 // 10
    return {
        "endpoint": plan.name,
        "namespace": plan.namespace,
        "url": names.router_url(plan.name, plan.namespace, path),
        "model": served_model(plan),
        "chat": path.strip("/").endswith("chat/completions"),
        "long_characters": characters,
    }
