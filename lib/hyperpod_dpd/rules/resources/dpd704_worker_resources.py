from hyperpod_dpd.iec.quantities import QuantityError, parse_quantity
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD704", "worker-resources", WARNING, DISAGGREGATED),
    title="worker.resources differs from what the roles get",
    what="""That worker.resources, where it names a resource that the roles name too, says the same as one of
    them.""",
    why="""The field is required, and ignored for the pods of a disaggregated endpoint. A different number
    there misleads whoever reads the manifest about what the pods get.""",
    fine="Never harmful, only misleading.",
    fix="repeat a role's resources in worker.resources",
    sources="SageMaker developer guide, DPD page, resources of a role",
    covers=("R142",),
    tags=("resources",),
    before="spec: {worker: {resources: {limits: {memory: 512Gi}}}}",
    after="spec: {worker: {resources: {limits: {memory: 1024Gi}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    for kind in ("limits", "requests"):
        block = endpoint.get("worker", "resources", kind)
        if not isinstance(block, dict):
            continue
        for name, value in block.items():
            of_roles = [
                (role.role, role.resources[kind][name])
                for role in endpoint.roles
                if role.resources.get(kind, {}).get(name) is not None
            ]
            if of_roles and not any(_same(value, other) for _, other in of_roles):
                said = " and ".join(f"{role} gets {other}" for role, other in of_roles)
                yield Match(
                    ("spec", "worker", "resources", kind, name),
                    f"worker.resources.{kind} says {name} {value}, {said}",
                )


def _same(one: object, other: object) -> bool:
    if one == other:
        return True
    try:
        return parse_quantity(one) == parse_quantity(other)
    except QuantityError:
        return True  # a malformed quantity is reported by the schema
