"""
What it checks
--------------
That modelSourceConfig.modelLocation is a path: no address such as s3://, no ".." and not blank (errors); for S3
no slash at its start and nowhere two of them (warnings).

Why it matters
--------------
The bucket has a field of its own, and the CRD takes any text here. An address becomes a key that does not
exist: the mount is empty, the engine finds no model, and the pods restart until the deployment times out.

When this is fine
-----------------
For S3, where the keys of the objects do begin with a slash (the warning).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import is_placeholder

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD121",
    name="weights-location",
    severity=Severity.ERROR,
    title="The place of the weights is no path inside its bucket or file system",
    fix="write the path below the bucket or file system, such as models/llama-3.3-70b-instruct",
    sources=(
        "InferenceEndpointConfig CRD, operator 3.2, modelSourceConfig.modelLocation",
        "SageMaker developer guide, DPD page, complete example",
    ),
    applies_to=AppliesTo.ENDPOINT,
    tags=("weights",),
    example=Example(
        before="""
spec: {modelSourceConfig: {modelLocation: "s3://models/llama"}}
""",
        after="""
spec: {modelSourceConfig: {modelLocation: models/llama}}
""",
    ),
)

_PATH: Path = ("spec", "modelSourceConfig", "modelLocation")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    location = endpoint.get(*_PATH[1:])
    if not isinstance(location, str) or is_placeholder(location):
        return
    if "://" in location:
        yield Hit(
            _PATH, f"'{location}' is an address; the field takes the path inside the bucket or file system"
        )
    elif location and not location.strip():
        yield Hit(_PATH, "the place of the weights is blank")
    elif ".." in location.split("/"):
        yield Hit(_PATH, f"'{location}' leads out of the bucket or file system")
    elif endpoint.get("modelSourceConfig", "modelSourceType") != "s3":
        return
    elif location.startswith("/"):
        message = f"'{location}' begins with a slash, and keys of S3 objects usually do not"
        yield Hit(_PATH, message, Severity.WARNING)
    elif "//" in location:
        message = f"'{location}' holds two slashes in a row, which S3 takes for an empty folder name"
        yield Hit(_PATH, message, Severity.WARNING)
