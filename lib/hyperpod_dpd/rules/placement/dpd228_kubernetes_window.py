from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import KubernetesVersion
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD228", "kubernetes-window", ERROR, ENVIRONMENT),
    title="The Kubernetes version is outside what HyperPod and its add-ons take",
    what="""That the Kubernetes version is among those the documentation states (below them is an error, above
    them unconfirmed and a warning), and among those for which every add-on that disaggregation needs is
    published.""",
    why="""An EKS cluster cannot go back to an older version. Outside the window the cluster stands and an
    add-on cannot be installed on it.""",
    fine="For a version above the window, once the prerequisites page names it.",
    fix="choose a version that HyperPod and every add-on take",
    sources="""SageMaker developer guide, HyperPod EKS prerequisites, Kubernetes versions | EKS add-on
    versions and their Kubernetes ranges, as listed in one account""",
    covers=("HI-1.5a",),
    tags=("addons",),
    waivable=True,
    before='cluster: {kubernetes_version: "1.28"}',
    after='cluster: {kubernetes_version: "1.33"}',
)
def check(environment: EnvironmentView) -> Matches:
    version = KubernetesVersion.parse(environment.document.cluster.kubernetes_version)
    stated, safe = kubernetes.stated_window(), kubernetes.safe_window()
    path = ("cluster", "kubernetes_version")
    fix = f"choose a version from {safe}"
    if version in safe:
        return
    if version < stated.lowest:
        yield Match(path, f"Kubernetes {version} is below {stated}, which HyperPod takes", fix=fix)
    elif version in stated:
        yield Match(
            path,
            f"HyperPod takes Kubernetes {version}, but the add-ons are published for {safe} only",
            WARNING,
            fix=fix,
        )
    else:
        yield Match(
            path,
            f"Kubernetes {version} is above {stated}, which the documentation states; that HyperPod takes it is not "
            "confirmed",
            WARNING,
            fix=fix,
        )
