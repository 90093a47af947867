from collections.abc import Mapping

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.facts import Taint
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

_KEEPS_AWAY = ("NoSchedule", "NoExecute")


@rule(
    ("DPD213", "tainted-group", WARNING, DISAGGREGATED),
    title="A role's nodes are tainted and its pods tolerate no taint",
    what="""That the instance group a role selects has no taint which keeps the role's pods away. Before the
    release that brought tolerations no pod of an endpoint can have any; from then on the endpoint's own are
    matched.""",
    why="""Pods without a toleration stay Pending on tainted nodes for ever. Whether the operator adds
    tolerations by itself is not confirmed.""",
    fine="Where the operator in use is known to add the toleration.",
    fix="remove the taint and keep other pods away by the group's own label instead",
    sources="""InferenceEndpointConfig CRD, operator 3.2: no tolerations field | HyperPod CLI repository,
    operator 3.7: tolerations on the resource (place of the field not confirmed)""",
    covers=("R33", "HI-0.6a"),
    tags=("placement", "operator"),
    of="environment",
    before="cluster: {instance_groups: {decode: {taints: [{key: dpd, value: decode, effect: NoSchedule}]}}}",
    after="cluster: {instance_groups: {decode: {labels: {dpd: decode}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    tainted = []
    for role in endpoint.roles:
        group = endpoint.group(role)
        if group is not None:
            tainted += [(role, group, t) for t in group.taints if t.effect in _KEEPS_AWAY]
    if not tainted:
        return
    field = operator_releases.field_for("spec.tolerations")
    release = endpoint.operator
    since = field.since if field is not None else None
    known = since is not None and release >= since
    tolerations = endpoint.get("tolerations") if known else None
    for role, group, taint in tainted:
        given = tolerations if isinstance(tolerations, list) else []
        if any(_tolerates(entry, taint) for entry in given):
            continue
        why = (
            f"operator {release} has no tolerations" if not known else "the endpoint tolerates no such taint"
        )
        yield Match(
            (*role.path, "nodeSelector", names.INSTANCE_GROUP_LABEL),
            f"group '{group.name}', which {role.role} selects, has the taint {taint}, and {why}; that the "
            "operator adds one by itself is not confirmed",
        )


def _tolerates(entry: object, taint: Taint) -> bool:
    if not isinstance(entry, Mapping) or entry.get("effect") not in (None, "", taint.effect):
        return False
    if entry.get("operator") == "Exists":
        return entry.get("key") in (None, "", taint.key)
    return entry.get("key") == taint.key and (entry.get("value") or None) == taint.value
