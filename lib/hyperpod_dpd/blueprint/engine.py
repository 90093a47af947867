"""What the engine is told: vLLM's arguments, environment variables, and the size of the PD buffer."""

from __future__ import annotations

from posixpath import dirname
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.iec.endpoint import SecretReference
from hyperpod_dpd.sizing.pd_buffer import PdBuffer

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.endpoint_plan import ModelPlan
    from hyperpod_dpd.config import endpoint as config
    from hyperpod_dpd.config.endpoint import Argument


def shared_arguments(endpoint: config.Endpoint, tensor_parallel: int, model_path: str) -> tuple[str, ...]:
    """Arguments of both roles: what the document says, else what AWS's example sets."""
    engine = endpoint.engine
    utilization = engine.gpu_memory_utilization or engine_defaults.documented().gpu_memory_utilization
    flags: dict[str, Argument] = {
        "model": model_path,
        "host": "0.0.0.0",
        "port": endpoint.port,
        "tensor-parallel-size": tensor_parallel,
        "max-model-len": engine.max_model_len_tokens,
        "gpu-memory-utilization": utilization,
        "kv-cache-dtype": engine.kv_cache_dtype,
    }
    given = {flag: value for flag, value in flags.items() if value is not None}
    return tuple(as_items({**given, **engine.arguments}))


def as_items(arguments: dict[str, Argument]) -> list[str]:
    """Each flag and its value as two items; true is a bare flag, false its ``--no-`` form."""
    items: list[str] = []
    for flag, value in arguments.items():
        spelled = f"--{flag.lstrip('-')}"
        if value is False:
            items.append(f"--no-{spelled[2:]}")
        elif value is True or value is None:
            items.append(spelled)
        else:
            items += [spelled, str(value)]
    return items


def variables(endpoint: config.Endpoint, buffer: int | None) -> dict[str, str | SecretReference]:
    """Environment variables of both roles; the document's own replace the derived ones, null removes one."""
    values: dict[str, str | SecretReference] = {"HF_HOME": "/tmp/hf_home"}
    if endpoint.topology == "disaggregated":
        values["PYTHONHASHSEED"] = engine_defaults.documented().python_hash_seed
        values["LMCACHE_SAVE_DECODE_CACHE"] = engine_defaults.documented().save_decode_cache
    if endpoint.metrics.enabled:
        # Without it vLLM starts before LMCache has set a default, and LMCache's series never show up. LMCache's own
        # default is a folder that only LMCache makes; the one above it is there when vLLM starts.
        values["PROMETHEUS_MULTIPROC_DIR"] = dirname(engine_defaults.lmcache().metrics_directory)
    if buffer is not None:
        values["PD_BUFFER_SIZE"] = str(buffer)
    if endpoint.routing.strategy == "session" and endpoint.routing.session_key:
        values[names.SESSION_KEY_VARIABLE] = endpoint.routing.session_key
    for name, value in endpoint.environment_variables.items():
        if value is None:
            values.pop(name, None)
            continue
        values[name] = (
            value if isinstance(value, str) else SecretReference(secret=value.secret, key=value.key)
        )
    return values


def pd_buffer_bytes(endpoint: config.Endpoint, model: ModelPlan) -> int:
    """What the document says, else the documented default cut to whole pages."""
    if endpoint.cache.pd_buffer_bytes is not None:
        return endpoint.cache.pd_buffer_bytes
    default = engine_defaults.documented().pd_buffer_bytes
    if model.page_bytes is None:
        return default
    chunk = engine_defaults.lmcache().chunk_tokens
    buffer = PdBuffer(bytes=default, page_bytes=model.page_bytes, chunk_tokens=chunk)
    return buffer.aligned_bytes or default
