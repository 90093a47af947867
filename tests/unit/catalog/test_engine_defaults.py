"""Defaults of the engines and of the manifest, spot-checked and compared with the published definition."""

import pytest

from hyperpod_dpd.catalog import engine_defaults, instance_types, manifest_fields, models
from tests.support import crd


def test_lmcache_and_vllm() -> None:
    assert engine_defaults.lmcache().chunk_tokens == 256
    assert engine_defaults.lmcache().nixl_backend != engine_defaults.lmcache().required_nixl_backend
    assert engine_defaults.vllm().gpu_memory_utilization == 0.9
    assert engine_defaults.vllm().max_num_batched_tokens == 8192


def test_documented_values() -> None:
    documented = engine_defaults.documented()
    assert documented.gpu_memory_utilization == 0.75
    assert documented.pd_buffer_bytes == 8 * 1024**3
    assert documented.larger_pd_buffers_bytes == (16 * 1024**3, 32 * 1024**3)
    assert documented.routing_threshold_tokens == 4096
    assert (documented.prefill_max_num_seqs, documented.decode_max_num_seqs) == (16, 32)
    assert documented.python_hash_seed == "0"


def test_router() -> None:
    router = engine_defaults.router()
    assert (router.worker_port, router.sidecar_metrics_port) == (8081, 9113)
    assert router.strategies == ("prefixaware", "kvaware", "session", "roundrobin")
    assert router.kvaware_endpoints[0] == "v1/completions"
    assert not engine_defaults.fact_of("router", "characters_per_token").confirmed


def test_the_router_estimate_reproduces_the_documented_log_line() -> None:
    router = engine_defaults.router()
    assert router.documented_estimate_characters // router.characters_per_token == 6750


def test_transfer_rates_are_ordered() -> None:
    transfer = engine_defaults.transfer()
    assert transfer.fallback_bytes_per_second < transfer.wire_floor_bytes_per_second == 10**9
    for name in instance_types.dpd_types():
        found = instance_types.get(name)
        assert found is not None and found.efa_bytes_per_second_per_gpu is not None
        assert transfer.wire_floor_bytes_per_second < found.efa_bytes_per_second_per_gpu


def test_margins_and_suitability() -> None:
    memory, suitability = engine_defaults.memory(), engine_defaults.suitability()
    assert (memory.error_margin_gib, memory.warning_margin_gib) == (2, 4)
    assert (suitability.parameters_billion, suitability.input_tokens) == (70, 4000)
    assert (suitability.requests_per_second, suitability.output_tokens) == (2, 256)
    assert suitability.low_disaggregated_share < suitability.useful_disaggregated_share


def test_the_largest_documented_buffer_does_not_fit_the_validated_type() -> None:
    """Why the note on it exists: 0.75 of an H100 and 32 GiB exceed what the GPU has."""
    documented, validated = engine_defaults.documented(), engine_defaults.validated()
    gpu = instance_types.get(validated.instance_type)
    assert gpu is not None and gpu.gpu_memory_gib is not None
    share = documented.gpu_memory_utilization * gpu.gpu_memory_gib
    assert share + documented.pd_buffer_bytes / 1024**3 < gpu.gpu_memory_gib
    assert share + documented.larger_pd_buffers_bytes[1] / 1024**3 > gpu.gpu_memory_gib


def test_the_validated_range_points_into_the_catalogue() -> None:
    validated = engine_defaults.validated()
    assert validated.concurrent_requests == 64
    assert validated.instance_type in instance_types.dpd_types()
    assert models.get(validated.model) is not None
    assert max(validated.prefill_replicas_per_decoder) == 3


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spec.metrics.modelMetrics.port", 8080),
        ("spec.loadBalancer.healthCheckPath", "/ping"),
        ("spec.invocationEndpoint", "invocations"),
        ("spec.autoScalingSpec.maxReplicaCount", 5),
        ("spec.pdSpec.topologySpec.sameAZ", True),
        ("spec.intelligentRoutingSpec.enabled", False),
    ],
)
def test_defaults_of_the_manifest(path: str, value: object) -> None:
    found = engine_defaults.manifest_default(path)
    assert found is not None and found.value == value


def test_a_path_without_default() -> None:
    assert engine_defaults.manifest_default("spec.worker.image") is None


def test_defaults_agree_with_the_definition_of_release_3_2() -> None:
    fields = crd.table()["versions"]["v1"]["fields"]
    compared = 0
    for path in (".".join(at) for at, field in manifest_fields.walk() if field.default is not None):
        found = engine_defaults.manifest_default(path)
        assert found is not None
        if "3.2" in found.source.description:
            assert fields[path]["default"] == found.value, path
            compared += 1
    assert compared > 30
