from hyperpod_dpd.iec.identity import Kind, identify
from hyperpod_dpd.rules.rule import ERROR, OBJECT, Match, Matches, ObjectView, rule

_FOREIGN = (Kind.OTHER_KUBERNETES,)


@rule(
    ("DPD101", "wrong-api-version", ERROR, OBJECT),
    title="Not the API version that knows disaggregation",
    what="""That an object which looks like an InferenceEndpointConfig has the API version that knows
    disaggregation.""",
    why="""v1alpha1 is still served but has no pdSpec, no per-role arguments and no routing: all of it is
    dropped, and a colocated endpoint comes up. A group that does not exist is refused by the API server.""",
    fine="Never for a disaggregated endpoint.",
    fix="write apiVersion: inference.sagemaker.aws.amazon.com/v1 and kind: InferenceEndpointConfig",
    sources="InferenceEndpointConfig CRD, operator 3.2, versions v1 and v1alpha1",
    covers=("R01", "E-79", "E-83", "E-91"),
    tags=("schema",),
    before="{apiVersion: inference.sagemaker.aws.amazon.com/v1alpha1, kind: InferenceEndpointConfig}",
    after="{apiVersion: inference.sagemaker.aws.amazon.com/v1, kind: InferenceEndpointConfig}",
)
def check(item: ObjectView) -> Matches:
    identity = identify(item.value)
    if identity.kind not in (Kind.ENDPOINT, *_FOREIGN):
        path = ("apiVersion",) if "apiVersion" in item.value else ("kind",)
        yield Match(path, identity.message, fix=identity.fix)
