from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD721", "request-limits-need-metrics", ERROR, ENDPOINT),
    title="Request limits without the proxy that keeps them",
    what="That request limits are not set while metrics are switched off.",
    why="""The limits are kept by the proxy beside the worker, and that proxy exists only with metrics on.
    Without it nothing is limited.""",
    fine="Never.",
    fix="set metrics.enabled to true, or remove worker.requestLimits",
    sources="SageMaker developer guide, request limits of inference endpoints",
    covers=("R160",),
    tags=("limits", "silent"),
    before="spec: {metrics: {enabled: false}, worker: {requestLimits: {maxConcurrentRequests: 32}}}",
    after="spec: {metrics: {enabled: true}, worker: {requestLimits: {maxConcurrentRequests: 32}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.get("worker", "requestLimits") and endpoint.get("metrics", "enabled") is False:
        yield Match(
            ("spec", "worker", "requestLimits"),
            "requestLimits is set and metrics.enabled is false, so there is no proxy to keep the limits",
        )
