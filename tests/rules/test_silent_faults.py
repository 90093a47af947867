"""Faults that the API server, the operator and the engine let through: each fires, and its near neighbour does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hits import hits, variable

E, W = "error", "warning"
SOURCE = "spec: {{modelSourceConfig: {{modelLocation: {}}}}}"
REGION = "spec: {{modelSourceConfig: {{s3Storage: {{region: {}}}}}}}"
DECODE = "spec: {{pdSpec: {{decodingSpec: {{resources: {{{}}}}}}}}}"
ARGUMENT = "spec: {{worker: {{args: {{{}}}}}}}"
KUBERNETES = "spec: {{kubernetes: {}}}"
PROBE = "spec: {{worker: {{probes: {{livenessProbe: {}}}}}}}"

CASES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("DPD121", SOURCE.format("'s3://models/llama'"), (E,)),
    ("DPD121", SOURCE.format("'https://models.s3.amazonaws.com/llama'"), (E,)),
    ("DPD121", SOURCE.format("'  '"), (E,)),
    ("DPD121", SOURCE.format("models/../../etc"), (E,)),
    ("DPD121", SOURCE.format("/models/llama"), (W,)),
    ("DPD121", SOURCE.format("models//llama"), (W,)),
    ("DPD121", SOURCE.format("models/llama..v2/"), ()),
    ("DPD121", SOURCE.format("'$MODEL_LOCATION'"), ()),
    ("DPD121", "spec: {modelSourceConfig: {modelSourceType: fsx, modelLocation: /llama}}", ()),
    ("DPD122", REGION.format("us-west-22"), (E,)),
    ("DPD122", REGION.format("US-WEST-2"), (E,)),
    ("DPD122", REGION.format("us-west-9"), (W,)),
    ("DPD122", REGION.format("eu-north-1"), ()),
    ("DPD123", "metadata: {namespace: kube-public}", (W,)),
    ("DPD123", "metadata: {namespace: hyperpod-inference-system}", (W,)),
    ("DPD123", "metadata: {namespace: kubeflow}", ()),
    ("DPD124", "metadata: {labels: {team: 'a b'}}", (E,)),
    ("DPD124", "metadata: {labels: {'a b': team}}", (E,)),
    ("DPD124", "metadata: {labels: {'Example.com/a': b}}", (E,)),
    ("DPD124", "metadata: {annotations: {'a b': 'any text'}}", (E,)),
    ("DPD124", "metadata: {labels: {example.com/team: '', app.kubernetes.io/name: Llama_3.3}}", ()),
    ("DPD124", "metadata: {annotations: {example.com/note: 'any text'}}", ()),
    ("DPD125", "spec: {worker: {modelVolumeMount: {mountPath: opt/ml/model}}}", (E,)),
    ("DPD125", "spec: {worker: {modelVolumeMount: {mountPath: '/opt:/ml'}}}", (E,)),
    ("DPD125", KUBERNETES.format("{volumes: [{name: a, emptyDir: {}}, {name: a, emptyDir: {}}]}"), (E,)),
    ("DPD125", KUBERNETES.format("{initContainers: [{name: A b, image: x}]}"), (E,)),
    (
        "DPD125",
        KUBERNETES.format("{initContainers: [{name: a, volumeMounts: [{name: b, mountPath: c}]}]}"),
        (E,),
    ),
    ("DPD125", KUBERNETES.format("{volumes: [{name: a, emptyDir: {}}], initContainers: [{name: a}]}"), ()),
    ("DPD126", "spec: {worker: {image: 'lmcache/vllm-openai:v0.4.3 '}}", (E,)),
    ("DPD126", "spec: {pdSpec: {decodingSpec: {nodeSelector: {a: ' b'}}}}", (E,)),
    ("DPD126", "spec: {worker: {environmentVariables: [{name: 'A ', value: x}]}}", (E,)),
    ("DPD126", variable("VLLM_LOGGING_LEVEL", " INFO "), ()),
    ("DPD126", "metadata: {annotations: {note: ' text '}}", ()),
    ("DPD126", "spec: {tags: [{name: a, value: 'b '}]}", ()),
    ("DPD425", "spec: {worker: {environmentVariables: [{name: '', value: x}]}}", (E,)),
    ("DPD126", SOURCE.format('"models/ll\\u200bama"'), (E,)),
    ("DPD126", SOURCE.format('"mod\u00e8les/llama"'), ()),
    (
        "DPD124",
        "spec: {pdSpec: {decodingSpec: {nodeSelector: {node.kubernetes.io/instance-type: ''}}}}",
        (E,),
    ),
    ("DPD510", ARGUMENT.format("--model: ''"), (E,)),
    ("DPD425", variable("MY VARIABLE", "x"), (E,)),
    ("DPD425", variable("1A", "x"), (E,)),
    ("DPD425", variable("pythonhashseed", "0"), (W,)),
    ("DPD425", variable("lmcache_chunk_size", "256"), (W,)),
    ("DPD425", variable("no_proxy", "x"), ()),
    ("DPD426", variable("NVIDIA_VISIBLE_DEVICES", "none"), (W,)),
    ("DPD426", variable("NVIDIA_DRIVER_CAPABILITIES", "all"), ()),
    ("DPD723", DECODE.format("requests: {memory: -1Gi}"), (E,)),
    ("DPD723", DECODE.format("requests: {cpu: 90}, limits: {cpu: 10}"), (E,)),
    ("DPD723", DECODE.format("requests: {memory: 100Gi}, limits: {memory: 50Gi}"), (E,)),
    ("DPD723", DECODE.format("requests: {cpu: '0'}"), (W,)),
    ("DPD723", DECODE.format("requests: {memory: 1024}"), (W,)),
    ("DPD723", DECODE.format("requests: {memory: 900m}"), (W,)),
    ("DPD723", DECODE.format("requests: {cpu: 500m, ephemeral-storage: 0.5Gi}"), ()),
    ("DPD723", "spec: {worker: {resources: {requests: {cpu: -1}}}}", (E,)),
    ("DPD724", DECODE.format("limits: {gpu: 8}"), (E,)),
    ("DPD724", DECODE.format("limits: {nvidia.com/gpus: 8}"), (W,)),
    ("DPD724", DECODE.format("limits: {aws.amazon.com/efa: 32}"), (W,)),
    ("DPD724", DECODE.format("limits: {nvidia.com/mig-1g.10gb: 1, hugepages-2Mi: 1Gi}"), ()),
    ("DPD507", ARGUMENT.format("--decode-context-parallel-size: 2"), (E,)),
    ("DPD507", ARGUMENT.format("-dcp: 2"), (E,)),
    ("DPD507", ARGUMENT.format("--prefill-context-parallel-size: 2"), (E,)),
    ("DPD507", ARGUMENT.format("--data-parallel-size-local: 2"), (E,)),
    ("DPD507", ARGUMENT.format("--nnodes: 2"), (E,)),
    ("DPD507", ARGUMENT.format("--enable-eplb: true"), (E,)),
    ("DPD507", ARGUMENT.format("--data-parallel-rank: 1"), (E,)),
    ("DPD507", ARGUMENT.format("--pipeline-parallel-size: 2"), (W,)),
    ("DPD507", ARGUMENT.format("--distributed-executor-backend: ray"), (W,)),
    ("DPD507", ARGUMENT.format("--distributed-executor-backend: mp, --decode-context-parallel-size: 1"), ()),
    ("DPD502", ARGUMENT.format("--prefill-context-parallel-size: 2"), (E, E)),
    ("DPD519", ARGUMENT.format("--dtype: bf16"), (E,)),
    ("DPD519", ARGUMENT.format("--dtype: bfloat16"), ()),
    ("DPD519", ARGUMENT.format("--port: 99999"), (E,)),
    ("DPD519", ARGUMENT.format("--port: 65535"), ()),
    ("DPD527", ARGUMENT.format("--headless: true"), (E,)),
    ("DPD527", ARGUMENT.format("--ssl-certfile: /tls/a.pem"), (W,)),
    ("DPD527", ARGUMENT.format("--skip-tokenizer-init: true"), (W,)),
    ("DPD527", ARGUMENT.format("--load-format: safetensors, --ssl-ca-certs: /tls/ca.pem"), ()),
    ("DPD519", ARGUMENT.format("--kv-cache-dtype: fp9"), (E,)),
    ("DPD529", ARGUMENT.format("--kv-cache-dtype: fp9"), ()),
    ("DPD529", ARGUMENT.format("--kv-cache-dtype: auto"), ()),
    ("DPD241", "spec: {tlsConfig: {tlsCertificateOutputS3Uri: 's3://B_x/certs'}}", (E,)),
    ("DPD241", "spec: {dataCapture: {s3Uri: 's3://Upper/x'}}", (E,)),
    ("DPD241", "spec: {tlsConfig: {tlsCertificateOutputS3Uri: 's3://hyperpod-tls-x'}}", ()),
    ("DPD940", PROBE.format("{tcpSocket: {port: 9000}}"), (W,)),
    ("DPD940", PROBE.format("{grpc: {port: 9000}}"), (W,)),
    ("DPD940", PROBE.format("{httpGet: {path: /health, port: 8081}}"), ()),
    ("DPD940", PROBE.format("{httpGet: {path: /health, port: http}}"), ()),
)


@pytest.mark.parametrize(("rule", "fragment", "severities"), CASES, ids=lambda v: str(v)[:70])
def test_a_silent_fault_is_said(
    rule: str, fragment: str, severities: tuple[str, ...], tmp_path: Path
) -> None:
    assert tuple(hit.severity for hit in hits(rule, fragment, tmp_path)) == severities


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{name: A, value: b, valueFrom: {secretKeyRef: {name: s, key: k}}}", "both a value and a source"),
        ("{name: A, valueFrom: {}}", "no source"),
        (
            "{name: A, valueFrom: {secretKeyRef: {name: s, key: k}, fieldRef: {fieldPath: f}}}",
            "several sources",
        ),
    ],
)
def test_a_variable_has_one_source(entry: str, words: str, tmp_path: Path) -> None:
    fragment = f"spec: {{worker: {{environmentVariables: [{entry}]}}}}"
    (hit,) = hits("DPD425", fragment, tmp_path)
    assert words in hit.message


@pytest.mark.parametrize(
    ("rule", "fragment", "path"),
    [
        (
            "DPD121",
            "endpoints: {llama-70b: {model: {weights: {s3: {prefix: /models/llama}}}}}",
            "endpoints.llama-70b.model.weights.s3.prefix",
        ),
        ("DPD123", "endpoints: {llama-70b: {namespace: kube-system}}", "endpoints.llama-70b.namespace"),
        ("DPD507", "endpoints: {llama-70b: {decode: {arguments: {nnodes: 2}}}}", "decode.arguments.nnodes"),
        ("DPD723", "endpoints: {llama-70b: {decode: {cpu: '-4'}}}", "endpoints.llama-70b.decode.cpu"),
        ("DPD723", "endpoints: {llama-70b: {prefill: {memory: '0'}}}", "endpoints.llama-70b.prefill.memory"),
    ],
)
def test_in_an_environment_the_place_is_the_document_s(
    rule: str, fragment: str, path: str, tmp_path: Path
) -> None:
    found = hits(rule, fragment, tmp_path, of="environment")
    assert found and all(hit.path.endswith(path) for hit in found), [hit.path for hit in found]


@pytest.mark.parametrize(
    ("fragment", "words"),
    [
        ("{capacity_gib: 0}", "0 GiB is neither 1,200 nor a multiple of 2,400"),
        ("{capacity_gib: 1300}", "take 1200 or 2400"),
        ("{capacity_gib: 4801}", "take 4800 or 7200"),
        ("{throughput_mbps_per_tib: 300}", "take one of 125, 250, 500, 1000"),
    ],
)
def test_a_file_system_that_fsx_does_not_make(fragment: str, words: str, tmp_path: Path) -> None:
    (hit,) = hits("DPD244", f"storage: {{file_system: {fragment}}}", tmp_path, of="environment")
    assert words in f"{hit.message}; {hit.fix}"


@pytest.mark.parametrize("capacity", [1200, 2400, 4800, 9600])
def test_a_file_system_that_fsx_makes(capacity: int, tmp_path: Path) -> None:
    assert (
        hits("DPD244", f"storage: {{file_system: {{capacity_gib: {capacity}}}}}", tmp_path, of="environment")
        == []
    )
