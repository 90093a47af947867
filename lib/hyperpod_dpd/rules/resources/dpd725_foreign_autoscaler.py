from hyperpod_dpd.blueprint import names
from hyperpod_dpd.iec.endpoint import KIND
from hyperpod_dpd.rules.rule import ERROR, OBJECT, WARNING, Match, Matches, ObjectView, rule

_AUTOSCALERS = {"HorizontalPodAutoscaler": "Deployment", "ScaledObject": "Deployment"}
"""Kinds that scale something else, and the kind they mean where they name none (KEDA's default)."""
_TARGET = ("spec", "scaleTargetRef")
_DECODE, _PREFILL = names.decode_deployment(""), names.prefill_deployment("")


@rule(
    ("DPD725", "foreign-autoscaler", ERROR, OBJECT),
    title="An autoscaler beside the operator scales a disaggregated endpoint",
    what="""That no HorizontalPodAutoscaler and no ScaledObject of KEDA scales an InferenceEndpointConfig or a
    Deployment that the operator derives for a role.""",
    why="""The scale of the resource is spec.replicas, which pdSpec does not use. The role's Deployment belongs to the
    operator, which sets its replicas back; and AWS documents a single decoder for each endpoint, so that more of them
    may not share the load. Which of two controllers wins is not confirmed.""",
    fine="""For an endpoint without pdSpec, whose scale is its replicas; or for prefill, which is warned only, on a
    cluster where the operator was seen to leave the number alone.""",
    fix="remove it, and scale prefill by spec.pdSpec.autoScalingSpec.prefillAutoScaling",
    sources="""SageMaker developer guide, DPD page, known limits | InferenceEndpointConfig CRD, operator 3.2,
    subresource scale""",
    tags=("scaling",),
    of="object",
    before="""apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: decode, namespace: inference}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: decode-llama-70b}
      maxReplicas: 4""",
    after="""apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: gateway, namespace: inference}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: gateway}
      maxReplicas: 4""",
)
def check(item: ObjectView) -> Matches:
    own = str(item.value.get("kind"))
    spec = item.value.get("spec")
    target = spec.get("scaleTargetRef") if isinstance(spec, dict) else None
    if own not in _AUTOSCALERS or not isinstance(target, dict):
        return
    kind, name = target.get("kind") or _AUTOSCALERS[own], str(target.get("name") or "")
    if kind == KIND:
        yield Match(
            (*_TARGET, "kind"),
            f"it scales {KIND} {name} by spec.replicas, which pdSpec does not use",
            WARNING,
        )
    elif kind == "Deployment" and name.startswith(_DECODE):
        yield Match(
            (*_TARGET, "name"), f"{name} is the decoder that the operator derives, and there is to be one"
        )
    elif kind == "Deployment" and name.startswith(_PREFILL):
        yield Match(
            (*_TARGET, "name"), f"{name} is what the operator derives, and sets its replicas back", WARNING
        )
