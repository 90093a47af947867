from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule

FLAG = "--kv-transfer-config"


@rule(
    ("DPD506", "own-kv-connector", ERROR, DISAGGREGATED),
    title="The KV connector is configured by hand",
    what="That neither the shared arguments nor a role's set --kv-transfer-config, whole or key by key.",
    why="""The operator gives the sender to prefill and the receiver to decode. A second configuration meets
    both roles alike or replaces the operator's, and then neither side speaks to the other.""",
    fine="Never with pdSpec; on self-managed vLLM the flag is how it is done.",
    fix="remove --kv-transfer-config; the operator adds it for each role",
    sources="""AWS machine learning blog on DPD, what the operator injects | SageMaker developer guide, DPD
    page""",
    covers=("R94",),
    tags=("kv-transfer",),
    before='spec: {worker: {args: {--kv-transfer-config: \'{"kv_connector":"NixlConnector"}\'}}}',
    after="spec: {worker: {args: {--tensor-parallel-size: 8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    lists = (endpoint.worker_arguments, *(role.own_arguments for role in endpoint.roles))
    for arguments in lists:
        for item in arguments:
            if item.flag.partition(".")[0] == FLAG:
                yield Match(
                    item.path,
                    f"{item.spelled} is set; the operator sets it itself, differently for each role",
                )
