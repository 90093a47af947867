from typing import Any

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD205", "one-instance-type", ERROR, DISAGGREGATED),
    title="The two roles may land on different instance types",
    what="""That prefill and decode are bound to one and the same instance type: instanceTypes lists no second
    one, and the instance groups or labels that the roles select do not differ in type. Types with the same
    number of GPUs and EFA interfaces are a warning.""",
    why="""Types differ in GPU memory and in EFA interfaces for each GPU. The arguments, the buffer and the
    memory share are one setting for both roles, so what fits one node may not start on the other, and the
    slower interface sets the pace of every transfer.""",
    fine="Where both types were measured together; the sizes then have to suit the smaller one.",
    fix="name one instance type, and let both roles select instance groups of it",
    sources="""SageMaker developer guide, DPD page, complete example (one type for both roles) |
    InferenceEndpointConfig CRD, operator 3.2, instanceTypes as an ordered preference""",
    covers=("R25",),
    tags=("placement", "instances"),
    waivable=True,
    before="spec: {instanceType: null, instanceTypes: [ml.p5.48xlarge, ml.p5en.48xlarge]}",
    after="spec: {instanceType: ml.p5.48xlarge}",
)
def check(endpoint: EndpointView) -> Matches:
    listed = endpoint.get("instanceTypes")
    if isinstance(listed, list) and len(set(map(str, listed))) > 1:
        kinds = ", ".join(map(str, listed))
        yield Match(
            ("spec", "instanceTypes"),
            f"the roles may land on any of {kinds}, each on another one",
            WARNING if _alike(listed) else None,
        )
        return
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    first, second = endpoint.instance_type_names(prefill), endpoint.instance_type_names(decode)
    types = {name for name, _ in first}, {name for name, _ in second}
    if first and second and types[0] != types[1]:
        yield Match(
            second[0][1],
            f"decode runs on {', '.join(sorted(types[1]))}, prefill on {', '.join(sorted(types[0]))}",
        )
    elif len(types[0]) > 1:
        kinds = ", ".join(dict.fromkeys(name for name, _ in first))
        yield Match(first[0][1][:-1], f"the roles may land on any of {kinds}, each on another one")


def _alike(listed: list[Any]) -> bool:
    """Whether pods of the same size fit every type: the same numbers of GPUs and EFA interfaces."""
    known = [instance_types.get(name) if isinstance(name, str) else None for name in listed]
    return None not in known and len({(k.gpus, k.efa_interfaces) for k in known if k}) == 1
