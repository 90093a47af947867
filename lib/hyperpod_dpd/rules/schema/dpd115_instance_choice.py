from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, rule

_WAYS = ("instanceType", "instanceTypes", "nodeAffinity")


@rule(
    ("DPD115", "instance-choice", ERROR, ENDPOINT),
    title="Not exactly one of instanceType, instanceTypes and nodeAffinity",
    what="That exactly one of the three ways to choose nodes is used.",
    why="""The fields exclude each other by their description, and nothing in the resource enforces it: which
    one counts is not defined. Without any, the pods have no instance type to be placed on.""",
    fine="""Never with two of them. A colocated endpoint with none is only warned, because that it fails is
    not confirmed.""",
    fix="keep one of instanceType, instanceTypes and nodeAffinity",
    sources="""InferenceEndpointConfig CRD, operator 3.2, descriptions of the three fields | HyperPod CLI,
    model of the endpoint template 1.2""",
    covers=("R12",),
    tags=("placement",),
    before="spec: {instanceTypes: [ml.p5.48xlarge]}",
    after="spec: {instanceType: ml.p5.48xlarge}",
)
def check(endpoint: EndpointView) -> Matches:
    given = [way for way in _WAYS if endpoint.spec.get(way)]
    if len(given) > 1:
        yield Match(
            ("spec", given[1]),
            f"{' and '.join(given)} are set, and they exclude each other",
            fix=f"remove {' and '.join(given[1:])}, or keep that and remove {given[0]}",
        )
    elif not given:
        yield Match(
            ("spec", "instanceType"),
            "none of instanceType, instanceTypes and nodeAffinity says which nodes to use",
            None if endpoint.disaggregated else WARNING,
            fix="add instanceType",
        )
