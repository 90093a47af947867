from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD706", "efa-interfaces-allowed", ERROR, DISAGGREGATED),
    title="A role asks for EFA interfaces that no node has",
    what="That the EFA interfaces a role asks for exist on its instance type, with requests equal to limits.",
    why="""A pod that asks for more interfaces than any node has stays Pending; the API refuses an extended
    resource whose request and limit differ.""",
    fine="Never.",
    fix="set vpc.amazonaws.com/efa to the interfaces of the role's instance type, requests equal to limits",
    sources="""EC2 instance data and the HyperPod CLI's constants, EFA interfaces per type | Kubernetes
    documentation, extended resources""",
    covers=("R144",),
    tags=("resources", "efa"),
    before="""spec:
      pdSpec:
        prefillSpec:
          resources: {requests: {vpc.amazonaws.com/efa: "64"}, limits: {vpc.amazonaws.com/efa: "64"}}""",
    after="""spec:
      pdSpec:
        prefillSpec:
          resources: {requests: {vpc.amazonaws.com/efa: "32"}, limits: {vpc.amazonaws.com/efa: "32"}}""",
)
def check(endpoint: EndpointView) -> Matches:
    name = names.EFA_RESOURCE
    for role in endpoint.roles:
        path = (*role.path, "resources")
        limit = role.resources.get("limits", {}).get(name)
        request = role.resources.get("requests", {}).get(name)
        if request is not None and str(limit) != str(request):
            said = f"limits it to {limit}" if limit is not None else "has no limit"
            yield Match(path, f"{role.role} requests {request} {name} and {said}; both must be equal")
            continue
        asked = role.amount(name)
        if asked is None and limit is not None:
            yield Match(path, f"{role.role} asks for {limit} {name}, and devices cannot be divided")
            continue
        instance = endpoint.instance_type(role)
        if asked is None or instance is None or instance.efa_interfaces is None:
            continue
        if asked > instance.efa_interfaces:
            yield Match(
                path,
                f"{role.role} asks for {asked} {name}, {instance.name} has {instance.efa_interfaces}",
                fix=f'set {name} to "{instance.efa_interfaces}" or less in requests and limits',
            )
