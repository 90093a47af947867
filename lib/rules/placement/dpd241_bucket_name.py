"""
What it checks
--------------
That the name of the S3 bucket is one that S3 allows.

Why it matters
--------------
The CRD takes any text. The pod then waits in ContainerCreating, with a mount error in its events that does not
name the cause.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from lib.catalog import requirements
from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD241",
    name="bucket-name",
    severity=Severity.ERROR,
    title="The bucket with the weights has a name that no bucket can have",
    fix="correct the bucket's name; it is the plain name, without s3:// and without a path",
    sources=("Amazon S3 user guide, bucket naming rules",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("HI-1.4b",),
    tags=("storage",),
    example=Example(
        before="spec: {modelSourceConfig: {s3Storage: {bucketName: 's3://my-models'}}}",
        after="spec: {modelSourceConfig: {s3Storage: {bucketName: my-models}}}",
    ),
)

_PLACEHOLDER = re.compile(r"[$<{]")


@cache
def _allowed() -> re.Pattern[str]:
    return re.compile(str(requirements.requirement("bucket_name_pattern").value))


def check(endpoint: EndpointView) -> Iterator[Hit]:
    name = endpoint.get("modelSourceConfig", "s3Storage", "bucketName")
    if not isinstance(name, str) or _PLACEHOLDER.search(name):
        return
    if not _allowed().fullmatch(name):
        yield Hit(
            ("spec", "modelSourceConfig", "s3Storage", "bucketName"),
            f"'{name}' cannot be the name of a bucket",
        )
