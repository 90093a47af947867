import re
from functools import cache

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, Path, rule

_NAME = ("modelSourceConfig", "s3Storage", "bucketName")
_ADDRESSES = (("tlsConfig", "tlsCertificateOutputS3Uri"), ("dataCapture", "s3Uri"))
_SCHEME = "s3://"
_PLACEHOLDER = re.compile(r"[$<{]")


@cache
def _allowed() -> re.Pattern[str]:
    return re.compile(str(requirements.requirement("bucket_name_pattern").value))


@rule(
    ("DPD241", "bucket-name", ERROR, ENDPOINT),
    title="A bucket has a name that no bucket can have",
    what="""That the names of the S3 buckets for weights, certificates and captured data are ones that S3
    allows.""",
    why="""The CRD takes any text. The pod then waits in ContainerCreating, with a mount error in its events
    that does not name the cause.""",
    fine="Never.",
    fix="correct the bucket's name; it is the plain name, without s3:// and without a path",
    sources="Amazon S3 user guide, bucket naming rules",
    covers=("HI-1.4b",),
    tags=("storage",),
    before="spec: {modelSourceConfig: {s3Storage: {bucketName: 's3://my-models'}}}",
    after="spec: {modelSourceConfig: {s3Storage: {bucketName: my-models}}}",
)
def check(endpoint: EndpointView) -> Matches:
    yield from _judge(endpoint.get(*_NAME), ("spec", *_NAME))
    for path in _ADDRESSES:
        address = endpoint.get(*path)
        if isinstance(address, str) and address.startswith(_SCHEME):
            yield from _judge(address.removeprefix(_SCHEME).partition("/")[0], ("spec", *path))


def _judge(name: object, path: Path) -> Matches:
    if isinstance(name, str) and not _PLACEHOLDER.search(name) and not _allowed().fullmatch(name):
        yield Match(path, f"'{name}' cannot be the name of a bucket")
