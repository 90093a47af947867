from hyperpod_dpd.rules.rule import ENDPOINT, INFO, EndpointView, Match, Matches, rule

_CERTIFICATE = ("acm:DescribeCertificate", "acm:GetCertificate")
_RECORD = ("route53:GetHostedZone", "route53:ListResourceRecordSets", "route53:ChangeResourceRecordSets")


@rule(
    ("DPD912", "certificate-rights", INFO, ENDPOINT),
    title="The operator's role needs rights for certificates and DNS that are not seen here",
    what="""Whether an endpoint uses a certificate of its own or a DNS record; it then says which rights of
    the operator's role that takes. The role itself is in no manifest.""",
    why="""A missing right shows only in the operator's log: the endpoint stays in progress, and nothing in
    its own events says why.""",
    fine="Once the rights are there; acknowledge it.",
    fix="""give the operator's role the rights, or check that the managed policy has them, before the endpoint
    is applied""",
    sources="""SageMaker developer guide, custom certificates, permissions | HyperPod inference release notes,
    3.0 and 3.1""",
    covers=("R186",),
    tags=("tls", "iam"),
    before="""spec:
      tlsConfig:
        customCertificateConfig:
          acmArn: arn:aws:acm:us-west-2:111122223333:certificate/0a1b2c3d-0000-1111-2222-333344445555
          domainName: llm.example.com""",
    after="spec: {modelName: Llama-3.3-70B-Instruct}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.has("tlsConfig", "customCertificateConfig"):
        path = ("spec", "tlsConfig", "customCertificateConfig")
        yield Match(path, f"the operator's role needs {', '.join(_CERTIFICATE)} for this; not seen here")
    if endpoint.has("dnsConfig"):
        yield Match(
            ("spec", "dnsConfig"), f"the operator's role needs {', '.join(_RECORD)} for this; not seen here"
        )
