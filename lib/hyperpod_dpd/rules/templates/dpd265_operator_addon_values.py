from collections.abc import Mapping, Sequence

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import AddonVersion
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_addons import addon_values, unreadable_values

_CHART_KEY = ("keda", "podIdentity")


@rule(
    ("DPD265", "operator-addon-values", ERROR, TEMPLATE),
    title="The inference add-on's configuration lacks a value or uses the chart's spelling",
    what="""That the add-on's configuration values are JSON or YAML, have every key that the catalogue marks as
    required for the version, and that KEDA's role is not given under the Helm chart's key (a
    warning: the add-on's schema decides).""",
    why="""Without the cluster's ARN the operator cannot tell which cluster it serves. A role under the
    chart's key is ignored: every scaling trigger is denied, and the endpoint never scales.""",
    fine="For keys, after a look at `aws eks describe-addon-configuration`.",
    fix="give the values under the keys that the add-on, not the Helm chart, expects",
    sources="""SageMaker developer guide, model-deployment setup, configuration of the add-on | HyperPod
    inference release notes, 3.1.2 | HyperPod CLI repository, values of the inference operator chart""",
    covers=("R41", "R42", "HI-0.4"),
    tags=("addons",),
    before="""Resources:
      Inference:
        Properties:
          ConfigurationValues: >-
            {"executionRoleArn": "arn",
            "tlsCertificateS3Bucket": "hyperpod-tls-dev"}""",
    after="""Resources:
      Inference:
        Properties:
          ConfigurationValues: >-
            {"executionRoleArn": "arn",
            "tlsCertificateS3Bucket": "hyperpod-tls-dev",
            "hyperpodClusterArn": "arn"}""",
)
def check(template: TemplateView) -> Matches:
    known = kubernetes.addon(names.OPERATOR_ADDON)
    for logical_id in unreadable_values(template, names.OPERATOR_ADDON):
        yield Match(
            template.property_path(logical_id, "ConfigurationValues"),
            "the configuration values are neither a JSON object nor a YAML mapping",
            fix="write the values as one JSON object",
        )
    for logical_id, values in addon_values(template, names.OPERATOR_ADDON):
        path = template.property_path(logical_id, "ConfigurationValues")
        version = template.bodies[logical_id]["Properties"].get("AddonVersion")
        for key in known.configuration if known is not None else ():
            if key.required and not _older(version, key.since) and not _at(values, key.path.split(".")):
                yield Match(path, f"{key.path} is missing", fix=f"add {key.path} to the configuration values")
        if _at(values, _CHART_KEY):
            yield Match(
                path,
                f"{'.'.join(_CHART_KEY)} is the Helm chart's key; the guide gives the add-on keda.auth instead",
                WARNING,
                fix="write keda.auth.aws.irsa.roleArn",
            )


def _at(values: Mapping[str, object], path: Sequence[str]) -> object:
    value: object = values
    for part in path:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _older(version: object, since: AddonVersion | None) -> bool:
    if since is None or not isinstance(version, str):
        return False
    try:
        return AddonVersion.parse(version) < since
    except ValueError:
        return False
