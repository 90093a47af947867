"""
What it checks
--------------
That the manifest names a place for the certificate, or that the operator has one of its own. With the add-on of
this project it has; what a Helm install was given is not known here. A lone manifest says nothing of its
operator.

Why it matters
--------------
The operator makes a certificate for every endpoint and needs a place to store it. Without one the deployment
fails.

When this is fine
-----------------
Where the chart's values are known to have the bucket.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD913",
    name="certificate-bucket",
    severity=Severity.WARNING,
    title="Nothing says where the endpoint's certificate is stored",
    fix=(
        "set tlsConfig.tlsCertificateOutputS3Uri, or give the operator a bucket of its own "
        "(tlsCertificateS3Bucket)"
    ),
    sources=("SageMaker developer guide, model-deployment setup and custom certificates",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R187",),
    tags=("tls",),
    example=Example(
        of="environment",
        before="operator: {install: helm}",
        after="operator: {install: addon}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.get("tlsConfig", "tlsCertificateOutputS3Uri"):
        return
    if endpoint.operator_tls_bucket is None:
        yield Hit(
            ("spec", "tlsConfig"),
            "no tlsCertificateOutputS3Uri, and the operator is not installed as an add-on with a bucket of its own",
        )
