"""
What it checks
--------------
That the decoder is not scaled automatically: a maximum above one is an error, a maximum of one a warning,
since it scales nothing.

Why it matters
--------------
AWS documents a single decoder for each endpoint. Whether load spreads over decoders that come and go is not
confirmed, and one that goes takes its running requests with it. Left out, the maximum is five nodes.

When this is fine
-----------------
With a recorded test that the decoders share the load, acknowledged; in production the report is named in
operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.scaling import scaling_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD711",
    name="decode-autoscaling",
    severity=Severity.ERROR,
    title="The decoder scales automatically",
    fix="remove the decoder's autoscaling; scale prefill, the PD buffer or the number of endpoints instead",
    sources=(
        "SageMaker developer guide, DPD page, known limits",
        "InferenceEndpointConfig CRD, operator 3.2, decodingAutoScaling",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R150",),
    waivable=True,
    tags=("scaling",),
    example=Example(
        before="""
spec:
  pdSpec:
    autoScalingSpec:
      decodingAutoScaling: {minReplicaCount: 1, maxReplicaCount: 3, prometheusTrigger: {query: up}}
""",
        after="""
spec:
  pdSpec:
    autoScalingSpec:
      prefillAutoScaling: {minReplicaCount: 1, maxReplicaCount: 3, prometheusTrigger: {query: up}}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    scaling = scaling_of(endpoint, "decode")
    if scaling is None:
        return
    if scaling.max_replicas > 1:
        default = "" if scaling.max_given else ", the field's default"
        yield Hit(
            scaling.path,
            f"the decoder may grow to {scaling.max_replicas} replicas{default}; one is what AWS documents",
        )
    else:
        yield Hit(
            scaling.path,
            f"the decoder's autoscaling has a maximum of {scaling.max_replicas}, so it scales nothing",
            Severity.WARNING,
            "remove the decoder's autoscaling",
        )
