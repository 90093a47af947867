"""A closed network: what its owner has to bring, and what it does not reach at all."""

from __future__ import annotations

from tests.support.judging import environment_findings

CLOSED = """
network:
  closed: true
  %s
  existing:
    vpc_id: vpc-0a1b2c3d4e5f60718
    control_plane_subnets: {usw2-az1: subnet-0a1b2c3d4e5f60711, usw2-az2: subnet-0a1b2c3d4e5f60712}
    accelerator_subnets: {usw2-az2: subnet-0a1b2c3d4e5f60713}
    cidrs: [10.0.0.0/16]
    interface_endpoints: %s
"""
QUIET = "addon_values: {amazon-sagemaker-hyperpod-inference: {alb: {%s}}}\n"
OFF = "enableShield: false, enableWaf: false, enableWafv2: false"


def test_the_list_grows_with_the_document(tmp_path) -> None:
    (found,) = environment_findings("DPD246", CLOSED % ("nat: none", "true"), tmp_path)
    assert found.severity == "info"
    assert "grafana-workspace" in found.message and "secretsmanager" in found.message
    (less,) = environment_findings(
        "DPD246", CLOSED % ("nat: none", "true") + "observability: {enabled: false}", tmp_path
    )
    assert "aps-workspaces" not in less.message and "secretsmanager" not in less.message


def test_named_endpoints_leave_nothing_to_the_owner_unsaid(tmp_path) -> None:
    assert environment_findings("DPD246", CLOSED % ("nat: none", "[ec2, sts]"), tmp_path) == []
    assert environment_findings("DPD246", "network: {closed: true}", tmp_path) == []


def test_each_service_out_of_reach_is_said_where_it_is_called(tmp_path) -> None:
    fragment = (
        "network: {closed: true}\nendpoints: {llama-70b: {tls: {hosted_zone_id: Z0ABC, domain_name: a.example, "
        "certificate_arn: 'arn:aws:acm:us-west-2:111122223333:certificate/a'}}}"
    )
    found = environment_findings("DPD247", fragment, tmp_path)
    (records,) = [f for f in found if f.path == "endpoints.llama-70b.tls.hosted_zone_id"]
    acm, controller = sorted(
        (f for f in found if f.path == "network.closed"), key=lambda f: "ACM" not in f.message
    )
    assert len(found) == 3
    assert "ACM" in acm.message and "no source names" in acm.message
    assert "Shield, WAF (regional), WAF" in controller.message
    assert "describe-addon-configuration" in controller.fix
    assert "Route 53" in records.message


def test_only_what_is_still_asked_is_said(tmp_path) -> None:
    half = QUIET % "enableShield: false" + "network: {closed: true, more_endpoints: [acm]}"
    (found,) = environment_findings("DPD247", half, tmp_path)
    assert "asks WAF (regional), WAF about" in found.message


def test_silent_where_nothing_is_asked(tmp_path) -> None:
    for fragment in (
        QUIET % OFF + "network: {closed: true, more_endpoints: [acm]}",
        QUIET % OFF + CLOSED % ("nat: none", "[acm]"),
        "network: {closed: false}",
        "{network: {closed: true}, endpoints: null}",
    ):
        assert environment_findings("DPD247", fragment, tmp_path) == [], fragment


def test_a_helm_release_tells_the_controller_itself(tmp_path) -> None:
    fragment = (
        "network: {closed: true, more_endpoints: [acm]}\n"
        "operator: {install: helm, chart: {commit: 0123456789012345678901234567890123456789}}"
    )
    assert environment_findings("DPD247", fragment, tmp_path) == []
