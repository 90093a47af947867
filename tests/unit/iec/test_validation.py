"""What validate() says about single spoilings of a sound endpoint."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperpod_dpd.iec.validation import validate


def spoil(endpoint, path, value):
    """``endpoint`` with the value at a dotted path replaced; ``...`` removes it."""
    node = endpoint
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        node = node[step]
    if value is ...:
        del node[last]
    else:
        node[last] = value
    return endpoint


def only(problems):
    assert len(problems) == 1, [p.message for p in problems]
    return problems[0]


def test_a_sound_endpoint_has_no_problem(endpoint):
    assert validate(endpoint) == []
    assert validate(endpoint, release="3.2") == []


@pytest.mark.parametrize(
    ("path", "value", "kind", "words"),
    [
        ("spec.worker.environmentVariables.0.value", 0, "wrong-type", ['"0"']),
        ("spec.worker.environmentVariables.0.value", False, "wrong-type", ['"False"']),
        ("spec.worker.environmentVariables.1.value", 8589934592.0, "wrong-type", ["quotes"]),
        ("spec.pdSpec.prefillSpec.replicas", "2", "wrong-type", ["Remove the quotes: 2"]),
        ("spec.pdSpec.prefillSpec.replicas", 0, "minimum", ["at least 1"]),
        ("spec.pdSpec.routingThreshold", -1, "minimum", ["at least 0"]),
        ("spec.pdSpec.routingThreshold", 2**31, "maximum", ["32 bits"]),
        ("spec.pdSpec.routingThreshold", 4096.5, "wrong-type", ["whole number"]),
        ("spec.intelligentRoutingSpec.enabled", "true", "wrong-type", ["Remove the quotes: true"]),
        ("spec.intelligentRoutingSpec.routingStrategy", "prefix-aware", "enum", ["Write prefixaware"]),
        ("spec.intelligentRoutingSpec.routingStrategy", "kv-aware", "enum", ["Write kvaware"]),
        ("spec.intelligentRoutingSpec.routingStrategy", "RoundRobin", "enum", ["Write roundrobin"]),
        (
            "spec.intelligentRoutingSpec.routingStrategy",
            "zzz",
            "enum",
            ["prefixaware, kvaware, session, roundrobin"],
        ),
        ("spec.modelSourceConfig.modelSourceType", "S3", "enum", ["Write s3"]),
        ("spec.instanceType", "p5.48xlarge", "pattern", ["ml.p5.48xlarge"]),
        ("spec.worker.modelInvocationPort.containerPort", 70000, "maximum", ["65535"]),
        ("spec.worker.modelInvocationPort.containerPort", "http", "wrong-type", ["whole number"]),
        ("spec.worker.modelInvocationPort.name", "https", "pattern", ["http or grpc"]),
        ("spec.worker.resources.limits", 'memory:64Gi\n cpu:"8"', "wrong-type", ["space"]),
        ("spec.worker.resources.limits", {"cpu": 0.5}, "wrong-type", ['"0.5"']),
        ("spec.worker.resources.limits", {"memory": "64 Gi"}, "pattern", ["'64Gi'"]),
        ("spec.worker.args", "--port 8000", "wrong-type", ["list item"]),
        ("spec.worker.args", ["--port", 8000], "wrong-type", ['"8000"']),
        ("spec.worker.args", [{"--port": 8000}], "wrong-type", ['"--port" and "8000"']),
        ("spec.worker.environmentVariables", {"A": "1"}, "wrong-type", ["- name: NAME"]),
        ("spec.worker.image", ..., "missing", ["Add image to spec.worker"]),
        ("spec.worker.image", None, "missing", ["spec.worker"]),
        ("spec.pdSpec.prefillSpec", ..., "missing", ["prefillSpec"]),
        ("metadata.name", ..., "missing", ["metadata.name"]),
        ("spec", ..., "missing", ["spec"]),
        ("metadata.labels", {"a": 1}, "wrong-type", ['"1"']),
        ("spec.modelName", "a" * 64, "length", ["63"]),
        ("spec.endpointName", "a.b", "pattern", ["no dots"]),
        ("spec.tags", [None], "wrong-type", ["spec.tags[0]"]),
        ("spec.worker.resources.limits", {8: "1"}, "wrong-type", ["quotes"]),
        ("spec.worker.modelVolumeMount", [], "wrong-type", ["mapping"]),
    ],
)
def test_one_spoiling_one_problem(endpoint, path, value, kind, words):
    spoiled = spoil(endpoint, path, value)
    problem = only(validate(spoiled))
    assert problem.kind == kind
    for word in words:
        assert word in f"{problem.message} {problem.fix}"
    written = tuple(int(step) if step.isdigit() else step for step in path.split("."))
    assert problem.path[: len(written)] == written
    assert problem.message.endswith((".", "?")), problem.message


@pytest.mark.parametrize(
    ("place", "key", "words"),
    [
        ("spec", "prefillSpec", "spec.pdSpec"),
        ("spec", "image", "spec.worker"),
        ("spec", "env", "spec.worker.environmentVariables"),
        ("spec", "environmentVariables", "spec.worker.environmentVariables"),
        ("spec", "routingThreshold", "spec.pdSpec"),
        ("spec", "routingStrategy", "spec.intelligentRoutingSpec"),
        ("spec", "tlsCertificateOutputS3Uri", "spec.tlsConfig"),
        ("spec", "volumes", "spec.kubernetes"),
        ("spec", "serviceAccountName", "spec.kubernetes"),
        ("spec", "sageMakerEndpoint", "JumpStartModel"),
        ("spec", "template", "Deployment"),
        ("spec", "priorityClassName", "Helm chart"),
        ("spec", "endpointname", "endpointName"),
        ("spec", "instance_type", "instanceType"),
        ("spec", "intelligentRouting", "intelligentRoutingSpec"),
        ("spec", "maxReplicas", "maxReplicaCount"),
        ("spec.worker", "volumeMounts", "modelVolumeMount"),
        ("spec.worker", "env", "environmentVariables"),
        ("spec.worker", "readinessProbe", "spec.worker.probes"),
        ("spec.worker", "port", "modelInvocationPort"),
        ("spec.worker", "invocationEndpoint", "spec."),
        ("spec.pdSpec", "prefill", "prefillSpec"),
        ("spec.pdSpec", "decodeSpec", "decodingSpec"),
        ("spec.pdSpec.prefillSpec", "image", "spec.worker.image"),
        ("spec.pdSpec.prefillSpec", "environmentVariables", "share"),
        ("spec.pdSpec.prefillSpec", "nodeAffinity", "nodeSelector"),
        ("spec.pdSpec.decodingSpec", "minReplicaCount", "decodingAutoScaling"),
        ("spec.pdSpec.decodingSpec", "zzz", "args, nodeSelector, replicas, resources"),
        ("metadata", "label", "labels"),
    ],
)
def test_unknown_fields_come_with_the_right_place(endpoint, place, key, words):
    problem = only(validate(spoil(endpoint, f"{place}.{key}", {})))
    assert problem.kind == "unknown-field"
    assert problem.path == (*place.split("."), key)
    assert words in f"{problem.message} {problem.fix}"


@pytest.mark.parametrize(
    ("block", "words"),
    [("tlsConfig", "known there"), ("dataCapture", "spec.dataCapture.loadBalancer")],
)
def test_a_common_word_is_not_sent_to_a_block_beside_its_own(endpoint, block, words):
    problem = only(validate(spoil(endpoint, f"spec.{block}", {"enabled": True})))
    assert words in problem.message and "intelligentRoutingSpec" not in f"{problem.message} {problem.fix}"


@pytest.mark.parametrize(
    ("block", "key", "words"),
    [
        ({"metrics": {"modelMetricsConfig": {"port": 8000}}}, "modelMetricsConfig", "modelMetrics"),
        ({"autoScalingSpec": {"minReplicas": 1}}, "minReplicas", "minReplicaCount"),
        (
            {"tlsConfig": {"customCertificateConfig": {
                "acmArn": "arn:aws:acm:us-east-2:123456789012:certificate/ab-12",
                "domainName": "a.example.com",
                "tlsCertificateOutputS3Uri": "s3://b",
            }}},
            "tlsCertificateOutputS3Uri",
            "one level up",
        ),
    ],
)  # fmt: skip
def test_slips_of_published_examples(endpoint, block, key, words):
    endpoint["spec"].update(block)
    problem = only(validate(endpoint))
    assert problem.path[-1] == key
    assert words in problem.fix


def test_every_fault_is_listed(endpoint):
    spoil(endpoint, "spec.worker.environmentVariables.0.value", 0)
    spoil(endpoint, "spec.pdSpec.prefillSpec.replicas", "1")
    spoil(endpoint, "spec.instanceType", "p5")
    spoil(endpoint, "spec.worker.nonsense", 1)
    spoil(endpoint, "spec.modelName", ...)
    assert sorted(p.kind for p in validate(endpoint)) == [
        "missing",
        "pattern",
        "unknown-field",
        "wrong-type",
        "wrong-type",
    ]


def test_duplicates_of_list_keys(endpoint):
    endpoint["spec"]["worker"]["environmentVariables"].append({"name": "PYTHONHASHSEED", "value": "1"})
    ports = [
        {"containerPort": 1},
        {"containerPort": 1, "protocol": "TCP"},
        {"containerPort": 1, "protocol": "UDP"},
    ]
    endpoint["spec"]["kubernetes"] = {"initContainers": [{"name": "a", "ports": ports}]}
    found = {p.path: p for p in validate(endpoint)}
    assert set(found) == {
        ("spec", "worker", "environmentVariables", 2, "name"),
        ("spec", "kubernetes", "initContainers", 0, "ports", 1, "containerPort"),
    }
    assert {p.kind for p in found.values()} == {"duplicate-key-entry"}
    assert "PYTHONHASHSEED" in found["spec", "worker", "environmentVariables", 2, "name"].message


@pytest.mark.parametrize(
    ("block", "since"),
    [
        ({"loadBalancer": {"idleTimeoutSeconds": 600}}, "3.3"),
        ({"modelCacheConfig": {"weightsCache": {"enabled": True}}}, "3.3"),
        ({"metricsSidecarResources": {"limits": {"cpu": "1"}}}, "3.4"),
        ({"tolerations": [{"key": "a", "operator": "Exists"}]}, "3.7"),
        ({"lmcache": {"mode": "MultiProcess"}}, "3.7"),
    ],
)
def test_later_fields_by_release(endpoint, block, since):
    endpoint["spec"].update(block)
    assert validate(endpoint) == []
    assert validate(endpoint, release=since) == []
    problem = only(validate(endpoint, release="3.2"))
    assert problem.kind == "newer-release"
    assert "3.2" in problem.message
    assert validate(endpoint, release="3.10") == []


def test_releases_before_disaggregation(endpoint):
    problem = only(validate(endpoint, release="v3.1.2"))
    assert (problem.kind, problem.path) == ("newer-release", ("spec", "pdSpec"))
    with pytest.raises(ValueError, match="not an operator release"):
        validate(endpoint, release="latest")


def test_dynamo_is_known_but_its_release_is_not_claimed(endpoint):
    endpoint["spec"]["dynamoSpec"] = {"anything": [1]}
    assert validate(endpoint) == []
    problem = only(validate(endpoint, release="3.2"))
    assert "not documented" in problem.message
    assert "3.5" not in problem.fix


def test_old_version_lacks_disaggregation(endpoint):
    endpoint["apiVersion"] = "inference.sagemaker.aws.amazon.com/v1alpha1"
    found = {p.path: p for p in validate(endpoint) if p.kind == "unknown-field"}
    assert set(found) == {("spec", "pdSpec"), ("spec", "intelligentRoutingSpec"), ("spec", "worker", "args")}
    assert "3.2" in found["spec", "pdSpec"].message
    assert "newer" in found["spec", "worker", "args"].message


def test_variables_are_grouped_and_silence_their_consequences(endpoint):
    spoil(endpoint, "spec.modelSourceConfig.s3Storage.region", "$AWS_REGION")
    spoil(endpoint, "spec.instanceType", "${AWS_REGION}")
    spoil(endpoint, "spec.pdSpec.prefillSpec.replicas", "${REPLICAS}")
    spoil(endpoint, "spec.modelSourceConfig.s3Storage.bucketName", "<YOUR_BUCKET>")
    found = {p.value: p for p in validate(endpoint)}
    assert {value: p.kind for value, p in found.items()} == {
        "$AWS_REGION": "unexpanded-variable",
        "${REPLICAS}": "unexpanded-variable",
        "<YOUR_BUCKET>": "placeholder",
    } or set(found) == {"${AWS_REGION}", "${REPLICAS}", "<YOUR_BUCKET>"}
    region = next(p for value, p in found.items() if "AWS_REGION" in value)
    assert {region.path, *region.also} == {
        ("spec", "instanceType"),
        ("spec", "modelSourceConfig", "s3Storage", "region"),
    }
    assert region.refused, "the instance type's pattern refuses the text"
    assert found["${REPLICAS}"].refused
    assert not found["<YOUR_BUCKET>"].refused, "a bucket name may be any text to the API server"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("spec.worker.args.1", "$(MODEL_PATH)", []),
        ("spec.worker.args.1", "$MODEL_PATH", ["unexpanded-variable"]),
        ("spec.worker.environmentVariables.0.value", "$(OTHER)", []),
        ("spec.worker.environmentVariables.0.value", "pa$$WORD", []),
        ("spec.worker.environmentVariables.0.value", "cost $5", []),
        ("spec.worker.args.1", "<think>", []),
        ("spec.worker.args.1", "<YOUR_MODEL>", ["placeholder"]),
        ("spec.worker.args.1", "{{ messages }}", []),
        ("spec.worker.image", "{{ .Values.image }}", ["unexpanded-variable"]),
        ("spec.worker.image", "$(IMAGE)", ["unexpanded-variable"]),
        ("spec.worker.image", "<image>", ["placeholder"]),
        ("spec.worker.image", "CHANGE_ME", ["placeholder"]),
        ("spec.modelName", "${NAME:-llama}", ["unexpanded-variable"]),
        ("spec.worker.command", ["sh", "-c", "exec vllm serve $MODEL"], []),
    ],
)
def test_what_counts_as_unexpanded(endpoint, path, value, expected):
    assert [p.kind for p in validate(spoil(endpoint, path, value))] == expected


def test_a_shell_expands_the_arguments_itself(endpoint):
    spoil(endpoint, "spec.worker.command", ["/bin/bash", "-c"])
    spoil(endpoint, "spec.worker.args", ["exec vllm serve $MODEL"])
    assert validate(endpoint) == []


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (
            {"apiVersion": "hyperpod.sagemaker.aws/v1"},
            "wrong-api-version",
            "inference.sagemaker.aws.amazon.com/v1",
        ),
        ({"apiVersion": "inference.sagemaker.aws.amazon.com/v2"}, "wrong-api-version", "no such version"),
        ({"apiVersion": None}, "wrong-api-version", "no apiVersion"),
        ({"kind": "InferenceEndpoint"}, "wrong-kind", "InferenceEndpointConfig"),
        ({"kind": "JumpStartModel"}, "wrong-kind", "JumpStart"),
        ({"kind": "Deployment", "apiVersion": "apps/v1"}, "wrong-kind", "Deployment"),
    ],
)
def test_the_wrong_thing_is_named(endpoint, change, kind, words):
    problem = only(validate({**endpoint, **change}))
    assert problem.kind == kind
    assert words in f"{problem.message} {problem.fix}"


@pytest.mark.parametrize("value", [None, 3, "text", [], {}, {"a": 1}, [{"kind": "x"}]])
def test_what_is_no_kubernetes_object(value):
    assert [p.kind for p in validate(value)] == ["not-kubernetes"]


def test_a_fragment_is_compared_with_where_it_belongs():
    found = validate({"resources": {"limits": "memory:64Gi cpu:8"}})
    assert [(p.kind, p.path) for p in found] == [
        ("not-kubernetes", ()),
        ("wrong-type", ("resources", "limits")),
    ]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["$A", "<B>", "8Gi"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["worker", "pdSpec", "args", "prefillSpec", "resources", "limits", "name", "value"]
            )
            | st.text(max_size=4)
            | st.integers()
            | st.none()
            | st.booleans(),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=200, deadline=None)
@given(JSON, st.sampled_from(["spec", "spec.worker", "spec.pdSpec", "spec.kubernetes", "metadata", ""]))
def test_never_raises(tree, place):
    manifest = {
        "apiVersion": "inference.sagemaker.aws.amazon.com/v1",
        "kind": "InferenceEndpointConfig",
        "metadata": {"name": "a"},
        "spec": {},
    }
    if place:
        spoil(manifest, place, copy.deepcopy(tree))
    else:
        manifest = tree
    for problem in validate(manifest, release="3.2"):
        assert problem.message
        assert problem.fix
