from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD701", "role-cpu-memory", WARNING, DISAGGREGATED),
    title="A role asks for no CPU or memory of its own",
    what="That each role of a disaggregated endpoint asks for CPU and memory of its own.",
    why="""The pods of a disaggregated endpoint ignore worker.resources. Without CPU and memory in the role, a
    pod that holds eight GPUs is of the lowest class of service: it is throttled first and the first to be
    killed for memory.""",
    fine="On nodes that run nothing else. AWS's own complete example leaves them out, so this is a warning.",
    fix="repeat cpu and memory in the role's resources, requests equal to limits",
    sources="SageMaker developer guide, DPD page, resources of a role",
    covers=("R141",),
    tags=("resources", "silent"),
    before="""spec:
      pdSpec:
        decodingSpec:
          resources:
            requests: {cpu: null, memory: null}
            limits: {cpu: null, memory: null}""",
    after="""spec:
      pdSpec:
        decodingSpec:
          resources:
            requests: {cpu: "96", memory: 1024Gi}
            limits: {cpu: "96", memory: 1024Gi}""",
)
def check(endpoint: EndpointView) -> Matches:
    for role in endpoint.roles:
        asked = {**role.resources.get("limits", {}), **role.resources.get("requests", {})}
        absent = [name for name in ("cpu", "memory") if asked.get(name) is None]
        if absent:
            yield Match(
                (*role.path, "resources"),
                f"{role.role} asks for no {' and no '.join(absent)}; what worker.resources says does not count",
            )
