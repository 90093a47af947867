from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1004", "efa-fits-node", ERROR, PAIR),
    title="Pods of one node ask for more EFA interfaces than it has",
    what="""The EFA interfaces that the pods of one node ask for together against what the instance type in
    the template has.""",
    why="The second pod stays pending although its GPUs are free.",
    fine="Never.",
    fix="ask for the node's EFA interfaces divided by the pods that share it",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    before="manifest: {spec: {pdSpec: {decodingSpec: {resources: {limits: {vpc.amazonaws.com/efa: 33}}}}}}",
    after="manifest: {spec: {pdSpec: {decodingSpec: {resources: {limits: {vpc.amazonaws.com/efa: 32}}}}}}",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "efa")
