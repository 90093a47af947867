"""What an endpoint is: its nodes, its engine, its counts, its source of weights."""

from __future__ import annotations

import pytest

from hyperpod_dpd.rules.rule import Severity
from tests.support.findings import findings_in_case, findings_of

COLOCATED = "pdSpec: null"


@pytest.mark.parametrize(
    ("fragment", "path"),
    [
        ("instanceTypes: [ml.p5.48xlarge]", "spec.instanceTypes"),
        (
            "nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}",
            "spec.nodeAffinity",
        ),
        ("instanceType: null", "spec.instanceType"),
        ("instanceType: null, instanceTypes: []", "spec.instanceType"),
    ],
)
def test_exactly_one_way_chooses_the_nodes(fragment, path, tmp_path) -> None:
    (hit,) = findings_of("DPD115", f"spec: {{{fragment}}}", tmp_path)
    assert (hit.path, hit.severity) == (path, Severity.ERROR)


def test_one_instance_type_in_the_list_is_one_way(tmp_path) -> None:
    assert (
        findings_of("DPD115", "spec: {instanceType: null, instanceTypes: [ml.p5.48xlarge]}", tmp_path) == []
    )


def test_a_colocated_endpoint_without_any_is_warned(tmp_path) -> None:
    (hit,) = findings_of("DPD115", f"spec: {{{COLOCATED}, instanceType: null}}", tmp_path)
    assert hit.severity is Severity.WARNING


def test_dynamo_alone_is_not_judged(tmp_path) -> None:
    assert findings_of("DPD116", "spec: {pdSpec: null, dynamoSpec: {}}", tmp_path) == []


def test_dynamo_beside_pd_is_an_error(tmp_path) -> None:
    (hit,) = findings_of("DPD116", "spec: {dynamoSpec: {anything: 1}}", tmp_path)
    assert (hit.path, hit.severity) == ("spec.dynamoSpec", Severity.ERROR)


@pytest.mark.parametrize(
    ("fragment", "paths"),
    [
        ("replicas: 2", ["spec.replicas"]),
        ('replicas: "2"', ["spec.replicas"]),
        ("replicas: 0", ["spec.replicas"]),
        ("replicas: 1", []),
        ("InitialReplicaCount: 2", ["spec.InitialReplicaCount"]),
        ("pdSpec: null, replicas: 3", []),
        ("pdSpec: null, InitialReplicaCount: 1", ["spec.InitialReplicaCount"]),
    ],
)
def test_replica_counts_that_do_not_count(fragment, paths, tmp_path) -> None:
    assert [f.path for f in findings_of("DPD117", f"spec: {{{fragment}}}", tmp_path)] == paths


@pytest.mark.parametrize(
    ("switch", "count"),
    [("enableL2Cache: true, ", 0), ("enableL2Cache: false, ", 1), ("enableL2Cache: null, ", 1)],
)
def test_second_level_settings_need_the_switch(switch, count, tmp_path) -> None:
    fragment = f"spec: {{kvCacheSpec: {{{switch}l2CacheSpec: {{l2CacheBackend: redis}}}}}}"
    assert len(findings_of("DPD118", fragment, tmp_path)) == count


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("modelSourceType: fsx", "spec.modelSourceConfig.fsxStorage"),
        ("modelSourceType: huggingface", "spec.modelSourceConfig.huggingFaceModel"),
        ("modelSourceType: s3, s3Storage: null", "spec.modelSourceConfig.s3Storage"),
        (
            "modelSourceType: fsx, fsxStorage: {fileSystemId: my-lustre}",
            "spec.modelSourceConfig.fsxStorage.fileSystemId",
        ),
    ],
)
def test_each_source_needs_its_block(source, path, tmp_path) -> None:
    (hit,) = findings_of("DPD119", f"spec: {{modelSourceConfig: {{{source}}}}}", tmp_path)
    assert (hit.path, hit.severity) == (path, Severity.ERROR)


@pytest.mark.parametrize(
    "source",
    [
        "modelSourceType: kubernetesVolume, s3Storage: null",
        "modelSourceType: huggingface, huggingFaceModel: {modelId: meta-llama/Llama-3.3-70B-Instruct}",
        "modelSourceType: fsx, fsxStorage: {fileSystemId: fs-0123456789abcdef0}",
        "modelSourceType: fsx, fsxStorage: {fileSystemId: $FSX_ID}",
    ],
)
def test_a_source_with_its_block_passes(source, tmp_path) -> None:
    assert findings_of("DPD119", f"spec: {{modelSourceConfig: {{{source}}}}}", tmp_path) == []


def test_the_other_types_block_is_named(tmp_path) -> None:
    (hit,) = findings_of("DPD119", "spec: {modelSourceConfig: {modelSourceType: fsx}}", tmp_path)
    assert "s3Storage belongs to another type" in hit.message


@pytest.mark.parametrize(
    ("name", "location", "count"),
    [
        ("Llama-3-1-8B", "models/llama-3.3-70b-instruct", 1),
        ("Qwen3-32B", "models/llama-3.3-70b-instruct", 1),
        ("Llama-3-3-70B", "models/llama-3.3-70b-instruct", 0),
        ("assistant", "models/llama-3.3-70b-instruct", 0),
        ("DeepSeek-R1-Distill-Llama-70B", "models/llama-70b", 0),
        ("Qwen3-235B-A22B", "qwen3-235b-a22b-fp8", 0),
        ("llama", "weights/v2", 0),
    ],
)
def test_name_and_weights_of_two_models(name, location, count, tmp_path) -> None:
    fragment = f"spec: {{modelName: {name}, modelSourceConfig: {{modelLocation: {location}}}}}"
    found = findings_of("DPD120", fragment, tmp_path)
    assert len(found) == count
    for hit in found:
        assert name in hit.message and location in hit.message


def test_awss_fsx_example_names_two_models(tmp_path) -> None:
    (hit,) = findings_in_case("DPD120", "file-system-variable", tmp_path)
    assert "deepseek-1-5b" in hit.message


def test_in_an_environment_name_and_prefix_are_compared(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {model: {weights: {s3: {prefix: models/qwen3-32b}}}}}"
    assert len(findings_of("DPD120", fragment, tmp_path, of="environment")) == 1


@pytest.mark.parametrize(
    "case", ["djl-one-gpu", "tgi-eight-gpus", "colocated-routing-latest", "hugging-face-source"]
)
@pytest.mark.parametrize("rule", [f"DPD{n}" for n in range(109, 121)])
def test_accepted_samples_of_other_teams(case, rule, tmp_path) -> None:
    assert findings_in_case(rule, case, tmp_path) == []
