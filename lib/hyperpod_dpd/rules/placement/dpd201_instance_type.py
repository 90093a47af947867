from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, once, rule


@rule(
    ("DPD201", "instance-type", ERROR, DISAGGREGATED),
    title="An instance type that AWS does not list for disaggregated serving",
    what="""That every instance type a role may land on is one of the five that AWS lists for disaggregated
    serving.""",
    why="""KV pages move from GPU memory to GPU memory by EFA RDMA, and inside a node over NVLink. A type that
    lacks one of the two serves every request and only serves it slower, on twice the GPUs.""",
    fine="For an experiment on a type that AWS has added to its list since the catalogue's date.",
    fix="use one of the listed types for both roles: " + ", ".join(instance_types.dpd_types()),
    sources="SageMaker developer guide, DPD page, supported instance types",
    covers=("R24",),
    tags=("placement", "instances"),
    waivable=True,
    before="spec: {instanceType: ml.g6e.48xlarge}",
    after="spec: {instanceType: ml.p5en.48xlarge}",
)
def check(endpoint: EndpointView) -> Matches:
    listed = instance_types.dpd_types()
    yield from once(
        Match(path, f"{name} is not supported for DPD: {instance_types.why_not_for_dpd(name)}")
        for role in endpoint.roles
        for name, path in endpoint.instance_type_names(role)
        if name not in listed
    )
