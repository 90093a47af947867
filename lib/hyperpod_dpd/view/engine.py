"""What the serving engine makes of an endpoint: whether it is vLLM, how long a prompt may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.view.context import VARIABLE, MissingFact

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.role import RoleView

_MODEL_LENGTH = "--max-model-len"


def runs_vllm(endpoint: EndpointView) -> bool:
    """Whether the worker's arguments are those of ``vllm serve``: always with pdSpec, else by the image's line."""
    if endpoint.disaggregated:
        return True
    kind = endpoint.image.kind
    return kind is not None and kind.engine == "vllm"


def longest_prompt_tokens(endpoint: EndpointView, role: RoleView) -> int | None:
    """What --max-model-len says, else the model's own limit; None when neither is known.

    Raises MissingFact where a variable hides the number.
    """
    if role.arguments.unresolved(_MODEL_LENGTH):
        raise MissingFact(VARIABLE)
    declared = role.arguments.integer(_MODEL_LENGTH)
    if declared is not None:
        return declared
    model = endpoint.model_or_none
    return model.geometry.max_position_tokens if model else None


def shortest_limit_tokens(endpoint: EndpointView) -> int | None:
    """The longest prompt that every role accepts; None when no role's limit is known."""
    limits = [longest_prompt_tokens(endpoint, role) for role in endpoint.roles]
    return min((limit for limit in limits if limit is not None), default=None)


def most_prefillers(endpoint: EndpointView) -> int:
    """Prefill replicas, or as many as its autoscaling may make of them."""
    prefill = endpoint.prefill
    scaling = endpoint.get("pdSpec", "autoScalingSpec", "prefillAutoScaling")
    count = prefill.replicas if prefill else 1
    if not isinstance(scaling, dict):
        return count
    default = engine_defaults.manifest_default(
        "spec.pdSpec.autoScalingSpec.prefillAutoScaling.maxReplicaCount"
    )
    most = scaling.get("maxReplicaCount")
    most = most if isinstance(most, int) else default.value if default else count
    return max(count, most)
