"""
What it checks
--------------
That production with more than one decoder, fixed or by autoscaling, names a report which shows that they
share the load.

Why it matters
--------------
More than one decoder may be acknowledged; in production a promise is not enough, since a decoder that gets no
requests costs a whole node and hides until the other one fails.

When this is fine
-----------------
Never in production: write the report's place into operations.decode_load_spread_report.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.scaling import scaling_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD712",
    name="decode-load-report",
    severity=Severity.ERROR,
    title="Several decoders in production without a report that load spreads",
    fix="run one decoder, or test how load spreads and set operations.decode_load_spread_report",
    sources=(
        "SageMaker developer guide, DPD page, known limits",
        "our own rule for production",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R149", "R150"),
    tags=("scaling", "production"),
    example=Example(
        before="""
production: true
endpoints: {llama-70b: {decode: {replicas: 2}}}
""",
        after="""
production: true
operations: {decode_load_spread_report: wiki/dpd/decode-spread}
endpoints: {llama-70b: {decode: {replicas: 2}}}
""",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    decode = endpoint.decode
    if decode is None:
        return
    scaling = scaling_of(endpoint, "decode")
    most = max(decode.replicas, scaling.max_replicas if scaling else 1)
    if most < 2 or not endpoint.production:
        return
    if endpoint.operations.decode_load_spread_report is None:
        path = (*decode.path, "replicas") if scaling is None else scaling.path
        yield Hit(path, f"up to {most} decoders in production, and no report shows that they share the load")
