from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD308", "docker-hub-image", INFO, DISAGGREGATED),
    title="The worker image comes from Docker Hub",
    what="""Whether a disaggregated endpoint pulls its worker image from Docker Hub: a warning in production,
    else a note.""",
    why="""Docker Hub limits anonymous pulls by source address, and all nodes of a VPC usually share one. A
    scale-out or a replaced node then waits for its image at the worst time, and a closed network cannot reach
    it at all.""",
    fine="In development, and where a pull-through cache rewrites the name on the node.",
    fix="mirror the image into ECR, or name it through an ECR pull-through cache",
    sources="our own judgement, from Docker Hub's published pull limits",
    covers=("R57",),
    tags=("image",),
    before="spec: {worker: {image: lmcache/vllm-openai:v0.4.3}}",
    after="spec: {worker: {image: '111122223333.dkr.ecr.us-west-2.amazonaws.com/lmcache/vllm-openai:v0.4.3'}}",
)
def check(endpoint: EndpointView) -> Matches:
    reference = endpoint.image.reference
    if reference is None or not reference.is_docker_hub:
        return
    severity = WARNING if endpoint.context.production else None
    yield Match(
        ("spec", "worker", "image"),
        f"'{endpoint.image.text}' is pulled from Docker Hub, which limits pulls",
        severity,
    )
