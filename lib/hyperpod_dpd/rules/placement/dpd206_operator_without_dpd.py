from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD206", "operator-without-dpd", ERROR, DISAGGREGATED),
    title="The operator release does not know disaggregation",
    what="""That the declared release of the inference operator is at least the first one with disaggregated
    prefill and decode.""",
    why="""Older releases drop pdSpec without a word, and what they do start restarts with EngineDeadError or
    TimeoutError: the two messages look like a fault of the model.""",
    fine="Never.",
    fix="upgrade the inference operator to a release that has disaggregation",
    sources="""SageMaker developer guide, DPD page, prerequisites, and its troubleshooting page | HyperPod
    inference release notes, 3.2""",
    covers=("R20",),
    tags=("operator",),
    of="environment",
    before='operator: {release: "3.1.2"}',
    after='operator: {release: "3.4"}',
)
def check(endpoint: EndpointView) -> Matches:
    release, first = endpoint.operator, operator_releases.dpd_release()
    if release < first:
        yield Match(
            ("spec", "pdSpec"),
            f"operator {release} does not know pdSpec; {first} is the first that does",
            fix=f"set the operator's release to {operator_releases.recommended_release()} or later",
        )
