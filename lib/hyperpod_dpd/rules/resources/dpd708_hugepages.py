from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, WARNING, EndpointView, Match, Matches, rule

_PREFIX = "hugepages-"


@rule(
    ("DPD708", "hugepages", INFO, DISAGGREGATED),
    title="A role asks for huge pages",
    what="""That hugepages-2Mi, where a role asks for it, has a request equal to its limit and CPU or memory
    beside it (a warning if not), and says that nodes must have set pages aside (a note).""",
    why="""The API refuses huge pages that break these conditions, and a pod stays Pending where the node has
    reserved none. EFA's general advice asks for them; whether HyperPod's operator or nodes do so is not
    confirmed.""",
    fine="""Where `kubectl describe node` shows enough hugepages-2Mi as allocatable. Leaving them out, as
    AWS's example does, is not reported.""",
    fix="check that the nodes list enough hugepages-2Mi as allocatable, or leave the resource out",
    sources="Kubernetes documentation, huge pages | awsome-distributed-ai pull request 1230, comment",
    covers=("R146",),
    tags=("resources", "efa"),
    before="""spec:
      pdSpec:
        prefillSpec:
          resources: {requests: {hugepages-2Mi: 5128Mi}, limits: {hugepages-2Mi: 5128Mi}}""",
    after="spec: {pdSpec: {prefillSpec: {replicas: 1}}}",
)
def check(endpoint: EndpointView) -> Matches:
    for role in endpoint.roles:
        limits, requests = role.resources.get("limits", {}), role.resources.get("requests", {})
        asked = {key for key in (*limits, *requests) if str(key).startswith(_PREFIX)}
        for name in sorted(asked):
            path = (*role.path, "resources")
            limit, request = limits.get(name), requests.get(name)
            if request is not None and request != limit:
                said = f"and limits it to {limit}" if limit is not None else "without a limit"
                yield Match(
                    path,
                    f"{role.role} requests {request} of {name} {said}; both must be equal",
                    WARNING,
                    f"set {name} to the same amount in requests and limits",
                )
            elif not {"cpu", "memory"} & {*limits, *requests}:
                yield Match(
                    path,
                    f"{role.role} asks for {name} without CPU or memory, which the API refuses",
                    WARNING,
                    "set cpu and memory of the role as well",
                )
            else:
                yield Match(
                    path,
                    f"{role.role} asks for {limit} of {name}; that HyperPod nodes reserve any is not confirmed",
                )
