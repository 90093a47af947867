from hyperpod_dpd.rules.rule import CHANGE, WARNING, ChangeView, EndpointView, Match, Matches, rule


@rule(
    ("DPD953", "endpoint-renamed", WARNING, CHANGE),
    title="An endpoint changes its name, and is replaced",
    what="That an endpoint keeps its name, its namespace and the name of its SageMaker endpoint.",
    why="""Kubernetes sees a new object: the new endpoint needs GPUs while the old one still holds its own,
    and on a full cluster its pods stay pending. Every name that follows from it changes too: router,
    Services, the SageMaker endpoint, and whatever callers, dashboards and alerts refer to.""",
    fine="When both endpoints are meant to run side by side for a while, with nodes for both.",
    fix="keep the name, or plan nodes for two endpoints, move the callers, and delete the old one",
    sources="""Kubernetes, identity of objects by namespace and name | hyperpod-dpd, names that the operator
    derives from the endpoint's""",
    tags=("change", "identity"),
    before="metadata: {name: llama-70b-new}",
    after="metadata: {name: llama-70b}",
)
def check(change: ChangeView) -> Matches:
    before, after = change.before, change.after
    if change.renamed:
        key = "name" if before.name != after.name else "namespace"
        yield Match(
            ("metadata", key),
            f"{before.namespace}/{before.name} becomes {after.namespace}/{after.name}: a new endpoint, while the old "
            f"one keeps {_gpus(before)} GPUs until it is deleted",
        )
    elif change.changed("endpointName"):
        was, now = before.get("endpointName"), after.get("endpointName")
        yield Match(
            ("spec", "endpointName"),
            f"the SageMaker endpoint was '{was or ''}' and is '{now or ''}': callers of the old name fail; whether the "
            "operator deletes the old one is not confirmed",
        )


def _gpus(endpoint: EndpointView) -> int:
    return sum(role.replicas * (role.gpus or 0) for role in endpoint.roles)
