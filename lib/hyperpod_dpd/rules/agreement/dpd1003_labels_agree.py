from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1003", "labels-agree", ERROR, PAIR),
    title="A node selector asks for a label that the group does not give its nodes",
    what="Every label of a node selector against the labels that the group in the template gives its nodes.",
    why="A label that no node has keeps the pods pending.",
    fine="For labels that another controller puts on nodes.",
    fix="add the label to the group's KubernetesConfig, or remove it from the selector",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    waivable=True,
    before="manifest: {spec: {pdSpec: {decodingSpec: {nodeSelector: {dpd.hyperpod/role: prefill}}}}}",
    after="manifest: {spec: {pdSpec: {decodingSpec: {nodeSelector: {dpd.hyperpod/role: decode}}}}}",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "label")
