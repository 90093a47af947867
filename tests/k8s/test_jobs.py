"""Staging of weights and benchmarks: what the pods may do, and what their programs are told."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.blueprint import names
from k8s.rendering import render

COMMIT = "0123456789abcdef0123456789abcdef01234567"
STAGING = f"""
endpoints:
  llama-70b:
    model: {{weights: {{staging: {{commit: "{COMMIT}", token_secret: hf-token, disk_gib: 40}}}}}}
    benchmark: {{scenarios: ["D(4096,256)", "N(480,240)/(300,150)"], concurrency: [8, 64], max_minutes_per_run: 5}}
"""


def of_kind(environment: Any, kind: str) -> list[dict[str, Any]]:
    return [item for app in environment.apps for item in app.objects if item["kind"] == kind]


def assert_restricted(pod: dict[str, Any]) -> None:
    """The 'restricted' pod security standard, and a read-only root beyond it."""
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
    assert all({"hostPath"}.isdisjoint(volume) for volume in pod.get("volumes", []))
    for container in pod["containers"]:
        context = container["securityContext"]
        assert context["allowPrivilegeEscalation"] is False
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert context["readOnlyRootFilesystem"] is True


def test_pods_of_ours_are_restricted(document):
    environment = render(document(STAGING))
    pods = [i["spec"]["template"]["spec"] for k in ("Job", "DaemonSet") for i in of_kind(environment, k)]
    pods += [i["spec"]["jobTemplate"]["spec"]["template"]["spec"] for i in of_kind(environment, "CronJob")]
    assert len(pods) == 3
    for pod in pods:
        assert_restricted(pod)
        assert pod["automountServiceAccountToken"] is False


def test_staging_runs_on_system_nodes_with_a_sized_disk_and_its_own_identity(document):
    environment = render(document(STAGING))
    [job] = of_kind(environment, "Job")
    spec, pod = job["spec"], job["spec"]["template"]["spec"]
    assert (spec["backoffLimit"], spec["activeDeadlineSeconds"]) == (6, 21600)
    assert spec["ttlSecondsAfterFinished"] > 0
    assert pod["restartPolicy"] == "Never"
    assert pod["nodeSelector"] == {names.ROLE_LABEL: "system"}
    assert pod["serviceAccountName"] == "dpd-staging-llama-70b"
    [container] = pod["containers"]
    assert container["resources"]["requests"]["ephemeral-storage"] == "42Gi"
    [disk] = [volume["emptyDir"] for volume in pod["volumes"] if "emptyDir" in volume]
    assert disk == {"sizeLimit": "42Gi"}
    [token] = [each for each in container["env"] if each["name"] == "HF_TOKEN"]
    assert token["valueFrom"] == {"secretKeyRef": {"name": "hf-token", "key": "token"}}
    assert f"--commit={COMMIT}" in container["command"]
    assert "--bucket=dpd-dev-models-111122223333-us-west-2" in container["command"]
    assert "--prefix=models/llama-3.3-70b-instruct" in container["command"]
    accounts = {i["metadata"]["name"] for i in of_kind(environment, "ServiceAccount")}
    assert pod["serviceAccountName"] in accounts
    [program] = [
        each
        for each in of_kind(environment, "ConfigMap")
        if each["metadata"]["namespace"] != names.WATCH_NAMESPACE
    ]
    [mounted] = [v["configMap"]["name"] for v in pod["volumes"] if "configMap" in v]
    assert mounted == program["metadata"]["name"]


def test_another_commit_is_another_job(document):
    first = of_kind(render(document(STAGING)), "Job")[0]["metadata"]["name"]
    again = of_kind(render(document(STAGING)), "Job")[0]["metadata"]["name"]
    other = of_kind(render(document(STAGING.replace(COMMIT, "f" * 40))), "Job")[0]["metadata"]["name"]
    assert first == again != other


def test_endpoints_that_share_weights_share_the_copy(document):
    second = f"""
  second:
    model: {{catalogue: llama-3.3-70b-instruct, weights: {{s3: {{prefix: models/llama-3.3-70b-instruct/}},
      staging: {{commit: "{COMMIT}"}}}}}}
    prefill: {{instance_group: prefill}}
    decode: {{instance_group: decode}}
"""
    assert len(of_kind(render(document(STAGING + second)), "Job")) == 1


def test_benchmark_rests_until_someone_starts_it(document):
    [cron] = of_kind(render(document(STAGING)), "CronJob")
    assert cron["spec"]["suspend"] is True
    job = cron["spec"]["jobTemplate"]["spec"]
    assert job["backoffLimit"] == 0
    assert job["activeDeadlineSeconds"] >= 60 * 5 * 4
    [container] = job["template"]["spec"]["containers"]
    command = container["command"]
    for argument in (
        "--api-base=http://llama-70b-inference-routing-service.hyperpod-inference-system.svc.cluster.local:443",
        "--api-model-name=/opt/ml/model",
        "--model-tokenizer=meta-llama/Llama-3.3-70B-Instruct",
        "--traffic-scenario=D(4096,256)",
        "--traffic-scenario=N(480,240)/(300,150)",
        "--num-concurrency=8",
        "--num-concurrency=64",
        "--max-time-per-run=5",
        "--server-gpu-type=H100",
        "--server-gpu-count=16",
        "--storage-prefix=benchmarks/llama-70b",
    ):
        assert argument in command
    assert command.index("--api-backend=vllm") < command.index(
        "--api-key=unused"
    )  # the tool reads them in order


def test_longest_names_fit(document):
    """Name and namespace fill the 46 characters that the routing Service's name leaves for both."""
    fragment = f"""
endpoints:
  llama-70b: null
  {"e" * 36}:
    namespace: {"n" * 10}
    model:
      catalogue: llama-3.3-70b-instruct
      weights: {{s3: {{prefix: x}}, staging: {{commit: "{COMMIT}"}}}}
    prefill: {{instance_group: prefill}}
    decode: {{instance_group: decode}}
    benchmark: {{}}
"""
    environment = render(document(fragment))
    for app in environment.apps:
        for item in app.objects:
            limit = {"CronJob": 52, "Job": 63, "Namespace": 63, "DaemonSet": 63}.get(item["kind"], 253)
            assert len(item["metadata"]["name"]) <= limit, item["metadata"]["name"]
            for value in item["metadata"]["labels"].values():
                assert len(value) <= 63
