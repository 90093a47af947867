import re

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

_SCHEME = "s3://"


@rule(
    ("DPD914", "certificate-bucket-name", WARNING, ENDPOINT),
    title="The certificate is stored in a bucket that the managed policy does not reach",
    what="""That the bucket of tlsCertificateOutputS3Uri begins with the prefix that the managed policy of the
    operator is limited to.""",
    why="""With another name the operator is denied when it stores the certificate, unless its role has a
    policy of its own to get, put, tag and delete objects there.""",
    fine="Where the operator's role has that policy.",
    fix="use a bucket with the prefix of the managed policy, or give the operator's role rights on this one",
    sources="""AWS managed policy AmazonSageMakerHyperPodInferenceAccess: buckets it reaches | SageMaker
    developer guide, model-deployment setup, TLS bucket""",
    covers=("R40",),
    tags=("tls", "names"),
    before="spec: {tlsConfig: {tlsCertificateOutputS3Uri: 's3://my-certificates'}}",
    after="spec: {tlsConfig: {tlsCertificateOutputS3Uri: 's3://hyperpod-tls-my-certificates'}}",
)
def check(endpoint: EndpointView) -> Matches:
    uri = endpoint.get("tlsConfig", "tlsCertificateOutputS3Uri")
    if not isinstance(uri, str) or not uri.startswith(_SCHEME):
        return
    bucket = uri.removeprefix(_SCHEME).partition("/")[0]
    wanted = requirements.name_prefix("tls_bucket")
    if re.fullmatch(r"[a-z0-9.-]+", bucket) and not bucket.startswith(wanted.prefix):
        yield Match(
            ("spec", "tlsConfig", "tlsCertificateOutputS3Uri"),
            f"bucket '{bucket}' does not begin with {wanted.prefix}: {wanted.why}",
        )
