from collections.abc import Mapping

from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.rules.rule import ERROR, INFO, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import as_list, flat, references


@rule(
    ("DPD263", "addon-order", ERROR, TEMPLATE),
    title="An add-on is not made to wait for one it needs",
    what="""That, of the add-ons in one template, each depends (directly or through others) on those the
    catalogue says it needs, and none is declared twice. Where no source states an order (CoreDNS among others)
    it is a note. Add-ons of another stack come earlier or later with that stack and are not judged.""",
    why="""CloudFormation makes everything at once that nothing holds back. The inference add-on then looks
    for cert-manager and the CSI drivers before they are there, and task governance's webhook rejects what
    others install.""",
    fine="Never.",
    fix="make the add-on depend on those it needs (DependsOn)",
    sources="""SageMaker developer guide, troubleshooting of the inference add-on's installation | HyperPod
    CLI repository, inference operator chart: start-up checks | aws-cdk pull request 33891: an add-on that is
    declared twice""",
    covers=("R37", "HI-1.10", "D-05"),
    tags=("addons",),
    before="Resources: {Inference: {DependsOn: [S3Driver, FsxDriver, MetricsServer]}}",
    after="Resources: {Inference: {DependsOn: [CertManager, S3Driver, FsxDriver, MetricsServer]}}",
)
def check(template: TemplateView) -> Matches:
    made: dict[str, str] = {}
    for logical_id, properties in template.resources("AWS::EKS::Addon"):
        name = flat(properties.get("AddonName"))
        cluster = flat(properties.get("ClusterName"))
        if name in made and cluster == flat(_properties(template, made[name]).get("ClusterName")):
            yield Match(
                ("Resources", logical_id),
                f"add-on {name} is declared twice, here and as {made[name]}",
                fix="keep one of the two declarations",
            )
        made.setdefault(name, logical_id)
    for name, logical_id in made.items():
        known = kubernetes.addon(name)
        if known is None:
            continue
        before = _before(template, logical_id)
        missing = [needed for needed in known.depends_on if needed in made and made[needed] not in before]
        stated = [needed for needed in missing if needed not in known.unsourced]
        if stated:
            yield Match(("Resources", logical_id), f"add-on {name} does not wait for {', '.join(stated)}")
        elif missing:
            yield Match(
                ("Resources", logical_id),
                f"add-on {name} does not wait for {', '.join(missing)}; no source asks for it, and the add-on may only "
                "take longer to become active",
                INFO,
            )


def _properties(template: TemplateView, logical_id: str) -> Mapping[str, object]:
    properties = template.bodies[logical_id].get("Properties")
    return properties if isinstance(properties, Mapping) else {}


def _before(template: TemplateView, logical_id: str) -> set[str]:
    """Everything that is made earlier, by DependsOn or because it is referred to."""
    seen: set[str] = set()
    waiting = [logical_id]
    while waiting:
        body = template.bodies.get(waiting.pop(), {})
        referred = (_name(reference) for reference in references(body.get("Properties")))
        for name in (*map(str, as_list(body.get("DependsOn"))), *referred):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def _name(reference: Mapping[str, object]) -> str:
    [argument] = reference.values()
    first = as_list(argument)[:1]
    return str(first[0]).split(".")[0] if first else ""
