from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import AddonVersion
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, Path, rule


@rule(
    ("DPD211", "addon-below-minimum", ERROR, ENVIRONMENT),
    title="A pinned add-on is older than the inference add-on accepts, or known to be faulty",
    what="""That each entry of addon_versions is a version of that add-on and not below the least that
    HyperPod or the inference add-on needs, nor one that the catalogue knows to be faulty (a warning).""",
    why="""The operator's first container looks for the CSI drivers and for cert-manager's resources and exits
    without them. The add-on then stays in CREATING for hours before it fails.""",
    fine="Never.",
    fix="raise the version of the add-on, or leave it out: the catalogue's pin is used then",
    sources="""SageMaker developer guide, model-deployment setup, dependency add-ons | SageMaker developer
    guide, HyperPod EKS prerequisites (VPC CNI) | amazon-vpc-cni-k8s issue 3753: 1.22.2 on HyperPod nodes""",
    covers=("R37", "HI-1.10"),
    tags=("addons",),
    before="addon_versions: {cert-manager: v1.17.2-eksbuild.1}",
    after="addon_versions: {cert-manager: v1.19.1-eksbuild.1}",
)
def check(environment: EnvironmentView) -> Matches:
    for name, text in environment.document.addon_versions.items():
        path: Path = ("addon_versions", name)
        known = kubernetes.addon(name)
        try:
            version = AddonVersion.parse(text)
        except ValueError as error:
            yield Match(path, str(error), fix="write the version as EKS lists it, such as v1.18.2-eksbuild.2")
            continue
        if known is not None and known.minimum is not None and version < known.minimum:
            yield Match(path, f"{name} {text} is below {known.minimum}, the least that is supported")
        elif known is not None and (fault := known.fault(version)):
            yield Match(path, f"{name} {text} {fault.what}", WARNING, fix=f"pin {fault.fixed} or later")
