from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD270", "not-locked", INFO, ENVIRONMENT),
    title="A production environment is not locked, and so not protected from deletion yet",
    what="That a production environment has the immutable facts of its deployment in environments/locks.",
    why="""Stacks and the EKS cluster refuse deletion from the deployment after the lock on. Earlier they would
    also refuse the clearing up after a first deployment that failed, and so its repetition. Without the lock, a
    change that replaces the cluster passes too.""",
    fine="Until the first deployment is complete.",
    fix="after the first deployment run `dpd lock NAME`, commit the file and deploy once more",
    sources="""AWS CloudFormation user guide, termination protection: a protected stack in ROLLBACK_COMPLETE is not
    deleted either | This project's stacks: protected in production once locked""",
    covers=(),
    tags=("production",),
    before="production: true",
    after="production: false",
)
def check(environment: EnvironmentView) -> Matches:
    if environment.document.production and not environment.blueprint.protected:
        yield Match(
            ("production",), "the environment is in production, and nothing of it is locked or protected"
        )
