"""The `dpd kv` command that looks at one endpoint: with its own model, node, buffer and flags."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from hyperpod_dpd.iec.argument_reading import parse_arguments

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import EndpointPlan

_OWN_FLAGS = ("--kv-cache-dtype", "--gpu-memory-utilization")
"""Flags of vLLM that `dpd kv` takes by the same name."""
_MODEL_OF_NO_CATALOGUE = "CONFIG.json"


def kv_command(plan: EndpointPlan) -> str:
    """One line for a shell. Flags are those of the last role, decode where there are two; a model that the catalogue
    does not have stands as CONFIG.json, for the reader to replace by the model's own file.
    """
    role = plan.roles[-1]
    given: list[tuple[str, object]] = [
        ("--instance", role.instance_type),
        ("--tensor-parallel-size", plan.tensor_parallel_size),
        ("--buffer-bytes", plan.pd_buffer_bytes),
        ("--max-model-len", plan.max_model_len_tokens),
        ("--prompt-tokens", plan.max_model_len_tokens),
    ]
    arguments = parse_arguments(list(role.arguments), ())
    given += [(flag, arguments.get(flag)) for flag in _OWN_FLAGS]
    words = ["dpd", "kv", plan.model.key or _MODEL_OF_NO_CATALOGUE]
    for flag, value in given:
        if value is not None:
            words += [flag, str(value)]
    return shlex.join(words)
