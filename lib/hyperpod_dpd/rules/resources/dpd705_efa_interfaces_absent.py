from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD705", "efa-interfaces-absent", WARNING, DISAGGREGATED),
    title="A role asks for no EFA interfaces",
    what="That each role asks for EFA interfaces (vpc.amazonaws.com/efa).",
    why="""A container without the resource has no EFA device, and transfers fall back to TCP without a
    failing request. AWS says that the operator adds it to every pod and leaves it out of its example; that it
    does is not confirmed.""",
    fine="Where `kubectl describe pod` shows the resource on running pods of both roles.",
    fix="set vpc.amazonaws.com/efa in requests and limits of the role",
    sources="SageMaker developer guide, DPD page and its troubleshooting | AWS machine learning blog on DPD",
    covers=("R143",),
    tags=("resources", "efa", "silent"),
    before="""spec:
      pdSpec:
        decodingSpec:
          resources:
            requests: {vpc.amazonaws.com/efa: null}
            limits: {vpc.amazonaws.com/efa: null}""",
    after="""spec:
      pdSpec:
        decodingSpec:
          resources:
            requests: {vpc.amazonaws.com/efa: "32"}
            limits: {vpc.amazonaws.com/efa: "32"}""",
)
def check(endpoint: EndpointView) -> Matches:
    name = names.EFA_RESOURCE
    for role in endpoint.roles:
        if any(name in role.resources.get(kind, {}) for kind in ("limits", "requests")):
            continue
        instance = endpoint.instance_type(role)
        fix = None
        if instance is not None and instance.efa_interfaces and instance.gpus:
            share = instance.efa_interfaces * (role.gpus or instance.gpus) // instance.gpus
            fix = f'set {name} to "{share}" in requests and limits of the role'
        yield Match(
            (*role.path, "resources"),
            f"{role.role} asks for no {name}; that the operator adds it is not confirmed",
            fix=fix,
        )
