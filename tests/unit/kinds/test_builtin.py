"""Kubernetes' own kinds: the table against the schemas it was made from, and what the schemas cannot say."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from hyperpod_dpd.catalog.data_files import document
from hyperpod_dpd.kinds.builtin import tree_of, versions
from hyperpod_dpd.kinds.judging import object_problems

ROOT = Path(__file__).resolve().parents[3]
DEPLOYMENT: dict[str, Any] = yaml.safe_load("""
apiVersion: apps/v1
kind: Deployment
metadata: {name: exporter, labels: {app: exporter}}
spec:
  replicas: 1
  selector: {matchLabels: {app: exporter}}
  template:
    metadata: {labels: {app: exporter}}
    spec:
      serviceAccountName: exporter
      containers:
      - name: exporter
        image: python
        ports: [{containerPort: 8000, name: http}]
        env: [{name: A, value: b}]
        resources: {limits: {cpu: 1, memory: 1Gi}}
        readinessProbe: {httpGet: {path: /, port: http}}
        volumeMounts: [{name: code, mountPath: /code}]
      volumes: [{name: code, configMap: {name: code}}]
""")
OTHERS: list[dict[str, Any]] = list(
    yaml.safe_load_all("""
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: router}
spec:
  podSelector: {matchLabels: {app: router}}
  policyTypes: [Ingress]
  ingress: [{from: [{namespaceSelector: {}}], ports: [{port: 8000, protocol: TCP}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: "team:readers", namespace: a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects: [{kind: Group, name: g, apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: c}
spec:
  schedule: "0 * * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: h}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d}
  maxReplicas: 3
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q}
spec: {hard: {requests.cpu: "8", pods: 4}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: p}
spec: {maxUnavailable: 1, selector: {matchLabels: {a: b}}}
---
apiVersion: v1
kind: Service
metadata: {name: s}
spec: {ports: [{port: 80, targetPort: http}], selector: {a: b}}
""")
)
SOUND = [DEPLOYMENT, *OTHERS]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, child in inner for found in places(child, (*path, key)))]


def changed(value: dict[str, Any], path: tuple[Any, ...], change: Any) -> dict[str, Any]:
    result = copy.deepcopy(value)
    node: Any = result
    for step in path[:-1]:
        node = node[step]
    if change is ...:
        del node[path[-1]]
    elif change == "nonsense" and isinstance(node[path[-1]], dict):
        node[path[-1]]["nonsense"] = 1
    else:
        node[path[-1]] = change
    return result


def refused(value: dict[str, Any]) -> bool:
    try:
        kubernetes_validate.validate(value, "1.35", strict=True)
    except kubernetes_validate.ValidationError:
        return True
    return False


MUTANTS = [
    (value["kind"], path, change)
    for value in SOUND
    for path in places(value)
    if path and path[0] not in ("apiVersion", "kind")
    for change in (..., 7, "text", [], {}, "nonsense", True)
]


@pytest.mark.parametrize("value", SOUND, ids=lambda value: value["kind"])
def test_a_sound_object_passes(value: dict[str, Any]) -> None:
    assert object_problems(value) == []
    assert not refused(value)


def test_what_the_schemas_refuse_we_refuse() -> None:
    """Every mutant that kubernetes-validate refuses is refused; the few that only we refuse have their reasons."""
    assert len(MUTANTS) > 800
    by_kind = {value["kind"]: value for value in SOUND}
    passed = []
    for kind, path, change in MUTANTS[::5]:
        mutant = changed(by_kind[kind], path, change)
        if refused(mutant) and not object_problems(mutant):
            passed.append((kind, path, change))
    assert passed == []


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("spec", "selector", "matchLabels", "app"), "other", "spec.selector.matchLabels.app"),
        (
            ("spec", "template", "spec", "containers", 0, "volumeMounts", 0, "name"),
            "x",
            "volumeMounts[0].name",
        ),
        (("spec", "template", "spec", "containers", 0, "name"), "Exporter", "containers[0].name"),
        (("spec", "template", "spec", "containers", 0, "ports", 0, "containerPort"), 70000, "containerPort"),
        (("spec", "template", "spec", "containers", 0, "imagePullPolicy"), "always", "imagePullPolicy"),
        (("spec", "template", "spec", "containers"), [], "containers"),
        (("spec", "replicas"), -1, "spec.replicas"),
        (("metadata", "name"), "Exporter", "metadata.name"),
        (("metadata", "labels", "app"), "a b", "metadata.labels.app"),
        (("metadata", "finalizers"), ["a b"], "metadata.finalizers"),
    ],
)
def test_what_the_schemas_do_not_say(path: tuple[Any, ...], value: Any, where: str) -> None:
    (problem,) = object_problems(changed(DEPLOYMENT, path, value)) or []
    assert where in problem.message


def test_null_counts_as_absent_but_not_in_a_map() -> None:
    assert object_problems(changed(DEPLOYMENT, ("spec", "replicas"), None)) == []
    (problem,) = object_problems(changed(DEPLOYMENT, ("metadata", "labels", "app"), None)) or []
    assert "null" in problem.message


def test_a_field_is_known_from_the_version_that_brought_it() -> None:
    later = changed(DEPLOYMENT, ("spec", "template", "spec", "hostnameOverride"), "x")
    assert object_problems(later) == object_problems(later, "1.34") == []
    assert object_problems(later, "1.33")


def test_another_kind_is_not_judged() -> None:
    assert object_problems({"apiVersion": "argoproj.io/v1alpha1", "kind": "Application"}) is None
    assert object_problems({"apiVersion": None, "kind": 3}) is None


def test_every_kind_and_limit_of_the_tables_is_one() -> None:
    table, limits = document("kubernetes_kinds"), document("kubernetes_limits")
    for key in table["kinds"]:
        api_version, kind = key.split()
        assert all(tree_of(api_version, kind, version) for version in versions())
    for place in (*limits["enums"], *limits["bounds"]):
        name, _, field = place.partition(".")
        assert any(word.split(":")[0].rstrip("!") == field for word in table["types"][name].split()), place


def test_every_object_of_the_snapshots_passes() -> None:
    files = sorted((ROOT / "tests" / "snapshots").glob("**/*.yaml"))
    judged = 0
    for file in files:
        for value in yaml.load_all(
            file.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        ):
            problems = object_problems(value) if isinstance(value, dict) else None
            assert not problems, (file, [p.message for p in problems or []])
            judged += problems is not None
    assert judged > 50
