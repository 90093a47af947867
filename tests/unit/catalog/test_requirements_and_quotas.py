"""Demands of the platform on names and networks, and the quotas to look at first."""

import pytest

from hyperpod_dpd.catalog import instance_types, quotas, requirements


@pytest.mark.parametrize(
    ("subject", "prefix"),
    [
        ("execution_role", "SageMakerHyperPodInference"),
        ("tls_bucket", "hyperpod-tls"),
        ("lifecycle_bucket", "sagemaker-"),
    ],
)
def test_prefixes_of_names(subject: str, prefix: str) -> None:
    found = requirements.name_prefix(subject)
    assert found.prefix == prefix
    assert found.why


def test_a_subject_without_a_prefix_is_an_error() -> None:
    with pytest.raises(KeyError, match="model_bucket"):
        requirements.name_prefix("model_bucket")


def test_subjects_are_unique() -> None:
    subjects = [entry.subject for entry in requirements.name_prefixes()]
    assert len(subjects) == len(set(subjects))


def test_the_recommended_system_type_can_run_the_system_pods_and_a_smaller_one_hardly() -> None:
    pods = requirements.requirement("system_pods").value
    recommended = instance_types.get(requirements.requirement("system_instance_type").value)
    small = instance_types.get("ml.c5.xlarge")
    assert pods == 13
    assert recommended is not None and recommended.max_pods is not None
    assert small is not None and small.max_pods is not None
    assert recommended.architecture == requirements.requirement("operator_architecture").value
    assert recommended.max_pods >= 2 * pods > small.max_pods


def test_numbers_of_the_network() -> None:
    assert requirements.requirement("reserved_subnet_addresses").value == 5
    assert requirements.requirement("control_plane_zones").value == 2
    assert requirements.requirement("authentication_modes").value == ("API", "API_AND_CONFIG_MAP")
    with pytest.raises(KeyError):
        requirements.requirement("weather")


def test_addresses_of_a_24_subnet() -> None:
    """The table of the reference: a /24 holds three P5 nodes, four P6-B200 nodes."""
    usable = 2**8 - requirements.requirement("reserved_subnet_addresses").value
    fit = {}
    for name in instance_types.dpd_types():
        found = instance_types.get(name)
        assert found is not None and found.ips_per_node is not None
        fit[name] = usable // found.ips_per_node
    assert list(fit.values()) == [3, 3, 3, 4, 3]


def test_services_of_a_closed_network() -> None:
    services = {entry.service: entry for entry in requirements.endpoint_services()}
    assert {
        "ec2",
        "ecr.api",
        "ecr.dkr",
        "sts",
        "logs",
        "monitoring",
        "ssm",
        "ssmmessages",
        "ec2messages",
        "eks-auth",
    } <= set(services)
    assert "s3" not in services
    assert services["sagemaker.api"].confirmed and not services["sagemaker.runtime"].confirmed
    assert services["eks-auth"].when == "always"
    assert {s.service: s.when for s in services.values() if s.when != "always"} == {
        "fsx": "file-system",
        "aps-workspaces": "prometheus",
        "grafana-workspace": "managed-grafana",
        "secretsmanager": "external-secrets",
    }


def test_services_without_an_endpoint_are_not_among_those_with_one() -> None:
    without = {entry.service for entry in requirements.services_without_endpoint()}
    assert without == {"acm", "wafv2", "shield", "route53"}
    assert not without & {entry.service for entry in requirements.endpoint_services()}


def test_every_dpd_type_has_a_quota_and_only_p5_has_a_confirmed_code() -> None:
    found = {name: quotas.cluster_usage(name) for name in instance_types.dpd_types()}
    assert all(found.values())
    confirmed = [
        name for name, quota in found.items() if quota is not None and "code" not in quota.unconfirmed
    ]
    assert confirmed == ["ml.p5.48xlarge"]
    p5 = found["ml.p5.48xlarge"]
    assert p5 is not None and (p5.code, p5.default, p5.service) == ("L-8762A75F", 0, "sagemaker")


def test_a_type_without_a_catalogued_quota() -> None:
    assert quotas.cluster_usage("ml.c5.4xlarge") is None


def test_no_catalogued_code_is_one_of_the_known_wrong_ones_or_comes_twice() -> None:
    codes = [quota.code for quota in quotas.all() if quota.code is not None]
    assert len(codes) == len(set(codes))
    assert len(quotas.known_wrong_codes()) == 2
    assert not set(codes) & set(quotas.known_wrong_codes())
