from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import AddonVersion
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import flat


@rule(
    ("DPD264", "addon-version-in-template", ERROR, TEMPLATE),
    title="An add-on in a template is older than disaggregation needs, or known to be faulty",
    what="""That each add-on of a template that names its version is at least the least that HyperPod, the
    inference add-on and disaggregation need, and none that the catalogue knows to be faulty (a warning).""",
    why="""An older inference add-on drops pdSpec without a word; an older driver keeps the operator from
    starting.""",
    fine="Never.",
    fix="raise AddonVersion",
    sources="""SageMaker developer guide, model-deployment setup, dependency add-ons | HyperPod inference
    release notes, 3.2 | amazon-vpc-cni-k8s issue 3753: 1.22.2 on HyperPod nodes""",
    covers=("R20", "R37"),
    tags=("addons",),
    before="Resources: {Inference: {Properties: {AddonVersion: v1.2.1-eksbuild.1}}}",
    after="Resources: {Inference: {Properties: {AddonVersion: v1.5.0-eksbuild.1}}}",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::EKS::Addon"):
        known = kubernetes.addon(flat(properties.get("AddonName")))
        text = properties.get("AddonVersion")
        if known is None or not isinstance(text, str):
            continue
        path = template.property_path(logical_id, "AddonVersion")
        try:
            version = AddonVersion.parse(text)
        except ValueError as error:
            yield Match(path, str(error))
            continue
        if known.minimum is not None and version < known.minimum:
            yield Match(
                path, f"{known.name} {text} is below {known.minimum}", fix=f"use {known.minimum} or later"
            )
        elif fault := known.fault(version):
            yield Match(path, f"{known.name} {text} {fault.what}", WARNING, fix=f"use {fault.fixed} or later")
