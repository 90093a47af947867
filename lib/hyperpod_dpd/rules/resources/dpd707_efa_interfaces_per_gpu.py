from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD707", "efa-interfaces-per-gpu", WARNING, DISAGGREGATED),
    title="A role's EFA interfaces do not match its GPUs",
    what="That a role asks for its GPUs' share of the node's EFA interfaces.",
    why="""Each GPU reaches the network through interfaces of its own. With fewer, some ranks share a rail and
    the slowest rank decides when a transfer is done; with more, another pod on the node gets none.""",
    fine="Where a measurement shows the transfer rate is enough.",
    fix="ask for the GPUs' share of the node's EFA interfaces",
    sources="EC2 instance data, EFA interfaces and GPUs per type",
    covers=("R145",),
    tags=("resources", "efa"),
    before="""spec:
      pdSpec:
        prefillSpec:
          resources: {requests: {vpc.amazonaws.com/efa: "4"}, limits: {vpc.amazonaws.com/efa: "4"}}""",
    after="""spec:
      pdSpec:
        prefillSpec:
          resources: {requests: {vpc.amazonaws.com/efa: "32"}, limits: {vpc.amazonaws.com/efa: "32"}}""",
)
def check(endpoint: EndpointView) -> Matches:
    name = names.EFA_RESOURCE
    for role in endpoint.roles:
        asked, gpus = role.amount(name), role.gpus
        instance = endpoint.instance_type(role)
        if asked is None or not gpus or instance is None or not instance.gpus or not instance.efa_interfaces:
            continue
        share = instance.efa_interfaces * gpus // instance.gpus
        if asked != share and asked <= instance.efa_interfaces:
            yield Match(
                (*role.path, "resources"),
                f"{role.role} asks for {asked} {name} with {gpus} GPUs; on {instance.name} their share is {share}",
                fix=f'set {name} to "{share}" in requests and limits',
            )
