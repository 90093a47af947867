from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD913", "certificate-bucket", WARNING, DISAGGREGATED),
    title="Nothing says where the endpoint's certificate is stored",
    what="""That the manifest names a place for the certificate, or that the operator has one of its own. With
    the add-on of this project it has; what a Helm install was given is not known here. A lone manifest says
    nothing of its operator.""",
    why="""The operator makes a certificate for every endpoint and needs a place to store it. Without one the
    deployment fails.""",
    fine="Where the chart's values are known to have the bucket.",
    fix="""set tlsConfig.tlsCertificateOutputS3Uri, or give the operator a bucket of its own
    (tlsCertificateS3Bucket)""",
    sources="SageMaker developer guide, model-deployment setup and custom certificates",
    covers=("R187",),
    tags=("tls",),
    of="environment",
    before="operator: {install: helm}",
    after="operator: {install: addon}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.get("tlsConfig", "tlsCertificateOutputS3Uri"):
        return
    if endpoint.operator_tls_bucket is None:
        yield Match(
            ("spec", "tlsConfig"),
            "no tlsCertificateOutputS3Uri, and the operator is not installed as an add-on with a bucket of its own",
        )
