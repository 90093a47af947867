"""Rules on what the roles ask for: GPUs, EFA interfaces, huge pages, memory and CPU, limits of requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hits import hits, not_checked

GPU, EFA = "nvidia.com/gpu", "vpc.amazonaws.com/efa"
KEYS = {"prefill": "prefillSpec", "decode": "decodingSpec"}


def role(fields: str, which: str = "prefill", rest: str = "") -> str:
    return f"spec: {{{rest}pdSpec: {{{KEYS[which]}: {{resources: {{{fields}}}}}}}}}"


def both(resource: str, value: str, which: str = "prefill", rest: str = "") -> str:
    fields = f"requests: {{{resource}: {value}}}, limits: {{{resource}: {value}}}"
    return role(fields, which, rest)


@pytest.mark.parametrize("which", ["prefill", "decode"])
@pytest.mark.parametrize(
    ("fields", "severity", "message"),
    [
        (f"requests: {{{GPU}: null}}, limits: {{{GPU}: null}}", "error", "asks for no nvidia.com/gpu"),
        (f"limits: {{{GPU}: null}}", "error", "no limit"),
        (f"requests: {{{GPU}: null}}", "warning", "not confirmed"),
        (f"requests: {{{GPU}: '4'}}", "error", "both must be equal"),
        (f"requests: {{{GPU}: '0'}}, limits: {{{GPU}: '0'}}", "error", "asks for 0"),
        (f"requests: {{{GPU}: 7500m}}, limits: {{{GPU}: 7500m}}", "error", "asks for 7500m"),
        (f"requests: {{{GPU}: '7.5'}}, limits: {{{GPU}: '7.5'}}", "error", "a whole number"),
        ("limits: {nvidia.com/mig-1g.10gb: 1}", "error", "part of a GPU"),
    ],
)
def test_gpus(fields: str, severity: str, message: str, which: str, tmp_path: Path) -> None:
    (found,) = hits("DPD703", role(fields, which), tmp_path)
    assert found.severity == severity
    assert found.path == f"spec.pdSpec.{KEYS[which]}.resources"
    assert which in found.message
    assert message in found.message


def test_gpus_as_number_or_text_are_the_same(tmp_path: Path) -> None:
    assert not hits("DPD703", role(f"requests: {{{GPU}: 8}}"), tmp_path)


def test_resources_of_the_worker(tmp_path: Path) -> None:
    (found,) = hits("DPD704", "spec: {worker: {resources: {limits: {nvidia.com/gpu: 4}}}}", tmp_path)
    assert (found.path, found.severity) == ("spec.worker.resources.limits['nvidia.com/gpu']", "warning")


@pytest.mark.parametrize("value", ["1024Gi", "1048576Mi", "1099511627776"])
def test_resources_of_the_worker_in_another_spelling(value: str, tmp_path: Path) -> None:
    assert not hits("DPD704", f"spec: {{worker: {{resources: {{limits: {{memory: {value}}}}}}}}}", tmp_path)


def test_resources_of_the_worker_like_one_role_are_fine(tmp_path: Path) -> None:
    fragment = role("limits: {memory: 512Gi}, requests: {memory: 512Gi}", "decode")
    assert not hits("DPD704", fragment, tmp_path)


def test_resources_that_only_the_worker_names_are_another_rules(tmp_path: Path) -> None:
    fragment = "spec: {worker: {resources: {limits: {ephemeral-storage: 1Ti}}}}"
    assert not hits("DPD704", fragment, tmp_path)


@pytest.mark.parametrize(("kind", "share"), [("ml.p5.48xlarge", 32), ("ml.p5en.48xlarge", 16)])
def test_absent_efa_names_the_share(kind: str, share: int, tmp_path: Path) -> None:
    fragment = role(f"requests: {{{EFA}: null}}, limits: {{{EFA}: null}}", rest=f"instanceType: {kind}, ")
    (found,) = hits("DPD705", fragment, tmp_path)
    assert found.severity == "warning"
    assert f'"{share}"' in found.fix


@pytest.mark.parametrize(
    ("fragment", "message"),
    [
        (both(EFA, "'33'"), "has 32"),
        (both(EFA, "'17'", "decode", "instanceType: ml.p5en.48xlarge, "), "has 16"),
        (role(f"requests: {{{EFA}: '16'}}"), "both must be equal"),
        (role(f"limits: {{{EFA}: null}}"), "has no limit"),
        (both(EFA, "'0.5'"), "cannot be divided"),
    ],
)
def test_efa_that_no_node_has(fragment: str, message: str, tmp_path: Path) -> None:
    found = hits("DPD706", fragment, tmp_path)
    assert found[0].severity == "error"
    assert any(message in f.message for f in found)


def test_efa_of_an_unknown_type_is_not_judged(tmp_path: Path) -> None:
    fragment = both(EFA, "'64'", rest="instanceType: ml.house.48xlarge, ")
    assert not hits("DPD706", fragment, tmp_path)


@pytest.mark.parametrize(
    ("gpus", "efa", "fires"), [(8, 32, False), (8, 16, True), (4, 16, False), (4, 32, True), (8, 33, False)]
)
def test_efa_for_each_gpu(gpus: int, efa: int, fires: bool, tmp_path: Path) -> None:
    amounts = f"{{{GPU}: '{gpus}', {EFA}: '{efa}'}}"
    found = hits("DPD707", role(f"requests: {amounts}, limits: {amounts}"), tmp_path)
    assert bool(found) is fires
    if fires:
        assert f'"{gpus * 4}"' in found[0].fix


@pytest.mark.parametrize(
    ("fields", "severity"),
    [
        ("requests: {hugepages-2Mi: 5128Mi}, limits: {hugepages-2Mi: 5128Mi}", "info"),
        ("limits: {hugepages-2Mi: 5128Mi}", "info"),
        ("requests: {hugepages-2Mi: 5128Mi}", "warning"),
        ("requests: {hugepages-2Mi: 1Gi}, limits: {hugepages-2Mi: 2Gi}", "warning"),
        (
            "requests: {cpu: null, memory: null}, limits: {cpu: null, memory: null, hugepages-2Mi: 5128Mi}",
            "warning",
        ),
    ],
)
def test_huge_pages(fields: str, severity: str, tmp_path: Path) -> None:
    (found,) = hits("DPD708", role(fields), tmp_path)
    assert found.severity == severity


@pytest.mark.parametrize(
    ("memory", "rest", "fires"),
    [
        ("64Gi", "", False),
        ("63Gi", "", True),
        ("190Gi", "modelSourceConfig: {prefetchEnabled: true}, ", True),
        ("196Gi", "modelSourceConfig: {prefetchEnabled: true}, ", False),
    ],
)
def test_memory(memory: str, rest: str, fires: bool, tmp_path: Path) -> None:
    fragment = role(f"requests: {{memory: {memory}}}, limits: {{memory: {memory}}}", rest=rest)
    found = hits("DPD709", fragment, tmp_path)
    assert bool(found) is fires
    if fires:
        assert found[0].severity == "warning"
        assert found[0].message.startswith("prefill asks for")


def test_memory_counts_the_cache_of_all_ranks(tmp_path: Path) -> None:
    cache = "worker: {environmentVariables: [{name: LMCACHE_MAX_LOCAL_CPU_SIZE, value: '120'}]}, "
    fragment = role("requests: {memory: 1023Gi}, limits: {memory: 1024Gi}", rest=cache)
    (found,) = hits("DPD709", fragment, tmp_path)
    assert found.fix.endswith("1024Gi or more")


def test_memory_with_prefetching_needs_the_model(tmp_path: Path) -> None:
    fragment = (
        "metadata: {annotations: null}\n"
        "spec: {modelName: house, modelSourceConfig: {prefetchEnabled: true, modelLocation: models/house}}"
    )
    assert "DPD709" in not_checked(fragment, tmp_path)


@pytest.mark.parametrize(
    ("fields", "severity"),
    [
        ("requests: {cpu: '182'}", None),
        ("requests: {cpu: '183'}", "warning"),
        ("requests: {cpu: '192500m'}", "error"),
        ("requests: {memory: 1945Gi}", None),
        ("requests: {memory: 1950Gi}", "warning"),
        ("requests: {memory: 2049Gi}", "error"),
    ],
)
def test_room_on_the_node(fields: str, severity: str | None, tmp_path: Path) -> None:
    found = hits("DPD710", role(fields), tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_room_on_the_node_of_an_environment(tmp_path: Path) -> None:
    fragment = "endpoints: {llama-70b: {decode: {cpu: '190'}}}"
    (found,) = hits("DPD710", fragment, tmp_path, of="environment")
    assert found.path == "endpoints.llama-70b.decode"


@pytest.mark.parametrize("rest", ["", "pdSpec: null, "])
def test_request_limits_without_metrics(rest: str, tmp_path: Path) -> None:
    limits = "worker: {requestLimits: {maxConcurrentRequests: 8}}"
    (found,) = hits("DPD721", f"spec: {{{rest}metrics: {{enabled: false}}, {limits}}}", tmp_path)
    assert (found.path, found.severity) == ("spec.worker.requestLimits", "error")
    assert not hits("DPD721", f"spec: {{{rest}metrics: null, {limits}}}", tmp_path)
    assert not hits("DPD721", f"spec: {{{rest}metrics: {{enabled: false}}}}", tmp_path)


def traffic(concurrency: int, rest: str = "") -> str:
    return f"endpoints: {{llama-70b: {{traffic: {{concurrency: {concurrency}}}{rest}}}}}"


@pytest.mark.parametrize(
    ("concurrency", "rest", "fires"),
    [
        (33, ", decode: {arguments: {max-num-seqs: 32}}", True),
        (32, ", decode: {arguments: {max-num-seqs: 32}}", False),
        (64, "", False),
        (64, ", decode: {arguments: {max-num-seqs: 32}}, request_limits: {maxConcurrentRequests: 40}", False),
    ],
)
def test_back_pressure(concurrency: int, rest: str, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD722", traffic(concurrency, rest), tmp_path, of="environment")
    assert [f.severity for f in found] == (["info"] if fires else [])


@pytest.mark.parametrize(("concurrency", "fires"), [(64, False), (65, True)])
def test_validated_concurrency(concurrency: int, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD720", traffic(concurrency), tmp_path, of="environment")
    assert [f.severity for f in found] == (["info"] if fires else [])


def test_traffic_that_nobody_declares_is_not_checked(tmp_path: Path) -> None:
    notes = not_checked("{}", tmp_path)
    assert "DPD720" in notes
    assert "DPD722" in notes


def test_validated_setup(tmp_path: Path) -> None:
    assert not hits("DPD719", "{}", tmp_path)
    other = "metadata: {annotations: {dpd.check/model: qwen2.5-72b-instruct}}"
    (found,) = hits("DPD719", other, tmp_path)
    assert (found.path, found.severity) == ("spec.modelName", "info")
    assert not hits("DPD719", "spec: {instanceType: ml.g6.48xlarge}", tmp_path)  # refused by another rule
