from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD242", "secrets-key", INFO, ENVIRONMENT),
    title="A production cluster starts without a key of its own",
    what="That a production environment has decided on keys of its own before the cluster exists.",
    why="""In CloudFormation the key that encrypts Kubernetes Secrets can be chosen only when the cluster is
    made. A later decision means another cluster.""",
    fine="Where keys owned by AWS are enough, which is a decision to write down.",
    fix="set storage.own_kms_keys to true before the first deployment",
    sources="CloudFormation schema of AWS::EKS::Cluster: EncryptionConfig can be set at creation only",
    covers=("HI-1.4c",),
    tags=("security", "production"),
    before="production: true",
    after="""production: true
    storage: {own_kms_keys: true}""",
)
def check(environment: EnvironmentView) -> Matches:
    if environment.document.production and not environment.document.storage.own_kms_keys:
        yield Match(
            ("storage", "own_kms_keys"),
            "buckets, volumes and Secrets are encrypted with keys owned by AWS, and for Secrets that cannot be "
            "changed later",
        )
