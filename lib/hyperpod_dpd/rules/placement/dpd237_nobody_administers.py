from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD237", "nobody-administers", INFO, ENVIRONMENT),
    title="No role may administer the cluster",
    what="""That at least one IAM role is given administrator rights through an access entry; in production
    the lack of it is a warning.""",
    why="""The cluster accepts access entries only, and its creator gets none. Without a role nobody can look
    at a pod or its log on the day something is slow.""",
    fine="Where access entries are made elsewhere, or GitOps alone touches the cluster.",
    fix="list the roles of the platform team in cluster.admin_role_arns",
    sources="""EKS user guide, access entries | This project's control-plane stack: the creator of the cluster
    gets no rights""",
    covers=("HI-1.5c",),
    tags=("security", "production"),
    before="production: true",
    after="""production: true
    cluster: {admin_role_arns: ['arn:aws:iam::111122223333:role/platform-admin']}""",
)
def check(environment: EnvironmentView) -> Matches:
    document = environment.document
    if not document.cluster.admin_role_arns:
        yield Match(
            ("cluster",),
            "no role is listed in admin_role_arns, so nobody has rights on the Kubernetes API",
            WARNING if document.production else None,
        )
