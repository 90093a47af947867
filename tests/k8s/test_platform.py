"""Guard rails of a namespace, volumes, images and secrets: what is there, and what it may reach."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.config import InvalidEnvironment
from k8s.rendered import RenderedEnvironment
from k8s.rendering import render

ROLE = names.POD_ROLE_LABEL


def objects(environment: RenderedEnvironment, kind: str) -> list[dict[str, Any]]:
    return [item for app in environment.apps for item in app.objects if item["kind"] == kind]


def one(environment: RenderedEnvironment, kind: str, name: str | None = None) -> dict[str, Any]:
    [item] = [i for i in objects(environment, kind) if name in {None, i["metadata"]["name"]}]
    return item


def test_quota_leaves_room_for_the_surge_of_a_rolling_update(document):
    quota = one(render(document(of="prod")), "ResourceQuota")
    assert quota["spec"] == {"hard": {"requests.nvidia.com/gpu": "48"}}  # (3 + 1 + 1 + 1) pods of 8


def test_quota_counts_what_autoscaling_may_reach(document):
    fragment = "endpoints: {llama-70b: {prefill: {autoscaling: {max_replicas: 4}}}}"
    assert one(render(document(fragment)), "ResourceQuota")["spec"]["hard"] == {
        "requests.nvidia.com/gpu": str((4 + 1 + 1 + 1) * 8)
    }


def test_the_decoder_is_protected_before_prefillers(rendered):
    budgets = {i["metadata"]["name"]: i["spec"] for i in objects(rendered["prod"], "PodDisruptionBudget")}
    assert budgets["dpd-decode"] == {"maxUnavailable": 0, "selector": {"matchLabels": {ROLE: "decode"}}}
    assert budgets["dpd-prefill"]["maxUnavailable"] == 1


def test_no_pod_of_ours_comes_before_a_worker(rendered, environment):
    classes = objects(rendered[environment], "PriorityClass")
    assert all(each["value"] < 0 and each["preemptionPolicy"] == "Never" for each in classes)
    for kind in ("DaemonSet", "Job"):
        for item in objects(rendered[environment], kind):
            assert item["spec"]["template"]["spec"]["priorityClassName"] == classes[0]["metadata"]["name"]


def test_clients_do_not_reach_workers_and_the_router_does(rendered):
    policy = one(rendered["dev"], "NetworkPolicy")["spec"]
    assert policy["podSelector"]["matchExpressions"] == [{"key": ROLE, "operator": "Exists"}]
    [rule] = policy["ingress"]
    namespaces = [s["namespaceSelector"]["matchLabels"] for s in rule["from"] if "namespaceSelector" in s]
    assert {"kubernetes.io/metadata.name": names.OPERATOR_NAMESPACE} in namespaces
    assert [s["podSelector"] for s in rule["from"] if "podSelector" in s] == [policy["podSelector"]]
    assert "ports" not in rule  # the transfer's ports are the operator's to choose


def test_further_clients_are_let_in_by_namespace(document):
    policy = one(render(document("platform: {worker_clients: [monitoring, monitoring]}")), "NetworkPolicy")[
        "spec"
    ]
    [rule] = policy["ingress"]
    let_in = [s["namespaceSelector"]["matchLabels"] for s in rule["from"] if "namespaceSelector" in s]
    assert let_in.count({"kubernetes.io/metadata.name": "monitoring"}) == 1
    assert len(let_in) == 3


def test_colocated_pods_have_no_role_label_to_select(document):
    environment = render(document("endpoints: {llama-70b: {topology: colocated}}"))
    assert objects(environment, "NetworkPolicy") == objects(environment, "PodDisruptionBudget") == []


@pytest.mark.parametrize(
    ("fragment", "kind"),
    [
        ("platform: {gpu_quota: false}", "ResourceQuota"),
        ("platform: {network_policies: false}", "NetworkPolicy"),
        ("platform: {pre_pull: false}", "DaemonSet"),
    ],
)
def test_each_guard_rail_can_be_left_out(document, fragment, kind):
    assert objects(render(document()), kind)
    assert objects(render(document(fragment)), kind) == []


def test_disruption_budgets_can_be_left_out(document):
    from hyperpod_dpd.config.platform import Platform

    base = document()
    platform = Platform.model_validate_json('{"disruption_budgets": null}')
    apps = replace(base.apps, platform=platform)
    assert objects(render(replace(base, apps=apps)), "PodDisruptionBudget") == []


def test_readers_read_logs_and_no_secret(rendered):
    for role in objects(rendered["dev"], "Role"):
        for rule in role["rules"]:
            assert "secrets" not in rule["resources"]
            assert "*" not in rule["verbs"]
    bindings = {
        (b["metadata"]["namespace"], b["metadata"]["name"], b["subjects"][0]["name"])
        for b in objects(rendered["dev"], "RoleBinding")
        if b["subjects"][0]["kind"] == "Group"
    }
    assert bindings == {
        ("inference", "dpd-reader", "dpd-readers"),
        ("inference", "dpd-deployer", "dpd-deployers"),
        (names.OPERATOR_NAMESPACE, "dpd-reader", "dpd-readers"),
    }


def test_images_are_pulled_on_the_groups_that_run_them_with_no_gpu(blueprints, rendered):
    [plan] = blueprints["prod"].endpoints
    pod = one(rendered["prod"], "DaemonSet")["spec"]["template"]["spec"]
    terms = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    [expression] = terms["nodeSelectorTerms"][0]["matchExpressions"]
    assert expression == {
        "key": names.INSTANCE_GROUP_LABEL,
        "operator": "In",
        "values": ["decode", "prefill"],
    }
    [container] = pod["containers"]
    assert container["image"] == plan.image
    assert set(container["resources"]["limits"]) == {"memory"}


def test_two_images_are_two_daemon_sets(document):
    fragment = """
    endpoints:
      other:
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: x}}}
        image: {repository: example/worker, tag: v1}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}
    """
    found = objects(render(document(fragment)), "DaemonSet")
    images = [i["spec"]["template"]["spec"]["containers"][0]["image"] for i in found]
    assert "example/worker:v1" in images and len(set(images)) == 2


def test_file_system_is_a_static_volume_with_its_claim(rendered):
    volume, claim = one(rendered["prod"], "PersistentVolume"), one(rendered["prod"], "PersistentVolumeClaim")
    assert volume["spec"]["csi"] == {
        "driver": "fsx.csi.aws.com",
        "volumeHandle": "fs-0a1b2c3d4e5f60718",
        "volumeAttributes": {
            "dnsname": "fs-0a1b2c3d4e5f60718.fsx.us-west-2.amazonaws.com",
            "mountname": "abcdefgh",
        },
    }
    assert volume["spec"]["persistentVolumeReclaimPolicy"] == "Retain"
    assert claim["spec"]["volumeName"] == volume["metadata"]["name"]
    reference = volume["spec"]["claimRef"]
    assert reference == {"name": claim["metadata"]["name"], "namespace": claim["metadata"]["namespace"]}
    assert claim["spec"]["storageClassName"] == volume["spec"]["storageClassName"] == "dpd-static"


def test_nvme_is_one_folder_of_every_node(document):
    fragment = """
    endpoints:
      llama-70b:
        model:
          weights: {s3: null, volume: {claim: nvme, path: llama, host_path: /opt/dlami/nvme/models}}
    """
    environment = render(document(fragment))
    volume = one(environment, "PersistentVolume")["spec"]
    assert volume["hostPath"] == {"path": "/opt/dlami/nvme/models", "type": "Directory"}
    assert volume["accessModes"] == ["ReadOnlyMany"]
    spec = one(environment, "InferenceEndpointConfig")["spec"]
    assert spec["kubernetes"]["volumes"][0]["persistentVolumeClaim"] == {"claimName": "nvme"}
    assert spec["modelSourceConfig"]["modelSourceType"] == "kubernetesVolume"


SECRETS = """
secrets:
  hf-token: {keys: {token: {name: dpd/hugging-face, property: token}}}
endpoints:
  llama-70b:
    environment_variables: {API_TOKEN: {secret: hf-token, key: token}}
"""


def test_secrets_are_references_all_the_way(document):
    environment = render(document(SECRETS))
    store, secret = one(environment, "SecretStore"), one(environment, "ExternalSecret")
    assert store["spec"] == {"provider": {"aws": {"service": "SecretsManager", "region": "us-west-2"}}}
    assert secret["spec"]["secretStoreRef"] == {"kind": "SecretStore", "name": store["metadata"]["name"]}
    assert secret["spec"]["data"] == [
        {"secretKey": "token", "remoteRef": {"key": "dpd/hugging-face", "property": "token"}}
    ]
    assert secret["spec"]["target"]["name"] == "hf-token"
    variables = one(environment, "InferenceEndpointConfig")["spec"]["worker"]["environmentVariables"]
    assert {
        "name": "API_TOKEN",
        "valueFrom": {"secretKeyRef": {"name": "hf-token", "key": "token"}},
    } in variables


ROUTE = """
routes:
  chat: {host: chat.example.com, weights: {llama-70b: 90, green: 10}, certificate_arn: CERTIFICATE}
endpoints:
  green:
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/x}}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
""".replace("CERTIFICATE", "arn:aws:acm:us-west-2:111122223333:certificate/abc")


def test_a_route_weighs_routers_and_never_a_role(document):
    ingress = one(render(document(ROUTE)), "Ingress")
    assert ingress["metadata"]["namespace"] == names.OPERATOR_NAMESPACE
    annotations = ingress["metadata"]["annotations"]
    action = json.loads(annotations["alb.ingress.kubernetes.io/actions.weighted"])
    assert action["forwardConfig"]["targetGroups"] == [
        {"serviceName": "llama-70b-inference-routing-service", "servicePort": 443, "weight": 90},
        {"serviceName": "green-inference-routing-service", "servicePort": 443, "weight": 10},
    ]
    assert annotations["alb.ingress.kubernetes.io/healthcheck-path"] == "/health"
    assert annotations["alb.ingress.kubernetes.io/scheme"] == "internal"
    [rule] = ingress["spec"]["rules"]
    assert rule["host"] == "chat.example.com"
    [path] = rule["http"]["paths"]
    assert path["backend"]["service"] == {"name": "weighted", "port": {"name": "use-annotation"}}


def test_two_volumes_of_one_name_are_refused_in_words(document):
    weights = "{s3: null, volume: {claim: CLAIM, host_path: /x}}"
    endpoint = f"{{catalogue: llama-3.3-70b-instruct, weights: {weights}}}"
    roles = "prefill: {instance_group: prefill}, decode: {instance_group: decode}"
    first, second = endpoint.replace("CLAIM", "c"), endpoint.replace("CLAIM", "b-c").replace("s3: null, ", "")
    fragment = f"""
    endpoints:
      llama-70b: {{namespace: a-b, model: {first}}}
      other: {{namespace: a, model: {second}, {roles}}}
    """
    with pytest.raises(
        InvalidEnvironment, match="claim a/b-c and claim a-b/c would both have volume dpd-a-b-c"
    ):
        document(fragment)


@pytest.mark.parametrize("namespace", ["dpd-images", "dpd-observability"])
@pytest.mark.parametrize(
    "fragment",
    [
        "endpoints: {llama-70b: {namespace: NAMESPACE}}",
        "secrets: {hf: {namespace: NAMESPACE, keys: {token: {name: a}}}}",
    ],
)
def test_our_own_namespaces_hold_nothing_of_the_users(document, namespace, fragment):
    with pytest.raises(InvalidEnvironment, match=f"namespace: '{namespace}' holds what we run ourselves"):
        document(fragment.replace("NAMESPACE", namespace))


def test_two_jobs_of_one_role_are_refused_in_words(document):
    roles = "prefill: {instance_group: prefill}, decode: {instance_group: decode}"
    model = "model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: p}}}"
    fragment = f"""
    endpoints:
      x: {{namespace: a-dpd-benchmark, benchmark: {{}}, {model}, {roles}}}
      dpd-benchmark-x: {{namespace: a, benchmark: {{}}, {model}, {roles}}}
    """
    with pytest.raises(InvalidEnvironment, match="would share a role"):
        document(fragment)


def test_an_endpoint_may_stand_in_the_operators_namespace(document):
    fragment = f"endpoints: {{llama-70b: {{namespace: {names.OPERATOR_NAMESPACE}}}}}"
    environment = render(document(fragment))
    readers = [i for i in objects(environment, "Role") if i["metadata"]["name"] == "dpd-reader"]
    assert len(readers) == 1
    made = {item["metadata"]["name"] for item in objects(environment, "Namespace")}
    assert names.OPERATOR_NAMESPACE not in made and names.PRE_PULL_NAMESPACE in made
