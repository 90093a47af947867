"""cdk-nag's AWS Solutions pack on every example: nothing but what is accepted with a reason, and no idle acceptance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from infra.acknowledgements import ACCEPTED
from tests.infra.conftest import edge_blueprints, example_blueprints
from tests.support import official

pytestmark = pytest.mark.slow

OPEN_ON_PURPOSE = "unusual"
"""An edge case with a public API and without flow logs, which the pack rightly does not like."""


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    """Rule, construct and description of everything that the pack says."""
    import aws_cdk as cdk
    import cdk_nag

    from infra.stage import EnvironmentStage

    out = tmp_path_factory.mktemp("nag")
    scripts = tmp_path_factory.mktemp("scripts")
    for name in ("on_create.sh", "on_create_main.sh"):
        (scripts / name).write_text("#!/bin/bash\n", encoding="utf-8")
    app = cdk.App(
        outdir=str(out),
        analytics_reporting=False,
        builtin_cloud_formation_validation=False,
        tree_metadata=False,
    )
    cdk.Validations.of(app).add_plugins(cdk_nag.AwsSolutionsChecks(verbose=True))
    edges = [each for each in edge_blueprints(scripts) if each.name != OPEN_ON_PURPOSE]
    given = [resolve(load_environment(official.write(name, scripts))) for name in official.FILES]
    for blueprint in [*example_blueprints(), *edges, *given]:
        EnvironmentStage(app, blueprint.name, blueprint=blueprint)
    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()
    report = json.loads((Path(out) / "validation-report.json").read_text(encoding="utf-8"))
    return [
        (violation["ruleName"], construct["constructPath"], violation["description"])
        for plugin in report["pluginReports"]
        for violation in plugin["violations"]
        for construct in violation["violatingConstructs"]
    ]


def test_every_finding_is_accepted_with_a_reason(findings: list[tuple[str, str, str]]) -> None:
    others = [
        (rule, construct)
        for rule, construct, _ in findings
        if not any(entry.covers(rule, construct) for entry in ACCEPTED)
    ]
    assert others == []
    assert all(entry.reason for entry in ACCEPTED)


def test_no_acceptance_is_idle(findings: list[tuple[str, str, str]]) -> None:
    idle = [
        (entry.rule, entry.construct)
        for entry in ACCEPTED
        if not any(entry.covers(rule, construct) for rule, construct, _ in findings)
    ]
    assert idle == []


def test_an_acceptance_covers_no_more_than_it_says(findings: list[tuple[str, str, str]]) -> None:
    assert not any(entry.covers("AwsSolutions-EKS2", "dev/control-plane/Eks/Resource") for entry in ACCEPTED)
    node = "dev/hyperpod/NodeRole/Resource"
    assert not any(entry.covers("AwsSolutions-IAM5[Action::s3:*]", node) for entry in ACCEPTED)
    assert not any(
        entry.covers("AwsSolutions-IAM5[Resource::arn:aws:iam::1:role/*]", node) for entry in ACCEPTED
    )
    assert any(entry.covers("AwsSolutions-IAM5[Resource::*]", node) for entry in ACCEPTED)
