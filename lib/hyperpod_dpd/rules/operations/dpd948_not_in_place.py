from hyperpod_dpd.rules.rule import (
    ENVIRONMENT_CHANGE,
    ERROR,
    INFO,
    EnvironmentChangeView,
    Match,
    Matches,
    rule,
)


@rule(
    ("DPD948", "not-in-place", ERROR, ENVIRONMENT_CHANGE),
    title="A change cannot be made in place",
    what="""Account, Region, network, clusters, buckets, file system, Kubernetes and operator release of an
    environment, and subnet, capacity, type, threads and role of its groups, against what they were.""",
    why="""CloudFormation answers such a change by making another resource and deleting the old one with what it
    holds, or the service refuses it half an hour into the deployment.""",
    fine="Before the first deployment; afterwards where `allow_replacement` says why the loss is meant.",
    fix="undo the change, or build the new beside the old and move the traffic",
    sources="""CloudFormation resource reference, update behaviours | SageMaker API, UpdateCluster | Amazon EKS user
    guide, update of a cluster's version""",
    tags=("change", "operations"),
    waivable=True,
    before="network: {cidr: 10.77.0.0/16}",
    after="production: false",
)
def check(change: EnvironmentChangeView) -> Matches:
    name = change.after.loaded.name
    allowed = change.after.document.allow_replacement
    for found in change.consequences:
        if not found.lasting:
            continue
        becomes = f"becomes {found.now}" if found.now is not None else "goes"
        more = f" (with it: {', '.join(found.with_it)})" if found.with_it else ""
        message = f"{found.fact} was {found.was} and {becomes}: {found.row.consequence}{more}"
        yield Match(found.place, message, INFO if found.fact in allowed else None, fix=found.way(name))
