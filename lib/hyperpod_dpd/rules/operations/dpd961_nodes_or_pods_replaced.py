from hyperpod_dpd.rules.rule import ENVIRONMENT_CHANGE, WARNING, EnvironmentChangeView, Match, Matches, rule


@rule(
    ("DPD961", "nodes-or-pods-replaced", WARNING, ENVIRONMENT_CHANGE),
    title="A change replaces nodes or restarts every pod of an endpoint",
    what="The instance type of a group that exists, and the model of an endpoint that exists.",
    why="""Until the new nodes are there and the weights are loaded, nobody serves. GPU nodes that are given back
    may not be had again: capacity is asked for anew.""",
    fine="In a maintenance window, with capacity that is reserved.",
    fix="bring the new up beside the old, move the traffic, then remove the old",
    sources="SageMaker API, UpdateCluster | hyperpod-dpd, what a pod template is made of",
    tags=("change", "operations"),
    before="cluster: {instance_groups: {prefill: {instance_type: ml.p5en.48xlarge}}}",
    after="production: false",
)
def check(change: EnvironmentChangeView) -> Matches:
    for found in change.consequences:
        if not found.lasting:
            message = f"{found.fact} was {found.was} and becomes {found.now}: {found.row.consequence}"
            yield Match(found.place, message, fix=found.row.way)
