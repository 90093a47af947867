"""
What it checks
--------------
That the Region of the S3 bucket with the weights is the cluster's.

Why it matters
--------------
The driver mounts the bucket under the Region the manifest names, and the S3 gateway endpoint serves the
cluster's own Region only. Through NAT a model of 140 GB crosses Regions on every cold start, if it is read at
all.

When this is fine
-----------------
In a short test, with the cost known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD240",
    name="bucket-region",
    severity=Severity.ERROR,
    title="The weights are in a bucket of another Region",
    fix="copy the weights to a bucket of the cluster's Region",
    sources=("AWS machine learning blog on DPD: the bucket is in the cluster's Region",),
    applies_to=AppliesTo.ENDPOINT,
    covers=(
        "HI-1.4",
        "I3-bucket-region",
    ),
    waivable=True,
    tags=("storage",),
    example=Example(
        of="environment",
        before="endpoints: {llama-70b: {model: {weights: {s3: {bucket: my-models, region: us-east-1}}}}}",
        after="endpoints: {llama-70b: {model: {weights: {s3: {bucket: my-models, region: us-west-2}}}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    region = endpoint.get("modelSourceConfig", "s3Storage", "region")
    if not isinstance(region, str) or not region:
        return
    if region != endpoint.region:
        yield Hit(
            ("spec", "modelSourceConfig", "s3Storage", "region"),
            f"the weights are in {region}, the cluster is in {endpoint.region}",
        )
