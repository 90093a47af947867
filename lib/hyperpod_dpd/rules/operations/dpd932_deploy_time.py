from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD932", "deploy-time", WARNING, DISAGGREGATED),
    title="The time allowed for a deployment is shorter than loading may take",
    what="That maxDeployTimeInSeconds leaves room for pulling the image and loading the weights.",
    why="""A cold load of a 70B model from S3 takes up to ten minutes on top of the image pull; a deployment
    that is cut off before is reported as failed although nothing is wrong.""",
    fine="Where weights and image are cached on the nodes.",
    fix="set maxDeployTimeInSeconds to 3600, the default",
    sources="SageMaker developer guide, DPD troubleshooting page, slow loads",
    covers=("R192",),
    tags=("operations",),
    before="spec: {maxDeployTimeInSeconds: 300}",
    after="spec: {maxDeployTimeInSeconds: 3600}",
)
def check(endpoint: EndpointView) -> Matches:
    seconds = endpoint.get("maxDeployTimeInSeconds")
    least = engine_defaults.documented().shortest_deploy_seconds
    if isinstance(seconds, int) and seconds < least:
        yield Match(
            ("spec", "maxDeployTimeInSeconds"),
            f"{seconds:,} s are allowed; a cold load with the image pull may take {least:,} s",
        )
