"""
What it checks
--------------
That dnsConfig comes with tlsConfig.customCertificateConfig, which says the domain name the record is for. The
form of the domain itself is judged with the manifest's other fields.

Why it matters
--------------
The record is made for the certificate's domain. Without one there is nothing to make, and the deployment stops
with an error of the operator.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD910",
    name="dns-without-certificate",
    severity=Severity.ERROR,
    title="A DNS record is asked for without a certificate of the same name",
    fix="add tlsConfig.customCertificateConfig with the domain, or remove dnsConfig",
    sources=(
        "InferenceEndpointConfig CRD, dnsConfig",
        "SageMaker developer guide, custom certificates",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R185",),
    tags=("tls",),
    example=Example(
        before="spec: {dnsConfig: {hostedZoneId: Z1234567890ABC}}",
        after="""
spec:
  dnsConfig: {hostedZoneId: Z1234567890ABC}
  tlsConfig:
    customCertificateConfig:
      acmArn: arn:aws:acm:us-west-2:111122223333:certificate/0a1b2c3d-0000-1111-2222-333344445555
      domainName: llm.example.com
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.has("dnsConfig") and not endpoint.has("tlsConfig", "customCertificateConfig"):
        yield Hit(
            ("spec", "dnsConfig"), "dnsConfig is given, and no customCertificateConfig names the domain"
        )
