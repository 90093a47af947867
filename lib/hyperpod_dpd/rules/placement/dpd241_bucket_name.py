"""
What it checks
--------------
That the names of the S3 buckets for weights, certificates and captured data are ones that S3 allows.

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

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.document import Path
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD241",
    name="bucket-name",
    severity=Severity.ERROR,
    title="A bucket has a name that no bucket can have",
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

_NAME = ("modelSourceConfig", "s3Storage", "bucketName")
_ADDRESSES = (("tlsConfig", "tlsCertificateOutputS3Uri"), ("dataCapture", "s3Uri"))
_SCHEME = "s3://"
_PLACEHOLDER = re.compile(r"[$<{]")


@cache
def _allowed() -> re.Pattern[str]:
    return re.compile(str(requirements.requirement("bucket_name_pattern").value))


def check(endpoint: EndpointView) -> Iterator[Hit]:
    yield from _judge(endpoint.get(*_NAME), ("spec", *_NAME))
    for path in _ADDRESSES:
        address = endpoint.get(*path)
        if isinstance(address, str) and address.startswith(_SCHEME):
            yield from _judge(address.removeprefix(_SCHEME).partition("/")[0], ("spec", *path))


def _judge(name: object, path: Path) -> Iterator[Hit]:
    if isinstance(name, str) and not _PLACEHOLDER.search(name) and not _allowed().fullmatch(name):
        yield Hit(path, f"'{name}' cannot be the name of a bucket")
