from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD240", "bucket-region", ERROR, ENDPOINT),
    title="The weights are in a bucket of another Region",
    what="That the Region of the S3 bucket with the weights is the cluster's.",
    why="""The driver mounts the bucket under the Region the manifest names, and the S3 gateway endpoint
    serves the cluster's own Region only. Through NAT a model of 140 GB crosses Regions on every cold start,
    if it is read at all.""",
    fine="In a short test, with the cost known.",
    fix="copy the weights to a bucket of the cluster's Region",
    sources="AWS machine learning blog on DPD: the bucket is in the cluster's Region",
    covers=("HI-1.4", "I3-bucket-region"),
    tags=("storage",),
    waivable=True,
    of="environment",
    before="endpoints: {llama-70b: {model: {weights: {s3: {bucket: my-models, region: us-east-1}}}}}",
    after="endpoints: {llama-70b: {model: {weights: {s3: {bucket: my-models, region: us-west-2}}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    region = endpoint.get("modelSourceConfig", "s3Storage", "region")
    if not isinstance(region, str) or not region:
        return
    if region != endpoint.region:
        yield Match(
            ("spec", "modelSourceConfig", "s3Storage", "region"),
            f"the weights are in {region}, the cluster is in {endpoint.region}",
        )
