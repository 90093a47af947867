from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD916", "weights-out-of-reach", ERROR, ENDPOINT),
    title="The weights are on Hugging Face, outside a network that has no way out",
    what="That an endpoint in a closed network does not load its weights from Hugging Face.",
    why="""The download, by the operator's init container or by vLLM itself, never reaches the hub. The pod
    restarts until the deployment times out.""",
    fine="Never; a proxy is not a closed network.",
    fix="copy the weights to an S3 bucket of the Region and load them from there",
    sources="SageMaker developer guide, deploying models from Hugging Face: egress it needs",
    covers=("R189", "HI-1.2c"),
    tags=("network", "storage"),
    of="environment",
    before="""network: {closed: true}
    endpoints:
      llama-70b:
        model: {weights: {s3: null, hugging_face: {model_id: meta-llama/Llama-3.3-70B-Instruct}}}""",
    after="""network: {closed: true}
    endpoints: {llama-70b: {model: {weights: {s3: {prefix: models/llama}}}}}""",
)
def check(endpoint: EndpointView) -> Matches:
    source = endpoint.get("modelSourceConfig", "modelSourceType")
    if source != "huggingface" and not endpoint.has("modelSourceConfig", "huggingFaceModel"):
        return
    if endpoint.network.closed:
        model = endpoint.get("modelSourceConfig", "huggingFaceModel", "modelId") or "the model"
        yield Match(
            ("spec", "modelSourceConfig"),
            f"{model} is downloaded from Hugging Face, and the network is closed",
        )
