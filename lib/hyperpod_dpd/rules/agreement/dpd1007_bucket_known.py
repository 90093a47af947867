from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1007", "bucket-known", ERROR, PAIR),
    title="A manifest names a bucket that the templates neither make nor grant",
    what="""Buckets of weights and certificates in manifests against buckets made, or named in a policy, in
    the templates.""",
    why="""The volume cannot be mounted, or the operator cannot write the certificate: the endpoint never
    becomes ready.""",
    fine="When bucket and grants are managed outside these templates.",
    fix="name the bucket that the storage stack makes, or grant the roles this one",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    waivable=True,
    before="""manifest: {spec: {modelSourceConfig: {s3Storage: {bucketName: model}}}}
    template: {Resources: {Models: {Properties: {BucketName: models}}}}""",
    after="""manifest: {spec: {modelSourceConfig: {s3Storage: {bucketName: models}}}}
    template: {Resources: {Models: {Properties: {BucketName: models}}}}""",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "bucket")
