from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule

_SLICE = "nvidia.com/mig-"


@rule(
    ("DPD703", "role-gpus", ERROR, DISAGGREGATED),
    title="A role does not ask for its GPUs as it must",
    what="""That each role asks for whole GPUs (nvidia.com/gpu), with requests equal to limits; parts of a GPU
    (MIG) are refused.""",
    why="""The pods of a disaggregated endpoint take their resources from the role alone. Without a GPU limit
    they start without GPUs; the API refuses an extended resource whose request and limit differ; a MIG slice
    has neither NVLink nor EFA.""",
    fine="""Limits alone are completed by Kubernetes; whether the operator is content with that is not
    confirmed, so it is a warning.""",
    fix="set nvidia.com/gpu in requests and in limits of the role, to the same number",
    sources="""InferenceEndpointConfig CRD, operator 3.2, resources of a role | Kubernetes documentation,
    extended resources""",
    covers=("R140",),
    tags=("resources",),
    before="spec: {pdSpec: {prefillSpec: {resources: {requests: {nvidia.com/gpu: '4'}}}}}",
    after="spec: {pdSpec: {prefillSpec: {resources: {requests: {nvidia.com/gpu: '8'}}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    name = names.GPU_RESOURCE
    for role in endpoint.roles:
        path = (*role.path, "resources")
        limits, requests = role.resources.get("limits", {}), role.resources.get("requests", {})
        sliced = next((key for key in (*limits, *requests) if str(key).startswith(_SLICE)), None)
        limit, request = limits.get(name), requests.get(name)
        if sliced is not None:
            yield Match(
                path, f"{role.role} asks for a part of a GPU ({sliced}); disaggregation needs whole ones"
            )
        elif limit is None and request is None:
            yield Match(path, f"{role.role} asks for no {name}; what worker.resources says does not count")
        elif limit is None:
            yield Match(
                path, f"{role.role} has a request of {request} {name} and no limit, which the API refuses"
            )
        elif request is None:
            yield Match(
                path,
                f"{role.role} has a limit of {limit} {name} and no request; that this is enough is not confirmed",
                WARNING,
            )
        elif str(limit) != str(request):
            yield Match(
                path, f"{role.role} requests {request} {name} and limits it to {limit}; both must be equal"
            )
        elif not role.gpus:
            yield Match(path, f"{role.role} asks for {limit} {name}, and a pod takes a whole number above 0")
