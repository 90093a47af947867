"""
What it checks
--------------
That no two endpoints of one run register the same endpointName. Between files it is a warning, since they may be for
different accounts or Regions; the same endpoint rendered for two environments is not compared.

Why it matters
--------------
A SageMaker endpoint's name is unique in an account and Region. The second registration fails or takes the name over,
and calls reach the other model.

When this is fine
-----------------
Between files, for different accounts or Regions: there it is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.together import EndpointsView

RULE = Rule(
    id="DPD112",
    name="endpoint-name-taken",
    severity=Severity.ERROR,
    title="Two endpoints ask for one SageMaker endpoint name",
    fix="give each endpoint its own endpointName, or '' for none",
    sources=(
        "InferenceEndpointConfig CRD, operator 3.2, endpointName",
        "SageMaker API, endpoint names are unique in an account and Region",
    ),
    applies_to=AppliesTo.INPUTS,
    covers=("R09",),
    tags=("names",),
    example=Example(
        before="""
endpoints:
  llama-70b: {endpoint_name: llama}
  llama-two:
    endpoint_name: llama
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
""",
        after="""
endpoints:
  llama-70b: {endpoint_name: llama}
  llama-two:
    endpoint_name: llama-two
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/llama}}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
""",
        of="environment",
    ),
)


def check(inputs: EndpointsView) -> Iterator[Hit]:
    seen: dict[str, list[int]] = {}
    for index, endpoint in enumerate(inputs.endpoints):
        wanted = endpoint.get("endpointName")
        if isinstance(wanted, str) and wanted and "$" not in wanted:
            seen.setdefault(wanted.lower(), []).append(index)
    for indices in seen.values():
        first = inputs.endpoints[indices[0]]
        for index in indices[1:]:
            endpoint = inputs.endpoints[index]
            if _identity(endpoint) == _identity(first) or _regions_differ(endpoint, first):
                continue
            together = first.locate(()).file == endpoint.locate(()).file
            yield Hit(
                (index, "spec", "endpointName"),
                f"'{endpoint.get('endpointName')}' is also the endpointName of '{first.name}' in '{first.namespace}'"
                + ("" if together else ", which matters if both are for one account and Region"),
                None if together else Severity.WARNING,
            )


def _identity(endpoint: EndpointView) -> tuple[str, str]:
    return endpoint.name, endpoint.namespace


def _regions_differ(one: EndpointView, other: EndpointView) -> bool:
    first = one.get("modelSourceConfig", "s3Storage", "region")
    second = other.get("modelSourceConfig", "s3Storage", "region")
    return first is not None and second is not None and first != second
