"""
What it checks
--------------
That each add-on of a template that names its version is at least the least that HyperPod, the inference add-on
and disaggregation need.

Why it matters
--------------
An older inference add-on drops pdSpec without a word; an older driver keeps the operator from starting.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import AddonVersion
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.template_values import flat

if TYPE_CHECKING:
    from hyperpod_dpd.view.template import TemplateView

RULE = Rule(
    id="DPD264",
    name="addon-version-in-template",
    severity=Severity.ERROR,
    title="An add-on in a template is older than disaggregation needs",
    fix="raise AddonVersion",
    sources=(
        "SageMaker developer guide, model-deployment setup, dependency add-ons",
        "HyperPod inference release notes, 3.2",
    ),
    applies_to=AppliesTo.TEMPLATE,
    covers=(
        "R20",
        "R37",
    ),
    tags=("addons",),
    example=Example(
        of="template",
        before="Resources: {Inference: {Properties: {AddonVersion: v1.2.1-eksbuild.1}}}",
        after="Resources: {Inference: {Properties: {AddonVersion: v1.5.0-eksbuild.1}}}",
    ),
)


def check(template: TemplateView) -> Iterator[Hit]:
    for logical_id, properties in template.resources("AWS::EKS::Addon"):
        known = kubernetes.addon(flat(properties.get("AddonName")))
        text = properties.get("AddonVersion")
        if known is None or known.minimum is None or not isinstance(text, str):
            continue
        path = template.property_path(logical_id, "AddonVersion")
        try:
            version = AddonVersion.parse(text)
        except ValueError as error:
            yield Hit(path, str(error))
            continue
        if version < known.minimum:
            yield Hit(
                path, f"{known.name} {text} is below {known.minimum}", fix=f"use {known.minimum} or later"
            )
