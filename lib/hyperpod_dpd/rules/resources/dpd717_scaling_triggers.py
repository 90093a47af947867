from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.scaling import BLOCKS, scaling_of

_KINDS = ("prometheusTrigger", "cloudWatchTrigger")


@rule(
    ("DPD717", "scaling-triggers", WARNING, DISAGGREGATED),
    title="A scaling block has no trigger, or two forms of one",
    what="That each scaling block has a trigger, and not both the single form and the list of the same kind.",
    why="A scaler without a trigger never scales; with both forms it is not published which one counts.",
    fine="Never.",
    fix="give prometheusTrigger, or the list of triggers, and not both",
    sources="InferenceEndpointConfig CRD, operator 3.2, triggers",
    covers=("R155",),
    tags=("scaling",),
    before="spec: {pdSpec: {autoScalingSpec: {prefillAutoScaling: {maxReplicaCount: 2}}}}",
    after="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {maxReplicaCount: 2, prometheusTrigger: {query: up}}""",
)
def check(endpoint: EndpointView) -> Matches:
    for role in BLOCKS:
        scaling = scaling_of(endpoint, role)
        if scaling is None or scaling.block is None:
            continue
        block = scaling.block
        if not any(block.get(kind) or block.get(f"{kind}List") for kind in _KINDS):
            yield Match(scaling.path, f"{scaling.block_name} has no trigger, so it never scales")
        for kind in _KINDS:
            if block.get(kind) and block.get(f"{kind}List"):
                yield Match(
                    (*scaling.path, kind),
                    f"{scaling.block_name} has {kind} and {kind}List; which one counts is not confirmed",
                    fix=f"move {kind} into {kind}List, or remove one of them",
                )
