"""Choices of the cloud side that exclude each other are refused with their place and a way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.config import InvalidEnvironment, LoadedEnvironment, load_environment
from hyperpod_dpd.config.updates import windows_apart
from hyperpod_dpd.document import dump_yaml
from tests.support.documents import ENVIRONMENTS, environment
from tests.support.merging import merged


def load(folder: Path, fragment: str, base: str = "dev") -> LoadedEnvironment:
    value: dict[str, Any] = merged(environment(base), yaml.safe_load(fragment))
    file = folder / f"{base}.yaml"
    file.write_text(dump_yaml(value), encoding="utf-8")
    return load_environment(file)


WINDOW = "{window: 'cron(0 2 ? * SUN *)', alarms: [a]}"
LATER = "{window: 'cron(0 4 ? * SUN *)', alarms: [a]}"


@pytest.mark.parametrize(
    ("base", "fragment", "place", "words"),
    [
        ("existing-cluster", "network: {existing: null}", "cluster.existing", "network.existing"),
        ("closed-network", "images: {registry: pull-through}", "images.registry", "mirror"),
        ("closed-network", "delivery: {identity_center: null}", "delivery", "Identity Center"),
        (
            "dev",
            f"cluster: {{instance_groups: {{prefill: {{update: {WINDOW}}}, decode: {{update: {LATER}}}}}}}",
            "cluster.instance_groups.decode.update.window",
            "window of its own",
        ),
        (
            "dev",
            f"cluster: {{instance_groups: {{system: {{update: {WINDOW}}}, decode: {{update: {WINDOW}}}}}}}",
            "cluster.instance_groups.decode.update.window",
            "system",
        ),
        (
            "dev",
            (
                f"{{cluster: {{instance_groups: {{decode: {{update: {WINDOW}}}}}}}, "
                "endpoints: {llama-70b: {prefill: {instance_group: decode}}}}"
            ),
            "cluster.instance_groups.decode.update",
            "both away",
        ),
        (
            "dev",
            "cluster: {instance_groups: {decode: {alternatives: [ml.p5en.48xlarge]}}}",
            "cluster.instance_groups.decode.alternatives[0]",
            "EFA",
        ),
        (
            "dev",
            "cluster: {instance_groups: {decode: {alternatives: [ml.p5.48xlarge]}}}",
            "cluster.instance_groups.decode.alternatives[0]",
            "listed twice",
        ),
        (
            "dev",
            "cluster: {instance_groups: {decode: {instance_type: ml.p5e.48xlarge, alternatives: [ml.p5.48xlarge]}}}",
            "cluster.instance_groups.decode.alternatives[0]",
            "79.6 GiB",
        ),
        (
            "dev",
            "cluster: {instance_groups: {system: {alternatives: [ml.c5.4xlarge, ml.m7g.4xlarge]}}}",
            "cluster.instance_groups.system.alternatives[1]",
            "arm64",
        ),
        *(
            (
                "dev",
                f"cluster: {{instance_groups: {{decode: {{labels: {{{key}: x}}}}}}}}",
                f"cluster.instance_groups.decode.labels['{key}']",
                "set for you",
            )
            for key in (
                names.ROLE_LABEL,
                names.INSTANCE_GROUP_LABEL,
                names.INSTANCE_TYPE_LABEL,
                names.ZONE_LABEL,
            )
        ),
        (
            "closed-network",
            "operations: {budget: {notify: [a@example.com, b@example.com, a@example.com]}}",
            "operations.budget.notify[2]",
            "twice",
        ),
        (
            "closed-network",
            "operations: {budget: {alert_percents: [80, 80]}}",
            "operations.budget.alert_percents[1]",
            "twice",
        ),
        (
            "dev",
            """
region: eu-north-1
network: {control_plane_zones: [eun1-az1, eun1-az2], accelerator_zones: [eun1-az2]}
operations: {budget: {monthly_usd: 1, notify: [a@example.com]}}
""",
            "operations.budget",
            "budgets in eu-north-1",
        ),
        *(
            (
                "dev",
                f"""
region: {region}
network: {{control_plane_zones: [{zone}-az1, {zone}-az2], accelerator_zones: [{zone}-az2]}}
""",
                "region",
                f"HyperPod clusters in {region}",
            )
            for region, zone in (("us-gov-west-1", "usgw1"), ("cn-north-1", "cnn1"), ("eu-west-3", "euw3"))
        ),
        *(
            (
                "closed-network",
                f"delivery: {{identity_center: {{repository_secret_arns: ['{arn}']}}}}",
                "delivery.identity_center.repository_secret_arns[0]",
                "does not have the form",
            )
            for arn in ("*", "arn:aws:secretsmanager:us-east-1:222233334444:secret:*", "git")
        ),
        (
            "staging",
            "cluster: {instance_groups: {prefill: {alternatives: [ml.p5en.48xlarge]}}}",
            "cluster.instance_groups.prefill.alternatives",
            "training plan",
        ),
        *(
            (
                "dev",
                f"cluster: {{instance_groups: {{{group}: {{auto_patch: {strategy}}}}}}}",
                f"cluster.instance_groups.{group}.auto_patch",
                "cordons",
            )
            for group, strategy in (("prefill", "WhenIdle"), ("decode", "WhenAllIdle"))
        ),
        (
            "dev",
            (
                "cluster: {instance_groups: {prefill: {update: {window: 'cron(0 2 ? * SUN *)', alarms: [a], "
                "batch_percent: 50, batch_nodes: 1}}}}"
            ),
            "cluster.instance_groups.prefill.update.batch_nodes",
            "both are given",
        ),
        (
            "dev",
            "cluster: {instance_groups: {decode: {deep_health_checks: [InstanceStress, InstanceStress]}}}",
            "cluster.instance_groups.decode.deep_health_checks",
            "twice",
        ),
        ("dev", "addon_values: {kube-dns: {a: 1}}", "addon_values.kube-dns", "coredns"),
        (
            "dev",
            "addon_values: {cert-manager: {replicaCount: two}}",
            "addon_values.cert-manager.replicaCount",
            "not the number",
        ),
        (
            "dev",
            "addon_values: {cert-manager: {webhook: 2}}",
            "addon_values.cert-manager.webhook",
            "holds webhook.replicaCount",
        ),
        (
            "dev",
            "addon_values: {vpc-cni: {enableNetworkPolicy: true}}",
            "addon_values.vpc-cni.enableNetworkPolicy",
            '"true" or "false", quoted',
        ),
        (
            "dev",
            "addon_values: {vpc-cni: {enableNetworkPolicy: 'yes'}}",
            "addon_values.vpc-cni.enableNetworkPolicy",
            "use one of true, false",
        ),
        (
            "dev",
            "addon_values: {metrics-server: {tolerations: {key: a}}}",
            "addon_values.metrics-server.tolerations",
            "not the list",
        ),
        (
            "dev",
            "addon_values: {amazon-sagemaker-hyperpod-inference: {keda: {enabled: 1}}}",
            "addon_values.amazon-sagemaker-hyperpod-inference.keda.enabled",
            "not the truth value",
        ),
        (
            "dev",
            "addons: {inference: {gateway: true}}",
            "addons.inference.gateway",
            "v2.0.0-eksbuild.2",
        ),
        (
            "dev",
            "addons: {cert_manager: {replicas: two}}",
            "addons.cert_manager.replicas",
            "whole number",
        ),
        (
            "dev",
            "addons: {observability: {metrics: {gpu: BASIC}}}",
            "addons.observability.metrics.gpu",
            "node",
        ),
        ("dev", "addons: {certmanager: {}}", "addons.certmanager", "cert_manager"),
        ("dev", "{allow_replacement: {vpc: ' '}}", "allow_replacement.vpc", "reason"),
    ],
)
def test_spoiled_documents_are_refused(
    tmp_path: Path, base: str, fragment: str, place: str, words: str
) -> None:
    with pytest.raises(InvalidEnvironment) as refused:
        load(tmp_path, fragment, base)
    found = [str(fault) for fault in refused.value.faults]
    assert any(f" {place}: " in fault and words in fault for fault in found), found


@pytest.mark.parametrize(
    ("base", "fragment"),
    [
        ("dev", f"cluster: {{instance_groups: {{prefill: {{update: {WINDOW}}}}}}}"),
        (
            "dev",
            (
                f"cluster: {{instance_groups: {{prefill: {{update: {WINDOW}}}, system: {{update: {WINDOW}}}, "
                "decode: {update: {window: 'cron(0 2 ? * WED *)', alarms: [a]}}}}"
            ),
        ),
        ("dev", "cluster: {instance_groups: {decode: {alternatives: [ml.p5e.48xlarge]}}}"),
        ("dev", "cluster: {instance_groups: {decode: {labels: {example.com/team: llm}}}}"),
        ("dev", "network: {cidr: 10.0.0.0/22}"),
        ("dev", "addon_values: {cert-manager: {replicaCount: 2, tolerations: [], webhook: {x: 1}}}"),
        ("dev", "addon_values: {vpc-cni: {enableNetworkPolicy: 'false', env: {WARM_ENI_TARGET: '1'}}}"),
        ("dev", "addon_values: {coredns: {anything: [1, two, {three: 3}]}}"),
        (
            "dev",
            "{addons: {inference: {gateway: true}}, operator: {addon_version: v2.1.0-eksbuild.1}}",
        ),
        ("dev", "cluster: {instance_groups: {system: {auto_patch: WhenIdle}}}"),
        (
            "dev",
            (
                "cluster: {instance_groups: {prefill: {update: {window: 'cron(30 4 1 */3 ? *)', alarms: [a], "
                "batch_nodes: 1, rollback_batch_percent: 100}}}}"
            ),
        ),
        ("closed-network", "images: {registry: mirror}"),
    ],
)
def test_what_goes_together_is_accepted(tmp_path: Path, base: str, fragment: str) -> None:
    load(tmp_path, fragment, base)


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        ("0 2 ? * SUN *", "0 2 ? * WED *", True),
        ("0 2 ? * SUN *", "0 5 ? * SUN *", False),
        ("0 2 ? * SUN *", "0 6 ? * SUN *", True),
        ("0 23 ? * SAT *", "0 1 ? * SUN *", False),
        ("0 20 ? * SAT *", "0 1 ? * SUN *", True),
        ("0 2 ? * WED *", "0 3 ? * 4 *", False),
        ("0 2 ? * WED *", "0 3 ? * 5 *", True),
        ("0 2 ? * 1#2 *", "0 3 ? * SUN *", False),
        ("0 2 ? * 7L *", "0 3 ? * SAT *", False),
        ("0 2 ? * L *", "0 3 ? * WED *", False),
        ("0 2 1 * ? *", "0 3 ? * SUN *", False),
        ("0 2 1 * ? *", "0 14 ? * SUN *", True),
    ],
)
def test_windows_apart(first: str, second: str, apart: bool) -> None:
    assert windows_apart(f"cron({first})", f"cron({second})") is apart
    assert windows_apart(f"cron({second})", f"cron({first})") is apart


def test_every_example_loads() -> None:
    for name in ("closed-network", "existing-cluster"):
        load_environment(ENVIRONMENTS / f"{name}.yaml")
