from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import KubernetesVersion
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, TemplateView, rule


@rule(
    ("DPD286", "kubernetes-in-template", ERROR, TEMPLATE),
    title="The EKS cluster of a template has a Kubernetes version that HyperPod does not take",
    what="""That the version of an EKS cluster in the templates is among those the documentation states: below
    them is an error, above them unconfirmed and a warning.""",
    why="""A cluster cannot go back to an older version, and one minor version at a time forward. HyperPod
    refuses a cluster outside its range, after an hour of making it.""",
    fine="For a version above the range, once the prerequisites page names it.",
    fix="set Version to one that HyperPod and every add-on take",
    sources="SageMaker developer guide, HyperPod EKS prerequisites, Kubernetes versions",
    tags=("cluster",),
    before='Resources: {Eks: {Properties: {Version: "1.27"}}}',
    after='Resources: {Eks: {Properties: {Version: "1.33"}}}',
)
def check(template: TemplateView) -> Matches:
    stated = kubernetes.stated_window()
    for logical_id, properties in template.resources("AWS::EKS::Cluster"):
        given = properties.get("Version")
        if not isinstance(given, str | float):
            continue
        path = template.property_path(logical_id, "Version")
        text = template.document.sources.get(path, str(given))
        try:
            version = KubernetesVersion.parse(text)
        except ValueError as error:
            yield Match(path, str(error))
            continue
        if version not in stated:
            low = version < stated.lowest
            yield Match(
                path,
                f"Kubernetes {version} is {'below' if low else 'above'} {stated}, which HyperPod states",
                None if low else WARNING,
            )
