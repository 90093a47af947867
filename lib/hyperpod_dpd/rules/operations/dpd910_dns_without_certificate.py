from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD910", "dns-without-certificate", ERROR, ENDPOINT),
    title="A DNS record is asked for without a certificate of the same name",
    what="""That dnsConfig comes with tlsConfig.customCertificateConfig, which says the domain name the record
    is for. The form of the domain itself is judged with the manifest's other fields.""",
    why="""The record is made for the certificate's domain. Without one there is nothing to make, and the
    deployment stops with an error of the operator.""",
    fine="Never.",
    fix="add tlsConfig.customCertificateConfig with the domain, or remove dnsConfig",
    sources="InferenceEndpointConfig CRD, dnsConfig | SageMaker developer guide, custom certificates",
    covers=("R185",),
    tags=("tls",),
    before="spec: {dnsConfig: {hostedZoneId: Z1234567890ABC}}",
    after="""spec:
      dnsConfig: {hostedZoneId: Z1234567890ABC}
      tlsConfig:
        customCertificateConfig:
          acmArn: arn:aws:acm:us-west-2:111122223333:certificate/0a1b2c3d-0000-1111-2222-333344445555
          domainName: llm.example.com""",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.has("dnsConfig") and not endpoint.has("tlsConfig", "customCertificateConfig"):
        yield Match(
            ("spec", "dnsConfig"), "dnsConfig is given, and no customCertificateConfig names the domain"
        )
