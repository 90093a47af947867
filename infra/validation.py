"""Our template rules inside CDK's own validation, so that `cdk synth` alone fails where `dpd check cdk.out` would."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import aws_cdk as cdk
import jsii

from hyperpod_dpd.catalog import catalog_date
from hyperpod_dpd.document import Document
from hyperpod_dpd.rules import registry
from hyperpod_dpd.rules.engine import Subject, judge
from hyperpod_dpd.rules.finding import Finding
from hyperpod_dpd.rules.rule import AppliesTo, Severity
from hyperpod_dpd.view.template import TemplateView

NAME = "dpd"
_KINDS = (AppliesTo.TEMPLATE,)


def add_template_rules(app: cdk.App) -> None:
    """Judges every template of ``app`` when it is synthesised; an error fails the synthesis."""
    cdk.Validations.of(app).add_plugins(TemplateRules())


@jsii.implements(cdk.IPolicyValidationPlugin)
class TemplateRules:
    """The rules that read CloudFormation templates, as a plugin; an acknowledgement names ``dpd::DPD251``."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def version(self) -> str:
        """The catalogue's date as a version number."""
        return ".".join(str(int(part)) for part in catalog_date().split("-"))

    @property
    def rule_ids(self) -> list[str]:
        return [each.rule.id for each in registry.rules_for(_KINDS)]

    def validate(self, context: cdk.IPolicyValidationContext) -> cdk.PolicyValidationPluginReport:
        """Findings of severity error and warning; only errors make the synthesis fail."""
        assemblies: dict[Path, list[Document]] = defaultdict(list)
        for path in context.template_paths:
            value = json.loads(Path(path).read_text(encoding="utf-8"))
            assemblies[Path(path).parent].append(Document(value, path))
        found = [
            finding
            for beside in assemblies.values()
            for document in beside
            for finding in judge(Subject(TemplateView(document, beside), _KINDS))
            if finding.severity is not Severity.INFO
        ]
        return cdk.PolicyValidationPluginReport(
            success=not any(finding.severity is Severity.ERROR for finding in found),
            violations=[_violation(finding) for finding in found],
        )


def _violation(finding: Finding) -> cdk.PolicyViolation:
    parts = finding.path.split(".")
    named = len(parts) > 1 and parts[0] == "Resources"
    return cdk.PolicyViolation(
        rule_name=finding.id,
        description=f"{finding.message}. {finding.why}",
        fix=finding.fix,
        severity=finding.severity.value,
        violating_resources=[
            cdk.PolicyViolatingResource(
                resource_logical_id=parts[1] if named else "",
                template_path=finding.file,
                locations=["/".join(parts[2:] if named else parts)],
            )
        ],
    )
