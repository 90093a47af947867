from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule


@rule(
    ("DPD908", "data-captured-twice", INFO, DISAGGREGATED),
    title="Data capture in model pods may see each long request twice",
    what="Whether data capture is configured for model pods of a disaggregated endpoint.",
    why="""A disaggregated request passes a prefill and a decode pod, and both have the capturing sidecar, so
    its payload may be stored twice. This is inferred, not confirmed.""",
    fine="Where duplicates do no harm.",
    fix="capture at one tier only, or remove the duplicates by request id",
    sources="inferred from the two pods that a request passes; AWS's page on data capture is silent on DPD",
    covers=("N-data-capture",),
    tags=("observability",),
    before='spec: {dataCapture: {s3Uri: "s3://capture-bucket/llama", modelPod: {bufferConfig: {batchSize: 10}}}}',
    after="spec: {metrics: {enabled: true}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.has("dataCapture", "modelPod"):
        yield Match(
            ("spec", "dataCapture", "modelPod"),
            "prefill and decode pods both capture, so a disaggregated request may be stored twice (not confirmed)",
        )
