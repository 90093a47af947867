"""What the serving engine makes of an endpoint: whether it is vLLM, how long a prompt may be, what its buffer holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lib.catalog import engine_defaults
from lib.sizing.pd_buffer import PdBuffer

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView, RoleView

_PD_BUFFER = "PD_BUFFER_SIZE"
_MODEL_LENGTH = "--max-model-len"


def runs_vllm(endpoint: EndpointView) -> bool:
    """Whether the worker's arguments are those of ``vllm serve``: always with pdSpec, else by the image's line."""
    if endpoint.disaggregated:
        return True
    kind = endpoint.image.kind
    return kind is not None and kind.engine == "vllm"


def longest_prompt_tokens(endpoint: EndpointView, role: RoleView) -> int | None:
    """What --max-model-len says, else the model's own limit; None when neither is known."""
    declared = role.arguments.integer(_MODEL_LENGTH)
    if declared is not None:
        return declared
    model = endpoint.model_or_none
    return model.geometry.max_position_tokens if model else None


def shortest_limit_tokens(endpoint: EndpointView) -> int | None:
    """The longest prompt that every role accepts; None when no role's limit is known."""
    limits = [longest_prompt_tokens(endpoint, role) for role in endpoint.roles]
    return min((limit for limit in limits if limit is not None), default=None)


def pd_buffer(endpoint: EndpointView, role: RoleView) -> PdBuffer | None:
    """The buffer of one rank; None when its size is no number or the page's size is not known.

    Raises MissingFact when the model is not known.
    """
    text = endpoint.environment.value(_PD_BUFFER)
    if text is not None and not text.isdecimal():
        return None
    size = int(text) if text is not None else engine_defaults.documented().pd_buffer_bytes
    page = endpoint.model.page_bytes(role)
    if page is None:
        return None
    return PdBuffer(bytes=size, page_bytes=page, chunk_tokens=engine_defaults.lmcache().chunk_tokens)


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
