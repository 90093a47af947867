"""Rules on drills, deployment time, weights, probes and what reaches a prefill pod."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.rules.finding import Finding
from tests.support.broken import BROKEN
from tests.support.documents import check_value, spoiled

ONE, TWO = "sha256:" + "1" * 64, "sha256:" + "2" * 64
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def fired(rule: str, fragment: str, folder: Path, *, of: str = "environment") -> list[Finding]:
    report = check_value(spoiled(fragment, of=of), folder)
    assert not [f for f in report.findings if f.id in BROKEN]
    return [f for f in report.findings if f.id == rule]


def drill(
    *, date: str = "2026-11-12", ran: str | None = ONE, deployed: str | None = ONE, production: bool = True
) -> str:
    record: dict[str, Any] = {"date": date, "image_digest": ran, "report": "wiki/1"}
    return yaml.safe_dump(
        {
            "production": production,
            "images": {"worker": {"digest": deployed} if deployed else {}},
            "operations": {"prefiller_restart_drill": {k: v for k, v in record.items() if v}},
        }
    )


def test_production_without_a_drill(tmp_path: Path) -> None:
    (found,) = fired("DPD930", "production: true", tmp_path)
    assert found.severity.value == "warning"
    assert "no prefiller restart" in found.message
    assert not fired("DPD930", "production: false", tmp_path)
    assert not fired("DPD930", "production: true\nendpoints: {llama-70b: {topology: colocated}}", tmp_path)


def test_a_drill_with_the_deployed_image(tmp_path: Path) -> None:
    assert not fired("DPD930", drill(), tmp_path)


@pytest.mark.parametrize(
    ("fragment", "key", "words"),
    [
        (drill(deployed=TWO), "image_digest", "sha256:222222222222"),
        (drill(deployed=None), "image_digest", "without a digest"),
        (drill(ran=None), "prefiller_restart_drill", "does not say which image"),
        (drill(date="2026-05-01"), "date", "older than the image, built on 2026-05-14"),
    ],
)
def test_a_drill_that_proves_nothing_of_today(fragment: str, key: str, words: str, tmp_path: Path) -> None:
    (found,) = fired("DPD930", fragment, tmp_path)
    assert found.path.startswith("operations.prefiller_restart_drill")
    assert found.path.endswith(key)
    assert words in found.message


def test_a_drill_may_be_both_old_and_of_another_image(tmp_path: Path) -> None:
    assert len(fired("DPD930", drill(date="2026-05-01", deployed=TWO), tmp_path)) == 2


def test_an_endpoint_may_deploy_an_image_of_its_own(tmp_path: Path) -> None:
    own = drill() + f"endpoints: {{llama-70b: {{image: {{digest: '{TWO}'}}}}}}\n"
    (found,) = fired("DPD930", own, tmp_path)
    assert "endpoint llama-70b deploys sha256:222222222222" in found.message


def test_the_decode_node_has_a_plan(tmp_path: Path) -> None:
    (found,) = fired("DPD931", "production: true", tmp_path)
    assert "llama-70b" in found.message
    assert not fired("DPD931", "production: true\noperations: {decode_maintenance_plan: wiki/2}", tmp_path)
    assert not fired("DPD931", "production: false", tmp_path)


@pytest.mark.parametrize(("seconds", "fires"), [(899, True), (900, False), (3600, False)])
def test_time_to_deploy(seconds: int, fires: bool, tmp_path: Path) -> None:
    found = fired("DPD932", f"spec: {{maxDeployTimeInSeconds: {seconds}}}", tmp_path, of="manifest")
    assert bool(found) is fires
    found = fired("DPD932", f"endpoints: {{llama-70b: {{max_deploy_seconds: {seconds}}}}}", tmp_path)
    assert [f.path for f in found] == ["endpoints.llama-70b.max_deploy_seconds"] * fires


def probes(text: str) -> str:
    return f"spec: {{worker: {{probes: {{{text}}}}}}}"


@pytest.mark.parametrize(
    ("text", "probe", "seconds"),
    [
        ("startupProbe: {tcpSocket: {port: 8000}}", "startupProbe", "30 s"),
        ("startupProbe: {failureThreshold: 89, periodSeconds: 10}", "startupProbe", "890 s"),
        ("livenessProbe: {initialDelaySeconds: 300}", "livenessProbe", "330 s"),
        (
            "livenessProbe: {initialDelaySeconds: 900}, startupProbe: {periodSeconds: 60}",
            "startupProbe",
            "180 s",
        ),
    ],
)
def test_probes_that_give_up_early(text: str, probe: str, seconds: str, tmp_path: Path) -> None:
    (found,) = fired("DPD933", probes(text), tmp_path, of="manifest")
    assert found.path == f"spec.worker.probes.{probe}"
    assert seconds in found.message


@pytest.mark.parametrize(
    "text",
    [
        "startupProbe: {failureThreshold: 90}",
        "startupProbe: {failureThreshold: 90}, livenessProbe: {periodSeconds: 5}",
        "livenessProbe: {initialDelaySeconds: 900}",
        "readinessProbe: {periodSeconds: 5}",
    ],
)
def test_probes_that_wait(text: str, tmp_path: Path) -> None:
    assert not fired("DPD933", probes(text), tmp_path, of="manifest")


def hugging_face(model: str, rest: str = "") -> str:
    return (
        "spec: {modelSourceConfig: {modelSourceType: huggingface, "
        f"huggingFaceModel: {{modelId: {model}{rest}}}}}}}"
    )


def test_weights_are_pinned(tmp_path: Path) -> None:
    (found,) = fired("DPD934", hugging_face("Qwen/Qwen2.5-72B-Instruct"), tmp_path, of="manifest")
    assert "Qwen/Qwen2.5-72B-Instruct" in found.message
    pinned = hugging_face("Qwen/Qwen2.5-72B-Instruct", f", commitSHA: {COMMIT}")
    assert not fired("DPD934", pinned, tmp_path, of="manifest")
    assert not fired("DPD934", "{}", tmp_path, of="manifest")
    fragment = """
endpoints:
  llama-70b:
    model:
      weights: {s3: null, hugging_face: {model_id: meta-llama/Llama-3.3-70B-Instruct}}
"""
    for rule in ("DPD934", "DPD935"):
        (found,) = fired(rule, fragment, tmp_path)
        assert found.path.startswith("endpoints.llama-70b.model.weights")


@pytest.mark.parametrize(
    ("model", "rest", "fires"),
    [
        ("meta-llama/Llama-3.3-70B-Instruct", "", True),
        ("meta-llama/Llama-3.3-70B-Instruct", ", tokenSecretRef: {name: hf, key: token}", False),
        ("Qwen/Qwen2.5-72B-Instruct", "", False),
        ("somebody/unknown-model", "", False),
    ],
)
@pytest.mark.parametrize("kind", ["", "\n  pdSpec: null"])
def test_gated_models_need_a_token(model: str, rest: str, fires: bool, kind: str, tmp_path: Path) -> None:
    value = spoiled(hugging_face(model, rest))
    if kind:
        value["spec"].pop("pdSpec")
    report = check_value(value, tmp_path)
    assert bool([f for f in report.findings if f.id == "DPD935"]) is fires


SERVICE = """
apiVersion: v1
kind: Service
metadata: {name: x, namespace: inference}
spec:
  %s
  selector: {inference.sagemaker.aws.amazon.com/dpd-role: %s}
  ports: [{port: 80}]
"""
JOB = """
apiVersion: batch/v1
kind: %s
metadata: {name: smoke}
spec: %s
"""


def objects(text: str, folder: Path) -> list[Finding]:
    report = check_value(yaml.safe_load(text), folder)
    return [f for f in report.findings if f.id == "DPD936"]


def test_a_service_over_prefill_pods(tmp_path: Path) -> None:
    (found,) = objects(SERVICE % ("type: LoadBalancer", "prefill"), tmp_path)
    assert (found.severity.value, found.path) == ("error", "spec.selector")
    assert not objects(SERVICE % ("clusterIP: None", "prefill"), tmp_path)
    assert not objects(SERVICE % ("type: ClusterIP", "decode"), tmp_path)


@pytest.mark.parametrize(
    ("kind", "pod"),
    [
        ("Job", "{template: {spec: %s}}"),
        ("CronJob", "{jobTemplate: {spec: {template: {spec: %s}}}}"),
        ("Pod", "%s"),
        ("Deployment", "{template: {spec: %s}}"),
    ],
)
@pytest.mark.parametrize(
    ("url", "fires"),
    [
        ("http://prefill-llama.inference.svc:8000/v1/completions", True),
        ("http://prefill-llama:8000/v1/chat/completions", True),
        ("http://prefill-llama:8000/metrics", False),
        ("http://llama-inference-routing-service.hyperpod-inference-system.svc:443/v1/completions", False),
    ],
)
def test_a_workload_that_asks_a_prefill_pod(
    kind: str, pod: str, url: str, fires: bool, tmp_path: Path
) -> None:
    spec = pod % f"{{containers: [{{name: c, command: [curl, '{url}']}}]}}"
    found = objects(JOB % (kind, spec), tmp_path)
    assert [f.path.endswith("containers[0].command[1]") for f in found] == [True] * fires


@pytest.mark.parametrize(
    "spec", ["3", "{template: 1}", "{template: {spec: {containers: 5}}}", "{selector: 1}"]
)
@pytest.mark.parametrize("kind", ["Job", "Service", "Pod"])
def test_malformed_objects_are_left_to_others(kind: str, spec: str, tmp_path: Path) -> None:
    report = check_value(yaml.safe_load(JOB % (kind, spec)), tmp_path)
    assert not {f.id for f in report.findings} & {"DPD001", "DPD936"}


@pytest.mark.parametrize("probe", ["livenessProbe", "readinessProbe", "startupProbe"])
def test_probes_that_ask_for_completions(probe: str, tmp_path: Path) -> None:
    text = f"{probe}: {{exec: {{command: [sh, -c, 'curl localhost:8000/v1/chat/completions -d x']}}}}"
    (found,) = fired("DPD937", probes(text), tmp_path, of="manifest")
    assert found.path == f"spec.worker.probes.{probe}.exec.command[2]"
    harmless = f"{probe}: {{httpGet: {{path: /health, port: 8000}}}}"
    assert not fired("DPD937", probes(harmless), tmp_path, of="manifest")


@pytest.mark.parametrize(
    ("decode", "image", "fires"),
    [
        ("{}", "lmcache/vllm-openai:v0.4.3", True),
        ("{--enable-prefix-caching: true}", "lmcache/vllm-openai:v0.4.3", True),
        ("{--no-enable-prefix-caching: true}", "lmcache/vllm-openai:v0.4.3", False),
        ("{--no_enable_prefix_caching: true}", "lmcache/vllm-openai:v0.4.3", False),
        ("{}", "lmcache/vllm-openai:v0.4.5", False),
        ("{}", "registry.local/ours:1", False),
    ],
)
def test_pages_that_the_decoder_never_frees(decode: str, image: str, fires: bool, tmp_path: Path) -> None:
    fragment = f"spec: {{worker: {{image: '{image}'}}, pdSpec: {{decodingSpec: {{args: {decode}}}}}}}"
    found = fired("DPD938", fragment, tmp_path, of="manifest")
    assert bool(found) is fires
    if fires:
        assert found[0].severity.value == "info"
        assert "not confirmed" in found[0].message
        assert "--no-enable-prefix-caching" in found[0].fix


def test_prefix_caching_switched_off_on_prefill_does_not_help_the_decoder(tmp_path: Path) -> None:
    fragment = "spec: {pdSpec: {prefillSpec: {args: {--no-enable-prefix-caching: true}}}}"
    (found,) = fired("DPD938", fragment, tmp_path, of="manifest")
    assert found.path.startswith("spec.pdSpec.decodingSpec")


def test_own_service_account(tmp_path: Path) -> None:
    account = "spec: {kubernetes: {serviceAccountName: me}}"
    (found,) = fired("DPD939", account, tmp_path, of="manifest")
    assert (found.severity.value, "'me'" in found.message) == ("info", True)
    assert not fired("DPD939", "spec: {kubernetes: {schedulerName: mine}}", tmp_path, of="manifest")
