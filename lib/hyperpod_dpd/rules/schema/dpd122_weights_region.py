"""
What it checks
--------------
That modelSourceConfig.s3Storage.region is written as a Region's name is (else an error) and is a Region of the
catalogue (else a warning).

Why it matters
--------------
The CRD takes any text. The storage driver asks an endpoint that does not exist, and the pods wait for their
volume until the deployment times out.

When this is fine
-----------------
For a Region that was opened after the date of the catalogue (the warning).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import is_placeholder

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD122",
    name="weights-region",
    severity=Severity.ERROR,
    title="The weights' Region is none",
    fix="write the Region of the bucket, such as us-west-2",
    sources=(
        "AWS general reference, names of Regions",
        "Regions of the catalogue",
    ),
    applies_to=AppliesTo.ENDPOINT,
    tags=("weights",),
    example=Example(
        before="""
spec: {modelSourceConfig: {s3Storage: {region: us-west-22}}}
""",
        after="""
spec: {modelSourceConfig: {s3Storage: {region: us-west-2}}}
""",
    ),
)

_FORM = re.compile(r"[a-z]{2}(-[a-z]+)+-[0-9]")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    region = endpoint.get("modelSourceConfig", "s3Storage", "region")
    if not isinstance(region, str) or is_placeholder(region) or regions.get(region) is not None:
        return
    path = ("spec", "modelSourceConfig", "s3Storage", "region")
    close = get_close_matches(region, [each.name for each in regions.all()], n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    if not _FORM.fullmatch(region):
        yield Hit(path, f"'{region}' cannot be the name of a Region{hint}")
    else:
        message = f"'{region}' is not a Region of the catalogue{hint}"
        yield Hit(path, message, Severity.WARNING)
