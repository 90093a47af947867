from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

FLAG = "--model"


@rule(
    ("DPD604", "kvaware-tokenizer", WARNING, DISAGGREGATED),
    title="The kvaware router has no tokenizer of its own",
    what="Whether kvaware is used with a model named by a local path.",
    why="""The upstream router loads the tokenizer by the model's name. A path of the worker means nothing in
    the router's pod; it then asks the worker's /tokenize for every request. How AWS's router does it is not
    confirmed. Without tokens it matches nothing and falls back.""",
    fine="When the router's log shows requests being routed by their cache.",
    fix="choose prefixaware, session or roundrobin, or see in the router's log that requests are matched",
    sources="production-stack, kvaware router, loading of the tokenizer",
    covers=("R122",),
    tags=("routing",),
    before="spec: {intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/completions}",
    after="spec: {intelligentRoutingSpec: {routingStrategy: roundrobin}, invocationEndpoint: v1/completions}",
)
def check(endpoint: EndpointView) -> Matches:
    prefill = endpoint.prefill
    model = prefill.arguments.get(FLAG) if prefill else None
    if endpoint.routing_strategy == "kvaware" and model is not None and model.startswith("/"):
        yield Match(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"kvaware tokenizes prompts, and '{model}' is a path in the worker; where AWS's router gets the "
            "tokenizer from is not confirmed",
        )
