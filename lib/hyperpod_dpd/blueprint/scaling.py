"""Autoscaling of a role, and what an endpoint asks for that cannot be rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.model import Note
from hyperpod_dpd.iec.endpoint import AutoScaling

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config import endpoint as config


def plan_autoscaling(
    loaded: LoadedEnvironment, role: config.Role, *, deployment: str, namespace: str
) -> AutoScaling | None:
    """None without the workspace's URL. The default query counts requests that wait at this role."""
    scaling, url = role.autoscaling, loaded.outputs.prometheus_url
    if scaling is None or url is None:
        return None
    waiting = f'sum(vllm:num_requests_waiting{{namespace="{namespace}",resource_name="{deployment}"}})'
    return AutoScaling(
        min_replicas=scaling.min_replicas,
        max_replicas=scaling.max_replicas,
        query=scaling.query or waiting,
        target_value=scaling.target_value,
        server_address=url.rstrip("/"),
    )


def unrendered(loaded: LoadedEnvironment, name: str, endpoint: config.Endpoint) -> list[Note]:
    """What was asked for and cannot be rendered."""
    notes = []
    scaled = [role for role in ("prefill", "decode") if getattr(endpoint, role).autoscaling]
    if scaled and endpoint.topology == "disaggregated" and loaded.outputs.prometheus_url is None:
        message = (
            f"autoscaling of {' and '.join(scaled)} is left out: the URL of the Prometheus workspace is not known "
            f"yet; deploy the observability stack, then run `dpd outputs pull {loaded.name}`"
        )
        notes.append(Note(subject=f"endpoints.{name}.autoscaling", message=message))
    if scaled and endpoint.topology == "colocated":
        message = "autoscaling of its roles is left out: a colocated endpoint has none"
        notes.append(Note(subject=f"endpoints.{name}.autoscaling", message=message))
    if endpoint.benchmark and not endpoint.invocation_path.strip("/").endswith("chat/completions"):
        message = (
            "its benchmark sends chat completions, the only kind that genai-bench knows, and not "
            f"{endpoint.invocation_path}"
        )
        notes.append(Note(subject=f"endpoints.{name}.benchmark", message=message))
    return notes
