"""Default memory assumptions: measured by others, unconfirmed here, in one place so that a measurement can
replace them.

Source: constants of a public capacity planner (llm-d-planner, read 2026-11, vLLM on H100); peak activation
does not scale with the tensor-parallel size there. The slack is our own estimate, and the margins are the
design's.
"""

from hyperpod_dpd.sizing.geometry import Geometry
from hyperpod_dpd.sizing.gpu_memory import MemoryAssumptions, gib_to_bytes

_ACTIVATION_GIB = {"llama": "4.8", "dense": "5.6", "moe": "8.0"}
_NON_TORCH_GIB = "0.6"
_SLACK_GIB = "2"
_ERROR_MARGIN_GIB = "2"
_WARNING_MARGIN_GIB = "4"
_SOURCE = "constants of a public capacity planner (llm-d-planner), slack estimated: unconfirmed on HyperPod"


def default_assumptions(geometry: Geometry) -> MemoryAssumptions:
    """The assumptions for one model: activation memory differs by family, the rest does not."""
    if geometry.is_moe:
        activation = _ACTIVATION_GIB["moe"]
    elif geometry.model_type == "llama":
        activation = _ACTIVATION_GIB["llama"]
    else:
        activation = _ACTIVATION_GIB["dense"]
    return MemoryAssumptions(
        activation_bytes=gib_to_bytes(activation),
        non_torch_bytes=gib_to_bytes(_NON_TORCH_GIB),
        slack_bytes=gib_to_bytes(_SLACK_GIB),
        error_margin_bytes=gib_to_bytes(_ERROR_MARGIN_GIB),
        warning_margin_bytes=gib_to_bytes(_WARNING_MARGIN_GIB),
        source=_SOURCE,
    )
