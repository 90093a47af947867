from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, rule

_PATH = ("spec", "tlsConfig", "customCertificateConfig", "acmArn")


@rule(
    ("DPD911", "certificate-region", ERROR, ENDPOINT),
    title="The certificate is of another Region",
    what="""That the ACM certificate's Region is the cluster's. Where the cluster's Region is not declared,
    the Region of the bucket with the weights stands in for it, and a difference is a warning.""",
    why="A load balancer takes certificates of its own Region only. The operator fails to make the listener.",
    fine="Never.",
    fix="import or request the certificate in the cluster's Region",
    sources="SageMaker developer guide, custom certificates: same Region as the load balancer",
    covers=("R185",),
    tags=("tls",),
    before="""spec:
      tlsConfig:
        customCertificateConfig:
          acmArn: arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-1111-2222-333344445555
          domainName: llm.example.com""",
    after="""spec:
      tlsConfig:
        customCertificateConfig:
          acmArn: arn:aws:acm:us-west-2:111122223333:certificate/0a1b2c3d-0000-1111-2222-333344445555
          domainName: llm.example.com""",
)
def check(endpoint: EndpointView) -> Matches:
    arn = endpoint.get("tlsConfig", "customCertificateConfig", "acmArn")
    parts = arn.split(":") if isinstance(arn, str) else []
    if parts[:1] != ["arn"] or parts[2:3] != ["acm"] or len(parts) < 6:
        return
    region = parts[3]
    bucket = endpoint.get("modelSourceConfig", "s3Storage", "region")
    if endpoint.context.region is None and isinstance(bucket, str):
        if region != bucket:
            yield Match(
                _PATH,
                f"the certificate is in {region}, the weights are in {bucket}; the cluster's Region is not declared",
                WARNING,
            )
    elif region != endpoint.region:
        yield Match(_PATH, f"the certificate is in {region}, the cluster is in {endpoint.region}")
